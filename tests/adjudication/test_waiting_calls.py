"""The queue of calls on the referee's desk: tables, waiting times, the referee on the way, and actions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from adjudication.queries import desk
from adjudication.services.incidents import take_call
from ledger.actors import Actor
from tests.adjudication.build import SYSTEM, as_chiefs, event_in_play
from tournament.models import Event, Round
from tournament.queries.names import directory
from tournament.services import tables

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def hall(module_database: None) -> tuple[Event, Round]:
    return event_in_play()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that stops the clock at a number of seconds after the start."""
    start = timezone.now()

    def at(seconds: float) -> None:
        monkeypatch.setattr(timezone, "now", lambda: start + timedelta(seconds=seconds))

    at(0)
    return at


def called(round_: Round, table: int, reason: str) -> Any:
    place = round_.tables.get(number=table)
    return tables.call_referee(table_id=place.pk, reason=reason, actor=SYSTEM)


def test_who_waits_longest_is_first_and_who_takes_the_call_is_named(
    hall: tuple[Event, Round], clock: Any
) -> None:
    event, round_ = hall
    translation.activate("en")
    first = called(round_, 2, "A card fell")
    clock(120)
    second = called(round_, 1, "Who deals?")
    clock(300)
    people = directory(event)

    def players(table: int) -> str:
        seats = round_.seats.filter(table__number=table).order_by("position")
        return ", ".join(people[seat.entrant_id].name for seat in seats)

    shown = desk.waiting(event, may_rule=True)
    assert shown == [
        desk.WaitingCall(
            id=call.pk,
            table=table,
            where="",
            reason=reason,
            wait=wait,
            long=long,
            claimed_by="",
            players=players(table),
            claim_url=reverse("referee-take", args=[event.slug, call.pk]),
            url="",
        )
        for call, table, reason, wait, long in (
            (first, 2, "A card fell", "5 min", True),
            (second, 1, "Who deals?", "3 min", False),
        )
    ]
    # A viewer who may not rule sees the same rows without their actions.
    assert desk.waiting(event, may_rule=False) == [replace(row, claim_url="") for row in shown]
    referee = Actor.user(900001)
    as_chiefs(event, referee)
    incident = take_call(call_id=first.pk, actor=referee)
    taken, open_still = desk.waiting(event, may_rule=True)
    assert taken.claimed_by == "chief-900001"
    assert taken.url == reverse("referee-incident", args=[event.slug, incident.number])
    assert (open_still.claimed_by, open_still.url) == ("", "")


@pytest.mark.parametrize(
    ("seconds", "wait", "long"),
    [
        (-1, "less than a minute", False),
        (59, "less than a minute", False),
        (60, "1 min", False),
        (119, "1 min", False),
        (299, "4 min", False),
        (300, "5 min", True),
    ],
)
def test_a_call_waits_in_whole_minutes_and_long_from_five_on(
    hall: tuple[Event, Round], clock: Any, seconds: int, wait: str, long: bool
) -> None:
    event, round_ = hall
    called(round_, 1, "Come")
    clock(seconds)
    with translation.override("en"):
        (row,) = desk.waiting(event, may_rule=True)
    assert (row.wait, row.long) == (wait, long)
