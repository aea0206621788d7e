"""Stages chained with cut-offs: who goes on, and where the others go.

"The 128 best scores to the semi-final, the 32 table winners to the final" (D.1, 2023): both are one
rule, ``top n``, ``table winners`` or both together. Ties at the cut are not broken here: ranks come from the
standings, and equal ranks at the cut are all reported, for the regulation (or the organiser) to decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .model import Contestant, Table


@dataclass(frozen=True, slots=True)
class CutOff:
    """The rule: the best ``top`` of the ranking and, when asked, every ``table_winners`` place.

    ``table_winners`` is the number taken from each table of the last round (0 none, 1 winners …).
    ``lucky`` fills up to that total with the best of the others (so that tables are full).
    """

    top: int = 0
    table_winners: int = 0
    lucky: int = 0


@dataclass(frozen=True, slots=True)
class Qualified:
    """The outcome: ids in ranking order, those out, and those tied across the cut."""

    through: tuple[int, ...]
    out: tuple[int, ...]
    tied: tuple[int, ...]


def cut(
    ranking: Sequence[Contestant],
    rule: CutOff,
    tables: Sequence[Table] = (),
    table_ranks: Mapping[int, int] | None = None,
) -> Qualified:
    """Apply the rule.

    ``ranking`` is in standings order with ``rank`` set (equal ranks are ties); ``tables`` are those of the
    stage's last round and ``table_ranks`` each player's place at his table (1 best). ``tied`` lists all
    who share the rank at which the ``top`` or ``lucky`` cut falls, when the cut goes through them.
    """
    places = table_ranks or {}
    order = [c.id for c in ranking]
    through = set(order[: rule.top])
    tied = set(_tie(ranking, rule.top))
    if rule.table_winners:
        for table in tables:
            through |= {p for p in table.players if 0 < places.get(p, 0) <= rule.table_winners}
    rest = [c for c in ranking if c.id not in through]
    missing = max(0, rule.lucky - len(through))
    if missing:
        through |= {c.id for c in rest[:missing]}
        tied |= set(_tie(rest, missing))
    return Qualified(
        tuple(i for i in order if i in through),
        tuple(i for i in order if i not in through),
        tuple(i for i in order if i in tied),
    )


def _tie(ranking: Sequence[Contestant], at: int) -> list[int]:
    if not 0 < at < len(ranking):
        return []
    last, following = ranking[at - 1], ranking[at]
    if not last.rank or last.rank != following.rank:
        return []
    return [c.id for c in ranking if c.rank == last.rank]
