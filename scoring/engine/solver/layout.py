"""The pack laid out for the search: rank before suit, so that one bit set sorts by strength.

The engine's card ``suit * 8 + rank`` becomes bit ``rank * 4 + suit``. The lowest bit of any set of
cards is then a card of the lowest rank whatever its suit, and the highest bit one of the highest
rank: ordering moves costs nothing. Cards are handled as single-bit ``int`` throughout.
"""

from __future__ import annotations

from typing import Final

from scoring.engine.cards import NO_TRUMP, RANK_VALUES, cards_of

SUIT_BITS: Final = tuple(0x11111111 << suit for suit in range(4))
"""The eight bits of each suit."""

VALUE: Final = {1 << (4 * rank + suit): RANK_VALUES[rank] for rank in range(8) for suit in range(4)}
"""Card points by bit."""

SUIT_OF: Final = {1 << (4 * rank + suit): SUIT_BITS[suit] for rank in range(8) for suit in range(4)}
"""The bits of the suit of a card, by bit."""


def lay_out(mask: int) -> int:
    """Return the search's bits of an engine bit set."""
    bits = 0
    for card in cards_of(mask):
        bits |= 1 << ((card & 7) * 4 + (card >> 3))
    return bits


def card_of(bit: int) -> int:
    """Return the engine's card of one bit of the search."""
    place = bit.bit_length() - 1
    return (place & 3) * 8 + (place >> 2)


def beaten_by(trump: int) -> dict[int, int]:
    """Return for each card the cards that beat it while it is winning.

    The higher cards of its suit and, for a plain card, every trump. A winning plain card is always
    of the led suit, so a card of a third suit never beats it.
    """
    trumps = 0 if trump == NO_TRUMP else SUIT_BITS[trump]
    above = {}
    for bit, suit in SUIT_OF.items():
        higher = suit & ~(2 * bit - 1)
        above[bit] = higher if suit == trumps else higher | trumps
    return above
