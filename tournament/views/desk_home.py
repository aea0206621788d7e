"""The director's desk: his events, what an event needs now, running jobs."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ledger.access import capabilities_of, needs, signed_in
from ledger.errors import Refused
from ledger.models import Job, JobState, RoleGrant
from tournament.models import Draw, DrawState, Event, RoundState
from tournament.selectors import rounds as round_selectors
from tournament.selectors.fields import next_round
from tournament.services import events, stage_plans
from tournament.views.desk import actor_of
from tournament.views.forms import EventForm
from tournament.views.frame import event_by_slug, page


@signed_in
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The events in which the caller has a role."""
    scopes = set(RoleGrant.objects.filter(user=request.user).values_list("scope", flat=True))
    can = capabilities_of(request.user, None)
    mine = Event.objects.annotate(players=Count("entrants"))
    if "event.create" not in can:
        mine = mine.filter(pk__in=scopes)
    listed = list(mine)
    return render(
        request, "desk/home.html",
        {
            "events": [event for event in listed if not event.hidden],
            "hidden": [event for event in listed if event.hidden],
            "may_create": "event.create" in can,
        },
    )  # fmt: skip


@needs("event.create")
def event_new(request: HttpRequest) -> HttpResponse:
    """Open an event."""
    form = EventForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            event = events.create_event(
                actor=actor_of(request), name=data["name"], place=data["place"], day=data["day"],
                language=data["language"], rulebook=data["rulebook"], protocol=data["protocol"],
                bell_rule=data["bell_rule"], depth=data["depth"] or "points", plan=form.plan(),
                options=form.options(),
            )  # fmt: skip
            if form.drawing():
                stage_plans.save_stage(
                    event_id=event.pk, actor=actor_of(request), order=1, drawing=form.drawing()
                )
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(request, _("The event is open. Now bring in the players."))
            return redirect("desk-import", event.slug)
    return render(request, "desk/event_new.html", {"form": form})


@needs("event.read")
@require_safe
def desk_event(request: HttpRequest, slug: str) -> HttpResponse:
    """What the director needs now: the next step, what holds up the round, running jobs."""
    event = event_by_slug(slug)
    now = round_selectors.current_round(event)
    tables = round_selectors.room(now) if now and now.state != "closed" else []
    counts = event.entrants.aggregate(
        registered=Count("pk", filter=Q(state="registered")),
        present=Count("pk", filter=Q(state="present")),
        withdrawn=Count("pk", filter=Q(state="withdrawn")),
    )
    return render(
        request,
        "desk/event.html",
        page(
            request, event, "desk-event", round=now, tables=tables, counts=counts,
            holdups=[t for t in tables if t.state != "signed"][:12],
            signed=sum(t.state == "signed" for t in tables),
            jobs=_in_the_making(event),
            stages=event.stages.prefetch_related("rounds__draws").all(),
            next_round=next_round(event), now=timezone.now(),
            may_manage="event.manage" in capabilities_of(request.user, event.pk),
        ),
    )  # fmt: skip


def _in_the_making(event: Event) -> list[Job]:
    """Jobs that are open, failed within the hour, or made a draw that waits to be looked at."""
    waiting = set(
        Draw.objects.filter(
            round__stage__event=event, state=DrawState.CANDIDATE, round__state=RoundState.DRAWN
        ).values_list("pk", flat=True)
    )
    since = timezone.now() - timedelta(hours=1)
    listed = [
        job
        for job in Job.objects.filter(scope=event.pk).order_by("-created_at")[:40]
        if job.is_open
        or (job.state == JobState.FAILED and job.finished_at and job.finished_at > since)
        or str((job.result or {}).get("draw", "")) in {str(pk) for pk in waiting}
    ]
    return listed[:5]


@needs("jobs.read")
@require_safe
def desk_job(request: HttpRequest, slug: str, job_id: uuid.UUID) -> HttpResponse:
    """One job's progress, as a page or as the fragment that pages fetch (``?part=1``, ``?part=page``)."""
    event = event_by_slug(slug)
    job = get_object_or_404(Job, pk=job_id, scope=event.pk)
    parts = {"": "desk/job.html", "page": "parts/job_page.html"}
    template = parts.get(request.GET.get("part", ""), "parts/job.html")
    return render(request, template, page(request, event, "desk-rounds", job=job))
