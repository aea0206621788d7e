"""Long work: a database row with its progress, and a queue message with only the row's id.

A job kind is a function ``work(run: Run) -> None`` registered under a code. It computes outside
any transaction, reports its progress, and then writes its effect inside :meth:`Run.effect`: one
transaction that first checks that this run still holds the job, and ends by marking the job done.
So an effect happens exactly once, whenever a worker dies and however often a message is delivered:

* killed before the effect's commit: nothing was written, another worker claims the job after the
  lease (``JOB_LEASE_SECONDS``) and runs it from the start;
* killed after the commit: the job is done, and a repeated message finds nothing to do;
* a worker that was only suspended finds its claim gone and changes nothing.

Each kind has a deadline, after which its work is ended and says so, and a queue: what waits for
hosts outside has one of its own, so that draws and papers never wait for it.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from celery import shared_task
from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from .actors import Actor
from .change import change
from .deadline import TooLong, ended_after
from .errors import Refused
from .models import Job, JobState
from .requests import current_request_id

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 5


class JobFailed(Exception):
    """A failure that the person who requested the job can understand and mend."""


class ClaimLost(Exception):
    """Another worker has taken the job up; this run must change nothing."""


class Run:
    """One attempt at a job, as its work function sees it."""

    def __init__(self, job: Job, claim: uuid.UUID) -> None:
        self.job = job
        self.claim = claim
        self.parameters = job.parameters
        self.actor = Actor.parse(job.requested_by)

    def progress(self, done: int, total: int, step: str = "") -> None:
        """Save the progress.

        Raises:
            ClaimLost: Another worker has claimed the job.
        """
        held = Job.objects.filter(pk=self.job.pk, claim=self.claim, state=JobState.RUNNING).update(
            done_steps=done, all_steps=total, step=step[:120], alive_at=timezone.now()
        )
        if not held:
            raise ClaimLost(str(self.job.pk))

    @contextmanager
    def effect(self) -> Iterator[dict[str, object]]:
        """Open the change for the job's effect; the caller fills the yielded dict with the result."""
        with change():
            job = Job.objects.select_for_update(no_key=True).get(pk=self.job.pk)
            if job.claim != self.claim or job.state != JobState.RUNNING:
                raise ClaimLost(str(job.pk))
            result: dict[str, object] = {}
            yield result
            job.state = JobState.DONE
            job.result = result
            job.finished_at = timezone.now()
            job.done_steps = job.all_steps
            job.save(update_fields=["state", "result", "finished_at", "done_steps"])


