"""Proofs that a director starts from a page: the record replayed, standings and draws made again."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterator
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from ledger.actors import Actor
from ledger.errors import Refused
from ledger.jobs import Run, enqueue, job_kind
from ledger.models import Job
from ledger.verbs import verb
from tournament.models import Draw, DrawState, Event, Stage
from tournament.queries.standings import check
from tournament.services.draws import reproduce

from .replay import replay

KIND: Final = "operations.proof"
MOST: Final = 50
"""Differences that a result lists."""


class Proof(models.TextChoices):
    """Kinds of proof of an event's record."""

    RECORD = "record", _("Replay the whole record")
    STANDINGS = "standings", _("Compute the standings again")
    DRAWS = "draws", _("Repeat the draws")


@verb("events_prove", Event, "audit.read", at="proofs/", statuses={Job: 202}, changes=False)
def request_proof(*, event_id: uuid.UUID, proof: Proof, actor: Actor) -> Job:
    """Start ``record``, ``standings`` or ``draws``; while it runs, the same job answers."""
    if proof not in Proof.values:
        raise Refused("unknown_choice", _("Choose what to prove."), field="proof")
    return enqueue(
        kind=KIND, scope=event_id, actor=actor, parameters={"proof": proof}, key=f"proof:{proof}"
    )


def last_proofs(event_id: uuid.UUID) -> list[tuple[Proof, Job | None]]:
    """Return every kind of proof with its last job."""
    return proofs_by_event([event_id])[event_id]


def proofs_by_event(
    events: Collection[uuid.UUID],
) -> dict[uuid.UUID, list[tuple[Proof, Job | None]]]:
    """Return the last proofs of each of these events, in one query."""
    jobs: dict[tuple[uuid.UUID, str], Job] = {}
    for job in Job.objects.filter(scope__in=events, kind=KIND).order_by("created_at"):
        jobs[job.scope, job.parameters["proof"]] = job
    return {each: [(proof, jobs.get((each, proof))) for proof in Proof] for each in events}


@job_kind(KIND, seconds=3600)
def prove(run: Run) -> None:
    """Run the job: compare, and store the number of comparisons and the differences."""
    event = Event.objects.get(pk=run.job.scope)
    compared, differences = 0, []
    for difference in _COMPARISONS[Proof(run.parameters["proof"])](event, run):
        compared += 1
        if difference:
            differences.append(difference)
    with run.effect() as result:
        result |= {
            "compared": compared,
            "wrong": len(differences),
            "differences": differences[:MOST],
        }


def _record(event: Event, run: Run) -> Iterator[str]:
    """Replay the record; yield each difference, and an empty text for each item that agrees."""
    run.progress(0, 1)
    outcome = replay(event)
    agreed = sum(outcome.compared.values()) + outcome.rebuilt - len(outcome.differences)
    yield from [""] * max(0, agreed)
    yield from outcome.differences


def _standings(event: Event, run: Run) -> Iterator[str]:
    stages = list(Stage.objects.filter(event=event))
    for at, stage in enumerate(stages):
        run.progress(at, len(stages), str(stage.name))
        checked = check(stage)
        if checked is not None:
            numbers = ", ".join(map(str, checked.differing[:20]))
            yield (
                ""
                if checked.same
                else f"{stage.name}: {checked.stored} / {checked.computed} ({numbers})"
            )


def _draws(event: Event, run: Run) -> Iterator[str]:
    draws = Draw.objects.filter(round__stage__event=event, state=DrawState.PUBLISHED)
    listed = list(draws.select_related("round__stage__event").order_by("made_at"))
    for at, draw in enumerate(listed):
        name = f"{draw.round.stage.name} {draw.round.number}"
        run.progress(at, len(listed), name)
        if draw.request:
            yield "" if reproduce(draw)[1] else name


_COMPARISONS: Final[dict[Proof, Callable[[Event, Run], Iterator[str]]]] = {
    Proof.RECORD: _record,
    Proof.STANDINGS: _standings,
    Proof.DRAWS: _draws,
}
