"""Precedents without names, and the figures of a season."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Role
from accounts.roles import grant_role
from adjudication.queries.season import season
from adjudication.services import appeals, rulings
from ledger.errors import Refused
from ledger.models import ORGANISATION
from tests.adjudication.build import (
    COMMITTEE,
    REFEREE,
    REVOKE,
    SYSTEM,
    as_chiefs,
    enter,
    event_in_play,
    hear,
    incident_at,
    ruled_revoke,
    sheet_at,
)
from tests.tournament.build import grant, make_event, make_user
from tournament.models import Event, Person

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def ruled() -> Event:
    """Create an event with a final ruling on a revoke, one overturned and one provisional."""
    event, round_ = event_in_play(deals=4, name="Grand Prix of Testing")
    as_chiefs(event, REFEREE)
    enter(sheet_at(round_), 40, 50, 44)
    final = ruled_revoke(event, round_, claimed="in_time", reason="Seen by Annemie.")
    rulings.finalise(ruling_id=final.pk, actor=REFEREE)
    other = ruled_revoke(event, round_, claimed="in_time")
    lodged = appeals.lodge(ruling_id=other.pk, side="NS", grounds="no", actor=SYSTEM)
    hear(appeal_id=lodged.pk, outcome="overturned", decision="no proof", actor=COMMITTEE)
    ruled_revoke(event, round_, claimed="in_time")
    return event


@pytest.mark.guide("referee#precedents-and-figures-of-the-season")
def test_precedents_are_final_and_name_nobody(client: Client, ruled: Event) -> None:
    elsewhere = make_event(8, name="Another")
    client.force_login(make_user("ref", elsewhere, "referee"))
    address = reverse("referee-precedents", args=[elsewhere.slug])
    for query, count in (
        ({}, 1),
        ({"article": "000-P1"}, 1),
        ({"q": "revoke"}, 1),
        ({"q": "x1"}, 0),
    ):
        page = client.get(address, query, headers=ENGLISH)
        assert len(page.context["precedents"]) == count, query
    page = client.get(address, headers=ENGLISH)
    shown = page.content.decode().partition("<main")[2].partition("</main>")[0]
    names = Person.objects.filter(entries__event=ruled).values_list("name", flat=True)
    today = timezone.localdate()
    for hidden in (*names, ruled.name, "Annemie", f"{today.day} {today:%B}"):
        assert hidden not in shown
    assert f"{today:%B %Y}" in shown
    listed = client.get(reverse("api-event-precedents", args=[elsewhere.slug])).json()
    assert [each["article"] for each in listed] == ["000-P1"]
    assert not {"event", "number", "name"} & set(listed[0])
    client.force_login(make_user("score", elsewhere, "scorekeeper"))
    assert client.get(address).status_code == 403


@pytest.mark.guide("referee#precedents-and-figures-of-the-season")
def test_precedents_of_other_events_stand_beside_the_proposal(client: Client, ruled: Event) -> None:
    event, round_ = event_in_play(deals=4, name="Later")
    enter(sheet_at(round_), 40)
    incident = incident_at(event, round_)
    client.force_login(make_user("ref", event, "referee"))
    facts = {f"f-{name}": value for name, value in REVOKE.items()}
    asked = {"article": "000-P1", "preview": "1", **facts}
    page = client.get(reverse("referee-incident", args=[event.slug, incident.number]), asked)
    assert [each.article for each in page.context["proposal"].precedents] == ["000-P1"]


@pytest.mark.guide("referee#precedents-and-figures-of-the-season")
def test_the_figures_of_a_season(client: Client, ruled: Event) -> None:
    """3 deals; two revokes in force of three rulings, one of them overturned."""
    rows, total = season(ruled.day, ruled.day)
    mine = next(row for row in rows if row.slug == ruled.slug)
    assert (mine.deals, mine.rulings, mine.revokes, mine.overturned) == (3, 3, 2, 1)
    assert mine.per_thousand == pytest.approx(2000 / 3)
    assert mine.share == pytest.approx(100 / 3)
    assert len(mine.waits) == 3
    assert mine.minutes is not None
    assert (total.rulings, len(total.waits)) == (3, 3)
    assert season(ruled.day - timedelta(days=9), ruled.day - timedelta(days=8))[0] == []
    grant(chief := make_user("chief"), Role.READER, ruled.pk)
    client.force_login(chief)
    address = reverse("referees-season")
    assert client.get(address).status_code == 403
    grant_role(user_id=chief.pk, role=Role.CHIEF_REFEREE, scope=ORGANISATION, actor=SYSTEM)
    span = {"since": f"{ruled.day}", "until": f"{ruled.day}"}
    page = client.get(address, span, headers=ENGLISH)
    assert page.context["total"].rulings == 3
    file = client.get(reverse("referees-season-csv"), span, headers=ENGLISH).content.decode()
    assert file.splitlines()[-1].startswith("Total;;3;3;2;666.7;")
    assert client.get(address, {**span, "until": "2020-01-01"}).status_code == 422
    assert address in client.get(reverse("referee"), follow=True).content.decode()
    with pytest.raises(Refused):
        grant_role(user_id=chief.pk, role=Role.REFEREE, scope=ORGANISATION, actor=SYSTEM)
