"""Small events for the tests, built by the services themselves."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

from django.contrib.auth import get_user_model

from accounts.models import RoleGrant, User
from ledger.actors import Actor
from tournament.demo import story
from tournament.models import Event
from tournament.services.entrants import check_in_all
from tournament.services.events import championship_plan, create_event
from tournament.services.imports import import_players

SYSTEM = Actor.system("test")


def make_user(name: str, event: Event | None = None, role: str = "") -> User:
    """A member of staff, with one role in the event where given."""
    user = get_user_model().objects.create_user(name, password="not-a-secret-1")
    if role and event is not None:
        RoleGrant.objects.create(user=user, scope=event.pk, role=role)
    return user


def make_event(
    players: int = 16, *, present: bool = True, deals: int = 2, cut: int = 8, **more: Any
) -> Event:
    """A championship of ``players``, imported from a file, checked in unless told otherwise."""
    event = create_event(
        actor=SYSTEM,
        name=more.pop("name", "Beker van Oostende"),
        day=date(2026, 11, 21),
        plan=more.pop("plan", championship_plan(deals=deals, cut=cut)),
        public_seed=more.pop("public_seed", "seed"),
        **more,
    )
    if players:
        rows = "\n".join(
            f"{number};{name};{club}"
            for number, (name, club) in enumerate(story.names(players, "test"), start=1)
        )
        import_players(event_id=event.pk, content=f"Nr;Naam;Club\n{rows}\n".encode(), actor=SYSTEM)
        if present:
            check_in_all(event_id=event.pk, actor=SYSTEM)
    return event


def chance(seed: str = "test") -> random.Random:
    """A seeded source of chance for played deals."""
    return random.Random(seed)
