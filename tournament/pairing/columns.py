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

from .fields import field_of
from .orthogonal import columns_of

SlotTable = tuple[int, ...]
SlotRound = tuple[SlotTable, ...]
SlotPlan = tuple[SlotRound, ...]

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
FOUND: dict[int, tuple[int, tuple[tuple[int, int, int], ...]]] = {
    10: (
        10,
        (
            (6, 4, 7),
            (8, 7, 2),
            (9, 3, 1),
            (7, 2, 3),
            (5, 5, 5),
            (3, 6, 0),
            (0, 1, 8),
            (4, 0, 9),
            (1, 8, 4),
        ),
    ),
    12: (
        6,
        (
            (0, 8, 1),
            (6, 0, 9),
            (2, 9, 11),
            (1, 3, 0),
            (10, 11, 10),
            (11, 10, 4),
            (3, 7, 5),
            (4, 1, 8),
            (7, 4, 2),
            (8, 6, 6),
            (9, 2, 3),
        ),
    ),
    14: (
        14,
        (
            (13, 2, 4),
            (10, 1, 0),
            (0, 10, 1),
            (12, 6, 7),
            (6, 4, 13),
            (5, 5, 5),
            (3, 9, 2),
            (8, 7, 11),
            (7, 0, 3),
            (11, 12, 8),
            (4, 8, 6),
            (1, 3, 9),
        ),
    ),
    15: (
        15,
        (
            (14, 2, 7),
            (10, 1, 0),
            (0, 5, 1),
            (13, 11, 5),
            (6, 0, 4),
            (5, 6, 9),
            (3, 10, 12),
            (8, 7, 8),
            (7, 3, 10),
            (11, 4, 2),
            (4, 8, 14),
            (1, 13, 13),
            (12, 14, 11),
        ),
    ),
    18: (
        6,
        (
            (10, 4, 2),
            (5, 5, 0),
            (16, 3, 3),
            (17, 16, 11),
            (9, 17, 8),
            (0, 10, 7),
            (15, 12, 5),
            (14, 7, 16),
            (3, 6, 14),
            (6, 13, 6),
            (11, 2, 1),
            (13, 1, 17),
            (12, 8, 15),
            (7, 9, 13),
            (1, 14, 10),
            (8, 0, 12),
        ),
    ),
    20: (
        20,
        (
            (11, 4, 3),
            (5, 10, 4),
            (17, 17, 17),
            (19, 2, 7),
            (9, 18, 19),
            (0, 8, 11),
            (16, 7, 13),
            (1, 13, 10),
            (15, 14, 2),
            (6, 0, 12),
            (10, 5, 15),
            (13, 19, 14),
            (14, 16, 9),
            (12, 9, 16),
            (7, 11, 0),
            (3, 1, 5),
        ),
    ),
    21: (
        21,
        (
            (20, 19, 9),
            (17, 5, 20),
            (19, 3, 2),
            (11, 9, 12),
            (5, 7, 11),
            (9, 17, 14),
            (0, 0, 7),
            (14, 8, 6),
            (1, 12, 18),
            (16, 11, 4),
            (6, 18, 5),
            (10, 6, 8),
            (13, 14, 10),
            (7, 20, 15),
            (12, 15, 3),
            (15, 4, 17),
        ),
    ),
}

#: Base rounds: n → (order k of the cyclic group, tables). Slot s below the last multiple of k turns
#: within its run of k; the slots above it stand still. Round r adds r.
BASE: dict[int, tuple[int, SlotRound]] = {
    16: (5, ((15, 10, 5, 1), (14, 3, 11, 4), (9, 13, 6, 12), (2, 7, 8, 0))),
    20: (5, ((10, 18, 16, 14), (0, 17, 2, 9), (11, 3, 4, 13), (5, 19, 15, 8), (7, 6, 1, 12))),
    24: (
        7,
        (
            (22, 14, 0, 7),
            (21, 17, 6, 11),
            (23, 20, 9, 1),
            (10, 15, 13, 12),
            (4, 2, 5, 8),
            (3, 19, 18, 16),
        ),
    ),
    28: (
        9,
        (
            (27, 2, 19, 15),
            (7, 17, 20, 13),
            (21, 10, 1, 3),
            (5, 4, 16, 8),
            (23, 24, 14, 0),
            (6, 25, 22, 18),
            (9, 11, 26, 12),
        ),
    ),
    40: (
        10,
        (
            (0, 27, 23, 7),
            (30, 16, 13, 3),
            (17, 39, 22, 11),
            (12, 10, 33, 4),
            (14, 9, 24, 5),
            (25, 19, 26, 28),
            (36, 32, 2, 1),
            (31, 8, 29, 15),
            (21, 34, 37, 35),
            (6, 20, 18, 38),
        ),
    ),
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
