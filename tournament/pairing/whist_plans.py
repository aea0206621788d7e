"""Whole Whist tournaments Wh(n) as plans over slots, by theorem where one applies.

Wh(n) exists for every ``n = 4k`` and ``n = 4k + 1`` (Baker 1975; Anderson, *Combinatorial Designs and
Tournaments*, chapter 7). Here, in this order:

* a stored first round (:mod:`.starters`), developed over its group;
* ``n = 4k + 1`` a prime power: with ``w`` primitive in the field, the tables ``(wⁱ, wⁱ⁺ᵏ, wⁱ⁺²ᵏ, wⁱ⁺³ᵏ)``,
  ``i < k``, developed (Moore 1896; Bose and Cameron 1965);
* a Wh(v) blown up: each slot becomes a group of ``m``, each table the ``m`` rounds of resolvable columns
  (:mod:`.orthogonal`) on its four groups, in which players of different groups meet as their groups
  did. What is left are the meetings inside the groups:

  ============ ============ ======= ==========================================================
  v            m            n       inside the groups
  ============ ============ ======= ==========================================================
  4k           4k           vm      Wh(m) in all groups at once
  4k           4k + 1       vm      Wh(m); the v who sit out together play a round of Wh(v)
  4k + 1       4k + 1       vm      in the m rounds that leave a group out, it plays Wh(m)
  4k + 1       4k + 3       vm + 1  … it plays Wh(m + 1) with one player more, always the same
  4k + 1       4k           vm + 1  … likewise; all groups' rounds without them come together
  ============ ============ ======= ==========================================================

* the last line again on a stored frame (first rounds with a hole) in place of the blown up Wh(v).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from .fields import field_of
from .orthogonal import Shift, columns_of
from .starters import FIRST_ROUNDS, HOLED, HOLED_APART, STARTERS, Four, Starter, Tables

WhistRound = tuple[Tables, tuple[int, ...]]
WhistPlan = tuple[WhistRound, ...]

#: A frame: for each group, the rounds that leave it out.
Frame = list[list[Tables]]

LARGEST: Final = 400
"""Largest number of players with a plan: four hundred rounds are never played."""


@lru_cache(maxsize=32)
def whist_plan(n: int) -> WhistPlan | None:
    """Return all rounds of a Whist tournament of ``n`` slots as (tables N, E, S, W; sitting out), or ``None``.

    >>> whist_plan(5)[0]
    (((1, 2, 4, 3),), (0,))
    """
    way = _way(n)
    return None if way is None else way()


def has_whist(n: int) -> bool:
    """Whether a Whist tournament of ``n`` is known here."""
    return _way(n) is not None


def nearest_whist(n: int) -> tuple[int, ...]:
    """Return the nearest numbers below and above ``n`` with a known Whist tournament.

    >>> nearest_whist(6), nearest_whist(2)
    ((5, 8), (4,))
    """
    below = next((k for k in range(min(n, LARGEST + 1) - 1, 3, -1) if has_whist(k)), None)
    above = next((k for k in range(max(n, 3) + 1, LARGEST + 1) if has_whist(k)), None)
    return tuple(k for k in (below, above) if k is not None)


@lru_cache(maxsize=1024)
def _way(n: int) -> Callable[[], WhistPlan] | None:
    """Return the construction for ``n``, not yet carried out."""
    if n < 4 or n > LARGEST or n % 4 > 1:
        return None
    if n in FIRST_ROUNDS:
        turn = n - 1 if n % 4 == 0 else n
        return lambda: _developed(n, Starter((turn,), FIRST_ROUNDS[n]))
    if n in STARTERS:
        return lambda: _developed(n, STARTERS[n])
    if n % 4 == 1 and field_of(n) is not None:
        return lambda: _from_field(n)
    for v in range(4, n):
        construction = _blown_up(n, v)
        if construction is not None:
            return construction
    for m, v in (*HOLED, *HOLED_APART):
        if m * v + 1 == n and has_whist(m + 1):
            return lambda: _filled(_holed(m, v), m, extra=True)
    return None


def _blown_up(n: int, v: int) -> Callable[[], WhistPlan] | None:
    """Return the construction of ``n`` from Wh(v), if the table above has one."""
    odd = v % 4 == 1
    for extra in (False, True):
        m, rest = divmod(n - extra, v)
        if rest or m < 4 or v % 4 > 1 or columns_of(m) is None or not has_whist(v):
            continue
        if not has_whist(m + extra):
            continue
        if not odd and not extra:
            return lambda: _whole(v, m)
        if odd and (extra or m % 4 == 1):
            return lambda: _filled(_frame(v, m), m, extra=extra)
    return None


def _rounds(n: int) -> WhistPlan:
    plan = whist_plan(n)
    if plan is None:
        raise AssertionError(f"no Wh({n}) although its construction was chosen")
    return plan


def _idle(tables: Sequence[Four], slots: int) -> tuple[int, ...]:
    seated = {s for table in tables for s in table}
    return tuple(s for s in range(slots) if s not in seated)


def _developed(n: int, starter: Starter) -> WhistPlan:
    first = starter.tables()
    out = []
    for r in range(starter.size):
        tables = tuple(_four(starter.add(x, r) for x in table) for table in first)
        out.append((tables, _idle(tables, n)))
    return tuple(out)


def _four(values: Iterable[int]) -> Four:
    a, b, c, d = values
    return (a, b, c, d)


def _from_field(n: int) -> WhistPlan:
    f = field_of(n)
    if f is None:
        raise AssertionError(f"{n} is no prime power")
    k = (n - 1) // 4
    starts = [[f.powers[i + k * side] for side in range(4)] for i in range(k)]
    return tuple(
        (tuple(_four(f.add(x, r) for x in table) for table in starts), (r,)) for r in range(n)
    )


def _spread(tables: Sequence[Four], m: int, shift: Shift) -> Tables:
    """Spread one round of the resolvable columns over the groups of each table."""
    columns = columns_of(m)
    if columns is None:
        raise AssertionError(f"no columns of {m}")
    add = columns.add
    f, g, h = shift
    return tuple(
        (a * m + t, b * m + add(t, f), c * m + add(t, g), d * m + add(t, h))
        for a, b, c, d in tables
        for t in range(m)
    )


def _shifts(m: int) -> tuple[Shift, ...]:
    columns = columns_of(m)
    return () if columns is None else columns.shifts


def _inside(tables: Sequence[Four], group: int, m: int, last: int) -> Tables:
    """Return tables of Wh(m) or Wh(m + 1) in a group; its slot ``m`` is the player ``last``."""
    return tuple(_four(group * m + s if s < m else last for s in table) for table in tables)


def _whole(v: int, m: int) -> WhistPlan:
    """Wh(vm) from Wh(v), ``v = 4k``: lines one and two of the table."""
    outer, inner = _rounds(v), _rounds(m)
    alike = m % 4 == 1
    out = [
        (_spread(tables, m, shift), ())
        for tables, _ in outer
        for shift in _shifts(m)[1 if alike else 0 :]
    ]
    for tables, byes in inner:
        now = [t for group in range(v) for t in _inside(tables, group, m, -1)]
        for out_there in byes:
            now += [_four(x * m + out_there for x in table) for table in outer[0][0]]
        out.append((tuple(now), ()))
    if alike:
        out += [(_spread(tables, m, (0, 0, 0)), ()) for tables, _ in outer[1:]]
    return tuple(out)


def _frame(v: int, m: int) -> Frame:
    """Return the frame with ``v`` groups of ``m`` from Wh(v), ``v = 4k + 1``."""
    frame: Frame = [[] for _ in range(v)]
    for tables, byes in _rounds(v):
        frame[byes[0]] = [_spread(tables, m, shift) for shift in _shifts(m)]
    return frame


def _holed(m: int, v: int) -> Frame:
    """Develop the frame from stored first rounds with a hole; group ``x`` are the lowest digits ``x``."""
    frame: Frame = [[] for _ in range(v)]
    whole = (m, v) in HOLED
    for starter in (HOLED[m, v],) if whole else HOLED_APART[m, v]:
        first = starter.tables()
        for r in range(starter.size if whole else v):
            moved = (_four(starter.add(x, r) for x in table) for table in first)
            frame[r % v].append(tuple(_four(x % v * m + x // v for x in table) for table in moved))
    return frame


def _filled(frame: Frame, m: int, *, extra: bool) -> WhistPlan:
    """Return the frame's rounds, with a tournament inside the group left out: lines three to five."""
    v = len(frame)
    last = v * m
    inner = list(_rounds(m + extra))
    without = [tables for tables, byes in inner if extra and byes == (m,)]
    inner = [one for one in inner if not (extra and one[1] == (m,))]
    out: list[WhistRound] = []
    for group, rounds in enumerate(frame):
        for outer, (tables, byes) in zip(rounds, inner, strict=True):
            now = (*outer, *_inside(tables, group, m, last))
            out.append((now, tuple(group * m + b for b in byes)))
    for tables in without:
        now = tuple(t for group in range(v) for t in _inside(tables, group, m, last))
        out.append((now, (last,)))
    return tuple(out)
