"""Terms of the cost of a match of pairs Swiss, as arrays over the ranking (see :mod:`.swiss`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from .chance import Chance
from .costs import score_levels
from .matching import IndexArray
from .model import Contestant, Request


class Order(StrEnum):
    """Ideal opponents inside a score group."""

    HALVES = "halves"
    NEIGHBOURS = "neighbours"


SIDES_SINCE = 7
SIDE = 4
"""What a pair that has sat on one side two matches more than on the other adds: as two places, squared."""
FIXED = {"NS": 1, "EW": -1}


class ByeFor(StrEnum):
    """Place of the ranking that sits out when the number is odd."""

    LAST = "last"
    MIDDLE = "middle"


@dataclass(frozen=True, slots=True)
class Costing:
    """The terms of every match as arrays over the ranking (position 0 is the best)."""

    ranking: tuple[Contestant, ...]
    level: IndexArray
    place: IndexArray
    size: IndexArray
    club: IndexArray
    family: IndexArray
    byes: IndexArray
    floated: IndexArray
    ahead: IndexArray
    """How many matches more than at East-West each has sat at North-South."""
    fixed: IndexArray
    """1 for a pair that always sits North-South, −1 for one that sits East-West."""
    met: dict[tuple[int, int], int]
    banned: frozenset[tuple[int, int]]
    order: Order
    bye_for: ByeFor
    bye_node: int
    bye_level: int
    units: tuple[int, ...]

    def order_deviation(self, i: IndexArray, j: IndexArray) -> IndexArray:
        """The last term before squaring; positions ``i < j``, both entrants."""
        across = self.level[i] != self.level[j]
        if self.order is Order.NEIGHBOURS:
            return j - i - 1
        gap = np.abs(self.place[j] - self.place[i])
        inside: IndexArray = np.abs(gap - self.size[i] // 2)
        return np.where(across, j - i - 1, inside)

    def terms(self, i: IndexArray, j: IndexArray) -> list[IndexArray]:
        """Return the six terms of the pairs ``(i[k], j[k])``, ``i < j``; the bye is the last position."""
        n = len(self.ranking)
        bye = j == self.bye_node
        jj = np.where(bye, 0, j)
        zero = np.zeros(len(i), dtype=np.int64)
        again = np.where(bye, self.byes[i], zero)
        rematch = zero.copy()
        if self.met:
            key = i * (n + 1) + j
            known = np.array([a * (n + 1) + b for a, b in self.met], dtype=np.int64)
            times = np.array(list(self.met.values()), dtype=np.int64)
            sort = np.argsort(known)
            known, times = known[sort], times[sort]
            at = np.minimum(np.searchsorted(known, key), len(known) - 1)
            rematch = np.where(known[at] == key, times[at], 0)
        clubs = np.where(
            ~bye
            & (
                ((self.club[i] >= 0) & (self.club[i] == self.club[jj]))
                | ((self.family[i] >= 0) & (self.family[i] == self.family[jj]))
            ),
            1,
            0,
        )
        target = bye_place(n, self.bye_for)
        to_bye = np.abs(self.level[i] - self.bye_level)
        groups = np.where(bye, to_bye, self.level[i] - self.level[jj])
        down = ~bye & (groups < 0)
        floats = np.where(down, (self.floated[i] < 0).astype(np.int64) + (self.floated[jj] > 0), 0)
        sides = np.where(bye, 0, self.sides(i, jj))
        order = np.where(bye, np.abs(i - target), self.order_deviation(i, jj))
        return [
            again,
            rematch * rematch,
            clubs,
            groups * groups,
            floats,
            order * order + SIDE * sides,
        ]

    def sides(self, i: IndexArray, j: IndexArray) -> IndexArray:
        """Return how many of the two then have sat on one side two matches more than on the other."""
        if not self.ahead.any():
            return np.zeros(len(i), dtype=np.int64)
        to_first = self.ahead[i] <= self.ahead[j]
        swapped = np.where(
            to_first,
            (self.fixed[i] < 0) | (self.fixed[j] > 0),
            (self.fixed[j] < 0) | (self.fixed[i] > 0),
        )
        turn = np.where(to_first ^ swapped, 1, -1)
        again = np.abs(self.ahead[i] + turn) > 1
        other = np.abs(self.ahead[j] - turn) > 1
        return again.astype(np.int64) + other

    def combine(self, terms: list[IndexArray]) -> list[int]:
        """Combine the terms into one whole number a pair, exact whatever its size."""
        if self.units[0] * (int(terms[0].max(initial=0)) + 1) < 1 << 62:
            total = sum((t * u for t, u in zip(terms, self.units, strict=True)), np.int64(0))
            combined: list[int] = np.asarray(total).tolist()
            return combined
        return [
            sum(t * u for t, u in zip(row, self.units, strict=True))
            for row in zip(*(t.tolist() for t in terms), strict=True)
        ]


def bye_scale(request: Request) -> int:
    """Return the weight of one earlier bye: two when a player asks to sit out, so that they come
    first among equals.
    """
    return 2 if request.version >= 4 and request.wishes.bye_first else 1


def bye_place(n: int, bye_for: ByeFor) -> int:
    """Return the position of the ranking that ideally sits out."""
    return n // 2 if bye_for is ByeFor.MIDDLE else n - 1


def rank_order(request: Request, contestants: list[Contestant]) -> list[Contestant]:
    """By score, then rank (unknown last), then rating, then by lot of the stage's seed."""
    chance = Chance(request.seed, "ranking")
    lot = {c: k for k, c in enumerate(chance.shuffled(sorted(c.id for c in request.contestants)))}
    return sorted(contestants, key=lambda c: (-c.score, c.rank or 1 << 60, -c.rating, lot[c.id]))