Work = Callable[[Run], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job: the function that does it, its seconds at most, and its queue."""

    work: Work
    seconds: float
    queue: str


kinds: dict[str, Kind] = {}
"""The registered kinds by their code."""


def job_kind(
    code: str, *, seconds: float, queue: str = settings.CELERY_TASK_DEFAULT_QUEUE
) -> Callable[[Work], Work]:
    """Register the function that does jobs of kind ``code``, ended after ``seconds``."""

    def register(work: Work) -> Work:
        kinds[code] = Kind(work, seconds, queue)
        return work

    return register


def enqueue(
    *,
    kind: str,
    scope: uuid.UUID,
    actor: Actor,
    parameters: dict[str, object] | None = None,
    key: str = "",
) -> Job:
    """Create a job and send its id to the queue once the transaction has committed.

    ``key`` names work that must not run twice at once in the scope: while a job with the same key
    is open, that job is returned. A queue that cannot be reached does not fail the request; the
    workers' timer sends the id again.
    """
    kinds[kind]
    if parameters and not parameters.keys() & {"reader", "language"}:
        parameters = {**parameters, "reader": (translation.get_language() or "en")[:2]}
    try:
        with transaction.atomic():
            job = Job.objects.create(
                kind=kind,
                scope=scope,
                parameters=parameters or {},
                key=key,
                requested_by=str(actor),
                request_id=current_request_id.get(),
            )
    except IntegrityError:
        return Job.objects.get(scope=scope, key=key, state__in=[JobState.QUEUED, JobState.RUNNING])
    transaction.on_commit(lambda: send(job.pk, kind))
    return job


def send(job_id: uuid.UUID, kind: str) -> None:
    """Put the id of the job into its kind's queue; a failure is logged, the timer sends it again."""
    queue = kinds[kind].queue if kind in kinds else settings.CELERY_TASK_DEFAULT_QUEUE
    try:
        work_on.apply_async((str(job_id),), queue=queue)
    except (OSError, work_on.OperationalError) as error:
        log.warning("queue_unreachable", job_id=str(job_id), error=str(error))


def _give_back() -> None:
    """Let go of a connection that broke or grew old; never inside a caller's transaction."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def tick(*acts: Callable[[], object]) -> None:
    """Do what every worker does at start and every few seconds; an unreachable database waits.

    Args:
        acts: what is done besides sending waiting jobs. Every worker does it, so it may only ask
            for jobs (under a key) or do what is safe twice.
    """
    for act in (resend_waiting, *acts):
        try:
            act()
        except DatabaseError as error:
            log.warning("job_timer_without_database", error=str(error))
        finally:
            _give_back()


def _left_behind(now: datetime) -> Q:
    """Return the condition for running jobs without a sign of life for a lease, or with one in the future."""
    lease = timedelta(seconds=settings.JOB_LEASE_SECONDS)
    silent = Q(alive_at__lt=now - lease) | Q(alive_at__gt=now + lease)
    return Q(state=JobState.RUNNING) & silent


def resend_waiting() -> int:
    """Queue again the ids of jobs without a live worker; return their number."""
    now = timezone.now()
    try:
        waiting = list(
            Job.objects.filter(
                Q(state=JobState.QUEUED, created_at__lt=now - timedelta(seconds=5))
                | _left_behind(now)
            )
            .order_by("created_at")
            .values_list("pk", "kind")[:100]
        )
    except DatabaseError as error:
        log.warning("job_timer_without_database", error=str(error))
        return 0
    finally:
        _give_back()
    for job_id, kind in waiting:
        send(job_id, kind)
    return len(waiting)


def _claim(job_id: str) -> Run | None:
    """Take the job if it is free: queued, or running with its lease run out."""
    claim = uuid.uuid4()
    now = timezone.now()
    free = Q(state=JobState.QUEUED) | _left_behind(now)
    taken = Job.objects.filter(Q(pk=job_id) & free).update(
        state=JobState.RUNNING,
        claim=claim,
        alive_at=now,
        started_at=now,
        attempt=F("attempt") + 1,
        done_steps=0,
    )
    return Run(Job.objects.get(pk=job_id), claim) if taken else None


@contextmanager
def _sign_of_life(run: Run) -> Iterator[None]:
    """Renew the lease from a thread of its own while the work goes on."""
    stop = threading.Event()
    # A thread begins without the names that the worker has given to its lines.
    own_log = log.bind(
        job_id=str(run.job.pk), job_kind=run.job.kind, request_id=current_request_id.get()
    )

    def beat() -> None:
        every = max(settings.JOB_LEASE_SECONDS / 4, 0.5)
        # A worker that its deadline does not end is given up: another takes the job up.
        until = time.monotonic() + kinds[run.job.kind].seconds + settings.JOB_LEASE_SECONDS
        while not stop.wait(every):
            if time.monotonic() > until:
                own_log.error("job_too_long", seconds=kinds[run.job.kind].seconds)
                break
            try:
                Job.objects.filter(pk=run.job.pk, claim=run.claim).update(alive_at=timezone.now())
            except DatabaseError as error:
                own_log.warning("lease_not_renewed", error=str(error))
        connection.close()

    thread = threading.Thread(target=beat, name=f"lease-{run.job.pk}")
    if not connection.in_atomic_block:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if thread.is_alive():
            thread.join()


def _fail(run: Run, reason: str) -> None:
    Job.objects.filter(pk=run.job.pk, claim=run.claim, state=JobState.RUNNING).update(
        state=JobState.FAILED, failure=reason, finished_at=timezone.now()
    )


@shared_task(name="ledger.run_job")
def work_on(job_id: str) -> None:
    """Do the job ``job_id`` (a UUID as text), if it is there to be done: the queue's one task.

    Its log lines and its entries in the journal bear the id of the request that asked for it, or its
    own where the workers' timer did.
    """
    run = _claim(job_id)
    if run is None:
        return
    request = run.job.request_id or f"job-{run.job.pk.hex[:12]}"
    token = current_request_id.set(request)
    try:
        with structlog.contextvars.bound_contextvars(
            job_id=str(run.job.pk), job_kind=run.job.kind, request_id=request
        ):
            _do(run)
    finally:
        current_request_id.reset(token)


def _cancel_statement() -> None:
    """End the statement under way on PostgreSQL, which would hold its locks after the connection is gone."""
    if connection.vendor != "postgresql" or connection.connection is None:
        return
    import psycopg  # SQLite runs without it

    try:
        connection.connection.cancel_safe(timeout=5)
    except psycopg.Error as error:
        log.warning("statement_not_cancelled", error=str(error))


def _language(run: Run) -> str:
    """Return the language of the page that shows the job."""
    language = run.parameters.get("reader") or run.parameters.get("language")
    return str(language or settings.LANGUAGE_CODE)


def _do(run: Run) -> None:
    """Do the work of a job that is held, and say how it ended."""
    try:
        kind = kinds[run.job.kind]
        if run.job.attempt > MAX_ATTEMPTS:
            with translation.override(_language(run)):
                _fail(run, _("The work was given up: it stopped again and again without a reason."))
            return
        with (
            _sign_of_life(run),
            ended_after(kind.seconds, _cancel_statement),
            translation.override(_language(run)),
        ):
            kind.work(run)
        log.info("job_done")
    except ClaimLost:
        log.info("job_taken_by_another_worker")
    except TooLong:
        if not connection.in_atomic_block:
            connection.close()  # a statement may have been interrupted on it
        with translation.override(_language(run)):
            _fail(run, _("The work was ended because it took too long. Start it again."))
        log.error("job_too_long", seconds=kind.seconds)
    except JobFailed as failure:
        _fail(run, str(failure))
        log.info("job_failed", reason=str(failure))
    except Refused as refusal:
        with translation.override(_language(run)):
            _fail(run, str(refusal))
        log.info("job_refused", code=refusal.code)
    except Exception:
        with translation.override(_language(run)):
            text = _(
                "A fault of the program stopped this. Start it again. If it fails again, give the operator this "
                "number: %(number)s."
            )
            _fail(run, text % {"number": current_request_id.get()})
        log.exception("job_broke")
        raise
