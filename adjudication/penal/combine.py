"""All rulings in force on one deal, as one effect: one penalty a side, both at fault cancels.

Penalties for conduct stand apart: each is added to what the play of the deal comes to.

The score sheet applies this, never single proposals: annulling a ruling is combining without it,
so what it had cost comes back exactly (C.2; Q-GEN-9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from .game import Game
from .proposal import Bonus, DealEffect, DealOutcome, Marks, NextDealer

_STRENGTH: Final = {
    DealOutcome.STANDS: 0,
    DealOutcome.PENDING: 1,
    DealOutcome.CANCELLED: 2,
    DealOutcome.REPLACED: 3,
    DealOutcome.VOID_PASSED: 4,
    DealOutcome.REDEALT: 5,
}
_VOID: Final = (DealOutcome.CANCELLED, DealOutcome.VOID_PASSED, DealOutcome.REDEALT)


def combine(effects: Sequence[DealEffect], game: Game) -> DealEffect:
    """Combine all rulings in force on a deal, in the order of issue.

    Faults in the play of the deal are weighed together; every penalty for conduct is added to
    them, and neither cancels nor is cancelled (Q-GEN-9).
    """
    apart = [effect for effect in effects if _is_apart(effect)]
    together = _of_play([effect for effect in effects if not _is_apart(effect)], game)
    for effect in apart:
        together = _added(together, effect)
    return together


def _is_apart(effect: DealEffect) -> bool:
    return effect.conduct and effect.offender is not None


def _added(base: DealEffect, effect: DealEffect) -> DealEffect:
    """Add a penalty for conduct to ``base``."""
    heavier = _STRENGTH[effect.outcome] > _STRENGTH[base.outcome]
    strongest = effect if heavier else base
    known = base.fined or ((base.offender,) if base.extra and base.offender else ())
    entries, extra, fined = (*base.infractions, *effect.infractions), [base.extra], known
    if strongest.outcome in _VOID and not (heavier and effect.infractions):
        # Nothing more is written into a void deal: the event adds the marks.
        entries = () if heavier else base.infractions
        extra = [base.penalty if heavier else base.extra, effect.marks]
        fined = tuple(
            dict.fromkeys(
                side
                for side in (base.offender if heavier else None, *known, effect.offender)
                if side
            )
        )
    elif effect.extra and effect.offender:
        extra.append(effect.extra)
        fined = tuple(dict.fromkeys((*known, effect.offender)))
    return replace(
        base,
        outcome=strongest.outcome,
        infractions=entries,
        marks=_sum(base.penalty if strongest.outcome in _VOID else base.marks, effect.marks),
        extra=_sum(*extra),
        bonus=strongest.bonus,
        bonus_side=strongest.bonus_side,
        bonus_marks=strongest.bonus_marks,
        next_dealer=strongest.next_dealer,
        offender=base.offender or effect.offender,
        charge=base.charge or effect.charge,
        penalty=_sum(base.penalty, effect.penalty),
        fined=fined,
    )


def _sum(*parts: Mapping[str, Marks]) -> dict[str, Marks]:
    total: dict[str, Marks] = {}
    for part in parts:
        for side, marks in part.items():
            total[side] = total.get(side, 0) + marks
    return total


def _of_play(effects: Sequence[DealEffect], game: Game) -> DealEffect:
    """Return the effect of the faults in the play of a deal, and of remedies.

    One penalty per side: its greatest; among equals the one that weighs most on the deal. Penalties against more than one
    side cancel: the deal is void and redealt by the same dealer, its bonus lost unless the event
    keeps it (Q-GEN-5, Q-GEN-9). Otherwise the strongest outcome holds: redealt, void, replaced,
    cancelled, pending, stands.
    """
    if not effects:
        return DealEffect(
            DealOutcome.STANDS,
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
        return void(DealOutcome.REDEALT, game)
    penalty = next(iter(heaviest.values()), None)
    # Only the penalty that counts can take the place of the result.
    candidates = [e for e in effects if e is penalty or e.outcome is not DealOutcome.REPLACED]
    strongest = max(candidates, key=lambda effect: _STRENGTH[effect.outcome])
    if penalty is None:
        if strongest.outcome in _VOID:
            return strongest
        # Every remedy counts, and one that was ruled twice counts once.
        noted = tuple(dict.fromkeys(e for effect in effects for e in effect.infractions))
        return replace(strongest, infractions=noted)
    # The engine combines the penalty and the remedies (after a redeal the penalty still counts).
    remedies = tuple(
        entry for effect in effects if effect.offender is None for entry in effect.infractions
    )
    entries, extra, marks = (*penalty.infractions, *remedies), penalty.extra, penalty.marks
    if strongest.outcome in _VOID and strongest is not penalty:
        # Of a deal that another ruling voids there is nothing to keep.
        marks = penalty.penalty
    is_cited = strongest is penalty or (strongest.offender is None and strongest.infractions)
    if strongest.outcome in _VOID and not is_cited:
        # Without an infraction for the void deal the engine scores no sheet: the event adds the
        # penalty.
        entries, extra = (), marks
    return DealEffect(
        strongest.outcome,
        entries,
        marks,
        extra,
        strongest.bonus,
        strongest.bonus_side,
        strongest.bonus_marks,
        strongest.next_dealer,
        penalty.offender,
        penalty.charge,
        penalty.penalty,
    )


def _weight(effect: DealEffect) -> tuple[Marks, int]:
    return effect.charge, _STRENGTH[effect.outcome]


def both_at_fault(effects: Sequence[DealEffect]) -> bool:
    """Whether penalties for the play of the deal stand against more than one side."""
    return len({e.offender for e in effects if e.offender is not None and not e.conduct}) > 1


def void(outcome: DealOutcome, game: Game) -> DealEffect:
    """Return the effect of a deal without result and penalty; Q-GEN-5 decides its bonus."""
    bonus = Bonus.NONE
    if game.bonus_side:
        bonus = Bonus.KEPT if game.bonus_survives_redeal else Bonus.CANCELLED
    return DealEffect(
        outcome,
        bonus=bonus,
        bonus_side=game.bonus_side,
        bonus_marks=game.bonus,
        next_dealer=NextDealer.SAME if outcome is DealOutcome.REDEALT else NextDealer.NEXT,
    )
