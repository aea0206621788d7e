"""Undo a deletion or an erasure within a week (:mod:`ledger.sealed`)."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.roles import may
from ledger import audit, sealed
from ledger.actors import Actor, ActorKind
from ledger.canonical import JsonObject
from ledger.change import change, raise_version
from ledger.errors import NotAllowed
from ledger.models import ORGANISATION, Sealed
from tournament.models import Entrant, Event, Member, Merger, Person

from .events import free_slug, locked_event

audit.name_verbs("event", restored=_("Deletion of the event undone"))
audit.name_verbs("member", restored=_("Deletion from the register undone"))
audit.name_verbs("person", restored=_("Erasure of personal data undone"))


def may_undo(user: User | AnonymousUser, copy: Sealed) -> bool:
    """Whether an account may undo an act: it manages the event, or deleted the event."""
    if may(user, "organisation.manage", None):
        return True
    if copy.verb == "event.deleted":
        return copy.made_by == str(Actor.user(user.pk))
    return copy.scope != ORGANISATION and may(user, "event.manage", copy.scope)


def can_be_undone(user: User | AnonymousUser, event: Event | None = None) -> list[Sealed]:
    """Return what an account may still undo (in an event), newest first."""
    copies = Sealed.objects.filter(key__isnull=False).defer("content")
    if event is not None:
        copies = copies.filter(scope=event.pk)
    return [copy for copy in copies if may_undo(user, copy)]


@change()
def undo_deletion(*, sealed_id: uuid.UUID, actor: Actor) -> Sealed:
    """Write back what an act deleted or erased; repeating changes nothing.

    An event whose address was taken since gets another one.
    """
    copy = sealed.locked(sealed_id)
    user = User.objects.filter(pk=actor.id).first() if actor.kind == ActorKind.USER else None
    if user is not None and not may_undo(user, copy):
        raise NotAllowed("not_yours_to_undo", _("Only the administrator can undo this."))
    if copy.undone_at is not None:
        return copy
    rows = sealed.opened(copy)
    for event_id in sorted(_events_of(rows)):
        locked_event(event_id)
    for row in rows:
        columns = row["columns"]
        if (
            row["model"] == Event._meta.label
            and Event.objects.filter(slug=columns["slug"]).exists()
        ):
            columns["slug"] = free_slug(columns["name"])
    sealed.put_back(copy, rows)
    _record(rows, actor)
    return copy


def _events_of(rows: list[JsonObject]) -> set[uuid.UUID]:
    """Return the existing events of erased persons."""
    people = [row["key"] for row in rows if row["model"] == Person._meta.label]
    events: set[uuid.UUID] = set()
    for model in (Entrant, Merger):
        for part in ("person", "partner"):
            there = model._base_manager.filter(**{f"{part}__in": people})
            events |= set(there.values_list("event_id", flat=True))
    return events


def _record(rows: list[JsonObject], actor: Actor) -> None:
    """Append the entries of what is back, and renew the pages of the events of a person."""
    for row in rows:
        key, erased = row["key"], "erased_at" in row["columns"] and not row["gone"]
        if row["model"] == Event._meta.label and row["gone"]:
            audit.append(Event.objects.get(pk=key), "event.restored", actor)
        elif row["model"] == Member._meta.label and row["gone"]:
            back = Member.objects.get(pk=key)
            audit.append(back, "member.restored", actor, scope=ORGANISATION)
        elif row["model"] == Person._meta.label and erased:
            for scope in sorted(_events_of([row])):
                audit.append(Person.objects.get(pk=key), "person.restored", actor, scope=scope)
                raise_version(scope)
