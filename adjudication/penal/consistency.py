"""Do alike cases get alike rulings? A proposal against the similar rulings of the same event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.texts import Text
from scoring.texts import gettext_lazy as _

from .article import Article, FactType, Measure
from .proposal import DealOutcome, Marks, Proposal, Verdict
from .words import MEASURES

_WHO_AND_WHERE: Final = (FactType.SEAT, FactType.TRICK, FactType.CARD)
_DECIDED: Final = ("measure", "points")
"""Facts that are the referee's own decision: what is compared, not what makes cases alike."""


@dataclass(frozen=True, slots=True)
class SimilarRuling:
    """A ruling in force of this event under the same article, as it was issued."""

    ruling: str
    article: str
    verdict: Verdict
    measure: Measure
    charge: Marks
    outcome: DealOutcome
    offence: int = 1
    policy: str = "STRICT"


@dataclass(frozen=True, slots=True)
class Warning:
    """One respect in which the proposal differs from an earlier ruling. ``code`` is stable."""

    ruling: str
    code: str
    text: Text


def alike(article: Article, one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether two sets of facts under an article are of one kind, so that rulings on them compare.

    Who, in which trick and with which card is no difference; minutes are alike on one rung of the
    ladder; every other fact stated in both must be the same.
    """
    for fact in article.facts:
        first, second = one.get(fact.name), other.get(fact.name)
        if fact.type in _WHO_AND_WHERE or first in (None, "") or second in (None, ""):
            continue
        if fact.name == "minutes" and article.ladder is not None:
            minutes = [value for value in (first, second) if isinstance(value, int)]
            if len({article.ladder.step(count) for count in minutes}) > 1:
                return False
        elif fact.name not in _DECIDED and first != second:
            return False
    return True


def differs(proposal: Proposal, similar_rulings: Sequence[SimilarRuling]) -> tuple[Warning, ...]:
    """Return warnings for differences between ``proposal`` and rulings under the same article.

    Compared are: the correction policy, then the verdict where policy is the same, and for the
    same number of offence the measure, the amount and the fate of the deal. An open choice of the
    opponents is not a difference. The order is that of ``similar_rulings``.
    """
    warnings: list[Warning] = []
    for past in similar_rulings:
        if past.article == proposal.article:
            warnings.extend(_compare(proposal, past))
    return tuple(warnings)


def _compare(proposal: Proposal, past: SimilarRuling) -> list[Warning]:
    if past.policy != proposal.policy:
        return [
            Warning(
                past.ruling,
                "policy",
                _("Ruling {ruling} applied the policy {old}; this one applies {new}.").format(
                    ruling=past.ruling, old=past.policy, new=proposal.policy
                ),
            )
        ]
    settled = (Verdict.ESTABLISHED,)
    if past.verdict not in settled or proposal.verdict not in settled:
        return []
    if past.offence != proposal.offence:
        return []
    warnings: list[Warning] = []
    if past.measure is not proposal.measure:
        old, new = MEASURES[past.measure], MEASURES[proposal.measure]
        warnings.append(
            Warning(
                past.ruling,
                "measure",
                _("Ruling {ruling} imposed: {old}; here: {new}.").format(
                    ruling=past.ruling, old=old, new=new
                ),
            )
        )
    if past.charge != proposal.deal.charge:
        warnings.append(
            Warning(
                past.ruling,
                "amount",
                _("Ruling {ruling} cost {old}; here {new}.").format(
                    ruling=past.ruling, old=past.charge, new=proposal.deal.charge
                ),
            )
        )
    if past.outcome is not proposal.deal.outcome and not proposal.choices:
        warnings.append(
            Warning(
                past.ruling,
                "deal",
                _("Ruling {ruling} treated the deal differently ({outcome}).").format(
                    ruling=past.ruling, outcome=past.outcome
                ),
            )
        )
    return warnings


def as_similar(ruling: str, proposal: Proposal) -> SimilarRuling:
    """Reduce an issued ``proposal`` to the values that :func:`differs` compares."""
    return SimilarRuling(
        ruling,
        proposal.article,
        proposal.verdict,
        proposal.measure,
        proposal.deal.charge,
        proposal.deal.outcome,
        proposal.offence,
        proposal.policy,
    )
