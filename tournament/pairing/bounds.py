"""Lower bounds for the numbers of a certificate, each a short proof.

All are for tables of *given* sizes, whatever the seating and no matter who sits out: ``resting`` of the players
given do, and of all choices the one that lowers the bound most is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import rustworkx

from .model import Pair, Table, pair


def short_of_new(
    tables: Sequence[Table],
    before: Mapping[Pair, int],
    needs: Callable[[Table], int],
    field: Collection[int] | None = None,
) -> int:
    """Return the least number of repeated pairs that too few unmet players make unavoidable.

    A player who needs ``k`` others and has ``u`` not yet met repeats at least ``k − u``; each
    repeat serves two players. The need of a seat is taken as the smallest over the tables of the
    round. ``field`` holds every player who could be seated: more than the tables hold when some sit
    out.
    """
    seats = sum(len(t.players) for t in tables)
    players = {p for t in tables for p in t.players} if field is None else set(field)
    if not players:
        return 0
    need = min(needs(t) for t in tables)
    known: dict[int, int] = dict.fromkeys(players, 0)
    for (a, b), times in before.items():
        if times and a in players and b in players:
            known[a] += 1
            known[b] += 1
    others = len(players) - 1
    missing = sorted(max(0, need - (others - k)) for k in known.values())
    return -(-sum(missing[:seats]) // 2)


def partner_bound(
    tables: Sequence[Table], before: Mapping[Pair, int], field: Collection[int] | None = None
) -> int:
    """Return the least number of repeated partners: those that a largest matching of the others leaves over."""
    fours = [t for t in tables if len(t.players) == 4]
    players = sorted({p for t in fours for p in t.players} if field is None else field)
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
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda _: 1)
    return max(0, 2 * len(fours) - len(matching))


def stage_bound(total: Mapping[Pair, int], players: int) -> int:
    """Excess meetings of a stage: each player's sittings minus the others there are to meet."""
    sittings: dict[int, int] = {}
    for (a, b), times in total.items():
        sittings[a] = sittings.get(a, 0) + times
        sittings[b] = sittings.get(b, 0) + times
    missing = sum(max(0, s - (players - 1)) for s in sittings.values())
    return -(-missing // 2)


def club_bound(members: Mapping[str, int], sizes: Sequence[int], resting: int = 0) -> int:
    """Clashes inside clubs: ``c`` members over ``t`` tables share at least so many pairs.

    Even sharing is least because ``k(k−1)/2`` is convex. The best player to sit out is from the
    club whose last member adds most, ``(c − 1) // t`` pairs.
    """
    tables = len(sizes)
    if not tables:
        return 0
    counts = dict(members)
    for _ in range(resting if counts else 0):
        largest = max(counts, key=lambda club: counts[club])
        counts[largest] = max(0, counts[largest] - 1)
    out = 0
    for count in counts.values():
        each, more = divmod(count, tables)
        out += more * ((each + 1) * each // 2) + (tables - more) * (each * (each - 1) // 2)
    return out


def score_bound(levels: Sequence[int], sizes: Sequence[int], resting: int = 0) -> int:
    """Sum over tables of the pairwise differences of score level, ``levels`` sorted.

    Each step of the sorted list is crossed by every pair that lies on both sides. With ``k`` players
    of a table of ``s`` below the step it is crossed ``k(s−k)`` times; given how many players lie below,
    the least total is found exactly by filling whole tables (dynamic programme over the sizes present
    would give the same: ``k(s−k)`` is concave, so at most one table is split). Those ``resting`` may be
    below the step or above it, step by step as it is least.
    """
    if not sizes:
        return 0
    fills = _least_splits(tuple(sorted(sizes)))
    out = 0
    for below in range(1, len(levels)):
        step = levels[below] - levels[below - 1]
        if step:
            above = len(levels) - below
            seated = range(max(0, below - resting), below - max(0, resting - above) + 1)
            out += step * min(fills[k] for k in seated)
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


def duty_spread_bound(before: Sequence[int], duties: int, resting: int = 0) -> int:
    """Least difference of most and fewest duties once ``duties`` more are given, one a player at most.

    ``before`` are the duties had so far, ``resting`` of these players are not seated. A difference
    ``s`` over a minimum of ``x`` allows players with ``x`` to ``x + s`` duties; every player with
    one less must get a duty, no player with ``x + s`` may get one.
    """
    seats = len(before) - resting
    if seats <= 0:
        return 0
    duties = min(duties, seats)
    had = Counter(before)
    lowest, highest = min(before), max(before)
    for spread in range(highest - lowest + 1):
        for fewest in range(lowest, highest + 2):
            raised = min(had[fewest - 1], duties)
            spared = min(had[fewest + spread], seats - duties)
            between = sum(had[x] for x in range(fewest, fewest + spread))
            if raised + between + spared >= seats:
                return spread
    return highest - lowest + 1
