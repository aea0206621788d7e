"""From a candidate to a round that is played: publish now or at a time, withdraw.

A publication is one transaction: tables, seats, links and score sheets come into being with it, or
nothing does. A timed publication is a job that the workers' timer starts when its time has come;
however many workers see it, its effect happens once.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.official import digest
from ledger.verbs import verb
from tournament.models import (
    RANKING_EDITION,
    Draw,
    DrawState,
    Event,
    EventState,
    NoticeKind,
    Round,
    RoundState,
    Stage,
    Standings,
    StandingsState,
)
from tournament.models.draws import Despite
from tournament.models.tables import RefereeCall, Sheet
from tournament.queries.falls import Act, fallen, of_round, what_falls
from tournament.signals import round_unseated, round_withdrawn

from .draws import UNPUBLISHED
from .laying import lay_tables, note_byes
from .notices import tell
from .readiness import require_ready
from .untouched import lock_sheets, written_at

audit.name_verbs(
    "draw",
    published=_("Draw published"),
    scheduled=_("Publication of a draw scheduled"),
    unpublished=_("Draw unpublished"),
    unscheduled=_("Scheduled publication cancelled"),
)

FURTHEST: Final = timedelta(days=30)


@verb(
    "draws_publish",
    Draw,
    "rounds.manage",
    shows_row=True,
    done=_("The draw is published: players can see it now."),
)
def publish_draw(*, draw_id: uuid.UUID, actor: Actor, despite: str = "") -> Round:
    """Publish a draft draw: tables, seats, links and empty score sheets come into being.

    Publishing the published draw again changes nothing; another draft is refused. One made from results, rulings,
    rules to keep apart or players that have changed since needs a public reason (``despite``).
    """
    candidate = Draw.objects.select_related("round__stage__event").get(pk=draw_id)
    # Publications of a stage queue at its row: rounds come and go in their order.
    Stage.objects.select_for_update(no_key=True).get(pk=candidate.round.stage_id)
    drawn_round = Round.objects.select_for_update(no_key=True).get(pk=candidate.round_id)
    candidate.refresh_from_db()
    if candidate.state == DrawState.PUBLISHED:
        return drawn_round
    if drawn_round.state not in UNPUBLISHED:
        raise Conflict("round_published", _("Another draw of this round is published."))
    if candidate.state == DrawState.DISCARDED:
        raise Conflict("draw_discarded", _("This draw was discarded: draw again."))
    stage = candidate.round.stage
    if Event.objects.get(pk=stage.event_id).state == EventState.FINISHED:
        raise Conflict(
            "event_finished", _("The event is finished: reopen it before you publish a draw.")
        )
    candidate.despite = require_ready(candidate, despite)
    _count_by_newest(stage)
    Draw.objects.filter(round=drawn_round, state=DrawState.CANDIDATE).exclude(pk=draw_id).update(
        state=DrawState.DISCARDED
    )
    candidate.state = DrawState.PUBLISHED
    candidate.save(update_fields=["state", "despite"])
    lay_tables(candidate, stage, candidate.tables)
    note_byes(candidate)
    drawn_round.state = RoundState.PUBLISHED
    drawn_round.published_at = timezone.now()
    drawn_round.publish_at = drawn_round.publish_draw = None
    drawn_round.save(update_fields=["state", "published_at", "publish_at", "publish_draw"])
    _fit_rounds(stage, candidate.plan.get("needed"))
    audit.append(
        candidate,
        "draw.published",
        actor,
        scope=stage.event_id,
        after={"round": drawn_round.pk, "tables": len(candidate.tables)}
        | ({"despite": _for_log(candidate.despite)} if candidate.despite else {}),
    )
    Event.objects.filter(pk=stage.event_id, state="open").update(state="running")
    tell(event_id=stage.event_id, kind=NoticeKind.DRAW, subject=drawn_round.pk)
    return drawn_round


def _for_log(despite: Despite) -> dict[str, object]:
    """Return what had changed, with a digest of the reason: it may name a person."""
    return {**despite, "reason": digest(despite.get("reason", ""))}


def _count_by_newest(stage: Stage) -> None:
    """Let a stage that begins follow the newest edition of the ranking, unless its standings are fixed."""
    begun = stage.rounds.filter(state=RoundState.CLOSED).exists()
    if begun or stage.ranking_edition == RANKING_EDITION:
        return
    fixed = Standings.objects.filter(stage=stage).exclude(state=StandingsState.PROVISIONAL)
    if not fixed.exists():
        stage.ranking_edition = RANKING_EDITION
        stage.save(update_fields=["ranking_edition"])


def _fit_rounds(stage: Stage, needed: int | None) -> None:
    """Give the stage as many rounds as its movement has (a round robin, a bracket)."""
    if not needed or (needed == stage.rounds_planned and stage.rounds.count() == needed):
        return
    stage.rounds.filter(number__gt=needed, published_at__isnull=True).delete()
    there = set(stage.rounds.values_list("number", flat=True))
    Round.objects.bulk_create(
        Round(stage=stage, number=number) for number in range(1, needed + 1) if number not in there
    )
    stage.rounds_planned = needed
    stage.save(update_fields=["rounds_planned"])


@verb("draws_schedule", Draw, "rounds.manage")
def publish_later(*, draw_id: uuid.UUID, at: datetime, actor: Actor) -> Round:
    """Publish a draft draw at a time to come; another time or draft replaces the one set."""
    now = timezone.now()
    if not now < at <= now + FURTHEST:
        raise Refused("time_not_ahead", _("Choose a time within the next 30 days."), field="at")
    candidate = Draw.objects.select_related("round__stage").get(pk=draw_id)
    drawn_round = Round.objects.select_for_update(no_key=True).get(pk=candidate.round_id)
    candidate.refresh_from_db(fields=["state"])
    if candidate.state != DrawState.CANDIDATE or drawn_round.state != RoundState.DRAWN:
        raise Conflict("not_a_candidate", _("Only a draft draw can be published."))
    drawn_round.publish_at = at
    drawn_round.publish_draw = candidate
    drawn_round.save(update_fields=["publish_at", "publish_draw"])
    audit.append(candidate, "draw.scheduled", actor, after={"at": at.isoformat()})
    return drawn_round


@verb("rounds_unschedule", Round, "rounds.manage", done=_("Automatic publication cancelled."))
def cancel_publication(*, round_id: uuid.UUID, actor: Actor) -> Round:
    """Take back a timed publication that has not happened yet."""
    return _take_off_the_clock(round_id, actor)


@change()
def _take_off_the_clock(round_id: uuid.UUID, actor: Actor, why: str = "") -> Round:
    drawn_round = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage")
        .get(pk=round_id)
    )
    if drawn_round.publish_at is not None:
        drawn_round.publish_at = drawn_round.publish_draw = None
        drawn_round.save(update_fields=["publish_at", "publish_draw"])
        audit.append(drawn_round, "draw.unscheduled", actor, after={"why": why[:300]})
    return drawn_round


def publish_due() -> int:
    """Start the job of every publication whose time has come; returns how many were due."""
    due = Round.objects.filter(
        publish_at__lte=timezone.now(), state=RoundState.DRAWN, publish_draw__isnull=False
    ).values_list("pk", "publish_draw_id", "stage__event_id", "stage__event__language")
    count = 0
    for round_id, draw_id, scope, language in due:
        enqueue(
            kind="tournament.publish",
            scope=scope,
            actor=Actor.system("clock"),
            parameters={"round": str(round_id), "draw": str(draw_id), "language": language},
            key=f"publish:{round_id}",
        )
        count += 1
    return count


@job_kind("tournament.publish", seconds=120)
def publish_on_time(run: Run) -> None:
    """Publish the candidate whose time has come (job); an impossible one is unscheduled."""
    draw_id, round_id = run.parameters["draw"], run.parameters["round"]
    try:
        with run.effect() as result:
            Stage.objects.select_for_update(of=("self",), no_key=True).get(rounds=round_id)
            waiting = Round.objects.select_for_update(no_key=True).get(pk=round_id)
            if str(waiting.publish_draw_id) == draw_id and waiting.state == RoundState.DRAWN:
                publish_draw(draw_id=uuid.UUID(draw_id), actor=run.actor)
                result["published"] = round_id
    except Refused as refusal:
        with translation.override(run.parameters["language"]):
            why = str(refusal)
        _take_off_the_clock(uuid.UUID(round_id), run.actor, refusal.code)
        raise JobFailed(why) from refusal


@verb("rounds_unpublish", Round, "rounds.manage", done=_("The draw is no longer published."))
def unpublish(*, round_id: uuid.UUID, actor: Actor, reason: str) -> Round:
    """Withdraw a publication, as long as nothing was entered; the draw is a draft again."""
    if not reason.strip():
        raise Refused(
            "reason_missing", _("Give a reason for unpublishing the draw."), field="reason"
        )
    round_withdrawn.send(sender=None, round_id=round_id)
    sheets = lock_sheets(round_id)
    calls = RefereeCall.objects.filter(sheet__in=sheets)
    list(calls.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    Stage.objects.select_for_update(of=("self",), no_key=True).get(rounds=round_id)
    published = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage__event")
        .get(pk=round_id)
    )
    if published.state in UNPUBLISHED:
        return published
    later = published.stage.rounds.filter(number__gt=published.number, published_at__isnull=False)
    if later.exists():
        raise Conflict(
            "later_round_published", _("A later round is published: unpublish that one first.")
        )
    _require_unwritten(published)
    falls = fallen(what_falls(of_round(Act.UNPUBLISH, published)))
    # A call for the referee stays with its table; the sheet it came from goes.
    calls.update(sheet=None)
    published.seats.all().delete()
    published.byes.all().delete()
    Sheet.objects.filter(pk__in=sheets).delete()
    published.tables.update(
        round=None,
        open=False,
        extra_minutes=0,
        decided_for=None,
        decided_reason="",
        decided_at=None,
    )
    published.draws.filter(state=DrawState.PUBLISHED).update(state=DrawState.CANDIDATE, despite={})
    published.state = RoundState.DRAWN
    published.published_at = published.started_at = published.ends_at = None
    published.paused_left = None
    published.save()
    audit.append(published, "draw.unpublished", actor, after={"reason": reason, "falls": falls})
    round_unseated.send(sender=None, round_id=round_id, actor=actor)
    return published


def _require_unwritten(published: Round) -> None:
    """Refuse to withdraw a round with any record."""
    entered = [str(number) for number in written_at(published.pk)]
    if entered or published.state == RoundState.CLOSED:
        raise Conflict(
            "entries_exist",
            _(
                "Deals have already been recorded (tables %(tables)s). Move single players instead, or correct "
                "those sheets."
            ),
            params={"tables": ", ".join(entered[:10]) + ("…" if len(entered) > 10 else "")},
        )
