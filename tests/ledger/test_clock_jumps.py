"""The machine's clock is set back or forward while jobs run and entries are made."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from ledger import audit, jobs
from ledger.actors import Actor
from ledger.change import change
from ledger.models import AuditEntry, JobState

pytestmark = pytest.mark.django_db
SCOPE = uuid.UUID("6c0c4f3e-5f0e-4d27-9a39-2f2f6d6b0077")
ACTOR = Actor.system("test")
Clock = Callable[[timedelta], None]


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Shift the service's clock from the real time."""
    real = timezone.now

    def to(offset: timedelta) -> None:
        def shifted() -> datetime:
            return real() + offset

        monkeypatch.setattr(timezone, "now", shifted)

    return to


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *_: None)
    monkeypatch.setattr(jobs, "kinds", dict(jobs.kinds))


@pytest.mark.parametrize("hours", [-48, -1, 1, 48])
def test_a_job_that_runs_while_the_clock_jumps_has_its_effect_once(
    jump: Clock, kinds: None, hours: int
) -> None:
    """Its lease seems expired and another worker takes it; exactly one of the two has the effect."""
    met = []

    @jobs.job_kind("test.jump", seconds=60)
    def work(run: jobs.Run) -> None:
        if not met:
            met.append(run)
            jump(timedelta(hours=hours))
            jobs.work_on(str(run.job.pk))
        with run.effect():
            User.objects.create(username=f"made-{User.objects.count()}")

    job = jobs.enqueue(kind="test.jump", scope=SCOPE, actor=ACTOR)
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert User.objects.count() == 1
    assert job.attempt == 2


@pytest.mark.parametrize("hours", [-48, 48])
def test_a_job_left_behind_is_taken_up_again(jump: Clock, kinds: None, hours: int) -> None:
    """Its worker died before the jump; the job does not wait for the old time in either direction."""

    @jobs.job_kind("test.left", seconds=60)
    def work(run: jobs.Run) -> None:
        with run.effect():
            User.objects.create(username="made")

    job = jobs.enqueue(kind="test.left", scope=SCOPE, actor=ACTOR)
    assert jobs._claim(str(job.pk)) is not None
    jump(timedelta(hours=hours))
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert User.objects.count() == 1


def test_the_chain_is_ordered_by_its_numbers_and_not_by_the_clock(jump: Clock) -> None:
    user = User.objects.create(username="subject")
    for hours in (0, -5, 7, -30):
        jump(timedelta(hours=hours))
        with change():
            audit.append(user, "test.jumped", ACTOR, scope=SCOPE)
    entries = list(AuditEntry.objects.filter(scope=SCOPE).order_by("sequence"))
    assert [entry.sequence for entry in entries] == [1, 2, 3, 4]
    assert entries[1].at < entries[0].at
    assert list(audit.breaks(SCOPE)) == []
