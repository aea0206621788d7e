"""Small events for the tests, built through the services."""

from __future__ import annotations

import random
import uuid
from copy import copy
from datetime import date
from typing import Any

from accounts import roles, staff
from accounts.models import User
from ledger.actors import Actor
from ledger.jobs import work_on
from ledger.models import ORGANISATION
from tournament.demo import story
from tournament.models import Event, PrintedDocument, Stage
from tournament.services.documents import request_document
from tournament.services.entrants import check_in_all
from tournament.services.events import championship_plan, create_event
from tournament.services.imports import import_players

SYSTEM = Actor.system("test")
PASSWORD = "not-a-secret-1"


def make_user(
    name: str, event: Event | None = None, role: str = "", *, password: str = PASSWORD
) -> User:
    """Create a member of staff, with one role in the event where given."""
    user, _shown_once = staff.create_account(name=name, actor=SYSTEM)
    user = staff.change_password(user_id=user.pk, password=password, actor=Actor.user(user.pk))
    if role and event is not None:
        grant(user, role, event.pk)
    return user


def grant(user: User, role: str, scope: uuid.UUID = ORGANISATION) -> None:
    """Give a role in the event ``scope``, or the administrator's in the organisation."""
    roles.grant_role(user_id=user.pk, role=role, scope=scope, actor=SYSTEM)


def make_event(
    players: int = 16, *, present: bool = True, deals: int = 2, cut: int = 8, **more: Any
) -> Event:
    """Create a championship of ``players`` imported from a file, checked in unless ``present`` is false."""
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


def varied(stage: Stage, **columns: Any) -> Stage:
    """Return a copy of the plan's stage with other columns."""
    other = copy(stage)
    for name, value in columns.items():
        setattr(other, name, value)
    return other


def make_document(
    event: Event, kind: str = "standings", parameters: dict[str, str] | None = None
) -> PrintedDocument:
    """Return a document of the event, requested as at the desk and built by a worker."""
    job = request_document(
        event_id=event.pk,
        kind=kind,
        language="nl",
        paper="a4",
        parameters=parameters or {},
        actor=SYSTEM,
    )
    work_on(str(job.pk))
    job.refresh_from_db()
    return PrintedDocument.objects.get(pk=job.result["document"])


def chance(seed: str = "test") -> random.Random:
    """Return a seeded random generator for played deals."""
    return random.Random(seed)
