"""The one next step of an event, as the director's desk shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, Q

from tournament.models import (
    Draw,
    DrawState,
    EntrantState,
    Event,
    EventState,
    RegistrationState,
    Round,
    RoundState,
    Stage,
    Standings,
    StandingsState,
)

from .after_final import late_rulings
from .fields import disqualified, expected, next_round
from .left_open import LeftOpen, left_open
from .names import directory
from .rounds import current_round, unsigned_tables

Code = Literal[
    "over",
    "bring",
    "check_in",
    "start",
    "play",
    "close",
    "sign",
    "look",
    "draw",
    "go_on",
    "final",
    "after_final",
    "finish",
]


@dataclass(frozen=True, slots=True)
class NextStep:
    """Next action: ``code``, and the round, draw or stage it is about."""

    code: Code
    counts: dict[str, int]
    round: Round | None = None
    draw: Draw | None = None
    stage: Stage | None = None
    disqualified: tuple[str, ...] = ()
    """The names of disqualified players in its field, whom the draw leaves out."""
    absent: tuple[str, ...] = ()
    """The names of those who are entered and not checked in, before the first draw."""
    registrations: int = 0
    """Number of waiting registrations while players are entered and drawn."""
    not_final: int = 0
    """Number of stages whose standings are still to be declared final."""
    left_open: tuple[LeftOpen, ...] = ()
    """The tables of closed rounds whose score sheet is open."""


def next_step(event: Event) -> NextStep:
    """Find what the director does next; there is always exactly one thing."""
    counts = event.entrants.aggregate(
        **{
            state: Count("pk", filter=Q(state=state))
            for state in (EntrantState.REGISTERED, EntrantState.PRESENT, EntrantState.WITHDRAWN)
        }
    )
    now = current_round(event)
    if event.state == EventState.FINISHED:
        return NextStep("over", counts)
    open_behind = tuple(left_open(event))
    if now is not None and now.state != RoundState.CLOSED:
        code: Code = "start" if now.state == RoundState.PUBLISHED else "play"
        if not unsigned_tables(now):
            code = "close"
        return NextStep(code, counts, now, left_open=open_behind)
    if open_behind:
        return NextStep("sign", counts, left_open=open_behind)
    waiting = event.registrations.filter(state=RegistrationState.ASKED).count()
    if not counts["registered"] and not counts["present"]:
        return NextStep("bring", counts, registrations=waiting)
    upcoming = next_round(event)
    if upcoming is None:
        return _after_the_rounds(event, counts)
    candidate = upcoming.draws.filter(state=DrawState.CANDIDATE).order_by("-number").first()
    if candidate is not None:
        barred = _disqualified(upcoming)
        return NextStep(
            "look", counts, upcoming, candidate, disqualified=barred, registrations=waiting
        )
    first = upcoming.number == 1 and upcoming.stage.order == 1
    if not counts["present"] or (first and expected(event).exists()):
        return NextStep("check_in", counts, upcoming, registrations=waiting)
    absent = _absent(event) if first and counts["registered"] else ()
    barred = _disqualified(upcoming)
    return NextStep(
        "draw", counts, upcoming, disqualified=barred, absent=absent, registrations=waiting
    )


def _absent(event: Event) -> tuple[str, ...]:
    waiting = event.entrants.filter(state=EntrantState.REGISTERED).order_by("number")
    return tuple(
        shown.name for shown in directory(event, waiting.values_list("pk", flat=True)).values()
    )


def _disqualified(upcoming: Round) -> tuple[str, ...]:
    event = upcoming.stage.event
    barred = set(disqualified(event.pk).values_list("entrant", flat=True))
    if not barred:
        return ()
    field = set(upcoming.stage.field.values_list("entrant_id", flat=True))
    return tuple(
        shown.name for key, shown in directory(event).items() if key in barred and key in field
    )


def _after_the_rounds(event: Event, counts: dict[str, int]) -> NextStep:
    """Return the step after all rounds with a field: the next stage, the final lists, the end."""
    stages = list(event.stages.order_by("order"))
    filled = [stage for stage in stages if stage.field.exists()]
    if filled and filled[-1] != stages[-1]:
        return NextStep("go_on", counts, stage=filled[-1])
    final = Standings.objects.filter(stage__event=event, state=StandingsState.FINAL)
    done = set(final.values_list("stage_id", flat=True))
    for stage in filled:
        if stage.pk not in done:
            waiting = sum(each.pk not in done for each in filled)
            return NextStep("final", counts, stage=stage, not_final=waiting)
        if late_rulings(stage):
            return NextStep("after_final", counts, stage=stage)
    return NextStep("finish", counts)
