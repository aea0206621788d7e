"""Facts + article + policy → a proposed ruling, with its reasons in words. Pure.

The order of a decision: is the claim in time (C.6); which article of the family governs (C.2);
is the offence established at all (the article's conditions); may the card be corrected (C.6);
which measure (ladder, discretion); what it costs and whom it profits (Q-GEN-2, Q-GEN-3); what
becomes of the deal, its bonus and the next dealer (Q-GEN-4, Q-GEN-5); which choice is still open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from scoring.engine.articles import ARTICLES, Effect

from . import correction, reasons
from .article import (
    Article,
    Case,
    Charge,
    DealRule,
    Domain,
    LadderBy,
    LadderScope,
    Measure,
    Option,
    Rulers,
    Step,
)
from .code import Code
from .combine import void
from .effects import (
    adjustments_of,
    charge_of,
    effect_of,
    pays_alone,
    pays_as_failed,
    pays_for_all,
)
from .game import Claimed, Game, Policy, Previous
from .misdeal import governing
from .proposal import DealEffect, DealOutcome, OpenChoice, Proposal, Reason, Verdict
from .statement import Facts, FactsError, fact_defects, stated

CHOICE_FACT = "opponents_choice"
NO_OFFENCE = (Measure.NONE, Measure.CLAIM_REFUSED)
"""Measures that count as no offence: what the other side let pass or claimed too late, a deal at the bell."""
TWO_PERSONS = (Measure.EXCLUDED_FROM_ROUND, Measure.DISQUALIFIED)
"""Measures that one person alone does not impose (C.8)."""
ILL_SERVED_PAYS = ("001-R7", "GEN-COUNT")
"""Articles under which the side pays that played with a wrong number of cards."""
NO_DOUBLING = ("too_low", "passed_over_bid")
"""What may be wrong with a call that brought the deal no factor (002-A1)."""


@dataclass(slots=True)
class _Draft:
    """Intermediate result of a decision, filled in step by step."""

    article: Article
    side: str | None
    code: Code
    verdict: Verdict = Verdict.ESTABLISHED
    measure: Measure = Measure.NONE
    step: Step | None = None
    offence: int = 1
    rule: DealRule = DealRule.STANDS
    share: Fraction = Fraction(0)
    null_call: bool = False
    """A call is null and the deal is marked without what it brought."""
    choices: list[OpenChoice] = field(default_factory=list)
    rationale: list[Reason] = field(default_factory=list)

    def is_of_play(self, id: str) -> bool:
        """Whether an article is about the play of a deal; one that is gone from the code is."""
        return id not in self.code or self.code.article(id).of_play


def decide(
    code: Code,
    article: str,
    facts: Facts,
    policy: Policy,
    game: Game,
    history: Sequence[Previous] = (),
) -> Proposal:
    """Propose the ruling for ``facts`` under ``article`` of ``code``.

    ``facts`` maps the article's field names to values; ``history`` holds the earlier rulings in
    force of the event. The proposal is advice: nothing is applied. Raises
    :class:`~adjudication.penal.codec.PenalCodeError` for an article outside the code and
    :class:`~adjudication.penal.statement.FactsError` listing every fact missing or impossible.
    """
    picked = code.article(article)
    defects = fact_defects(picked, facts, game)
    if defects:
        raise FactsError(defects)
    governed = code.article(governing(picked.id, facts))
    draft = _Draft(governed, _side_at_fault(governed, facts, game), code)
    if governed.id != picked.id:
        draft.rationale.append(reasons.of_governing(picked, governed))
    draft.rationale.append(reasons.of_article(governed))
    effect = replace(_judge(draft, facts, policy, game, history), conduct=not governed.of_play)
    outside = bool(draft.share) and effect.offender is None
    adjustments = adjustments_of(
        governed,
        draft.measure,
        draft.step,
        draft.side,
        game,
        draft.share if outside else Fraction(0),
        player=_player_at_fault(governed, facts),
    )
    alone = next((a for a in adjustments if a.marks and a.side in game.persons), None)
    if alone is not None and alone.side is not None:
        draft.rationale.append(reasons.of_person(governed, alone.marks, alone.side))
    if draft.verdict is Verdict.ESTABLISHED and governed.discretionary:
        draft.rationale.append(reasons.DISCRETION)
    gains = effect.offender is not None or any(a.marks for a in adjustments)
    others = game.opponents(draft.side) if draft.side and gains else ()
    if draft.side and game.declarer and gains and pays_for_all(governed, draft.side, game):
        others = (game.declarer,)
    if alone is not None:
        others = tuple(each for each in game.persons if each != alone.side)
    return Proposal(
        article=governed.id,
        verdict=draft.verdict,
        side=draft.side,
        beneficiaries=others,
        measure=draft.measure,
        offence=draft.offence,
        deal=effect,
        adjustments=adjustments,
        choices=tuple(draft.choices),
        needs_reason=governed.discretionary and draft.verdict is Verdict.ESTABLISHED,
        rationale=tuple(draft.rationale),
        requested=picked.id,
        policy=str(policy),
        needs_second=_needs_second(draft)
        or (
            draft.verdict is Verdict.ESTABLISHED
            and code.rulers_of(picked.id, governed.id) is Rulers.TWO
        ),
    )


def _needs_second(draft: _Draft) -> bool:
    """Whether two persons must stand behind it: exclusion, disqualification, discretion above *P*."""
    if draft.verdict is not Verdict.ESTABLISHED:
        return False
    above = draft.share > 1 or draft.measure is Measure.ROUND_FORFEITED
    return draft.measure in TWO_PERSONS or (draft.article.discretionary and above)


def _judge(
    draft: _Draft,
    facts: Facts,
    policy: Policy,
    game: Game,
    history: Sequence[Previous],
) -> DealEffect:
    """Fill ``draft`` step by step and return the effect on the deal."""
    article = draft.article
    if article.within_deal and game.claimed is not Claimed.IN_TIME:
        draft.verdict = Verdict.REFUSED
        draft.measure = Measure.CLAIM_REFUSED
        draft.rationale.append(reasons.of_claim(game.claimed is Claimed.AFTER_ROUND))
        return _settle(draft, game, facts)
    value = stated(facts, "what")
    if isinstance(value, str):
        draft.rationale.append(reasons.of_choice(article, "what", value))
    for condition in article.conditions:
        given = stated(facts, condition.fact)
        if given is not None and given != condition.value:
            draft.verdict = Verdict.NO_OFFENCE
            draft.rule = condition.deal
            if article.id in ILL_SERVED_PAYS:
                draft.side = None
            draft.rationale.append(Reason(article.id, condition.otherwise))
            return _settle(draft, game, facts)
    if article.correctable:
        corrected = correction.may_correct(policy, str(facts["noticed"]))
        draft.rationale.append(correction.why(policy, corrected))
        if corrected:
            draft.verdict = Verdict.CORRECTED
            return _settle(draft, game, facts)
    if article.id in ILL_SERVED_PAYS and facts.get("both_sides_played"):
        draft.side = None
        draft.rationale.append(reasons.BOTH_AT_FAULT)
        return void(DealOutcome.REDEALT, game)
    if article.options and not _penalised_again(draft, facts, game, history):
        _choose(draft, facts, game)
    elif not article.options:
        _measure(draft, facts, game, history)
    draft.null_call = is_null_call(article.id, draft.measure, facts)
    return _settle(draft, game, facts, history=history)


def _settle(
    draft: _Draft, game: Game, facts: Facts, history: Sequence[Previous] = ()
) -> DealEffect:
    """Return the effect on the deal and the sentences about it."""
    article = draft.article
    # A penalty between deals (tournament articles) touches no deal: the event adds its marks.
    outside = bool(draft.share) and not article.within_deal and game.deal is None
    if outside:
        draft.rule = DealRule.STANDS
    effect = effect_of(
        article,
        draft.rule,
        Fraction(0) if outside else draft.share,
        draft.side,
        game,
        cancels_call=draft.null_call,
    )
    if draft.share and draft.side:
        failed = pays_as_failed(article.id, game)
        if outside and pays_alone(article, _player_at_fault(article, facts), game):
            pass  # said with the adjustment
        elif failed and game.stake is None:
            draft.rationale.append(reasons.of_unknown_stake(article))
        else:
            charge = charge_of(draft.share, game, as_failed=failed)
            if pays_for_all(article, draft.side, game):
                paid = effect.penalty.get(draft.side, -charge)
                draft.rationale.append(reasons.of_defender(article, -paid))
            else:
                draft.rationale.append(reasons.of_penalty(article, charge, draft.side, game))
        same_deal = [
            p
            for p in history
            if game.deal is not None and p.deal == game.deal and p.measure is Measure.PENALTY
        ]
        of_play = [p for p in same_deal if draft.is_of_play(p.article)]
        if same_deal and (not article.of_play or len(of_play) < len(same_deal)):
            draft.rationale.append(reasons.CONDUCT_IS_ADDED)
        if article.of_play and any(p.side == draft.side for p in of_play):
            draft.rationale.append(reasons.ONE_PENALTY)
        if article.of_play and any(p.side not in (None, draft.side) for p in of_play):
            draft.rationale.append(reasons.BOTH_AT_FAULT)
    if draft.verdict is not Verdict.REFUSED:
        draft.rationale.extend(reasons.of_outcome(article, effect, draft.rule, draft.measure))
        draft.rationale.extend(reasons.of_floor(effect, game))
        if draft.null_call:
            draft.rationale.append(
                reasons.of_null_call(article, borne=bears_call(article.id, game))
            )
        again = reasons.of_dealer(effect, game.dealer)
        if again is not None:
            draft.rationale.append(again)
    return effect


def is_null_call(id: str, measure: Measure, facts: Facts) -> bool:
    """Whether the measure takes a doubling out of the deal; a null bid or pass brought none."""
    known = ARTICLES.get(id)
    return (
        known is not None
        and (known.null_call or known.effect is Effect.BLIND_CANCELLED)
        and measure in (Measure.CALL_VOID, Measure.BARRED_FROM_BIDDING)
        and stated(facts, "what") not in NO_DOUBLING
    )


def bears_call(id: str, game: Game) -> bool | None:
    """Whether the recorded deal bears a call that article ``id`` makes null; ``None`` if unknown."""
    blind = ARTICLES[id].effect is Effect.BLIND_CANCELLED
    return game.blind if blind else game.doubled


def _measure(draft: _Draft, facts: Facts, game: Game, history: Sequence[Previous]) -> None:
    """Set the measure: the article's charge, its case, its ladder or the referee's discretion."""
    article = draft.article
    draft.offence = 1 + earlier(article, draft.side, game, history)
    draft.rule = article.deal
    case = _case(article, facts)
    if case is not None:
        draft.measure, draft.rule = case.measure, case.deal
        draft.rationale.append(Reason(article.id, case.text))
        return
    if article.charge is Charge.PENALTY or article.charge is Charge.DEAL_TOTAL:
        draft.measure = Measure.PENALTY
        draft.share = Fraction(1 if article.charge is Charge.PENALTY else 2)
        return
    if article.ladder is not None:
        _climb(draft, facts)
    chosen = stated(facts, "measure")
    if article.discretionary and isinstance(chosen, str):
        # A repetition under a ladder goes by the ladder; the first time the referee chooses.
        if article.ladder is None or draft.offence == 1:
            draft.measure = Measure(chosen)
            if article.ladder is None:
                draft.step = Step(None, draft.measure)
        draft.rationale.append(reasons.of_measure(article, draft.measure))
    if draft.measure is Measure.PENALTY:
        draft.share = draft.step.share if draft.step else Fraction(1)
        points = stated(facts, "points")
        if article.discretionary and isinstance(points, int) and game.penalty:
            draft.share = Fraction(points, game.penalty)
        if article.id == "T-MISD":
            draft.rule = DealRule.PASSES
    elif draft.measure is Measure.REDEAL:
        draft.rule = DealRule.REDEALT
    elif draft.measure is Measure.DEAL_PASSES:
        draft.rule = DealRule.PASSES
    elif article.charge is Charge.LADDER:
        draft.rule = DealRule.STANDS


def _penalised_again(draft: _Draft, facts: Facts, game: Game, history: Sequence[Previous]) -> bool:
    """Whether an article with options costs the penalty, as a repetition that is not let pass (C.8)."""
    article = draft.article
    if article.ladder is None:
        return False
    draft.offence = 1 + earlier(article, draft.side, game, history)
    step = article.ladder.step(draft.offence)
    chosen = next((o for o in article.options if o.id == stated(facts, CHOICE_FACT)), None)
    if step.measure is not Measure.PENALTY or (chosen and chosen.measure is Measure.NONE):
        return False
    draft.step, draft.measure, draft.share = step, step.measure, step.share
    draft.rule = DealRule.REPLACED
    draft.rationale.append(reasons.of_offence(article, draft.offence, step.measure))
    return True


def _climb(draft: _Draft, facts: Facts) -> None:
    """Apply the step of the article's ladder."""
    ladder = draft.article.ladder
    if ladder is None:
        return
    if ladder.by is LadderBy.MINUTES:
        minutes = facts["minutes"]
        count = minutes if isinstance(minutes, int) else 0
        draft.step = ladder.step(count)
        draft.rationale.append(reasons.of_minutes(draft.article, count, draft.step.measure))
    else:
        draft.step = ladder.step(draft.offence)
        deliberate_again = (
            draft.article.id == "T-MISD" and facts.get("deliberate") and draft.offence > 1
        )
        if deliberate_again:
            draft.step = Step(None, Measure.PENALTY)
        if not draft.article.discretionary or draft.offence > 1:
            draft.rationale.append(
                reasons.of_offence(draft.article, draft.offence, draft.step.measure)
            )
    draft.measure = draft.step.measure


