"""What every verb on a score sheet shares: the lock, the checks, versions of deals, the result.

Lock order: sheet, then its table, then the audit head: both of the first by :func:`locked_sheet`. Rooms above are told through the hooks
below, inside the transaction: a result and the mark that standings are out of date are committed
together. What is official is appended here and nowhere else: one current version of a deal, one
current result of a match, both also held by constraints of the database.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, NotHere
from scoring.models import DealVersion, OfficialResult, ScoringTable, Series, Sheet, SheetState
from scoring.rules import (
    by_player,
    counts,
    game_of,
    marks_by_deal,
    match_state,
    score_entry,
    sides_of,
    totals,
)

Hook = Callable[[Sheet], None]
_result_hooks: list[Hook] = []
_change_hooks: list[Hook] = []
DealHook = Callable[[Sheet, DealVersion, DealVersion | None], None]
_deal_hooks: list[DealHook] = []


def on_result(hook: Hook) -> Hook:
    """Call ``hook(sheet)``, in the transaction, when a result is made or unmade."""
    _result_hooks.append(hook)
    return hook


def on_change(hook: Hook) -> Hook:
    """Call ``hook(sheet)``, in the transaction, at any change to a sheet."""
    _change_hooks.append(hook)
    return hook


def on_deal(hook: DealHook) -> DealHook:
    """Call ``hook(sheet, deal, former version)``, in the transaction, when a deal is written."""
    _deal_hooks.append(hook)
    return hook


def announce(sheet: Sheet, *, result: bool) -> None:
    """Tell the rooms above."""
    for hook in (*_change_hooks, *(_result_hooks if result else ())):
        hook(sheet)


def locked_sheet(sheet_id: uuid.UUID) -> Sheet:
    """The sheet and its table, locked until the end of the transaction.

    :class:`NotHere` once it was withdrawn.
    """
    found = Sheet.objects.select_for_update(of=("self", "table"), no_key=True).select_related(
        "table"
    )
    try:
        return found.get(pk=sheet_id)
    except Sheet.DoesNotExist as error:
        raise NotHere(
            "sheet_withdrawn",
            _("The draw of this round was withdrawn, and its sheets with it. Nothing was written."),
        ) from error


def current_deals(sheet: Sheet, series: str = Series.OFFICIAL) -> list[DealVersion]:
    """The current versions of the sheet's deals, in order."""
    return list(sheet.deals.filter(series=series, current=True).order_by("number"))


def series_deals(sheet: Sheet, series: str) -> list[DealVersion]:
    """The deals as whoever writes ``series`` knows them.

    A player's series in blind double entry may lack deals that others have agreed upon: those are
    the official ones, unless the player has written something newer.
    """
    deals = {deal.number: deal for deal in current_deals(sheet, series)}
    if series != Series.OFFICIAL and by_player(sheet):
        for deal in current_deals(sheet):
            own = deals.get(deal.number)
            if own is None or own.pk < deal.pk:
                deals[deal.number] = deal
    return [deals[number] for number in sorted(deals)]


def counted_deals(sheet: Sheet) -> list[DealVersion]:
    """The current deals that make the match: those that count, up to its end."""
    deals = _deals_of_match(sheet)
    return deals[: match_state(sheet, deals)[1]]


def _deals_of_match(sheet: Sheet) -> list[DealVersion]:
    """The deals that count.

    Of a match that the bell ended, deals played again after the signatures count only in the place
    of deals that are annulled.
    """
    deals = [deal for deal in current_deals(sheet) if counts(deal)]
    if not sheet.reopened or sheet.bell_deals is None or len(deals) <= sheet.bell_deals:
        return deals
    first = deals[: sheet.bell_deals]
    if tie_is_played_on(sheet) and len(leaders(totals(sheet, first), sides_of(sheet))) > 1:
        return deals
    return first


