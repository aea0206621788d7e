"""The links of the tables of the round in play, as printed on the slips."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from tournament.models import Event, Table
from tournament.queries.rounds import current_round
from tournament.tables.links import table_token


class Command(BaseCommand):
    """``manage.py table_links SLUG``."""

    help = "Print table number and link of every table of the current round (anyone who reads it may write there)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the event."""
        parser.add_argument("slug")

    def handle(self, *args: object, **options: Any) -> None:
        """Print one line a table."""
        event = Event.objects.filter(slug=options["slug"]).first()
        now = current_round(event) if event else None
        if now is None:
            raise CommandError("No round of such an event is published.")
        for table in Table.objects.filter(round=now):
            link = reverse("table", args=[table_token(table)])
            self.stdout.write(f"{table.number} {settings.PUBLIC_URL}{link}")
