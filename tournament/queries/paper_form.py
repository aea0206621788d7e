"""The form of a sheet that is copied from paper: names as on the slip, and what each row credits."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, TypedDict

from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.engine.rulebook_edition import Sides
from scoring.engine.score_contract import most_marks
from scoring.engine.shapes import EntryJson
from tournament.models import Stage
from tournament.models.tables import DealVersion, Sheet, SheetState
from tournament.queries.alarms import Doubt
from tournament.queries.deals import current_deals, deal_versions, next_dealer, tie_is_played_on
from tournament.queries.entry_form import Choice, counted_sides
from tournament.queries.side_labels import players_of
from tournament.queries.standings import rule_of
from tournament.queries.table_people import Slip, side_on_slip
from tournament.tables.entry import EntryFields, name_of_side, two_sides
from tournament.tables.rules import game_of, sides_of

FIELDS = (
    "dealer",
    "passed",
    "declarer",
    "level",
    "bid",
    "all_tricks",
    "trump",
    "blind",
    "turn_up",
    "doubling",
    "exchanged",
    "side",
    "points",
    "tricks",
)
"""What a row of the form may hold; its inputs are called ``g<game>-d<row>-<field>``."""

READ_FROM_DEALS = {"best_deal", "marks_per_deal", "points_percentage"}
"""Criteria of a ranking that the points of a game do not give."""


def games_of(sheet: Sheet) -> list[Sheet]:
    """The games of the sheet's table, in their order."""
    return list(
        Sheet.objects.filter(table=sheet.table_id)
        .select_related("table__round__stage__event")
        .order_by("order")
    )


def waits(sheet: Sheet) -> bool:
    """Whether a game has no result yet, nor a match that the director decided."""
    return (
        sheet.state not in (SheetState.OFFICIAL, SheetState.VOID)
        and sheet.table.decided_for_id is None
    )


def is_played_out(sheet: Sheet) -> bool:
    """Whether all the deals of a game without result are recorded: what is on its slip confirms them."""
    return waits(sheet) and sheet.finished and not sheet.totals


def counts_games(sheet: Sheet) -> bool:
    """Whether a match of several games is played on the sheet, so that a slip of it says how many each side won."""
    target = game_of(sheet).options["target"]
    return isinstance(target, Mapping) and "games" in target


def recorded(sheet: Sheet) -> dict[str, int]:
    """What the deals recorded give each side: points, or games won."""
    given = sheet.score["games" if counts_games(sheet) else "marks"]
    return {side: int(given.get(side, 0)) for side in sides_of(sheet)}


def games_on_slip(sheet: Sheet, posted: Mapping[str, Any]) -> list[Sheet]:
    """The games of the sheet's table that wait, or that were posted; the sheet's own if none is."""
    games = games_of(sheet)
    if posted:
        on_slip = [game for game in games if f"g{game.order}-version" in posted]
    else:
        on_slip = [game for game in games if waits(game)]
    return on_slip or [sheet]


def posted_rows(posted: Mapping[str, Any], game: Sheet, count: int) -> list[dict[str, str]]:
    """What was typed into each of the ``count`` rows of a game."""
    return [
        {name: str(posted.get(f"g{game.order}-d{n}-{name}", "")) for name in FIELDS}
        for n in range(1, count + 1)
    ]


def dealers(sheet: Sheet, typed: list[dict[str, str]]) -> list[str]:
    """Who deals each row: as typed, else the next player after the row before."""
    deals: list[DealVersion] = current_deals(sheet)
    seats = []
    for row in typed:
        dealer = row["dealer"]
        if dealer not in game_of(sheet).seats:
            dealer = next_dealer(sheet, deals)
        seats.append(dealer)
        deals = [*deals, DealVersion(entry=EntryJson(dealer=dealer), number=len(deals) + 1)]
    return seats


