"""Do alike cases get alike rulings? A proposal against the similar rulings of the same event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.engine.texts import Texts

from .article import Measure
from .proposal import Marks, Outcome, Proposal, Verdict
from .words import MEASURES


@dataclass(frozen=True, slots=True)
class SimilarRuling:
    """A ruling in force of this event under the same article, as it was issued."""

    ruling: str
    article: str
    verdict: Verdict
    measure: Measure
    charge: Marks
    outcome: Outcome
    offence: int = 1
    policy: str = "STRICT"


@dataclass(frozen=True, slots=True)
class Warning:
    """One respect in which the proposal differs from an earlier ruling. ``code`` is stable."""

    ruling: str
    code: str
    text: Texts


def differs(proposal: Proposal, similar_rulings: Sequence[SimilarRuling]) -> tuple[Warning, ...]:
    """Warnings where ``proposal`` differs from rulings under the same article.

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
                Texts(
                    en=f"Ruling {past.ruling} applied the policy {past.policy}, this one {proposal.policy}.",
                    fr=f"La décision {past.ruling} suivait {past.policy}, celle-ci {proposal.policy}.",
                    nl=f"Beslissing {past.ruling} volgde {past.policy}, deze {proposal.policy}.",
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
                Texts(
                    en=f"Ruling {past.ruling} imposed: {old.en}; here: {new.en}.",
                    fr=f"La décision {past.ruling} infligeait : {old.fr} ; ici : {new.fr}.",
                    nl=f"Beslissing {past.ruling} legde op: {old.nl}; hier: {new.nl}.",
                ),
            )
        )
    if past.charge != proposal.deal.charge:
        warnings.append(
            Warning(
                past.ruling,
                "amount",
                Texts(
                    en=f"Ruling {past.ruling} cost {past.charge}; here {proposal.deal.charge}.",
                    fr=f"La décision {past.ruling} coûtait {past.charge} ; ici {proposal.deal.charge}.",
                    nl=f"Beslissing {past.ruling} kostte {past.charge}; hier {proposal.deal.charge}.",
                ),
            )
        )
    if past.outcome is not proposal.deal.outcome and not proposal.choices:
        warnings.append(
            Warning(
                past.ruling,
                "deal",
                Texts(
                    en=f"Ruling {past.ruling} treated the deal differently ({past.outcome}).",
                    fr=f"La décision {past.ruling} traitait la donne autrement ({past.outcome}).",
                    nl=f"Beslissing {past.ruling} behandelde de gift anders ({past.outcome}).",
                ),
            )
        )
    return warnings


def as_similar(ruling: str, proposal: Proposal) -> SimilarRuling:
    """What :func:`differs` needs to know of an issued ``proposal``."""
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
