"""Writing on a score sheet: enter, correct, sign, settle. Every verb locks the sheet first.

Lock order: sheet, then its table, then the audit head. A caller states the ``version`` of the
sheet that he saw; a sheet that moved on refuses him (:class:`Conflict` ``sheet_changed``) instead
of overwriting. Rooms above are told through the hooks below, inside the transaction: a result
and the mark that standings are out of date are committed together.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from scoring.models import (
    DealVersion,
    OfficialResult,
    Protocol,
    ScoringTable,
    Series,
    Sheet,
    SheetState,
    Signature,
)
from scoring.rules import match_state, score_entry, totals

from .tables import require_pen

Hook = Callable[[Sheet], None]
_result_hooks: list[Hook] = []
_change_hooks: list[Hook] = []


def on_result(hook: Hook) -> Hook:
    """Call ``hook(sheet)``, in the transaction, when a result is made or unmade."""
    _result_hooks.append(hook)
    return hook


def on_change(hook: Hook) -> Hook:
    """Call ``hook(sheet)``, in the transaction, at any change to a sheet."""
    _change_hooks.append(hook)
    return hook


def _announce(sheet: Sheet, *, result: bool) -> None:
    for hook in (*_change_hooks, *(_result_hooks if result else ())):
        hook(sheet)


def open_sheet(
    *,
    table: ScoringTable,
    order: int,
    rulebook: str,
    edition: str,
    options: dict[str, Any],
    seats: dict[str, int],
    first_dealer: str,
    protocol: str,
    depth: str = "points",
) -> Sheet:
    """Lay an empty sheet on a table; ``seats`` maps each seat to its entrant's id."""
    return Sheet.objects.create(
        scope=table.scope, table=table, order=order, rulebook=rulebook, edition=edition,
        options=options, seats=seats, first_dealer=first_dealer, protocol=protocol, depth=depth,
    )  # fmt: skip


def locked_sheet(sheet_id: uuid.UUID) -> Sheet:
    """The sheet, locked until the end of the transaction."""
    return Sheet.objects.select_for_update(of=("self",)).select_related("table").get(pk=sheet_id)


def current_deals(sheet: Sheet, series: str = Series.OFFICIAL) -> list[DealVersion]:
    """The current versions of the sheet's deals, in order."""
    return list(sheet.deals.filter(series=series, current=True).order_by("number"))


def _check_version(sheet: Sheet, version: int | None) -> None:
    if version is not None and version != sheet.version:
        raise Conflict(
            "sheet_changed",
            _("The sheet was changed meanwhile. Look at it again, then repeat your entry."),
        )


def _require_open(sheet: Sheet) -> None:
    if sheet.state in (SheetState.OFFICIAL, SheetState.VOID):
        raise Conflict(
            "sheet_signed",
            _("This sheet is signed. Only a referee or the director can change it now."),
        )


def _touch(sheet: Sheet) -> None:
    """A new version: recompute where the match stands, let old signatures fall."""
    deals = [deal for deal in current_deals(sheet) if not deal.entry.get("annulled")]
    state = match_state(sheet, deals)
    sheet.score = {
        "marks": totals(deals),
        "game_score": state["score"],
        "games": state["games"],
        "winner": state["winner"],
        "deals": len(deals),
    }
    sheet.finished = bool(state["finished"])
    sheet.version += 1
    if sheet.state in (SheetState.CLAIMED, SheetState.DISPUTED):
        sheet.state = SheetState.OPEN
    sheet.signatures.filter(standing=True).update(standing=False)
    sheet.save()
    ScoringTable.objects.filter(pk=sheet.table_id).update(last_activity_at=timezone.now())


