"""Show or erase what is stored of a person; make an administrator of the installation."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.staff import restore_administrator
from ledger.actors import Actor
from ledger.errors import Refused
from tournament.api.person_data import export_person
from tournament.services.privacy import forget_person, persons_named


class Command(BaseCommand):
    """``manage.py person find|export|erase WHO``, ``manage.py person --administrator NAME``."""

    help = (
        "Find a person by name, export all that is stored of them, or erase it; the audit chains "
        "stay valid. With --administrator: give NAME an administrator's account and a new password."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the action and its person: part of the name, or the id."""
        parser.add_argument("act", nargs="?", choices=["find", "export", "erase"])
        parser.add_argument("who", nargs="?")
        parser.add_argument(
            "--administrator",
            metavar="NAME",
            help="make this account, or take it up again, as administrator with a new password",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Act on exactly one person; list them where several are meant."""
        if options["administrator"]:
            self._restore(options["administrator"])
            return
        if not options["act"] or not options["who"]:
            raise CommandError("Say find, export or erase, and whom; or --administrator NAME.")
        persons = persons_named(options["who"])
        if not persons:
            raise CommandError("There is no such person.")
        if options["act"] == "find" or len(persons) > 1:
            for person in persons:
                events = ", ".join(person.entries.values_list("event__name", flat=True))
                self.stdout.write(f"{person.pk} {person.name} ({events})")
            if options["act"] != "find":
                raise CommandError("Several persons are meant: name one by the id.")
            return
        if options["act"] == "export":
            self.stdout.write(json.dumps(export_person(persons[0]), indent=2, ensure_ascii=False))
            return
        forget_person(person_id=persons[0].pk, actor=Actor.system("person"))
        self.stdout.write(f"{persons[0].pk} erased.")

    def _restore(self, name: str) -> None:
        try:
            user, password = restore_administrator(name=name, actor=Actor.system("person"))
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"{user.username} administers this installation; the password, to be changed at the "
            f"first sign-in: {password}"
        )
