"""Show or erase what is stored of a person."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.privacy import export_person, forget_person, persons_named
from ledger.actors import Actor


class Command(BaseCommand):
    """``manage.py person find|export|erase WHO``."""

    help = "Find a person by name, export all that is stored of him, or erase it; the audit chains stay valid."

    def add_arguments(self, parser: CommandParser) -> None:
        """What to do, and with whom: a part of the name, or the id."""
        parser.add_argument("act", choices=["find", "export", "erase"])
        parser.add_argument("who")

    def handle(self, *args: Any, **options: Any) -> None:
        """Act on exactly one person; list them where several are meant."""
        found = persons_named(options["who"])
        if not found:
            raise CommandError("There is no such person.")
        if options["act"] == "find" or len(found) > 1:
            for person in found:
                events = ", ".join(person.entries.values_list("event__name", flat=True))
                self.stdout.write(f"{person.pk} {person.name} ({events})")
            if options["act"] != "find":
                raise CommandError("Several persons are meant: name one by his id.")
            return
        if options["act"] == "export":
            self.stdout.write(json.dumps(export_person(found[0]), indent=2, ensure_ascii=False))
            return
        forget_person(person_id=found[0].pk, actor=Actor.system("person"))
        self.stdout.write(f"{found[0].pk} erased.")
