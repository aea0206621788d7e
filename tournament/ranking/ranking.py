"""From results to rows: the criteria one after the other, each inside the groups still tied.

Rule followed: rules specification D.2 "Classification". Entrants whom no criterion separates share
a rank ("1, 2, 2, 4") and are listed by start number. The result does not depend on the order of any
input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from scoring.texts import Message, join
from scoring.texts import gettext_lazy as _
from tournament.ranking.book import Book, write_book
from tournament.ranking.criteria import Criterion, build
from tournament.ranking.errors import BadRule
from tournament.ranking.model import (
    Adjustment,
    Entrant,
    Outcome,
    Played,
    Row,
    Rule,
    Standing,
    Value,
    Withdrawal,
)
from tournament.ranking.tally import Tally


def rank(
    entrants: Iterable[Entrant],
    results: Iterable[Played],
    adjustments: Iterable[Adjustment],
    rule: Rule,
    lots: Mapping[str, int] | None = None,
    *,
    through: int | None = None,
    places: Mapping[str, tuple[int, ...]] | None = None,
    carried: Sequence[Book] = (),
    idle_last: bool = True,
    to_field: bool = True,
) -> Standing:
    """Compute the standing after round ``through`` (all rounds when None).

    ``results``: one line for each entrant and game. ``lots``: lot numbers drawn, by entrant.
    ``places``: places won in a bracket, by entrant. ``carried``: the books of the stages before whose results
    count. ``idle_last``: whether those without a counted game rank below all others (from edition 6 on). ``to_field``: whether
    credited averages lean towards the field's (from edition 7 on).
    Raises ``BadRule`` for an unusable rule and ``BadResults`` for contradictory results.
    """
    if through is not None:
        carried = [book.through(through) for book in carried]
        results = [line for line in results if line.round_no <= through]
        adjustments = [change for change in adjustments if change.round_no <= through]
    read_criteria(rule)
    books = [*carried, write_book(entrants, results, adjustments, rule, to_field=to_field)]
    standing = rank_books(books, rule, lots, places, idle_last=idle_last, to_field=to_field)
    return standing if through is None else replace(standing, through=through)


def rank_books(
    books: Sequence[Book],
    rule: Rule,
    lots: Mapping[str, int] | None = None,
    places: Mapping[str, tuple[int, ...]] | None = None,
    *,
    idle_last: bool = True,
    to_field: bool = True,
) -> Standing:
    """Rank the entrants of the last of ``books`` by the lines and rulings in all of them."""
    return _ranked(
        Tally(books, rule, lots, places, to_field=to_field),
        read_criteria(rule),
        idle_last=idle_last,
    )


def read_criteria(rule: Rule) -> tuple[Criterion, ...]:
    """Build the criteria of a rule; ``BadRule`` when there is none or one comes twice."""
    if not rule.criteria:
        raise BadRule("no-criterion", _("A ranking rule needs at least one criterion."))
    if len(set(rule.criteria)) < len(rule.criteria):
        raise BadRule("criterion-repeated", _("A criterion appears twice in the ranking rule."))
    return tuple(build(used) for used in rule.criteria)


def _ranked(tally: Tally, criteria: tuple[Criterion, ...], *, idle_last: bool) -> Standing:
    everyone = sorted(tally.listed, key=lambda key: (tally.records[key].entrant.number, key))
    values: dict[str, list[Value]] = {key: [] for key in everyone}
    ranked: list[str] = []
    below: list[str] = []
    for key in everyone:
        entrant = tally.records[key].entrant
        left = entrant.withdrawn and not entrant.through
        gone = left and tally.rule.withdrawn is not Withdrawal.KEPT
        (below if gone or entrant.excluded or entrant.unplayed else ranked).append(key)
    idle = {key for key in ranked if idle_last and key not in tally.places}
    idle = {key for key in idle if not any(map(tally.records[key].count, Outcome))}
    groups = [[key for key in ranked if key not in idle], [key for key in ranked if key in idle]]
    groups = [group for group in groups if group]
    settled: set[str] = set()
    for criterion in criteria:
        if criterion.among_tied:
            for key in everyone:
                values[key].append(None)
        else:
            measured = criterion.values(tally, everyone)
            for key in everyone:
                values[key].append(measured[key])
        groups = [
            part
            for group in groups
            for part in (
                [group] if settled.issuperset(group) else _split(tally, criterion, group, values)
            )
        ]
        settled.update(key for key in ranked if criterion.settles(values[key][-1]))
    rows: list[Row] = []
    for group in groups:
        place = len(rows) + 1
        for key in group:
            rows.append(_row(tally, key, len(rows) + 1, place, len(group) > 1, values[key]))
    for key in below:
        rows.append(_row(tally, key, len(rows) + 1, None, False, values[key]))
    return Standing(tally.rule, tuple(rows), tally.through)


def _split(
    tally: Tally, criterion: Criterion, group: list[str], values: dict[str, list[Value]]
) -> list[list[str]]:
    if len(group) == 1:
        return [group]
    if criterion.among_tied:
        for key, value in criterion.values(tally, group).items():
            values[key][-1] = value
    keyed = {key: criterion.key(values[key][-1]) for key in group}
    # Stable: inside a group the order by start number stays.
    return [list(part) for _key, part in groupby(sorted(group, key=keyed.__getitem__), keyed.get)]


def _row(
    tally: Tally, key: str, position: int, place: int | None, tied: bool, values: list[Value]
) -> Row:
    record = tally.records[key]
    return Row(
        position=position,
        rank=place,
        tied=tied,
        entrant=record.entrant,
        values=tuple(values),
        games=record.counted,
        won=record.count(Outcome.WIN),
        drawn=record.count(Outcome.DRAW),
        lost=record.count(Outcome.LOSS),
        credited=record.credited,
        adjusted=bool(record.adjustments),
    )


def deciders(standing: Standing) -> tuple[str | None, ...]:
    """Return, for each row but the first, the code of the criterion that separates it from the row above."""
    criteria = read_criteria(standing.rule)
    return tuple(_decider(criteria, *pair) for pair in pairwise(standing.rows))


def _decider(criteria: Sequence[Criterion], first: Row, second: Row) -> str | None:
    if first.rank is None or second.rank is None or first.rank == second.rank:
        return None
    for criterion, mine, theirs in zip(criteria, first.values, second.values, strict=True):
        if criterion.key(mine) != criterion.key(theirs):
            return criterion.code if criterion.key(mine) < criterion.key(theirs) else None
    if second.won or second.drawn or second.lost:
        raise AssertionError("Two ranks differ but no criterion does.")
    return None


def separation(criteria: Sequence[Criterion], first: Row, second: Row, language: str) -> str:
    """Describe in words the difference between two rows, the better placed first; the criteria are
    of their rule.
    """
    parting = _parting(criteria, first, second)
    if isinstance(parting, tuple) and parting[1].of_offences:
        parting = _NOT_PUBLIC
    return (parting if isinstance(parting, Message) else _words(*parting)).render(language)


def _parting(
    criteria: Sequence[Criterion], first: Row, second: Row
) -> Message | tuple[list[Criterion], Criterion, Value, Value]:
    """Return the criteria on which two rows are tied, the next one that separates them, and its
    values; or the reason for none.
    """
    if first.rank is None or second.rank is None:
        return _WITHOUT_RANK
    if first.rank == second.rank:
        return _NOTHING
    by = _decider(criteria, first, second)
    if by is None:
        return _IDLE
    level: list[Criterion] = []
    for criterion, mine, theirs in zip(criteria, first.values, second.values, strict=True):
        if criterion.code == by:
            return level, criterion, mine, theirs
        if mine is not None:
            level.append(criterion)
    raise AssertionError("The criterion that decides is not in the rule.")


_NOTHING = _("Nothing separates them: they share the rank.")
_NOT_PUBLIC = _("A criterion separates them whose figures are not public.")
_IDLE = _("No game of the second one counts yet.")
_WITHOUT_RANK = _("Listed without a rank (withdrawn, excluded or did not play).")


def _words(level: list[Criterion], by: Criterion, mine: Value, theirs: Value) -> Message:
    words = (
        _("{criterion}: {mine} against {theirs} (tied on {others}).").format(
            others=join(", ", [criterion.name for criterion in level])
        )
        if level
        else _("{criterion}: {mine} against {theirs}.")
    )
    return words.format(
        criterion=by.name,
        mine=lambda language: by.format(mine, language),
        theirs=lambda language: by.format(theirs, language),
    )
