"""Finite fields of prime-power order, small enough for a table of logarithms.

An element of the field of ``q = p**k`` is a number below ``q`` whose base-``p`` digits are the
coefficients of a polynomial, reduced by a monic polynomial for which ``x`` (or, for ``k = 1``, the
generator) is primitive; the polynomial is found by trying them in order, so it is always the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


def prime_power(q: int) -> tuple[int, int] | None:
    """``(p, k)`` with ``q == p**k``, or ``None``.

    >>> prime_power(27), prime_power(12)
    ((3, 3), None)
    """
    if q < 2:
        return None
    p = next((d for d in range(2, int(q**0.5) + 1) if q % d == 0), q)
    k = 0
    while q % p == 0:
        q //= p
        k += 1
    return (p, k) if q == 1 else None


@dataclass(frozen=True, slots=True)
class FiniteField:
    """A finite field: ``add``, ``sub``, ``mul`` on numbers below ``order``; ``generator`` is primitive."""

    order: int
    characteristic: int
    generator: int
    powers: tuple[int, ...]
    logs: tuple[int, ...]

    def _digits(self, a: int, b: int, sign: int) -> int:
        p, out, unit = self.characteristic, 0, 1
        while a or b:
            out += (a % p + sign * (b % p)) % p * unit
            a, b, unit = a // p, b // p, unit * p
        return out

    def add(self, a: int, b: int) -> int:
        """Sum."""
        return self._digits(a, b, 1)

    def sub(self, a: int, b: int) -> int:
        """Difference."""
        return self._digits(a, b, -1)

    def mul(self, a: int, b: int) -> int:
        """Product."""
        if a == 0 or b == 0:
            return 0
        return self.powers[(self.logs[a] + self.logs[b]) % (self.order - 1)]


def _times_x(a: int, p: int, k: int, low: int) -> int:
    """``a · x`` reduced by ``x**k = −(low)``, ``low`` the lower coefficients in base ``p``."""
    q = p**k
    top, shifted = a // (q // p), a % (q // p) * p
    out, unit = 0, 1
    while unit < q:
        out += (shifted // unit - top * (low // unit)) % p * unit
        unit *= p
    return out


@lru_cache(maxsize=64)
def field_of(q: int) -> FiniteField | None:
    """Return the field of ``q`` elements, or ``None`` when ``q`` is no prime power.

    >>> f = field_of(9)
    >>> f.mul(f.generator, f.generator) != f.generator, f.add(8, 8)
    (True, 4)
    """
    shape = prime_power(q)
    if shape is None:
        return None
    p, k = shape
    for candidate in range(1, q):
        powers, value = [], 1
        for _ in range(q - 1):
            powers.append(value)
            value = value * candidate % p if k == 1 else _times_x(value, p, k, candidate)
            if value == 1:
                break
        if len(powers) == q - 1 and len(set(powers)) == q - 1 and 0 not in powers:
            logs = [0] * q
            for e, a in enumerate(powers):
                logs[a] = e
            return FiniteField(q, p, powers[1 % (q - 1)], tuple(powers), tuple(logs))
    raise AssertionError("every finite field has a generator")