def _codes(labels: list[str], active: bool) -> IndexArray:
    numbers: dict[str, int] = {}
    return np.array(
        [numbers.setdefault(s, len(numbers)) if s and active else -1 for s in labels],
        dtype=np.int64,
    )


def costing(
    request: Request, order: Order = Order.HALVES, bye_for: ByeFor = ByeFor.LAST
) -> Costing:
    """Return the stated cost of the round, for callers that weigh a match themselves."""
    away = request.wishes.held | {p for t in request.wishes.locked for p in t.players}
    ranking = rank_order(request, [c for c in request.contestants if c.id not in away])
    levels = score_levels(ranking)
    at = {c.id: k for k, c in enumerate(ranking)}
    n = len(ranking)
    level = np.array([levels[c.score] for c in ranking], dtype=np.int64)
    sizes = np.bincount(level, minlength=1) if n else np.zeros(1, dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    met = {
        (min(at[a], at[b]), max(at[a], at[b])): times
        for (a, b), times in request.history.opponents.items()
        if times and a in at and b in at
    }
    banned = frozenset(
        (min(at[a], at[b]), max(at[a], at[b]))
        for a, b in request.wishes.bans
        if a in at and b in at
    )
    number = request.round_no
    half = (n + 1) // 2
    scale = bye_scale(request)
    byes = np.array(
        [
            scale * request.history.byes.get(c.id, 0)
            + (scale > 1 and c.id not in request.wishes.bye_first)
            for c in ranking
        ],
        dtype=np.int64,
    )
    floated = np.array([c.floated for c in ranking], dtype=np.int64)
    history = request.history
    ahead = np.array(
        [
            history.first_sides.get(c.id, 0) - history.second_sides.get(c.id, 0)
            if request.version >= SIDES_SINCE
            else 0
            for c in ranking
        ],
        dtype=np.int64,
    )
    peaks = [
        n * n + (2 * SIDE if ahead.any() else 0),
        2 if floated.any() else 0,
        max(len(levels) - 1, 0) ** 2,
        1,
        max(met.values(), default=0) ** 2,
    ]
    units = [1]
    for peak in peaks:
        units.append(units[-1] * (peak * half + 1))
    return Costing(
        tuple(ranking),
        level,
        np.arange(n) - starts[level] if n else level,
        sizes[level] if n else level,
        _codes([c.club for c in ranking], number <= request.wishes.clubs_apart_until),
        _codes([c.family for c in ranking], number <= request.wishes.families_apart_until),
        byes,
        floated,
        ahead,
        np.array([FIXED.get(c.fixed_seat, 0) for c in ranking], dtype=np.int64),
        met,
        banned,
        order,
        bye_for,
        n if n % 2 else -1,
        int(level[bye_place(n, bye_for)]) if n else 0,
        tuple(reversed(units)),
    )
