"""The discipline register: bans on a name, also under another spelling, and the entries of an event."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet
from django.utils import timezone

from adjudication.models import Admission, Sanction, SanctionKind
from adjudication.queries.shown import actor_names
from tournament.lists.names import is_near, name_key
from tournament.models import Event, Person
from tournament.services.banned import Banned, Coming, Sanctioned


def register() -> QuerySet[Sanction]:
    """Return the entries of the register with the rows that they name."""
    return Sanction.objects.select_related("person", "member", "ruling__event")


def bans_in_force() -> QuerySet[Sanction]:
    """Return the bans in force today."""
    return register().filter(
        kind=SanctionKind.BAN, lifted_at__isnull=True, until__gte=timezone.localdate()
    )


def bans_on_people(people: Sequence[Coming]) -> list[Banned]:
    """Return the bans in force on the people's names or members, except where they were admitted."""
    bans = [(ban, name_key(ban.name)) for ban in bans_in_force()]
    if not bans:
        return []
    entrants = [each.entrant for each in people if each.entrant is not None]
    admitted = set(
        Admission.objects.filter(entrant__in=entrants).values_list("entrant", "sanction")
    )
    bans_here = []
    for place, each in enumerate(people):
        key = name_key(each.name)
        for ban, banned in bans:
            if (each.entrant, ban.pk) in admitted:
                continue
            same = key == banned or (each.member is not None and each.member == ban.member_id)
            if ban.until is not None and key and banned and (same or is_near(each.name, ban.name)):
                bans_here.append(Banned(place, ban.pk, ban.name, ban.until, same))
    return bans_here


@dataclass(frozen=True, slots=True)
class SanctionShown:
    """An entry of the register for referees and directors; ``own``: from a ruling of this event."""

    id: uuid.UUID
    name: str
    kind: str
    kind_label: str
    article: str
    reason: str
    since: date
    until: date | None
    in_force: bool
    by: str
    lifted: str
    own: bool
    ruling: int | None


def shown(rows: Sequence[Sanction], event: Event | None) -> list[SanctionShown]:
    """Return entries in words."""
    names = actor_names(row.made_by for row in rows)
    return [
        SanctionShown(
            id=row.pk,
            name=row.name,
            kind=row.kind,
            kind_label=str(SanctionKind(row.kind).label),
            article=row.article,
            reason=row.reason,
            since=row.since,
            until=row.until,
            in_force=row.in_force,
            by=names.get(row.made_by, ""),
            lifted=row.lifted_reason,
            own=(
                own := row.ruling is not None
                and event is not None
                and row.ruling.event_id == event.pk
            ),
            ruling=row.ruling.number if own and row.ruling is not None else None,
        )
        for row in rows
    ]


def sanctions_on(person: Person) -> list[Sanctioned]:
    """Return the entries about a person, or about the member of the register that they are."""
    own = Q(person=person)
    if person.member_id is not None:
        own |= Q(member=person.member_id)
    return [
        Sanctioned(row.kind, row.article, row.reason, row.since, row.until, row.lifted_reason)
        for row in register().filter(own).order_by("since", "made_at")
    ]


def sanctions_of(event: Event) -> list[SanctionShown]:
    """Return the entries from the event's rulings, and those in force on the names of its players."""
    rows = list(register())
    there = {
        name_key(name)
        for pair in event.entrants.values_list("person__name", "partner__name")
        for name in pair
        if name
    }
    people = set(event.entrants.values_list("person", flat=True)) | set(
        event.entrants.values_list("partner", flat=True)
    )
    concerned = [
        row
        for row in rows
        if (row.ruling is not None and row.ruling.event_id == event.pk)
        or row.person_id in people
        or (row.in_force and name_key(row.name) in there)
    ]
    return shown(concerned, event)


def whole_register() -> list[SanctionShown]:
    """Return every entry, newest first, for the organisation."""
    return shown(list(register()), None)


def sanction_in(event: Event, sanction_id: uuid.UUID) -> Sanction | None:
    """Return an entry from a ruling of the event; ``None`` if there is none."""
    return register().filter(Q(ruling__event=event), pk=sanction_id).first()
