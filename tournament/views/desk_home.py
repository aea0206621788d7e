"""The director's desk: their events, what an event needs now, running jobs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from accounts.access import signed_in
from accounts.pages import Page, show_page
from accounts.roles import capabilities_of, may, scopes_of, scopes_with
from ledger.models import Job, JobState
from tournament.access import needs
from tournament.models import Draw, DrawState, Event, EventState, RoundState, Stage
from tournament.queries import room
from tournament.queries import rounds as round_selectors
from tournament.queries.brackets import (
    ShownForfeit,
    ShownOvertaken,
    forfeited_shown,
    overtaken_shown,
)
from tournament.queries.changed_field import ChangedField, changed_field, people_of
from tournament.queries.left_out import will_sit_out
from tournament.queries.matches import bracket_is_drawn, contested_tables, pool_ties
from tournament.queries.names import Shown
from tournament.queries.next_step import NextStep, next_step
from tournament.queries.pages import IN_PAIRS, PLAYERS
from tournament.queries.papers import WITH_LINKS
from tournament.queries.proposals import KINDS, propose
from tournament.queries.room import Holdup
from tournament.queries.rulebooks import offered
from tournament.queries.standings import rule_of
from tournament.queries.table_clock import ClockShown
from tournament.services import events
from tournament.services.deleted import can_be_undone
from tournament.services.documents import ARCHIVE
from tournament.services.privacy import announced
from tournament.services.readiness import changes_since
from tournament.views.addresses import unreachable
from tournament.views.advice import Advice, advice_for_new
from tournament.views.doing import submit
from tournament.views.forms import EventForm, KindForm
from tournament.views.frame import event_by_slug, show_event

JOB_TABS: Final = {
    "tournament.import": "desk-players",
    "tournament.document": "desk-documents",
    "tournament.archive": "desk-documents",
}
"""The page under which a job is followed, where that is not the page of the rounds."""


class HomePage(Page, template="desk/home.html"):
    events: list[tuple[Event, str]]
    hidden: list[tuple[Event, str]]
    deleted: int
    erased_soon: list[tuple[Event, datetime]]
    may_create: bool
    may_administer: bool


@signed_in
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """List the events in which the caller has a role; with ``?now``, show the desk of the open one.

    That is the referee's for those who rule or hear appeals in an event and do not direct it.
    """
    scopes = scopes_of(request.user)
    can = capabilities_of(request.user, None)
    mine = Event.objects.annotate(players=PLAYERS, in_pairs=IN_PAIRS)
    if "organisation.manage" not in can:
        mine = mine.filter(pk__in=scopes)
    listed = sorted(
        mine.order_by("-day", "name"), key=lambda event: event.state == EventState.FINISHED
    )
    at_referees_desk: frozenset[uuid.UUID] = frozenset()
    if "organisation.manage" not in can:
        at_referees_desk = scopes_with(request.user, "incidents.read") - scopes_with(
            request.user, "event.manage"
        )
    desks = {
        event.pk: reverse(
            "referee-desk" if event.pk in at_referees_desk else "desk-event", args=[event.slug]
        )
        for event in listed
    }
    open_events = [e for e in listed if e.state != EventState.FINISHED and not e.hidden]
    if "now" in request.GET and len(open_events) == 1:
        (only,) = open_events
        if only.pk in at_referees_desk or may(request.user, "event.manage", only.pk):
            return redirect(desks[only.pk])
    return show_page(
        request,
        HomePage(
            events=[(event, desks[event.pk]) for event in listed if not event.hidden],
            hidden=[(event, desks[event.pk]) for event in listed if event.hidden],
            deleted=len(can_be_undone(request.user)),
            erased_soon=announced(
                event
                for event in listed
                if event.state == EventState.FINISHED and event.pk not in at_referees_desk
            ),
            may_create="event.create" in can,
            may_administer="organisation.manage" in can,
        ),
    )


class EventNewPage(Page, template="desk/event_new.html"):
    form: EventForm
    fits: str
    fits_by_rulebook: str
    kind: str | Promise
    advice: Advice | None


class EventKindPage(Page, template="desk/event_kind.html"):
    form: KindForm
    kinds: Mapping[str, tuple[str | Promise, str | Promise]]


@needs("event.create")
def event_new(request: HttpRequest) -> HttpResponse:
    """Open an event: first its kind and size, then its name and fitting defaults."""
    kind = KindForm(request.GET or None, initial={"kind": "club"})
    kind_data = kind.cleaned_data if kind.is_valid() else {}
    if request.method != "POST" and not kind_data:
        return show_page(request, EventKindPage(form=kind, kinds=KINDS))
    players = kind_data.get("players") or 0
    proposal = propose(kind_data.get("kind", ""), players)
    proposed = _proposed_name(kind_data.get("kind", ""), timezone.localdate())
    form = EventForm(
        request.POST or None, players=players, initial=proposal.initial | {"name": proposed}
    )
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        opened = submit(
            request,
            form,
            events.create_event,
            name=_proposed_name(kind_data.get("kind", ""), data["day"])
            if data["name"] == proposed
            else data["name"],
            plan=form.plan(),
            options=form.options(),
            house_rules=form.choice.house_rules,
            **form.columns(),
        )
        if opened:
            return redirect("desk-import", opened.slug)
    fits = {
        key: proposal.line(players, kind_data.get("start"), book) for key, book in offered().items()
    }
    context = EventNewPage(
        form=form,
        fits=fits.get(form["rulebook"].value(), ""),
        fits_by_rulebook=json.dumps(fits),
        kind=KINDS[kind_data["kind"]][0] if kind_data else "",
        advice=advice_for_new(request, proposal.initial) if kind_data else None,
    )
    return show_page(request, context)


def _proposed_name(kind: str, day: date) -> str:
    """Propose the usual name of a club's evening; it follows the day until another is typed."""
    return f"{KINDS[kind][0]}, {date_format(day, 'DATE_FORMAT')}" if kind in KINDS else ""


