"""Bring the database up to date; that of a release before 1.0 takes two steps."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from operations.backups import before_first_release


class Command(migrate.Command):
    """Django's ``manage.py migrate``, which refuses a database of a release before 1.0."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse a database that has only some of the migrations replaced by a squashed one; else migrate."""
        recorder = MigrationRecorder(connections[options["database"]])
        if before_first_release(set(recorder.applied_migrations())):
            raise CommandError(
                "A release before 1.0 wrote this database: upgrade it to release 1.0.1 first, "
                "then to this one. Nothing was changed."
            )
        super().handle(*args, **options)
