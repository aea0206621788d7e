"""What one published rulebook says: a frozen value, never edited once published.

Each file of ``scoring/engine/rulebooks/`` holds one :class:`Rulebook`, with the rows of the variant
tables (rules specification A.1 setting up, A.2 stakes and end, A.3 calls, B.3 articles) and the
switches of A.7 that it knows with their defaults. A changed rule is a new file with a new
``edition``, so that an old event keeps the rules it was played under.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from .texts import Texts


class Sides(StrEnum):
    """Who plays against whom."""

    PAIRS = "PAIRS"
    """Two pairs facing: N-S against E-W."""
    DEALER_ALONE = "DEALER_ALONE"
    """Three players, the dealer against the two others, changing every deal."""
    DECLARER_ALONE = "DECLARER_ALONE"
    """Each for himself; in a deal the declarer against all the others."""


class TrumpChoice(StrEnum):
    """How the trump of a deal is found (A.1)."""

    TURN_UP = "TURN_UP"
    """The last card of the pack, turned face up by the dealer."""
    DEALER_OR_PARTNER = "DEALER_OR_PARTNER"
    """The dealer, or his partner when asked ("en face"); a suit or no trump."""
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
    """Eldest hand; the declarer when he bid to win every trick (004)."""


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
    name: Texts
    by: str
    """``opponents`` or ``declarers``."""
    source: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook edition, as data. ``half`` is the mark to exceed, in points of a deal."""

    key: str
    edition: str
    title: Texts
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
    talk_text: Texts
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
    notes: tuple[Texts, ...] = ()
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


PLAY_KINDS = (
    "revoke",
    "false_ruff",
    "failed_to_beat",
    "failed_to_ruff",
    "failed_to_overruff",
    "under_ruff",
    "disobeyed_order",
)


def play_articles(
    revoke: str, false_ruff: str, beat: str, ruff: str, overruff: str, under: str, order: str = ""
) -> Mapping[str, str]:
    """One column of the table of B.3; an empty text where the table has a dash."""
    ids = (revoke, false_ruff, beat, ruff, overruff, under, order)
    return MappingProxyType({kind: i for kind, i in zip(PLAY_KINDS, ids, strict=True) if i})


PAIR_DEALING = 4


def pairs_dealing(*packets: int) -> Mapping[int, Dealing]:
    """Four players, eight cards each."""
    return MappingProxyType({PAIR_DEALING: Dealing(hand=8, packets=packets)})
