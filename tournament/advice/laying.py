"""The rounds of a format laid out as places at tables, without regard to results.

A place is a whole number from 0. As strengths are drawn by lot, one layout of a format stands for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tournament.pairing.berger import berger_rounds
from tournament.pairing.byes import choose_byes, table_sizes
from tournament.pairing.championship import draw_championship
from tournament.pairing.chance import Chance
from tournament.pairing.lots import group_sizes
from tournament.pairing.mitchell import mitchell_rounds
from tournament.pairing.model import Contestant, History, Kind, Odd, Request
from tournament.pairing.solo import solo_sizes
from tournament.pairing.whist import rainbow_plan
from tournament.pairing.whist_plans import whist_plan

IntArray = npt.NDArray[np.int64]
CODE: Final = "format advisor"
"""The draw code of every layout."""
LOTS_CAST: Final = 30
"""Number of lots tried for a round with few repeated meetings."""
DRAWN_FROM: Final = 16
"""Multiples of four from here on are drawn as a championship is: closed forms make it quick."""


@dataclass(frozen=True, slots=True)
class LaidRound:
    """A round: for each size of table an array with a row for each table; the byes; the entrants
    whose result does not count.
    """

    tables: tuple[IntArray, ...]
    out: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()


def laid_round(
    groups: Iterable[Sequence[int]], out: Iterable[int] = (), idle: Iterable[int] = ()
) -> LaidRound:
    """Return a round of tables given as lists of places."""
    by_size: dict[int, list[Sequence[int]]] = {}
    for group in groups:
        by_size.setdefault(len(group), []).append(group)
    tables = tuple(np.array(rows, dtype=np.int64) for _size, rows in sorted(by_size.items()))
    return LaidRound(tables, tuple(out), tuple(idle))


def longest_wait(rounds: Iterable[LaidRound]) -> int:
    """Return the most rounds that one place rests in a row.

    >>> longest_wait([laid_round([(0, 1)], out=[2]), laid_round([(0, 1)], out=[2])])
    2
    """
    longest, waiting = 0, Counter[int]()
    for each in rounds:
        waiting = Counter({place: waiting[place] + 1 for place in each.out})
        longest = max(longest, *waiting.values(), 0)
    return longest


def by_tables(
    n: int, rounds: int, sizes: Sequence[int], *, idle: int = 0, spread: bool = True
) -> list[LaidRound]:
    """Lay out rounds by lot, at tables of these sizes; those left over rest in turn.

    ``idle``: of those left over, how many sit at tables that do not count. ``spread``: of several lots
    take the one in which the fewest meet again.
    """
    people = [Contestant(place) for place in range(n)]
    spread = spread and n <= 4 * LOTS_CAST
    met, history = np.zeros((n, n), dtype=np.int64), History()
    laid = []
    over = n - sum(sizes)
    cuts = np.cumsum(sizes)[:-1]
    for number in range(rounds):
        chance = Chance(CODE, f"over {number}")
        left = choose_byes(people, over, history, chance)
        history = history.after((), left)
        playing = sorted(set(range(n)) - set(left))
        lots = np.random.default_rng([number, n])
        best: tuple[int, list[IntArray]] | None = None
        for _cast in range(LOTS_CAST if spread else 1):
            groups = np.split(lots.permutation(playing), cuts)
            again = sum(int(met[np.ix_(group, group)].sum()) for group in groups if spread)
            if best is None or again < best[0]:
                best = again, groups
            if not again:
                break
        groups = best[1] if best else []
        for group in groups if spread else ():
            met[np.ix_(group, group)] += 1
        laid.append(
            laid_round([group.tolist() for group in groups], left[idle:], left[: idle or 0])
        )
    return laid


def championship(n: int, rounds: int, kind: Kind, odd: Odd) -> list[LaidRound]:
    """Lay out rounds with new tables, as the individual championship draws them where that is quick."""
    fours, threes, _out = table_sizes(n, odd)
    if n % 4 or n < DRAWN_FROM:
        return by_tables(n, rounds, [4] * fours, idle=3 * threes)
    people = tuple(Contestant(number) for number in range(1, n + 1))
    history, laid = History(), []
    slots: tuple[int, ...] = ()
    for number in range(1, rounds + 1):
        request = Request(people, number, CODE, rounds, kind, history=history, slots=slots)
        drawn = draw_championship(request)
        history, slots = history.after(drawn.tables), drawn.slots
        laid.append(laid_round([[p - 1 for p in table.players] for table in drawn.tables]))
    return laid


def alone(n: int, rounds: int, size: int, *, exactly: bool, spread: bool = True) -> list[LaidRound]:
    """Lay out tables where each plays for themselves; with ``exactly`` those over rest in turn."""
    sizes = [size] * (n // size) if exactly else solo_sizes(n, size)
    return by_tables(n, rounds, sizes, spread=spread)


def whist(n: int, rounds: int) -> list[LaidRound]:
    """Lay out the first rounds of a Whist movement."""
    return [laid_round(tables, byes) for tables, byes in (whist_plan(n) or ())[:rounds]]


def rainbow(n: int, rounds: int) -> list[LaidRound]:
    """Lay out a Rainbow: North stays, and those over rest in turn with those who move."""
    tables = n // 4
    movers = [Contestant(place) for place in range(tables, n)]
    seated, history, laid = list(range(4 * tables)), History(), []
    for number, slots in enumerate(rainbow_plan(4 * tables, rounds)):
        out = choose_byes(movers, n % 4, history, Chance(CODE, f"over {number}"))
        history = history.after((), out)
        free = [at for at in range(4 * tables) if seated[at] in out]
        coming = sorted(set(range(n)) - set(seated) - set(out))
        for at, place in zip(free, coming, strict=True):
            seated[at] = place
        laid.append(laid_round([[seated[slot] for slot in table] for table in slots], out))
    return laid


def mitchell(n: int, rounds: int) -> list[LaidRound]:
    """Lay out a Mitchell."""
    return [laid_round(games, byes) for games, byes in mitchell_rounds(n, rounds)]


def round_robin(places: Sequence[int]) -> list[LaidRound]:
    """Lay out a single round robin."""
    n = len(places)
    laid = []
    for games in berger_rounds(n + n % 2):
        both = [(a - 1, b - 1) for a, b in games]
        laid.append(
            laid_round(
                [(places[a], places[b]) for a, b in both if max(a, b) < n],
                [places[min(a, b)] for a, b in both if max(a, b) >= n],
            )
        )
    return laid


def pools(n: int, size: int) -> tuple[list[list[int]], list[LaidRound]]:
    """Lay out pools, and their rounds side by side."""
    members: list[list[int]] = []
    first = 0
    for count in group_sizes(n, size):
        members.append(list(range(first, first + count)))
        first += count
    timetables = [round_robin(pool) for pool in members]
    laid = []
    for number in range(max(map(len, timetables))):
        now = [timetable[number] for timetable in timetables if number < len(timetable)]
        laid.append(
            laid_round(
                [row.tolist() for each in now for table in each.tables for row in table],
                [place for each in now for place in each.out],
            )
        )
    return members, laid
