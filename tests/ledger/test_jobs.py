"""Jobs take effect exactly once, whichever process dies and however often a message arrives."""

from __future__ import annotations

import re
import signal
import threading
import uuid
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.utils import timezone, translation

from accounts.models import User
from ledger import audit, jobs
from ledger.actors import Actor
from ledger.models import AuditEntry, Job, JobState
from ledger.requests import current_request_id
from tests.moment import later
from tests.programs import wait_for

SCOPE = uuid.UUID("6c0c4f3e-5f0e-4d27-9a39-2f2f6d6b0002")
ACTOR = Actor.system("test")
send = jobs.send
sent: list[uuid.UUID] = []
QUICK = 60.0


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    sent.clear()
    monkeypatch.setattr(jobs, "send", lambda job_id, _kind: sent.append(job_id))
    monkeypatch.setattr(jobs, "kinds", dict(jobs.kinds))

    @jobs.job_kind("test.user", seconds=QUICK)
    def make_user(run: jobs.Run) -> None:
        run.progress(1, 2, run.parameters["name"] * 40)
        with run.effect() as result:
            user = User.objects.create(username=run.parameters["name"])
            audit.append(user, "account.made", run.actor, scope=run.job.scope)
            result["user"] = user.pk

    @jobs.job_kind("test.refuses", seconds=QUICK)
    def refuses(run: jobs.Run) -> None:
        raise jobs.JobFailed("the hall has no tables")

    @jobs.job_kind("test.breaks", seconds=QUICK)
    def breaks(run: jobs.Run) -> None:
        with run.effect():
            User.objects.create(username="ghost")
            raise ZeroDivisionError

    @jobs.job_kind("test.endless", seconds=0.2)
    def endless(run: jobs.Run) -> None:
        with run.effect():
            User.objects.create(username="ghost")
            if connection.vendor == "postgresql":
                connection.cursor().execute("SELECT pg_sleep(600)")
            with suppress(Exception):
                threading.Event().wait(600)


def enqueue(kind: str = "test.user", name: str = "made", key: str = "") -> Job:
    return jobs.enqueue(kind=kind, scope=SCOPE, actor=ACTOR, parameters={"name": name}, key=key)


@pytest.mark.django_db
def test_a_job_is_done_with_its_result() -> None:
    job = enqueue()
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.percent, job.attempt) == (JobState.DONE, 100, 1)
    assert len(job.step) == Job._meta.get_field("step").max_length < len("made" * 40)
    assert User.objects.get(pk=job.result["user"]).username == "made"
    assert job.finished_at is not None


@pytest.mark.django_db
def test_a_doubled_message_finds_nothing_to_do() -> None:
    job = enqueue()
    for _time in range(3):
        jobs.work_on(str(job.pk))
    assert User.objects.filter(username="made").count() == 1


@pytest.mark.django_db
def test_a_job_in_other_hands_is_left_alone_until_its_lease_ends(settings: LazySettings) -> None:
    job = enqueue()
    taken = jobs._claim(str(job.pk))
    assert taken is not None
    jobs.work_on(str(job.pk))
    assert not User.objects.filter(username="made").exists()
    with later(seconds=settings.JOB_LEASE_SECONDS + 1):
        jobs.work_on(str(job.pk))
    assert User.objects.filter(username="made").count() == 1
    with pytest.raises(jobs.ClaimLost), taken.effect():
        User.objects.create(username="twice")
    assert not User.objects.filter(username="twice").exists()
    with pytest.raises(jobs.ClaimLost):
        taken.progress(1, 2)


@pytest.mark.django_db
def test_a_refusal_is_kept_as_its_reason() -> None:
    job = enqueue("test.refuses")
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.failure) == (JobState.FAILED, "the hall has no tables")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [("fr", "Recommencez"), ("nl", "Begin opnieuw"), ("en", "Start it again")],
)
def test_a_fault_is_said_in_the_words_of_the_reader(language: str, words: str) -> None:
    with translation.override(language):
        job = enqueue("test.breaks")
    with pytest.raises(ZeroDivisionError):
        jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert words in job.failure


