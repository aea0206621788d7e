"""The form of a sheet that is copied from paper: names as on the slip, and what each row credits."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.engine.entry_fields import NO_BONUS, EntryField, FieldKind, entry_fields
from scoring.engine.rulebook_edition import Sides
from scoring.engine.score_contract import most_marks
from scoring.engine.shapes import EntryJson
from tournament.models import Stage
from tournament.models.tables import DealVersion, Depth, OfficialResult, Sheet, SheetState
from tournament.queries.alarms import Doubt
from tournament.queries.entry_form import Choice, ShownField, counted_sides, shown_fields
from tournament.queries.side_labels import players_of
from tournament.queries.standings import rule_of
from tournament.queries.table_people import Slip, side_on_slip
from tournament.ranking.criteria import build
from tournament.ranking.figures import with_minus
from tournament.tables.entry import Posted, name_of_side, two_sides
from tournament.tables.score_sheet import ScoreSheet


def games_of(sheet: Sheet) -> list[Sheet]:
    """Return the games of the sheet's table, in their order."""
    return list(
        Sheet.objects.filter(table=sheet.table_id)
        .select_related("table__round__stage__event")
        .order_by("order")
    )


class RecordedGame(NamedTuple):
    """A game of a slip with the points of its result; empty without one."""

    sheet: Sheet
    points: str


def recorded_games(sheet: Sheet) -> list[RecordedGame]:
    """Return the games of the sheet's table with their results."""
    games = games_of(sheet)
    official = OfficialResult.objects.filter(current=True, sheet__in=games)
    results = dict(official.values_list("sheet_id", "result"))
    return [
        RecordedGame(
            game,
            "–".join(
                with_minus(results[game.pk]["marks"].get(side, 0))
                for side in ScoreSheet(game).sides
            )
            if game.pk in results
            else "",
        )
        for game in games
    ]


def waits(sheet: Sheet) -> bool:
    """Whether a game has no result yet, nor a match that the director decided."""
    return (
        sheet.state not in (SheetState.OFFICIAL, SheetState.VOID)
        and sheet.table.decided_for_id is None
    )


def is_played_out(sheet: ScoreSheet) -> bool:
    """Whether all deals of a game without result are recorded: its slip then confirms them."""
    return waits(sheet.row) and sheet.row.finished and not sheet.row.totals


def counts_games(sheet: ScoreSheet) -> bool:
    """Return whether the sheet is a match of several games, so that its slip counts games won."""
    target = sheet.game.options["target"]
    return isinstance(target, Mapping) and "games" in target


def recorded(sheet: ScoreSheet) -> dict[str, int]:
    """Return the totals of the recorded deals by side: points, or games won."""
    given = sheet.row.score["games" if counts_games(sheet) else "marks"]
    return {side: int(given.get(side, 0)) for side in sheet.sides}


def games_on_slip(sheet: Sheet, posted: Posted) -> list[ScoreSheet]:
    """Return the games of the sheet's table that wait, or that were posted; the sheet's own if none is."""
    games = games_of(sheet)
    if posted:
        on_slip = [game for game in games if f"g{game.order}-version" in posted]
    else:
        on_slip = [game for game in games if waits(game)]
    return list(map(ScoreSheet, on_slip or [sheet]))


def posted_rows(posted: Posted, sheet: ScoreSheet, count: int) -> list[dict[str, str]]:
    """Return what was typed into each of the ``count`` rows of a game: ``g<game>-d<row>-<field>``."""
    names = [field.name for field in entry_fields(sheet.game)]
    prefix = f"g{sheet.row.order}-d"
    return [
        {name: str(posted.get(f"{prefix}{n}-{name}", "")) for name in names}
        for n in range(1, count + 1)
    ]


def dealers(sheet: ScoreSheet, typed: list[dict[str, str]]) -> list[str]:
    """Return the dealer of each row: as typed, else the next player after the row before."""
    deals: list[DealVersion] = sheet.current()
    seats = []
    for row in typed:
        dealer = row.get("dealer", "")
        if dealer not in sheet.game.seats:
            dealer = sheet.next_dealer(deals)
        seats.append(dealer)
        deals = [*deals, DealVersion(entry=EntryJson(dealer=dealer), number=len(deals) + 1)]
    return seats