def to_replay(sheet: Sheet, deals: list[DealVersion] | None = None) -> list[DealVersion]:
    """The annulled deals of a reopened sheet that have still to be played again, in order.

    ``deals``: the deals of one side's series, in blind double entry.
    """
    if not sheet.reopened or sheet.state in (SheetState.OFFICIAL, SheetState.VOID):
        return []
    official = current_deals(sheet)
    annulled = [
        deal for deal in official if deal.number in sheet.reopened["deals"] and not counts(deal)
    ]
    since = [
        deal
        for deal in (official if deals is None else deals)
        if deal.number > sheet.reopened["signed"] and counts(deal)
    ]
    return annulled[len(since) :]


def check_version(sheet: Sheet, version: int | None) -> None:
    """Refuse a caller whose view of the sheet is out of date."""
    if version is not None and version != sheet.version:
        raise Conflict(
            "sheet_changed",
            _("The sheet was changed meanwhile. Look at it again, then repeat your entry."),
        )


def require_open(sheet: Sheet) -> None:
    """Refuse to change a signed or void sheet."""
    if sheet.state in (SheetState.OFFICIAL, SheetState.VOID):
        raise Conflict(
            "sheet_signed",
            _("This sheet is signed. Only a referee or the director can change it now."),
        )


def require_not_locked(sheet: Sheet, number: int) -> None:
    """Refuse a table that would change a deal signed before a ruling reopened the sheet."""
    if sheet.reopened and number <= sheet.reopened["locked"]:
        raise Conflict(
            "deal_signed",
            _("This deal is signed. Only a referee or the director can change it now."),
        )


def tie_is_played_on(sheet: Sheet) -> bool:
    """Whether the event's rule settles a tie by more deals (Q-GEN-8) instead of a draw."""
    return game_of(sheet).options.get("tied_match") == "EXTRA_DEALS"


def extra_deals(sheet: Sheet) -> int:
    """How many more deals settle a tie: two between pairs, one for each player elsewhere."""
    sides = sides_of(sheet)
    return 2 if len(sides) == 2 else len(sides)


def leaders(marks: dict[str, int], sides: tuple[str, ...]) -> list[str]:
    """Who has most marks."""
    best = max((marks.get(side, 0) for side in sides), default=0)
    return [side for side in sides if marks.get(side, 0) == best]


def _over_after_bell(sheet: Sheet, marks: dict[str, int], counted: int) -> bool:
    """A match that the bell ended stays ended, unless its tie or an annulled deal is played on."""
    if not sheet.ended_by or sheet.bell_deals is None:
        return False
    if counted < sheet.bell_deals and to_replay(sheet):
        return False
    if not tie_is_played_on(sheet) or len(leaders(marks, sides_of(sheet))) == 1:
        extra = counted - sheet.bell_deals
        return extra <= 0 or extra % extra_deals(sheet) == 0
    return False


def touch(sheet: Sheet) -> None:
    """A new version: recompute where the match stands, let old signatures fall."""
    deals = _deals_of_match(sheet)
    state, counted = match_state(sheet, deals)
    marks = state["marks"]
    sheet.score = {
        "marks": marks,
        "game_score": state["score"],
        "games": state["games"],
        "winner": state["winner"],
        "deals": counted,
        "deals_left": state["deals_left"],
        "events": state["events"],
    }
    sheet.finished = bool(state["finished"]) or _over_after_bell(sheet, marks, counted)
    sheet.version += 1
    if sheet.state in (SheetState.CLAIMED, SheetState.DISPUTED):
        sheet.state = SheetState.OPEN
    sheet.likeness = likeness(deals)
    sheet.signatures.filter(standing=True).update(standing=False)
    sheet.save()
    ScoringTable.objects.filter(pk=sheet.table_id).update(last_activity_at=timezone.now())


def likeness(deals: list[DealVersion]) -> str:
    """A hash of what was entered, without who sat where; empty below three deals."""
    if len(deals) < 3:
        return ""
    told = [
        [
            (deal.entry.get("contract") or {}).get("trump"),
            (deal.entry.get("contract") or {}).get("doubling", 0),
            sorted((deal.entry.get("points") or {}).items()),
            sorted(deal.marks.items()),
        ]
        for deal in deals
    ]
    return hashlib.sha256(audit.canonical_json(told).encode()).hexdigest()