@pytest.mark.django_db
def test_a_fault_takes_its_effect_back_and_is_not_hidden() -> None:
    job = enqueue("test.breaks")
    with pytest.raises(ZeroDivisionError):
        jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "ZeroDivisionError" not in job.failure
    assert f"job-{job.pk.hex[:12]}" in job.failure, "the number under which the log has it"
    assert not User.objects.filter(username="ghost").exists()


@pytest.mark.django_db
def test_one_open_job_for_a_key() -> None:
    first = enqueue(key="draw:1")
    assert enqueue(key="draw:1").pk == first.pk
    jobs.work_on(str(first.pk))
    assert enqueue(key="draw:1", name="other").pk != first.pk


@pytest.mark.django_db
def test_the_last_attempt_is_still_made() -> None:
    job = enqueue()
    for attempt in range(1, jobs.MAX_ATTEMPTS):
        with later(hours=attempt):
            assert jobs._claim(str(job.pk)) is not None  # and its worker dies
    with later(hours=jobs.MAX_ATTEMPTS):
        jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.attempt) == (JobState.DONE, jobs.MAX_ATTEMPTS)
    assert not job.is_open


@pytest.mark.django_db
def test_who_lost_a_job_does_not_fail_it_for_the_worker_that_has_it() -> None:
    job = enqueue()
    slow = jobs._claim(str(job.pk))
    assert slow is not None
    with later(hours=1):
        assert jobs._claim(str(job.pk)) is not None
        jobs._fail(slow, "too late")
    job.refresh_from_db()
    assert (job.state, job.failure) == (JobState.RUNNING, "")


@pytest.mark.django_db
def test_who_lost_a_job_has_no_effect_while_another_works_on_it() -> None:
    job = enqueue()
    slow = jobs._claim(str(job.pk))
    assert slow is not None
    with later(hours=1):
        quick = jobs._claim(str(job.pk))
    assert quick is not None
    with pytest.raises(jobs.ClaimLost), slow.effect():
        User.objects.create(username="twice")
    with quick.effect():
        User.objects.create(username="once")
    with pytest.raises(jobs.ClaimLost), quick.effect():
        User.objects.create(username="once more")
    assert list(User.objects.values_list("username", flat=True)) == ["once"]


@pytest.mark.django_db
def test_a_worker_that_keeps_dying_gives_up_in_words() -> None:
    job = enqueue()
    for attempt in range(jobs.MAX_ATTEMPTS):
        with later(hours=attempt):
            assert jobs._claim(str(job.pk)) is not None  # and its worker dies
    with later(hours=jobs.MAX_ATTEMPTS):
        jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "given up" in job.failure


@pytest.mark.django_db
def test_what_nobody_works_on_is_sent_again() -> None:
    with later(hours=-1):
        dead = enqueue(name="dead")
        assert jobs._claim(str(dead.pk)) is not None  # and its worker dies
    with later(seconds=-30):
        lost, alive, done = (enqueue(name=name) for name in ("lost", "alive", "done"))
    assert jobs._claim(str(alive.pk)) is not None
    jobs.work_on(str(done.pk))
    fresh = enqueue(name="fresh")
    sent.clear()
    assert jobs.resend_waiting() == 2
    assert set(sent) == {lost.pk, dead.pk}
    assert fresh.pk not in sent


@pytest.mark.django_db
def test_the_message_leaves_only_after_the_commit(
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=False) as callbacks:
        job = enqueue()
        assert sent == []
    assert len(callbacks) == 1
    callbacks[0]()
    assert sent == [job.pk]


@pytest.mark.django_db
def test_a_job_waits_where_the_queue_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_args: object, **_options: object) -> None:
        raise ConnectionRefusedError("no queue")

    job = enqueue()
    monkeypatch.setattr(jobs.work_on, "apply_async", refused)
    with structlog.testing.capture_logs() as said:
        send(job.pk, job.kind)
    assert [(each["event"], each["job_id"]) for each in said] == [
        ("queue_unreachable", str(job.pk))
    ]
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


@pytest.mark.django_db
def test_a_database_that_is_away_stops_no_other_act_of_the_timer() -> None:
    done = []

    def away() -> None:
        raise OperationalError("no database")

    with structlog.testing.capture_logs() as said:
        jobs.tick(away, lambda: done.append("the next"))
    assert [each["event"] for each in said] == ["job_timer_without_database"]
    assert done == ["the next"]


