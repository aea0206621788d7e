"""Search for one round: contestants into tables so that the sum of pair costs is least.

``costs[i, j]`` is the cost of seating ``i`` and ``j`` at one table (symmetric, whole numbers, zero
diagonal). The search exchanges two contestants of different tables. With ``at[i, t]`` the cost of
``i`` with all players at table ``t``, the exchange of ``i`` (table ``a``) and ``j`` (table ``b``)
changes the total by::

    at[i, b] + at[j, a] − 2·costs[i, j] − at[i, a] − at[j, b]

so numpy weighs one contestant against all the others in one operation. A contestant with a cost is
taken by lot, the best exchange is made even when it is for the worse, and undoing it is forbidden
for a while (tabu search; Glover 1989). Whole numbers only: the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .chance import Chance
from .model import Progress

IntArray = npt.NDArray[np.int64]

#: More than any exchange is worth; some of them still fit a number of 64 bits.
NEVER = np.int64(1) << 58


def total_cost(costs: IntArray, table_of: IntArray) -> int:
    """Sum the cost over the pairs who share a table."""
    same = table_of[:, None] == table_of[None, :]
    return int(costs[same].sum()) // 2


def improve(
    costs: IntArray,
    table_of: IntArray,
    chance: Chance,
    *,
    bound: int = 0,
    steps: int = 20_000,
    patience: int = 3_000,
    shut: IntArray | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[IntArray, int]:
    """Return the best seating found from ``table_of`` (not changed), and its cost.

    Stops at ``bound``, after ``steps`` exchanges, ``patience`` exchanges after the last better
    seating, or when ``stop()`` is true. ``shut[i, t]`` is :data:`NEVER` where contestant ``i`` may
    not enter table ``t`` (else 0); ``table_of`` must respect it.
    """
    n = len(table_of)
    seat = table_of.astype(np.int64).copy()
    tables = int(seat.max()) + 1 if n else 0
    # By hand, table by table: integer matrix products have no fast library routine.
    at = np.zeros((n, tables), dtype=np.int64)
    for t in range(tables):
        at[:, t] = costs[:, seat == t].sum(axis=1)
    everyone, twice = np.arange(n), 2 * costs
    own = at[everyone, seat].copy()
    cost = int(own.sum()) // 2
    if tables < 2:  # nobody to be exchanged with
        return seat, cost
    best, best_cost, since = seat.copy(), cost, 0
    tabu = np.zeros(n, dtype=np.int64)
    for step in range(1, steps + 1):
        if best_cost <= bound or step - since > patience or (stop is not None and stop()):
            break
        hurt, hot = own > 0, tabu >= step
        pool = (hurt & ~hot).nonzero()[0]
        if not len(pool):
            pool = hurt.nonzero()[0]
        if not len(pool):
            break
        if progress is not None and step % 512 == 0:
            progress(step, steps)
        i = int(pool[chance.below(len(pool))])
        a = int(seat[i])
        delta = at[i].take(seat) + at[:, a] - twice[i] - (own + own[i])
        if shut is not None:
            delta += shut[i].take(seat) + shut[:, a]
        delta[seat == a] = NEVER
        allowed = delta + hot * NEVER
        if cost + int(delta.min()) < best_cost:
            allowed = delta  # better than ever: the ban on undoing is lifted
        least = int(allowed.min())
        if least >= NEVER // 2:
            continue
        ties = (allowed == least).nonzero()[0]
        j = int(ties[chance.below(len(ties))])
        b = int(seat[j])
        change = costs[j] - costs[i]
        at[:, a] += change
        at[:, b] -= change
        seat[i], seat[j] = b, a
        own = at[everyone, seat]
        cost += least
        tabu[i] = step + 4 + chance.below(8)
        tabu[j] = step + 2 + chance.below(4)
        if cost < best_cost:
            best, best_cost, since = seat.copy(), cost, step
    return best, best_cost
