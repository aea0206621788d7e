"""A worker looks for abandoned jobs as long as it runs."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from config.celery import TakeUpLeftJobs


class Timer:
    """The worker's timer as its parts see it: calls at intervals until cancelled."""

    def __init__(self) -> None:
        self.calling: list[float] = []

    def call_repeatedly(self, seconds: float, act: Callable[..., object], acts: Any) -> Any:
        self.calling.append(seconds)
        return SimpleNamespace(cancel=lambda: self.calling.remove(seconds))


def test_the_timer_runs_until_the_worker_stops() -> None:
    timer = Timer()
    worker = SimpleNamespace(timer=timer)
    step = TakeUpLeftJobs(worker)
    step.stop(worker)  # a worker that was ended before it began
    step.start(worker)
    assert len(timer.calling) == 1
    step.stop(worker)
    assert timer.calling == []