class EventHomePage(Page, template="desk/event.html", here="desk-event"):
    step: NextStep
    is_stale: bool
    sits_out: str
    level_in_pools: Stage | None
    forfeited: list[ShownForfeit]
    all: int
    changed: ChangedField | None
    overtaken: list[ShownOvertaken]
    gains: list[Shown]
    loses: list[Shown]
    moves: list[Shown]
    clock: ClockShown | None
    open_again: list[round_selectors.OpenAgain]
    holdups: list[Holdup]
    contested: list[str]
    more: int
    signed: int
    settled: bool
    paper: uuid.UUID | None
    jobs: list[Job]
    now: datetime
    deleted: int
    may_manage: bool
    may_check_in: bool
    may_print: bool


@needs("event.read")
@require_safe
def desk_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the director's next step, the tables that delay the round, and running jobs."""
    event = event_by_slug(slug)
    can = capabilities_of(request.user, event.pk)
    now = round_selectors.current_round(event)
    tables = room.room(now) if now and now.state != RoundState.CLOSED else []
    waiting = room.holdups(tables, now, can)
    changed = changed_field(event) if event.state != EventState.FINISHED else None
    step = next_step(event)
    return show_event(
        request,
        event,
        EventHomePage(
            step=step,
            is_stale=step.draw is not None and bool(changes_since(step.draw)),
            sits_out=will_sit_out(step.round) if step.round and step.code == "draw" else "",
            level_in_pools=_level_in_pools(step),
            forfeited=forfeited_shown(now) if now and event.state != EventState.FINISHED else [],
            all=len(tables),
            changed=changed,
            overtaken=[
                match for round_ in now.stage.rounds.all() for match in overtaken_shown(round_)
            ]
            if now
            else [],
            gains=people_of(event, changed.gains) if changed else [],
            loses=people_of(event, changed.loses) if changed else [],
            moves=people_of(event, changed.moves) if changed else [],
            clock=round_selectors.clock_shown(now),
            open_again=round_selectors.open_again(round_selectors.published_rounds(event)),
            holdups=waiting[: room.MOST],
            contested=[] if tables else contested_tables(event.pk),
            more=max(0, len(waiting) - room.MOST),
            signed=room.count_signed(tables),
            settled=room.is_settled(tables),
            paper=room.first_waiting_sheet(tables) if "sheets.enter" in can else None,
            jobs=_in_the_making(event) if "jobs.read" in can else [],
            now=timezone.now(),
            deleted=len(can_be_undone(request.user, event)) if "event.manage" in can else 0,
            may_manage="event.manage" in can,
            may_check_in="entrants.check_in" in can,
            may_print="documents.print" in can,
        ),
    )


