"""A stand-in hall: contestants by number, and a stage played round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from tournament.pairing.championship import draw_championship
from tournament.pairing.model import Contestant, Drawn, History, Kind, Odd, Request, Table, Wishes


def players(n: int, clubs: int = 0) -> tuple[Contestant, ...]:
    return tuple(Contestant(i, club=f"club {i % clubs}" if clubs else "") for i in range(1, n + 1))


def chi_squared(counts: Mapping[object, int], kinds: int, total: int) -> float:
    expected = total / kinds
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (kinds - len(counts)) * expected


def mostly_below(freedom: int) -> float:
    """Return a bound that a fair draw exceeds once in about 1,000 (Wilson and Hilferty)."""
    return freedom * (1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5) ** 3


def met(tables: Iterable[Table]) -> Counter[tuple[int, int]]:
    """Count meetings from the seats alone, without the product's own counting."""
    return Counter(tuple(sorted(two)) for t in tables for two in combinations(t.players, 2))


def play(
    field: Sequence[Contestant],
    rounds: int,
    *,
    kind: Kind = Kind.ROTATION,
    odd: Odd = Odd.BYES,
    wishes: Wishes | None = None,
    seed: str = "public seed",
    by_score: bool = False,
    between: Callable[[int, tuple[Contestant, ...]], tuple[Contestant, ...]] | None = None,
) -> list[tuple[Request, Drawn]]:
    here = tuple(field)
    history, out = History(), []
    slots: tuple[int, ...] = ()
    for number in range(1, rounds + 1):
        if between is not None:
            here = between(number, here)
        request = Request(
            here, number, seed, rounds, kind, odd, history, wishes or Wishes(), slots, by_score
        )
        drawn = draw_championship(request)
        seated = [p for t in drawn.tables for p in t.players]
        everybody = sorted([*seated, *drawn.byes, *drawn.held])
        assert everybody == sorted(c.id for c in here)
        assert len({t.number for t in drawn.tables}) == len(drawn.tables)
        out.append((request, drawn))
        # At a table of three an entrant does not play for the title: a turn like sitting out.
        threes = [p for t in drawn.tables for p in t.players if len(t.players) == 3]
        history, slots = history.after(drawn.tables, (*drawn.byes, *threes)), drawn.slots
    return out
