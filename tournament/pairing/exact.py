"""Small fields solved exactly: every way to seat them weighed, no matter who sits out.

For every set of players that tables of one size can hold, the least price of seating it is found from
the sets one table smaller (dynamic programming over sets): the table of the set's first player is
any of the possible ones, the rest is a smaller set already solved. Two sizes of table, and who sits
out, are weighed over the solved sets. The number of seatings that reach the least price is counted along
the way, so that one of them can be drawn by lot, each equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from .chance import Chance

LARGEST: Final = 16
"""Largest field of which every seating is weighed (sixteen: some 2.6 million, in 12,870 sets of eight)."""

NEVER: Final = 1 << 60
"""The price of a table that may not be."""

IntArray = npt.NDArray[np.int64]

T = TypeVar("T")

Price = tuple[int, int]
"""Cost of a table: the second number only decides between equals in the first."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The tables, who sits out, and the price of all tables together."""

    tables: tuple[tuple[int, ...], ...]
    out: tuple[int, ...]
    price: Price


@dataclass(frozen=True, slots=True)
class _Solved:
    """For every set of players (as bits) the least price, and how many seatings reach it."""

    first: IntArray
    second: IntArray
    ways: IntArray


def fits(players: int, sizes: Iterable[int]) -> bool:
    """Whether a field is small enough, its tables of one size or two."""
    return 0 < players <= LARGEST and 1 <= len(set(sizes)) <= 2


def least_price(
    players: Sequence[int],
    sizes: Sequence[int],
    outs: Iterable[Iterable[int]],
    price: Callable[[tuple[int, ...]], int],
) -> int | None:
    """Return the least total price of any seating with one of ``outs`` sitting out; ``None`` if there is none."""
    best = Field(players, sizes, lambda table: (price(table), 0)).best(outs)
    return best[0][0] if best else None


def one_of(choices: Sequence[tuple[T, int]], chance: Chance) -> T:
    """Choose one by lot, each as likely as it has ways."""
    lot = chance.below(sum(ways for _, ways in choices))
    for choice, ways in choices:
        if lot < ways:
            return choice
        lot -= ways
    raise AssertionError("a lot is below the sum of the ways")