def write_deal(
    sheet: Sheet,
    *,
    series: str,
    number: int,
    entry: dict[str, Any],
    infractions: list[dict[str, Any]],
    actor: Actor,
    reason: str = "",
    doubts: list[str] | None = None,
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
        doubts=doubts or [], annulled=bool(entry.get("annulled")), reason=reason[:300],
        entered_by=str(actor), entered_at=timezone.now(),
    )  # fmt: skip
    audit.append(
        scope=sheet.scope, actor=actor,
        verb="deal.corrected" if before else "deal.entered", subject=deal,
        before=_deal_record(before) if before else None, after=_deal_record(deal),
    )  # fmt: skip
    for hook in _deal_hooks:
        hook(sheet, deal, before)
    return deal


def _deal_record(deal: DealVersion) -> dict[str, Any]:
    return {
        "sheet": str(deal.sheet_id), "series": deal.series, "number": deal.number,
        "version": deal.version, "entry": deal.entry, "infractions": deal.infractions,
        "marks": deal.marks, "reason": deal.reason, "entered_at": deal.entered_at.isoformat(),
    }  # fmt: skip


def result_of(sheet: Sheet) -> dict[str, Any]:
    """What the sheet's deals amount to: marks, games, winner, number of deals, best deal a side.

    The marks are those of the games, a générale included with what it was worth there.
    """
    deals = counted_deals(sheet)
    return _result(sheet, deals, marks_by_deal(sheet, deals))


def results_in_edition_1(sheet: Sheet) -> list[dict[str, Any]]:
    """The same as it was added up before: every deal whole, and a générale as nothing.

    A match that lacked a deal which a ruling had annulled was drawn: the second. What was signed so
    stands as it was signed; only a replay asks for it.
    """
    deals = counted_deals(sheet)
    by_deal = [deal.marks for deal in deals]
    return [_result(sheet, deals, by_deal), _result(sheet, deals, by_deal, finished=False)]


def _result(
    sheet: Sheet,
    deals: list[DealVersion],
    by_deal: list[dict[str, int]],
    *,
    finished: bool = True,
) -> dict[str, Any]:
    sides = sides_of(sheet)
    marks = {side: sum(each.get(side, 0) for each in by_deal) for side in sides}
    winner = sheet.score.get("winner")
    if winner is None and sheet.finished and finished:
        first = leaders(marks, sides)
        winner = first[0] if len(first) == 1 else None
    return {
        "marks": marks,
        "games": sheet.score.get("games", {}),
        "winner": winner,
        "deals": len(deals),
        "best_deal": {
            side: max((each.get(side, 0) for each in by_deal), default=0) for side in sides
        },
        "penalties": {
            side: sum(1 for deal in deals for item in deal.infractions if item.get("side") == side)
            for side in sides
        },
    }


def make_official(sheet: Sheet, *, actor: Actor, reason: str) -> OfficialResult:
    """Supersede the current result, if any; the database admits one current result per sheet."""
    OfficialResult.objects.filter(sheet=sheet, current=True).update(current=False)
    # The match is over with the deals that stand, however many the rules foresee: who leads has won.
    sheet.finished = True
    last = sheet.results.order_by("-number").first()
    result = OfficialResult.objects.create(
        sheet=sheet, number=last.number + 1 if last else 1, sheet_version=sheet.version,
        result=result_of(sheet), reason=reason[:300], made_by=str(actor), made_at=timezone.now(),
    )  # fmt: skip
    sheet.state = SheetState.OFFICIAL
    sheet.save()
    audit.append(
        scope=sheet.scope, actor=actor, verb="sheet.official", subject=sheet,
        after={
            "version": sheet.version, "result": result.result, "number": result.number,
            "reason": reason,
        },
    )  # fmt: skip
    return result
