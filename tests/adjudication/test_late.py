"""C.7: lateness, and a penalty outside deals, belong to the person and the round."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from adjudication.models import PenalCode, Ruling
from adjudication.queries.impact import impact_of
from adjudication.queries.papers import record
from adjudication.queries.shown import show
from adjudication.services import codes, rulings
from ledger.change import change
from tests.adjudication.build import (
    REFEREE,
    SECOND,
    as_chiefs,
    enter,
    event_in_play,
    incident_at,
    rounds_only,
    ruled_revoke,
    sheet_at,
    stating,
)
from tests.tournament.test_stages import event_of, publish_next
from tournament.models import Adjustment, Event, Round
from tournament.queries.standings import compute
from tournament.tables.links import entrant_token, table_token

pytestmark = pytest.mark.django_db


def rule(event: Event, round_: Round, article: str, facts: dict[str, Any], **more: Any) -> Ruling:
    as_chiefs(event, REFEREE, SECOND)
    return stating(
        rulings.issue,
        incident_id=incident_at(event, round_, **{"deal": None, **more}).pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        reason="seen",
        second=SECOND,
    )


def changed(event: Event) -> dict[int, tuple[int, int]]:
    """Return the marks and penalties from rulings in force, by entrant."""
    rows = Adjustment.objects.filter(stage__event=event, annulled_at__isnull=True)
    return {row.entrant_id: (row.marks, row.penalties) for row in rows}


@pytest.fixture
def hall() -> tuple[Event, Round]:
    return event_in_play(players=4, plan=rounds_only(deals=4))


@pytest.mark.guide("referee#what-to-keep-in-mind")
@pytest.mark.parametrize("game", [1, 2, 3])
def test_everybody_who_waited_gains_and_only_the_late_player_pays(
    hall: tuple[Event, Round], game: int
) -> None:
    event, round_ = hall
    seats = sheet_at(round_, game=game).seats
    late = int(seats["N"])
    ruling = rule(event, round_, "T-LATE", {"offender": "N", "minutes": 8}, game=game)
    # Half of 34, for one deal; the partner in the current game changes nothing.
    assert changed(event) == {
        int(entrant): (-17, 1) if int(entrant) == late else (17, 0) for entrant in seats.values()
    }
    said = show(ruling)
    assert "−17" in said.penalty
    assert said.penalty.count("+17") == 3
    assert any("everybody else at the table scores 17" in reason for reason in said.because)
    rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="the train")
    assert changed(event) == {}


def test_a_games_page_shows_its_own_rulings_and_lists_name_the_game(
    client: Client, hall: tuple[Event, Round]
) -> None:
    """Another player sits West in the third game, so its page does not list the ruling of the second game."""
    event, round_ = hall
    enter(sheet_at(round_), 40)
    ruled_revoke(event, round_)
    rule(event, round_, "T-LATE", {"offender": "W", "minutes": 8}, game=2)
    english = {"accept-language": "en"}

    def shown(path: str) -> list[str]:
        page = " ".join(client.get(path, headers=english).content.decode().split())
        return [re.sub("<[^>]+>", "", each) for each in re.findall("<article.*?</article>", page)]

    table = f"/t/{table_token(round_.tables.get(number=1))}/?game="
    (revoke,) = shown(f"{table}1")
    (late,) = shown(f"{table}2")
    assert "000-P1" in revoke
    assert "−17" in late
    assert shown(f"{table}3") == []
    (revoke,) = shown(f"/e/{event.slug}/rulings/")
    assert "Table 1 · Round 1 · game 1 ·" in revoke
    west = event.entrants.get(pk=sheet_at(round_, game=2).seats["W"])
    told = shown(f"/p/{entrant_token(west)}/")
    assert [each for each in told if "game 2 ·" in each and "T-LATE" in each]
    assert [each for each in told if "game 1 ·" in each and "000-P1" in each]


def test_the_preview_of_a_measure_on_persons_has_its_figures(hall: tuple[Event, Round]) -> None:
    """Without a deal that changes, the standings of the players at the table say who gets what."""
    event, round_ = hall
    enter(sheet_at(round_), 40)
    late = int(sheet_at(round_).seats["E"])
    incident = incident_at(event, round_)
    facts = {"offender": "E", "minutes": 12}
    tried = impact_of(
        incident,
        lambda: stating(
            rulings.issue,
            incident_id=incident.pk,
            article="T-LATE",
            facts=facts,
            actor=REFEREE,
        ),
    )
    gained: dict[str, dict[int, int]] = {}
    for each in tried.counted:
        change_of = int(each.after.replace("−", "-")) - int(each.before.replace("−", "-"))
        gained.setdefault(each.criterion, {})[each.entrant.pk] = change_of
    assert len(gained) >= 1
    for by_person in gained.values():
        assert by_person.pop(late) < 0 < min(by_person.values())
        assert len(by_person) == 3


def test_two_conceded_deals_move_the_standings_by_the_person(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    enter(sheet_at(round_), 40)
    late = int(sheet_at(round_).seats["E"])
    rule(event, round_, "T-LATE", {"offender": "E", "minutes": 12})
    number = event.entrants.get(pk=late).number
    rows = {row.entrant.number: row for row in compute(round_.stage).rows}
    assert rows[number].adjusted
    assert changed(event)[late] == (-34, 1)
    assert sum(marks for marks, _penalties in changed(event).values()) == 68


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_a_penalty_between_deals_is_the_persons(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    for _time in range(2):
        rule(event, round_, "T-PHONE", {"offender": "S"})
    seats = {seat: int(entrant) for seat, entrant in sheet_at(round_).seats.items()}
    assert changed(event)[seats["S"]] == (-34, 1)
    assert {changed(event)[seats[seat]] for seat in "NEW"} == {(34, 0)}


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_a_late_pair_concedes_to_the_other_pair() -> None:
    event = event_of(2, "ko", rounds=1, deals=2, drawing={"seeds": 2})
    round_ = publish_next(event).round
    seats = {seat: int(entrant) for seat, entrant in sheet_at(round_).seats.items()}
    rule(event, round_, "T-LATE", {"offender": "N", "minutes": 8})
    assert changed(event) == {seats["N"]: (0, 1), seats["E"]: (15, 0)}


def test_an_event_under_the_earlier_edition_goes_on_as_it_began(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    with change():
        PenalCode.objects.filter(pk=codes.pinned(event).pk).update(edition="2026.2")
    seats = {seat: int(entrant) for seat, entrant in sheet_at(round_).seats.items()}
    rule(event, round_, "T-LATE", {"offender": "N", "minutes": 8})
    assert changed(event)[seats["S"]] == (0, 1)
    assert changed(event)[seats["E"]] == (17, 0)


def test_the_slip_of_a_late_arrival_names_the_players_and_no_sides() -> None:
    event, round_ = event_in_play(deals=2)
    ruling = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=None).pk,
        article="T-LATE",
        facts={"offender": "N", "minutes": 8},
        actor=REFEREE,
    )
    with translation.override("en"):
        effects = set(record(show(ruling, whole=True), {}).effects)
    assert effects == {"N −17", "E +17", "S +17", "W +17"}
