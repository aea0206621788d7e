"""Whole deals of two pairs validated at speed: legality of every play, winners, points.

The decision table of :mod:`scoring.engine.legality` is unrolled once for a set of duties and a
trump into states of a trick. A state answers a card with the next state and with the play's breach
set (the cards that make it illegal if held). Because a whole deal shows every card, a play was
illegal exactly when its player *later* plays a card of its breach set; so one pass forward suffices,
carrying for each seat the union of the breach sets of its plays. No check is dropped: a card twice,
a missing card, every duty at every play. The earlier tricks are looked at again only when a card
shows that a play in them was illegal, to say which.

Cards are ints, seats 0..3 in play order, partners facing (000, 001, 002, 003, 004).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from .cards import PACK, points_of
from .duties import Duties
from .legality import View, beats, breach_set

_BIT: Final = tuple(1 << card for card in range(32))

PLAYS: Final = 32


class Validated(NamedTuple):
    """``cards``: bit sets of the cards won by the sides of seats 0/2 and 1/3; ``tricks``: tricks
    won by them; ``illegal``: bit set of the illegal plays, bit 0 the first of the deal."""

    cards: tuple[int, int]
    tricks: tuple[int, int]
    illegal: int

    def points(self, trick_point: int) -> tuple[int, int]:
        """Return the points of both sides, ``trick_point`` for each trick included."""
        return (
            points_of(self.cards[0]) + trick_point * self.tricks[0],
            points_of(self.cards[1]) + trick_point * self.tricks[1],
        )


_Fourth = tuple[list[int], list[int]]
"""Before the fourth card: its breach set, and the place (0..3) of the winner, by card."""
_Third = tuple[list[int], list[_Fourth]]
_Second = tuple[list[int], list[_Third]]
_Tables = tuple[_Second, ...]
"""By first card: the breach set of the second, and the state after it, by card; and so on."""

_Breaches = tuple[tuple[int, int, int, int], int, int, int]
"""Of one trick: the seats in order of play, and the breach sets of its second to fourth card."""

_ORDER: Final = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))


@cache
def _tables(duties: Duties, trump: int) -> _Tables:
    """Return the states of a trick under ``duties`` with ``trump``; about 400, built once."""

    def breaches(led: int, master: int, owner: int, at: int) -> list[int]:
        view = View(led, master, (at - owner) % 2 == 0, at % 2 == 1)
        return [breach_set(duties, trump, view, card) for card in range(32)]

    def masters(master: int, owner: int, at: int) -> list[tuple[int, int]]:
        """Return the master and its place after each possible card."""
        return [(card, at) if beats(trump, card, master) else (master, owner) for card in range(32)]

    @cache
    def fourth(led: int, master: int, owner: int) -> _Fourth:
        return breaches(led, master, owner, 3), [won for _, won in masters(master, owner, 3)]

    @cache
    def third(led: int, master: int, owner: int) -> _Third:
        after = masters(master, owner, 2)
        return breaches(led, master, owner, 2), [fourth(led, *each) for each in after]

    return tuple(
        (
            breaches(card >> 3, card, 0, 1),
            [third(card >> 3, *each) for each in masters(card, 0, 1)],
        )
        for card in range(32)
    )


def validate(duties: Duties, trump: int, leader: int, plays: Sequence[int]) -> Validated:
    """Validate a whole deal: 32 card numbers in order of play, ``leader`` opening trick 1.

    Raises ``ValueError`` when the plays are not the 32 cards, each once.
    """
    packed = bytes(plays)  # refuses negative numbers, which would index from the end
    if len(packed) != PLAYS or max(packed) >= PLAYS:
        raise ValueError("a whole deal is 32 cards, each 0..31")
    tables = _tables(duties, trump)
    owed = [0, 0, 0, 0]
    won = [0, 0]
    tricks = [0, 0]
    breaches: list[_Breaches] = []
    illegal = 0
    place = leader
    cards = iter(packed)
    for first, second, third, fourth in zip(cards, cards, cards, cards, strict=True):
        order = _ORDER[place]
        p, q, r, s = order
        breach_2, after_2 = tables[first]
        breach_3, after_3 = after_2[second]
        breach_4, winner = after_3[third]
        bit_1 = _BIT[first]
        bit_2 = _BIT[second]
        bit_3 = _BIT[third]
        bit_4 = _BIT[fourth]
        if owed[p] & bit_1 | owed[q] & bit_2 | owed[r] & bit_3 | owed[s] & bit_4:
            illegal |= _shown(breaches, order, (bit_1, bit_2, bit_3, bit_4))
        broken_2 = breach_2[second]
        broken_3 = breach_3[third]
        broken_4 = breach_4[fourth]
        owed[q] |= broken_2
        owed[r] |= broken_3
        owed[s] |= broken_4
        breaches.append((order, broken_2, broken_3, broken_4))
        place = order[winner[fourth]]
        won[place & 1] += bit_1 + bit_2 + bit_3 + bit_4
        tricks[place & 1] += 1
    # 32 powers of two have this sum only when they are all different.
    if won[0] + won[1] != PACK:
        raise ValueError("a card is played twice and another is missing")
    return Validated((won[0], won[1]), (tricks[0], tricks[1]), illegal)


def _shown(
    breaches: list[_Breaches], order: tuple[int, int, int, int], bits: tuple[int, int, int, int]
) -> int:
    """Return the earlier plays (bit set) that the cards of a trick prove illegal."""
    by_seat = [0, 0, 0, 0]
    for seat, bit in zip(order, bits, strict=True):
        by_seat[seat] = bit
    illegal = 0
    index = 0
    for (_, second, third, fourth), breach_2, breach_3, breach_4 in breaches:
        if by_seat[second] & breach_2:
            illegal |= 2 << index
        if by_seat[third] & breach_3:
            illegal |= 4 << index
        if by_seat[fourth] & breach_4:
            illegal |= 8 << index
        index += 4
    return illegal