def _write_deal(
    sheet: Sheet,
    *,
    series: str,
    number: int,
    entry: dict[str, Any],
    infractions: list[dict[str, Any]],
    actor: Actor,
    reason: str = "",
) -> DealVersion:
    """Append a version of a deal and supersede the current one, if any."""
    scored = score_entry(sheet, entry, infractions)
    before = sheet.deals.filter(series=series, number=number, current=True).first()
    if before is not None:
        before.current = False
        before.save(update_fields=["current"])
    last = sheet.deals.filter(series=series, number=number).order_by("-version").first()
    deal = DealVersion.objects.create(
        sheet=sheet, series=series, number=number, version=last.version + 1 if last else 1,
        entry=entry, infractions=infractions, marks=scored.marks, lines=scored.lines,
        void=scored.void, game_won=scored.game_won or "", flagged=scored.violations,
        annulled=bool(entry.get("annulled")), reason=reason[:300], entered_by=str(actor),
        entered_at=timezone.now(),
    )  # fmt: skip
    audit.append(
        scope=sheet.scope, actor=actor,
        verb="deal.corrected" if before else "deal.entered", subject=deal,
        before=_deal_record(before) if before else None, after=_deal_record(deal),
    )  # fmt: skip
    return deal


def _deal_record(deal: DealVersion) -> dict[str, Any]:
    return {
        "sheet": str(deal.sheet_id), "series": deal.series, "number": deal.number,
        "version": deal.version, "entry": deal.entry, "infractions": deal.infractions,
        "marks": deal.marks, "reason": deal.reason, "entered_at": deal.entered_at.isoformat(),
    }  # fmt: skip


@transaction.atomic
def enter_deal(
    *,
    sheet_id: uuid.UUID,
    entry: dict[str, Any],
    actor: Actor,
    number: int | None = None,
    series: str = Series.OFFICIAL,
    version: int | None = None,
) -> DealVersion:
    """Enter the next deal of a sheet.

    ``number`` may be stated (it must then be the next one). Raises :class:`Conflict` for a signed
    or finished sheet, a lost pen or a changed sheet, and the engine's errors for a deal that the
    rules do not know.
    """
    sheet = locked_sheet(sheet_id)
    require_pen(sheet.table, actor)
    _check_version(sheet, version)
    _require_open(sheet)
    following = sheet.deals.filter(series=series, current=True).count() + 1
    if number is not None and number != following:
        raise Conflict(
            "not_the_next_deal",
            _("Deal %(next)d is the next one to enter. Look at the sheet again."),
            params={"next": following},
        )
    if sheet.finished and series == Series.OFFICIAL:
        raise Conflict("match_over", _("The match is over: no more deals can be entered."))
    deal = _write_deal(
        sheet, series=series, number=following, entry=entry, infractions=[], actor=actor
    )
    _touch(sheet)
    _announce(sheet, result=False)
    return deal


@transaction.atomic
def correct_deal(
    *,
    sheet_id: uuid.UUID,
    number: int,
    entry: dict[str, Any],
    actor: Actor,
    reason: str,
    series: str = Series.OFFICIAL,
    version: int | None = None,
    official: bool = False,
) -> DealVersion:
    """Supersede a deal, with a reason. ``official`` (referee, director) also reaches signed sheets.

    A corrected signed sheet gets a new official result at once; the old one stays readable.
    """
    if not reason.strip():
        raise Refused("reason_missing", _("Say why the deal is corrected."), field="reason")
    sheet = locked_sheet(sheet_id)
    require_pen(sheet.table, actor)
    _check_version(sheet, version)
    if not official:
        _require_open(sheet)
    current = sheet.deals.filter(series=series, number=number, current=True).first()
    if current is None:
        raise Refused("no_such_deal", _("The sheet has no such deal."), field="number")
    was_official = sheet.state == SheetState.OFFICIAL
    deal = _write_deal(
        sheet, series=series, number=number, entry=entry, infractions=current.infractions,
        actor=actor, reason=reason,
    )  # fmt: skip
    _after_change(sheet, was_official=was_official, actor=actor, reason=reason)
    return deal


