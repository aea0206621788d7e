"""Present state of the cut: qualified players, players tied at it, and the position of its line.

The rule is :func:`tournament.ranking.cuts.apply_cut`; pages, phones, charts and papers all show its
result for the stored standing. Winners of tables count once their round, the stage's last, has
results: until then only the places by rank that are certainly open are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scoring.texts import Message
from tournament.cache import cached
from tournament.drawing.brackets import NAMES
from tournament.models import Lot, Stage, Standings, Table
from tournament.queries.chains import following_of, read_cut, seats_of, whole_of
from tournament.queries.results import gather
from tournament.queries.standings import standing_of
from tournament.ranking.book import Book
from tournament.ranking.criteria.bracket import BracketPlace
from tournament.ranking.cuts import (
    Cut,
    Fill,
    Qualified,
    Undecided,
    apply_cut,
    in_words,
    places_at_table,
    sized,
)
from tournament.ranking.model import Row, Standing


@dataclass(frozen=True, slots=True)
class ShownCut:
    """A stage's cut as it would fall now; entrants by start number.

    ``words`` say what it asks. ``line``: position of the last one above the line, None where no
    line can be drawn. ``at_table``: place at the own table of the deciding round, once it is on.
    """

    cut: Cut
    words: Message
    line: int | None = None
    through: frozenset[int] = frozenset()
    winners: frozenset[int] = frozenset()
    level: frozenset[int] = frozenset()
    at_table: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    def sure_by_rank(self, tables: int) -> int:
        """Return the places certainly open by rank at ``tables`` tables; not for seconds."""
        if self.cut.per_table and self.cut.fill is Fill.UP_TO:
            return max(0, self.cut.top - self.cut.per_table * tables)
        return self.cut.top


def cut_shown(current: Standings, stage: Stage) -> ShownCut | None:
    """Return the cut of a stage on its stored standing; None for a stage without one.

    Computed once for a version of the event, however many phones request it.
    """
    if not _has_cut(stage):
        return None
    version = max(current.version, stage.event.version)
    key = (stage.pk, stage.event.pk, str(stage.cut), current.hash, current.state, version)
    return cached(("cut", *key), lambda: _fall(standing_of(current), stage))


def cut_on(standing: Standing, stage: Stage, book: Book) -> ShownCut | None:
    """Return the cut of a stage on any standing of it, with the underlying book."""
    return _fall(standing, stage, book) if _has_cut(stage) else None


def _has_cut(stage: Stage) -> bool:
    return any(stage.cut.get(part) for part in ("top", "half", "per_table", "winners"))


def is_blank(standing: Standing) -> bool:
    """Return whether the standing has no result yet: all share the first rank, without a tie at a cut."""
    return all(row.rank == 1 and not (row.won or row.drawn or row.lost) for row in standing.ranked)


def has_place(standing: Standing, row: Row) -> bool:
    """Whether a counted game, or a bracket, gave a row its rank: before that no rank is shown."""
    if row.games or standing.codes[0] != BracketPlace.code:
        return bool(row.games)
    place = row.values[0]
    return isinstance(place, tuple) and place[0] < len(NAMES)


def _fall(standing: Standing, stage: Stage, book: Book | None = None) -> ShownCut:
    cut = _sized(read_cut(stage.cut, _deciding_round(stage), whole=_whole(stage)), standing, stage)
    if is_blank(standing):
        return ShownCut(cut, _words(stage, cut))
    lots = {
        str(number): lot
        for number, lot in Lot.objects.filter(stage=stage).values_list("entrant__number", "lot")
    }
    if not cut.per_table:
        return _shown(stage, cut, standing, apply_cut(standing, cut, None, lots))
    book = gather(stage).book(standing.rule) if book is None else book
    if any(line.table is not None for line in book.lines if line.round_no == cut.round_no):
        return _shown(stage, cut, standing, apply_cut(standing, cut, book, lots), book)
    if cut.top and cut.fill is Fill.BESIDE:
        return _shown(
            stage, cut, standing, apply_cut(standing, Cut(cut.top, tie=cut.tie), None, lots)
        )
    return ShownCut(cut, _words(stage, cut))


def _whole(stage: Stage) -> int:
    return whole_of(stage.event, following_of(stage)) if stage.cut.get("whole") else 1


def _sized(cut: Cut, standing: Standing, stage: Stage) -> Cut:
    """Return the cut with its number of places for the entrants of the standing who can qualify."""
    if cut.whole <= 1 and not cut.half:
        return cut
    available = sum(not row.entrant.withdrawn for row in standing.ranked)
    tables = Table.objects.filter(round__stage=stage, round__number=stage.rounds_planned).count()
    return sized(cut, available, tables or seats_of(stage.event, stage).tables(available))


def _shown(
    stage: Stage,
    cut: Cut,
    standing: Standing,
    outcome: Qualified,
    book: Book | None = None,
) -> ShownCut:
    def numbers(keys: tuple[str, ...]) -> frozenset[int]:
        return frozenset(standing.row(key).entrant.number for key in keys)

    return ShownCut(
        cut=cut,
        words=_words(stage, cut, outcome.undecided),
        line=outcome.line,
        through=numbers(outcome.through),
        winners=numbers(outcome.winners),
        level=numbers(tuple(key for group in outcome.undecided for key in group.entrants)),
        at_table={int(key): at for key, at in places_at_table(standing, cut, book).items()}
        if book is not None
        else {},
    )


def _words(stage: Stage, cut: Cut, undecided: tuple[Undecided, ...] = ()) -> Message:
    # Results of a stage that carries over are numbered on; people count the stage's own rounds.
    return in_words(replace(cut, round_no=stage.rounds_planned), undecided)


def _deciding_round(stage: Stage) -> int:
    """Return the number of the stage's last round, as in its results."""
    number = int(stage.rounds_planned)
    if stage.carries_over:
        number += sum(
            stage.event.stages.filter(order__lt=stage.order).values_list(
                "rounds_planned", flat=True
            )
        )
    return number
