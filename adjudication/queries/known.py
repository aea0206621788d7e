"""Facts of an article that the record of the event states already, to be filled in for the referee."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from adjudication.penal import Article
from adjudication.queries.cases import Case
from ledger.models import AuditEntry
from tournament.models import Round, StandingsState

LATE: Final = "T-LATE"
"""Counted from the start of the round; the minutes of T-SLIP run from the publication of a result."""


def known_facts(case: Case, article: Article) -> dict[str, object]:
    """Return the facts that ``article`` asks for and the sheet, the round or its clock knows."""
    round_ = case.incident.round
    facts: dict[str, object] = {}
    if case.dealer:
        facts["dealer"] = case.places.player(case.dealer)
    if case.deal is not None and case.deal.entry.get("turn_up"):
        facts["turned_up"] = True
    if round_ is not None:
        facts["when"] = how_far(round_)
        minutes = minutes_since_start(round_) if article.id == LATE else None
        if minutes is not None:
            facts["minutes"] = minutes
    return {name: value for name, value in facts.items() if article.fact(name) is not None}


@dataclass(frozen=True, slots=True)
class Ran:
    """A round's clock: counted ``since`` this moment, its pauses taken off; ``still`` since it was paused."""

    since: datetime
    still: datetime | None = None

    @property
    def minutes(self) -> int:
        """The full minutes it ran."""
        ran = (self.still or timezone.now()) - self.since
        return min(600, max(0, int(ran.total_seconds()) // 60))


def time_run(round_: Round) -> Ran | None:
    """Return how long the clock of a round has run; ``None`` where it does not run."""
    if round_.started_at is None or round_.closed_at is not None:
        return None
    since, still = round_.started_at, None
    turns = AuditEntry.objects.filter(
        scope=round_.stage.event_id,
        object_id=str(round_.pk),
        verb__in=["round.paused", "round.resumed"],
        at__gte=round_.started_at,
    ).order_by("sequence")
    for verb, at in turns.values_list("verb", "at"):
        if verb == "round.paused":
            still = at
        elif still is not None:
            since, still = since + (at - still), None
    return Ran(since, still)


def minutes_since_start(round_: Round) -> int | None:
    """Return the full minutes that the clock of a round has run; ``None`` where it does not."""
    ran = time_run(round_)
    return ran.minutes if ran is not None else None


def how_far(round_: Round) -> str:
    """Return how far the event had gone with a round, as GEN-SCORE asks it."""
    standings = getattr(round_.stage, "standings", None)
    if standings is not None and standings.state == StandingsState.FINAL:
        return "standings_final"
    return "round_open" if round_.closed_at is None else "round_closed"