@transaction.atomic
def set_infractions(
    *,
    sheet_id: uuid.UUID,
    number: int,
    infractions: list[dict[str, Any]],
    actor: Actor,
    reason: str,
) -> DealVersion:
    """Set the infractions ruled upon in a deal; the deal's marks follow from the engine.

    This is the door by which a ruling reaches a deal, and by which its annulment takes the effect
    back exactly: the entry itself stays as the table made it.
    """
    sheet = locked_sheet(sheet_id)
    current = sheet.deals.filter(series=Series.OFFICIAL, number=number, current=True).first()
    if current is None:
        raise Refused("no_such_deal", _("The sheet has no such deal."), field="number")
    was_official = sheet.state == SheetState.OFFICIAL
    deal = _write_deal(
        sheet, series=Series.OFFICIAL, number=number, entry=current.entry,
        infractions=infractions, actor=actor, reason=reason,
    )  # fmt: skip
    _after_change(sheet, was_official=was_official, actor=actor, reason=reason)
    return deal


def _after_change(sheet: Sheet, *, was_official: bool, actor: Actor, reason: str) -> None:
    _touch(sheet)
    if was_official:
        _make_official(sheet, actor=actor, reason=reason)
    _announce(sheet, result=was_official)


@transaction.atomic
def end_by_bell(*, sheet_id: uuid.UUID, actor: Actor) -> Sheet:
    """Close the match at the bell with the deals that were played."""
    sheet = locked_sheet(sheet_id)
    require_pen(sheet.table, actor)
    _require_open(sheet)
    if not sheet.finished:
        sheet.finished = True
        sheet.ended_by = "bell"
        sheet.version += 1
        sheet.save(update_fields=["finished", "ended_by", "version", "changed_at"])
        audit.append(
            scope=sheet.scope, actor=actor, verb="sheet.ended_by_bell", subject=sheet,
            after={"deals": sheet.score.get("deals", 0)},
        )  # fmt: skip
        _announce(sheet, result=False)
    return sheet


@transaction.atomic
def sign(
    *, sheet_id: uuid.UUID, side: str, version: int, actor: Actor, signed_by: str = ""
) -> Sheet:
    """One side signs the version it saw; the second signature makes the result official.

    ``signed_by`` names who signed where the writing device is not the signer (a player's badge).
    """
    sheet = locked_sheet(sheet_id)
    require_pen(sheet.table, actor)
    if side not in ("NS", "EW"):
        raise Refused("unknown_side", _("Sign for North-South or for East-West."), field="side")
    _require_open(sheet)
    _check_version(sheet, version)
    if sheet.protocol == Protocol.REFEREE:
        raise Conflict("referee_confirms", _("In this event a referee confirms the result."))
    if not sheet.finished:
        raise Conflict("match_not_over", _("The match is not over yet: enter the missing deals."))
    if sheet.protocol == Protocol.DOUBLE and sheet.state == SheetState.DISPUTED:
        raise Conflict("entries_differ", _("The two entries differ: settle the difference first."))
    if not sheet.signatures.filter(side=side, standing=True).exists():
        Signature.objects.create(
            sheet=sheet, side=side, sheet_version=sheet.version,
            signed_by=signed_by or str(actor), signed_at=timezone.now(),
        )  # fmt: skip
        audit.append(
            scope=sheet.scope, actor=actor, verb="sheet.signed", subject=sheet,
            after={"side": side, "version": sheet.version, "by": signed_by or str(actor)},
        )  # fmt: skip
    both = sheet.signatures.filter(standing=True).count() == 2
    if both:
        _make_official(sheet, actor=actor, reason="")
    else:
        sheet.state = SheetState.CLAIMED
        sheet.save(update_fields=["state", "changed_at"])
    _announce(sheet, result=both)
    return sheet


