"""Back the database up while the service runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backups import BackupFailed, make, prove, prune


class Command(BaseCommand):
    """``manage.py backup [FILE] [--prove] [--keep N]``."""

    help = "Write a backup of the database; prints its name. Run it by a timer."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the target file, ``--prove`` and ``--keep``."""
        parser.add_argument("file", nargs="?", type=Path)
        parser.add_argument(
            "--prove", action="store_true", help="restore it elsewhere and compare the standings"
        )
        parser.add_argument("--keep", type=int, default=0, help="delete older ones but so many")

    def handle(self, *args: object, **options: Any) -> None:
        """Make it; prune also where that failed, so that failures do not fill the disk."""
        try:
            backup = make(options["file"])
            proved = options["prove"] and prove(backup)
        except BackupFailed as failure:
            raise CommandError(str(failure)) from failure
        finally:
            if options["keep"] > 0:
                for gone in prune(options["keep"]):
                    self.stdout.write(f"deleted {gone.name}")
        self.stdout.write(f"{backup} ({backup.stat().st_size:,} bytes)")
        if options["prove"]:
            self.stdout.write(
                "restored elsewhere and compared: the same"
                if proved
                else "not restored for proof: BACKUP_PROOF_URL names no database"
            )
