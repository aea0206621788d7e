"""How a sheet becomes official: signatures of the sides, a referee's confirmation, and back.

The event's protocol decides: one side enters and the others sign the derived result, both sides
enter blind and sign what agrees, or a referee confirms. A signature is for the version of the
sheet that the signer saw; any change makes it fall.
"""

from __future__ import annotations

import uuid

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.change import change
from ledger.errors import Conflict, NotAllowed, Refused
from tournament.models.tables import (
    DealVersion,
    OfficialResult,
    Protocol,
    Sheet,
    SheetState,
    Signature,
)
from tournament.queries.deals import counted_deals, current_deals, to_replay
from tournament.queries.double_entry import phoneless
from tournament.services.notices import tell_result
from tournament.services.record import (
    check_version,
    drop_signatures,
    locked_sheet,
    make_official,
    require_open,
    touch,
)
from tournament.services.sheets import refusal_to_correct
from tournament.services.tables import require_writer
from tournament.signals import result_changed
from tournament.tables.rules import match_state, sides_of


def entrants_of(sheet: Sheet, side: str) -> set[str]:
    """Ids of the entrants who play for ``side`` (a side is named by its seats)."""
    return {str(entrant) for seat, entrant in sheet.seats.items() if seat in side}


def _require_side(sheet: Sheet, side: str, actor: Actor) -> None:
    sides = sides_of(sheet)
    if side not in sides:
        raise Refused(
            "unknown_side",
            _("Choose the side that signs: %(sides)s."),
            field="side",
            params={"sides": ", ".join(sides)},
        )
    if actor.kind == ActorKind.PLAYER and actor.id not in entrants_of(sheet, side):
        raise NotAllowed("not_your_side", _("You play for the other side: it signs for itself."))


@change()
def sign(
    *, sheet_id: uuid.UUID, side: str, version: int, actor: Actor, signed_by: str = ""
) -> Sheet:
    """One side signs the version it saw; the last signature makes the result official.

    A player may sign for their own side only. At the table ``signed_by`` names the player who takes
    the phone, as ``player:<entrant id>``; they must sit on that side. Signing twice changes nothing.
    """
    sheet = locked_sheet(sheet_id)
    _require_side(sheet, side, actor)
    own_phone = sheet.protocol == Protocol.DOUBLE and side not in phoneless(sheet.table, sheet)
    require_writer(sheet.table, actor, side=side if own_phone else "")
    if signed_by.startswith("player:"):
        _require_side(sheet, side, Actor.parse(signed_by))
    require_open(sheet)
    check_version(sheet, version)
    if sheet.protocol == Protocol.REFEREE:
        raise Conflict("referee_confirms", _("In this event a referee confirms the result."))
    if not sheet.finished:
        raise Conflict("match_not_over", _("The match is not over yet: record the missing deals."))
    if sheet.state == SheetState.DISPUTED:
        if sheet.protocol == Protocol.DOUBLE:
            raise Conflict(
                "entries_differ", _("The two entries differ: settle the difference first.")
            )
        sheet.state = SheetState.OPEN
    if not sheet.signatures.filter(side=side, standing=True).exists():
        Signature.objects.create(
            sheet=sheet,
            side=side,
            sheet_version=sheet.version,
            signed_by=(signed_by or str(actor))[:80],
            signed_at=timezone.now(),
        )
        audit.append(
            sheet,
            "sheet.signed",
            actor,
            after={"side": side, "version": sheet.version, "by": signed_by or str(actor)},
        )
    signed = set(sheet.signatures.filter(standing=True).values_list("side", flat=True))
    complete = signed >= set(sides_of(sheet))
    if complete:
        make_official(sheet, actor=actor, reason="")
    else:
        sheet.state = SheetState.CLAIMED
        sheet.save(update_fields=["state", "changed_at"])
    if complete:
        result_changed.send(sender=None, sheet=sheet)
    return sheet


@change()
def withdraw_signatures(
    *, sheet_id: uuid.UUID, version: int, actor: Actor, reason: str = ""
) -> Sheet:
    """A side does not agree: the signatures fall, and the sheet is shown to the director."""
    sheet = locked_sheet(sheet_id)
    if actor.kind == ActorKind.PLAYER and actor.id not in map(str, sheet.seats.values()):
        raise NotAllowed("not_your_table", _("You do not play at this table."))
    require_writer(sheet.table, actor)
    require_open(sheet)
    check_version(sheet, version)
    drop_signatures(sheet)
    sheet.state = SheetState.DISPUTED
    sheet.version += 1
    sheet.save(update_fields=["state", "version", "changed_at"])
    audit.append(
        sheet, "sheet.disputed", actor, after={"version": sheet.version, "reason": reason[:300]}
    )
    return sheet


