"""Changes to a standing that come from no deal: appended under a source, annulled exactly.

A signature may bring one with it (a forfeit follows the result), when it holds the head of the
event's chain already: so that head, and no row that others lock before it, keeps two from changing
what stands under one source.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change, lock
from tournament.models import Adjustment, Round, Stage
from tournament.models.tables import Sheet

audit.name_verbs("adjustment", annulled=_("Points of a ruling taken back"))
audit.name_verbs("results", deleted=_("Results deleted"))
audit.name_verbs("standing", adjusted=_("Standings adjusted by a ruling"))


@dataclass(frozen=True, slots=True)
class Amount:
    """Adjustment of one entrant's standing; ``forfeited``: all games of the round are lost."""

    entrant_id: int
    marks: int = 0
    games_won: int = 0
    match_points: int = 0
    penalties: int = 0
    disqualified: bool = False
    forfeited: bool = False


@change()
def adjust(
    *,
    stage_id: int,
    source: str,
    amounts: list[Amount],
    reason: str,
    actor: Actor,
    round_id: uuid.UUID | None = None,
) -> list[Adjustment]:
    """Apply ``amounts`` under ``source``, in place of any earlier ones."""
    stage = Stage.objects.get(pk=stage_id)
    lock(stage.event_id)
    annul(source=source, actor=actor, reason=reason, quiet=True)
    played = Round.objects.get(pk=round_id) if round_id else None
    adjustments = [
        Adjustment.objects.create(
            event_id=stage.event_id,
            stage=stage,
            round=played,
            entrant_id=amount.entrant_id,
            source=source,
            marks=amount.marks,
            games_won=amount.games_won,
            match_points=amount.match_points,
            penalties=amount.penalties,
            disqualified=amount.disqualified,
            forfeited=amount.forfeited,
            reason=reason[:300],
            made_by=str(actor),
        )
        for amount in amounts
    ]
    audit.append(
        stage,
        "standing.adjusted",
        actor,
        after={
            "source": source,
            "reason": reason,
            "amounts": [
                {
                    "entrant": a.entrant_id,
                    "marks": a.marks,
                    "games_won": a.games_won,
                    "match_points": a.match_points,
                    "penalties": a.penalties,
                    "disqualified": a.disqualified,
                    "forfeited": a.forfeited,
                }
                for a in amounts
            ],
        },
    )
    return adjustments


@change()
def annul(*, source: str, actor: Actor, reason: str, quiet: bool = False) -> int:
    """Take back whatever stands under ``source``; returns how many adjustments fell."""
    in_force = Adjustment.objects.filter(source=source, annulled_at__isnull=True)
    event_id = in_force.values_list("event_id", flat=True).first()
    if event_id is None:
        return 0
    lock(event_id)
    standing = list(in_force.order_by("pk"))
    if not standing:
        return 0
    Adjustment.objects.filter(pk__in=[row.pk for row in standing]).update(
        annulled_at=timezone.now(), annulled_reason=reason[:300]
    )
    if not quiet:
        audit.append(
            standing[0],
            "adjustment.annulled",
            actor,
            after={"source": source, "reason": reason, "count": len(standing)},
        )
    return len(standing)


@change()
def delete_results(*, stage_id: int, entrants: Collection[int], actor: Actor, reason: str) -> int:
    """Let every game of the stage count, except those with one of ``entrants`` at the table.

    This deletes the results against a team that left a league (rules specification C.7 T-ABS), and
    restores them when it is called without the team. A filling table never counts. Returns the
    number of games changed.
    """
    stage = Stage.objects.select_related("event").get(pk=stage_id)
    games = Sheet.objects.filter(table__round__stage=stage)
    filling = games.exclude(rulebook=stage.event.rulebook).filter(
        table__seats__entrant__byes__round=F("table__round")
    )
    games = games.exclude(pk__in=filling.values("pk"))
    out = set(games.filter(table__seats__entrant__in=entrants).values_list("pk", flat=True))
    wrong = [pk for pk, counts in games.values_list("pk", "counts") if counts == (pk in out)]
    if not wrong:
        return 0
    # Lock sheets before the head of the chain, in the order of all other writers.
    list(Sheet.objects.filter(pk__in=wrong).order_by("pk").select_for_update(no_key=True))
    lock(stage.event_id)
    for chunk, counts in (
        ([pk for pk in wrong if pk in out], False),
        ([pk for pk in wrong if pk not in out], True),
    ):
        games.filter(pk__in=chunk).update(counts=counts)
    audit.append(
        stage,
        "results.deleted",
        actor,
        after={"entrants": sorted(entrants), "games": len(wrong), "reason": reason},
    )
    return len(wrong)
