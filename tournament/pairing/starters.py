"""First rounds of Whist tournaments, found once by search and stored; all others are made from them.

A *starter* is a round over a group of ``m`` elements (and, with ``m + 1`` players, one who stands
still): adding every element of the group to it in turn gives the tournament, when the differences of
partners are all the elements but 0 once each and those of opponents twice (Anderson, *Combinatorial
Designs and Tournaments*, chapter 7). How they were found: simulated annealing on the number of
differences missing; for the larger ones on rounds that a multiplier of the group turns into themselves
(Anderson and Finizio), so that only the *base* tables need be sought and kept; for 77 on tables
``(x, y, −x, −y)``, whose partners then differ by ``2x`` and ``2y`` and always fit. The tests develop and count
every one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Final

Four = tuple[int, int, int, int]
Tables = tuple[Four, ...]


@dataclass(frozen=True, slots=True)
class Starter:
    """A first round over the product of the cyclic groups of ``moduli`` (lowest digit first).

    ``fixed`` tables stand as they are; each of ``base`` stands for its images under multiplying the
    digits by ``multiplier``, ``order`` of them. The element ``m`` is the player who stands still. With
    ``hole`` true the elements whose lowest digit is 0, and the differences among them, are left out.
    """

    moduli: tuple[int, ...]
    fixed: Tables = ()
    multiplier: tuple[int, ...] = ()
    order: int = 1
    base: Tables = ()
    hole: bool = False

    @property
    def size(self) -> int:
        """Number of elements of the group."""
        return prod(self.moduli)

    def add(self, x: int, y: int) -> int:
        """Add two elements; the fixed player stays."""
        if x == self.size:
            return x
        out, unit = 0, 1
        for modulus in self.moduli:
            out += (x // unit + y // unit) % modulus * unit
            unit *= modulus
        return out

    def tables(self) -> Tables:
        """Return the whole first round."""
        out = list(self.fixed)
        for table in self.base:
            now = table
            for _ in range(self.order):
                out.append(now)
                a, b, c, d = (self._times(x) for x in now)
                now = (a, b, c, d)
        return tuple(out)

    def _times(self, x: int) -> int:
        out, unit = 0, 1
        for modulus, factor in zip(self.moduli, self.multiplier, strict=True):
            out += x // unit % modulus * factor % modulus * unit
            unit *= modulus
        return out


STORED: Final[dict[str, list[dict[str, Any]]]] = tomllib.loads(
    (Path(__file__).parent / "stored.toml").read_text(encoding="utf-8")
)
"""Rounds found by search; lists of lists of numbers."""


def table_of(slots: Sequence[int]) -> Four:
    """Return the four players of a stored table."""
    one, two, three, four = slots
    return one, two, three, four


def _starter(given: dict[str, Any], *, hole: bool = False) -> Starter:
    fixed, base = (tuple(map(table_of, given.get(name, ()))) for name in ("fixed", "base"))
    multiplier = tuple(given.get("multiplier", ()))
    return Starter(
        tuple(given["moduli"]), fixed, multiplier, given.get("order", 1), base, hole=hole
    )


#: First rounds: players → tables as (N, E, S, W); slots below the modulus turn, the last stands still.
FIRST_ROUNDS: Final[dict[int, Tables]] = {
    each["players"]: tuple(map(table_of, each["tables"])) for each in STORED["first_round"]
}

#: Players → starter, for numbers that no other construction reaches.
STARTERS: Final = {each["players"]: _starter(each) for each in STORED["starter"]}

#: (players of a group, groups) → starter with a hole: each round leaves out one group.
HOLED: Final[dict[tuple[int, ...], Starter]] = {
    tuple(each["key"]): _starter(each, hole=True) for each in STORED["holed"]
}

#: (m, v) → the ``m`` first rounds with a hole of a frame with ``v`` groups of ``m``, where none turned through
#: the whole group is known: each is turned through its lowest digit only.
HOLED_APART: Final[dict[tuple[int, ...], tuple[Starter, ...]]] = {
    key: tuple(
        _starter(each, hole=True) for each in STORED["holed_apart"] if tuple(each["key"]) == key
    )
    for key in {tuple(each["key"]): None for each in STORED["holed_apart"]}
}
