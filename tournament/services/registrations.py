"""Players who register themselves on the event's public page; staff enter them or refuse."""

from __future__ import annotations

import uuid
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, Refused
from ledger.verbs import verb
from tournament.lists.words import plain
from tournament.models import (
    Entrant,
    EntrantState,
    Event,
    EventState,
    MailConsent,
    Registration,
    RegistrationState,
)
from tournament.models.players import BY_KEY
from tournament.services.banned import Admits

from . import mail, notices
from .consents import take_over
from .entrants import enter_player
from .events import locked_event
from .held import require_valid

audit.name_verbs("registration", refused=_("Registration refused"))

FIELDS: Final = tuple(
    each.name
    for each in Registration._meta.concrete_fields
    if each.name in BY_KEY and each.name != "state"
)
"""Columns of a registration about a player."""
MOST_ASKED: Final = 1000
"""Registrations of an event that may wait for an answer: a bound against floods."""
MOST_MAILED: Final = 10
"""Those with one e-mail address that are sent a receipt: it may be of somebody who knows nothing of it."""
OPEN: Final = (RegistrationState.ASKED, RegistrationState.WAITING)


def is_open(event: Event) -> bool:
    """Whether the public page takes registrations now."""
    return (
        event.registration
        and event.state != EventState.FINISHED
        and (event.registration_until is None or timezone.now() < event.registration_until)
    )


def places_left(event: Event) -> int | None:
    """Count the free places, minus unanswered registrations; ``None`` without a limit."""
    if event.places is None:
        return None
    gone = (EntrantState.MERGED, EntrantState.WITHDRAWN)
    taken = event.entrants.exclude(state__in=gone).count()
    unanswered = event.registrations.filter(state=RegistrationState.ASKED).count()
    return max(0, event.places - taken - unanswered)


def places_for_newcomers(event: Event) -> int | None:
    """Count the free places beyond the waiting list; ``None`` without a limit."""
    left = places_left(event)
    waiting = event.registrations.filter(state=RegistrationState.WAITING).count()
    return None if left is None else max(0, left - waiting)


def pending(event: Event) -> list[Registration]:
    """Return the registrations that wait for an answer, oldest first, the waiting list last."""
    return list(event.registrations.filter(state__in=OPEN).order_by("state", "created_at"))


@change()
def register(
    *,
    event_id: uuid.UUID,
    mail_in: str = "",
    **given: str,
) -> Registration:
    """Register on the public page: to be confirmed, or on the waiting list once the places are taken.

    ``given``: what they say of themselves, by the names of :data:`FIELDS`. ``mail_in``: the language in which they want e-mail, a receipt first; empty: none.
    Raises :class:`Conflict` where registration is closed, :class:`Refused` with the field that must
    change.
    """
    event = locked_event(event_id)
    if not is_open(event):
        raise Conflict("registration_closed", _("Registration is closed."))
    if event.registrations.filter(state__in=OPEN).count() >= MOST_ASKED:
        raise Conflict(
            "registration_full", _("Too many registrations are waiting: ask at the desk.")
        )
    left = places_for_newcomers(event)
    registration = Registration(
        event=event,
        **{name: plain(text) for name, text in given.items()},
        state=RegistrationState.WAITING if left == 0 else RegistrationState.ASKED,
    )
    if not registration.name:
        raise Refused("name_missing", _("Enter the player’s name."), field="name")
    require_valid(registration, FIELDS)
    if mail_in and not registration.email:
        raise Refused("email_missing", _("Enter your e-mail address."), field="email")
    if mail_in and _mailed(event, registration.email) >= MOST_MAILED:
        raise Refused(
            "registration_full",
            _("Too many registrations are waiting: ask at the desk."),
            field="email",
        )
    registration.save()
    if mail_in and mail.is_offered():
        consent = MailConsent.objects.create(registration=registration, language=mail_in)
        notices.tell_receipt(consent, event)
    return registration


def _mailed(event: Event, email: str) -> int:
    """Count the waiting registrations with a receipt at this address."""
    return MailConsent.objects.filter(
        registration__event=event, registration__email__iexact=email
    ).count()


def _answered(registration_id: uuid.UUID) -> Registration:
    known = Registration.objects.filter(pk=registration_id)
    locked_event(known.values_list("event", flat=True).get())
    registration = known.select_for_update(no_key=True).get()
    if registration.state not in OPEN:
        raise Conflict("already_answered", _("This registration has already been answered."))
    return registration


def _empty(answered: Registration, state: RegistrationState) -> None:
    """Store the answer, and delete the data: a player's own are in the entry."""
    answered.state = state
    for name in FIELDS:
        setattr(answered, name, "")
    answered.save()
    MailConsent.objects.filter(registration=answered).delete()


@verb("registrations_confirm", Registration, "entrants.manage")
def confirm(
    *, registration_id: uuid.UUID, actor: Actor, present: bool = False, despite: Admits = ""
) -> Entrant:
    """Enter a registered player; ``present``: they are at the door."""
    registration = _answered(registration_id)
    registration.entrant = enter_player(
        event_id=registration.event_id,
        actor=actor,
        present=present,
        despite=despite,
        **{name: getattr(registration, name) for name in FIELDS},
    )
    take_over(registration, registration.entrant)
    _empty(registration, RegistrationState.ENTERED)
    return registration.entrant


@verb(
    "registrations_refuse",
    Registration,
    "entrants.manage",
    done=_("The registration is refused."),
)
def refuse(*, registration_id: uuid.UUID, actor: Actor) -> Registration:
    """Do not enter who registered."""
    registration = _answered(registration_id)
    _empty(registration, RegistrationState.REFUSED)
    audit.append(
        scope=registration.event_id, actor=actor, verb="registration.refused", subject=registration
    )
    return registration
