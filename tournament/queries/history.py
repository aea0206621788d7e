"""Rank of each entrant after each round, stored with the standing that followed.

Earlier rounds change only when a correction or a ruling reaches back: each stored round carries a
hash of all its inputs, and is ranked again only when that has changed.
"""

from __future__ import annotations

import hashlib

from tournament.cache import lookup, store
from tournament.queries.results import Gathered
from tournament.ranking.canonical import input_bytes
from tournament.ranking.model import Adjustment, Played, Rule, Standing
from tournament.ranking.ranking import rank
from tournament.ranking.rulejson import rule_as_json

History = list[dict[str, object]]
"""One entry a round: ``{"round": n, "mark": hash, "ranks": {start number: rank | None}}``.

The last one has no mark.
"""


def _ranks(standing: Standing) -> dict[str, int | None]:
    return {str(row.entrant.number): row.rank for row in standing.rows}


def history(field: Gathered, rule: Rule, standing: Standing, known_rounds: History) -> History:
    """Return the ranks after each round with results; ``known_rounds`` are those stored before."""
    known = {entry["round"]: entry for entry in known_rounds}
    entries: History = []
    results: list[Played] = []
    adjustments: list[Adjustment] = []
    own = input_bytes(field.entrants, (), (), field.lots, field.carried)
    mark = hashlib.sha256(repr(rule_as_json(rule)).encode() + own).hexdigest()
    by_round: dict[int, list[Played]] = {
        line.round_no: [] for book in field.carried for line in book.lines
    }
    for line in field.results:
        by_round.setdefault(line.round_no, []).append(line)
    rounds = sorted(by_round)
    for number in rounds:
        new = by_round[number]
        changed = [change for change in field.adjustments if _first(change, rounds) == number]
        results += new
        adjustments += changed
        if number == rounds[-1]:
            # Still in play: it is ranked once more, when the next one has a result.
            entries.append({"round": number, "mark": "", "ranks": _ranks(standing)})
            break
        mark = _mark_after(mark, new, changed)
        if number in known and known[number]["mark"] == mark:
            ranks = known[number]["ranks"]
        else:
            ranks = _ranks(
                rank(
                    field.entrants,
                    results,
                    adjustments,
                    rule,
                    field.lots,
                    carried=[book.through(number) for book in field.carried],
                )
            )
        entries.append({"round": number, "mark": mark, "ranks": ranks})
    return entries


def _mark_after(before: str, new: list[Played], changed: list[Adjustment]) -> str:
    """Return the mark of all earlier rounds and of a round's new results.

    A finished round is serialised once, and then only compared: gathering results returns the same
    lines again (:func:`tournament.queries.results.gather`).
    """
    known = lookup(("history", before))
    if known is not None and _same(known[0], new) and known[1] == changed:
        known_mark: str = known[2]
        return known_mark
    mark = hashlib.sha256(before.encode() + input_bytes((), new, changed)).hexdigest()
    store(("history", before), (list(new), changed, mark))
    return mark


def _same(some: list[Played], others: list[Played]) -> bool:
    return len(some) == len(others) and all(
        one is other or one == other for one, other in zip(some, others, strict=True)
    )


def _first(change: Adjustment, rounds: list[int]) -> int:
    """Return the first round in which a change counts, as far as there are results."""
    return next((number for number in rounds if number >= change.round_no), rounds[-1])
