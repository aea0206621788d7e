"""A lower bound table by table, for small fields where meetings are used up.

Anyone who sits at a table of ``s`` sits in *some* set of ``s`` players, and a set repeats at least what its pairs
have in common already (of the three ways to split four into sides, the best). With ``m`` the least over all
sets that hold a player, the tables of a round repeat at least the sum over the players of ``m / s``. Every set is
weighed, so this is for fields up to :data:`LARGEST`; eight players in a second round, say, meet at least four
again, because four out of two tables of four are at best two and two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt

from .model import Pair
from .seating import SPLITS

LARGEST: Final = 48
"""Largest field of which every set of four is weighed (194,580 sets)."""

IntArray = npt.NDArray[np.int64]


def meeting_bound(players: Sequence[int], sizes: Sequence[int], before: Mapping[Pair, int]) -> int:
    """Return a lower bound of repeated meetings, whatever the seating at tables of three and four.

    More ``players`` than seats: some sit out.
    """
    return _bound(players, sizes, before, opponents=False)


def opponent_bound(players: Sequence[int], sizes: Sequence[int], before: Mapping[Pair, int]) -> int:
    """Return a lower bound of repeated opponents; at a table of three all are opponents."""
    return _bound(players, sizes, before, opponents=True)


def _bound(
    players: Sequence[int], sizes: Sequence[int], before: Mapping[Pair, int], *, opponents: bool
) -> int:
    n = len(players)
    seats = sum(sizes)
    if not sizes or n > LARGEST or not set(sizes) <= {3, 4} or n < seats:
        return 0
    index = {p: k for k, p in enumerate(players)}
    met = np.zeros((n, n), dtype=np.int64)
    for (a, b), times in before.items():
        if times and a in index and b in index:
            met[index[a], index[b]] = met[index[b], index[a]] = 1
    least = {size: _least(met, size, opponents=opponents) for size in set(sizes)}
    shares = sorted(min(Fraction(int(least[size][k]), size) for size in least) for k in range(n))
    return ceil(sum(shares[:seats]))


def _least(met: IntArray, size: int, *, opponents: bool) -> IntArray:
    """For every player the fewest repeats of a set of ``size`` that holds them."""
    n = len(met)
    sets = np.array(list(combinations(range(n), size)), dtype=np.int64).T
    pairs = list(combinations(range(size), 2))
    if opponents and size == 4:
        ways = [sum(met[sets[x], sets[y]] for x in (a, b) for y in (c, d)) for a, b, c, d in SPLITS]
        cost: IntArray = np.minimum.reduce([np.asarray(way) for way in ways])
    else:
        cost = np.asarray(sum(met[sets[x], sets[y]] for x, y in pairs))
    out = np.full(n, size * size, dtype=np.int64)
    for row in sets:
        np.minimum.at(out, row, cost)
    return out
