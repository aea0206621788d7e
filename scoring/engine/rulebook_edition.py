"""What one published rulebook says: a frozen value, never edited once published.

Each TOML file of ``scoring/engine/rulebooks/`` says one :class:`Rulebook`, with the rows of the variant
tables (rules specification A.1 setting up, A.2 stakes and end, A.3 calls, B.3 articles) and the
switches of A.7 that it knows with their defaults. A changed rule is a new file with a new
``edition``, so that an old event keeps the rules it was played under.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from scoring.texts import Message

KEYS: Final = (
    "parlee",
    "boussac",
    "chaloupee",
    "coinchee",
    "muette",
    "parlee-limited",
    "auction-1",
    "auction-2",
    "auction-3",
    "blind",
    "three-player",
    "belgian",
)
"""The twelve rulebooks, in the order of the variant table."""


class Sides(StrEnum):
    """Who plays against whom."""

    PAIRS = "PAIRS"
    """Two pairs facing: N-S against E-W."""
    DEALER_ALONE = "DEALER_ALONE"
    """Three players, the dealer against the two others, changing every deal."""
    DECLARER_ALONE = "DECLARER_ALONE"
    """Each for themselves; in a deal the declarer against all the others."""


class TrumpChoice(StrEnum):
    """How the trump of a deal is found (A.1)."""

    TURN_UP = "TURN_UP"
    """The last card of the pack, turned face up by the dealer."""
    DEALER_OR_PARTNER = "DEALER_OR_PARTNER"
    """The dealer, or their partner when asked ("en face"); a suit or no trump."""
    DEALER = "DEALER"
    """The dealer alone."""
    AUCTION = "AUCTION"
    """The highest bidder."""
    DECLARER = "DECLARER"
    """The player who took the widow, after exchanging."""


class Leader(StrEnum):
    """Who leads to the first trick (A.1)."""

    AFTER_DEALER = "AFTER_DEALER"
    """The next player after the dealer in the direction of play (eldest hand)."""
    AFTER_LAST_BIDDER = "AFTER_LAST_BIDDER"
    """The next player after the last bidder; a doubling is not a bid (002)."""
    ELDEST_OR_ALL_TRICKS = "ELDEST_OR_ALL_TRICKS"
    """Eldest hand; the declarer when they bid to win every trick (004)."""


class Cut(StrEnum):
    """Who cuts before the deal (Q-DEAL: informative, no sanction)."""

    LEFT_OPPONENT = "LEFT_OPPONENT"
    BEFORE_DEALER = "BEFORE_DEALER"
    NOT_STATED = "NOT_STATED"


class Talk(StrEnum):
    """What partners may say during play (A.1, last column)."""

    SILENT = "SILENT"
    FREE_FOR_LEADER = "FREE_FOR_LEADER"
    QUESTIONS = "QUESTIONS"
    ONE_ITEM_BEFORE_LEAD = "ONE_ITEM_BEFORE_LEAD"


class Ruffing(StrEnum):
    """Which family of duties of play binds (B.1)."""

    PARLEE = "PARLEE"
    """Follow, beat, ruff and overruff an opponent (B.2)."""
    MUETTE = "MUETTE"
    """Follow; ruffing as the switch ``muette_ruff`` says (Q-004-1)."""
    NONE = "NONE"
    """No duty at all: cards are drawn at random (blind manille)."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """How the cards go round with a given number of players.

    ``hand``: cards a player; ``widow``: cards out of the hands; ``face_up``: how many of those lie
    open; ``removed_sevens``: taken out of the pack beforehand, 7♦ and 7♥ first, then 7♣ and 7♠;
    ``packets``: the usual packets, empty where the source fixes none.
    """

    hand: int
    widow: int = 0
    face_up: int = 0
    removed_sevens: int = 0
    packets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A doubling by its local name: ``count`` is the value of ``doubling`` it makes."""

    count: int
    title: Message
    by: str
    """``opponents`` or ``declarers``."""
    source: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook edition, as data. ``half`` is the mark to exceed, in points of a deal."""

    key: str
    edition: str
    title: Message
    source: str
    dealing: Mapping[int, Dealing]
    """By number of players; the keys are the numbers allowed."""
    sides: Sides
    trick_point: bool
    """Whether a trick is worth a point of its own (the 68-model)."""
    half: int
    direction: str
    """Default of the switch ``direction``: ``CCW`` or ``CW`` (Q-DIR)."""
    trump_choice: TrumpChoice
    no_trump: bool
    leader: Leader
    cut: Cut
    talk: Talk
    talk_text: Message
    ruffing: Ruffing
    target: object
    """Default target, as JSON."""
    targets: tuple[object, ...]
    """The targets that the source names, as JSON."""
    turn_up: bool = False
    no_trump_factor: int = 1
    levels: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """Bids and their factors (chaloupée); empty elsewhere."""
    calls: tuple[Call, ...] = ()
    play_articles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Article of each kind of illegal play (B.3)."""
    shuffle_every_deal: bool = True
    external: bool = False
    """True where the rules come from outside the five sources (belgian)."""
    notes: tuple[Message, ...] = ()
    """What the book leaves open and how it is read, for the player's page."""

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that the book knows."""
        return tuple(sorted(self.dealing))

    @property
    def usual_players(self) -> int:
        """Four where four may play, otherwise the only number that may."""
        return 4 if 4 in self.dealing else self.players[0]

    @property
    def has_factors(self) -> bool:
        """Whether anything multiplies a result."""
        return (
            bool(self.calls or self.levels) or self.no_trump_factor > 1 or self.key == "auction-3"
        )
