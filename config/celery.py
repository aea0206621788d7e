"""Celery: the queue of jobs, and the timer by which every worker takes up what was left behind."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, bootsteps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("manille")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class TakeUpLeftJobs(bootsteps.StartStopStep):
    """Look, at start and every few seconds, for jobs whose message or worker was lost, or that are due.

    The message queue may lose what a killed worker had in hand; the job's row does not.
    """

    requires = ("celery.worker.components:Timer",)
    seconds = 5.0

    def __init__(self, worker: Any, **kwargs: Any) -> None:
        super().__init__(worker, **kwargs)
        self.entry: Any = None

    def start(self, worker: Any) -> None:
        """Start the timer."""
        from config.backup_clock import look_after_backups
        from config.privacy import erase_overdue
        from ledger.jobs import on_tick, tick

        on_tick(erase_overdue)
        on_tick(look_after_backups)

        self.entry = worker.timer.call_repeatedly(self.seconds, tick)

    def stop(self, worker: Any) -> None:
        """Stop the timer."""
        if self.entry is not None:
            self.entry.cancel()


app.steps["worker"].add(TakeUpLeftJobs)
