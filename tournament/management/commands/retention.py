"""Erase the personal data of finished events whose retention time is over; run it daily by a timer."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ledger.actors import Actor
from tournament.services.privacy import forget_event, not_finished, overdue, waits_until


class Command(BaseCommand):
    """``manage.py retention [--dry-run] [--despite-jump]``."""

    help = (
        "Erase persons RETENTION_DAYS after their last event was finished; results and audit chains stay. "
        "After a jump of the clock nothing is erased for 30 days."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options for a dry run and for a clock that jumped."""
        parser.add_argument("--dry-run", action="store_true")
        parser.add_argument(
            "--despite-jump", action="store_true", help="The clock jumped, and is right now."
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Erase event by event, oldest first."""
        for event in not_finished():
            self.stdout.write(f"{event.slug} ({event.day}) is not finished: kept")
        waits = waits_until()
        held = waits is not None and not options["despite_jump"]
        if waits is not None and held:
            self.stdout.write(
                f"The clock jumped: nothing is erased before {waits:%Y-%m-%d}. "
                "If it is right now: --despite-jump"
            )
        for event in overdue():
            if options["dry_run"] or held:
                self.stdout.write(f"{event.slug} ({event.day}) is due")
                continue
            count = forget_event(event, Actor.system("retention"))
            self.stdout.write(f"{event.slug} ({event.day}): {count} persons erased")
