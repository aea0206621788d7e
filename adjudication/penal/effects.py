"""From a measure to its effects: marks of the deal, fate of the deal, adjustments of the event.

Q-GEN-2 (who writes it down), Q-GEN-3 (how much), Q-GEN-4 (the deal after a penalty), Q-GEN-5
(the turn-up bonus).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from scoring.engine.articles import ARTICLES, Amount
from scoring.engine.rulebook import resolve
from scoring.engine.score_infractions import judge, read_infractions

from .article import Article, Beneficiary, DealRule, Measure, Step
from .combine import void
from .game import Game, PenaltyMode
from .proposal import Adjustment, Bonus, DealEffect, DealOutcome, Infraction, Marks

_OUTCOMES: Final = {
    DealRule.REPLACED: DealOutcome.REPLACED,
    DealRule.LOST: DealOutcome.VOID_PASSED,
    DealRule.LOST_KEPT: DealOutcome.VOID_PASSED,
    DealRule.STANDS: DealOutcome.STANDS,
    DealRule.REDEALT: DealOutcome.REDEALT,
    DealRule.PASSES: DealOutcome.VOID_PASSED,
    DealRule.CANCELLED: DealOutcome.CANCELLED,
    DealRule.CHOICE: DealOutcome.PENDING,
}
_VOID: Final = (DealOutcome.VOID_PASSED, DealOutcome.REDEALT, DealOutcome.CANCELLED)
_EVENT_MEASURES: Final = frozenset(Measure) - {
    Measure.NONE,
    Measure.PUT_RIGHT,
    Measure.PENALTY,
    Measure.REDEAL,
    Measure.DEAL_PASSES,
}


def exact(value: Fraction) -> Marks:
    """Return ``value`` as an int if it is whole."""
    return int(value) if value.denominator == 1 else value


def pays_as_failed(article: str, game: Game) -> bool:
    """Whether the penalty is the failed contract itself: card play in the auctions (B.3)."""
    return game.is_auction and article.startswith("BE-")


def pays_for_all(article: Article, side: str, game: Game) -> bool:
    """Whether a defender at fault pays the declarer for all the defenders, who mark nothing (C.8)."""
    return (
        article.beneficiary is Beneficiary.OTHER_SIDE
        and game.is_auction
        and game.declarer not in (None, side)
    )


def penalty_marks(
    charge: Marks,
    side: str,
    game: Game,
    *,
    as_failed: bool = False,
    declarer: str | None = None,
) -> dict[str, Marks]:
    """Return the marks of each side for a penalty of ``charge`` against ``side`` (Q-GEN-2).

    Credited to every opposing side (each of two opponents shares a side in the three-player game
    and marks it in full), or debited from the offender. ``as_failed``: the offender pays as if they had
    failed (B.3), in auction 1 to each opponent. ``declarer``: who alone gains (:func:`pays_for_all`).
    """
    if declarer is not None and (game.pays_stakes or not as_failed):
        paid = charge * len(game.opponents(side)) if as_failed else charge
        debited = game.penalty_mode is PenaltyMode.DEBIT_OFFENDER and not as_failed
        nobody: dict[str, Marks] = dict.fromkeys(game.opponents(side), 0)
        return {side: -paid, **nobody, declarer: 0 if debited else paid}
    if as_failed:
        if game.pays_stakes:
            others = game.opponents(side)
            return {side: -charge * len(others), **dict.fromkeys(others, charge)}
        return {side: -charge}
    if game.penalty_mode is PenaltyMode.DEBIT_OFFENDER:
        return {side: -charge, **dict.fromkeys(game.opponents(side), 0)}
    return {side: 0, **dict.fromkeys(game.opponents(side), charge)}


def with_floor(
    marks: Mapping[str, Marks], side: str, game: Game, declarer: str | None = None
) -> dict[str, Marks]:
    """Raise ``marks`` of a penalty against ``side`` so that no other side loses by it (C.8).

    A side that won the whole game by the deal keeps the game and marks nothing else. In auction 1 the
    offender pays the stakes that other sides keep. ``declarer``: the only side that keeps its marks.
    """
    floored: dict[str, Marks] = dict(marks)
    for other in (declarer,) if declarer is not None else game.opponents(side):
        more = game.played.get(other, 0) - floored.get(other, 0)
        if other == game.game_won:
            floored[other] = 0
        elif more > 0:
            floored[other] = game.played[other]
            if game.pays_stakes:
                floored[side] = floored.get(side, 0) - more
    return floored


def charge_of(share: Fraction, game: Game, *, as_failed: bool = False) -> Marks:
    """Return ``share`` times *P*, or times the stake: 0 while the stake is unknown (Q-GEN-3, B.3)."""
    unit = game.stake if as_failed else game.penalty
    return exact(share * (unit or 0))


def effect_of(
    article: Article,
    rule: DealRule,
    share: Fraction,
    side: str | None,
    game: Game,
    *,
    cancels_call: bool = False,
) -> DealEffect:
    """Return the effect on the deal of ``rule`` with a penalty of ``share`` times *P*.

    ``cancels_call``: the deal stands without the effect of a null call (004-B1, 003-C1, 002-A1).
    """
    outcome = _OUTCOMES[rule]
    if outcome is DealOutcome.REPLACED and (not share or not game.penalty_replaces_deal):
        outcome = DealOutcome.STANDS
    if outcome in _VOID:
        base = void(outcome, game)
    else:
        base = DealEffect(
            outcome,
            bonus=Bonus.KEPT if game.bonus_side else Bonus.NONE,
            bonus_side=game.bonus_side,
            bonus_marks=game.bonus,
        )
    entry = None
    if share or outcome in _VOID or cancels_call:
        played = rule is DealRule.LOST_KEPT
        entry = _infraction(article.id, side or "", share, outcome, game, played=played)
        if entry is not None and share and game.is_auction:
            # Also while the declarer is not known, or not yet.
            entry = replace(entry, alone=article.beneficiary is Beneficiary.OTHER_SIDE)
    entries = (entry,) if entry is not None else ()
    if not share or side is None:
        return replace(base, infractions=entries)
    failed = pays_as_failed(article.id, game)
    charge = charge_of(share, game, as_failed=failed)
    declarer = game.declarer if pays_for_all(article, side, game) else None
    marks = penalty_marks(charge, side, game, as_failed=failed, declarer=declarer) if charge else {}
    keeps = outcome is DealOutcome.REPLACED or rule is DealRule.LOST_KEPT
    floored = bool(entries) and keeps and game.penalty_floor
    return replace(
        base,
        infractions=entries,
        marks=with_floor(marks, side, game, declarer) if floored else marks,
        extra={} if entries else marks,
        penalty=marks,
        offender=side,
        charge=charge,
    )


def _infraction(
    id: str, side: str, share: Fraction, outcome: DealOutcome, game: Game, *, played: bool = False
) -> Infraction | None:
    """Return the engine's infraction with exactly this penalty and outcome, if there is one."""
    known = ARTICLES.get(id)
    if known is None or (not share and known.amount in (Amount.PENALTY, Amount.DOUBLE)):
        return None
    own = {Amount.NONE: Fraction(0), Amount.DOUBLE: Fraction(2)}.get(known.amount, Fraction(1))
    base = share * game.penalty_value
    value = None
    if share and share != own:
        if base.denominator != 1 or pays_as_failed(id, game):
            return None
        value = int(base)
    entry = Infraction(
        id,
        side,
        repeated=known.amount is Amount.REPEATED and bool(share),
        deliberate=known.amount is Amount.DELIBERATE and bool(share),
        choice="redeal" if known.option and outcome is DealOutcome.REDEALT else "",
        value=value,
        played=played and bool(share),
    )
    engine = resolve(game.rulebook, _switches(game))
    judged = judge(engine, read_infractions(engine, [entry.as_json()]))
    if judged.redeal is not None:
        reached = DealOutcome.REDEALT if judged.redeal == "same_dealer" else DealOutcome.VOID_PASSED
    elif judged.replaced:
        reached = DealOutcome.VOID_PASSED if known.cancels_bonus else DealOutcome.REPLACED
    else:
        reached = DealOutcome.STANDS
    agrees = reached is outcome and bool(judged.penalties or judged.conduct) == bool(share)
    return entry if agrees else None


