"""A cell of the book of results: a table of a round, its games with their sheets, and what can be done about them."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import get_language

from tournament.models import Round, RoundState, Table
from tournament.models.tables import Sheet
from tournament.queries.room import Action, RoomSheet, RoomTable, room, verbs_at, ways_on
from tournament.queries.sheet_page import (
    DealRow,
    SideShown,
    contested_at,
    deal_rows,
    named_as_on_slip,
    score_shown,
    sides_shown,
)
from tournament.queries.table_people import seat_names
from tournament.tables.score_sheet import ScoreSheet


class CellGame(NamedTuple):
    """A game of a cell: its state, and its sheet as ``parts/sheet/sheet.html`` shows it."""

    sheet: RoomSheet
    sides: list[SideShown]
    deals: list[DealRow]


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A table of a round for ``parts/round/cell.html``, with the actions that the reader may perform."""

    round: Round
    table: RoomTable
    games: list[CellGame]
    ways_on: list[Action]
    verbs: list[Action]
    contested: set[uuid.UUID]
    can_enter: bool
    can_replay: bool

    @property
    def playing(self) -> bool:
        """Whether the round is in play."""
        return self.round.state == RoundState.PLAYING


def cell_of(round_: Round, table: Table, can: Collection[str]) -> ShownCell | None:
    """Return the cell of a table by the reader's capabilities; ``None`` for an empty table."""
    shown = next((each for each in room(round_) if each.number == table.number), None)
    if shown is None:
        return None
    language = (get_language() or "en")[:2]
    known = {row.pk: row for row in shown.sheets}
    games = []
    for sheet in Sheet.objects.filter(pk__in=known).select_related("table").order_by("order"):
        names, scored = seat_names(sheet), ScoreSheet(sheet)
        sides = sides_shown(scored, language, names, score_shown(scored))
        deals = deal_rows(scored, language, names)
        games.append(CellGame(known[sheet.pk], named_as_on_slip(sheet, sides), deals))
    return ShownCell(
        round_,
        shown,
        games,
        ways_on(shown, round_, can),
        verbs_at(shown, round_, can),
        contested_at(table),
        "sheets.enter" in can,
        "rounds.manage" in can and round_.state != RoundState.DRAWN,
    )
