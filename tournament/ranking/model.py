"""Input and output of a ranking: frozen values, exact numbers, no behaviour.

Rule followed: rules specification D.2 ("Classification", "Byes"). Every number is an ``int`` or a
``Fraction``; a ``Fraction`` in a result never has denominator 1 (see :func:`exact`).

An *entrant* is the ranked unit: a player, a pair or a team. In individual play each player has
their own :class:`Played` for a game, with their side's marks: they are credited with their side's
result, and their ``opponents`` are the entrants of the other side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

Number = int | Fraction
Value = Number | tuple[Number, ...] | None
"""A criterion's value: a number; a tuple, compared place by place; None where it does not apply."""

HALF: Final = Fraction(1, 2)


def exact(value: Number) -> Number:
    """Return the same number, as an ``int`` when it is whole, so that equal values are equal bytes.

    >>> exact(Fraction(6, 2)), exact(Fraction(1, 2))
    (3, Fraction(1, 2))
    """
    if isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else value


class Outcome(StrEnum):
    """Result of a game for the entrant."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class LineKind(StrEnum):
    """Kind of a round's line: as in the results, and from ``WALK_OVER`` on as a book counts it."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    """Decided without play; the outcome and marks given stand (a no-show: loss with 0)."""
    BYE = "bye"
    SAT_OUT = "sat_out"
    """Not seated because the field did not divide by the table (n mod 4)."""
    WALK_OVER = "walk_over"
    """Won without play."""
    CREDITED = "credited"
    """A round without play, with what it is worth."""
    STRUCK = "struck"
    """Deleted as one who took part has withdrawn."""
    UNCOUNTED = "uncounted"
    """A round without play that is worth nothing."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who is ranked. ``id`` is stable across installations (never a database key).

    ``number`` is the start number, used to list those who share a rank. ``excluded`` is a
    disqualification: results stand for the others, the entrant is listed without a rank.
    ``unplayed``: never sat down at a table, listed without a rank as well. ``through``: withdrew
    after all their rounds, and so has a rank.
    """

    id: str
    number: int
    club: str = ""
    withdrawn: bool = False
    excluded: bool = False
    unplayed: bool = False
    through: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """One game of one entrant (or the round they did not play, by ``kind``).

    ``marks_for``/``marks_against``: the marks of both sides, after rulings. ``deals``: deals
    played. ``best_deal``: most marks of their side in one deal. ``points`` of ``max_points``: card
    points taken and available, for the percentage (both or none). ``penalties``: penalties against
    their side in this game. ``match``: the winner of the whole sitting, where the director decided
    it and the games do not. ``place``: where each plays against all, the number of players at the
    table behind them, tied ones for a half. In a book, ``limited`` is the difference where it is
    not that of the marks, and with ``average`` the average of the entrant's own games of the stage
    counts in every criterion.
    """

    round_no: int
    entrant: str
    outcome: Outcome | None = None
    marks_for: Number = 0
    marks_against: Number = 0
    opponents: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()
    table: int | None = None
    game_no: int = 1
    deals: int = 0
    best_deal: Number | None = None
    points: Number | None = None
    max_points: Number | None = None
    penalties: int = 0
    kind: LineKind = LineKind.PLAYED
    match: Outcome | None = None
    place: Number | None = None
    limited: Number | None = None
    average: bool = False

    @property
    def net(self) -> Number:
        """Marks for minus marks against, as far as they count."""
        return self.marks_for - self.marks_against if self.limited is None else self.limited


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Correction by a ruling for one entrant from ``round_no`` on; all amounts are added.

    ``marks`` moves marks and net marks alike. ``reason`` is the key under which the page finds the
    words (a ruling's number); the arithmetic never reads it.
    """

    entrant: str
    round_no: int
    marks: Number = 0
    match_points: Number = 0
    games_won: Number = 0
    penalty_count: int = 0
    reason: str = ""


class CapOn(StrEnum):
    """Quantity that a cap limits in each game."""

    MARKS = "marks"
    """Each side's marks count for at most the amount (botifarra: 121 in a game to 101)."""
    NET = "net"
    """The difference counts for at most the amount either way."""


@dataclass(frozen=True, slots=True)
class Cap:
    """Upper limit on the value of one game; rules specification D.2: target + 20."""

    amount: int
    on: CapOn = CapOn.NET


class CreditBy(StrEnum):
    """Source of the marks of a credited round."""

    OWN_AVERAGE = "own_average"
    """The average of the entrant's own other games; 0 while there is none."""
    FIELD_MEDIAN = "field_median"
    """The median of the field's games of that round with the same outcome."""
    FIELD_SPREAD = "field_spread"
    """The mean of the field's best, worst and two middle games of that round, rounded up (E11)."""
    FIXED = "fixed"
    """The amounts stated in the credit."""
    NONE = "none"
    """Nothing at all: the round does not count."""


@dataclass(frozen=True, slots=True)
class Credit:
    """Credit of an entrant for a game they could not play.

    When ``outcome`` is None and ``by`` is the own average, the entrant's own games are averaged in
    every criterion, games won and match points too.
    """

    by: CreditBy = CreditBy.OWN_AVERAGE
    outcome: Outcome | None = Outcome.WIN
    marks: Number = 0
    net: Number = 0


AVERAGE: Final = Credit(outcome=None)
"""Credit of a bye for individuals left over through no choice of their own."""
NO_CREDIT: Final = Credit(by=CreditBy.NONE, outcome=None)


class Withdrawal(StrEnum):
    """Treatment of an entrant who withdraws."""

    KEPT = "kept"
    """Their results stand and they keep their rank; a cut passes over them."""
    UNRANKED = "unranked"
    """Their results stand for the others; they are listed below, without a rank."""
    STRUCK = "struck"
    """Every game they took part in is deleted for everybody; they are listed below, without a rank."""


Param = int | str | Fraction | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """A criterion in a rule: its code and its parameters, sorted by name."""

    code: str
    params: tuple[tuple[str, Param], ...] = ()


def use(code: str, **params: Param) -> Use:
    """Return the criterion ``code`` with ``params``; unknown names are refused when the rule is read.

    >>> use("buchholz_cut", worst=2)
    Use(code='buchholz_cut', params=(('worst', 2),))
    """
    return Use(code, tuple(sorted(params.items())))


@dataclass(frozen=True, slots=True)
class Rule:
    """A ranking rule: the criteria in their order, and how a game is counted.

    ``win``/``draw``/``loss``: match points of a game (or match, by the criterion's parameter).
    ``cap``: the limit of a game. ``bye``/``sat_out``: credits. ``code``: the preset it came from.
    """

    criteria: tuple[Use, ...]
    win: Number = 2
    draw: Number = 1
    loss: Number = 0
    cap: Cap | None = None
    bye: Credit = Credit()
    sat_out: Credit = Credit()
    withdrawn: Withdrawal = Withdrawal.UNRANKED
    code: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a standing.

    ``position``: 1..n in the order listed. ``rank``: 1..n, shared by those tied ("1, 2, 2, 4");
    None for an entrant listed without a rank. ``tied``: shares their rank. ``values``: one for each
    criterion of the rule, in its order. ``games``/``won``/``drawn``/``lost``: games counted,
    credited ones included; ``credited``: the number of credited ones.
    """

    position: int
    rank: int | None
    tied: bool
    entrant: Entrant
    values: tuple[Value, ...]
    games: int
    won: int
    drawn: int
    lost: int
    credited: int
    adjusted: bool


@dataclass(frozen=True)
class Standing:
    """The rows in order, those of them that have a rank, and the last round counted (0 when none)."""

    rule: Rule
    rows: tuple[Row, ...]
    through: int
    ranked: tuple[Row, ...] = field(init=False, repr=False, compare=False)
    _by_id: Mapping[str, Row] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ranked = tuple(row for row in self.rows if row.rank is not None)
        object.__setattr__(self, "ranked", ranked)
        object.__setattr__(self, "_by_id", {row.entrant.id: row for row in self.rows})

    @property
    def codes(self) -> tuple[str, ...]:
        """The criteria's codes, in the order of ``Row.values``."""
        return tuple(used.code for used in self.rule.criteria)

    def row(self, entrant: str) -> Row:
        """Return the line of ``entrant``; ``KeyError`` when they are not in the standing."""
        return self._by_id[entrant]

    def ties(self) -> tuple[tuple[Row, ...], ...]:
        """Return the groups that share a rank, best first."""
        groups: dict[int, list[Row]] = {}
        for row in self.rows:
            if row.tied and row.rank is not None:
                groups.setdefault(row.rank, []).append(row)
        return tuple(tuple(group) for group in groups.values())
