"""Cards of the 32-card pack: names, order, values and the bit sets the engine computes with.

A card is an ``int`` 0..31: ``suit * 8 + rank``. Suits are S H D C (0..3); ranks rise in the order
of manille, 7 8 9 J Q K A 10 (0..7), so that within a suit the greater number beats the lesser
(000 "Ordre et valeur des cartes"). A set of cards is an ``int`` whose bit ``c`` stands for card
``c``: a hand, a pack and "the cards higher than this one" are single machine words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from .errors import Malformed, shown

SUITS: Final = "SHDC"
RANKS: Final = ("7", "8", "9", "J", "Q", "K", "A", "10")
NO_TRUMP: Final = -1
"""Trump index of a deal played without trump ("sans atout", "en voiture")."""

PACK: Final = (1 << 32) - 1
"""The bit set of all 32 cards."""

RANK_VALUES: Final = (0, 0, 0, 1, 2, 3, 4, 5)
"""Card points by rank: J 1, Q 2, K 3, A (manillon) 4, 10 (manille) 5 (000, 001, 002, 003, 004)."""

VALUES: Final = RANK_VALUES * 4
"""Card points by card, 60 in the pack."""

SUIT_MASKS: Final = tuple(0xFF << (8 * suit) for suit in range(4))
"""The bit set of each suit, by suit index."""

HIGHER: Final = tuple(SUIT_MASKS[c >> 3] & (PACK << (c + 1)) & PACK for c in range(32))
"""By card: the bit set of the cards of its suit that beat it."""

CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""By card: the name written by the engine, rank then suit, e.g. ``"10H"``."""


class Card(int):
    """A card: a number 0..31 that reads and writes its own name.

    >>> Card("TH"), Card(31), Card("10H") > Card("AH")
    (10H, 10C, True)
    """

    def __new__(cls, value: int | str) -> Card:
        """Return the card of a number or a name; raise :class:`Malformed` (``unknown_card``) for any other value."""
        number = parse_card(value) if isinstance(value, str) else value
        if not 0 <= number < len(CARD_NAMES):
            raise unknown_card(value)
        return int.__new__(cls, number)

    def __repr__(self) -> str:
        return CARD_NAMES[self]

    __str__ = __repr__

    @property
    def points(self) -> int:
        """Value of the card in a trick: 0 to 5."""
        return VALUES[self]


_BY_NAME: Final[dict[str, int]] = {
    **{name: card for card, name in enumerate(CARD_NAMES)},
    **{"T" + suit: CARD_NAMES.index("10" + suit) for suit in SUITS},
}


def parse_card(text: object, field: str = "card") -> int:
    """Return the card named ``text``; ``T`` is read as ``10``, case does not matter.

    >>> CARD_NAMES[parse_card("TH")]
    '10H'

    Raises :class:`Malformed` (``unknown_card``) for anything else.
    """
    if isinstance(text, str):
        card = _BY_NAME.get(text.upper())
        if card is not None:
            return card
    raise unknown_card(text, field)


def unknown_card(text: object, field: str = "card") -> Malformed:
    """Return the error for a word that names no card."""
    return Malformed(
        "unknown_card",
        f"{shown(text)} is not a card: write the rank (10 A K Q J 9 8 7) then the suit (S H D C)",
        field,
        {"card": shown(text)},
    )


CARDS: Final = tuple(Card(number) for number in range(len(CARD_NAMES)))
"""Every card, by number."""


def format_card(card: int) -> str:
    """Return the name of ``card``.

    >>> format_card(31)
    '10C'
    """
    return CARD_NAMES[card]


def parse_trump(text: object, field: str = "trump") -> int:
    """Return the suit index of ``"S" "H" "D" "C"``, or :data:`NO_TRUMP` of ``"NT"`` or ``None``."""
    if text is None or text == "NT":
        return NO_TRUMP
    if isinstance(text, str) and len(text) == 1 and text in SUITS:
        return SUITS.index(text)
    raise Malformed(
        "unknown_trump",
        f"{shown(text)} is not a trump: S, H, D, C or NT",
        field,
        {"trump": shown(text)},
    )


def format_trump(trump: int) -> str:
    """Return the name of a trump: ``"S" "H" "D" "C"`` or ``"NT"``."""
    return "NT" if trump == NO_TRUMP else SUITS[trump]


def mask_of(cards: Iterable[int]) -> int:
    """Return the bit set of ``cards``."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> Iterator[int]:
    """Yield the cards of a bit set, in rising order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def points_of(mask: int) -> int:
    """Return the card points of a bit set: 0..60."""
    return (
        (mask & 0x80808080).bit_count() * 5
        + (mask & 0x40404040).bit_count() * 4
        + (mask & 0x20202020).bit_count() * 3
        + (mask & 0x10101010).bit_count() * 2
        + (mask & 0x08080808).bit_count()
    )
