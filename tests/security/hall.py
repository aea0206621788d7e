"""Two events with one of everything, and the address of every route in the first or the second.

``a_hall`` builds them through the services; ``Hall.values`` are the ids that fill an address
pattern, ``Hall.fill`` writes the address of a route.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any, Final

from django.utils import timezone

from accounts.models import Role, User
from adjudication.models import Appeal
from adjudication.services import appeals, incidents, rulings
from ledger.actors import Actor
from ledger.models import Job
from tests.adjudication.build import enter, incident_at, sheet_at, stating
from tests.tournament.build import SYSTEM, chance, grant, make_document, make_event, make_user
from tournament.demo.simulation import draw_and_publish, play_round
from tournament.models import Draw, Event, PrintedDocument, Round
from tournament.models.tables import RefereeCall, Sheet
from tournament.services import imports, rounds, tables
from tournament.services.entrant_edits import correct_entrant
from tournament.tables.links import entrant_token, table_token

REFEREE: Final = Actor.user(900001)
REVOKE: Final = {"offender": "N", "trick": 3, "noticed": "after_deal"}
PARAMETER: Final = re.compile(r"<(?:(\w+):)?(\w+)>")


@dataclass
class Hall:
    """An event in the middle of its second round, with all its dependent objects."""

    event: Event
    round_: Round
    sheet: Sheet
    incident: int
    ruling: int
    appeal: Appeal
    call: RefereeCall
    draw: Draw
    job: Job
    document: PrintedDocument
    staff: dict[str, User] = field(default_factory=dict)

    @property
    def table_token(self) -> str:
        """Return the token of the sheet's table."""
        return table_token(self.sheet.table)

    @property
    def player_token(self) -> str:
        """Return the personal token of a player of the sheet's table."""
        seat = self.round_.tables.get(number=1).seats.select_related("entrant__event").first()
        return entrant_token(seat.entrant) if seat else ""

    @cached_property
    def ids(self) -> dict[str, str]:
        """Return the URL parameters of this event by name, without the link tokens."""
        ruling = self.appeal.ruling
        return {
            "slug": self.event.slug,
            "round_id": str(self.round_.pk),
            "draw_id": str(self.draw.pk),
            "other": str(self.draw.pk),
            "sheet_id": str(self.sheet.pk),
            "job_id": str(self.job.pk),
            "document_id": str(self.document.pk),
            "appeal_id": str(self.appeal.pk),
            "call_id": str(self.call.pk),
            "ruling_id": str(ruling.pk),
            "table_id": str(self.round_.tables.get(number=1).pk),
            "entrant_id": str(self.event.entrants.get(number=1).pk),
            "stage_id": str(self.round_.stage_id),
            "number": "1",
            "order": "1",
            "stage": "1",
            "table": "1",
            "ban": "1",
            "name": "000-P1",
            "kind": "players",
            "format": "csv",
            "call": "score",
            "verb": "extend",
        }

    def values(self) -> dict[str, str]:
        """Return all URL parameters of this event."""
        return {**self.ids, "token": self.table_token, "player_token": self.player_token}

    def fill(self, pattern: str, **other: Any) -> str:
        """Return the address of a pattern; ``/p/`` takes the player's token, other patterns the table's."""
        values = dict(self.values() if "token>" in pattern else self.ids)
        values |= {name: str(value) for name, value in other.items()}
        if pattern.startswith("p/"):
            values["token"] = values["player_token"]

        def one(found: re.Match[str]) -> str:
            kind, name = found.group(1), found.group(2)
            if name in values:
                return values[name]
            return {"uuid": str(uuid.UUID(int=1)), "int": "1"}.get(kind or "", "x")

        return "/" + PARAMETER.sub(one, pattern)


def an_event_in_play(name: str) -> Hall:
    """Create an event: round 1 closed, round 2 in play with an incident, a ruling, an appeal and a call."""
    event = make_event(8, deals=2, cut=4, name=name, rulebook="parlee")
    stage = event.stages.get(order=1)
    first = draw_and_publish(stage.rounds.get(number=1), SYSTEM)
    play_round(first, chance())
    rounds.close_round(round_id=first.pk, actor=SYSTEM)
    round_ = draw_and_publish(stage.rounds.get(number=2), SYSTEM)
    sheet = enter(sheet_at(round_), 40)
    incident = incident_at(event, round_)
    ruling = stating(
        rulings.issue,
        incident_id=incident.pk,
        actor=REFEREE,
        reason="seen",
        article="000-P1",
        facts=REVOKE,
    )
    appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=REFEREE)
    second = sheet_at(round_, table=2)
    tables.call_referee(
        table_id=second.table_id, sheet_id=second.pk, reason="renonce", actor=SYSTEM
    )
    call = RefereeCall.objects.get(table=second.table)
    incidents.open_incident(
        event_id=event.pk,
        table_id=round_.tables.get(number=2).pk,
        description="talk",
        actor=REFEREE,
        game=1,
        deal=None,
    )
    job = Job.objects.filter(scope=event.pk).order_by("created_at").first()
    document = make_document(event)
    imports.keep_file(event_id=event.pk, file=b"Naam\nJan\n", actor=SYSTEM)
    draw = round_.draws.order_by("-number").first()
    if job is None or draw is None:
        raise AssertionError("the hall has no job or draw")
    sheet.refresh_from_db()
    return Hall(event, round_, sheet, 1, ruling.number, appeal, call, draw, job, document)


def call_names(event: Event, names: Sequence[str]) -> None:
    """Rename players and their clubs to these names, as many as there are."""
    for entrant, name in zip(event.entrants.order_by("number"), names, strict=False):
        correct_entrant(
            entrant_id=event.entrants.get(number=entrant.number).pk,
            actor=SYSTEM,
            changes={"name": name, "club": name},
        )


def with_staff(hall: Hall, prefix: str = "") -> Hall:
    """Create one member of staff for every role; the administrator's role is for the organisation."""
    for role in Role.values:
        user = make_user(f"{prefix}{role}", hall.event, "" if role == Role.ADMIN else role)
        if role == Role.ADMIN:
            grant(user, role)
        hall.staff[role] = user
    return hall


def soon() -> str:
    """Return a moment in the near future in a form's notation."""
    return (timezone.now() + timedelta(minutes=20)).isoformat()
