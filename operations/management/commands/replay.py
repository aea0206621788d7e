"""Rebuild an event from its audit chain and compare it with the records."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.audit import breaks
from ledger.models import ORGANISATION
from ledger.rows import beside_faults
from operations.rebuild import NotEmpty
from operations.replay import replay
from tournament.models import Event


class Command(BaseCommand):
    """``manage.py replay SLUG ...``."""

    help = "Rebuild an event's official state from its append-only record and compare; exit 1 on any difference."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the events by slug; none means all, and the accounts."""
        parser.add_argument("slug", nargs="*")
        parser.add_argument(
            "--into",
            default="",
            metavar="DATABASE_URL",
            help="an empty database to rebuild one event in and to keep; default: a file that goes",
        )

        parser.add_argument(
            "--events-only",
            action="store_true",
            help="leave the accounts out: what SQL changed of them damages no backup",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Compare and say so."""
        events = Event.objects.order_by("slug")
        if options["slug"]:
            events = events.filter(slug__in=options["slug"])
            absent = set(options["slug"]) - set(events.values_list("slug", flat=True))
            if absent:
                raise CommandError(f"There is no event {min(absent)}.")
        if options["into"] and len(events) != 1:
            raise CommandError("--into takes one event.")
        wrong = 0
        for event in events:
            try:
                outcome = replay(event, options["into"])
            except NotEmpty as error:
                raise CommandError(str(error)) from error
            compared = ", ".join(f"{count} {kind}" for kind, count in outcome.compared.items())
            self.stdout.write(f"{event.slug}: {outcome.entries} entries read; compared {compared}")
            self.stdout.write(
                f"  rebuilt {outcome.rebuilt} rows from {outcome.rows_read} written: sha256 {outcome.state}"
            )
            if outcome.brought:
                self.stdout.write(f"  {outcome.brought} records came with an archive")
            for name, digest in outcome.standings.items():
                self.stdout.write(f"  {name}: {digest}")
            for difference in outcome.differences[:50]:
                self.stdout.write(f"  DIFFERENCE {difference}")
            wrong += len(outcome.differences)
        if not (options["slug"] or options["events_only"]):
            faults = [*map(str, breaks(ORGANISATION)), *beside_faults(ORGANISATION)]
            for fault in faults[:50]:
                self.stdout.write(f"  DIFFERENCE {fault}")
            wrong += len(faults)
        if wrong:
            raise CommandError(f"{wrong} difference(s)")
