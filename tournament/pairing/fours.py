"""Fields of 17 to 24 players at tables of four solved exactly: every way to seat them is weighed.

The table of the first player left is any of the possible ones, and the rest is a smaller set already solved
(dynamic programming over sets). After ``k`` tables the ``k`` first players are seated or sit out, so only sets of
the others are solved: 88 million steps for 24 players, a second or two. The seatings that reach the least
price are counted, so that one of them can be drawn by lot, each equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from .chance import Chance
from .exact import Seating, one_of

SIZES: Final = range(17, 25)
"""Numbers of players that are solved."""
NEVER: Final = 1 << 60
"""More than any seating costs."""
_BITS: Final = 60
_KEY: Final = 20
"""Bits of the key of a table, its four seats as digits."""
_STEPS: Final = 1 << 18
"""Table choices weighed at once."""
_SPARSE: Final = 1 << 12

IntArray = npt.NDArray[np.int64]
Price = tuple[int, ...]
"""Cost of a table, the heaviest term first."""


@dataclass(frozen=True, slots=True)
class _Solved:
    """The sets of one size: least price and how many seatings reach it, by the set's bits."""

    masks: IntArray | None
    least: IntArray
    ways: IntArray

    def at(self, sets: IntArray) -> IntArray:
        """Return the places of sets in ``least`` and ``ways``."""
        return sets if self.masks is None else np.searchsorted(self.masks, sets)


