"""Recompute standings from signed sheets and rulings, or compare the stored ones with the result."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.models import Event, Stage
from tournament.queries.standings import check, recompute


class Command(BaseCommand):
    """``manage.py recompute [SLUG ...] [--check]``; exit 1 when a check finds a difference."""

    help = "Recompute standings from the records, or compare what is kept with them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the events and the option to compare only."""
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="all events when left out")
        parser.add_argument("--check", action="store_true", help="write nothing, only compare")

    def handle(self, *args: object, **options: Any) -> None:
        """Print one line a stage."""
        events = Event.objects.order_by("slug")
        if options["slugs"]:
            events = events.filter(slug__in=options["slugs"])
            unknown = set(options["slugs"]) - set(events.values_list("slug", flat=True))
            if unknown:
                raise CommandError(f"There is no event {', '.join(sorted(unknown))}.")
        wrong = 0
        for stage in Stage.objects.filter(event__in=events).select_related("event"):
            wrong += self._stage(stage, only_check=options["check"])
        if wrong:
            raise CommandError(f"{wrong} standings differ from their records.")

    def _stage(self, stage: Stage, *, only_check: bool) -> int:
        name = f"{stage.event.slug} {stage.order} {stage.name}"
        if not only_check:
            standings = recompute(stage_id=stage.pk)
            self.stdout.write(f"{name}: {standings.state} {standings.hash}")
            return 0
        checked = check(stage)
        if checked is None:
            self.stdout.write(f"{name}: nothing kept")
            return 0
        if checked.same:
            self.stdout.write(f"{name}: {checked.state} {checked.stored} same bytes")
            if checked.corrected:
                rows = ", ".join(str(number) for number in checked.corrected[:20])
                self.stdout.write(
                    f"{name}: stays as published; this release would count it otherwise "
                    f"(start numbers: {rows})"
                )
            return 0
        rows = ", ".join(str(number) for number in checked.differing[:20]) or "the rule"
        self.stderr.write(
            f"{name}: {checked.state} kept {checked.stored}, records give {checked.computed} "
            f"(start numbers: {rows})"
        )
        return 1
