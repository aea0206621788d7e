"""One published rulebook: a frozen value, never edited once published.

Each TOML file of ``scoring/books/`` holds one :class:`Rulebook`: the rows of the variant tables (rules
specification A.1 setting up, A.2 stakes and end, A.3 calls, B.1 duties, B.3 articles), its switches
of A.7 with their defaults, and worked deals. A changed rule is a new ``edition``, so
that an old event keeps the rules it was played under.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from scoring.texts import Message

from .duties import Duties


class Sides(StrEnum):
    """Composition of the sides."""

    PAIRS = "PAIRS"
    """Two pairs facing: N-S against E-W."""
    DEALER_ALONE = "DEALER_ALONE"
    """Three players, the dealer against the two others, changing every deal."""
    DECLARER_ALONE = "DECLARER_ALONE"
    """Each for themselves; in a deal the declarer against all the others."""


class TrumpChoice(StrEnum):
    """Choice of the trump of a deal (A.1)."""

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
    """Leader of the first trick (A.1)."""

    AFTER_DEALER = "AFTER_DEALER"
    """The next player after the dealer in the direction of play (eldest hand)."""
    AFTER_LAST_BIDDER = "AFTER_LAST_BIDDER"
    """The next player after the last bidder; a doubling is not a bid (002)."""
    ELDEST_OR_ALL_TRICKS = "ELDEST_OR_ALL_TRICKS"
    """Eldest hand; the declarer when they bid to win every trick (004)."""


class Cut(StrEnum):
    """Player who cuts before the deal (Q-DEAL: informative, no sanction)."""

    LEFT_OPPONENT = "LEFT_OPPONENT"
    BEFORE_DEALER = "BEFORE_DEALER"
    NOT_STATED = "NOT_STATED"


class Talk(StrEnum):
    """Talk allowed to partners during play (A.1, last column)."""

    SILENT = "SILENT"
    FREE_FOR_LEADER = "FREE_FOR_LEADER"
    QUESTIONS = "QUESTIONS"
    ONE_ITEM_BEFORE_LEAD = "ONE_ITEM_BEFORE_LEAD"


class Bids(StrEnum):
    """Unit of the bids in the auction (A.3)."""

    NONE = "NONE"
    """Nothing: no auction."""
    LADDER = "LADDER"
    """The book's ``levels`` with a trump, doubled within the auction (002)."""
    POINTS = "POINTS"
    """A number of points, or every trick (004)."""


class Exchange(StrEnum):
    """Entry on the sheet for the cards that a declarer exchanged (A.1)."""

    NONE = "NONE"
    """Nothing: no cards are exchanged."""
    COUNTED = "COUNTED"
    """Their number."""
    WHETHER = "WHETHER"
    """Whether any were exchanged."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """Sizes of hands and widow for a given number of players.

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
class Switch:
    """A setting that an event may change: one row of A.7, or what a rulebook makes of it.

    ``default`` gives the JSON default for a rulebook and a number of players; ``allowed`` is the
    list shown to people and programs (values, and descriptions in angle brackets). ``read`` turns
    a JSON value into its canonical form and raises ``ValueError`` when it is not allowed.
    ``duty`` names the fields of :class:`Duties` that a value sets.
    """

    name: str
    allowed: tuple[object, ...]
    default: Callable[[Rulebook, int], object]
    read: Callable[[object], object]
    duty: Callable[[object], Mapping[str, object]] | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """A worked deal of the rulebook's page: its name, what happened at the table, and the entry."""

    name: str
    story: str
    entry: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook edition, as data. ``half`` is the mark to exceed, in points of a deal."""

    key: str
    edition: str
    title: Message
    source: str
    code: str
    """Whose penal code rules here: the name in ``rulebooks`` of the articles (inherited)."""
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
    duties: Duties
    """The duties of play (B.1) before a switch changes them."""
    target: object
    """Default target, as JSON."""
    targets: tuple[object, ...]
    """The targets that the source names, as JSON."""
    switches: tuple[Switch, ...]
    """The switches that the book knows, with its defaults, in the order of A.7."""
    turn_up: bool = False
    no_trump_factor: int = 1
    levels: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """Bids and their factors (chaloupée); empty elsewhere."""
    bids: Bids = Bids.NONE
    stakes: bool = False
    """Whether the declarer wins or pays a stake by the cards exchanged (auction 1)."""
    exchange: Exchange = Exchange.NONE
    calls: tuple[Call, ...] = ()
    play_articles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Article of each kind of illegal play (B.3)."""
    shuffle_every_deal: bool = True
    external: bool = False
    """True where the rules come from outside the five sources (belgian)."""
    notes: tuple[Message, ...] = ()
    """What the book leaves open and how it is read, for the player's page."""
    worked: tuple[Worked, ...] = ()
    penalties: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """What it changes in its penal code, as the penal code reads it: articles, ladders, adopted, rulers."""

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that the book knows."""
        return tuple(sorted(self.dealing))

    @property
    def usual_players(self) -> int:
        """Four where four may play, otherwise the only number that may."""
        return 4 if 4 in self.dealing else self.players[0]
