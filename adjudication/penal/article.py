"""Articles of the penal code: frozen values, with every text in three languages.

An article defines an offence and its offender, the conditions that establish it, its penalty and
beneficiary, the consequence for the deal, the choices left to the opponents and the facts that a
referee must state. Articles are stored in ``scoring/articles``, amounts for deal scoring under
``scored``; here the penalty is symbolic (:class:`Charge`) and a test checks that the two agree
(rules specification C).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from scoring.engine.articles import CONDUCT_KINDS
from scoring.texts import Message, Text, Translated


class Domain(StrEnum):
    """Part of the game governed by an article."""

    CARD_PLAY = "card_play"
    DEALING = "dealing"
    CALLS = "calls"
    TALK = "talk"
    CONDUCT = "conduct"
    TOURNAMENT = "tournament"


class Origin(StrEnum):
    """Authority of an article, shown with every citation of it."""

    SOURCE = "source"
    """The sanction is in the source's own words."""
    RECOMMENDED = "recommended"
    """The duty is in a source, the sanction is this code's recommendation."""
    ADDITION = "addition"
    """Beyond the card-game sources: tournament practice."""
    HOUSE = "house"
    """Added by an event for itself."""


class Who(StrEnum):
    """Possible offender."""

    PLAYER = "player"
    DEALER = "dealer"
    SIDE = "side"
    PARTNER_OR_OPPONENT = "partner_or_opponent"
    DEALERS_PARTNER = "dealers_partner"
    BIDDER = "bidder"
    ENTRANT = "entrant"
    BYSTANDER = "bystander"
    NOBODY = "nobody"


class Charge(StrEnum):
    """Penalty of an established offence, before the event's switches are applied."""

    NONE = "none"
    PENALTY = "penalty"
    """``penalty_value``: half of the deal, 34 or 30 (Q-GEN-3)."""
    DEAL_TOTAL = "deal_total"
    """All the points of the deal, 68 or 60."""
    LADDER = "ladder"
    """What the article's ladder says for this offence."""


class Beneficiary(StrEnum):
    """Beneficiary of the penalty (Q-GEN-2)."""

    OPPONENTS = "opponents"
    OTHER_SIDE = "other_side"
    """The opponents; where one plays against all, the declarer alone by a defender's fault (C.8)."""
    EACH_OPPONENT = "each_opponent"
    TABLE = "table"
    """The opponents in a deal; outside deals, where partners change, all other players at the table."""
    NOBODY = "nobody"


class DealRule(StrEnum):
    """Consequence of an established offence for the deal."""

    REPLACED = "replaced"
    """The penalty takes the place of the result (Q-GEN-4), unless the event scores both."""
    LOST = "lost"
    """No valid deal took place: no result, its turn-up bonus is cancelled, the deal passes on."""
    LOST_KEPT = "lost_kept"
    """The same once a card was played: the side not at fault keeps what it had made (C.8)."""
    STANDS = "stands"
    """Play goes on and the result counts."""
    REDEALT = "redealt"
    """Thrown in and dealt again by the same dealer."""
    PASSES = "passes"
    """Thrown in without penalty; the next player deals."""
    CANCELLED = "cancelled"
    """Broken off without result and not dealt again (the bell)."""
    CHOICE = "choice"
    """The opponents choose among the article's options."""


class Measure(StrEnum):
    """One rung of a ladder."""

    NONE = "none"
    WARNING = "warning"
    PUT_RIGHT = "put_right"
    """Set right at the table, without penalty (C.8)."""
    PENALTY = "penalty"
    DEALS_CONCEDED = "deals_conceded"
    CALL_VOID = "call_void"
    BARRED_FROM_BIDDING = "barred_from_bidding"
    REDEAL = "redeal"
    DEAL_PASSES = "deal_passes"
    RESULTS_DELETED = "results_deleted"
    ROUND_FORFEITED = "round_forfeited"
    EXCLUDED_FROM_ROUND = "excluded_from_round"
    DISQUALIFIED = "disqualified"
    REMOVED = "removed"
    CLAIM_REFUSED = "claim_refused"


class LadderBy(StrEnum):
    """Unit counted by a ladder."""

    OFFENCE = "offence"
    """The first, second, … ruling against the same person or entrant under the article."""
    MINUTES = "minutes"
    """The minutes stated in the facts."""


class Rulers(StrEnum):
    """Rank required to rule under an article; C.8 may require two persons whatever the rank."""

    REFEREE = "referee"
    """Any referee."""
    CHIEF = "chief"
    """The chief referee or the director."""
    TWO = "two"
    """One of them, and a second one confirms before it takes effect."""


class LadderScope(StrEnum):
    """Range of earlier offences that count."""

    EVENT = "event"
    """All rulings of the event against the same person or entrant."""
    DEAL = "deal"
    """Only those of the same deal against the same side."""
    MATCH = "match"
    """Only those of the same match against the same side (C.8)."""


