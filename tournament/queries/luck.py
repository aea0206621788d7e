"""Ranks of final standings that lie within luck, in one sentence (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from tournament.advice.luck import within_luck
from tournament.cache import cached
from tournament.models import Stage
from tournament.queries.lines import lines_of
from tournament.queries.results import gather
from tournament.queries.standings import rule_of, shared, wants_points
from tournament.ranking.book import Book
from tournament.ranking.criteria import build
from tournament.ranking.model import LineKind, Rule
from tournament.ranking.tally import Tally


def luck_in_words(stage: Stage) -> str:
    """Describe the ranks that lie within luck, once the standings are final; empty where it is unknown."""
    if lines_of(stage):
        return ""
    current, standing = shared(stage)
    ranked = [row.entrant.id for row in standing.ranked]
    count = cached(
        ("within luck", stage.pk, current.hash), lambda: within_luck(_rounds_of(stage, ranked))
    )
    if count is None:
        return ""
    if count == 1:
        return _(
            "The first is ahead by more than luck: among equals, chance sets first and last that far apart in fewer "
            "than one event of twenty."
        )
    last = standing.ranked[count - 1].rank or count
    if count == len(ranked):
        return _(
            "All ranks lie within luck: even among equals, chance sets first and last that far apart in one event of "
            "twenty or more."
        )
    return _(
        "Ranks 1 to %(last)d lie within luck: even among equals, chance sets first and last that far apart in one "
        "event of twenty or more."
    ) % {"last": last}


def _rounds_of(stage: Stage, ranked: Sequence[str]) -> list[list[float]]:
    """Return the value of each round to each of the ``ranked``, by the first criterion; empty if
    not additive.

    Rounds without play are left out, for they are not luck at the table.
    """
    rule = rule_of(stage)
    criterion = build(rule.criteria[0])
    if not criterion.additive or not criterion.descending:
        return []
    field = gather(stage, points=wants_points(rule))
    own = field.book(rule)
    worth: dict[str, list[float]] = {who: [] for who in ranked}
    for book in (*field.carried, own):
        for number in sorted({line.round_no for line in book.lines}):
            for who, value in _worth(book, number, rule).items():
                if who in worth:
                    worth[who].append(value)
    return [worth[who] for who in ranked]


def _worth(book: Book, number: int, rule: Rule) -> dict[str, float]:
    """Return the value of one round to each of its players."""
    lines = tuple(
        line for line in book.lines if line.round_no == number and line.kind is LineKind.PLAYED
    )
    players = {line.entrant for line in lines}
    changes = tuple(change for change in book.adjustments if change.round_no == number)
    tally = Tally([Book(book.entrants, lines, changes)], rule)
    values = build(rule.criteria[0]).values(tally, sorted(players))
    return {
        who: float(Fraction(value))
        for who, value in values.items()
        if isinstance(value, int | Fraction)
    }
