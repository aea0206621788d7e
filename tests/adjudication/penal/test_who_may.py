"""Authority to rule, article by article (rules C.8, "Who may").

"Warning to P and redeal: any referee. Exclusion from a round, disqualification, GEN-DISC above P: chief
referee or director, and a second person confirms before it takes effect."
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from adjudication.penal import (
    Article,
    FactField,
    FactsError,
    FactType,
    Measure,
    Policy,
    Previous,
    Proposal,
    Verdict,
    code_for,
    decide,
    game_for,
)
from scoring.engine.rulebook import RULEBOOKS

TWO_PERSONS = {
    # A third offence by the same person (C.7: "3rd disqualification", "exclusion from round").
    ("T-COMM", "disqualified"),
    ("T-PHONE", "excluded_from_round"),
    # "60 in 60-games …, or loss of round; repeat = disqualification": above P from the first.
    ("T-INT", "penalty above P"),
    ("T-INT", "round_forfeited"),
    ("T-INT", "disqualified"),
    # "director may exclude … organiser and referee may disqualify".
    ("T-UNSP", "excluded_from_round"),
    ("T-UNSP", "disqualified"),
    ("GEN-DISC", "penalty above P"),
}
"""Measures that need a second person; a referee rules everything else alone."""


def values(fact: FactField, penalty: int, seat: str) -> list[Any]:
    """Return sample values for a fact, with amounts on both sides of the penalty."""
    if fact.choices:
        found: list[Any] = [name for name, _label in fact.choices]
    elif fact.type is FactType.BOOL:
        found = [True, False]
    elif fact.type is FactType.SEAT:
        found = [seat]
    elif fact.name == "points":
        found = [1, penalty, penalty + 1]
    elif fact.name == "minutes":
        found = [3, 8, 12, 20]
    else:
        found = [fact.minimum or 1]
    return found if fact.required and fact.name != "points" else [None, *found]


def proposals(rulebook: str, article: Article) -> Iterator[Proposal]:
    """Yield the article's proposals for every combination of sample facts, from the first to the fourth offence."""
    code, game = code_for(rulebook), game_for(rulebook, stake=40)
    seat = list(game.sides)[-1]
    names = [fact.name for fact in article.facts]
    for times in range(4):
        history = tuple(
            Previous(f"r{n}", article.id, "anna", None, game.sides[seat], Measure.WARNING)
            for n in range(times)
        )
        for stated in itertools.product(
            *(values(fact, game.penalty, seat) for fact in article.facts)
        ):
            facts = {
                name: value for name, value in zip(names, stated, strict=True) if value is not None
            }
            here = replace(game, offender="anna") if times else game
            try:
                yield decide(code, article.id, facts, Policy.STRICT, here, history)
            except FactsError:
                continue


@pytest.mark.guide("referee#have-a-second-person-confirm")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_article_says_who_may_rule_by_it(rulebook: str) -> None:
    penalty = game_for(rulebook).penalty
    waits: set[tuple[str, str]] = set()
    for article in code_for(rulebook).articles:
        seen = False
        for proposal in proposals(rulebook, article):
            seen = True
            if not proposal.needs_second:
                assert proposal.measure not in (Measure.EXCLUDED_FROM_ROUND, Measure.DISQUALIFIED)
                continue
            assert proposal.verdict is Verdict.ESTABLISHED
            name = str(proposal.measure)
            if proposal.measure is Measure.PENALTY:
                assert max(proposal.deal.charge, 0) > penalty or proposal.adjustments
                name = "penalty above P"
            waits.add((proposal.article, name))
        assert seen, article.id
    assert waits == TWO_PERSONS
