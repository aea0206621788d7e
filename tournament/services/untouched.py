"""Whether anything was written at a table, with its sheets locked so that nothing is meanwhile.

A deal and the withdrawal of its table never cross: the first to lock the sheets wins, the other is refused.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ledger.errors import NotHere
from tournament.models.tables import Sheet, SheetState, Table


def lock_sheets(round_id: uuid.UUID) -> list[uuid.UUID]:
    """Lock the score sheets of a round, then their tables, until the end of the transaction.

    Returns the sheets' ids.
    """
    locked = Sheet.objects.select_for_update(of=("self",), no_key=True).filter(
        table__round=round_id
    )
    sheets = [sheet.pk for sheet in locked.order_by("pk")]
    lock_tables(round_id)
    return sheets


def lock_tables(round_id: uuid.UUID) -> None:
    """Lock what a round's tables are written at, until the end of the transaction."""
    locked = Table.objects.select_for_update(of=("self",), no_key=True).filter(round=round_id)
    list(locked.order_by("pk").values_list("pk", flat=True))


def locked_table(round_id: uuid.UUID, number: int) -> Table:
    """Return a table of a round, locked until the end of the transaction; :class:`NotHere` for an unknown one."""
    tables = Table.objects.select_for_update(no_key=True)
    table = tables.filter(round=round_id, number=number).first()
    if table is None:
        raise NotHere("no_such_table", _("This round has no such table."))
    return table


def written_at(round_id: uuid.UUID, tables: Iterable[uuid.UUID] | None = None) -> list[int]:
    """Return the numbers of the tables (of these, where given) with any record, in order.

    A deal of any series counts, a paper sheet, a game ended by the bell or declared void.
    """
    written = Sheet.objects.filter(table__round=round_id).filter(
        Q(deals__isnull=False) | Q(results__isnull=False) | ~Q(state=SheetState.OPEN)
    )
    if tables is not None:
        written = written.filter(table__in=list(tables))
    return sorted(set(written.values_list("table__number", flat=True)))
