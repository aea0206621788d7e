"""Score sheets without a result in closed rounds: reopened since, or given back by an annulled forfeit."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.models import Event, Round, RoundState
from tournament.models.tables import Sheet
from tournament.queries.brackets import stage_and_round
from tournament.queries.rounds import WAITING, tables_waiting


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """A table of a closed round with an open ``sheet``, the first of its games."""

    round: Round
    table: int
    sheet: uuid.UUID

    @property
    def text(self) -> str:
        """The matter in the reader's language."""
        return _(
            "%(round)s, table %(table)d: the score sheet is open, and its result does not count until it is "
            "signed or confirmed."
        ) % {"round": stage_and_round(self.round), "table": self.table}


def left_open(event: Event) -> list[LeftOpen]:
    """Return the tables of closed rounds that are still to be settled; one query where there are none."""
    open_sheets = (
        Sheet.objects.filter(
            table__round__stage__event=event,
            table__round__state=RoundState.CLOSED,
            table__decided_for__isnull=True,
            state__in=WAITING,
        )
        .select_related("table__round__stage__event")
        .order_by("table__round__stage__order", "table__round__number", "table__number", "order")
    )
    first: dict[uuid.UUID, Sheet] = {}
    for sheet in open_sheets:
        first.setdefault(sheet.table_id, sheet)
    rounds = {sheet.table.round_id: sheet.table.round for sheet in first.values()}
    waiting = {pk: set(tables_waiting(round_)[0]) for pk, round_ in rounds.items() if round_}
    return [
        LeftOpen(round_, sheet.table.number, sheet.pk)
        for sheet in first.values()
        if (round_ := sheet.table.round) is not None and sheet.table.number in waiting[round_.pk]
    ]
