"""The Swiss matching on few pairs, proven to be the cheapest over all pairs; widened until it is.

Number the score groups from the best. If a set of best groups holds an odd number of entrants (the
bye counted in its own group), every perfect matching has a pair across its border. Let each such
border take one unit ``G`` of the group term off the pairs that cross it: what is left, the
*reduced cost*, is nowhere negative (distance squared ≥ borders crossed), and for every perfect matching
``cost ≥ G · (odd borders) + Σ reduced cost of its pairs``.

So when a matching ``M`` exceeds ``G · (odd borders)`` by ``gap``, a pair whose reduced cost is above ``gap``
is in no matching cheaper than ``M``. The round is solved on the pairs of reduced cost up to ``T``; if ``gap ≤ T``
the answer is proven, else ``T`` becomes ``gap`` and the next answer is. Pairs that rematch or break a
club wish weigh more than all groups together, and are left out; when the answer needs one, the whole graph
is solved. Only a club (or family) of more than half of the entrants is foreseen: its surplus must meet
inside, ``½`` a clash for each member less ``½`` for each of the others whatever the matching, so a pair
inside it and a pair across cost nothing beyond that, and a pair of two others costs one clash more.
All in whole numbers.
"""

from __future__ import annotations

import numpy as np

from .matching import IndexArray, cheapest_matching
from .swiss_costs import Costing

#: Where the widening starts: pairs up to five places from the ideal.
FIRST = 25


def proven_matching(
    cost: Costing, left: IndexArray, right: IndexArray
) -> list[tuple[int, int]] | None:
    """Return the cheapest perfect matching over all the pairs given, or ``None`` without a proof.

    ``left`` and ``right`` hold every allowed pair of positions. ``None`` does not mean that there
    is no matching.
    """
    nodes = len(cost.ranking) + (cost.bye_node >= 0)
    again, rematch, clubs, groups, floats, order = cost.terms(left, right)
    order = order + cost.units[4] * floats
    unit = cost.units[3]
    peak = int(groups.max(initial=0)) * unit + int(order.max(initial=0))
    if peak * nodes >= 1 << 62:
        return None
    level = np.append(cost.level, cost.bye_level)[:nodes]
    borders = np.cumsum(np.bincount(level))[:-1] % 2
    odd_before = np.concatenate(([0], np.cumsum(borders)))
    floor = unit * int(borders.sum())
    crossed = np.abs(odd_before[level[left]] - odd_before[level[right]])
    reduced = order + unit * (groups - crossed)
    light = (again == 0) & (rematch == 0) & (clubs == _foreseen(cost, nodes, left, right))
    if not light.all():
        left, right, reduced = left[light], right[light], reduced[light]
        groups, order = groups[light], order[light]
    price = order + unit * groups
    limit = FIRST
    while True:
        within = reduced <= limit
        i, j, c = left[within], right[within], price[within]
        matching = cheapest_matching(nodes, i, j, c.tolist())
        if matching is None:
            if within.all():
                return None
            limit = max(4 * limit, int(reduced[~within].min()))
            continue
        width = nodes + 1
        chosen = np.array([a * width + b for a, b in matching], dtype=np.int64)
        total = int(c[np.isin(i * width + j, chosen)].sum())
        if total - floor <= limit or within.all():
            return matching
        # A pair that must leave its group again is far from the next one; a slightly higher limit
        # is often enough.
        limit = min(total - floor, 16 * limit)


def _foreseen(cost: Costing, nodes: int, left: IndexArray, right: IndexArray) -> IndexArray:
    """Return the unavoidable clashes of each pair: 1 inside a majority club.

    With such a club, −1 for a pair of two others: no pair has so few clashes, which leaves those pairs out.
    """
    for codes in (cost.club, cost.family):
        counts = np.bincount(codes[codes >= 0], minlength=1)
        if 2 * int(counts.max()) > nodes:
            inside = np.append(codes == int(counts.argmax()), [False]).astype(np.int64)
            return inside[left] + inside[right] - 1
    return np.zeros(len(left), dtype=np.int64)
