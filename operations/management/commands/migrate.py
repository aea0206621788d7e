"""Bring the database up to date; that of a release before 1.0 takes two steps."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader


class Command(migrate.Command):
    """Django's ``manage.py migrate``, which refuses a database of a release before 1.0."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse a database that has only some of the migrations replaced by a squashed one; else migrate."""
        loader = MigrationLoader(connections[options["database"]], replace_migrations=False)
        for each in loader.replacements.values():
            applied = [name in loader.applied_migrations for name in each.replaces]
            if any(applied) and not all(applied):
                raise CommandError(
                    "A release before 1.0 wrote this database: upgrade it to release 1.0.1 first, "
                    "then to this one. Nothing was changed."
                )
        super().handle(*args, **options)
