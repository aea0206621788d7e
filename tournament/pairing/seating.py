"""From players at a table to seats: partners, directions, scorekeeper and first dealer.

At a ``PARTNERS`` table the three ways to pair four players are weighed: repeated partners first,
then repeated opponents; equals by lot. Scorekeepers (of those willing) and first dealers are shared
out as evenly as possible over all tables of the round and of the later rounds that are known. A
player has both duties of a table only when no other has dealt as little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .chance import Chance
from .model import SEATS, Contestant, History, Kind, Table, pair
from .sharing import share

#: Places of the two sides in a tuple of four: N–S and E–W.
SPLITS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2))


def split_cost(players: Sequence[int], history: History) -> tuple[int, int]:
    """Repeated partners and opponents of ``(a, b)`` against ``(c, d)``, each earlier time counted."""
    a, b, c, d = players
    partner = history.partners.get(pair(a, b), 0) + history.partners.get(pair(c, d), 0)
    opponent = sum(history.opponents.get(pair(x, y), 0) for x in (a, b) for y in (c, d))
    return partner, opponent


def best_split(players: Sequence[int], history: History, chance: Chance) -> tuple[int, ...]:
    """Four players in the order N, E, S, W with the best partners."""
    ways = [tuple(players[k] for k in split) for split in SPLITS]
    weights = [split_cost(way, history) for way in ways]
    least = min(weights)
    good = [way for way, weight in zip(ways, weights, strict=True) if weight == least]
    a, b, c, d = good[chance.below(len(good))]
    first, second = (a, b), (c, d)
    if chance.below(2):
        first, second = second, first
    if chance.below(2):
        first = (first[1], first[0])
    if chance.below(2):
        second = (second[1], second[0])
    return (first[0], second[0], first[1], second[1])


def honour_fixed(
    players: tuple[int, ...], kind: Kind, people: Mapping[int, Contestant]
) -> tuple[int, ...]:
    """Turn the table so that a fixed seat is respected, partners staying partners.

    The table is turned as a whole, so the first fixed seat always holds; a second one holds when the
    rotation or a swap of the other two partners allows it.
    """
    labels = SEATS[kind][: len(players)]
    wanted = {
        p: labels.index(people[p].fixed_seat)
        for p in players
        if p in people and people[p].fixed_seat in labels
    }
    if not wanted:
        return players
    if kind is not Kind.PARTNERS:
        out: list[int | None] = [None] * len(players)
        rest = []
        for p in players:
            place = wanted.get(p)
            if place is not None and out[place] is None:
                out[place] = p
            else:
                rest.append(p)
        waiting = iter(rest)
        return tuple(p if p is not None else next(waiting) for p in out)
    n, e, s, w = players
    turns = [
        (n, e, s, w),
        (s, e, n, w),
        (n, w, s, e),
        (s, w, n, e),
        (e, n, w, s),
        (w, n, e, s),
        (e, s, w, n),
        (w, s, e, n),
    ]
    return max(turns, key=lambda t: sum(t[k] == p for p, k in wanted.items()))


def at_fixed_places(
    tables: Sequence[Table], people: Mapping[int, Contestant], taken: Sequence[Table] = ()
) -> tuple[Table, ...]:
    """Number and turn the tables so that contestants with a fixed table or seat have it.

    If two of them meet, the better ranked one stays at their table. Numbers of ``taken`` tables are not given.
    """
    out = list(tables)
    gone = {t.number for t in taken}
    fixed = [c for c in people.values() if c.fixed_table and c.fixed_table not in gone]
    settled: set[int] = set()
    for c in sorted(fixed, key=lambda c: (c.rank or 1 << 60, c.id)):
        at = next((k for k, t in enumerate(out) if c.id in t.players), None)
        if at is None or at in settled:
            continue
        settled.add(at)
        trade = {out[at].number: c.fixed_table, c.fixed_table: out[at].number}
        out = [replace(t, number=trade.get(t.number, t.number)) for t in out]
    turned = (replace(t, players=honour_fixed(t.players, t.kind, people)) for t in out)
    return tuple(sorted(turned, key=lambda t: t.number))


def duties(
    players: Sequence[int],
    history: History,
    people: Mapping[int, Contestant],
    chance: Chance,
) -> tuple[int | None, int | None]:
    """Assign scorekeeper and first dealer of one table by itself."""
    table = with_duties([Table(1, Kind.SOLO, tuple(players))], history, people, chance)[0]
    return table.scorekeeper, table.dealer


def with_duties(
    tables: Sequence[Table],
    history: History,
    people: Mapping[int, Contestant],
    chance: Chance,
    later: Sequence[Sequence[int]] = (),
) -> tuple[Table, ...]:
    """Assign scorekeepers and first dealers, shared out as evenly as possible (:mod:`.sharing`).

    ``later``: the tables of the rounds to come, as far as known.
    """

    def willing(players: Sequence[int]) -> list[int]:
        return [p for p in players if p not in people or people[p].scorekeeper]

    seats = [table.players for table in tables]
    keepers = share(
        [willing(table) for table in seats],
        [willing(table) for table in later],
        history.scorekeepers,
        chance,
    )
    dealers = share(seats, later, history.dealers, chance, keepers)
    return tuple(
        replace(table, scorekeeper=keeper, dealer=dealer)
        for table, keeper, dealer in zip(tables, keepers, dealers, strict=True)
    )


def seat_table(
    number: int,
    players: Sequence[int],
    kind: Kind,
    history: History,
    people: Mapping[int, Contestant],
    seed: str,
    label: str,
) -> Table:
    """Seat a table without its duties; its own stream of chance, so that no table disturbs another."""
    chance = Chance(seed, f"{label}|table {number}")
    if len(players) == 3:
        kind = Kind.SOLO
    if kind is Kind.PARTNERS:
        seats = best_split(sorted(players), history, chance)
    else:
        seats = tuple(chance.shuffled(sorted(players)))
    return Table(number, kind, honour_fixed(seats, kind, people))
