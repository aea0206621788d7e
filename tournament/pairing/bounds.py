"""Lower bounds for the numbers of a certificate, each a short proof.

All are for a *given* set of players at tables of *given* sizes, whatever the seating.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import rustworkx

from .model import Pair, Table, pair


def short_of_new(
    tables: Sequence[Table], before: Mapping[Pair, int], needs: Callable[[Table], int]
) -> int:
    """Pairs that must repeat because somebody has too few new faces left among those present.

    A player who needs ``k`` others and has ``u`` not yet met repeats at least ``k − u``; each repeat
    serves two players. The need of a seat is taken as the smallest over the tables of the round.
    """
    players = {p for t in tables for p in t.players}
    if not players:
        return 0
    need = min(needs(t) for t in tables)
    known: dict[int, int] = dict.fromkeys(players, 0)
    for (a, b), times in before.items():
        if times and a in players and b in players:
            known[a] += 1
            known[b] += 1
    others = len(players) - 1
    missing = sum(max(0, need - (others - k)) for k in known.values())
    return -(-missing // 2)


def partner_bound(tables: Sequence[Table], before: Mapping[Pair, int]) -> int:
    """Pairs of partners that must repeat: what a largest matching of the others leaves over."""
    players = sorted({p for t in tables for p in t.players if len(t.players) == 4})
    graph = rustworkx.PyGraph(multigraph=True)
    nodes = dict(zip(players, graph.add_nodes_from(players), strict=True))
    graph.add_edges_from(
        [
            (nodes[a], nodes[b], 1)
            for k, a in enumerate(players)
            for b in players[k + 1 :]
            if not before.get(pair(a, b), 0)
        ]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda _: 1)
    return len(players) // 2 - len(found)


def stage_bound(total: Mapping[Pair, int], players: int) -> int:
    """Excess meetings of a stage: each player's sittings minus the others there are to meet."""
    sittings: dict[int, int] = {}
    for (a, b), times in total.items():
        sittings[a] = sittings.get(a, 0) + times
        sittings[b] = sittings.get(b, 0) + times
    missing = sum(max(0, s - (players - 1)) for s in sittings.values())
    return -(-missing // 2)


def club_bound(members: Mapping[str, int], sizes: Sequence[int]) -> int:
    """Clashes inside clubs: ``c`` members over ``t`` tables share at least so many pairs.

    Sharing out evenly is least because ``k(k−1)/2`` is convex.
    """
    tables = len(sizes)
    if not tables:
        return 0
    out = 0
    for count in members.values():
        each, more = divmod(count, tables)
        out += more * ((each + 1) * each // 2) + (tables - more) * (each * (each - 1) // 2)
    return out


def score_bound(levels: Sequence[int], sizes: Sequence[int]) -> int:
    """Sum over tables of the pairwise differences of score level, ``levels`` sorted.

    Each step of the sorted list is crossed by every pair that lies on both sides. With ``k`` players
    of a table of ``s`` below the step it is crossed ``k(s−k)`` times; given how many players lie below,
    the least total is found exactly by filling whole tables (dynamic programme over the sizes present
    would give the same: ``k(s−k)`` is concave, so at most one table is split).
    """
    if not sizes:
        return 0
    fills = _least_splits(tuple(sorted(sizes)))
    out = 0
    for below in range(1, len(levels)):
        step = levels[below] - levels[below - 1]
        if step:
            out += step * fills[below]
    return out


def _least_splits(sizes: tuple[int, ...]) -> list[int]:
    """For every number of players below a step, the fewest crossings."""
    total = sum(sizes)
    counts: dict[int, int] = {}
    for size in sizes:
        counts[size] = counts.get(size, 0) + 1
    reach = np.zeros(total + 1, dtype=bool)
    reach[0] = True
    for size, count in counts.items():
        fresh = reach.copy()
        for _ in range(count):
            moved = np.zeros_like(fresh)
            moved[size:] = fresh[:-size]
            grown = reach | moved
            if (grown == fresh).all():
                break
            fresh = fresh | grown
        reach = fresh
    out = []
    for below in range(total + 1):
        best = 0 if reach[below] else None
        for size in counts:
            for k in range(1, size):
                # One table of this size split k below; the rest of those below fill whole tables.
                # Ignoring that this very table is then used up only lowers the bound.
                if below - k >= 0 and reach[below - k]:
                    crossing = k * (size - k)
                    best = crossing if best is None else min(best, crossing)
        out.append(0 if best is None else best)
    return out


def duty_spread_bound(before: Sequence[int], duties: int) -> int:
    """Least difference of most and fewest duties once ``duties`` more are given, one a player at most.

    ``before`` are the duties had so far. Those with the fewest are all raised only if there are enough
    duties; the most stay the most only if the others can take all; and a total that does not divide
    leaves a difference of 1.
    """
    if not before:
        return 0
    fewest, most = min(before), max(before)
    least = fewest + (sum(1 for x in before if x == fewest) <= duties)
    top = most + (sum(1 for x in before if x < most) < duties)
    uneven = bool((sum(before) + duties) % len(before))
    return max(top - least, int(uneven), 0)
