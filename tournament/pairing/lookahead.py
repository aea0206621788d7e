"""Looking ahead in a small field: this round and those to come, improved together.

With few players a round drawn on its own uses up meetings that the later rounds will need. Here all
remaining rounds are seated together and improved in turn, each against the meetings of all the
others and of the past, so that the first of them leaves the most to the rest. Only the first is
used; the next draw looks ahead again, with the players present then.
"""

from __future__ import annotations

import numpy as np

from .chance import Chance
from .costs import MEETING, Costs
from .model import Progress, Request
from .search import IntArray, improve, total_cost


def _together(table_of: IntArray) -> IntArray:
    same: IntArray = (table_of[:, None] == table_of[None, :]).astype(np.int64)
    np.fill_diagonal(same, 0)
    return same


def look_ahead(
    request: Request,
    costs: Costs,
    start: IntArray,
    remaining: int,
    chance: Chance,
    progress: Progress | None = None,
    shut: IntArray | None = None,
    sweeps: int = 60,
    patience: int = 15,
) -> IntArray:
    """Return a seating of this round that leaves least repetition to the ``remaining`` rounds (this included).

    ``costs`` and ``shut`` (:func:`.search.improve`) are those of this round; the later rounds are
    weighed by meetings alone.
    """
    n = len(start)
    rounds: list[IntArray] = [start.copy()]
    for _ in range(remaining - 1):
        order = chance.shuffled(range(n))
        seat = np.zeros(n, dtype=np.int64)
        seat[np.array(order)] = np.sort(start)
        rounds.append(seat)
    met = np.zeros((n, n), dtype=np.int64)
    index = {who: k for k, who in enumerate(costs.ids)}
    for (a, b), times in request.history.meetings.items():
        if a in index and b in index:
            met[index[a], index[b]] = met[index[b], index[a]] = times
    wishes = costs.matrix - MEETING * met
    together = [_together(seat) for seat in rounds]
    count = met + np.sum(together, axis=0)
    best: tuple[int, IntArray] | None = None
    since = 0
    for sweep in range(sweeps):
        for k in range(remaining):
            count -= together[k]
            matrix = MEETING * count + (wishes if k == 0 else 0)
            rounds[k], _ = improve(
                matrix, rounds[k], chance, steps=30 + 4 * n, shut=None if k else shut
            )
            together[k] = _together(rounds[k])
            count += together[k]
        excess = np.maximum(count - 1, 0)
        worth = int(excess.sum()) // 2 * MEETING + total_cost(np.maximum(wishes, 0), rounds[0])
        if best is None or worth < best[0]:
            best, since = (worth, rounds[0].copy()), sweep
        if worth == 0 or sweep - since > patience:
            break
        if progress is not None:
            progress(sweep + 1, sweeps)
    return start if best is None else best[1]