def sides_follow_dealer(sheet: Sheet) -> bool:
    """Whether the dealer of a row decides its sides: the dealer plays alone."""
    return game_of(sheet).book.sides is Sides.DEALER_ALONE


def row_sides(
    sheet: Sheet, dealer: str, names: Mapping[str, str], counted: list[Choice]
) -> list[Choice]:
    """Whose points a row counts: where the dealer plays alone, players by their seats.

    So a row says who it credits, and credits nobody else when its dealer is changed.
    """
    game = game_of(sheet)
    if not sides_follow_dealer(sheet):
        return counted
    return [Choice(side, players_of(side, dict(names))) for side in two_sides(game, dealer, "")]


def against_limit(sheet: Sheet, totals: Mapping[str, int], most: int) -> tuple[int, int] | None:
    """The points of a game that its deals bound, and that bound, where a deal gives ``most`` points.

    A game of so many deals gives both sides together so many times what a deal gives; a game to a target ends
    with the deal in which a side reaches it. ``None`` where nothing bounds them.
    """
    target = game_of(sheet).options["target"]
    if isinstance(target, int):
        return max(totals.values()), target - 1 + most
    if isinstance(target, Mapping) and "deals" in target:
        return sum(totals.values()), int(target["deals"]) * most
    return None


def above_possible(sheet: Sheet, totals: Mapping[str, int]) -> tuple[int, int] | None:
    """The points that the deals of a game cannot give, however they were doubled, and their limit.

    ``None`` where they can: there is no limit where a tie of so many deals is played on.
    """
    game = game_of(sheet)
    most = most_marks(game)
    if most is None or (isinstance(game.options["target"], Mapping) and tie_is_played_on(sheet)):
        return None
    return _above(against_limit(sheet, totals, most))


def above_undoubled(sheet: Sheet, totals: Mapping[str, int]) -> tuple[int, int] | None:
    """The points of a game that only doubled deals can give, and the most without doubling; else ``None``."""
    game = game_of(sheet)
    most = most_marks(game, doubled=False)
    if most is None or game.max_doubling == 0 or above_possible(sheet, totals):
        return None
    return _above(against_limit(sheet, totals, most))


def only_doubled(sheet: Sheet, totals: Mapping[str, int]) -> list[Doubt]:
    """The question about points of a game that only doubled deals can give; none where there is nothing to ask."""
    bounded = None
    if set(totals) == set(sides_of(sheet)) and not is_played_out(sheet):
        bounded = above_undoubled(sheet, totals)
    if bounded is None:
        return []
    values: dict[str, object] = {"given": bounded[0], "limit": bounded[1]}
    question = _(
        "Without doubling the deals of this game cannot give so many points: %(given)d, at most %(limit)d. "
        "Is this right? Then record once more."
    )
    return [Doubt("only_doubled", question % values, "totals", values)]


def _above(bounded: tuple[int, int] | None) -> tuple[int, int] | None:
    return bounded if bounded is not None and bounded[0] > bounded[1] else None


class SlipForm(TypedDict):
    """Seats, sides and trumps of a game as its slip names them."""

    seats: list[Choice]
    slip_sides: list[Choice]
    declaring_sides: list[Choice]
    counted: list[Choice]
    trump_names: list[tuple[str, str]]