@dataclass(frozen=True, slots=True)
class Step:
    """A rung: it holds up to and including ``upto`` (``None``: everything above).

    ``share``: marks of a PENALTY or of each conceded deal, as a multiple of the penalty value.
    ``deals``: how many deals a DEALS_CONCEDED rung gives away.
    """

    upto: int | None
    measure: Measure
    share: Fraction = Fraction(1)
    deals: int = 0


@dataclass(frozen=True, slots=True)
class Ladder:
    """Rungs in rising order; the last one is open-ended."""

    by: LadderBy
    steps: tuple[Step, ...]
    scope: LadderScope = LadderScope.EVENT

    def step(self, count: int) -> Step:
        """Return the step for the ``count``-th offence or for ``count`` minutes."""
        return next(step for step in self.steps if step.upto is None or count <= step.upto)


class FactType(StrEnum):
    """Type of a fact, which determines its form control."""

    CHOICE = "choice"
    BOOL = "bool"
    INT = "int"
    SEAT = "seat"
    TRICK = "trick"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class FactField:
    """One fact that the referee states: a typed field with label and help.

    ``choices`` (type CHOICE) are pairs of stable value and label; ``minimum`` and ``maximum``
    bound an INT or TRICK.
    """

    name: str
    type: FactType
    label: Text
    help: Text
    required: bool = True
    choices: tuple[tuple[str, Text], ...] = ()
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """The offence is penalised only when ``fact`` has ``value``.

    Otherwise ``otherwise`` says why not and ``deal`` what then becomes of the deal. A fact that
    was not stated (an optional one) never fails a condition.
    """

    fact: str
    value: str | bool
    otherwise: Text
    deal: DealRule = DealRule.STANDS


@dataclass(frozen=True, slots=True)
class Case:
    """A value of a fact for which the article has a measure and effect of its own."""

    fact: str
    value: str
    text: Text
    measure: Measure
    deal: DealRule


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of the opponents: what they may ask for and what then becomes of the deal."""

    id: str
    label: Text
    deal: DealRule
    measure: Measure = Measure.NONE


_LANGUAGES: Final = {"000": "fr", "002": "fr", "003": "fr", "Flemish practice": "nl"}


@dataclass(frozen=True, slots=True)
class Citation:
    """Source of an article: the document, the rule in it, and a short quotation."""

    source: str
    rule: str
    quote: str

    @property
    def place(self) -> str:
        """The source and the rule in it."""
        return f"{self.source} {self.rule}".strip()

    @property
    def language(self) -> str:
        """The language of the source as it is quoted."""
        return _LANGUAGES.get(self.source, "en")

    def translated(self, language: str) -> str:
        """Return our own translation of the phrase; empty if the phrase is in that language."""
        words = Message(self.quote).render(language) if self.quote else ""
        return words if words != self.quote else ""

    def __str__(self) -> str:
        return f"{self.place}: “{self.quote}”" if self.quote else self.place


@dataclass(frozen=True, slots=True)
class Article:
    """One article of the penal code. ``keywords`` are further words by which it is found."""

    id: str
    kind: Domain
    origin: Origin
    title: Text
    text: Text
    citation: Citation
    who: Who
    established: Text
    charge: Charge
    deal: DealRule
    beneficiary: Beneficiary = Beneficiary.OPPONENTS
    facts: tuple[FactField, ...] = ()
    conditions: tuple[Condition, ...] = ()
    options: tuple[Option, ...] = ()
    cases: tuple[Case, ...] = ()
    ladder: Ladder | None = None
    correctable: bool = False
    """An illegal card, to which the correction policies of C.6 apply."""
    discretionary: bool = False
    """The measure is the referee's; a reason must be written."""
    keywords: Text = field(default=Translated("", "", ""))

    @property
    def within_deal(self) -> bool:
        """Whether a claim under it dies with the signatures of the deal (C.6)."""
        return self.origin in (Origin.SOURCE, Origin.RECOMMENDED) or self.kind in (
            Domain.CARD_PLAY,
            Domain.DEALING,
            Domain.CALLS,
        )

    @property
    def of_play(self) -> bool:
        """Whether it is about a fault in the play of a deal; else about conduct (Q-GEN-9).

        What takes the place of a deal's result is, as the deliberate revoke of T-INT.
        """
        return self.within_deal or self.deal is DealRule.REPLACED

    @property
    def of_persons(self) -> bool:
        """Whether it is about conduct, talk or the tournament: not for the public (C.8)."""
        return self.kind.value in CONDUCT_KINDS

    def fact(self, name: str) -> FactField | None:
        """Return the field called ``name``, or ``None``."""
        return next((f for f in self.facts if f.name == name), None)
