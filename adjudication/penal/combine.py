"""All rulings in force on one deal, as one effect: one penalty a side, both at fault cancels.

The score sheet applies this, never single proposals: annulling a ruling is combining without it,
so what it had cost comes back exactly (C.2; Q-GEN-9).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .game import Game
from .proposal import Bonus, DealEffect, Marks, NextDealer, Outcome

_STRENGTH: Final = {
    Outcome.STANDS: 0,
    Outcome.PENDING: 1,
    Outcome.CANCELLED: 2,
    Outcome.REPLACED: 3,
    Outcome.VOID_PASSED: 4,
    Outcome.REDEALT: 5,
}
_VOID: Final = (Outcome.CANCELLED, Outcome.VOID_PASSED, Outcome.REDEALT)


def combine(effects: Sequence[DealEffect], game: Game) -> DealEffect:
    """The effect on a deal of all rulings in force, in the order in which they were issued.

    One penalty per side: its greatest; among equals the one that weighs most on the deal. Penalties against more than one
    side cancel: the deal is void and redealt by the same dealer, its bonus lost unless the event
    keeps it (Q-GEN-5, Q-GEN-9). Otherwise the strongest outcome holds: redealt, void, replaced,
    cancelled, pending, stands.
    """
    if not effects:
        return DealEffect(
            Outcome.STANDS,
            bonus=Bonus.KEPT if game.bonus_side else Bonus.NONE,
            bonus_side=game.bonus_side,
            bonus_marks=game.bonus,
        )
    heaviest: dict[str, DealEffect] = {}
    for effect in effects:
        if effect.offender is None:
            continue
        known = heaviest.get(effect.offender)
        if known is None or _weight(effect) > _weight(known):
            heaviest[effect.offender] = effect
    if len(heaviest) > 1:
        return void(Outcome.REDEALT, game)
    penalty = next(iter(heaviest.values()), None)
    # Only the penalty that counts can take the place of the result.
    candidates = [e for e in effects if e is penalty or e.outcome is not Outcome.REPLACED]
    strongest = max(candidates, key=lambda effect: _STRENGTH[effect.outcome])
    if penalty is None:
        return strongest
    # The engine weighs the penalty and the remedies together (a redeal keeps the penalty).
    remedies = tuple(
        entry for effect in effects if effect.offender is None for entry in effect.infractions
    )
    entries, extra = (*penalty.infractions, *remedies), penalty.extra
    told = strongest is penalty or (strongest.offender is None and strongest.infractions)
    if strongest.outcome in _VOID and not told:
        # No infraction tells the engine that the deal is void, so no sheet is scored: the event
        # adds the penalty.
        entries, extra = (), penalty.marks
    return DealEffect(
        strongest.outcome,
        entries,
        penalty.marks,
        extra,
        strongest.bonus,
        strongest.bonus_side,
        strongest.bonus_marks,
        strongest.next_dealer,
        penalty.offender,
        penalty.charge,
    )


def _weight(effect: DealEffect) -> tuple[Marks, int]:
    return effect.charge, _STRENGTH[effect.outcome]


def both_at_fault(effects: Sequence[DealEffect]) -> bool:
    """Whether penalties stand against more than one side of the deal."""
    return len({e.offender for e in effects if e.offender is not None}) > 1


def void(outcome: Outcome, game: Game) -> DealEffect:
    """A deal without result and without penalty, its bonus treated as Q-GEN-5 says."""
    bonus = Bonus.NONE
    if game.bonus_side:
        bonus = Bonus.KEPT if game.bonus_survives_redeal else Bonus.CANCELLED
    return DealEffect(
        outcome,
        bonus=bonus,
        bonus_side=game.bonus_side,
        bonus_marks=game.bonus,
        next_dealer=NextDealer.SAME if outcome is Outcome.REDEALT else NextDealer.NEXT,
    )
