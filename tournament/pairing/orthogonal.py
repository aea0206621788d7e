"""Resolvable columns: ``m`` rounds in which two players of different columns meet exactly once each.

Four columns over a group of ``m`` elements and shifts ``(f, g, h)`` for each round so that each of
``f, g, h, g−f, h−f, h−g`` takes *every* value once: an ``(m, 4; 1)`` difference matrix, which is a
resolvable transversal design (Beth, Jungnickel and Lenz, *Design Theory*, VIII.3). Three sources:

* ``m`` prime to 6: ``r, 2r, 3r`` modulo ``m``;
* ``m`` a prime power from 4: ``r, wr, w²r`` in the field of ``m`` elements, ``w`` primitive;
* values found by search for 12, 15 and 21 (there ``f(r) = r``; for odd ``m`` moreover ``g(−r) = −g(r)``
  and ``h(−r) = −h(r)``, so half of the values are kept). The tests count every one again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from .fields import field_of

Shift = tuple[int, int, int]

#: m → (g(1), g(2) …), (h(1), h(2) …) up to (m − 1)/2, modulo m.
ODD: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {
    15: ((2, 4, 7, 12, 10, 9, 1), (3, 10, 14, 7, 6, 11, 13)),
    21: ((2, 4, 16, 15, 14, 10, 12, 1, 3, 13), (8, 17, 12, 1, 15, 7, 2, 10, 5, 18)),
}

#: m → modulus of the low part, g, h; the group is Z_low × Z_(m/low), x = low digit + low · high digit.
WHOLE: dict[int, tuple[int, tuple[int, ...], tuple[int, ...]]] = {
    12: (6, (0, 6, 4, 11, 10, 2, 1, 8, 5, 7, 9, 3), (0, 2, 11, 8, 3, 6, 10, 9, 4, 1, 7, 5)),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """The group's addition and the shifts of the ``m`` rounds, the first of them all zero."""

    add: Callable[[int, int], int]
    shifts: tuple[Shift, ...]


@lru_cache(maxsize=64)
def columns_of(m: int) -> Columns | None:
    """Return the complete set of shifts for columns of ``m``, or ``None`` when none is known here.

    >>> columns_of(5).shifts[1], columns_of(6)
    ((1, 2, 3), None)
    """

    def cyclic(x: int, y: int) -> int:
        return (x + y) % m

    if m >= 5 and gcd(m, 6) == 1:
        return Columns(cyclic, tuple((r, 2 * r % m, 3 * r % m) for r in range(m)))
    f = field_of(m) if m >= 4 else None
    if f is not None:
        w = f.generator
        return Columns(f.add, tuple((r, f.mul(w, r), f.mul(f.mul(w, w), r)) for r in range(m)))
    if m in ODD:
        g, h = (_mirrored(half, m) for half in ODD[m])
        return Columns(cyclic, tuple((r, g[r], h[r]) for r in range(m)))
    if m in WHOLE:
        low, whole_g, whole_h = WHOLE[m]
        high = m // low

        def paired(x: int, y: int) -> int:
            return (x + y) % low + low * ((x // low + y // low) % high)

        return Columns(paired, tuple((r, whole_g[r], whole_h[r]) for r in range(m)))
    return None


def _mirrored(half: tuple[int, ...], m: int) -> tuple[int, ...]:
    return (0, *half, *((m - value) % m for value in reversed(half)))