@change()
def confirm(*, sheet_id: uuid.UUID, version: int, actor: Actor, reason: str = "") -> Sheet:
    """A referee or director makes the result official as it stands."""
    sheet = locked_sheet(sheet_id)
    check_version(sheet, version)
    require_open(sheet)
    if not current_deals(sheet):
        raise Conflict("nothing_entered", _("There is nothing to confirm: no deal was recorded."))
    sheet.finished = True
    make_official(sheet, actor=actor, reason=reason)
    result_changed.send(sender=None, sheet=sheet)
    return sheet


@change()
def reopen(*, sheet_id: uuid.UUID, actor: Actor, reason: str) -> Sheet:
    """Take a signed sheet back into play; its result no longer counts but stays readable.

    A match that the bell ended may go on; one that ended by its target stays over until a deal
    is corrected. One of which the points alone were copied from paper is empty again. Refused to whom
    and when a correction of the score is (:func:`tournament.services.sheets.refusal_to_correct`).
    """
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason for reopening the sheet."), field="reason")
    sheet = locked_sheet(sheet_id)
    if sheet.state != SheetState.OFFICIAL:
        return sheet
    if (refusal := refusal_to_correct(sheet, actor)) is not None:
        raise refusal
    OfficialResult.objects.filter(sheet=sheet, current=True).update(current=False)
    drop_signatures(sheet)
    sheet.state = SheetState.OPEN
    sheet.ended_by = ""
    sheet.bell_deals = None
    sheet.bell_at = None
    sheet.ended_early = False
    sheet.reopened = {}
    sheet.totals = {}
    touch(sheet)
    audit.append(sheet, "sheet.reopened", actor, after={"version": sheet.version, "reason": reason})
    result_changed.send(sender=None, sheet=sheet)
    tell_result(sheet)
    return sheet


def reopen_for_deal(
    sheet: Sheet, number: int, *, signed: list[DealVersion], actor: Actor, reason: str
) -> bool:
    """Take a signed sheet, locked, back into play for one deal that a ruling has annulled.

    Its result no longer counts until both sides have signed again; every other deal stays as it
    was signed. ``signed``: the deals that made the match as it was signed. Returns False where the
    match is over without that deal: the caller then makes its result official.
    """
    deals = current_deals(sheet)
    known = sheet.reopened or {"deals": [], "signed": len(deals)}
    stood = {name: getattr(sheet, name) for name in ("reopened", "ended_by", "bell_deals")}
    again = {*known["deals"], *([number] if number <= known["signed"] else [])}
    sheet.reopened = {
        "deals": sorted(again),
        "signed": known["signed"],
        "locked": len(deals),
    }
    if not sheet.ended_by and not match_state(sheet, signed).finished:
        sheet.ended_by, sheet.bell_deals = "confirmed", len(signed)
    drop_signatures(sheet)
    sheet.state = SheetState.OPEN
    touch(sheet)
    if sheet.finished:
        for name, value in stood.items():
            setattr(sheet, name, value)
        return False
    OfficialResult.objects.filter(sheet=sheet, current=True).update(current=False)
    audit.append(
        sheet,
        "sheet.reopened",
        actor,
        after={"version": sheet.version, "reason": reason, "deal": number},
    )
    return True


def replay_too(sheet: Sheet, number: int) -> None:
    """A ruling annuls another deal of a sheet that is reopened for one: that is played again, too."""
    if sheet.reopened and number <= sheet.reopened["signed"]:
        again = {*sheet.reopened["deals"], number}
        sheet.reopened = {**sheet.reopened, "deals": sorted(again)}


def signed_again(sheet: Sheet) -> bool:
    """Whether a reopened sheet holds again exactly the deals that its sides had signed."""
    return (
        bool(sheet.reopened)
        and sheet.state in (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED)
        and sheet.finished
        and not to_replay(sheet)
        and all(deal.number <= sheet.reopened["locked"] for deal in counted_deals(sheet))
    )
