"""The rulebook in force at a table: an edition with every switch resolved (:class:`Game`).

``resolve(key, options)`` is the one door: it looks the edition up, reads the switches (rules
specification A.7) and derives everything the other modules ask, so that legality, replay, scoring,
the solver and the auction never look at a switch themselves.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Final

from scoring.texts import in_every_language

from .cards import PACK, mask_of, parse_card, points_of
from .duties import Duties
from .errors import Illegal, Malformed, shown
from .options import read_options
from .rulebook_edition import Dealing, Leader, Rulebook, Sides
from .rulebooks import RULEBOOKS
from .shapes import RulebookJson, SwitchJson

__all__ = [
    "RULEBOOKS",
    "Game",
    "Leader",
    "Rulebook",
    "Sides",
    "describe_rulebooks",
    "find",
    "resolve",
]

SEATS: Final = {"CCW": ("W", "S", "E", "N"), "CW": ("W", "N", "E", "S")}
"""The seats in order of play, by direction."""

PAIRS: Final = ("NS", "EW")
DEALER_SIDES: Final = ("3", "12")

SEVENS: Final = tuple(parse_card(name) for name in ("7D", "7H", "7C", "7S"))
"""The order in which sevens leave the pack: 7♦ and 7♥ first (R, A.7)."""


@dataclass(frozen=True)
class Game:
    """A rulebook with its switches resolved; equal when rulebook and switches are."""

    book: Rulebook
    options: Mapping[str, object]
    """Every switch the rulebook knows, with its value in force (JSON values)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    @property
    def key(self) -> str:
        """The rulebook's key, e.g. ``"parlee"``."""
        return self.book.key

    def __hash__(self) -> int:
        return hash(self.book.key)

    def flag(self, name: str) -> bool:
        """Return a true/false switch; false if the rulebook lacks it."""
        return self.options.get(name) is True

    def number(self, name: str) -> int:
        """Return a switch that is a whole number; raise :class:`KeyError` for any other value."""
        value = self.options.get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise KeyError(name)
        return value

    # -- players -----------------------------------------------------------------------------

    @property
    def in_pairs(self) -> bool:
        """Whether two pairs play; elsewhere each player has a score of their own."""
        return self.book.sides is Sides.PAIRS

    @property
    def players(self) -> int:
        """Number of players: 3 to 7."""
        value = self.options.get("players")
        return value if isinstance(value, int) else self.book.usual_players

    @property
    def direction(self) -> str:
        """``"CCW"`` or ``"CW"``."""
        return str(self.options["direction"])

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The players in order of play: ``W S E N``, ``W N E S``, or ``1 2 3 …`` (eldest first)."""
        if self.in_pairs:
            return SEATS[self.direction]
        return tuple(str(number) for number in range(1, self.players + 1))

    @property
    def fixed_sides(self) -> bool:
        """Whether the sides are known without a declarer (pairs, three-player)."""
        return self.book.sides is not Sides.DECLARER_ALONE

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides: ``NS EW``; ``3 12``; in the auctions every player for themselves."""
        if self.in_pairs:
            return PAIRS
        if self.book.sides is Sides.DEALER_ALONE:
            return DEALER_SIDES
        return self.seats

    def sides_of(self, declarer: str | None = None) -> tuple[str, str]:
        """Return the two sides of a deal; the declarer's first in single-declarer games.

        A side of several players is named by them, e.g. ``("2", "134")``. Raises
        :class:`Malformed` (``declarer``) when an auction game has no such declarer.
        """
        if self.in_pairs:
            return PAIRS
        if self.book.sides is Sides.DEALER_ALONE:
            return DEALER_SIDES
        if declarer is None or declarer not in self.seats:
            raise Malformed(
                "declarer",
                f"{self.key} needs a declarer: one of {', '.join(self.seats)}",
                "declarer",
                {"declarer": repr(declarer), "allowed": list(self.seats)},
            )
        return declarer, "".join(seat for seat in self.seats if seat != declarer)

    def side_of(self, player: str, declarer: str | None = None) -> str:
        """Return the side of ``player``; ``declarer`` is needed in the auctions.

        Raises :class:`Malformed` (``seat``) for a player the game does not have.
        """
        if player not in self.seats:
            raise Malformed(
                "seat",
                f"{player!r} is not a player of this game: {', '.join(self.seats)}",
                "seat",
                {"seat": repr(player), "allowed": list(self.seats)},
            )
        for side in self.sides_of(declarer):
            if player in side:
                return side
        raise AssertionError(player)

    def other_side(self, side: str, declarer: str | None = None) -> str:
        """Return the opposing side of ``side``."""
        first, second = self.sides_of(declarer)
        return second if side == first else first

    def next_player(self, player: str) -> str:
        """Return the player after ``player`` in the direction of play."""
        seats = self.seats
        return seats[(seats.index(player) + 1) % len(seats)]

    # -- cards -------------------------------------------------------------------------------

    @property
    def dealing(self) -> Dealing:
        """Sizes of hands and widow for this number of players."""
        return self.book.dealing[self.players]

    @property
    def hand_size(self) -> int:
        """Cards in a hand, which is also the number of tricks."""
        return self.dealing.hand

    @property
    def tricks(self) -> int:
        """Tricks in a deal."""
        return self.dealing.hand

    @property
    def widow_size(self) -> int:
        """Number of cards outside the hands (three-player: the reserve)."""
        return self.dealing.widow

    @cached_property
    def removed(self) -> tuple[int, ...]:
        """The sevens taken out of the pack."""
        return SEVENS[: self.dealing.removed_sevens]

    @cached_property
    def deck_mask(self) -> int:
        """The bit set of the cards in use."""
        return PACK & ~mask_of(self.removed)

    # -- points ------------------------------------------------------------------------------

    @property
    def trick_point(self) -> bool:
        """Whether each trick is worth one point besides its cards."""
        return self.book.trick_point

    @property
    def half(self) -> int:
        """Half of a pair game's total: 34 or 30; 30 in the auctions (the value of a penalty)."""
        return self.book.half

    @property
    def reserve_scores(self) -> bool:
        """Whether the cards out of the hands go to the winner of trick 1 (three-player)."""
        return self.book.sides is Sides.DEALER_ALONE

    @property
    def total_is_exact(self) -> bool:
        """Whether the points of a deal always add up to :attr:`total` (A.8).

        False with a widow out of play, where the total is only a maximum.
        """
        return self.widow_size == 0 or self.reserve_scores

    @property
    def total(self) -> int:
        """Points of a deal: exact, or at most (see :attr:`total_is_exact`)."""
        return points_of(self.deck_mask) + (self.tricks if self.trick_point else 0)

    # -- calls -------------------------------------------------------------------------------

    @property
    def max_doubling(self) -> int | None:
        """Number of times a deal may be doubled; ``None``: without limit (infinite tap)."""
        if not self.book.calls or self.options.get("doubling_allowed") is False:
            return 0
        if self.options.get("redoubling_allowed") is False:
            return 1
        return None if self.flag("infinite_tap") else len(self.book.calls)

    @property
    def stakes(self) -> tuple[int, ...]:
        """The stake table of auction-1 by cards exchanged.

        Raises :class:`Malformed` (``stakes``) where the organiser has not given it (Q-004-4).
        """
        value = self.options.get("stakes")
        if not isinstance(value, list | tuple):
            raise Malformed(
                "stakes",
                f"{self.key} needs the option stakes: {self.widow_size + 1} amounts, "
                f"for 0 to {self.widow_size} cards exchanged",
                "options.stakes",
                {"needed": self.widow_size + 1},
            )
        return tuple(value)

    def require_complete(self) -> None:
        """Raise :class:`Malformed` unless an event may open with these switches (Q-004-4)."""
        if self.book.stakes:
            _ = self.stakes

    # -- duties ------------------------------------------------------------------------------

    @cached_property
    def duties(self) -> Duties:
        """Duties that bind a player (B.1 and the switches of A.7)."""
        duties: dict[str, Any] = {}
        for switch in self.book.switches:
            if switch.duty is not None:
                duties.update(switch.duty(self.options[switch.name]))
        return replace(self.book.duties, **duties)


