"""Bring a backup back and prove that it is whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backups import BackupFailed, bring_back
from tournament.models import Event


class Command(BaseCommand):
    """``manage.py restore FILE [--replace]``."""

    help = (
        "Restore a backup (stop web and worker first), migrate it, and verify chains and standings."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which file, and whether what is there may go."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="replace the events that are there"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse to overwrite events unknowingly; restore; migrate; verify."""
        from django.db import connection

        there = "tournament_event" in connection.introspection.table_names()
        if there and Event.objects.exists() and not options["replace"]:
            raise CommandError("This database holds events: say --replace to replace them.")
        try:
            bring_back(options["file"])
        except BackupFailed as failure:
            raise CommandError(str(failure)) from failure
        call_command("migrate", verbosity=0)
        call_command("replay", stdout=self.stdout)
        self.stdout.write("Restored and verified.")
