"""A deal as rulings leave it: its entry and its infractions written in one version.

The only function through which rulings change a deal that the table has not entered, or whose entry
they replace. The content follows from the rulings in force alone, so writing again without one of
them restores exactly the former deal.
"""

from __future__ import annotations

import uuid

from django.utils.translation import gettext_lazy as _

from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, Refused
from scoring.engine.shapes import EntryJson, InfractionJson
from tournament.models.tables import DealVersion, Series, SheetState
from tournament.services.record import locked_sheet, make_official, touch, write_deal
from tournament.services.signatures import reopen_for_deal, replay_too, signed_again
from tournament.signals import result_changed
from tournament.tables.score_sheet import counts


@change()
def rule_deal(
    *,
    sheet_id: uuid.UUID,
    number: int,
    entry: EntryJson,
    infractions: list[InfractionJson],
    actor: Actor,
    reason: str,
    again: bool = False,
) -> DealVersion:
    """Write deal ``number`` with ``entry`` and ``infractions``, superseding what stood there.

    ``number`` is a deal of the sheet or the next one. A signed sheet gets a new official result at
    once; but where the deal is annulled, is to be played ``again`` and the table is still open, the
    sheet is reopened for that deal and has to be signed again (C.8). A sheet reopened so is
    official again once its deals are those that were signed. Raises :class:`Refused` ``no_such_deal`` and the engine's errors for an entry that the
    rules do not know.
    """
    sheet = locked_sheet(sheet_id)
    row, count = sheet.row, len(sheet.current())
    if not 1 <= number <= count + 1:
        raise Refused("no_such_deal", _("The sheet has no such deal."), field="number")
    if number == count + 1 and row.finished:
        raise Conflict("match_over", _("The game is over: no more deals can be recorded."))
    was_official = row.state == SheetState.OFFICIAL
    signed = sheet.counted() if was_official else []
    deal = write_deal(
        sheet,
        series=Series.OFFICIAL,
        number=number,
        entry=entry,
        infractions=infractions,
        actor=actor,
        reason=reason,
    )
    replayed = again and row.table.open and not counts(deal)
    reopened = (
        replayed
        and was_official
        and reopen_for_deal(sheet, number, signed=signed, actor=actor, reason=reason)
    )
    if replayed and not was_official:
        replay_too(row, number)
    if not reopened:
        touch(sheet)
    official = not reopened if was_official else signed_again(sheet)
    if official:
        make_official(sheet, actor=actor, reason=reason)
    if was_official or official:
        result_changed.send(sender=None, sheet=row)
    return deal
