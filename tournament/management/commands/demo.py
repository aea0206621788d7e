"""Build the demo: a championship of 544 players, two rounds played, the third in play."""

from __future__ import annotations

import io
import random
import time
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.evidence import mark_accounts
from accounts.models import Role
from accounts.roles import grant_role
from ledger.actors import Actor
from ledger.models import ORGANISATION
from tournament.demo import story
from tournament.demo.gallery import GALLERY, build
from tournament.demo.simulation import CARD_BY_CARD, advance
from tournament.models import Event
from tournament.services.entrants import check_in_all
from tournament.services.events import championship_plan, create_event
from tournament.services.imports import import_players
from tournament.services.tables import call_referee

ROLES = {
    "director": Role.DIRECTOR,
    "referee": Role.REFEREE,
    "chief": Role.CHIEF_REFEREE,
    "appeals": Role.APPEALS,
    "scorer": Role.SCOREKEEPER,
}


class Command(BaseCommand):
    """``manage.py demo [--players 544] [--slug wk-demo] [--no-gallery]``."""

    help = "Load the demo event, unless it is there; played card by card, nothing invented."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the size and name of the event."""
        parser.add_argument("--players", type=int, default=544)
        parser.add_argument("--slug", default=story.DEMO_SLUG)
        parser.add_argument("--no-gallery", dest="gallery", action="store_false")
        parser.add_argument("--rounds", type=int, default=2, help="rounds played to their end")

    def handle(self, *args: object, **options: Any) -> None:
        """Create users, event, players; play."""
        if settings.PRODUCTION:
            raise CommandError("The demo has known passwords: it does not run in production mode.")
        if Event.objects.filter(slug=options["slug"]).exists():
            return
        began = time.monotonic()
        self.stdout.write("Building the demo event, once ...")
        users = self._users()
        director = Actor.user(users["director"].pk)
        event = create_event(
            actor=director,
            name="WK Manillen (demo)",
            place="Oostende",
            day=timezone.localdate(),
            language="nl",
            rulebook="belgian",
            slug=options["slug"],
            public_seed="demo-2017",
            plan=championship_plan(),
        )
        for name, role in ROLES.items():
            grant_role(user_id=users[name].pk, role=role, scope=event.pk, actor=director)
        import_players(
            event_id=event.pk,
            content=self._file(options["players"]),
            actor=director,
            as_they_stand=True,
        )
        check_in_all(event_id=event.pk, actor=director)
        chance = random.Random(options["slug"])
        report = self.stdout.write if options["verbosity"] > 1 else lambda _text: None
        for number in range(1, options["rounds"] + 1):
            advance(event, chance, report=report)
            self.stdout.write(f"  round {number} played ({time.monotonic() - began:.0f} s)")
        round_ = advance(event, chance, share=0.55, report=report)
        for number, reason in (
            (CARD_BY_CARD, "Verzaakt in slag 5?"),
            (96, "Twee kaarten tegelijk gevallen"),
        ):
            table = round_.tables.filter(number=number).first() if round_ else None
            if table is not None:
                call_referee(table_id=table.pk, reason=reason, actor=Actor.system("demo"))
        self.stdout.write(
            f"  round {options['rounds'] + 1} in play ({time.monotonic() - began:.0f} s)"
        )
        for piece in GALLERY if options["gallery"] else ():
            small = build(piece, director, timezone.localdate())
            for name, role in ROLES.items():
                grant_role(user_id=users[name].pk, role=role, scope=small.pk, actor=director)
            self.stdout.write(f"  {small.name} ({time.monotonic() - began:.0f} s)")

    def _users(self) -> dict[str, Any]:
        model = get_user_model()
        users = {}
        for name, _role in story.DEMO_USERS:
            user = model.objects.filter(username=name).first()
            users[name] = user or model.objects.create_user(name, password=story.DEMO_PASSWORD)
        grant_role(
            user_id=users["admin"].pk,
            role=Role.ADMIN,
            scope=ORGANISATION,
            actor=Actor.system("demo"),
        )
        mark_accounts()
        return users

    def _file(self, players: int) -> bytes:
        """Return the players as a file from a federation."""
        out = io.StringIO()
        out.write("Nr;Naam;Club\n")
        for number, (name, club) in enumerate(story.names(players, "demo"), start=1):
            out.write(f"{number};{name};{club}\n")
        return out.getvalue().encode()