def _switches(game: Game) -> dict[str, object]:
    """Return the switches that affect how the engine combines infractions."""
    switches: dict[str, object] = {
        "penalty_value": game.penalty_value,
        "penalty_replaces_deal": game.penalty_replaces_deal,
    }
    if game.is_auction:
        switches["players"] = len(game.sides)
    return switches


def pays_alone(article: Article, player: str | None, game: Game) -> bool:
    """Whether a penalty outside deals is the person's: paid by them to all who sat there (C.7)."""
    return article.beneficiary is Beneficiary.TABLE and player in game.persons


def adjustments_of(
    article: Article,
    measure: Measure,
    step: Step | None,
    side: str | None,
    game: Game,
    outside: Fraction = Fraction(0),
    *,
    player: str | None = None,
) -> tuple[Adjustment, ...]:
    """Return the event's adjustments for the entrant; empty if the deal absorbs the whole measure.

    ``outside``: share of *P* of a penalty given between deals. ``player``: player at fault; with
    individual ranking the game in play and the player's partner in it make no difference.
    """
    deals = 0
    if measure is Measure.DEALS_CONCEDED and step is not None:
        charge, deals = exact(step.share * game.penalty * step.deals), step.deals
    elif outside:
        charge = charge_of(outside, game)
    elif measure in _EVENT_MEASURES:
        points = 0 if measure in (Measure.ROUND_FORFEITED, Measure.EXCLUDED_FROM_ROUND) else None
        return (Adjustment(measure, side, match_points=points),)
    else:
        return ()
    if player is not None and pays_alone(article, player, game):
        marks = {each: -charge if each == player else charge for each in game.persons}
        return (Adjustment(measure, player, marks, deals),)
    if side is None:
        return ()
    return (Adjustment(measure, side, penalty_marks(charge, side, game), deals),)