def _level_in_pools(step: NextStep) -> Stage | None:
    """Return the stage whose knock-out is drawn next, if players are tied in a pool."""
    if step.round is None or step.code not in ("draw", "look"):
        return None
    stage = step.round.stage
    if not stage.played_as.pools or bracket_is_drawn(stage):
        return None
    return stage if pool_ties(stage, rule_of(stage)) else None


def _in_the_making(event: Event) -> list[Job]:
    """Return jobs that are open, made a draw that awaits review, or failed within the hour.

    A failure is shown until another job of the kind is requested.
    """
    waiting = set(
        Draw.objects.filter(
            round__stage__event=event, state=DrawState.CANDIDATE, round__state=RoundState.DRAWN
        ).values_list("pk", flat=True)
    )
    since = timezone.now() - timedelta(hours=1)
    listed: list[Job] = []
    newer: set[str] = set()
    for job in Job.objects.filter(scope=event.pk).order_by("-created_at")[:40]:
        failed = job.state == JobState.FAILED and job.finished_at and job.finished_at > since
        if (
            job.is_open
            or (failed and job.kind not in newer)
            or str((job.result or {}).get("draw", "")) in {str(pk) for pk in waiting}
        ):
            listed.append(job)
        newer.add(job.kind)
    return listed[:5]


class JobPage(
    Page,
    template="desk/job.html",
    further=("parts/job/page.html", "parts/job/job.html"),
    here="desk-rounds",
):
    job: Job
    unreachable: str


@needs("documents.print")
@require_safe
def desk_job(request: HttpRequest, slug: str, job_id: uuid.UUID) -> HttpResponse:
    """Show one job's progress, as a page or as the fragment that pages fetch (``?part=1``, ``?part=page``).

    The page of a job goes on to what it made: to a draw always, to a paper that was waited for. Who may print follows a
    document in the making; every other job is the desk's.
    """
    event = event_by_slug(slug)
    job = get_object_or_404(Job, pk=job_id, scope=event.pk)
    if job.kind != "tournament.document" and not may(request.user, "jobs.read", event.pk):
        raise PermissionDenied("jobs.read")
    parts = {"": "desk/job.html", "page": "parts/job/page.html"}
    part = request.GET.get("part", "")
    tab = JOB_TABS.get(job.kind, "")
    template = parts.get(part, "parts/job/job.html")
    onward = _result_url(event, job) if part in parts else ""
    if onward and not part and "draw" in job.result:
        return redirect(onward)
    documents = [job.result["document"]] if "document" in job.result else []
    with_links = event.documents.filter(pk__in=documents, kind__in=WITH_LINKS)
    parameters = with_links.values_list("parameters", flat=True).first() or {}
    wrong = unreachable(parameters.get("base", ""))
    response = show_event(
        request, event, JobPage(job=job, unreachable=wrong), template=template, here=tab
    )
    if onward:
        response["X-Live-Go"] = onward
    return response


def _result_url(event: Event, job: Job) -> str:
    """Return the address of a job's draw or paper; empty for a paper that a button requests.

    A paper with links is made at a press alone, and an archive is saved.
    """
    if job.state != JobState.DONE:
        return ""
    if job.result.get("file"):
        return f"{reverse('desk-import', args=[event.slug])}?after={job.pk}"
    draw, document = job.result.get("draw"), job.result.get("document")
    if draw and Draw.objects.filter(pk=draw, round__stage__event=event).exists():
        return reverse("desk-draw", args=[event.slug, draw])
    papers = event.documents.filter(pk=document).exclude(kind__in=[*WITH_LINKS, ARCHIVE])
    if document and papers.exists():
        return reverse("desk-document", args=[event.slug, document])
    return ""