@pytest.mark.django_db(transaction=True)
def test_a_lease_that_is_not_renewed_names_its_job(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    """The line comes from its own thread, but carries the request id of the job."""
    settings.JOB_LEASE_SECONDS = 2
    now = timezone.now

    def away() -> Any:
        if threading.current_thread().name.startswith("lease-"):
            raise OperationalError("no database")
        return now()

    with structlog.testing.capture_logs() as lines:

        @jobs.job_kind("test.waits", seconds=QUICK)
        def waits(run: jobs.Run) -> None:
            wait_for("the line", lambda: [each for each in lines if "lease" in each["event"]])

        job = enqueue("test.waits")
        monkeypatch.setattr(timezone, "now", away)
        jobs.work_on(str(job.pk))
    line = next(each for each in lines if each["event"] == "lease_not_renewed")
    assert (line["job_id"], line["job_kind"]) == (str(job.pk), "test.waits")
    assert line["request_id"] == f"job-{job.pk.hex[:12]}"


@pytest.mark.django_db
@pytest.mark.django_db(transaction=True)
def test_the_lease_of_a_job_that_never_ends_is_not_renewed_for_ever(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.JOB_LEASE_SECONDS = 2
    monkeypatch.setitem(jobs.kinds, "test.user", replace(jobs.kinds["test.user"], seconds=-2))
    job = enqueue()
    run = jobs._claim(str(job.pk))
    assert run is not None
    with structlog.testing.capture_logs() as lines, jobs._sign_of_life(run):
        before = Job.objects.get(pk=job.pk).alive_at
        while not lines:
            threading.Event().wait(0.05)
    assert lines[0]["event"] == "job_too_long"
    assert Job.objects.get(pk=job.pk).alive_at == before


@pytest.mark.guide("operator#roles-of-processes")
@pytest.mark.django_db(transaction=True)
def test_work_without_an_end_is_ended_and_says_so_in_the_readers_language() -> None:
    handler = signal.getsignal(signal.SIGALRM)
    job = jobs.enqueue(kind="test.endless", scope=SCOPE, actor=ACTOR, parameters={"language": "fr"})
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.finished_at is not None) == (JobState.FAILED, True)
    assert "trop longtemps" in job.failure
    assert not User.objects.filter(username="ghost").exists()
    assert signal.getsignal(signal.SIGALRM) is handler
    jobs.work_on(str(job.pk))  # a repeated message
    assert Job.objects.get(pk=job.pk).attempt == 1


@pytest.mark.guide("operator#roles-of-processes")
def test_the_guide_says_which_job_waits_for_which() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "operator.md").read_text()
    said = {
        code: (int(minutes) * 60, queue)
        for codes, queue, minutes in re.findall(r"^\| (`.+`) \| (\w+) \| (\d+) min \|", guide, re.M)
        for code in re.findall("`([^`]+)`", codes)
    }
    registered = {code: (kind.seconds, kind.queue) for code, kind in jobs.kinds.items()}
    assert said == {code: kind for code, kind in registered.items() if "test." not in code}


def test_an_unknown_kind_is_a_programming_error() -> None:
    with pytest.raises(KeyError):
        enqueue("test.unknown")


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.django_db
@pytest.mark.parametrize("asked_by", ["request-0007", ""])
def test_lines_and_entries_of_a_job_bear_the_request_that_asked_for_it(asked_by: str) -> None:
    """However often the message was sent: the worker of a job does not run in the request."""
    token = current_request_id.set(asked_by)
    job = enqueue(name="by-request")
    current_request_id.reset(token)
    expected = asked_by or f"job-{job.pk.hex[:12]}"
    with (
        structlog.contextvars.bound_contextvars(request_id="another-request"),
        structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as lines,
    ):
        jobs.work_on(str(job.pk))
        assert structlog.contextvars.get_contextvars() == {"request_id": "another-request"}
    (line,) = [line for line in lines if line["event"] == "job_done"]
    assert (line["request_id"], line["job_id"]) == (expected, str(job.pk))
    entries = AuditEntry.objects.filter(scope=job.scope)
    assert {entry.request_id for entry in entries} == {expected}
