"""Bring a backup back and prove that it is whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from operations.backups import BackupFailed, bring_back, note_replaced
from tournament.models import Event


class Command(BaseCommand):
    """``manage.py restore FILE [--replace [--keep-no-copy]]``."""

    help = (
        "Restore a backup (stop web and worker first), migrate it, and verify chains and standings."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file to restore and ``--replace``."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="replace the events and accounts that are there"
        )
        parser.add_argument(
            "--keep-no-copy",
            action="store_true",
            help="replace them without the backup by which that can be undone",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Refuse to overwrite events or accounts unknowingly; restore; migrate; verify."""
        from django.db import connection

        tables = connection.introspection.table_names()
        full = [model.objects.exists() for model in (Event, User) if model._meta.db_table in tables]
        if not options["replace"] and any(full):
            raise CommandError(
                "This database holds events or accounts: say --replace to replace them."
            )
        try:
            replaced = bring_back(options["file"], keep=any(full) and not options["keep_no_copy"])
        except BackupFailed as failure:
            raise CommandError(str(failure)) from failure
        call_command("migrate", verbosity=0)
        if replaced is not None:
            note_replaced(replaced)
            self.stdout.write(
                f"What was there until now: {replaced}. To undo this, restore that file; it is "
                "deleted after a week."
            )
        call_command("replay", events_only=True, stdout=self.stdout)
        self.stdout.write("Restored and verified.")
