"""A person's data: shown to them, erased for them, and erased by itself after the retention time.

What is stored of a person is :class:`tournament.models.Person` (name, e-mail) and what hangs from
their entries: number, club, seats and results. Erasing empties the first, with a way back for a week
(:mod:`ledger.sealed`); results, numbers and the audit chains hold ids only and stay valid. Uploaded files of players are emptied as they are
imported, and here when they never were; printed documents and registrations name players and go with them.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import Annotated, Final, Literal

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db.models import Max, Model, Q, QuerySet
from django.utils import timezone
from django.utils.timezone import make_aware
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.roles import may
from ledger.actors import Actor, ActorKind
from ledger.change import change
from ledger.errors import NotAllowed, NotHere
from ledger.models import ORGANISATION, AuditEntry
from ledger.sealed import below, sealing
from ledger.ticks import uneven_since
from ledger.verbs import Says, verb
from tournament.models import (
    Entrant,
    Event,
    EventState,
    Merger,
    Notice,
    Person,
    PlayerFile,
    PrintedDocument,
    Registration,
    RenderedStandings,
)
from tournament.models.columns import FREE_TEXT
from tournament.queries.papers import WITH_LINKS
from tournament.queries.search import matching
from tournament.services.entrants import erase_person, forget_notices
from tournament.services.events import locked_event

log = structlog.get_logger(__name__)
WAIT: Final = timedelta(days=30)
"""Time for which an erasure is announced, and for which the clock must run evenly after a jump."""

_NO_WORDS: Final = dict.fromkeys(FREE_TEXT, "")


def plays_elsewhere(person: Person, event: Event) -> bool:
    """Whether the person is entered in an event besides this one."""
    entries = Entrant.objects.filter(Q(person=person) | Q(partner=person))
    return entries.exclude(event=event).exists()


@verb(
    "entrants_erase",
    Entrant,
    "event.manage",
    at="data/",
    method="DELETE",
    done=_("Name and e-mail address are erased. For a week this can be undone."),
)
def forget_player(
    *,
    entrant_id: int,
    actor: Actor,
    who: Annotated[Literal["", "partner"], Says("The second of a pair.")] = "",
) -> None:
    """Erase name and address; the results stay under their number. For a week it can be undone."""
    entrant = Entrant.objects.select_related("person", "partner", "event").get(pk=entrant_id)
    person = entrant.partner if who == "partner" else entrant.person
    if person is None:
        raise NotHere("no_such_player", _("No such player in this event."))
    user = User.objects.filter(pk=actor.id).first() if actor.kind == ActorKind.USER else None
    administers = user is not None and may(user, "organisation.manage", None)
    if plays_elsewhere(person, entrant.event) and not administers:
        raise NotAllowed(
            "plays_elsewhere",
            _("This player is also in another event: only the administrator can erase the data."),
        )
    forget_person(person_id=person.pk, actor=actor)


@change()
def forget_person(*, person_id: uuid.UUID, actor: Actor) -> Person:
    """Erase a person, their family mark, and the papers and files of their events that name them."""
    mine = Entrant.objects.filter(Q(person=person_id) | Q(partner=person_id))
    events = sorted(set(mine.values_list("event_id", flat=True)))
    for event_id in events:
        locked_event(event_id)
    person = Person.objects.select_for_update(no_key=True).get(pk=person_id)
    mergers = list(Merger.objects.filter(Q(into__in=mine) | Q(person=person_id)))
    merged = {pk for each in mergers for pk in (each.person_id, each.partner_id) if pk}
    with sealing(
        "person.erased",
        person,
        actor,
        scope=events[0] if len(events) == 1 else ORGANISATION,
        rows=_touched([person, *Person.objects.filter(pk__in=merged)], events),
        label=", ".join(
            f"{name}: {number}" for name, number in mine.values_list("event__name", "number")
        ),
    ):
        person = erase_person(person_id=person_id, actor=actor)
        for merger in mergers:
            _forget_merger(merger, actor)
        mine.update(**_NO_WORDS)
        _empty_what_names(events)
    return person


def _touched(people: list[Person], events: list[uuid.UUID]) -> list[Model]:
    """Return the rows that the erasure of people may empty or delete, except papers and lists made from them."""
    rows: list[Model] = [*people, *Registration.objects.filter(event__in=events)]
    rows += PlayerFile.objects.filter(event__in=events)
    return below(rows, depth=2, without=(Notice, PrintedDocument, RenderedStandings))


def _forget_merger(merger: Merger, actor: Actor) -> None:
    """Erase the merged player: the same person under another number, or believed to be."""
    for person in (merger.person, merger.partner):
        if person is not None and not plays_elsewhere(person, merger.event):
            erase_person(person_id=person.pk, actor=actor)
    for part in ("stays", "goes", "became"):
        merger.before[part] |= _NO_WORDS
    merger.save(update_fields=["before"])


def _empty_what_names(events: list[uuid.UUID]) -> None:
    """Delete what was derived from the records of these events and names people."""
    PrintedDocument.objects.filter(event__in=events).delete()
    PlayerFile.objects.filter(event__in=events).update(content=b"")
    RenderedStandings.objects.filter(stage__event__in=events).delete()
    Registration.objects.filter(event__in=events).delete()


def persons_named(words: str) -> list[Person]:
    """Find persons for an operator: by id, else by a part of the name."""
    try:
        return list(Person.objects.filter(pk=uuid.UUID(words)))
    except ValueError:
        keys = matching(words, Person.objects.values_list("pk", "name"))
        return list(Person.objects.filter(pk__in=keys[:50]).order_by("name"))


def ended_at(event: Event) -> datetime | None:
    """When a finished event ended, by its journal; ``None`` for one that is not finished.

    It is the latest moment of the journal up to where the event was finished or, here, taken up from an
    archive: a day that was mistyped and a clock that was wrong for an hour decide nothing.
    """
    journal = AuditEntry.objects.filter(scope=event.pk)
    last = journal.filter(verb__in=("event.finished", "event.taken_up")).aggregate(
        last=Max("sequence")
    )["last"]
    if event.state != EventState.FINISHED or last is None:
        return None
    ended: datetime = journal.filter(sequence__lte=last).aggregate(at=Max("at"))["at"]
    return ended


@change()
def forget_event(event: Event, actor: Actor) -> int:
    """Erase all people of a finished event who are not in a later or running event."""
    event = locked_event(event.pk)
    ended = ended_at(event)
    if ended is None:
        return 0
    mine = Entrant.objects.filter(event=event)
    there = _persons(mine)
    also = Entrant.objects.filter(Q(person__in=there) | Q(partner__in=there)).exclude(event=event)
    later = [
        other.pk
        for other in Event.objects.filter(pk__in=also.values("event"))
        if (ended_at(other) or timezone.now()) > ended
    ]
    elsewhere = _persons(also.filter(event__in=later))
    gone = Person.objects.filter(pk__in=there - elsewhere, erased_at__isnull=True)
    ids = list(gone.order_by("pk").values_list("pk", flat=True))
    merged = _persons(Merger.objects.filter(event=event))
    people = list(Person.objects.filter(pk__in={*there, *merged}).order_by("pk"))
    rows = _touched(people, [event.pk])
    with sealing("person.erased", event, actor, scope=event.pk, rows=rows, label=event.name):
        for person_id in ids:
            erase_person(person_id=person_id, actor=actor)
        for merger in Merger.objects.filter(event=event):
            _forget_merger(merger, actor)
        mine.filter(Q(person__in=ids) | Q(partner__in=ids)).update(**_NO_WORDS)
        forget_notices(mine)
        _empty_what_names([event.pk])
    return len(ids)


def _persons(entries: QuerySet[Entrant] | QuerySet[Merger]) -> set[uuid.UUID]:
    """Return all people of these entrants or mergers, partners included."""
    return {pk for pair in entries.values_list("person", "partner") for pk in pair if pk}


def overdue() -> list[Event]:
    """Return the finished events past their retention time, by their day and their end; none for 0 days."""
    if settings.RETENTION_DAYS <= 0:
        return []
    retention = timedelta(days=settings.RETENTION_DAYS)
    last = timezone.now() - retention
    old = Event.objects.filter(
        state=EventState.FINISHED, day__lt=timezone.localdate() - retention
    ).order_by("day")
    return [event for event in old if (ended := ended_at(event)) is not None and ended < last]


def announced(events: Iterable[Event]) -> list[tuple[Event, datetime]]:
    """Return the events whose players will be erased within :data:`WAIT`, with that time, the soonest first."""
    if settings.RETENTION_DAYS <= 0:
        return []
    retention = timedelta(days=settings.RETENTION_DAYS)
    now = timezone.now()
    latest = timezone.localdate() - retention + WAIT
    soon = []
    for event in events:
        ended = ended_at(event) if event.day < latest else None
        if ended is not None:
            midnight = make_aware(datetime.combine(event.day, time())) + timedelta(days=1)
            erased_at = max(ended, midnight) + retention
            if now <= erased_at < now + WAIT:
                soon.append((event, erased_at))
    return sorted(soon, key=lambda each: each[1])


def not_finished() -> list[Event]:
    """Return events that are overdue by their day but were never finished, so that their names remain."""
    if settings.RETENTION_DAYS <= 0:
        return []
    last = timezone.localdate() - timedelta(days=settings.RETENTION_DAYS)
    return list(
        Event.objects.filter(day__lt=last).exclude(state=EventState.FINISHED).order_by("day")
    )


def waits_until() -> datetime | None:
    """Until when nothing is erased because the clock jumped; ``None`` where it runs evenly.

    Between two looks a tenth of the retention time may pass (a machine that is on one evening a month).
    """
    gap = max(timedelta(days=settings.RETENTION_DAYS) / 10, timedelta(days=2))
    uneven = uneven_since("retention", gap=gap)
    if uneven is None or timezone.now() >= uneven + WAIT:
        return None
    return uneven + WAIT


def erase_overdue() -> int:
    """Erase overdue data once a day (timer); return the number of persons erased.

    Files with links that earlier releases stored go too: they are built at each opening now.
    """
    if not cache.add(f"retention:{timezone.localdate()}", 1, 36 * 3600):
        return 0
    PrintedDocument.objects.filter(kind__in=WITH_LINKS).exclude(content=b"").update(content=b"")
    waits = waits_until()
    if waits is not None:
        log.warning("retention_waits", until=waits.isoformat())
        return 0
    return sum(forget_event(event, Actor.system("retention")) for event in overdue())
