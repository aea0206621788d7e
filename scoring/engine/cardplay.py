"""The table at which cards are played: seats in play order, sides, pack and duties of one deal.

A rulebook with its switches, and a declarer where the game has one, comes down to a
:class:`CardPlay`: everything that replay, proof and notation need to follow the cards. Two pairs
sit W, S, E, N counter-clockwise or W, N, E, S clockwise (Q-DIR); other games number the players
``"1"``... in order of play from eldest hand, and name a side by its players (A.8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .cards import CARD_NAMES, PACK
from .duties import Duties
from .errors import Malformed, shown
from .rulebook import Game
from .rulebook_edition import Sides, Talk

ORDERING_TALK = (Talk.FREE_FOR_LEADER, Talk.ONE_ITEM_BEFORE_LEAD)
"""Talk that lets a player order their partner's card: 000 and 004 parlée (B.2)."""


@dataclass(frozen=True, slots=True)
class CardPlay:
    """Rules of card play for one deal.

    ``seats``: names in play order; ``sides``: names; ``side_of``: side index by seat index.
    ``trick_point``: points of a trick beyond its cards (0 or 1).
    ``hand``: cards a player at the start; ``deck``: bit set of the pack in use; ``reserve``: cards
    outside the hands, which go to the side that wins trick 1 if ``reserve_scores``.
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
        """Return the seat index of ``name``; raise :class:`Malformed` (``unknown_seat``) if there is none."""
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


def names_of(cards: Iterable[int]) -> list[str]:
    """Return the names of ``cards``, in their order."""
    return [CARD_NAMES[card] for card in cards]


def card_play(game: Game, declarer: object = None) -> CardPlay:
    """Return the rules of card play for one deal of ``game``.

    Two pairs need no declarer. Where one player stands against all others it is ``declarer``; in
    the three-player game the dealer, ``"3"``, unless said otherwise.

    Raises :class:`Malformed`: ``missing_key`` without a declarer where one is needed,
    ``declarer`` for one who cannot be it.
    """
    book = game.book
    name = _declarer(game, declarer)
    sides = game.sides_of(name)
    return CardPlay(
        duties=game.duties,
        seats=game.seats,
        sides=sides,
        side_of=tuple(0 if seat in sides[0] else 1 for seat in game.seats),
        trick_point=int(game.trick_point),
        hand=game.hand_size,
        deck=game.deck_mask,
        reserve=game.widow_size,
        reserve_scores=game.reserve_scores,
        articles=book.play_articles,
        orders=book.talk in ORDERING_TALK,
    )


def _declarer(game: Game, declarer: object) -> str | None:
    """Return the player who plays alone; ``None`` in games of pairs.

    Raises:
        Malformed: ``declarer`` is missing or cannot be the declarer in this game.
    """
    if game.in_pairs:
        return None
    allowed = game.seats[-1:] if game.book.sides is Sides.DEALER_ALONE else game.seats
    if isinstance(declarer, int) and not isinstance(declarer, bool) and 0 < declarer < 10:
        declarer = str(declarer)
    if declarer is None and len(allowed) == 1:
        return allowed[0]
    if declarer is None:
        raise Malformed("missing_key", "'declarer' is missing: a player", "declarer")
    if not isinstance(declarer, str) or declarer not in allowed:
        raise Malformed(
            "declarer",
            f"{shown(declarer)} cannot be the declarer: {', '.join(allowed)}",
            "declarer",
        )
    return declarer
