"""System page of the organisation's administrator: jobs, slow requests, refused attempts, health."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import attempts
from accounts.access import actor_of, needs
from accounts.attempts import Line
from accounts.limits import address
from accounts.pages import Page, show_page
from ledger.errors import Refused
from ledger.models import Job, JobState
from operations.health import database_state, queue_state
from operations.metrics import slow_requests
from operations.proofs import Proof, proofs_by_event
from tournament.models import Event


class PlainTable(NamedTuple):
    """A table of texts."""

    title: str
    heads: list[str]
    rows: list[tuple[object, ...]]


class SystemPage(Page, template="system.html"):
    events: list[tuple[Event, list[tuple[Proof, Job | None]]]]
    waiting: PlainTable
    failed: QuerySet[Job]
    ended: PlainTable
    slow: PlainTable
    lines: list[Line]
    own_line: str
    database: str
    queue: str


@needs("organisation.manage")
@require_safe
def system(request: HttpRequest) -> HttpResponse:
    """Show the logs and proofs of events, open and failed jobs, the last finished jobs, slow requests, and
    the lines with refused attempts.
    """
    waiting = Job.objects.filter(state__in=[JobState.QUEUED, JobState.RUNNING])
    events = list(Event.objects.order_by("-day", "name")[:50])
    proofs = proofs_by_event([event.pk for event in events])
    ended = Job.objects.filter(state=JobState.DONE).order_by("-finished_at")
    return show_page(
        request,
        SystemPage(
            events=[(event, proofs[event.pk]) for event in events],
            waiting=PlainTable(
                _("Jobs waiting or running"),
                [_("Job"), _("State"), _("Requested"), _("Attempt")],
                [
                    (job.kind, _state(job), _at(job.created_at), job.attempt)
                    for job in waiting.order_by("created_at")[:100]
                ],
            ),
            failed=Job.objects.filter(state=JobState.FAILED)[:20],
            ended=PlainTable(
                _("Jobs done"),
                [_("Job"), _("Started"), _("Ended")],
                [(job.kind, _at(job.started_at), _at(job.finished_at)) for job in ended[:20]],
            ),
            slow=PlainTable(
                _("Slow requests"),
                [_("When"), _("Page"), _("State"), "ms"],
                [
                    (each["at"], each["route"], each["status"], each["ms"])
                    for each in slow_requests()
                ],
            ),
            lines=attempts.lines_of_the_day(),
            own_line=address(request),
            database=database_state(),
            queue=queue_state(),
        ),
    )


@needs("organisation.manage")
@require_POST
def block_line(request: HttpRequest) -> HttpResponse:
    """Block a line for an hour, or end its block."""
    line = request.POST.get("line", "")[:64]
    try:
        if "unblock" in request.POST:
            attempts.unblock_line(line=line, actor=actor_of(request))
            messages.success(request, _("%(line)s is no longer blocked.") % {"line": line})
        else:
            attempts.block_line(line=line, actor=actor_of(request))
            messages.success(request, _("%(line)s is blocked for an hour.") % {"line": line})
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("system")


def _at(moment: datetime | None) -> str:
    return "" if moment is None else date_format(localtime(moment), "SHORT_DATETIME_FORMAT")


def _state(job: Job) -> str:
    running = job.state == JobState.RUNNING
    return f"{job.get_state_display()} {job.percent} %" if running else job.get_state_display()
