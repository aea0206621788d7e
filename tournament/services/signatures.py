"""Ways to make a sheet official: signatures of the sides, a referee's confirmation; and to reopen
it.

The event's protocol decides: one side enters and the others sign the derived result, both sides
enter blind and sign an equal result, or a referee confirms. A signature is for the version of the
sheet that the signer saw; any change revokes it.
"""

from __future__ import annotations

import uuid
from typing import Annotated

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.errors import Conflict, NotAllowed, Refused
from ledger.verbs import Longest, Says, verb
from tournament.models.tables import (
    DealVersion,
    OfficialResult,
    Protocol,
    Series,
    Sheet,
    SheetState,
    Signature,
)
from tournament.queries.double_entry import phoneless
from tournament.queries.falls import Fate, fallen, of_sheet, what_falls
from tournament.services.notices import tell_result
from tournament.services.record import (
    drop_signatures,
    locked_sheet,
    make_official,
    require_may_write,
    touch,
    write_deal,
)
from tournament.services.sheets import refusal_to_correct
from tournament.signals import result_changed
from tournament.tables.score_sheet import ScoreSheet

audit.name_verbs(
    "sheet",
    disputed=_("Score sheet disputed"),
    reopened=_("Score sheet reopened"),
    replayed=_("Game annulled and played again"),
    signed=_("Score sheet signed by one side"),
)


def entrants_of(row: Sheet, side: str) -> set[str]:
    """Return the ids of the entrants who play for ``side`` (a side is named by its seats)."""
    return {str(entrant) for seat, entrant in row.seats.items() if seat in side}


def _require_side(sheet: ScoreSheet, side: str, actor: Actor) -> None:
    sides = sheet.sides
    if side not in sides:
        raise Refused(
            "unknown_side",
            _("Choose the side that signs: %(sides)s."),
            field="side",
            params={"sides": ", ".join(sides)},
        )
    if actor.kind == ActorKind.PLAYER and actor.id not in entrants_of(sheet.row, side):
        raise NotAllowed("not_your_side", _("You play for the other side: it signs for itself."))


@verb("sheets_sign", Sheet, "sheets.correct", at="signatures/", by_link=True)
def sign(
    *,
    sheet_id: uuid.UUID,
    side: str,
    version: int,
    actor: Actor,
    player: Annotated[str, Says("Who of that side takes the phone.")] = "",
) -> Sheet:
    """Sign the version that the side saw; the last signature makes the result official.

    A player may sign for their own side only. Signing twice changes nothing.
    """
    sheet = locked_sheet(sheet_id)
    row = sheet.row
    _require_side(sheet, side, actor)
    signer = Actor.player(player) if player else actor
    _require_side(sheet, side, signer)
    own_phone = row.protocol == Protocol.DOUBLE and side not in phoneless(sheet)
    require_may_write(row, actor, version, side=side if own_phone else "")
    if row.protocol == Protocol.REFEREE:
        raise Conflict("referee_confirms", _("In this event a referee confirms the result."))
    if not row.finished:
        raise Conflict("match_not_over", _("The match is not over yet: record the missing deals."))
    if row.state == SheetState.DISPUTED:
        if row.protocol == Protocol.DOUBLE:
            raise Conflict(
                "entries_differ", _("The two entries differ: settle the difference first.")
            )
        row.state = SheetState.OPEN
    if not row.signatures.filter(side=side, standing=True).exists():
        Signature.objects.create(
            sheet=row,
            side=side,
            sheet_version=row.version,
            signed_by=str(signer)[:80],
            signed_at=timezone.now(),
        )
        audit.append(
            row,
            "sheet.signed",
            actor,
            after={"side": side, "version": row.version, "by": str(signer)},
        )
    signed = set(row.signatures.filter(standing=True).values_list("side", flat=True))
    complete = signed >= set(sheet.sides)
    if complete:
        make_official(sheet, actor=actor, reason="")
    else:
        row.state = SheetState.CLAIMED
        row.save(update_fields=["state", "changed_at"])
    if complete:
        result_changed.send(sender=None, sheet=row)
    return row


@verb("sheets_dispute", Sheet, "sheets.correct", by_link=True)
def withdraw_signatures(
    *, sheet_id: uuid.UUID, version: int, actor: Actor, reason: str = ""
) -> Sheet:
    """Dispute the result of a side's sheet: the signatures are void, and the director sees the dispute."""
    sheet = locked_sheet(sheet_id)
    row = sheet.row
    if actor.kind == ActorKind.PLAYER and actor.id not in map(str, row.seats.values()):
        raise NotAllowed("not_your_table", _("You do not play at this table."))
    require_may_write(row, actor, version)
    drop_signatures(row)
    row.state = SheetState.DISPUTED
    row.version += 1
    row.save(update_fields=["state", "version", "changed_at"])
    audit.append(
        row, "sheet.disputed", actor, after={"version": row.version, "reason": reason[:300]}
    )
    return row


@verb(
    "sheets_confirm",
    Sheet,
    "sheets.correct",
    at="confirmation/",
    done=_("The result is confirmed."),
)
def confirm(*, sheet_id: uuid.UUID, version: int, actor: Actor, reason: str = "") -> Sheet:
    """Make the current result official, without the table's signatures."""
    sheet = locked_sheet(sheet_id)
    row = sheet.row
    require_may_write(row, actor, version)
    if not sheet.current():
        raise Conflict("nothing_entered", _("There is nothing to confirm: no deal was recorded."))
    row.finished = True
    make_official(sheet, actor=actor, reason=reason)
    result_changed.send(sender=None, sheet=row)
    return row


