"""Count the random events of the independent checker, and compare with its counting."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.ranking.reading import differences


class Command(BaseCommand):
    """``manage.py recount FILE ...``, each written by ``manille_check.py --generate``; ``-`` reads standard input."""

    help = "Count random events of manille_check.py --generate, and compare with its counting."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files."""
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *args: object, **options: Any) -> None:
        """Print one line for each event; fail when one is counted differently."""
        wrong = 0
        for name in options["files"]:
            try:
                example = json.loads(sys.stdin.read() if name == "-" else Path(name).read_text())
                faults = list(differences(example))
            except (OSError, LookupError, TypeError, ValueError) as error:
                raise CommandError(f"{name} is not a random event: {error}") from error
            wrong += bool(faults)
            for each in faults:
                self.stderr.write(f"{name}: {each} is counted differently")
            if not faults:
                self.stdout.write(f"{name}: {len(example['stages'])} stages, no difference")
        if wrong:
            raise CommandError(f"{wrong} events are counted differently.")
