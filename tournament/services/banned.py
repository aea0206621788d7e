"""Bans in force on people who enter or arrive: asked about, and admitted with a reason only."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.roles import may
from ledger.actors import Actor, ActorKind
from ledger.errors import Conflict
from ledger.verbs import Says
from tournament.models import Entrant
from tournament.signals import answers, banned_admitted, bans_requested

Admits = Annotated[
    str, Says("The reason to admit them although a suspension is in force on their name.")
]


class Coming(NamedTuple):
    """A person who enters or arrives; ``entrant``: their entry, if it exists."""

    name: str
    member: uuid.UUID | None = None
    entrant: int | None = None


@dataclass(frozen=True, slots=True)
class Banned:
    """A ban in force that may be on a person who comes.

    ``place``: index of the person; ``name`` on the ban; ``same``: whether it is exactly that name or
    member, else the nearest one.
    """

    place: int
    sanction: uuid.UUID
    name: str
    until: date
    same: bool

    @property
    def question(self) -> str:
        """The question to the director."""
        text = (
            _("A suspension until %(until)s is in force for a player of this name: %(name)s.")
            if self.same
            else _(
                "A suspension until %(until)s is in force for a player of a similar name: %(name)s."
            )
        )
        until = date_format(self.until, "SHORT_DATE_FORMAT")
        return str(text % {"until": until, "name": self.name})


class Sanctioned(NamedTuple):
    """An entry of the discipline register about a person, as they are given it."""

    kind: str
    article: str
    reason: str
    since: date
    until: date | None
    lifted: str


def people_of(entrant: Entrant) -> list[Coming]:
    """Return the persons of an entry."""
    both = filter(None, (entrant.person, entrant.partner))
    return [Coming(person.name, person.member_id, entrant.pk) for person in both]


def bans_on(people: Iterable[Coming]) -> list[Banned]:
    """Return the bans in force on people who were not admitted, in their order."""
    coming = list(people)
    bans = [ban for listed in answers(bans_requested, people=coming) for ban in listed]
    return sorted(bans, key=lambda ban: ban.place)


def may_read_bans(actor: Actor, event_id: uuid.UUID) -> bool:
    """Whether an actor may read the discipline register in an event."""
    if actor.kind != ActorKind.USER:
        return actor.kind == ActorKind.SYSTEM and actor.id != "door"
    user = User.objects.filter(pk=actor.id).first()
    return user is not None and may(user, "discipline.read", event_id)


def require_admitted(
    people: Iterable[Coming], despite: str, actor: Actor, event_id: uuid.UUID
) -> list[Banned]:
    """Return the bans on people who come; refuse them without a reason ``despite`` it.

    Callers without the right to read bans learn only that the director decides.
    """
    bans = bans_on(people)
    if not bans:
        return []
    if not may_read_bans(actor, event_id):
        raise Conflict("director_decides", _("The director decides whether this player may play."))
    if not despite.strip():
        questions = " ".join(dict.fromkeys(ban.question for ban in bans))
        raise Conflict(
            "ban_in_force",
            _("%(questions)s Do not enter them, or enter them all the same with a reason."),
            field="despite",
            params={"questions": questions},
        )
    return bans


def admit(entrant: Entrant, bans: Iterable[Banned], despite: str, actor: Actor) -> None:
    """Record that an entrant plays although bans are in force on their name."""
    keys = list(dict.fromkeys(ban.sanction for ban in bans))
    if keys:
        banned_admitted.send(
            sender=None, entrant=entrant, bans=keys, reason=despite.strip()[:300], actor=actor
        )
