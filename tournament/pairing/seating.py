"""From players at a table to seats: partners, directions, scorekeeper and first dealer.

At a ``PARTNERS`` table the three ways to pair four players are weighed: repeated partners first,
then repeated opponents; equals by lot. The scorekeeper is the willing player of the table who has had
the duty least often, the first dealer who has dealt first least often (not the scorekeeper when
another has dealt as little); equals by lot. Since every table needs one of its own players, the
choice at each table is independent of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .chance import Chance
from .model import SEATS, Contestant, History, Kind, Table, pair

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
    """The same table turned so that a fixed seat is respected, partners staying partners.

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
        (n, e, s, w), (s, e, n, w), (n, w, s, e), (s, w, n, e),
        (e, n, w, s), (w, n, e, s), (e, s, w, n), (w, s, e, n),
    ]  # fmt: skip
    return max(turns, key=lambda t: sum(t[k] == p for p, k in wanted.items()))


def duties(
    players: tuple[int, ...],
    history: History,
    people: Mapping[int, Contestant],
    chance: Chance,
) -> tuple[int | None, int | None]:
    """Scorekeeper and first dealer of a table."""
    order = chance.shuffled(players)
    willing = [p for p in order if p not in people or people[p].scorekeeper]
    keeper = min(willing, key=lambda p: history.scorekeepers.get(p, 0)) if willing else None
    dealer = min(order, key=lambda p: (history.dealers.get(p, 0), p == keeper))
    return keeper, dealer


def seat_table(
    number: int,
    players: Sequence[int],
    kind: Kind,
    history: History,
    people: Mapping[int, Contestant],
    seed: str,
    label: str,
) -> Table:
    """A finished table; its own stream of chance, so that one table never disturbs another."""
    chance = Chance(seed, f"{label}|table {number}")
    if len(players) == 3:
        kind = Kind.SOLO
    if kind is Kind.PARTNERS:
        seats = best_split(sorted(players), history, chance)
    else:
        seats = tuple(chance.shuffled(sorted(players)))
    seats = honour_fixed(seats, kind, people)
    keeper, dealer = duties(seats, history, people, chance)
    return Table(number, kind, seats, keeper, dealer)
