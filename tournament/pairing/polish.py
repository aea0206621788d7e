"""Polish of a round whose meetings must repeat: avoid at least repeated partners and opponents.

The search of :mod:`.search` weighs pairs of players. Partners are only known once a table of four
is split into two sides. In a small field whose meetings are used up, this module weighs the split
too: the cost of a table is its pair costs, then the repeated partners of its best split, then that
split's repeated opponents. Exchanges that do not make the total worse are made, by lot, until no
partner or opponent repeats or the attempts run out.
"""

from __future__ import annotations

from collections.abc import Sequence

from .chance import Chance
from .model import History
from .search import IntArray
from .seating import SPLITS, split_cost

_PARTNER = 1_000
_PAIRS = 1_000_000


class _Tables:
    """Costs of tables of four, remembered by their players."""

    def __init__(self, ids: Sequence[int], matrix: IntArray, history: History) -> None:
        self.ids = ids
        self.rows: list[list[int]] = matrix.tolist()
        self.history = history
        self.known: dict[tuple[int, ...], tuple[int, int]] = {}

    def cost(self, players: Sequence[int]) -> tuple[int, int]:
        """``(everything, partners and opponents only)`` of one table."""
        key = tuple(sorted(players))
        cost = self.known.get(key)
        if cost is None:
            rows = self.rows
            pairs = sum(rows[a][b] for k, a in enumerate(key) for b in key[k + 1 :])
            sides = 0
            if len(key) == 4:
                names = [self.ids[k] for k in key]
                weights = [split_cost([names[k] for k in way], self.history) for way in SPLITS]
                partner, opponent = min(weights)
                sides = _PARTNER * partner + opponent
            cost = (_PAIRS * pairs + sides, sides)
            self.known[key] = cost
        return cost


def polish(
    groups: list[list[int]],
    ids: Sequence[int],
    matrix: IntArray,
    history: History,
    chance: Chance,
    tries: int = 300,
) -> list[list[int]]:
    """Return the groups (positions into ``ids``) with the fewest repeated partners, then opponents, found."""
    if not any(
        len(g) == 4
        and min(split_cost([ids[g[k]] for k in way], history) for way in SPLITS) > (0, 0)
        for g in groups
    ):
        return groups
    memory = _Tables(ids, matrix, history)
    now = [list(g) for g in groups]
    costs = [memory.cost(g) for g in now]
    total = sum(c for c, _ in costs)
    best, best_total = [list(g) for g in now], total
    for _ in range(tries):
        troubled = [k for k, (_, sides) in enumerate(costs) if sides]
        if not troubled:
            break
        a = troubled[chance.below(len(troubled))]
        i = chance.below(len(now[a]))
        options: list[tuple[int, int, int]] = []
        for b in range(len(now)):
            if b == a:
                continue
            for j in range(len(now[b])):
                one, two = list(now[a]), list(now[b])
                one[i], two[j] = two[j], one[i]
                change = memory.cost(one)[0] + memory.cost(two)[0] - costs[a][0] - costs[b][0]
                options.append((change, b, j))
        if not options:
            break
        least = min(options)[0]
        if least > 0:
            continue
        equal = [o for o in options if o[0] == least]
        _, b, j = equal[chance.below(len(equal))]
        now[a][i], now[b][j] = now[b][j], now[a][i]
        costs[a], costs[b] = memory.cost(now[a]), memory.cost(now[b])
        total += least
        if total < best_total:
            best, best_total = [list(g) for g in now], total
    return best
