"""Seats in every published round of an event, read once for all requests.

A draw, a name, a round begun or withdrawn raises the mark under which it is cached
(``Event.frame_version``); a deal or a signature leaves it unchanged.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from tournament.cache import cached
from tournament.models import Bye, Event, Round, Seat
from tournament.models.tables import Sheet


@dataclass(frozen=True, slots=True)
class LaidGame:
    """A game of a table: its number, which seats play which side, its score sheet."""

    number: int
    sides: dict[str, list[str]]
    sheet: uuid.UUID
    counts: bool


@dataclass(slots=True)
class LaidTable:
    """A table of a round: seat → entrant id, and its games in order.

    ``decided_for``: the entrant who has the match by the director's decision, for this ``reason``.
    """

    round: Round
    number: int
    seats: dict[str, int] = field(default_factory=dict)
    games: list[LaidGame] = field(default_factory=list)
    decided_for: int | None = None
    reason: str = ""


@dataclass(slots=True)
class Seatings:
    """Entrant id → their tables with their seat, in the order played; and the rounds they sat out."""

    tables: dict[int, list[tuple[LaidTable, str]]] = field(default_factory=dict)
    out: dict[int, list[Round]] = field(default_factory=dict)


def seatings_of(event: Event) -> Seatings:
    """Return the seatings of an event under its mark of the draw; 4 queries, none once read."""
    key = (event.pk, event.frame_version)
    return cached(("seatings", *key), lambda: _read(event))


def _read(event: Event) -> Seatings:
    rounds = {
        round_.pk: round_
        for round_ in Round.objects.filter(stage__event=event, published_at__isnull=False)
        .select_related("stage__event")
        .order_by("stage__order", "number")
    }
    tables: dict[Any, LaidTable] = {}
    seatings = Seatings()
    rows = Seat.objects.filter(round__in=rounds).order_by(
        "round__stage__order", "round__number", "table__number", "position"
    )
    for round_id, table, number, position, entrant, winner, reason in rows.values_list(
        "round_id",
        "table_id",
        "table__number",
        "position",
        "entrant_id",
        "table__decided_for_id",
        "table__decided_reason",
    ):
        laid = tables.setdefault(
            table, LaidTable(rounds[round_id], number, decided_for=winner, reason=reason)
        )
        laid.seats[position] = entrant
        seatings.tables.setdefault(entrant, []).append((laid, position))
    sheets = Sheet.objects.filter(table__round__in=rounds).order_by("order")
    for table, number, sides, sheet, counts in sheets.values_list(
        "table_id", "order", "sides", "pk", "counts"
    ):
        if table in tables:
            tables[table].games.append(LaidGame(number, sides, sheet, counts))
    for entrant, round_id in Bye.objects.filter(round__in=rounds).values_list(
        "entrant_id", "round_id"
    ):
        seatings.out.setdefault(entrant, []).append(rounds[round_id])
    return seatings
