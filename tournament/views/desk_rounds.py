"""Every stage and round: draw, start, close, go on to the next stage."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from ledger.errors import Refused
from ledger.models import Job
from tournament.access import needs
from tournament.models import BRACKETS, DrawState, Event, Format, Round, RoundState, Stage
from tournament.queries import chains, standings
from tournament.queries.brackets import forfeited_shown, overtaken_shown
from tournament.queries.fields import held_entrants, next_round, stage_seed
from tournament.queries.left_out import left_out, will_sit_out
from tournament.queries.matches import bracket_is_drawn, level_matches, pool_ties
from tournament.queries.pages import state_of
from tournament.queries.rounds import clock_of, room, tables_waiting, unsigned_tables
from tournament.services import clock, draws, publication, rounds
from tournament.services.late import TIMETABLES
from tournament.services.standings import set_state
from tournament.views.desk import actor_of, attempt, numbers_in, whole
from tournament.views.frame import event_by_slug, page


@needs("rounds.manage")
@require_safe
def desk_rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Every stage and round: draw, look, publish, start, close, go on."""
    event = event_by_slug(slug)
    jobs = {
        job.parameters.get("round"): job
        for job in Job.objects.filter(
            scope=event.pk, kind__in=["tournament.draw", "tournament.publish"]
        ).order_by("created_at")
    }
    upcoming = next_round(event)
    parts, under_way = [], False
    for stage in event.stages.prefetch_related("rounds__draws"):
        listed = []
        for part in stage.rounds.all():
            candidates = [d for d in part.draws.all() if d.state == DrawState.CANDIDATE]
            active = part.state in (RoundState.PUBLISHED, RoundState.PLAYING)
            under_way = under_way or active
            listed.append(
                {
                    "round": part,
                    "candidates": candidates,
                    "job": jobs.get(str(part.pk)),
                    "published": next(
                        (d for d in part.draws.all() if d.state == DrawState.PUBLISHED), None
                    ),
                    "waiting": unsigned_tables(part) if active else [],
                    "level": level_matches(part),
                    "forfeited": forfeited_shown(part),
                    "overtaken": overtaken_shown(part),
                    "clock": clock_of(part),
                    "next": upcoming is not None and part.pk == upcoming.pk,
                    "held": len(held_entrants(part)) if upcoming and part.pk == upcoming.pk else 0,
                    "seed": stage_seed(stage, part.draws.count() + 1)
                    if upcoming and part.pk == upcoming.pk
                    else "",
                }
            )
        parts.append(
            {
                "stage": stage,
                "rounds": listed,
                "field": stage.field.count(),
                "standings": state_of(stage),
                "volunteers": stage.format not in BRACKETS | TIMETABLES,
                "ties": pool_ties(stage, standings.rule_of(stage))
                if stage.format == Format.POOLS_KO and not bracket_is_drawn(stage)
                else [],
            }
        )
    return render(
        request,
        "desk/rounds.html",
        page(
            request,
            event,
            "desk-rounds",
            parts=parts,
            next_round=upcoming,
            under_way=under_way,
            now=timezone.now(),
            chain=chains.shown_chain(event),
            left_out=left_out(upcoming) if upcoming else [],
            sits_out=will_sit_out(upcoming) if upcoming else "",
        ),
    )


@needs("rounds.manage")
@require_POST
def round_verb(request: HttpRequest, slug: str, round_id: uuid.UUID, verb: str) -> HttpResponse:
    """Draw, start, pause, extend, close, reopen or unpublish one round."""
    event = event_by_slug(slug)
    part = get_object_or_404(Round, pk=round_id, stage__event=event)
    actor = actor_of(request)
    if verb == "draw":
        return _draw(request, slug, part)
    reason = request.POST.get("reason", "")
    typed = request.POST.get("minutes", "").replace("−", "-")
    minutes = -whole(typed[1:]) if typed.startswith("-") else whole(typed)
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "start": (
            lambda: clock.start_round(round_id=part.pk, actor=actor),
            _("The clock is running."),
        ),
        "extend": (
            lambda: clock.extend_round(round_id=part.pk, minutes=minutes, actor=actor),
            _("The clock was changed."),
        ),
        "pause": (
            lambda: clock.pause_round(round_id=part.pk, actor=actor),
            _("The clock is paused."),
        ),
        "resume": (
            lambda: clock.resume_round(round_id=part.pk, actor=actor),
            _("The clock is running."),
        ),
        "clock": (
            lambda: clock.set_clock(round_id=part.pk, minutes=minutes, actor=actor),
            _("The clock was changed."),
        ),
        "close": (
            lambda: rounds.close_round(
                round_id=part.pk, actor=actor, forfeits="forfeits" in request.POST
            ),
            _("The round is closed."),
        ),
        "reopen": (
            lambda: rounds.reopen_round(round_id=part.pk, actor=actor, reason=reason),
            _("The round is open again."),
        ),
        "unpublish": (
            lambda: publication.unpublish(round_id=part.pk, actor=actor, reason=reason),
            _("The draw is no longer published."),
        ),
        "unschedule": (
            lambda: publication.cancel_publication(round_id=part.pk, actor=actor),
            _("Automatic publication cancelled."),
        ),
    }
    if verb not in acts:
        raise Http404
    if verb == "close" and "forfeits" not in request.POST and part.stage.format not in BRACKETS:
        unsigned, unplayed = tables_waiting(part)
        if unplayed and not unsigned:
            return _ask_forfeits(request, event, part, unplayed)
    done = attempt(request, acts[verb][0], acts[verb][1])
    if verb == "close" and done and (level := level_matches(part)):
        messages.warning(
            request,
            ngettext(
                "%(n)d match has no winner: decide who qualifies.",
                "%(n)d matches have no winner: decide who qualifies.",
                len(level),
            )
            % {"n": len(level)},
        )
        drawn = part.draws.get(state=DrawState.PUBLISHED)
        return redirect(reverse("desk-draw", args=[slug, drawn.pk]) + "#matches")
    return redirect("desk-event" if request.POST.get("back") == "desk" else "desk-rounds", slug)


def _ask_forfeits(
    request: HttpRequest, event: Event, part: Round, unplayed: list[int]
) -> HttpResponse:
    """Ask whether a round closes without the games that a forfeit kept from being played."""
    return render(
        request,
        "desk/close_forfeits.html",
        page(
            request,
            event,
            "desk-rounds",
            round=part,
            tables=[each for each in room(part) if each.number in unplayed],
            credit=standings.worth_of_bye(part.stage),
            back=request.POST.get("back", ""),
        ),
    )


def _draw(request: HttpRequest, slug: str, part: Round) -> HttpResponse:
    """Ask for a draw and show the job at work."""
    try:
        job = draws.request_draw(
            round_id=part.pk,
            actor=actor_of(request),
            seed=request.POST.get("seed", "").strip(),
            hold="hold" in request.POST,
            bye_first=numbers_in(request.POST.get("bye_first", "")),
        )
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("desk-rounds", slug)
    return redirect("desk-job", slug, job.pk)


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
        lambda: set_state(stage_id=stage.pk, state=state, actor=actor_of(request)),
        _("The status of the standings has been changed."),
    )
    return redirect("desk-event" if request.POST.get("back") == "desk" else "desk-rounds", slug)