def _case(article: Article, facts: Facts) -> Case | None:
    return next((c for c in article.cases if stated(facts, c.fact) == c.value), None)


def _choose(draft: _Draft, facts: Facts, game: Game) -> None:
    """Apply the choice of the opponents: made, forced, or still open."""
    article = draft.article
    options = _open_options(draft, facts, game)
    chosen = stated(facts, CHOICE_FACT)
    taken = next((o for o in options if o.id == chosen), None)
    if len(options) == 1:
        taken = options[0]
    if taken is not None:
        draft.rule = taken.deal
        draft.measure = taken.measure
        if _stands(article, facts):
            # Only what the other side accepts of its own will does not count (C.8).
            draft.measure = Measure.PUT_RIGHT
            draft.rationale.append(reasons.COUNTS_AS_FIRST)
            return
        draft.rationale.append(
            Reason(
                article.id,
                reasons.sentence(taken.label),
            )
        )
        return
    by = game.opponents(draft.side) if draft.side else game.all_sides
    draft.rule = DealRule.CHOICE
    draft.choices.append(OpenChoice(by, CHOICE_FACT, tuple((o.id, o.label) for o in options)))
    draft.rationale.append(reasons.of_options(article, by))


def _stands(article: Article, facts: Facts) -> bool:
    """Whether a card out of turn stays where it lies: the right player has played since."""
    return article.id == "GEN-TURN" and bool(facts.get("right_player_played"))


