"""Erase the personal data of events whose retention time is over; run it daily by a timer."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ledger.actors import Actor
from tournament.services.privacy import forget_event, overdue


class Command(BaseCommand):
    """``manage.py retention [--dry-run]``."""

    help = "Erase persons RETENTION_DAYS after their last event; results and audit chains stay."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether only to tell."""
        parser.add_argument("--dry-run", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Event by event, oldest first."""
        for event in overdue():
            if options["dry_run"]:
                self.stdout.write(f"{event.slug} ({event.day}) is due")
                continue
            count = forget_event(event, Actor.system("retention"))
            self.stdout.write(f"{event.slug} ({event.day}): {count} persons erased")