@transaction.atomic
def withdraw_signatures(*, sheet_id: uuid.UUID, version: int, actor: Actor) -> Sheet:
    """The other side does not agree: the signatures fall and the sheet is in play again."""
    sheet = locked_sheet(sheet_id)
    require_pen(sheet.table, actor)
    _require_open(sheet)
    _check_version(sheet, version)
    sheet.signatures.filter(standing=True).update(standing=False)
    sheet.state = SheetState.DISPUTED
    sheet.version += 1
    sheet.save(update_fields=["state", "version", "changed_at"])
    audit.append(scope=sheet.scope, actor=actor, verb="sheet.disputed", subject=sheet)
    _announce(sheet, result=False)
    return sheet


@transaction.atomic
def confirm(*, sheet_id: uuid.UUID, version: int, actor: Actor, reason: str = "") -> Sheet:
    """A referee or director makes the result official as it stands."""
    sheet = locked_sheet(sheet_id)
    _check_version(sheet, version)
    _require_open(sheet)
    if not current_deals(sheet):
        raise Conflict("nothing_entered", _("There is nothing to confirm: no deal was entered."))
    sheet.finished = True
    _make_official(sheet, actor=actor, reason=reason)
    _announce(sheet, result=True)
    return sheet


@transaction.atomic
def reopen(*, sheet_id: uuid.UUID, actor: Actor, reason: str) -> Sheet:
    """Take a signed sheet back into play; its result no longer counts but stays readable."""
    if not reason.strip():
        raise Refused("reason_missing", _("Say why the sheet is reopened."), field="reason")
    sheet = locked_sheet(sheet_id)
    if sheet.state != SheetState.OFFICIAL:
        return sheet
    OfficialResult.objects.filter(sheet=sheet, current=True).update(current=False)
    sheet.signatures.filter(standing=True).update(standing=False)
    sheet.state = SheetState.OPEN
    sheet.version += 1
    if sheet.ended_by == "bell":
        sheet.ended_by = ""
    sheet.save()
    audit.append(
        scope=sheet.scope, actor=actor, verb="sheet.reopened", subject=sheet,
        after={"version": sheet.version, "reason": reason},
    )  # fmt: skip
    _announce(sheet, result=True)
    return sheet


def result_of(sheet: Sheet) -> dict[str, Any]:
    """What the sheet's deals amount to: marks, games, winner, number of deals, best deal a side."""
    deals = [deal for deal in current_deals(sheet) if not deal.entry.get("annulled")]
    sides = ("NS", "EW")
    marks = totals(deals)
    best = {side: max((deal.marks.get(side, 0) for deal in deals), default=0) for side in sides}
    winner = sheet.score.get("winner")
    if winner is None and sheet.finished:
        difference = marks.get("NS", 0) - marks.get("EW", 0)
        winner = "NS" if difference > 0 else "EW" if difference < 0 else None
    return {
        "marks": {side: marks.get(side, 0) for side in sides},
        "games": sheet.score.get("games", {}),
        "winner": winner,
        "deals": len(deals),
        "best_deal": best,
        "penalties": {
            side: sum(1 for deal in deals for item in deal.infractions if item.get("side") == side)
            for side in sides
        },
    }


def _make_official(sheet: Sheet, *, actor: Actor, reason: str) -> OfficialResult:
    """Supersede the current result, if any; the database admits one current result per sheet."""
    OfficialResult.objects.filter(sheet=sheet, current=True).update(current=False)
    last = sheet.results.order_by("-number").first()
    result = OfficialResult.objects.create(
        sheet=sheet, number=last.number + 1 if last else 1, sheet_version=sheet.version,
        result=result_of(sheet), reason=reason[:300], made_by=str(actor), made_at=timezone.now(),
    )  # fmt: skip
    sheet.state = SheetState.OFFICIAL
    sheet.finished = True
    sheet.save()
    audit.append(
        scope=sheet.scope, actor=actor, verb="sheet.official", subject=sheet,
        after={
            "version": sheet.version, "result": result.result, "number": result.number,
            "reason": reason,
        },
    )  # fmt: skip
    return result
