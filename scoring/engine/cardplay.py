"""The table at which cards are played: seats in play order, sides, pack and duties of one deal.

A rulebook with its switches, and a declarer where the game has one, comes down to a
:class:`CardPlay`: everything that replay, proof and notation need to follow the cards. Two pairs
sit W, S, E, N counter-clockwise or W, N, E, S clockwise (Q-DIR); other games number the players
``"1"``... in order of play from eldest hand, and name a side by its players (A.8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from .cards import CARD_NAMES, PACK
from .duties import Duties
from .errors import Malformed, shown


@dataclass(frozen=True, slots=True)
class CardPlay:
    """What one deal's rules say of the cards.

    ``seats``: names in play order; ``sides``: names; ``side_of``: side index by seat index.
    ``trick_point``: points of a trick beyond its cards (0 or 1).
    ``hand``: cards a player at the start; ``deck``: bit set of the pack in use; ``reserve``: cards
    of it in nobody's hand, which go to the side that wins trick 1 if ``reserve_scores``.
    ``articles``: article id by kind of illegal play (B.3); ``orders``: whether partners may order.
    """

    duties: Duties
    seats: tuple[str, ...]
    sides: tuple[str, ...]
    side_of: tuple[int, ...]
    trick_point: int = 0
    hand: int = 8
    deck: int = PACK
    reserve: int = 0
    reserve_scores: bool = False
    articles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    orders: bool = False

    def seat(self, name: object, field_name: str) -> int:
        """The seat index of ``name``; :class:`Malformed` (``unknown_seat``) otherwise."""
        if isinstance(name, int) and not isinstance(name, bool) and 0 < name < 10:
            name = str(name)
        if isinstance(name, str) and name in self.seats:
            return self.seats.index(name)
        raise Malformed(
            "unknown_seat",
            f"{shown(name)} is not a seat here: {', '.join(sorted(self.seats))}",
            field_name,
            {"seat": shown(name), "allowed": sorted(self.seats)},
        )

    @property
    def fixed_pairs(self) -> bool:
        """Whether two pairs play, partners facing."""
        return len(self.seats) == 4 and self.side_of[0] == self.side_of[2] != self.side_of[1]


def names_of(cards: Sequence[int]) -> list[str]:
    """The names of ``cards``, in their order."""
    return [CARD_NAMES[card] for card in cards]
