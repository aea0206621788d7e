"""Shapes of positions: the owner of each card, whatever its rank.

The duties and the winner of a trick depend on the order of the cards in each suit only. So two
positions with the same *shape* (for each suit, the owners from the lowest card up) and the same
leader are played alike, and differ only in the values of the cards. If no card of the first is worth
less than its counterpart in the second, and its cards are worth ``richer`` points more in all, then
either side wins at least as many points in the first as in the second, and at most ``richer`` more:
a bound proven for one position bounds the other. Positions reached in different orders, or with a
king gone instead of an ace, share their proofs this way, which saves three quarters of the nodes.

A shape is one ``int``: a 4-bit field for the value of each card, eight to a suit, then a 3-bit field
for its owner. :data:`GUARDS` is the spare top bit of each value field: with it set in one operand,
a subtraction shows in every field at once whether it borrowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .layout import VALUE

LEADER_BITS: Final = 3
"""Room below the fields for the number of the leader."""

VALUE_FIELDS: Final = ((1 << 128) - 1) << LEADER_BITS
"""The bits of the 32 value fields of a shape."""

GUARDS: Final = sum(8 << 4 * field for field in range(32)) << LEADER_BITS
"""The top bit of each value field."""


def shapes_of(hands: Sequence[int], suit: int, index: int) -> dict[int, int]:
    """Return the shape of every subset of the held cards of ``suit`` (its bits), the ``index``-th suit.

    The shape of a position is the sum of those of its suits. At most seven players.
    """
    shapes = {0: 0}
    values_at = LEADER_BITS + 32 * index
    owners_at = LEADER_BITS + 128 + 24 * index
    for card in (bit for bit in VALUE if bit & suit):
        for player, hand in enumerate(hands):
            if hand & card:
                grown = {}
                for cards, shape in shapes.items():
                    place = cards.bit_count()
                    worth = VALUE[card] << values_at + 4 * place
                    owner = player + 1 << owners_at + 3 * place
                    grown[cards | card] = shape | worth | owner
                shapes.update(grown)
    return shapes
