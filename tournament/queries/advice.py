"""Format advisor for a stage: the event's plan as a question, and the answer, computed once for a field size."""

from __future__ import annotations

from typing import Final

from scoring.engine import rulebook as rulebooks
from scoring.engine.rulebook_edition import Sides
from tournament.advice.lines import Line, Question, advise
from tournament.cache import cached
from tournament.models import Event, Stage
from tournament.pairing.model import Kind
from tournament.queries.chains import players_known, seats_of
from tournament.queries.stage_rule import rule_of, without_bracket
from tournament.ranking.criteria import build

USUAL_DEALS: Final = 12
"""Deals of a round whose games end at a number of points."""


def plays_pairs(event: Event) -> bool:
    """Whether the event's game is one of two pairs, so that individuals or pairs can enter."""
    return rulebooks.RULEBOOKS[event.rulebook].sides is Sides.PAIRS


def planned(event: Event, stage: Stage) -> dict[str, object]:
    """Return the plan of a stage as input of the advisor, with the entrants as far as they are known."""
    criterion = build(without_bracket(rule_of(stage)).criteria[0])
    deals = stage.deals_per_game
    return {
        "entrants": players_known(event, stage),
        "unit": "pair" if stage.in_pairs else "player",
        "rounds": stage.rounds_planned,
        "deals": stage.games_per_round * deals if deals else USUAL_DEALS,
        "minutes": stage.minutes,
        "ranked": "won" if criterion.by_wins else "net",
    }


def question(
    event: Event,
    stage: Stage,
    *,
    entrants: int,
    rounds: int,
    deals: int,
    minutes: int,
    unit: str,
    ranked: str,
) -> Question:
    """Build the question for the advisor, with the game of the event."""
    by_wins = ranked == "won"
    if not plays_pairs(event):
        seats = seats_of(event, stage)
        exactly = seats.unit > 1
        size = seats.unit if exactly else seats.size
        return Question(
            entrants, rounds, deals, minutes, Kind.SOLO, size, exactly=exactly, by_wins=by_wins
        )
    rotates = stage.games_per_round == 3
    kind = Kind.MATCH if unit == "pair" else Kind.ROTATION if rotates else Kind.PARTNERS
    return Question(entrants, rounds, deals, minutes, kind, by_wins=by_wins)


def advice(wanted: Question) -> tuple[Line, ...]:
    """Return the lines of :func:`~tournament.advice.lines.advise`, simulated once for a question."""
    return cached(("advice", wanted), lambda: advise(wanted))
