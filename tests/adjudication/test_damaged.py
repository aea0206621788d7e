"""A ruling whose stored decision cannot be read is shown as damaged; the others are unaffected."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from adjudication.models import Confirmation, Ruling, RulingVersion
from adjudication.services import confirmations, rulings
from ledger.change import change
from ledger.errors import Conflict, NotAllowed
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    SECOND,
    as_chiefs,
    enter,
    event_in_play,
    incident_at,
    ruled_revoke,
    sheet_at,
    stating,
)
from tests.tournament.build import make_user

pytestmark = pytest.mark.django_db

DAMAGE: list[Any] = [[], {"deal": {"outcome": "stands"}, "verdict": "established"}]


def damage(ruling: Ruling, proposal: Any) -> None:
    """Store a further version of the ruling, as a fault would leave it."""
    version = ruling.versions.latest("number")
    columns = {
        field.name: getattr(version, field.name)
        for field in RulingVersion._meta.concrete_fields
        if not field.primary_key
    }
    again = {"number": 2, "cause": "amended", "reason": "again", "proposal": proposal}
    with change():
        RulingVersion.objects.create(**{**columns, **again})
        ruling.versions_made = 2
        ruling.save()


@pytest.mark.guide("referee#papers-and-damaged-rulings")
@pytest.mark.parametrize("proposal", DAMAGE, ids=str)
def test_pages_and_papers_show_it_as_damaged_and_the_rest(client: Client, proposal: Any) -> None:
    event, round_ = event_in_play()
    enter(sheet_at(round_), 40, 36)
    good = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, table=2, deal=None).pk,
        article="T-PHONE",
        facts={"offender": "N"},
        actor=REFEREE,
    )
    ruling = ruled_revoke(event, round_)
    damage(ruling, proposal)
    client.force_login(make_user("ref", event, "referee"))
    number = {"number": ruling.number}
    for name, more, says in (
        ("referee-desk", {}, True),
        ("referee-ruling", number, True),
        ("referee-incident", {"number": ruling.incident.number}, True),
        ("referee-report", {}, False),
        ("referee-slip", number, False),
        ("referee-report-pdf", {}, False),
        ("referee-report-csv", {}, True),
        ("event-rulings", {}, False),
        ("api-event-rulings", {}, False),
        ("api-ruling", number, True),
    ):
        answer = client.get(reverse(name, kwargs={"slug": event.slug, **more}))
        assert answer.status_code == 200, name
        if says:
            assert "is damaged and cannot be read" in answer.content.decode(), name
    desk = client.get(reverse("referee-desk", args=[event.slug])).content.decode()
    assert f'href="{reverse("referee-ruling", args=[event.slug, good.number])}"' in desk


def test_a_proposal_that_waits_for_the_second_person_is_shown_too(client: Client) -> None:
    event, round_ = event_in_play()
    as_chiefs(event, REFEREE, SECOND)
    waiting = stating(
        confirmations.rule,
        incident_id=incident_at(event, round_, deal=None).pk,
        article="T-UNSP",
        facts={"offender": "N", "measure": "disqualified"},
        actor=REFEREE,
        reason="spat",
    )
    with change():
        Confirmation.objects.filter(pk=waiting.pk).update(proposal={})
    client.force_login(User.objects.get(pk=SECOND.id))
    for page in (
        reverse("referee-desk", args=[event.slug]),
        reverse("referee-confirmation", args=[event.slug, waiting.pk]),
    ):
        assert "is damaged and cannot be read" in client.get(page).content.decode()
    with pytest.raises(Conflict):
        confirmations.confirm(confirmation_id=waiting.pk, actor=SECOND)


@pytest.mark.guide("referee#papers-and-damaged-rulings")
def test_it_is_put_right_by_the_chief_who_annuls_it() -> None:
    event, round_ = event_in_play()
    sheet = enter(sheet_at(round_), 40, 36)
    ruling = ruled_revoke(event, round_)
    damage(ruling, {})
    incident = incident_at(event, round_)
    again = {"incident_id": incident.pk, "article": "000-P2", "facts": REVOKE, "actor": REFEREE}
    with pytest.raises(Conflict) as refused:
        stating(rulings.issue, **again)
    assert refused.value.code == "ruling_damaged"
    with pytest.raises(NotAllowed):
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="damaged")
    as_chiefs(event, SECOND)
    rulings.annul(ruling_id=ruling.pk, actor=SECOND, reason="damaged")
    assert sheet.deals.get(series="official", number=1, current=True).marks == {"NS": 6, "EW": 0}
    stating(rulings.issue, **again)
    assert sheet.deals.get(series="official", number=1, current=True).marks == {"NS": 0, "EW": 34}
