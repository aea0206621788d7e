"""From a measure to its effects: marks of the deal, fate of the deal, adjustments of the event.

Q-GEN-2 (who writes it down), Q-GEN-3 (how much), Q-GEN-4 (the deal after a penalty), Q-GEN-5
(the turn-up bonus).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .article import Article, DealRule, Measure, Step
from .combine import void
from .game import Game, PenaltyMode
from .proposal import Adjustment, Bonus, DealEffect, Infraction, Marks, Outcome

_OUTCOMES: Final = {
    DealRule.REPLACED: Outcome.REPLACED,
    DealRule.LOST: Outcome.VOID_PASSED,
    DealRule.STANDS: Outcome.STANDS,
    DealRule.REDEALT: Outcome.REDEALT,
    DealRule.PASSES: Outcome.VOID_PASSED,
    DealRule.CANCELLED: Outcome.CANCELLED,
    DealRule.CHOICE: Outcome.PENDING,
}
_VOID: Final = (Outcome.VOID_PASSED, Outcome.REDEALT, Outcome.CANCELLED)
_EVENT_MEASURES: Final = frozenset(Measure) - {
    Measure.NONE,
    Measure.PENALTY,
    Measure.REDEAL,
    Measure.DEAL_PASSES,
}


def whole(value: Fraction) -> Marks:
    """``value`` as an int when it is one."""
    return int(value) if value.denominator == 1 else value


def penalty_marks(charge: Marks, side: str, game: Game) -> dict[str, Marks]:
    """What each side writes for a penalty of ``charge`` against ``side`` (Q-GEN-2).

    Credited to every opposing side (each of two opponents shares a side in the three-player game
    and marks it in full), or debited from the offender. In an auction with a known stake the
    offender pays as if he had failed (B.3): in auction 1 to each opponent.
    """
    if game.is_auction:
        if game.rulebook == "auction-1":
            others = game.opponents(side)
            return {side: -charge * len(others), **dict.fromkeys(others, charge)}
        return {side: -charge}
    if game.penalty_mode is PenaltyMode.DEBIT_OFFENDER:
        return {side: -charge, **dict.fromkeys(game.opponents(side), 0)}
    return {side: 0, **dict.fromkeys(game.opponents(side), charge)}


def effect_of(
    article: Article, rule: DealRule, share: Fraction, side: str | None, game: Game, *, known: bool
) -> DealEffect:
    """What becomes of the deal under ``rule`` with a penalty of ``share`` times *P*.

    ``known``: the engine scores this article, so that it may stand among the infractions.
    """
    outcome = _OUTCOMES[rule]
    if outcome is Outcome.REPLACED and (not share or not game.penalty_replaces_deal):
        outcome = Outcome.STANDS
    if outcome in _VOID:
        base = void(outcome, game)
    else:
        base = DealEffect(
            outcome,
            bonus=Bonus.KEPT if game.bonus_side else Bonus.NONE,
            bonus_side=game.bonus_side,
            bonus_marks=game.bonus,
        )
    if not share or side is None:
        return base
    unit = game.stake if game.is_auction else game.penalty
    charge = whole(share * (unit or 0))
    marks = penalty_marks(charge, side, game) if charge else {}
    # The engine takes an article at its own amount, on a deal that leaves a sheet to score.
    scored = known and share == 1 and outcome is not Outcome.REDEALT
    return DealEffect(
        outcome,
        (Infraction(article.id, side),) if scored else (),
        marks,
        {} if scored else marks,
        base.bonus,
        base.bonus_side,
        base.bonus_marks,
        base.next_dealer,
        side,
        charge,
    )


def adjustments_of(
    measure: Measure, step: Step | None, side: str | None, game: Game
) -> tuple[Adjustment, ...]:
    """What the event applies to the entrant; empty when the measure is all in the deal."""
    if measure not in _EVENT_MEASURES:
        return ()
    if measure is Measure.DEALS_CONCEDED and step is not None and side is not None:
        unit = whole(step.share * game.penalty * step.deals)
        return (Adjustment(measure, side, penalty_marks(unit, side, game), step.deals),)
    points = 0 if measure in (Measure.ROUND_FORFEITED, Measure.EXCLUDED_FROM_ROUND) else None
    return (Adjustment(measure, side, match_points=points),)
