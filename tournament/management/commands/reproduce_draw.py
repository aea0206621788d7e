"""Draw a round again from what it was made of, and say whether the tables are the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.drawing import formats
from tournament.drawing.spec import spec_from_json
from tournament.models import Draw
from tournament.pairing.model import Drawn
from tournament.services.draws import reproduce


class Command(BaseCommand):
    """``manage.py reproduce_draw DRAW`` or ``manage.py reproduce_draw --file request.json``."""

    help = "Draw again from a kept request (public seed, start numbers) and compare."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add a draw of this installation, or the file from its public page."""
        parser.add_argument("draw", nargs="?", help="id of a draw kept here")
        parser.add_argument("--file", type=Path, help="a request file, from any installation")

    def handle(self, *args: object, **options: Any) -> None:
        """Print the tables; fail when they differ from those of a stored draw."""
        if options["file"]:
            self._show(self._from_file(options["file"]))
            return
        if not options["draw"]:
            raise CommandError("Name a draw, or a file with --file.")
        try:
            candidate = Draw.objects.select_related("round__stage__event").get(pk=options["draw"])
        except (Draw.DoesNotExist, ValidationError) as error:
            raise CommandError(f"There is no draw {options['draw']}.") from error
        drawn, same = reproduce(candidate)
        self._show(drawn)
        if not same:
            raise CommandError("The tables differ from those that were drawn.")
        self.stdout.write("The same tables as were drawn.")

    def _from_file(self, path: Path) -> Drawn:
        try:
            return formats.draw(spec_from_json(json.loads(path.read_text("utf-8")))).drawn
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        except (KeyError, ValueError, TypeError) as error:
            raise CommandError(f"{path} is not the request of a draw: {error}") from error

    def _show(self, drawn: Drawn) -> None:
        for table in drawn.tables:
            seats = "  ".join(f"{seat} {who}" for seat, who in table.seats.items())
            self.stdout.write(f"{table.number}: {seats}")
        if drawn.byes:
            self.stdout.write("sitting out: " + " ".join(map(str, drawn.byes)))
