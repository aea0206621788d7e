"""A forfeit for lateness after a first deal: the preview, and every page after it, show one state."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from adjudication.api.impact import ImpactShape
from adjudication.models import Ruling
from adjudication.queries.impact import impact_of
from adjudication.services import rulings
from tests.adjudication.build import (
    REFEREE,
    enter,
    event_in_play,
    incident_at,
    points_entry,
    sheet_at,
    stating,
)
from tests.markup import without_marks
from tests.tournament.build import SYSTEM, chance, make_user
from tournament.demo.simulation import play_sheet
from tournament.models import Event, Table
from tournament.models.tables import Sheet
from tournament.queries.rounds import tables_waiting
from tournament.queries.standings import compute
from tournament.services import rounds
from tournament.tables.links import table_token

pytestmark = pytest.mark.django_db


def credited(event: Event) -> dict[int, tuple[int, int]]:
    """Return games lost and credited by start number."""
    stage = event.stages.get(order=1)
    return {row.entrant.number: (row.lost, row.credited) for row in compute(stage).rows}


def words(client: Client, address: str) -> str:
    page = client.get(address, headers={"accept-language": "en"})
    return " ".join(without_marks(page.content.decode()).split())


def seen(page: str) -> str:
    return " ".join(strip_tags(page).split())


def test_a_forfeit_after_one_deal_is_previewed_and_shown_alike(client: Client) -> None:
    event, round_ = event_in_play(deals=4)
    sheet = enter(sheet_at(round_), 40)
    late = event.entrants.get(pk=sheet.seats["N"])
    incident = incident_at(event, round_, deal=None)

    def act() -> Ruling:
        return stating(
            rulings.issue,
            incident_id=incident.pk,
            article="T-LATE",
            facts={"offender": "N", "minutes": 20},
            actor=REFEREE,
        )

    told = impact_of(incident, act)
    before = credited(event)
    assert not before[late.number][0]
    act()
    after = credited(event)
    games = {(each.entrant.number, each.criterion): each.after for each in told.counted}
    assert games == {(late.number, "games_lost"): str(after[late.number][0])}

    # The table is not asked for its next deal; it does not hold up the round.
    address = reverse("table", args=[table_token(Table.objects.get(pk=sheet.table_id))])
    page = words(client, address)
    assert f"forfeited by {late.person.name}" in seen(page)
    assert 'name="trump"' not in page
    assert 'name="points"' not in page
    client.force_login(make_user("director", event, "director"))
    page = words(client, reverse("staff-sheet", args=[sheet.pk]))
    assert f"forfeited by {late.person.name}" in seen(page)
    assert 'name="trump"' not in page
    assert 'name="points"' not in page
    assert sheet.table.number in tables_waiting(round_)[1]

    for other in Sheet.objects.filter(table__round=round_).exclude(table=sheet.table_id):
        play_sheet(other, chance())
    rounds.close_round(round_id=round_.pk, actor=SYSTEM, forfeits=True)
    ended = credited(event)
    others = {int(each) for each in sheet.seats.values()} - {late.pk}
    numbers = set(event.entrants.filter(pk__in=others).values_list("number", flat=True))
    shown = {
        each.entrant.number: each.after
        for each in told.at_closing
        if each.criterion == "games_credited"
    }
    assert shown == {number: str(ended[number][1]) for number in numbers}
    assert ImpactShape(told).data["at_closing"]


def test_no_deal_is_recorded_at_a_forfeited_table_by_any_door(client: Client) -> None:
    event, round_ = event_in_play(deals=4)
    sheet = enter(sheet_at(round_), 40)
    ruling = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=None).pk,
        article="T-LATE",
        facts={"offender": "N", "minutes": 20},
        actor=REFEREE,
    )
    client.force_login(make_user("director", event, "director"))
    deal = {"entry": points_entry(sheet, 44), "key": "k" * 32, "version": sheet.version}
    answer = client.post(f"/api/v1/sheets/{sheet.pk}/deals/", deal, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "table_forfeited")
    sheet.refresh_from_db()
    assert sheet.score["deals"] == 1
    rulings.annul(ruling_id=ruling.pk, actor=SYSTEM, reason="in time after all")
    answer = client.post(
        f"/api/v1/sheets/{sheet.pk}/deals/",
        {**deal, "version": sheet.version},
        content_type="application/json",
    )
    assert answer.status_code == 201
