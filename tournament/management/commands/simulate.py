"""Play an event on: finish the round in play, or draw and play the next ones."""

from __future__ import annotations

import random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.demo.simulation import NotDrawn, advance
from tournament.models import Event


class Command(BaseCommand):
    """``manage.py simulate SLUG [--rounds 1] [--share 1.0] [--seed TEXT]``."""

    help = "Play an event on with deals played card by card."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the event, the number of rounds and the share of the last round to play."""
        parser.add_argument("slug")
        parser.add_argument("--rounds", type=int, default=1)
        parser.add_argument(
            "--share", type=float, default=1.0, help="share of the tables that finish"
        )
        parser.add_argument("--seed", default="simulate")

    def handle(self, *args: object, **options: Any) -> None:
        """Advance round by round; stop at the end of the event."""
        event = Event.objects.filter(slug=options["slug"]).first()
        if event is None:
            raise CommandError(f"There is no event {options['slug']}.")
        chance = random.Random(options["seed"])
        for _number in range(options["rounds"]):
            try:
                played = advance(event, chance, share=options["share"], report=self.stdout.write)
            except NotDrawn as error:
                raise CommandError(str(error)) from error
            if played is None:
                self.stdout.write("The event is played out.")
                return
            self.stdout.write(f"{played.stage.name}, round {played.number}: {played.state}")