class Field:
    """The solved sets of one field.

    Args:
        players: who is here, sitting out or not; at most :data:`LARGEST`.
        sizes: the size of every table, at most two different ones.
        price: what a table of these players (in order of ``players``) costs; :data:`NEVER` if it may not be.
    """

    def __init__(
        self,
        players: Sequence[int],
        sizes: Sequence[int],
        price: Callable[[tuple[int, ...]], Price],
    ) -> None:
        if not fits(len(players), sizes):
            raise ValueError("the field is too large, or has tables of more than two sizes")
        self.players = tuple(players)
        self.bit = {who: 1 << k for k, who in enumerate(self.players)}
        self.sizes = sorted(set(sizes), reverse=True)
        self.count = {size: list(sizes).count(size) for size in self.sizes}
        self.prices: dict[int, dict[int, Price]] = {}
        self.solved: dict[int, list[_Solved]] = {}
        for size in self.sizes:
            self.prices[size] = {
                sum(self.bit[who] for who in table): price(table)
                for table in combinations(self.players, size)
            }
            self.solved[size] = self._solve(size)

    def _solve(self, size: int) -> list[_Solved]:
        """Compute the sets that 0, 1, 2 … tables of ``size`` hold."""
        width = 1 << len(self.players)
        first, second = np.full(width, NEVER), np.zeros(width, dtype=np.int64)
        for mask, price in self.prices[size].items():
            first[mask], second[mask] = price
        empty = _Solved(
            np.full(width, NEVER), np.zeros(width, dtype=np.int64), np.zeros(width, dtype=np.int64)
        )
        empty.first[0], empty.ways[0] = 0, 1
        out = [empty]
        for tables in range(1, self.count[size] + 1):
            held = tables * size
            rows = np.array(list(combinations(range(len(self.players)), held)), dtype=np.int64)
            bits = np.int64(1) << rows
            picks = np.array([(0, *more) for more in combinations(range(1, held), size - 1)])
            table = np.zeros((len(rows), len(picks)), dtype=np.int64)
            for column in picks.T:
                table += bits[:, column]
            whole = bits.sum(axis=1)
            rest = whole[:, None] ^ table
            before = out[-1]
            one = np.minimum(first[table] + before.first[rest], NEVER)
            two = second[table] + before.second[rest]
            least = one.min(axis=1)
            at_least = one == least[:, None]
            two = np.where(at_least, two, NEVER)
            lesser = two.min(axis=1)
            reach = at_least & (two == lesser[:, None])
            now = _Solved(
                np.full(width, NEVER),
                np.zeros(width, dtype=np.int64),
                np.zeros(width, dtype=np.int64),
            )
            now.first[whole], now.second[whole] = least, lesser
            now.ways[whole] = np.where(reach, before.ways[rest], 0).sum(axis=1)
            out.append(now)
        return out

    def best(
        self, outs: Iterable[Iterable[int]]
    ) -> tuple[Price, list[tuple[tuple[int, ...], int]]] | None:
        """Return the least price, and every division of the players into sizes of table that reaches it.

        A division is the set at the tables of each size, with the number of seatings that it has.
        """
        everybody = (1 << len(self.players)) - 1
        least: Price | None = None
        rounds: list[tuple[tuple[int, ...], int]] = []
        for out in outs:
            seated = everybody
            for who in out:
                seated &= ~self.bit[who]
            for parts in self._parts(seated):
                held = [self.solved[size][-1] for size in self.sizes]
                one = sum(int(part.first[mask]) for part, mask in zip(held, parts, strict=True))
                if one >= NEVER:
                    continue
                two = sum(int(part.second[mask]) for part, mask in zip(held, parts, strict=True))
                if least is None or (one, two) < least:
                    least, rounds = (one, two), []
                if (one, two) == least:
                    ways = 1
                    for part, mask in zip(held, parts, strict=True):
                        ways *= int(part.ways[mask])
                    rounds.append((parts, ways))
        return None if least is None else (least, rounds)

    def _parts(self, seated: int) -> Iterable[tuple[int, ...]]:
        if len(self.sizes) == 1:
            yield (seated,)
            return
        here = [1 << k for k in range(len(self.players)) if seated >> k & 1]
        for large in combinations(here, self.sizes[0] * self.count[self.sizes[0]]):
            mask = sum(large)
            yield mask, seated ^ mask

    def draw(self, outs: Iterable[Iterable[int]], chance: Chance) -> Seating | None:
        """Draw one of the seatings of least price with one of ``outs`` sitting out, each equally likely."""
        best = self.best(outs)
        if best is None:
            return None
        price, divisions = best
        parts = one_of(divisions, chance)
        tables: list[tuple[int, ...]] = []
        seated = 0
        for size, mask in zip(self.sizes, parts, strict=True):
            seated |= mask
            tables += [self._names(table) for table in self._walk(size, mask, chance)]
        out = tuple(who for who in self.players if not seated & self.bit[who])
        return Seating(tuple(tables), out, price)

    def _walk(self, size: int, mask: int, chance: Chance) -> Iterable[int]:
        """Return the tables of one best seating of a set."""
        for tables in range(self.count[size], 0, -1):
            now, before = self.solved[size][tables], self.solved[size][tables - 1]
            first = mask & -mask
            others = [1 << k for k in range(len(self.players)) if (mask ^ first) >> k & 1]
            choices: list[tuple[int, int]] = []
            for more in combinations(others, size - 1):
                table = first | sum(more)
                one, two = self.prices[size][table]
                rest = mask ^ table
                total = (one + int(before.first[rest]), two + int(before.second[rest]))
                if total == (int(now.first[mask]), int(now.second[mask])):
                    choices.append((table, int(before.ways[rest])))
            table = one_of(choices, chance)
            yield table
            mask ^= table

    def _names(self, mask: int) -> tuple[int, ...]:
        return tuple(who for who in self.players if mask & self.bit[who])
