"""Request and result of a draw, as frozen values.

Nothing here knows a database or a screen. A contestant is an ``int`` the caller chooses (a player in
an individual event, a pair in a pairs event); every number is an ``int``. The same
:class:`Request` gives the same :class:`Drawn` on every machine (see :mod:`.chance`).

The vocabulary is that of the rules specification, D.2: table, seat, side, round, bye.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

from scoring.texts import Message

Pair = tuple[int, int]

#: The algorithm of a draw. 1: as drawn up to release 0.2.0. 2: small fields are solved exactly
#: (:mod:`.small`). 3: of a timetable of individuals, who sits out fills a table that is broken. 4: players to be kept apart
#: are so in every format, or the draw is refused. 5: lots and pools are uniform (:mod:`.lots`). 6: up to 24 players at tables of four are
#: drawn at the optimum; keeping players apart outweighs whose turn it is to sit out, and clubs in pools and lots. 7: a
#: Swiss round weighs the sides that the two have sat on. A request is drawn by the version that it was first drawn by.
VERSION = 7

#: ``progress(done, total)``: called now and then with whole numbers; must not raise.
Progress = Callable[[int, int], None]


def pair(a: int, b: int) -> Pair:
    """Return the unordered pair as the key used everywhere: smaller id first."""
    return (a, b) if a < b else (b, a)


class DrawRefused(ValueError):
    """The request cannot be drawn; ``code`` is stable, ``reason`` is for people."""

    def __init__(self, code: str, reason: Message, ids: tuple[int, ...] = ()) -> None:
        super().__init__(reason.render("en"))
        self.code = code
        self.reason = reason
        self.ids = ids


class Kind(StrEnum):
    """Kind of play at a table, which decides the partners.

    * ``PARTNERS``: four players, one match, N–S against E–W.
    * ``ROTATION``: four players, three games AB–CD, AC–BD, AD–BC: each partners each of the others.
    * ``MATCH``: two entrants (pairs) against each other.
    * ``SOLO``: three to seven players, each for themselves (auction and three-player rulebooks).
    """

    PARTNERS = "partners"
    ROTATION = "rotation"
    MATCH = "match"
    SOLO = "solo"


SEATS: Mapping[Kind, tuple[str, ...]] = {
    Kind.PARTNERS: ("N", "E", "S", "W"),
    Kind.ROTATION: ("A", "B", "C", "D"),
    Kind.MATCH: ("NS", "EW"),
    Kind.SOLO: ("1", "2", "3", "4", "5", "6", "7"),
}


class Odd(StrEnum):
    """Treatment of the one, two or three players over a multiple of four."""

    BYES = "byes"  # they sit out, in turn
    THREES = "threes"  # enough tables of three that nobody sits out (004, three players)


@dataclass(frozen=True, slots=True)
class Contestant:
    """One player or pair in the hall.

    ``score`` is the score group (any whole number, higher is better, equal means same group);
    ``rank`` the place in the standings before this round, 1 first, 0 unknown; ``rating`` the
    strength used for seeding. ``fixed_table`` and ``fixed_seat`` belong to contestants who cannot
    move (0 and ``""`` when free). ``scorekeeper`` is false for contestants exempt from keeping the
    score. ``floated``: 1 after a match against a better score group in the round before, −1 against
    a weaker one.
    """

    id: int
    club: str = ""
    family: str = ""
    score: int = 0
    rank: int = 0
    rating: int = 0
    fixed_table: int = 0
    fixed_seat: str = ""
    scorekeeper: bool = True
    floated: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """One table of one round: ``players`` in the order of :data:`SEATS` of its kind."""

    number: int
    kind: Kind
    players: tuple[int, ...]
    scorekeeper: int | None = None
    dealer: int | None = None

    @property
    def seats(self) -> dict[str, int]:
        """Seat label → contestant id."""
        return dict(zip(SEATS[self.kind], self.players, strict=False))

    def games(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Return the games of the table, each as its two sides; empty for ``SOLO``."""
        p = self.players
        if self.kind is Kind.PARTNERS:
            return (((p[0], p[2]), (p[1], p[3])),)
        if self.kind is Kind.ROTATION:
            a, b, c, d = p
            return (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
        if self.kind is Kind.MATCH:
            return (((p[0],), (p[1],)),)
        return ()

    def meetings(self) -> list[Pair]:
        """Return every two players at the table, as pairs."""
        return [pair(a, b) for a, b in combinations(self.players, 2)]

    def partners(self) -> list[Pair]:
        """Return the partners, one pair for each side of each game."""
        return [pair(*side) for game in self.games() for side in game if len(side) == 2]

    def opponents(self) -> list[Pair]:
        """Return the opponents, one pair for each meeting in each game."""
        if self.kind is Kind.SOLO:
            return self.meetings()
        return [pair(x, y) for one, two in self.games() for x in one for y in two]


@dataclass(frozen=True, slots=True)
class History:
    """Counts by pair and by contestant from earlier rounds.

    ``meetings`` counts sittings at one table, ``partners`` and ``opponents`` games; ``byes`` the rounds
    sat out, or spent at a filling table of three (:mod:`.filling`). ``rounds`` counts
    the rounds each contestant sat at a table, ``first_sides`` and ``second_sides`` the matches at either side.
    """

    partners: Mapping[Pair, int] = field(default_factory=dict)
    opponents: Mapping[Pair, int] = field(default_factory=dict)
    meetings: Mapping[Pair, int] = field(default_factory=dict)
    byes: Mapping[int, int] = field(default_factory=dict)
    scorekeepers: Mapping[int, int] = field(default_factory=dict)
    dealers: Mapping[int, int] = field(default_factory=dict)
    rounds: Mapping[int, int] = field(default_factory=dict)
    first_sides: Mapping[int, int] = field(default_factory=dict)
    second_sides: Mapping[int, int] = field(default_factory=dict)

    def after(self, tables: Iterable[Table], byes: Iterable[int] = ()) -> History:
        """Return this history with one more round in it; the receiver does not change.

        >>> h = History().after([Table(1, Kind.PARTNERS, (1, 2, 3, 4), dealer=2)], byes=[5])
        >>> h.partners, h.byes, h.dealers
        ({(1, 3): 1, (2, 4): 1}, {5: 1}, {2: 1})
        """
        partners, opponents = dict(self.partners), dict(self.opponents)
        meetings, rounds = dict(self.meetings), dict(self.rounds)
        keepers, dealers = dict(self.scorekeepers), dict(self.dealers)
        bye, first, second = dict(self.byes), dict(self.first_sides), dict(self.second_sides)
        for table in tables:
            for key in table.partners():
                partners[key] = partners.get(key, 0) + 1
            for key in table.opponents():
                opponents[key] = opponents.get(key, 0) + 1
            for key in table.meetings():
                meetings[key] = meetings.get(key, 0) + 1
            for who in table.players:
                rounds[who] = rounds.get(who, 0) + 1
            if table.kind is Kind.MATCH:
                for side, who in zip((first, second), table.players, strict=True):
                    side[who] = side.get(who, 0) + 1
            if table.scorekeeper is not None:
                keepers[table.scorekeeper] = keepers.get(table.scorekeeper, 0) + 1
            if table.dealer is not None:
                dealers[table.dealer] = dealers.get(table.dealer, 0) + 1
        for who in byes:
            bye[who] = bye.get(who, 0) + 1
        return History(partners, opponents, meetings, bye, keepers, dealers, rounds, first, second)


@dataclass(frozen=True, slots=True)
class Wishes:
    """Constraints and preferences of a draw, besides not repeating meetings.

    * ``bans``: pairs never at one table, in any round.
    * ``clubs_apart_until`` / ``families_apart_until``: last round in which members of one club or
      family are kept apart (0: never mind; a large number: always).
    * ``locked``: tables kept whole; their players and numbers are not drawn again.
    * ``held``: contestants whose table has not finished: they are drawn nowhere, and come back as
      :attr:`Drawn.held`, to be seated together with :func:`tournament.pairing.manual.seat_held`.
    * ``bye_first``: contestants who asked to sit out (before the fair turn is consulted).
    """

    bans: frozenset[Pair] = frozenset()
    clubs_apart_until: int = 0
    families_apart_until: int = 0
    locked: tuple[Table, ...] = ()
    held: frozenset[int] = frozenset()
    bye_first: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Request:
    """Everything one draw depends on.

    ``round_no`` counts from 1; ``rounds`` is the number planned (at least ``round_no``): the closed
    forms and the look-ahead use it. ``seed`` is the public text of the draw; use *one seed for the
    whole stage*, so that the rounds of a closed form belong together. ``slots`` is
    :attr:`Drawn.slots` of the stage's previous draw, empty at its first. ``by_score`` asks for tables
    of equal score groups. ``version`` is that of the algorithm (:data:`VERSION`).
    """

    contestants: tuple[Contestant, ...]
    round_no: int
    seed: str
    rounds: int = 0
    kind: Kind = Kind.ROTATION
    odd: Odd = Odd.BYES
    history: History = field(default_factory=History)
    wishes: Wishes = field(default_factory=Wishes)
    slots: tuple[int, ...] = ()
    by_score: bool = False
    first_table: int = 1
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a certificate: ``value`` reached, beside the lower ``bound``.

    ``proven`` is true when ``bound`` is a proven lower bound (else it is the best known); ``why``
    names the argument. The value is optimal when ``proven`` and ``value == bound``.
    """

    code: str
    value: int
    bound: int
    proven: bool
    why: Message

    @property
    def optimal(self) -> bool:
        """Whether nothing smaller is possible."""
        return self.proven and self.value <= self.bound


@dataclass(frozen=True, slots=True)
class Certificate:
    """Quality of a draw, in numbers that can be recounted."""

    lines: tuple[Line, ...]

    def __getitem__(self, code: str) -> Line:
        for line in self.lines:
            if line.code == code:
                return line
        raise KeyError(code)

    def values(self) -> dict[str, int]:
        """Code → value."""
        return {line.code: line.value for line in self.lines}


@dataclass(frozen=True, slots=True)
class Drawn:
    """The answer: tables, who sits out, and what it is worth.

    ``movement`` names how the tables were found (``"columns"``, ``"search"``, …); ``slots`` goes
    into the next :class:`Request` of the stage; ``held`` are those whose table is still playing.
    """

    round_no: int
    movement: str
    seed: str
    tables: tuple[Table, ...]
    byes: tuple[int, ...]
    certificate: Certificate
    slots: tuple[int, ...] = ()
    held: tuple[int, ...] = ()

    def table_of(self, contestant: int) -> Table | None:
        """Return the table of a contestant; ``None`` when they sit out."""
        for table in self.tables:
            if contestant in table.players:
                return table
        return None
