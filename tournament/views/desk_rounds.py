"""Every stage and round: draw, start, close, go on to the next stage."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ledger.access import needs
from ledger.models import Job
from tournament.models import DrawState, Round, Stage
from tournament.selectors.fields import next_round
from tournament.services import draws, publication, rounds, stages, standings
from tournament.views.desk import actor_of, attempt
from tournament.views.frame import event_by_slug, page


@needs("rounds.manage")
@require_safe
def desk_rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Every stage and round: draw, look, publish, start, close, go on."""
    event = event_by_slug(slug)
    jobs = {
        job.parameters.get("round"): job
        for job in Job.objects.filter(scope=event.pk, kind="tournament.draw").order_by("created_at")
    }
    parts = []
    for stage in event.stages.prefetch_related("rounds__draws"):
        listed = []
        for part in stage.rounds.all():
            candidates = [d for d in part.draws.all() if d.state == DrawState.CANDIDATE]
            listed.append(
                {
                    "round": part, "candidates": candidates, "job": jobs.get(str(part.pk)),
                    "waiting": rounds.unsigned_tables(part) if part.state in ("published", "playing") else [],
                }
            )  # fmt: skip
        parts.append({"stage": stage, "rounds": listed, "field": stage.field.count()})
    return render(
        request, "desk/rounds.html",
        page(request, event, "desk-rounds", parts=parts, next_round=next_round(event)),
    )  # fmt: skip


@needs("rounds.manage")
@require_POST
def round_verb(request: HttpRequest, slug: str, round_id: uuid.UUID, verb: str) -> HttpResponse:
    """Draw, start, extend, close, reopen or unpublish one round."""
    event = event_by_slug(slug)
    part = get_object_or_404(Round, pk=round_id, stage__event=event)
    actor = actor_of(request)
    reason = request.POST.get("reason", "")
    minutes = request.POST.get("minutes", "")
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "draw": (lambda: draws.request_draw(round_id=part.pk, actor=actor, seed=request.POST.get("seed", "")[:60]),
                 _("The draw is being made.")),
        "start": (lambda: rounds.start_round(round_id=part.pk, actor=actor), _("The clock runs.")),
        "extend": (lambda: rounds.extend_round(round_id=part.pk, minutes=int(minutes) if minutes.lstrip("-").isdigit() and len(minutes) < 5 else 0, actor=actor),
                   _("The clock was changed.")),
        "close": (lambda: rounds.close_round(round_id=part.pk, actor=actor), _("The round is closed.")),
        "reopen": (lambda: rounds.reopen_round(round_id=part.pk, actor=actor, reason=reason), _("The round is open again.")),
        "unpublish": (lambda: publication.unpublish(round_id=part.pk, actor=actor, reason=reason), _("The publication is withdrawn.")),
    }  # fmt: skip
    if verb not in acts:
        raise Http404
    attempt(request, acts[verb][0], acts[verb][1])
    return redirect("desk-rounds", slug)


@needs("rounds.manage")
@require_POST
def stage_next(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Take a stage's qualifiers into the next stage."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order)
    attempt(
        request, lambda: stages.open_next_stage(stage_id=stage.pk, actor=actor_of(request)),
        _("The field of the next stage is set."),
    )  # fmt: skip
    return redirect("desk-rounds", slug)


@needs("rounds.manage")
@require_POST
def standings_state(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Make a stage's standings provisional, frozen or final."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order)
    state = request.POST.get("state", "")
    if state not in ("provisional", "frozen", "final"):
        raise Http404
    attempt(
        request,
        lambda: standings.set_state(stage_id=stage.pk, state=state, actor=actor_of(request)),
        _("The standings are marked."),
    )
    return redirect("desk-rounds", slug)
