"""Celery: the queue of jobs, and the timer by which every worker takes up what was left behind."""

from __future__ import annotations

import logging.config
import os
from typing import Any

from celery import Celery, bootsteps
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("manille")
app.config_from_object("django.conf:settings", namespace="CELERY")


@setup_logging.connect
def log_as_the_service_does(**_given: object) -> None:
    """Write Celery's own lines in the format of the settings too, instead of Celery's."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


class TakeUpLeftJobs(bootsteps.StartStopStep):
    """Look, at start and every few seconds, for jobs whose message or worker was lost, or that are due.

    The message queue may lose what a killed worker had in hand; the job's row does not.
    """

    requires = ("celery.worker.components:Timer",)
    seconds = 5.0

    def __init__(self, worker: object, **kwargs: object) -> None:
        super().__init__(worker, **kwargs)
        self.entry: Any = None

    def start(self, worker: Any) -> None:
        """Start the timer."""
        # Applications are loaded by now; when Celery imports this module they are not.
        from adjudication.services.incidents import follow_records
        from adjudication.services.rulings import finalise_due
        from ledger.jobs import tick
        from ledger.sealed import destroy_due
        from operations.backup_schedule import look_after_backups
        from tournament.services.notices import send_again
        from tournament.services.privacy import erase_overdue
        from tournament.services.publication import publish_due

        self.entry = worker.timer.call_repeatedly(
            self.seconds,
            tick,
            (
                publish_due,
                follow_records,
                finalise_due,
                send_again,
                erase_overdue,
                destroy_due,
                look_after_backups,
            ),
        )

    def stop(self, worker: object) -> None:
        """Stop the timer."""
        if self.entry is not None:
            self.entry.cancel()


app.steps["worker"].add(TakeUpLeftJobs)
