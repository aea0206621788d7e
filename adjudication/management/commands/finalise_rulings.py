"""Make final what no side appealed against before the deadline."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from adjudication.services.rulings import finalise_due


class Command(BaseCommand):
    """Run every few minutes by a timer; doing it twice changes nothing."""

    help = "Make rulings final whose time for an appeal has passed."

    def handle(self, *args: object, **options: object) -> None:
        """Finalise the rulings that are due and print their number."""
        self.stdout.write(f"{finalise_due()} rulings are final now")