def against_limit(
    sheet: ScoreSheet, totals: Mapping[str, int], most: int
) -> tuple[int, int] | None:
    """Return the points of a game bounded by its deals, and that bound, where a deal gives ``most`` points.

    A game of so many deals gives both sides together so many times what a deal gives; a game to a target ends
    with the deal in which a side reaches it. ``None`` where nothing bounds them.
    """
    target = sheet.game.options["target"]
    if isinstance(target, int):
        return max(totals.values()), target - 1 + most
    if isinstance(target, Mapping) and "deals" in target:
        return sum(totals.values()), int(target["deals"]) * most
    return None


def above_possible(sheet: ScoreSheet, totals: Mapping[str, int]) -> tuple[int, int] | None:
    """Return the points that the deals of a game cannot give, whatever the doubling, and their limit.

    ``None`` where they can: there is no limit where a tie of so many deals is played on.
    """
    game = sheet.game
    most = most_marks(game)
    if most is None or (isinstance(game.options["target"], Mapping) and sheet.ties_play_on):
        return None
    return _above(against_limit(sheet, totals, most))


def above_undoubled(sheet: ScoreSheet, totals: Mapping[str, int]) -> tuple[int, int] | None:
    """Return the points of a game that only doubled deals can give, and the most without doubling;
    else ``None``.
    """
    game = sheet.game
    most = most_marks(game, doubled=False)
    if most is None or game.max_doubling == 0 or above_possible(sheet, totals):
        return None
    return _above(against_limit(sheet, totals, most))


def only_doubled(sheet: ScoreSheet, totals: Mapping[str, int]) -> list[Doubt]:
    """Question points of a game that only doubled deals can give; none where there is nothing to ask."""
    bounded = None
    if set(totals) == set(sheet.sides) and not is_played_out(sheet):
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


@dataclass(frozen=True, slots=True)
class PaperCell:
    """A field of a deal in a row of the form; ``step``: Enter goes through it.

    ``options``: of a list, whose first choice is none where it may be left ``open``. ``swaps``: another dealer
    names them anew.
    """

    field: EntryField
    label: str
    value: str
    options: tuple[Choice, ...] = ()
    open: bool = False
    step: bool = False
    swaps: bool = False

    @property
    def longest(self) -> int:
        """Largest number of digits in a number."""
        return len(str(self.field.high))


@dataclass(frozen=True, slots=True)
class SlipForm:
    """A game of a slip as it names seats and sides (``letters``), and the headings of its columns."""

    sheet: ScoreSheet
    letters: Mapping[str, str]
    names: Mapping[str, str]
    language: str

    @property
    def seats(self) -> list[Choice]:
        """The seats of the game by their letters."""
        return [
            Choice(seat, self.names.get(seat, seat), letter=self._letter(seat))
            for seat in self.sheet.game.seats
        ]

    @property
    def sides(self) -> list[Choice]:
        """The sides with a score, by the letters."""
        return [self._side(code) for code in self.sheet.sides]

    @property
    def headings(self) -> list[str]:
        """The headings of the columns after the deal's number."""
        return [each.label for each in self._fields({}).values()]

    def cells(self, dealer: str, typed: Posted) -> list[PaperCell]:
        """Return the row of one deal, with what was typed into it."""
        return [self._cell(each, dealer) for each in self._fields(typed).values()]

    def _fields(self, typed: Posted) -> dict[str, ShownField]:
        return shown_fields(self.sheet.game, Depth.POINTS, self.names, self.language, typed)

    def _letter(self, seat: str) -> str:
        # Both seats of a pair have the pair's letters: then the seat's own name distinguishes them.
        printed = self.letters.get(seat, seat)
        shared = sum(other == printed for other in self.letters.values()) > 1
        return name_of_side(seat, self.language) if shared else printed

    def _side(self, code: str) -> Choice:
        letters = side_on_slip(self.letters.get(seat, seat) for seat in code)
        players = players_of(code, dict(self.names))
        return Choice(code, f"{letters} · {players}", players, letter=letters)

    def _counted(self, dealer: str) -> list[Choice]:
        """Return the choices for a row's points: where the dealer plays alone, players by their
        seats.

        A row names the players it credits, and credits the same ones when its dealer is changed.
        """
        game = self.sheet.game
        if game.in_pairs:
            return self.sides
        if game.book.sides is Sides.DEALER_ALONE:
            named = dict(self.names)
            return [Choice(side, players_of(side, named)) for side in two_sides(game, dealer, "")]
        return counted_sides(game, self.names, self.language, dealer)

    def _cell(self, shown: ShownField, dealer: str) -> PaperCell:
        field, value = shown.field, shown.typed
        number = field.kind is FieldKind.NUMBER
        if field.kind is FieldKind.YES or (number and not field.default):
            return PaperCell(field, shown.label, value, step=number)
        swaps = False
        match field.name:
            case "dealer":
                value = dealer
                options = [Choice(seat.code, f"{seat.letter} · {seat.name}") for seat in self.seats]
            case "declarer":
                options = [self._side(code) for code in field.codes]
            case "trump":
                options = [Choice(code, _suit(code)) for code in field.codes]
            case "side":
                options = self._counted(dealer)
                swaps = self.sheet.game.book.sides is Sides.DEALER_ALONE
            case _:
                options = [Choice(each.written.code, each.name) for each in shown.choices]
        # A card that gives nothing is turned up most often.
        options.sort(key=lambda option: option.code != NO_BONUS)
        given = field.name in ("dealer", "turn_up", "side") or bool(field.default)
        step = field.name != "dealer" and not field.default
        return PaperCell(field, shown.label, value, tuple(options), not given, step, swaps)


