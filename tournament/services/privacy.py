"""A person's data: shown to them, erased for them, and erased by itself after the retention time.

What is stored of a person is :class:`tournament.models.Person` (name, e-mail) and what hangs from
their entries: number, club, seats and results. Erasing empties the first; results, numbers and the
audit chains hold ids only and stay valid. Uploaded files of players are emptied as they are
imported, and here when they never were; printed documents and registrations name players and go with them.
"""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.roles import may
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import NotAllowed
from ledger.models import AuditEntry
from tournament.models import (
    Entrant,
    Event,
    MailConsent,
    Merger,
    Person,
    PlayerFile,
    PrintedDocument,
    Registration,
    RenderedStandings,
    Seat,
)
from tournament.queries.papers import WITH_LINKS
from tournament.queries.search import matching
from tournament.services.entrants import erase_person, forget_notices
from tournament.services.events import locked_event


def export_person(person: Person) -> dict[str, object]:
    """Everything that is stored of a person, as JSON."""
    entries = Entrant.objects.filter(Q(person=person) | Q(partner=person)).select_related(
        "event", "club"
    )
    return {
        "person": str(person.pk),
        "name": person.name,
        "email": person.email,
        "phone": person.phone,
        "erased_at": person.erased_at.isoformat() if person.erased_at else None,
        "entries": [
            {
                "event": entry.event.name,
                "day": entry.event.day.isoformat(),
                "number": entry.number,
                "club": entry.club.name if entry.club else "",
                "family": entry.family,
                "category": entry.category,
                "paid": entry.paid,
                "state": entry.state,
                "devices_told": entry.subscriptions.count(),
                "e_mail": _mail_of(entry),
                "as": "player" if entry.person_id == person.pk else "partner",
                "seats": [
                    {
                        "stage": seat.round.stage.order,
                        "round": seat.round.number,
                        "table": seat.table.number,
                        "seat": seat.position,
                    }
                    for seat in Seat.objects.filter(entrant=entry)
                    .select_related("round__stage", "table")
                    .order_by("round__stage__order", "round__number")
                ],
                "audit_entries": AuditEntry.objects.filter(
                    scope=entry.event_id, object_type="entrant", object_id=str(entry.pk)
                ).count(),
            }
            for entry in entries.order_by("event__day", "number")
        ],
        "merged_numbers": [
            {
                "event": merger.event.name,
                "number": merger.number,
                "name": merger.person.name,
                "email": merger.person.email,
                "phone": merger.person.phone,
            }
            for merger in Merger.objects.filter(
                Q(into__in=entries) | Q(person=person) | Q(partner=person)
            ).select_related("event", "person")
        ],
    }


def _mail_of(entry: Entrant) -> str:
    consent = MailConsent.objects.filter(entrant=entry).first()
    if consent is None:
        return "not wanted"
    return f"refused: {consent.refused}" if consent.refused else "wanted"


def plays_elsewhere(person: Person, event: Event) -> bool:
    """Whether the person is entered in an event besides this one."""
    entries = Entrant.objects.filter(Q(person=person) | Q(partner=person))
    return entries.exclude(event=event).exists()


def require_own(person: Person, event: Event, user: Any) -> None:
    """Refuse to let ``user`` erase a person who is in another event too, unless they administer all."""
    if plays_elsewhere(person, event) and not may(user, "organisation.manage", None):
        raise NotAllowed(
            "plays_elsewhere",
            _("This player is also in another event: only the administrator can erase the data."),
        )


@change()
def forget_person(*, person_id: uuid.UUID, actor: Actor) -> Person:
    """Erase a person, their family mark, and the papers and files of their events that name them."""
    mine = Entrant.objects.filter(Q(person=person_id) | Q(partner=person_id))
    events = sorted(set(mine.values_list("event_id", flat=True)))
    for event_id in events:
        locked_event(event_id)
    person = erase_person(person_id=person_id, actor=actor)
    for merger in Merger.objects.filter(Q(into__in=mine) | Q(person=person_id)):
        _forget_merger(merger, actor)
    mine.update(family="", category="")
    _empty_what_names(events)
    return person


def _forget_merger(merger: Merger, actor: Actor) -> None:
    """Erase who was merged away: the same person under another number, or meant to be."""
    for person in (merger.person, merger.partner):
        if person is not None and not plays_elsewhere(person, merger.event):
            erase_person(person_id=person.pk, actor=actor)
    for part in ("stays", "goes", "became"):
        merger.before[part] |= {"family": "", "category": ""}
    merger.save(update_fields=["before"])


def _empty_what_names(events: list[uuid.UUID]) -> None:
    """Delete what was derived from the records of these events and names people."""
    PrintedDocument.objects.filter(event__in=events).delete()
    PlayerFile.objects.filter(event__in=events).update(content=b"")
    RenderedStandings.objects.filter(stage__event__in=events).delete()
    Registration.objects.filter(event__in=events).delete()


def persons_named(words: str) -> list[Person]:
    """The persons an operator may mean: by id, else by a part of the name."""
    try:
        return list(Person.objects.filter(pk=uuid.UUID(words)))
    except ValueError:
        keys = matching(words, Person.objects.values_list("pk", "name"))
        return list(Person.objects.filter(pk__in=keys[:50]).order_by("name"))


@change()
def forget_event(event: Event, actor: Actor) -> int:
    """Erase everybody who plays in no event but this one (or older ones), and what names them."""
    locked_event(event.pk)
    later = Entrant.objects.filter(event__day__gt=event.day)
    elsewhere = set(later.values_list("person_id", flat=True)) | set(
        later.exclude(partner=None).values_list("partner_id", flat=True)
    )
    mine = Entrant.objects.filter(event=event)
    there = set(mine.values_list("person_id", flat=True)) | set(
        mine.exclude(partner=None).values_list("partner_id", flat=True)
    )
    gone = Person.objects.filter(pk__in=there - elsewhere, erased_at__isnull=True)
    ids = list(gone.order_by("pk").values_list("pk", flat=True))
    for person_id in ids:
        erase_person(person_id=person_id, actor=actor)
    for merger in Merger.objects.filter(event=event):
        _forget_merger(merger, actor)
    mine.filter(Q(person__in=ids) | Q(partner__in=ids)).update(family="", category="")
    forget_notices(mine)
    _empty_what_names([event.pk])
    return len(ids)


def overdue(today: date | None = None) -> list[Event]:
    """The events whose retention time (RETENTION_DAYS after their day) is over; none for 0 days."""
    if settings.RETENTION_DAYS <= 0:
        return []
    last = (today or timezone.localdate()) - timedelta(days=settings.RETENTION_DAYS)
    return list(Event.objects.filter(day__lt=last).order_by("day"))


def erase_overdue() -> int:
    """The workers' timer: once a day, erase what is overdue; returns how many persons it erased.

    Files with links that earlier releases stored go too: they are built at each opening now.
    """
    if not cache.add(f"retention:{timezone.localdate()}", 1, 36 * 3600):
        return 0
    PrintedDocument.objects.filter(kind__in=WITH_LINKS).exclude(content=b"").update(content=b"")
    return sum(forget_event(event, Actor.system("retention")) for event in overdue())
