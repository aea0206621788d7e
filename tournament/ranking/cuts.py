"""Cuts to the next stage: the best n or half of the field, the winners of the tables, or both.

Rule followed: rules specification D.2 "Stages chain with cut-offs (top n, or table winners)"; facts
D.1: Deerlijk 2023 (the 128 best scores to the semi-final, the 32 table winners to the final),
Harelbeke 2020 (half of the field drops out each round, final of the best 20), Roeselare (the pool
winners and the best second).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from scoring.texts import Message, join, ngettext_lazy
from scoring.texts import gettext_lazy as _
from tournament.ranking.book import Book
from tournament.ranking.errors import BadRule
from tournament.ranking.model import LineKind, Rule, Standing
from tournament.ranking.ranking import rank_books


class TieAtCut(StrEnum):
    """Treatment of a tie at the cut, when the tied entrants outnumber the places left."""

    ALL_IN = "all_in"
    LOTS = "lots"
    PLAY_OFF = "play_off"


class Fill(StrEnum):
    """Way to combine the table winners and the best of the field."""

    BESIDE = "beside"
    """``top`` others go on besides the table winners."""
    UP_TO = "up_to"
    """The table winners first, then the best others until ``top`` are through."""
    SECONDS = "seconds"
    """The ``top`` best of those next behind the winners at their tables go on besides these."""


@dataclass(frozen=True, slots=True)
class Cut:
    """``top``: places by rank. ``per_table``: winners of each table of ``round_no``.

    ``half``: ``top`` is half of those who can go on, the larger half of an odd number (:func:`sized`).
    ``whole``: players at a table of the next stage, when only whole tables may go on: the best
    others fill the last table, or where there are too few, fewer go on (:func:`sized`).
    """

    top: int = 0
    per_table: int = 0
    round_no: int | None = None
    fill: Fill = Fill.BESIDE
    tie: TieAtCut = TieAtCut.LOTS
    whole: int = 1
    half: bool = False


@dataclass(frozen=True, slots=True)
class Undecided:
    """Tie at the cut: more ``entrants`` than ``places``, to be decided by lots or a play-off."""

    entrants: tuple[str, ...]
    places: int
    by: TieAtCut
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Qualified:
    """The outcome of a cut; each list in the order of the standing.

    ``winners``: qualified as table winners. ``best``: qualified by rank, empty until every table is
    decided. ``undecided``: entrants not qualified yet; empty when the cut is complete. ``line``:
    position of the last entrant qualified by rank; None too where seconds of tables qualify, since
    others are between them.
    """

    winners: tuple[str, ...]
    best: tuple[str, ...]
    undecided: tuple[Undecided, ...]
    line: int | None

    @property
    def through(self) -> tuple[str, ...]:
        """Everyone through, table winners first."""
        return self.winners + self.best

    @property
    def complete(self) -> bool:
        """Nothing is left to decide."""
        return not self.undecided


def sized(cut: Cut, available: int, tables: int) -> Cut:
    """Return the cut with its number of places for ``available`` players at ``tables`` tables.

    Half of the field becomes a number; with ``whole`` the places are those that make whole tables.

    >>> sized(Cut(top=128, whole=4), 23, 0).top, sized(Cut(top=10, whole=4), 23, 0).top
    (20, 12)
    >>> sized(Cut(per_table=1, whole=4), 20, 5).top
    8
    >>> sized(Cut(half=True, whole=4), 46, 0).top, sized(Cut(half=True), 47, 0).top
    (24, 24)
    """
    if cut.half and not cut.top:
        top = (available + 1) // 2
        full = top + -top % cut.whole
        cut = replace(cut, top=full if full <= available and not cut.per_table else top)
    if cut.whole <= 1:
        return cut
    if not cut.per_table:
        top = min(cut.top, available)
        full = top + -top % cut.whole
        if full > available:
            full = top - top % cut.whole
        return replace(cut, top=full or cut.top, whole=1)
    winners = min(cut.per_table * tables, available)
    wanted = count_through(replace(cut, whole=1), available, tables)
    total = wanted + -wanted % cut.whole
    most = min(available, winners + tables) if cut.fill is Fill.SECONDS else available
    if total > most:
        total = max(wanted - wanted % cut.whole, winners)
    if cut.fill is Fill.SECONDS:
        return replace(cut, top=total - winners, whole=1)
    return replace(cut, top=total if total > winners else 0, fill=Fill.UP_TO, whole=1)


def count_through(cut: Cut, available: int, tables: int) -> int:
    """Return the number of entrants that qualify when none are tied."""
    cut = sized(cut, available, tables)
    winners = cut.per_table * tables
    if cut.per_table and cut.fill is Fill.SECONDS:
        return min(available, winners + min(cut.top, tables))
    if cut.fill is Fill.UP_TO:
        return min(available, max(winners, cut.top))
    return min(available, winners + cut.top)


def apply_cut(
    standing: Standing,
    cut: Cut,
    book: Book | None = None,
    lots: Mapping[str, int] | None = None,
) -> Qualified:
    """Return the entrants of ``standing`` that qualify; those withdrawn or without a rank are
    passed over.

    ``book``, that of the stage, is needed for table winners, who are ranked by the standing's own rule on
    that round alone, rulings on it included, and, when tied there, by the whole standing. ``lots`` are lots drawn (or play-offs
    won: 1 is first) among those tied at the cut. Raises ``BadRule`` when the cut has no places or
    lacks its round.
    """
    if cut.top < 0 or cut.per_table < 0 or not (cut.top or cut.per_table or cut.half):
        raise BadRule("cut", _("A cut needs a number of places or of winners for each table."))
    if cut.per_table and cut.round_no is None:
        raise BadRule("cut-round", _("Table winners need the round whose tables count."))
    drawn = dict(lots or {})
    places = {
        row.entrant.id: row.rank
        for row in standing.rows
        if row.rank is not None and not row.entrant.withdrawn
    }
    winners: list[str] = []
    undecided: list[Undecided] = []
    tables = _tables(standing, cut, book, places) if cut.per_table and book is not None else []
    cut = sized(cut, len(places), len(tables))
    if cut.per_table:
        for table, groups in tables:
            through, open_ = _take(groups, cut.per_table, cut.tie, drawn, table)
            winners += through
            undecided += open_
    best: list[str] = []
    # The places by rank depend on who won the tables: they wait until every table is decided.
    if cut.top and not undecided:
        rest = [key for key in places if key not in set(winners)]
        if cut.per_table and cut.fill is Fill.SECONDS:
            behind = _next_at_tables(tables, set(winners))
            rest = [key for key in rest if key in behind]
        top = cut.top - len(winners) if cut.per_table and cut.fill is Fill.UP_TO else cut.top
        best, undecided = _take(_level(rest, places), top, cut.tie, drawn, None)
    position = {key: standing.row(key).position for key in places}
    return Qualified(
        winners=tuple(sorted(winners, key=position.__getitem__)),
        best=tuple(sorted(best, key=position.__getitem__)),
        undecided=tuple(undecided),
        line=None
        if cut.per_table and cut.fill is Fill.SECONDS
        else max((position[key] for key in best), default=None),
    )


def _next_at_tables(
    tables: Iterable[tuple[int, list[list[str]]]], winners: Collection[str]
) -> set[str]:
    """Return the entrants ranked directly behind the winners of each table, ties included."""
    behind: set[str] = set()
    for _table, groups in tables:
        left = [[key for key in group if key not in winners] for group in groups]
        behind |= set(next((group for group in left if group), ()))
    return behind


def _level(keys: Iterable[str], places: Mapping[str, int]) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for key in keys:
        groups.setdefault(places[key], []).append(key)
    return [groups[place] for place in sorted(groups)]


_SEATED: Final = (LineKind.PLAYED, LineKind.FORFEIT, LineKind.WALK_OVER, LineKind.STRUCK)


def _tables(
    standing: Standing, cut: Cut, book: Book, places: Mapping[str, int]
) -> list[tuple[int, list[list[str]]]]:
    lines = [line for line in book.lines if line.round_no == cut.round_no and line.kind in _SEATED]
    tables: dict[int, set[str]] = {}
    for line in lines:
        if line.table is None and line.kind is LineKind.PLAYED:
            raise BadRule("cut-table", _("Table winners need the table of every result."))
        if line.table is not None:
            tables.setdefault(line.table, set()).add(line.entrant)
    field = tuple(row.entrant for row in standing.rows)
    changes = tuple(change for change in book.adjustments if change.round_no == cut.round_no)
    alone = rank_books([Book(field, tuple(lines), changes)], _without_lots(standing.rule))
    own = {row.entrant.id: row.rank for row in alone.rows}
    seated: list[tuple[int, list[list[str]]]] = []
    for table in sorted(tables):
        groups: dict[tuple[int, int], list[str]] = {}
        for key in tables[table]:
            at_table = own[key]
            if key in places and at_table is not None:
                groups.setdefault((at_table, places[key]), []).append(key)
        seated.append((table, [sorted(groups[place]) for place in sorted(groups)]))
    return seated


def _without_lots(rule: Rule) -> Rule:
    criteria = tuple(used for used in rule.criteria if used.code != "lots")
    return Rule(
        criteria or rule.criteria,
        rule.win,
        rule.draw,
        rule.loss,
        rule.cap,
        rule.bye,
        rule.sat_out,
        rule.withdrawn,
        rule.code,
    )


def _take(
    groups: list[list[str]],
    places: int,
    tie: TieAtCut,
    drawn: Mapping[str, int],
    table: int | None,
) -> tuple[list[str], list[Undecided]]:
    through: list[str] = []
    for group in groups:
        left = places - len(through)
        if left <= 0:
            break
        if len(group) <= left or tie is TieAtCut.ALL_IN:
            through += group
        elif all(key in drawn for key in group) and len({drawn[k] for k in group}) == len(group):
            through += sorted(group, key=drawn.__getitem__)[:left]
        else:
            return through, [Undecided(tuple(group), left, tie, table)]
    return through, []


_BEST: Final = ngettext_lazy("{top} qualifies", "the first {top} qualify", "top")
_WINNER: Final = _("the winner of each table of round {round} qualifies")
_WINNERS: Final = _("the first {each} of each table of round {round} qualify")
_UP_TO: Final = _(", and the best others up to {top} in all")
_BESIDE: Final = ngettext_lazy(", and {top} other, the best", ", and the best {top} others", "top")
_HALF: Final = _("half of the field qualifies: the first {top}")
_SECONDS: Final = ngettext_lazy(
    ", and {top} other, the best of those next at their tables",
    ", and {top} others, the best of those next at their tables",
    "top",
)
_OPEN: Final = _("; {count} are tied for {places}")
_CUT: Final = _("Cut: ")


def in_words(cut: Cut, undecided: Iterable[Undecided] = ()) -> Message:
    """Describe the cut, and how many are still tied for how many places, in three languages."""
    parts = [_CUT]
    if cut.per_table:
        parts.append(_WINNER if cut.per_table == 1 else _WINNERS)
        if cut.top:
            parts.append(
                {Fill.UP_TO: _UP_TO, Fill.BESIDE: _BESIDE, Fill.SECONDS: _SECONDS}[cut.fill]
            )
    else:
        parts.append(_HALF if cut.half else _BEST)
    open_ = list(undecided)
    if open_:
        parts.append(_OPEN)
    values = {
        "top": cut.top,
        "each": cut.per_table,
        "round": cut.round_no or 0,
        "count": sum(len(group.entrants) for group in open_),
        "places": sum(group.places for group in open_),
    }

    return join("", [part.format(**values) for part in parts])


def places_at_table(standing: Standing, cut: Cut, book: Book) -> dict[str, tuple[int, int]]:
    """Return (table, place there so far) of each player in the deciding round; tied players share a place."""
    field = {row.entrant.id: row.rank or row.position for row in standing.rows}
    places: dict[str, tuple[int, int]] = {}
    for table, groups in _tables(standing, cut, book, field):
        place = 1
        for group in groups:
            for key in group:
                places[key] = (table, place)
            place += len(group)
    return places
