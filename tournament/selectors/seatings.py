"""Who sat where in every published round of an event: read once for all who ask.

A draw, a name, a round begun or withdrawn raises the mark under which it is kept
(``Event.frame_version``); a deal or a signature leaves it alone.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from tournament.models import Bye, Event, Round, Seat, TableGame


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

    ``decided_for``: who has the match by the director's decision, for this ``reason``.
    """

    round: Round
    number: int
    seats: dict[str, int] = field(default_factory=dict)
    games: list[LaidGame] = field(default_factory=list)
    decided_for: int | None = None
    reason: str = ""


@dataclass(slots=True)
class Seatings:
    """Entrant id → his tables with his seat, in the order played; and the rounds he sat out."""

    tables: dict[int, list[tuple[LaidTable, str]]] = field(default_factory=dict)
    out: dict[int, list[Round]] = field(default_factory=dict)


_kept: OrderedDict[tuple[uuid.UUID, int], Seatings] = OrderedDict()
_reading = threading.Lock()


def seatings_of(event: Event) -> Seatings:
    """The seatings of an event under its mark of the draw; 4 queries, none once read."""
    key = (event.pk, event.frame_version)
    with _reading:
        found = _kept.get(key)
        if found is None:
            found = _kept[key] = _read(event)
            while len(_kept) > 8:
                _kept.popitem(last=False)
        return found


def _read(event: Event) -> Seatings:
    rounds = {
        part.pk: part
        for part in Round.objects.filter(stage__event=event, published_at__isnull=False)
        .select_related("stage__event")
        .order_by("stage__order", "number")
    }
    tables: dict[Any, LaidTable] = {}
    found = Seatings()
    rows = Seat.objects.filter(round__in=rounds).order_by(
        "round__stage__order", "round__number", "table__number", "position"
    )
    for round_id, table, number, position, entrant, winner, reason in rows.values_list(
        "round_id", "table_id", "table__number", "position", "entrant_id",
        "table__decided_for_id", "table__decided_reason",
    ):  # fmt: skip
        laid = tables.setdefault(
            table, LaidTable(rounds[round_id], number, decided_for=winner, reason=reason)
        )
        laid.seats[position] = entrant
        found.tables.setdefault(entrant, []).append((laid, position))
    games = TableGame.objects.filter(table__round__in=rounds).order_by("number")
    for table, number, sides, sheet, counts in games.values_list(
        "table_id", "number", "sides", "sheet_id", "counts"
    ):
        if table in tables:
            tables[table].games.append(LaidGame(number, sides, sheet, counts))
    for entrant, round_id in Bye.objects.filter(round__in=rounds).values_list(
        "entrant_id", "round_id"
    ):
        found.out.setdefault(entrant, []).append(rounds[round_id])
    return found
