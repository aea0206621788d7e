"""Tables and sheets for the tests of the scoring room, without a tournament around them."""

from __future__ import annotations

import uuid
from typing import Any

from ledger.actors import Actor
from scoring.engine.rulebook import resolve
from scoring.models import ScoringTable, Sheet
from scoring.services import sheets, tables

SYSTEM = Actor.system("test")
SCOPE = uuid.UUID(int=7)


def a_table(scope: uuid.UUID = SCOPE, label: str = "1/17") -> ScoringTable:
    """A table with a working link."""
    return tables.open_table(scope=scope, label=label, actor=SYSTEM)


def a_sheet(
    rulebook: str = "belgian",
    *,
    options: dict[str, Any] | None = None,
    protocol: str = "confirm",
    depth: str = "points",
    table: ScoringTable | None = None,
    order: int = 1,
    first_dealer: str = "",
) -> Sheet:
    """An empty sheet; two pairs sit as entrants 1 to 4 at N, E, S, W, others at 1, 2, 3 …"""
    three = rulebook == "three-player"
    options = {"target": {"deals": 3 if three else 4}, **(options or {})}
    game = resolve(rulebook, options)
    seats = (
        {"N": 1, "E": 2, "S": 3, "W": 4}
        if "N" in game.seats
        else {seat: n for n, seat in enumerate(game.seats, start=1)}
    )
    return sheets.open_sheet(
        table=table or a_table(), order=order, rulebook=rulebook, edition=game.book.edition,
        options=options, seats=seats, first_dealer=first_dealer or next(iter(seats)),
        protocol=protocol, depth=depth,
    )  # fmt: skip


def simple(points: int, side: str = "NS", *, trump: str = "H", **more: Any) -> dict[str, Any]:
    """An entry of a belgian or muette deal by points alone; N dealt, so N-S chose trump."""
    return {"dealer": "N", "contract": {"declarer": "NS", "trump": trump, **more},
            "points": {side: points}}  # fmt: skip


def token(sheet: Sheet) -> str:
    """The token of the sheet's table."""
    return tables.table_token(sheet.table)