@verb(
    "sheets_reopen",
    Sheet,
    "sheets.correct",
    done=_("The sheet is open again: its result counts once both sides have signed."),
)
def reopen(*, sheet_id: uuid.UUID, actor: Actor, reason: str) -> Sheet:
    """Reopen a signed sheet; its result stops counting but stays readable.

    A match that the bell ended may go on; one that ended by its target stays over until a deal is
    corrected. A sheet with only points copied from paper becomes empty again. Refused whenever a
    correction of the score is.
    """
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason for reopening the sheet."), field="reason")
    sheet = locked_sheet(sheet_id)
    row = sheet.row
    if row.state != SheetState.OFFICIAL:
        return row
    if (refusal := refusal_to_correct(row, actor)) is not None:
        raise refusal
    _take_back(sheet)
    row.reopened = {}
    touch(sheet)
    audit.append(row, "sheet.reopened", actor, after={"version": row.version, "reason": reason})
    result_changed.send(sender=None, sheet=row)
    tell_result(row)
    return row


@verb(
    "sheets_replay",
    Sheet,
    "rounds.manage",
    done=_("The game is annulled: it is played again from the first deal."),
)
def replay(*, sheet_id: uuid.UUID, actor: Actor, reason: Annotated[str, Longest(300)]) -> Sheet:
    """Annul the deals of a game and have it played again; they stay readable, and count for nothing.

    Refused for a decided match, in a closed round, and while a ruling on one of its deals is in force.
    """
    if not reason.strip():
        raise Refused(
            "reason_missing", _("Give a reason for playing the game again."), field="reason"
        )
    sheet = locked_sheet(sheet_id)
    row, deals = sheet.row, sheet.current()
    if not deals and not row.totals:
        raise Conflict("nothing_entered", _("Nothing is recorded in this game yet."))
    if (refusal := refusal_to_correct(row, actor)) is not None:
        raise refusal
    falls = what_falls(of_sheet(row)) if row.table.round_id else []
    if prevented := [line for line in falls if line.fate is Fate.STOPS]:
        raise Conflict(
            "replay_prevented",
            _("%(fact)s: %(what)s"),
            params={"fact": prevented[0].text.rstrip("."), "what": prevented[0].then},
        )
    for deal in deals:
        if not deal.annulled:
            write_deal(
                sheet,
                series=Series.OFFICIAL,
                number=deal.number,
                entry={"dealer": deal.entry.get("dealer", row.first_dealer), "annulled": True},
                actor=actor,
                reason=reason,
            )
    _take_back(sheet)
    row.reopened = {"deals": [], "signed": len(deals), "locked": len(deals), "anew": True}
    touch(sheet)
    audit.append(
        row,
        "sheet.replayed",
        actor,
        after={"version": row.version, "reason": reason, "falls": fallen(falls)},
    )
    result_changed.send(sender=None, sheet=row)
    tell_result(row)
    return row


def _take_back(sheet: ScoreSheet) -> None:
    """Open a sheet again: no result, no signature, no end and no totals of before."""
    row = sheet.row
    OfficialResult.objects.filter(sheet=row, current=True).update(current=False)
    drop_signatures(row)
    row.state = SheetState.OPEN
    row.ended_by = ""
    row.bell_deals = None
    row.bell_at = None
    row.ended_early = False
    row.totals = {}


def reopen_for_deal(
    sheet: ScoreSheet, number: int, *, signed: list[DealVersion], actor: Actor, reason: str
) -> bool:
    """Take a signed sheet, locked, back into play for one deal that a ruling has annulled.

    Its result no longer counts until both sides have signed again; every other deal stays as it
    was signed. ``signed``: the deals that made the match as it was signed. Returns False where the
    match is over without that deal: the caller then makes its result official.
    """
    row = sheet.row
    deals = sheet.current()
    known = row.reopened
    if not known or known.get("anew"):
        known = {"deals": [], "signed": len(deals)}
    stood = {name: getattr(row, name) for name in ("reopened", "ended_by", "bell_deals")}
    again = {*known["deals"], *([number] if number <= known["signed"] else [])}
    row.reopened = {
        "deals": sorted(again),
        "signed": known["signed"],
        "locked": len(deals),
    }
    if not row.ended_by and not sheet.state(signed).finished:
        row.ended_by, row.bell_deals = "confirmed", len(signed)
    drop_signatures(row)
    row.state = SheetState.OPEN
    touch(sheet)
    if row.finished:
        for name, value in stood.items():
            setattr(row, name, value)
        return False
    OfficialResult.objects.filter(sheet=row, current=True).update(current=False)
    audit.append(
        row,
        "sheet.reopened",
        actor,
        after={"version": row.version, "reason": reason, "deal": number},
    )
    return True


def replay_too(row: Sheet, number: int) -> None:
    """Add another deal that a ruling annuls to a sheet reopened for one: it is replayed, too."""
    if row.reopened and number <= row.reopened["signed"]:
        again = {*row.reopened["deals"], number}
        row.reopened = {**row.reopened, "deals": sorted(again)}


def signed_again(sheet: ScoreSheet) -> bool:
    """Whether a reopened sheet holds again exactly the deals that its sides had signed."""
    row = sheet.row
    return (
        bool(row.reopened)
        and row.state in (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED)
        and row.finished
        and not sheet.to_replay()
        and all(deal.number <= row.reopened["locked"] for deal in sheet.counted())
    )