def find(key: object) -> Rulebook:
    """Return the rulebook ``key``; raise :class:`Malformed` (``unknown_rulebook``) with the known keys."""
    book = RULEBOOKS.get(key) if isinstance(key, str) else None
    if book is None:
        raise Malformed(
            "unknown_rulebook",
            f"{shown(key)} is not a rulebook; known: {', '.join(RULEBOOKS)}",
            "rulebook",
            {"rulebook": shown(key), "allowed": list(RULEBOOKS)},
        )
    return book


def players_of(record: Mapping[str, object]) -> int | None:
    """Return how many play in an entry or record; ``None`` where it does not say."""
    key, options = record.get("rulebook"), record.get("options")
    book = RULEBOOKS.get(key) if isinstance(key, str) else None
    if book is not None and len(book.players) == 1:
        return book.usual_players
    players = options.get("players") if isinstance(options, Mapping) else None
    return players if isinstance(players, int) and 2 <= players <= 7 else None


def resolve(rulebook_key: object, options: object = None) -> Game:
    """Return the game of ``rulebook_key`` with every switch resolved; cached by its switches.

    >>> resolve("parlee").total, resolve("muette").seats
    (68, ('W', 'N', 'E', 'S'))

    Raises :class:`Malformed`: ``unknown_rulebook``, ``options``, ``unknown_option``,
    ``option_not_of_rulebook``, ``option_value``.
    """
    book = find(rulebook_key)
    if not isinstance(options, dict | None):
        return Game(book, read_options(book, options))
    return _resolved(book.key, json.dumps(options or {}))


@lru_cache(maxsize=256)
def _resolved(key: str, options: str) -> Game:
    book = RULEBOOKS[key]
    return Game(book, read_options(book, json.loads(options)))


def require_trump_allowed(game: Game, trump: str | None, field_name: str = "trump") -> None:
    """Raise :class:`Illegal` (``no_trump``) where the rulebook does not play without trump."""
    if trump == "NT" and not game.book.no_trump:
        raise Illegal(
            "no_trump",
            f"{game.key} is never played without trump",
            field_name,
            {"rulebook": game.key},
        )


def describe_rulebooks() -> list[RulebookJson]:
    """Return the JSON of ``rulebooks``: key, title, source, edition, players, switches.

    ``switches`` maps each switch to its ``default`` and ``allowed`` values; where a default depends
    on the number of players it is that of the usual number.
    """
    listing: list[RulebookJson] = []
    for book in RULEBOOKS.values():
        switches: dict[str, SwitchJson] = {
            switch.name: {
                "default": switch.default(book, book.usual_players),
                "allowed": list(switch.allowed),
            }
            for switch in book.switches
        }
        if "stakes" in switches:
            switches["stakes"]["required"] = True
        listing.append(
            {
                "key": book.key,
                "edition": book.edition,
                "title": book.title.msgid,
                "titles": in_every_language(book.title),
                "source": book.source,
                "external": book.external,
                "players": list(book.players),
                "switches": switches,
            }
        )
    return listing
