"""Value of best play when some cards are unknown: a sample of the deals that fit the record.

A *world* is one distribution of the forgotten cards: every empty place of the record gets a card,
so that the played cards, the known hands and a turn-up stay where they were seen, every other play
is legal (a player who did not follow held none of the suit, a player who discarded owed no trump),
every known leader led, and the alleged play is illegal. All distributions are equally likely, and a
sample is a function of its seed.

In the tricks after the alleged play, a play constrains a hand only if all cards of its trick up to it
are known; the winner of a later trick with forgotten cards is left open.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .cards import cards_of, points_of
from .completions import PartialRecord, Place
from .legality import breach_set, view_of, winner_of
from .solve import Position, solve_value

MOST_STATES: Final = 200_000
"""Rests of cards that the counting of worlds looks at; past it too little is known."""

TRIES: Final = 50
"""Draws for each world wanted, before those that do not fit show that too little is known."""


class TooLittleKnown(Exception):
    """So much is missing that worlds cannot be drawn evenly, or none fits."""


class TooManyCards(Exception):
    """The worlds could not all be solved with the cards laid that were allowed.

    ``solved``: how many were.
    """

    def __init__(self, solved: int) -> None:
        super().__init__(solved)
        self.solved = solved


@dataclass(frozen=True, slots=True)
class World:
    """A deal as it may have stood just before the alleged play.

    ``hands``: what each seat had not yet played, the alleged card included. ``trick``: the cards of
    the open trick. ``before``: the points that each side had gathered.
    """

    hands: tuple[int, ...]
    leader: int
    trick: tuple[int, ...]
    before: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Gap:
    """Empty places that the same cards may fill: one place, or several of one hand at the end."""

    places: tuple[Place, ...]
    domain: int


class Worlds:
    """The deals that fit ``record`` and an illegal play of ``seat`` in trick ``trick``.

    ``held``: a card that a seat was seen to hold at the start (the turn-up), by seat.

    Raises :class:`TooLittleKnown` where none fits or there are too many sorts to count.
    """

    def __init__(
        self, record: PartialRecord, trick: int, seat: int, held: Mapping[int, int] | None = None
    ) -> None:
        self.record = record
        self.alleged: Place = (trick, seat)
        self._held = dict(held or {})
        self._broken = {place for place in record.cards if self._is_broken(place)}
        self._broken.add(self.alleged)
        self._gaps = self._find_gaps()
        self._cards = sorted(cards_of(record.unseen & ~record.reserve), key=self._homes)
        self._counted: dict[tuple[int, tuple[int, ...]], int] = {}
        self.ways = self._count(0, tuple(len(gap.places) for gap in self._gaps))
        """Ways to fill the gaps by cards alone: an upper bound of the worlds."""
        if not self.ways or record.play.reserve:
            raise TooLittleKnown

    def draw(self, count: int, seed: int) -> list[World]:
        """Return ``count`` worlds, each as likely as any other, the same for the same ``seed``.

        Raises :class:`TooLittleKnown` where too few of the ways to fill the gaps fit.
        """
        source = random.Random(seed)
        worlds: list[World] = []
        for _ in range(count * TRIES):
            world = self._world(self._fill(source))
            if world is not None:
                worlds.append(world)
                if len(worlds) == count:
                    return worlds
        raise TooLittleKnown

    def _known_trick(self, place: Place) -> tuple[list[int], list[int]] | None:
        """Return the seats and cards of a trick up to ``place``, if all of them are known."""
        number, seat = place
        leader = self.record.leaders.get(number)
        if leader is None:
            return None
        seats = len(self.record.play.seats)
        order = [(leader + at) % seats for at in range((seat - leader) % seats + 1)]
        cards = [self.record.cards.get((number, each)) for each in order]
        known = [card for card in cards if card is not None]
        return (order, known) if len(known) == len(cards) else None

    def _forbidden(self, order: list[int], cards: list[int]) -> int:
        """Return the cards that the last player of ``order`` must not have held, for a legal play."""
        play = self.record.play
        own = [play.side_of[seat] == play.side_of[order[-1]] for seat in order[:-1]]
        view = view_of(self.record.trump, cards[:-1], own)
        return breach_set(play.duties, self.record.trump, view, cards[-1])

    def _is_broken(self, place: Place) -> bool:
        """Whether the record itself shows that the play at ``place`` was illegal."""
        known = self._known_trick(place)
        if known is None:
            return False
        later = 0
        for (number, seat), card in self.record.cards.items():
            if seat == place[1] and number > place[0]:
                later |= 1 << card
        return bool(self._forbidden(*known) & later)

    def _find_gaps(self) -> list[_Gap]:
        gaps: list[_Gap] = []
        elsewhere = 0
        for mask in self._held.values():
            elsewhere |= mask
        for seat in range(len(self.record.play.seats)):
            away = elsewhere & ~self._held.get(seat, 0)
            for number in range(1, self.record.play.hand + 1):
                place = (number, seat)
                if place in self.record.cards:
                    known = None if place in self._broken else self._known_trick(place)
                    away |= self._forbidden(*known) if known else 0
                    continue
                domain = self.record.domain(place) & ~away
                last = gaps[-1] if gaps else None
                if (
                    last is not None
                    and last.domain == domain
                    and last.places[0][1] == seat
                    and last.places[0][0] > self.alleged[0]
                ):
                    gaps[-1] = _Gap((*last.places, place), domain)
                else:
                    gaps.append(_Gap((place,), domain))
        return gaps

    def _homes(self, card: int) -> tuple[int, int]:
        return sum(gap.domain >> card & 1 for gap in self._gaps), card

    def _count(self, at: int, room: tuple[int, ...]) -> int:
        """Return the number of ways in which the cards from the ``at``-th on fill the gaps' ``room``."""
        if at == len(self._cards):
            return int(not any(room))
        known = self._counted.get((at, room))
        if known is None:
            known = sum(self._count(at + 1, left) for _gap, left in self._choices(at, room))
            self._counted[at, room] = known
            if len(self._counted) > MOST_STATES:
                raise TooLittleKnown
        return known

    def _choices(self, at: int, room: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        card = self._cards[at]
        return [
            (index, (*room[:index], room[index] - 1, *room[index + 1 :]))
            for index, gap in enumerate(self._gaps)
            if room[index] and gap.domain >> card & 1
        ]

    def _fill(self, source: random.Random) -> dict[Place, int]:
        """Return a card for every place, with the gaps filled in one of the counted ways."""
        room = tuple(len(gap.places) for gap in self._gaps)
        filled = dict(self.record.cards)
        for at, card in enumerate(self._cards):
            wanted = source.randrange(self._count(at, room))
            for index, left in self._choices(at, room):
                ways = self._count(at + 1, left)
                if wanted < ways:
                    filled[self._gaps[index].places[room[index] - 1]] = card
                    room = left
                    break
                wanted -= ways
        return filled

    def _world(self, filled: Mapping[Place, int]) -> World | None:
        """Return the world of ``filled`` if it fits the record up to the alleged play."""
        record, (alleged, offender) = self.record, self.alleged
        play, count = record.play, len(record.play.seats)
        hands = [0] * count
        for (_number, seat), card in filled.items():
            hands[seat] |= 1 << card
        before, winner = [0, 0], None
        for number in range(1, alleged + 1):
            leader = record.leaders.get(number, winner)
            if leader is None:
                raise TooLittleKnown
            if winner is not None and leader != winner:
                return None
            trick: list[int] = []
            order: list[int] = []
            for at in range(count):
                seat = (leader + at) % count
                card = filled[number, seat]
                order.append(seat)
                illegal = bool(self._forbidden(order, [*trick, card]) & hands[seat])
                if (number, seat) == (alleged, offender):
                    world = World(tuple(hands), leader, tuple(trick), (before[0], before[1]))
                    return world if illegal else None
                if illegal and (number, seat) not in self._broken:
                    return None
                trick.append(card)
                hands[seat] &= ~(1 << card)
            winner = (leader + winner_of(record.trump, trick)) % count
            points = sum(points_of(1 << card) for card in trick) + play.trick_point
            before[play.side_of[winner]] += points
        return None


def best_results(
    record: PartialRecord, worlds: list[World], most_nodes: int
) -> list[tuple[int, int]]:
    """Return both sides' points of the whole deal with best play without the offence, for each world.

    ``most_nodes``: cards laid in all, over all worlds.

    Raises :class:`TooManyCards` where that is not enough.
    """
    play = record.play
    known: dict[World, tuple[int, int]] = {}
    left = most_nodes
    for at, world in enumerate(worlds):
        if world in known:
            continue
        position = Position(
            duties=play.duties,
            trump=record.trump,
            hands=world.hands,
            leader=world.leader,
            sides=play.side_of,
            trick=world.trick,
            trick_point=play.trick_point,
        )
        points, nodes = solve_value(position, node_limit=left)
        left -= nodes
        if points is None or left <= 0:
            raise TooManyCards(at)
        first, second = world.before
        known[world] = (first + points[0], second + points[1])
    return [known[world] for world in worlds]
