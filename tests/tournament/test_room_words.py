"""Texts of the director's hall: the reason to look at each table, its time, and the content of its tile."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ledger.actors import Actor
from tests.moment import later
from tests.tournament.build import SYSTEM, make_event
from tournament.demo.simulation import draw_and_publish, next_round
from tournament.models import Round
from tournament.models.tables import Sheet
from tournament.queries import room, table_clock
from tournament.queries.rounds import clock_shown
from tournament.queries.rounds import room as tables_in_play
from tournament.queries.sheet_page import clock_context
from tournament.queries.table_clock import ClockShown
from tournament.services import clock, entrants, reseating, sheets, signatures, tables
from tournament.services.events import new_stage
from tournament.services.rounds import close_round
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db

HELPER = Actor.user(1)


def published(players: int, games: int = 1, format: str = "individual_draw") -> Round:
    plan = new_stage("Rounds", format, 1, games_per_round=games, deals_per_game=2, minutes=60)
    event = make_event(players, plan=[plan], name="Hall")
    round_ = next_round(event)
    assert round_ is not None
    draw_and_publish(round_, SYSTEM)
    return round_


@pytest.fixture(scope="module")
def hall(module_database: None) -> Round:
    """Return a round of six tables without recorded deals."""
    return published(24)


@pytest.fixture
def round_(hall: Round) -> Round:
    return again(hall)


def again(round_: Round) -> Round:
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


def sheet_of(round_: Round, number: int, order: int = 1) -> Sheet:
    return round_.tables.get(number=number).sheets.get(order=order)


def write(round_: Round, number: int, deals: int, order: int = 1) -> Sheet:
    sheet = sheet_of(round_, number, order)
    for _deal in range(deals):
        dealer = ScoreSheet(sheet).next_dealer()
        side = "NS" if dealer in "NS" else "EW"
        contract = {"declarer": side, "trump": "H"}
        entry: Any = {"dealer": dealer, "contract": contract, "points": {side: 40}}
        sheets.enter_deal(sheet_id=sheet.pk, actor=SYSTEM, entry=entry)
    sheet.refresh_from_db()
    return sheet


def signed(round_: Round, number: int, order: int = 1) -> Sheet:
    sheet = write(round_, number, 2, order)
    signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    return sheet


def disputed(round_: Round, number: int) -> Sheet:
    sheet = write(round_, number, 2)
    signatures.withdraw_signatures(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    sheet.refresh_from_db()
    return sheet


def test_every_table_says_why_it_holds_up_the_round_and_for_how_long(round_: Round) -> None:
    signed(round_, 1)
    write(round_, 2, 1)
    over = write(round_, 3, 2)
    quarrel = disputed(round_, 4)
    leaving = round_.tables.get(number=5).seats.order_by("position")[0].entrant
    entrants.withdraw(entrant_id=leaving.pk, actor=SYSTEM)
    call = tables.call_referee(
        table_id=round_.tables.get(number=6).pk, topic="play", reason="trick 5", actor=SYSTEM
    )
    found = room.room(again(round_))
    assert [(each.number, each.state, each.why, each.since) for each in found] == [
        (6, "called", "a card or a revoke: trick 5", call.called_at),
        (4, "disputed", "game 1 is in dispute", quarrel.changed_at),
        (3, "waiting", "game 1 is over and not signed", over.changed_at),
        (
            5,
            "left",
            f"{leaving.person.name} left: the round waits for a replacement or a forfeit",
            None,
        ),
        (2, "playing", "", None),
        (1, "signed", "", None),
    ]
    assert room.count_signed(found) == 1
    assert room.first_waiting_sheet(found) == sheet_of(round_, 2).pk
    shown = room.holdups(found, round_)
    assert [(row.table, row.state, row.label) for row in shown] == [
        (6, "called", "waiting for the referee"),
        (4, "disputed", "in dispute"),
        (3, "waiting", "unsigned"),
        (5, "late", "a player short"),
    ]
    assert [row.since.replace("\xa0", " ") for row in shown] == [
        *["for 0 minutes"] * 3,
        "",
    ]
    assert [tile.line for tile in room.tiles(found, round_)] == [
        "signed",
        "1 deal",
        "unsigned",
        "dispute",
        "a player short",
        "referee",
    ]
    tiles = room.tiles(found, round_)
    assert [tile.number for tile in tiles] == [1, 2, 3, 4, 5, 6]
    at = {seat.position: seat.entrant for seat in round_.tables.get(number=2).seats.all()}
    assert tiles[1].label == ", ".join(at[seat].person.name for seat in "NESW")
    tables.claim_call(call_id=call.pk, actor=HELPER)
    assert room.room(again(round_))[0].why == "a referee is coming: a card or a revoke: trick 5"
    tables.close_call(call_id=call.pk, actor=HELPER)
    assert [each.number for each in room.room(again(round_))] == [4, 3, 5, 6, 2, 1]


def test_who_called_first_stands_first_and_a_call_before_a_dispute(round_: Round) -> None:
    disputed(round_, 2)
    for number in (4, 2):
        tables.call_referee(
            table_id=round_.tables.get(number=number).pk, reason="play", actor=SYSTEM
        )
    found = room.room(again(round_))
    assert [(each.number, each.state) for each in found[:2]] == [(4, "called"), (2, "called")]
    assert [each.number for each in found[2:]] == [1, 3, 5, 6]


def test_after_the_bell_a_table_is_late_until_every_game_is_signed() -> None:
    round_ = published(8, games=3)
    signed(round_, 1)
    clock.set_clock(round_id=round_.pk, minutes=1, actor=SYSTEM)
    round_ = again(round_)
    assert {each.state for each in room.room(round_)} == {"playing", "planned"}
    with later(minutes=2):
        first, second = room.room(round_)
    assert (first.number, first.state, first.since) == (1, "late", round_.ends_at)
    assert first.why == "games signed after the bell: 1 of 3"
    assert second.why == "games signed after the bell: 0 of 3"
    clock.give_table_time(round_id=round_.pk, table=1, minutes=10, actor=SYSTEM)
    with later(minutes=2):
        assert [each.number for each in room.room(round_)] == [2, 1]
    with later(minutes=12):
        by_number = {each.number: each for each in room.room(round_)}
    assert round_.ends_at is not None
    assert by_number[1].since == round_.ends_at + timedelta(minutes=10)
    assert by_number[1].shown.extra_minutes == 10


def test_twenty_minutes_without_news_are_too_long(round_: Round) -> None:
    clock.set_clock(round_id=round_.pk, minutes=60, actor=SYSTEM)
    round_ = again(round_)
    assert round_.started_at is not None
    with later(minutes=15):
        write(round_, 1, 1)
    with later(minutes=19):
        assert {each.state for each in room.room(round_)} == {"planned", "playing"}
    with later(minutes=21):
        found = room.room(round_)
    assert [each.number for each in found] == [2, 3, 4, 5, 6, 1]
    assert (found[0].state, found[0].since) == ("silent", round_.started_at)
    assert (found[0].why, found[0].chip) == ("nothing recorded for a long time", "late")
    assert found[-1].state == "playing"
    with later(minutes=36):
        (late,) = [each for each in room.room(round_) if each.number == 1]
    assert late.state == "silent"
    assert late.since == sheet_of(round_, 1).changed_at
    shown = room.holdups(found, round_)
    assert {row.label for row in shown} == {"no news"}


def test_of_games_that_one_phone_signed_and_of_those_ended_early_the_table_is_named() -> None:
    round_ = published(8, games=3)
    device = Actor.device(uuid.uuid4())
    for table in round_.tables.all():
        tables.take_writing(table_id=table.pk, actor=device)
    clock.set_clock(round_id=round_.pk, minutes=30, actor=SYSTEM)
    for number, order in ((2, 2), (1, 1)):
        sheet = write(round_, number, 2, order)
        for side in ("NS", "EW"):
            sheet.refresh_from_db()
            signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=device)
    early = write(round_, 2, 1, 3)
    sheets.end_by_bell(sheet_id=early.pk, actor=HELPER)
    round_ = again(round_)
    found = room.room(round_)
    assert room.signed_at_once(round_, found) == ["table 1, game 1", "table 2, game 2"]
    assert room.ended_early(found) == ["table 2, game 3"]
    assert room.first_waiting_sheet(found) == sheet_of(round_, 1, 2).pk


def test_a_decided_match_says_so_on_its_tile() -> None:
    round_ = published(4, format="ko")
    table = round_.tables.get(number=1)
    winner = table.seats.order_by("position")[0].entrant
    reseating.decide_match(
        round_id=round_.pk, table=1, winner=winner.number, reason="absent", actor=SYSTEM
    )
    round_ = again(round_)
    first, _second = sorted(room.room(round_), key=lambda each: each.number)
    assert (first.settled, first.state) == (True, "signed")
    lines = [tile.line for tile in room.tiles(room.room(round_), round_)]
    assert lines == ["decided", "no deal yet"]


def test_the_clock_of_a_round_says_the_hour_of_the_bell_and_its_rule(round_: Round) -> None:
    assert clock_shown(None) is None
    assert clock_shown(Round(state="planned")) is None
    clock.set_clock(round_id=round_.pk, minutes=45, actor=SYSTEM)
    round_ = again(round_)
    assert round_.ends_at is not None
    hour = f"{timezone.localtime(round_.ends_at):%H:%M}"
    running = clock_shown(round_)
    note = f"Bell at {hour}: play out the current deal."
    assert running == ClockShown("Round 1", "running", f"→ {hour}", round_.ends_at, 3600, note)
    clock.pause_round(round_id=round_.pk, actor=SYSTEM)
    paused = clock_shown(again(round_))
    assert paused is not None
    assert paused.state == "paused"
    assert str(paused.left) in ("45:00", "44:59")
    clock.resume_round(round_id=round_.pk, actor=SYSTEM)
    for number in range(1, 7):
        signed(round_, number)
    close_round(round_id=round_.pk, actor=SYSTEM)
    assert clock_shown(again(round_)) == ClockShown("Round 1", "over")


def test_the_clock_at_a_table_counts_its_own_extra_time(round_: Round) -> None:
    table = round_.tables.get(number=3)
    clock.set_clock(round_id=round_.pk, minutes=10, actor=SYSTEM)
    clock.give_table_time(round_id=table.round_id, table=table.number, minutes=5, actor=SYSTEM)

    def shown() -> ClockShown:
        context = clock_context(table_clock.clock_of(again(round_).tables.get(number=3)))
        assert context is not None
        return context

    def rung() -> bool:
        read = table_clock.clock_of(again(round_).tables.get(number=3))
        assert read is not None
        return read.rung

    bell = again(round_).ends_at
    assert bell is not None
    running = shown()
    assert (running.state, running.label) == ("running", "Round 1")
    assert (running.ends_at, running.seconds) == (bell + timedelta(minutes=5), 65 * 60)
    assert running.left.startswith(("14:5", "15:00"))
    with later(minutes=14):
        assert (shown().state, rung()) == ("running", False)
    with later(minutes=16):
        assert (shown().state, shown().left, rung()) == ("over", "0:00", True)
    clock.pause_round(round_id=round_.pk, actor=SYSTEM)
    assert (shown().state, rung()) == ("paused", False)
    assert shown().left.startswith(("14:5", "15:00"))
    clock.resume_round(round_id=round_.pk, actor=SYSTEM)
    for number in range(1, 7):
        signed(round_, number)
    close_round(round_id=round_.pk, actor=SYSTEM)
    assert shown().state == "stopped"


def test_the_tables_of_a_round_stand_by_what_waits_longest(round_: Round) -> None:
    call = tables.call_referee(
        table_id=round_.tables.get(number=5).pk, reason="trick 5", actor=SYSTEM
    )
    signed(round_, 1)
    write(round_, 2, 1)
    disputed(round_, 6)

    def shown() -> list[tuple[int, str, int]]:
        return [(each.number, each.state, each.calls) for each in tables_in_play(again(round_))]

    rest = [(6, "disputed", 0), (3, "planned", 0), (4, "planned", 0)]
    assert shown() == [(5, "planned", 1), *rest, (2, "playing", 0), (1, "signed", 0)]
    tables.close_call(call_id=call.pk, actor=HELPER)
    assert shown() == [*rest, (5, "planned", 0), (2, "playing", 0), (1, "signed", 0)]
    clock.set_clock(round_id=round_.pk, minutes=1, actor=SYSTEM)
    with later(minutes=2):
        assert [state for _number, state, _calls in shown()] == [
            "disputed",
            *["late"] * 4,
            "signed",
        ]
