"""Closed forms of the individual draw: whole stages in which no two players meet twice.

The players of ``n = 4m`` slots stand in four columns A, B, C, D of ``m``. In round ``r`` table ``t``
takes ``A_t, B_{t+f(r)}, C_{t+g(r)}, D_{t+h(r)}`` in a group of ``m`` elements. Two players of one
column never meet; two of different columns meet at most once exactly when each of
``f, g, h, g−f, h−f, h−g`` takes a value at most once over the rounds. Three ways to such f, g, h:

1. ``f, g, h = r, ar, br`` modulo ``m`` (the championship's columns; the Rainbow movement is
   ``1, 2, −2`` for a number of tables prime to 6);
2. ``r, ar, br`` in the finite field of ``m`` elements, ``m`` a prime power (8, 9, 16 …): all ``m``
   rounds; if moreover 4 divides ``m`` the columns themselves are then drawn inside, recursively;
3. values found by search for the other orders, written in :data:`FOUND` and checked by the tests; for
   12, 15 and 21 also sets for all ``m`` rounds (:mod:`.orthogonal`).

Sixteen, twenty-eight and forty players reach every meeting exactly once (5, 9 and 13 rounds), and 24
players 7 rounds, by one base round developed modulo a cyclic group (:data:`BASE`).

A plan is a tuple of rounds, a round a tuple of tables, a table four slot numbers from 0; in the column
forms the first player of table ``t`` (slot ``t``) never moves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from .fields import field_of
from .orthogonal import columns_of
from .starters import STORED, table_of

SlotTable = tuple[int, ...]
SlotRound = tuple[SlotTable, ...]
SlotPlan = tuple[SlotRound, ...]
Shifts = tuple[int, int, int]

_LINEAR = ((1, 2, 3), (1, 2, -2), (1, 3, 4), (1, 2, 5), (1, 3, 5), (2, 3, 5), (1, 4, 6))


def _columns(
    m: int, shifts: list[tuple[int, int, int]], add: Callable[[int, int], int]
) -> SlotPlan:
    return tuple(
        tuple((t, m + add(t, f), 2 * m + add(t, g), 3 * m + add(t, h)) for t in range(m))
        for f, g, h in shifts
    )


def linear_coefficients(m: int, rounds: int) -> tuple[int, int, int] | None:
    """Coefficients ``1·r, a·r, b·r`` modulo ``m`` good for that many rounds, if listed ones are.

    >>> linear_coefficients(136, 6)
    (1, 2, 3)
    """
    for a, b, c in _LINEAR:
        differences = (a, b, c, b - a, c - a, c - b)
        if all(k * d % m for d in differences for k in range(1, rounds)):
            return (a, b, c)
    return None


def _linear(m: int, rounds: int) -> SlotPlan | None:
    coefficients = linear_coefficients(m, rounds)
    if coefficients is None:
        return None
    a, b, c = coefficients
    return _columns(
        m, [(a * r % m, b * r % m, c * r % m) for r in range(rounds)], lambda x, y: (x + y) % m
    )


def _field(m: int, rounds: int) -> SlotPlan | None:
    f = field_of(m) if m >= 4 else None
    if f is None:
        return None
    mul, w = f.mul, f.generator
    shifts = [(r, mul(w, r), mul(mul(w, w), r)) for r in range(min(m, rounds))]
    plan = _columns(m, shifts, f.add)
    if rounds <= m:
        return plan
    inner = plan_for(m, rounds - m) if m % 4 == 0 else None
    if inner is None:
        return None
    within = tuple(
        tuple(tuple(c * m + s for s in table) for c in range(4) for table in one) for one in inner
    )
    return plan + within


def _designs(m: int, rounds: int) -> SlotPlan | None:
    stored = FOUND.get(m)
    if stored is None or rounds > len(stored[1]):
        return None
    low = stored[0]

    def add(x: int, y: int) -> int:
        # The group is Z_low × Z_{m/low}; element x is (x mod low, x div low).
        high = m // low
        return (x + y) % low + low * ((x // low + y // low) % high)

    return _columns(m, list(stored[1][:rounds]), add)


def _complete(m: int, rounds: int) -> SlotPlan | None:
    whole = columns_of(m)
    if whole is None or rounds > m:
        return None
    return _columns(m, list(whole.shifts[:rounds]), whole.add)


def _developed(n: int, rounds: int) -> SlotPlan | None:
    stored = BASE.get(n)
    if stored is None or rounds > stored[0]:
        return None
    order, base = stored
    finite = n // order * order

    def turned(slot: int, r: int) -> int:
        return slot if slot >= finite else slot // order * order + (slot % order + r) % order

    return tuple(tuple(tuple(turned(s, r) for s in table) for table in base) for r in range(rounds))


#: Shifts (f, g, h) of each round found by search, for a number of tables that is no prime power:
#: m → (modulus of the low part, triples); the group is Z_low × Z_(m/low).
FOUND: Final[dict[int, tuple[int, tuple[Shifts, ...]]]] = {
    each["m"]: (each["low"], tuple((f, g, h) for f, g, h in each["rounds"]))
    for each in STORED["shifts"]
}

#: Base rounds: n → (order k of the cyclic group, tables). Slot s below the last multiple of k turns
#: within its run of k; the slots above it stand still. Round r adds r.
BASE: Final[dict[int, tuple[int, SlotRound]]] = {
    each["players"]: (each["order"], tuple(map(table_of, each["tables"])))
    for each in STORED["base_round"]
}


@lru_cache(maxsize=64)
def plan_for(n: int, rounds: int) -> SlotPlan | None:
    """Return a plan for ``n`` slots over ``rounds`` rounds in which no two slots meet twice, or ``None``.

    ``None`` means that no closed form is known here, not that none exists.

    >>> plan_for(544, 6)[1][0]
    (0, 137, 274, 411)
    """
    if n == 4 and rounds == 1:
        return (((0, 1, 2, 3),),)
    if n < 4 or n % 4 or rounds < 1 or rounds * 3 > n - 1:
        return None
    m = n // 4
    if rounds == 1:
        return _columns(m, [(0, 0, 0)], lambda x, y: (x + y) % m)
    return (
        _linear(m, rounds)
        or _field(m, rounds)
        or _designs(m, rounds)
        or _developed(n, rounds)
        or _complete(m, rounds)
    )


@lru_cache(maxsize=256)
def longest(n: int) -> int:
    """Return the largest number of rounds of a closed form for ``n`` players (0 when none)."""
    best = 0
    for rounds in range(1, (n - 1) // 3 + 1 if n > 4 else 2):
        if plan_for(n, rounds) is None:
            break
        best = rounds
    return best


#: Shifts for six tables, all five rounds there are (every choice in the group of order 6 was tried).
SIX_TABLES = ((0, 0, 0), (1, 2, 3), (2, 4, 1), (4, 1, 5), (5, 3, 2))


@lru_cache(maxsize=256)
def standing_plan(n: int, rounds: int) -> SlotPlan | None:
    """Return such a plan with the first player of every table at that table in every round (the Rainbow's North).

    >>> standing_plan(24, 5)[4][1], standing_plan(24, 6), plan_for(24, 6) is None
    ((1, 6, 16, 21), None, False)
    """
    if n == 24 and 1 < rounds <= len(SIX_TABLES):
        return _columns(6, list(SIX_TABLES[:rounds]), lambda x, y: (x + y) % 6)
    plan = plan_for(n, rounds)
    if plan is None or any(table[0] != t for one in plan for t, table in enumerate(one)):
        return None
    return plan


@lru_cache(maxsize=256)
def standing_longest(n: int) -> int:
    """Return the largest number of rounds of :func:`standing_plan` for ``n`` players (0 when none)."""
    best = 0
    while standing_plan(n, best + 1) is not None:
        best += 1
    return best
