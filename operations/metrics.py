"""Figures for Prometheus, and the requests that took long.

Figures of the whole installation (entries, signatures, referee calls, jobs, age of the queue) are read
from the database at each scrape, so that every instance returns the same value and a restart loses
nothing: take the maximum, not the sum. Figures of one instance (one machine, one container), such as
request times and pages rendered, are counted by its processes in a shared folder
(``PROMETHEUS_MULTIPROC_DIR``), so that any of its processes can serve them; sum them over instances.
"""

from __future__ import annotations

import functools
import hmac
import time
from collections.abc import Callable, Iterable
from typing import Final

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db.models import Avg, Count, F, Max, Min
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector

from accounts.access import by_link
from accounts.attempts import counts_by_kind
from accounts.roles import may
from ledger.middleware import GetResponse
from ledger.models import AuditEntry, Job, JobState
from ledger.requests import current_request_id
from operations import backups
from tournament.models.tables import DealVersion, OfficialResult, RefereeCall, Signature
from tournament.public.marks import FORMERLY, RENDERED

log = structlog.get_logger(__name__)
FINISHED: Final = "(finished page)"
"""The route of what is handed out without a request of Django's."""
SLOW: Final = 1.0
"""Seconds from which a request is noted as slow."""
KEPT_SLOW: Final = 50
HOUR: Final = 3600
_SLOW_KEY: Final = "slow-requests-noted"

processes = CollectorRegistry()
requests_seconds = Histogram(
    "manille_request_seconds",
    "Time to answer, by route and status.",
    ("route", "status"),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=processes,
)
processes.register(RENDERED)
processes.register(FORMERLY)


def counted_here() -> CollectorRegistry:
    """Return the counts of this instance: of all its processes if they share a folder, else of this one."""
    if not settings.METRICS_DIR:
        return processes
    together = CollectorRegistry()
    collect: Callable[..., object] = MultiProcessCollector
    collect(together, path=settings.METRICS_DIR)
    return together


class Records:
    """Figures read from the records at the moment they are asked for."""

    def collect(self) -> Iterable[Metric]:
        """Yield every metric of the installation."""
        for name, meaning, count in (
            ("manille_entries", "Deals entered, corrections included.", DealVersion),
            ("manille_signatures", "Signatures given.", Signature),
            ("manille_official_results", "Results made official.", OfficialResult),
            ("manille_audit_entries", "Entries of the audit chains.", AuditEntry),
        ):
            yield CounterMetricFamily(name, meaning, count._default_manager.count())
        refused = GaugeMetricFamily(
            "manille_refused_attempts",
            "Refused sign-ins, codes and links of the last 30 days.",
            labels=("kind",),
        )
        for kind, n in counts_by_kind().items():
            refused.add_metric((kind,), n)
        yield refused
        waiting = RefereeCall.objects.filter(closed_at__isnull=True, claimed_at__isnull=True)
        yield GaugeMetricFamily(
            "manille_referee_calls_waiting", "Tables that wait for a referee.", waiting.count()
        )
        yield GaugeMetricFamily(
            "manille_disk_free_bytes", "Room left where the service writes.", backups.free_bytes()
        )
        yield GaugeMetricFamily(
            "manille_backup_due_seconds",
            "Age from which the newest backup is too old.",
            HOUR * (settings.BACKUP_HOURS + 1),
        )
        newest = backups.newest()
        if newest is not None:
            yield GaugeMetricFamily(
                "manille_backup_age_seconds", "Age of the newest backup.", time.time() - newest
            )
        jobs = GaugeMetricFamily(
            "manille_jobs", "Jobs by kind and state.", labels=("kind", "state")
        )
        for row in Job.objects.values("kind", "state").annotate(n=Count("pk")).order_by():
            jobs.add_metric((row["kind"], row["state"]), row["n"])
        yield jobs
        yield GaugeMetricFamily(
            "manille_queue_age_seconds",
            "Age of the oldest job that nobody has begun.",
            _queue_age(),
        )
        mean = GaugeMetricFamily(
            "manille_job_mean_seconds", "Mean time of finished jobs.", labels=("kind",)
        )
        longest = GaugeMetricFamily(
            "manille_job_longest_seconds", "Longest time of a finished job.", labels=("kind",)
        )
        took = F("finished_at") - F("started_at")
        done = Job.objects.filter(state=JobState.DONE, started_at__isnull=False)
        for job in done.values("kind").annotate(mean=Avg(took), top=Max(took)).order_by():
            mean.add_metric((job["kind"],), job["mean"].total_seconds())
            longest.add_metric((job["kind"],), job["top"].total_seconds())
        yield mean
        yield longest

    def describe(self) -> Iterable[Metric]:
        """Yield nothing: registration must not read the database."""
        return []


def _queue_age() -> float:
    oldest = Job.objects.filter(state=JobState.QUEUED).aggregate(at=Min("created_at"))["at"]
    return max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0


@by_link("metrics token")
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Send the metrics, for the holder of METRICS_TOKEN or the organisation's administrator."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    wanted = str(settings.METRICS_TOKEN).encode()
    known = bool(wanted) and hmac.compare_digest(given, wanted)
    if not known and not may(request.user, "organisation.manage", None):
        raise Http404
    records = CollectorRegistry()
    records.register(Records())
    answer = HttpResponse(
        generate_latest(records) + generate_latest(counted_here()), content_type=CONTENT_TYPE_LATEST
    )
    answer["Cache-Control"] = "no-store"
    return answer


def slow_requests() -> list[dict[str, object]]:
    """Return the latest slow requests, newest first: ``at``, ``route``, ``status``, ``ms``, ``id``."""
    requests: list[dict[str, object]] = cache.get(_SLOW_KEY, [])
    return requests


class Timing:
    """Time every request, note the slow ones."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.monotonic()
        response = self.get_response(request)
        _note(request, response, time.monotonic() - began)
        return response


@functools.cache
def _finished(status: int) -> Histogram:
    return requests_seconds.labels(FINISHED, str(status))


def note_finished(status: int, seconds: float) -> None:
    """Record the time of a response sent without Django."""
    _finished(status).observe(seconds)


def _note(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    # The route, not the path: a path may hold a table's link.
    match = request.resolver_match
    route = f"/{match.route}" if match is not None else "(unknown)"
    requests_seconds.labels(route, str(response.status_code)).observe(seconds)
    if seconds < SLOW or response.streaming:
        return
    line = {
        "at": timezone.now().isoformat(timespec="seconds"),
        "route": route,
        "status": response.status_code,
        "ms": round(seconds * 1000),
        "id": current_request_id.get(),
    }
    # Event or job named by the URL. The URL of a table also contains its event's slug.
    given = match.kwargs if match is not None else {}
    about = {name: str(given[name]) for name in ("slug", "job_id") if name in given}
    log.warning("slow_request", **{name: line[name] for name in ("route", "status", "ms")}, **about)
    cache.set(_SLOW_KEY, [line, *slow_requests()][:KEPT_SLOW], 24 * 3600)
