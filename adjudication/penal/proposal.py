"""Proposal of a decision: reasons, and effects to apply to the score sheet and the event.

The effect has two halves: the consequence for the deal (:class:`DealEffect`, applied by the score
sheet) and the consequence for the entrant (:class:`Adjustment`, applied by the event). Sign
convention: marks are the numbers that each side writes down, so a credited penalty is
``{"offender": 0, "opponents": +P}`` and a debited one ``{"offender": -P, "opponents": 0}``; the
difference between the sides moves by ``P`` either way (Q-GEN-2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from scoring.engine.shapes import InfractionJson
from scoring.texts import Text

from .article import Measure
from .codec import to_json

Marks = int | Fraction


class Verdict(StrEnum):
    """Outcome of applying the article to the facts."""

    ESTABLISHED = "established"
    CORRECTED = "corrected"
    NO_OFFENCE = "no_offence"
    REFUSED = "refused"


class DealOutcome(StrEnum):
    """Consequence of a ruling for the deal."""

    STANDS = "stands"
    """Its result counts; a penalty, if any, is added to it."""
    PENDING = "pending"
    """The opponents have still to choose."""
    CANCELLED = "cancelled"
    """Broken off at the bell: no result, not dealt again."""
    REPLACED = "replaced"
    """The penalty is written instead of the result; a bonus already written stays."""
    VOID_PASSED = "void_passed"
    """No valid deal: no result, bonus cancelled; the next player deals."""
    REDEALT = "redealt"
    """Void; the same dealer deals again."""


class Bonus(StrEnum):
    """Consequence of a ruling for the turn-up bonus (Q-GEN-4, Q-GEN-5)."""

    NONE = "none"
    KEPT = "kept"
    CANCELLED = "cancelled"


class NextDealer(StrEnum):
    """Dealer of the next deal."""

    SAME = "same"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Infraction:
    """An entry of ``score``'s ``infractions``: the article and the side at fault.

    ``repeated`` and ``deliberate`` are what the engine's article turns on; ``choice`` is
    ``"redeal"`` when the opponents asked for one.
    """

    article: str
    side: str
    """``""``: nobody is at fault (001 r.1)."""
    repeated: bool = False
    deliberate: bool = False
    choice: str = ""
    value: int | None = None
    """An amount in place of the article's own (a changed ladder, the referee's discretion)."""
    played: bool = False
    """A card was played: the side not at fault keeps its marks though the deal is void (C.8)."""
    alone: bool = False
    """Where one plays against all: a defender at fault pays the declarer for all the defenders (C.8)."""

    def as_json(self) -> InfractionJson:
        """Return the engine's input; false and empty values are left out."""
        raw: InfractionJson = {"article": self.article}
        if self.side:
            raw["side"] = self.side
        if self.repeated:
            raw["repeated"] = True
        if self.deliberate:
            raw["deliberate"] = True
        if self.choice:
            raw["choice"] = self.choice
        if self.value is not None:
            raw["value"] = self.value
        if self.played:
            raw["played"] = True
        if self.alone:
            raw["alone"] = True
        return raw


@dataclass(frozen=True, slots=True)
class DealEffect:
    """Effect of a ruling on the deal.

    ``infractions`` goes unchanged to the engine's ``score``, which has their amounts.
    ``marks`` are each side's marks for the penalties of the deal, those of the infractions
    included (an absent side has none); ``extra`` is the part unknown to the engine (tournament
    and house articles), which the event must add.
    """

    outcome: DealOutcome
    infractions: tuple[Infraction, ...] = ()
    marks: Mapping[str, Marks] = field(default_factory=dict)
    extra: Mapping[str, Marks] = field(default_factory=dict)
    bonus: Bonus = Bonus.NONE
    bonus_side: str | None = None
    bonus_marks: int = 0
    next_dealer: NextDealer = NextDealer.NEXT
    offender: str | None = None
    """The side that pays; ``None`` when there is no penalty."""
    charge: Marks = 0
    """The penalty against ``offender``; 0 without one, or while an auction's stake is unknown."""
    penalty: Mapping[str, Marks] = field(default_factory=dict)
    """The penalty alone: ``marks`` without what a side not at fault keeps of the deal (C.8)."""
    fined: tuple[str, ...] = ()
    """Who pays the penalties in ``extra``; empty: ``offender``."""
    conduct: bool = False
    """The penalty is for conduct: it is added, and neither cancels nor is cancelled (Q-GEN-9)."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Effect of a ruling on an entrant: a measure against ``side``.

    ``marks`` (by side, signed as in :class:`DealEffect`) are match marks outside any deal;
    ``deals`` are conceded deals; ``match_points`` is set by a forfeit.
    """

    measure: Measure
    side: str | None
    marks: Mapping[str, Marks] = field(default_factory=dict)
    deals: int = 0
    match_points: int | None = None


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A choice that the opponents have still to make: ``fact`` takes one of ``options``."""

    by: tuple[str, ...]
    fact: str
    options: tuple[tuple[str, Text], ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence of the rationale and what it rests on (article, policy or resolution)."""

    cites: str
    text: Text


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed ruling; the referee issues, changes or drops it."""

    article: str
    verdict: Verdict
    side: str | None
    beneficiaries: tuple[str, ...]
    measure: Measure
    offence: int
    deal: DealEffect
    adjustments: tuple[Adjustment, ...]
    choices: tuple[OpenChoice, ...]
    needs_reason: bool
    rationale: tuple[Reason, ...]
    requested: str
    """The article that the referee picked; the facts may lead to another of its family."""
    policy: str = "STRICT"
    needs_second: bool = False
    """It takes effect only once a second person has confirmed it (C.8)."""

    @property
    def marks(self) -> Mapping[str, Marks]:
        """All marks that this proposal moves, in the deal and outside it, by side."""
        total: dict[str, Marks] = {}
        for part in (self.deal.marks, *(a.marks for a in self.adjustments)):
            for side, marks in part.items():
                total[side] = total.get(side, 0) + marks
        return total

    def as_json(self) -> dict[str, object]:
        """Return the proposal as plain JSON, for a form, a preview or the API."""
        raw: dict[str, object] = to_json(self)
        raw["marks"] = to_json(self.marks)
        deal = raw["deal"]
        if isinstance(deal, dict):
            deal["infractions"] = [entry.as_json() for entry in self.deal.infractions]
        return raw


def reversal(marks: Mapping[str, Marks]) -> dict[str, Marks]:
    """Return the marks that exactly undo ``marks`` (annulling a ruling)."""
    return {side: -value for side, value in marks.items()}