def _suit(code: str) -> str:
    names = {
        "S": (_("spades"), "♠"),
        "H": (_("hearts"), "♥"),
        "D": (_("diamonds"), "♦"),
        "C": (_("clubs"), "♣"),
        "NT": (_("no trump"), ""),
    }
    return " ".join(names[code]).strip()


def wants_deals(sheet: ScoreSheet) -> str:
    """Why the points of a game do not do and its deals are copied; empty where they do."""
    target = sheet.game.options["target"]
    if isinstance(target, Mapping) and "deals" not in target:
        return _("A match of several games is copied deal by deal.")
    round_ = sheet.row.table.round
    counting = (
        Stage.objects.filter(
            Q(pk=round_.stage_id) | Q(order__gt=round_.stage.order, carries_over=True),
            event=round_.stage.event_id,
        )
        if round_
        else ()
    )
    if any(build(used).reads_deals for each in counting for used in rule_of(each).criteria):
        return _("The ranking counts what happened in each deal: copy the deals.")
    if sheet.versions:
        return _("Deals of this game are recorded already: copy those that are missing.")
    return ""


def _of_slip(slip: Slip, condition: Q) -> list[tuple[uuid.UUID, str]]:
    """Return the sheets of the round that meet a condition, in the order of the slips, with their tables."""
    order = [pk for pk, _table in slip.round_sheets]
    matching = set(Sheet.objects.filter(condition, pk__in=order).values_list("pk", flat=True))
    return [(pk, table) for pk, table in slip.round_sheets if pk in matching]


NO_RESULT = ~Q(state__in=(SheetState.OFFICIAL, SheetState.VOID))
DECIDED = Q(table__decided_for__isnull=False)


def _waiting(slip: Slip) -> list[tuple[uuid.UUID, str]]:
    """Return the waiting sheets of the round (see :func:`waits`), with their tables."""
    return _of_slip(slip, NO_RESULT & ~DECIDED)


def decided_tables(slip: Slip) -> list[str]:
    """Return the tables of the round whose match the director decided, and whose slips are not copied."""
    return list(dict.fromkeys(table for _pk, table in _of_slip(slip, NO_RESULT & DECIDED)))


class Following(NamedTuple):
    """The table to copy next: its first sheet that waits, and its number."""

    sheet: uuid.UUID
    table: str


def following_table(slip: Slip) -> Following | None:
    """Return the next waiting table, after the last the first: its first sheet and number."""
    order = list(dict.fromkeys(table for _pk, table in slip.round_sheets))
    waiting = [(pk, table) for pk, table in _waiting(slip) if table != slip.table]
    if slip.table not in order or not waiting:
        return None
    at = order.index(slip.table)
    pk, table = min(
        waiting, key=lambda following: (order.index(following[1]) < at, order.index(following[1]))
    )
    return Following(pk, table)


def following_sheet(slip: Slip, then: uuid.UUID | None) -> uuid.UUID | None:
    """Return the sheet after a slip: a waiting game of the same table, ``then``, the next table; or None."""
    own = next((pk for pk, table in _waiting(slip) if table == slip.table), None)
    following = following_table(slip)
    return own or then or (following.sheet if following else None)


def sheet_of_table(slip: Slip, table: str) -> uuid.UUID | None:
    """Return the first waiting sheet of a table of the round, else its first; ``None``: no table."""
    order = [pk for pk, number in slip.round_sheets if number == table]
    waiting = [pk for pk, _table in _waiting(slip)]
    return next((pk for pk in order if pk in waiting), order[0] if order else None)
