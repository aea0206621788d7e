"""The rank of everybody after each round, kept beside the standing it led to.

Earlier rounds change only when a correction or a ruling reaches back: each kept round carries a
mark of all that it follows from, and is ranked anew only when that has changed.
"""

from __future__ import annotations

import hashlib
from typing import Any

from tournament.selectors.results import Field
from tournament.standings.canonical import input_bytes
from tournament.standings.model import Adjustment, Played, Rule, Standing
from tournament.standings.ranking import rank
from tournament.standings.rulejson import rule_as_json

History = list[dict[str, Any]]
"""One entry a round: ``{"round": n, "mark": hash, "ranks": {start number: rank | None}}``."""


def _ranks(standing: Standing) -> dict[str, int | None]:
    return {str(row.entrant.number): row.rank for row in standing.rows}


def history(field: Field, rule: Rule, standing: Standing, kept: History) -> History:
    """The ranks after each round that has results; ``kept`` is what was known before."""
    known = {entry["round"]: entry for entry in kept}
    made: History = []
    results: list[Played] = []
    adjustments: list[Adjustment] = []
    chain = hashlib.sha256(repr(rule_as_json(rule)).encode())
    chain.update(input_bytes(field.entrants, (), (), field.lots))
    rounds = sorted({line.round_no for line in field.results})
    for number in rounds:
        new = [line for line in field.results if line.round_no == number]
        changed = [change for change in field.adjustments if _first(change, rounds) == number]
        results += new
        adjustments += changed
        chain.update(input_bytes((), new, changed))
        mark = chain.hexdigest()
        if number == rounds[-1]:
            ranks = _ranks(standing)
        elif number in known and known[number]["mark"] == mark:
            ranks = known[number]["ranks"]
        else:
            ranks = _ranks(rank(field.entrants, results, adjustments, rule, field.lots))
        made.append({"round": number, "mark": mark, "ranks": ranks})
    return made


def _first(change: Adjustment, rounds: list[int]) -> int:
    """The round from which a change counts, as far as there are results."""
    return next((number for number in rounds if number >= change.round_no), rounds[-1])
