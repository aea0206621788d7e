"""What the organisation's administrator sees of the running service: jobs, slow requests, health."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ledger.access import needs
from ledger.models import Job, JobState

from .health import database_state, queue_state
from .metrics import slow_requests


@needs("organisation.manage")
@require_safe
def system(request: HttpRequest) -> HttpResponse:
    """Open and failed jobs, the last that ended, slow requests."""
    waiting = Job.objects.filter(state__in=[JobState.QUEUED, JobState.RUNNING])
    return render(
        request, "system.html",
        {
            "waiting": waiting.order_by("created_at")[:100],
            "failed": Job.objects.filter(state=JobState.FAILED)[:20],
            "ended": Job.objects.filter(state=JobState.DONE).order_by("-finished_at")[:20],
            "slow": slow_requests(),
            "database": database_state(), "queue": queue_state(),
        },
    )  # fmt: skip