def paper_context(
    sheet: Sheet,
    fields: EntryFields,
    letters_of: Mapping[str, str],
    names: Mapping[str, str],
    language: str,
    dealer: str,
) -> SlipForm:
    """The choices of a game's form as the slip names them (``letters_of``)."""

    def letter(seat: str) -> str:
        # Both seats of a pair bear the pair's letters: then the seat's own tells them apart.
        printed = letters_of.get(seat, seat)
        shared = sum(other == printed for other in letters_of.values()) > 1
        return name_of_side(seat, language) if shared else printed

    def choice(code: str) -> Choice:
        letters = side_on_slip(letters_of.get(seat, seat) for seat in code)
        players = players_of(code, dict(names))
        return Choice(code, f"{letters} · {players}", players, letter=letters)

    suits = {
        "S": (_("spades"), "♠"),
        "H": (_("hearts"), "♥"),
        "D": (_("diamonds"), "♦"),
        "C": (_("clubs"), "♣"),
        "NT": (_("no trump"), ""),
    }
    return {
        "seats": [
            Choice(seat, names.get(seat, seat), letter=letter(seat))
            for seat in game_of(sheet).seats
        ],
        "slip_sides": [choice(code) for code in sides_of(sheet)],
        "declaring_sides": [choice(code) for code in fields.declarers],
        "counted": [choice(side) for side in sides_of(sheet)]
        if game_of(sheet).book.sides is Sides.PAIRS
        else counted_sides(sheet, dict(names), language, dealer),
        "trump_names": [(suit, " ".join(suits[suit]).strip()) for suit in fields.trumps],
    }


def wants_deals(sheet: Sheet) -> str:
    """Why the points of a game do not do and its deals are copied; empty where they do."""
    target = game_of(sheet).options["target"]
    if isinstance(target, Mapping) and "deals" not in target:
        return _("A match of several games is copied deal by deal.")
    part = sheet.table.round
    counting = (
        Stage.objects.filter(
            Q(pk=part.stage_id) | Q(order__gt=part.stage.order, carries_over=True),
            event=part.stage.event_id,
        )
        if part
        else ()
    )
    if any(READ_FROM_DEALS & {used.code for used in rule_of(each).criteria} for each in counting):
        return _("The ranking counts what happened in each deal: copy the deals.")
    if deal_versions(sheet):
        return _("Deals of this game are recorded already: copy those that are missing.")
    return ""


def _of_slip(slip: Slip, condition: Q) -> list[tuple[uuid.UUID, str]]:
    """The sheets of the round that meet a condition, in the order of the slips, with their tables."""
    order = [pk for pk, _table in slip.round_sheets]
    matching = set(Sheet.objects.filter(condition, pk__in=order).values_list("pk", flat=True))
    return [(pk, table) for pk, table in slip.round_sheets if pk in matching]


NO_RESULT = ~Q(state__in=(SheetState.OFFICIAL, SheetState.VOID))
DECIDED = Q(table__decided_for__isnull=False)


def _waiting(slip: Slip) -> list[tuple[uuid.UUID, str]]:
    """The sheets of the round that still wait (see :func:`waits`), with their tables."""
    return _of_slip(slip, NO_RESULT & ~DECIDED)


def decided_tables(slip: Slip) -> list[str]:
    """The tables of the round whose match the director decided, so that no slip of them is copied."""
    return list(dict.fromkeys(table for _pk, table in _of_slip(slip, NO_RESULT & DECIDED)))


def following_table(slip: Slip) -> dict[str, object] | None:
    """The next other table that still waits, after the last the first: its first sheet and number."""
    order = list(dict.fromkeys(table for _pk, table in slip.round_sheets))
    waiting = [(pk, table) for pk, table in _waiting(slip) if table != slip.table]
    if slip.table not in order or not waiting:
        return None
    at = order.index(slip.table)
    pk, table = min(
        waiting, key=lambda following: (order.index(following[1]) < at, order.index(following[1]))
    )
    return {"sheet": pk, "table": table}


def following_sheet(slip: Slip, then: Any) -> Any:
    """Where to go on after a slip: a game of its own that waits, ``then``, the next table; or none."""
    own = next((pk for pk, table in _waiting(slip) if table == slip.table), None)
    following = following_table(slip)
    return own or then or (following and following["sheet"])


def sheet_of_table(slip: Slip, table: str) -> Any:
    """The first sheet of a table of the round that still waits, else its first; ``None``: no table."""
    order = [pk for pk, number in slip.round_sheets if number == table]
    waiting = [pk for pk, _table in _waiting(slip)]
    return next((pk for pk in order if pk in waiting), order[0] if order else None)