def _open_options(draft: _Draft, facts: Facts, game: Game) -> tuple[Option, ...]:
    """Return the options allowed by the switches and the facts (two cards: Q-001-2)."""
    article = draft.article
    by_id = {option.id: option for option in article.options}
    if _stands(article, facts):
        draft.rationale.append(reasons.RIGHT_PLAYER_PLAYED)
        return (by_id["accept"],)
    if article.id not in ("001-R5", "GEN-TWO"):
        return article.options
    lower, upper = stated(facts, "lower_legal"), stated(facts, "upper_legal")
    if lower is not None and upper is not None and lower != upper:
        draft.rationale.append(reasons.ONE_LEGAL_CARD)
        return (by_id["lower" if lower else "upper"],)
    if game.two_cards == "LOWER":
        draft.rationale.append(reasons.LOWER_CARD)
        return (by_id["lower"],)
    return article.options


def earlier(article: Article, side: str | None, game: Game, history: Sequence[Previous]) -> int:
    """Return the number of earlier rulings in force that count towards the article's ladder."""
    same = [p for p in history if p.article == article.id and p.measure not in NO_OFFENCE]
    if article.ladder is not None and article.ladder.scope is LadderScope.DEAL:
        # Another misdeal when the deal is dealt again counts as the second of the same deal (T-MISD).
        here = {game.deal, *(game.redealt if article.kind is Domain.DEALING else ())}
        return sum(1 for p in same if p.deal is not None and p.deal in here and p.side == side)
    if article.ladder is not None and article.ladder.scope is LadderScope.MATCH:
        return sum(1 for p in same if _same_side(p, side, game))
    if game.offender is None:
        return sum(1 for p in same if p.offender is None and p.side == side)
    return sum(1 for p in same if p.offender == game.offender)


def _same_side(previous: Previous, side: str | None, game: Game) -> bool:
    """Whether an earlier ruling was against the same side (or person) in the same match."""
    if game.match is None or previous.match != game.match:
        return False
    if previous.offender is not None and previous.offender == game.offender:
        return True
    team = game.teams.get(side or "")
    if team and previous.team:
        return previous.team == team
    return previous.side == side and not game.is_auction


def _side_at_fault(article: Article, facts: Facts, game: Game) -> str | None:
    """Return the side of the player at fault; ``None`` for accidents and bystanders."""
    if article.who.value in ("nobody", "bystander"):
        return None
    player = _player_at_fault(article, facts)
    return game.sides.get(player) if player is not None else None


def _player_at_fault(article: Article, facts: Facts) -> str | None:
    """Return the player at fault according to the facts; ``None`` if unstated."""
    name = "offender"
    if article.id in ILL_SERVED_PAYS:
        name = "ill_served"
    elif article.fact("offender") is None:
        name = "dealer"
    player = stated(facts, name)
    return player if isinstance(player, str) else None
