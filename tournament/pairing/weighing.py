"""Field of draws that a certificate compares with: every draw of the same tables and any byes.

Where players sit out, or tables of three fill up, the choice of these players is part of the draw.
So the field holds every player who could be seated. Two rules come before every line of the
certificate: bans, and the turn to sit out or to fill up. A draw that keeps them is only compared
with others that do. A draw that breaks them (by the director's hand) is compared with all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

from .byes import Outs, outs_in_turn
from .costs import banned
from .exact import NEVER, fits, least_price
from .filling import Turn, filling_players, turn_of
from .model import History, Kind, Pair, Request, Table, pair
from .seating import SPLITS

MOST: Final = 50_000
"""Largest number of choices of byes and of players for each table size that are weighed one by one."""

CountTable = Callable[[Kind, tuple[int, ...]], int]
"""Count of one line of the certificate at a table of these players."""


@dataclass(frozen=True, slots=True)
class SeatingField:
    """Players who could be seated, with the number and sizes of the tables.

    Attributes:
        players: everybody who could be seated, without those whose turn to sit out it is.
        sizes: how many sit at each table.
        resting: how many of ``players`` sit out.
        outs: the players among them who may sit out.
        kinds: the kind of table by its size; empty when a size has two.
        barred: the players who may not be at a table of this size.
        bans: pairs that may not share a table.
    """

    players: tuple[int, ...]
    sizes: tuple[int, ...]
    resting: int
    outs: frozenset[int]
    kinds: Mapping[int, Kind]
    barred: Mapping[int, frozenset[int]]
    bans: frozenset[Pair]

    def least(self, count: CountTable) -> int | None:
        """Return the least count of any draw of the field; ``None`` where not every draw can be weighed."""
        n = len(self.players)
        if not self.kinds or not fits(n, self.sizes):
            return None
        large = max(self.sizes)
        seats = sum(self.sizes)
        ways = comb(len(self.outs), self.resting)
        if len(set(self.sizes)) == 2:
            ways *= comb(seats, large * self.sizes.count(large))
        if ways > MOST:
            return None

        def price(table: tuple[int, ...]) -> int:
            if not self.barred[len(table)].isdisjoint(table):
                return NEVER
            if self.bans and any(pair(*two) in self.bans for two in combinations(table, 2)):
                return NEVER
            return count(self.kinds[len(table)], table)

        outs = combinations(sorted(self.outs), self.resting)
        return least_price(self.players, self.sizes, outs, price)


def field_of(request: Request, tables: Sequence[Table], byes: Sequence[int]) -> SeatingField:
    """Return the field that a draw of these tables is weighed against."""
    seated = [p for t in tables for p in t.players]
    here = {c.id for c in request.contestants if c.id not in request.wishes.held}
    here.update(seated, byes)
    out = here.difference(seated)
    people = [c for c in request.contestants if c.id in here]
    turn = outs_in_turn(people, len(out), request.history, request.wishes.bye_first)
    if not turn.allows(out):
        turn = Outs(frozenset(), frozenset(here), len(out))
    kinds: dict[int, Kind] = {}
    for table in tables:
        if kinds.setdefault(len(table.players), table.kind) is not table.kind:
            kinds = {}
            break
    sizes = tuple(len(t.players) for t in tables)
    players = tuple(sorted(here - turn.must))
    filling = filling_players(request.kind, tables)
    return SeatingField(
        players,
        sizes,
        turn.free_count,
        turn.may,
        kinds,
        _barred(players, sizes, filling, out, request.history),
        _bans(request, tables),
    )


def _barred(
    players: Iterable[int],
    sizes: Iterable[int],
    filling: Sequence[int],
    out: frozenset[int] | set[int],
    history: History,
) -> dict[int, frozenset[int]]:
    """Return the players barred from each table size, where tables of three go in turn."""
    barred = dict.fromkeys(sizes, frozenset[int]())
    turn = turn_of(players, len(filling), history) if filling and not out else Turn(0)
    if turn.must.issubset(filling) and turn.barred.isdisjoint(filling):
        for size in barred:
            barred[size] = turn.barred if size == 3 else turn.must
    return barred


def _bans(request: Request, tables: Sequence[Table]) -> frozenset[Pair]:
    """Return the banned pairs; none when these tables already break a ban."""
    people = {c.id: c for c in request.contestants}
    fixed = [c.id for c in request.contestants if c.fixed_table]
    pairs = {*request.wishes.bans, *(pair(*two) for two in combinations(fixed, 2))}
    bans = {
        two
        for two in pairs
        if two[0] in people and two[1] in people and banned(people[two[0]], people[two[1]], request)
    }
    met = {m for t in tables for m in t.meetings()}
    return frozenset() if bans & met else frozenset(bans)


def _again(pairs: Iterable[tuple[int, int]], before: Mapping[Pair, int]) -> int:
    return sum(1 for a, b in pairs if before.get(pair(a, b), 0))


def meetings_again(history: History) -> CountTable:
    """Pairs at a table who have met."""
    return lambda kind, table: _again(combinations(table, 2), history.meetings)


def partners_again(history: History) -> CountTable:
    """Count repeated partners, in the best split of four."""

    def count(kind: Kind, table: tuple[int, ...]) -> int:
        if kind is not Kind.PARTNERS:
            return 0
        ways = [[table[k] for k in split] for split in SPLITS]
        return min(_again(((a, b), (c, d)), history.partners) for a, b, c, d in ways)

    return count


def opponents_again(history: History) -> CountTable:
    """Count repeated opponents, in the best split of four."""

    def count(kind: Kind, table: tuple[int, ...]) -> int:
        if kind is not Kind.PARTNERS:
            return _again(combinations(table, 2), history.opponents)
        ways = [[table[k] for k in split] for split in SPLITS]
        return min(
            _again(((x, y) for x in (a, b) for y in (c, d)), history.opponents)
            for a, b, c, d in ways
        )

    return count


def pairs_of_one(label: Mapping[int, str]) -> CountTable:
    """Count the pairs of one club (or family) at a table."""
    return lambda kind, table: sum(
        1 for a, b in combinations(table, 2) if label.get(a) and label.get(a) == label.get(b)
    )


def steps_between(level: Mapping[int, int]) -> CountTable:
    """Sum the steps of score between the players of a table."""
    return lambda kind, table: sum(
        abs(level[a] - level[b]) for a, b in combinations(table, 2) if a in level and b in level
    )
