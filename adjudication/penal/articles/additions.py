"""How an article of tournament practice is written: beyond the sources, an addition (C.7)."""

from __future__ import annotations

from adjudication.penal.article import (
    Article,
    Beneficiary,
    Case,
    Charge,
    Citation,
    Condition,
    DealRule,
    FactField,
    Kind,
    Ladder,
    LadderBy,
    LadderScope,
    Origin,
    Step,
    Who,
)
from scoring.engine.texts import Texts as T

from . import established


def addition(
    id: str,
    who: Who,
    title: T,
    text: T,
    model: str,
    *,
    facts: tuple[FactField, ...],
    keywords: T,
    steps: tuple[Step, ...] = (),
    by: LadderBy = LadderBy.OFFENCE,
    charge: Charge = Charge.LADDER,
    deal: DealRule = DealRule.STANDS,
    when: T = established.BY_THE_REFEREE,
    beneficiary: Beneficiary = Beneficiary.OPPONENTS,
    conditions: tuple[Condition, ...] = (),
    cases: tuple[Case, ...] = (),
    scope: LadderScope = LadderScope.EVENT,
    discretionary: bool = False,
    kind: Kind = Kind.TOURNAMENT,
) -> Article:
    """An article of tournament practice; ``model`` names the practice it follows."""
    return Article(
        id=id,
        kind=kind,
        origin=Origin.ADDITION,
        title=title,
        text=text,
        citation=Citation("C.7", id, model),
        who=who,
        established=when,
        charge=charge,
        deal=deal,
        beneficiary=beneficiary,
        facts=facts,
        conditions=conditions,
        cases=cases,
        ladder=Ladder(by, steps, scope) if steps else None,
        discretionary=discretionary,
        keywords=keywords,
    )