class FieldOfFours:
    """A field of which every seating at tables of four is weighed.

    Args:
        players: who is here, sitting out or not.
        resting: how many sit out.
        price: what a table of four costs, term by term; ``None`` where it may not be.
    """

    def __init__(
        self,
        players: Sequence[int],
        resting: int,
        price: Callable[[tuple[int, ...]], Price | None],
    ) -> None:
        self.players, self.n = tuple(players), len(players)
        self.tables = (self.n - resting) // 4
        given = {
            seats: price(tuple(self.players[k] for k in seats))
            for seats in combinations(range(self.n), 4)
        }
        self._units = _units([each for each in given.values() if each is not None], self.tables)
        self._prices = np.full(self.n**4, NEVER, dtype=np.int64)
        for seats, terms in given.items():
            if terms is not None:
                self._prices[self._key(seats)] = self.weigh(terms)
        self._solved = [_Solved(None, np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))]
        for seated in range(self.tables - 1, 0, -1):
            self._solved.insert(0, self._solve(seated))

    def weigh(self, terms: Price) -> int:
        """Combine the terms of a table, or their sums over tables, into one whole number."""
        return sum(term * unit for term, unit in zip(terms, self._units, strict=False))

    def _key(self, seats: Sequence[int]) -> int:
        return sum(seat * self.n**power for seat, power in zip(seats, (3, 2, 1, 0), strict=True))

    def _solve(self, seated: int) -> _Solved:
        """Compute the sets that remain after ``seated`` tables."""
        size, width = 4 * (self.tables - seated), self.n - seated
        count = comb(width, size)
        flat = chain.from_iterable(combinations(range(width), size))
        rows = np.fromiter(flat, dtype=np.int64, count=count * size).reshape(count, size)
        masks = (np.int64(1) << rows).sum(axis=1)
        least, ways = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        picks = np.array(list(combinations(range(1, size), 3)), dtype=np.int64)
        step = max(1, _STEPS // len(picks))
        for first in range(0, count, step):
            part = slice(first, first + step)
            least[part], ways[part] = self._weighed(seated, rows[part], masks[part], picks)
        if count <= _SPARSE:
            order = np.argsort(masks)
            return _Solved(masks[order], least[order], ways[order])
        dense = _Solved(None, np.full(1 << width, NEVER), np.zeros(1 << width, dtype=np.int64))
        dense.least[masks], dense.ways[masks] = least, ways
        return dense

    def _choices(
        self, seated: int, rows: IntArray, masks: IntArray, picks: IntArray
    ) -> tuple[IntArray, IntArray]:
        """For sets left once ``seated`` tables are: the price of each choice of the next table, and what it leaves."""
        # A seat's part of the key of a table below, its bit above: a table is the sum of four.
        bits = np.int64(1) << (rows + _KEY)
        parts = [bits + (rows + seated) * self.n**power for power in (3, 2, 1, 0)]
        tables = parts[0][:, :1] + parts[1].take(picks[:, 0], axis=1)
        tables += parts[2].take(picks[:, 1], axis=1)
        tables += parts[3].take(picks[:, 2], axis=1)
        price = self._prices.take(tables & ((1 << _KEY) - 1))
        after = self._solved[-(self.tables - seated)]
        sets = after.at((masks[:, None] - (tables >> _KEY)) >> 1)
        price += after.least.take(sets)
        return price, sets

    def _weighed(
        self, seated: int, rows: IntArray, masks: IntArray, picks: IntArray
    ) -> tuple[IntArray, IntArray]:
        price, sets = self._choices(seated, rows, masks, picks)
        least = price.min(axis=1)
        row, column = (price == least[:, None]).nonzero()
        ways = self._solved[-(self.tables - seated)].ways[sets[row, column]]
        counted = np.bincount(row, weights=ways, minlength=len(rows)).astype(np.int64)
        return np.minimum(least, NEVER), counted

    def draw(self, outs: Iterable[Iterable[int]], chance: Chance) -> Seating | None:
        """Draw one of the seatings of least price with one of ``outs`` sitting out, each equally likely.

        Its price is :meth:`weigh`'s. ``None`` where there is none.
        """
        index = {who: k for k, who in enumerate(self.players)}
        least, best = NEVER, list[tuple[tuple[int, ...], int]]()
        picks = np.array(list(combinations(range(1, 4 * self.tables), 3)), dtype=np.int64)
        for out in outs:
            away = {index[who] for who in out}
            row = np.array([[k for k in range(self.n) if k not in away]], dtype=np.int64)
            price, ways = self._weighed(0, row, (np.int64(1) << row).sum(axis=1), picks)
            if price[0] < least:
                least, best = int(price[0]), []
            if price[0] == least < NEVER:
                best.append((tuple(row[0].tolist()), int(ways[0])))
        if not best:
            return None
        here = one_of(best, chance)
        tables = tuple(tuple(self.players[k] for k in table) for table in self._walk(here, chance))
        seated = {who for table in tables for who in table}
        return Seating(tables, tuple(p for p in self.players if p not in seated), (least, 0))

    def _walk(self, here: tuple[int, ...], chance: Chance) -> Iterable[tuple[int, ...]]:
        """Return the tables of one best seating of a set."""
        for seated in range(self.tables):
            row = np.array([here], dtype=np.int64) - seated
            picks = np.array(list(combinations(range(1, len(here)), 3)), dtype=np.int64)
            price, sets = self._choices(seated, row, (np.int64(1) << row).sum(axis=1), picks)
            at = np.flatnonzero(price[0] == price[0].min())
            ways = self._solved[-(self.tables - seated)].ways[sets[0, at]]
            k = one_of(list(zip(at.tolist(), ways.tolist(), strict=True)), chance)
            table = (here[0], *(here[p] for p in picks[k].tolist()))
            yield table
            here = tuple(p for p in here if p not in table)


def _units(prices: Sequence[Price], tables: int) -> list[int]:
    """Return a weight for each term, so that no sum of later terms outweighs an earlier one.

    The last terms are left out when they do not fit into ``_BITS`` bits.
    """
    units: list[int] = []
    most = [tables * max(column) + 1 for column in zip(*prices, strict=True)]
    while most:
        total = 1
        units = []
        for each in reversed(most):
            units.insert(0, total)
            total *= each
        if total < 1 << _BITS:
            break
        most.pop()
    return units
