"""The same event again: its settings and stages, and where wanted its players and its staff."""

from __future__ import annotations

import uuid
from datetime import date

from django.contrib.auth import get_user_model
from django.utils.translation import gettext_lazy as _

from accounts.models import RoleGrant
from ledger import audit
from ledger.actors import Actor
from ledger.verbs import verb
from tournament.models import Ban, Club, Entrant, Event, EventLogo, Person, Stage
from tournament.models.columns import To, values_of
from tournament.signals import event_copied
from tournament.tables.links import entrant_token, token_hash

from .entrants import enter_at_once
from .events import create_event
from .logos import keep_logo

audit.name_verbs("event", copied=_("Event copied"))


@verb(
    "event_copy",
    Event,
    "event.manage",
    statuses={Event: 201},
    done=_("This is the copy, with the same settings."),
)
def copy_event(
    *,
    event_id: uuid.UUID,
    actor: Actor,
    name: str,
    day: date,
    players: bool = False,
    staff: bool = False,
) -> Event:
    """Create an event with the settings and stages of another; the caller becomes its director.

    Args:
        players: enter the same players, under the same numbers, with what the draw must respect.
        staff: give the same people the same roles.

    Draws, results and rulings are not copied.

    Raises :class:`Refused` as :func:`~tournament.services.events.create_event` does.
    """
    source = Event.objects.get(pk=event_id)
    copied = create_event(
        actor=actor,
        name=name,
        day=day,
        plan=[Stage(**values_of(stage, To.COPY)) for stage in source.stages.order_by("order")],
        **values_of(source, To.COPY),
    )
    picture = EventLogo.objects.filter(event=source).first()
    if picture is not None:
        keep_logo(copied, bytes(picture.content))
    audit.append(
        copied, "event.copied", actor, after={"from": source.pk, "players": players, "staff": staff}
    )
    if players:
        _copy_players(source, copied, actor)
    if staff:
        _copy_staff(source, copied, actor)
    event_copied.send(sender=None, source=source, copy=copied, actor=actor)
    return copied


def _copy_players(source: Event, copied: Event, actor: Actor) -> None:
    """Enter the players of another event, each with personal data of their own in this one."""
    clubs = {club.name: Club(event=copied, name=club.name) for club in source.clubs.all()}
    Club.objects.bulk_create(clubs.values())
    copies: dict[int, Entrant] = {}
    there = source.entrants.filter(person__erased_at__isnull=True)
    for old in there.select_related("person", "partner", "club"):
        person = Person(**values_of(old.person, To.COPY))
        partner = None
        if old.partner is not None and old.partner.erased_at is None:
            partner = Person(**values_of(old.partner, To.COPY))
        entrant = Entrant(
            event=copied,
            person=person,
            partner=partner,
            club=clubs[old.club.name] if old.club else None,
            **values_of(old, To.COPY),
        )
        entrant.link_hash = token_hash(entrant_token(entrant))
        copies[old.pk] = entrant
    enter_at_once(copied, copies.values(), actor)
    for ban in source.bans.filter(one__in=copies, two__in=copies):
        one, two = sorted((copies[ban.one_id].pk, copies[ban.two_id].pk))
        Ban.objects.create(event=copied, one_id=one, two_id=two, made_by=str(actor))


def _copy_staff(source: Event, copied: Event, actor: Actor) -> None:
    """Give the staff of another event the same roles; closed accounts stay without."""
    users = get_user_model().objects.filter(is_active=True).in_bulk()
    for grant in RoleGrant.objects.filter(scope=source.pk, user__in=users).order_by("pk"):
        _grant, new = RoleGrant.objects.get_or_create(
            user_id=grant.user_id, scope=copied.pk, role=grant.role
        )
        if new:
            audit.append(
                users[grant.user_id],
                "role.granted",
                actor,
                scope=copied.pk,
                after={"role": grant.role},
            )
