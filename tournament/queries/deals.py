"""The deals of a sheet as they stand: which count, which is next, what they amount to."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

from ledger.canonical import canonical_json
from ledger.change import open_change
from tournament.models.tables import DealVersion, Result, Series, Sheet, SheetScore, SheetState
from tournament.tables.rules import (
    by_player,
    counts,
    game_of,
    marks_by_deal,
    match_state,
    redealt,
    sides_of,
    totals,
)

UNDO_BELL = timedelta(minutes=1)
"""How long a table may take back that the bell ended its game."""


def deal_versions(sheet: Sheet) -> list[DealVersion]:
    """Every version of the sheet's deals, by number; read once while the sheet is locked."""
    opened = open_change()
    known: list[DealVersion] | None = opened.locked.get(("deals", sheet.pk)) if opened else None
    return list(sheet.deals.order_by("number", "version")) if known is None else known


def current_deals(sheet: Sheet, series: str = Series.OFFICIAL) -> list[DealVersion]:
    """The current versions of the sheet's deals, in order."""
    deals = (deal for deal in deal_versions(sheet) if deal.series == series and deal.current)
    return sorted(deals, key=lambda deal: deal.number)


def series_deals(sheet: Sheet, series: str) -> list[DealVersion]:
    """The deals as anyone who writes ``series`` knows them.

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
    deals = deals_of_match(sheet)
    return deals[: match_state(sheet, deals).deals_played]


def deals_of_match(sheet: Sheet) -> list[DealVersion]:
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


def likeness(deals: list[DealVersion]) -> str:
    """A hash of what was entered, without who sat where; empty below three deals."""
    if len(deals) < 3:
        return ""
    content = [
        [
            (deal.entry.get("contract") or {}).get("trump"),
            (deal.entry.get("contract") or {}).get("doubling", 0),
            sorted((deal.entry.get("points") or {}).items()),
            sorted(deal.marks.items()),
        ]
        for deal in deals
    ]
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def result_of(sheet: Sheet) -> Result:
    """What the sheet's deals amount to: marks, games, winner, number of deals, best deal a side.

    The marks are those of the games, a générale included with what it was worth there. Where the
    points of the game alone were copied from paper, nothing is said of its deals.
    """
    if sheet.totals:
        score = score_of_totals(sheet)
        return {
            "marks": score["marks"],
            "games": score["games"],
            "winner": score["winner"],
            "deals": score["deals"],
        }
    deals = counted_deals(sheet)
    return _result(sheet, deals, marks_by_deal(sheet, deals))


def results_in_edition_1(sheet: Sheet) -> list[Result]:
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
) -> Result:
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


def score_of_totals(sheet: Sheet) -> SheetScore:
    """Where a match stands by the points of its sides alone: it is over, and who leads has won."""
    sides, target = sides_of(sheet), game_of(sheet).options["target"]
    by_deals = isinstance(target, Mapping)
    first = leaders(sheet.totals, sides)
    winner = first[0] if len(first) == 1 else None
    return {
        "marks": sheet.totals,
        "game_score": sheet.totals,
        "games": {side: int(not by_deals and side == winner) for side in sides},
        "winner": winner,
        "deals": int(target["deals"]) if isinstance(target, Mapping) else 0,
        "deals_left": 0 if by_deals else None,
        "events": [],
    }


def next_number(sheet: Sheet, series: str = Series.OFFICIAL) -> int:
    """The number of the next deal to enter."""
    return len(series_deals(sheet, series)) + 1


def next_dealer(sheet: Sheet, deals: list[DealVersion]) -> str:
    """Who deals after ``deals``: the next player, or the same one who must deal again.

    On a sheet reopened by a ruling it is who dealt the annulled deal; after that the order goes on
    where it was.
    """
    if not deals:
        return sheet.first_dealer
    game = game_of(sheet)
    if sheet.reopened and deals[-1].number >= sheet.reopened["signed"]:
        again = to_replay(sheet, deals)
        since = [deal for deal in deals if deal.number > sheet.reopened["signed"]]
        if again and redealt(again[0]) == "same_dealer" and all(map(counts, since[-1:])):
            return str(again[0].entry.get("dealer", sheet.first_dealer))
        replayed = [deal for deal in since if counts(deal)]
        if not again and 0 < len(replayed) <= len(sheet.reopened["deals"]):
            signed = [deal for deal in deals if deal.number <= sheet.reopened["signed"]]
            return game.next_player(str(signed[-1].entry.get("dealer", sheet.first_dealer)))
    last = deals[-1].entry.get("dealer")
    if last not in game.seats:
        last = sheet.first_dealer
        for _deal in deals[1:]:
            last = game.next_player(last)
    if redealt(deals[-1]) == "same_dealer":
        return str(last)
    return game.next_player(str(last))


def bell_can_be_undone(sheet: Sheet) -> timedelta:
    """How long the table may still take back that the bell ended its game."""
    if sheet.ended_by != "bell" or sheet.bell_at is None:
        return timedelta(0)
    return max(timedelta(0), sheet.bell_at + UNDO_BELL - timezone.now())
