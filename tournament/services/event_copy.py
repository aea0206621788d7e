"""The same event again: its settings and stages, and where wanted its players and its staff."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.contrib.auth import get_user_model

from accounts.models import RoleGrant
from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from tournament.models import Ban, Club, Entrant, Event, EventLogo, Person, Stage, StageEntrant
from tournament.signals import event_copied
from tournament.tables.links import entrant_token, token_hash

from .events import StagePlan, create_event
from .logos import keep_logo

NOT_COPIED: Final = frozenset(
    {
        # The row's own.
        "id",
        "created_at",
        "erased_at",
        # Made anew in the copy.
        "event",
        "person",
        "partner",
        "club",
        "link_hash",
        "link_epoch",
        # Of the event that was: who came, left and paid.
        "state",
        "from_round",
        "withdrawn_after",
        "paid",
    }
)
"""Columns of a player or person that a copied event does not take over."""


@change()
def copy_event(
    *,
    event_id: Any,
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

    Nothing of what was drawn, played or ruled is copied. Raises :class:`Refused` as
    :func:`~tournament.services.events.create_event` does.
    """
    source = Event.objects.get(pk=event_id)
    stages = list(source.stages.order_by("order"))
    copied = create_event(
        actor=actor,
        name=name,
        day=day,
        place=source.place,
        language=source.language,
        rulebook=source.rulebook,
        options=source.options,
        protocol=source.protocol,
        bell_rule=source.bell_rule,
        depth=source.depth,
        plan=[_plan_of(stage) for stage in stages],
    )
    copied.short_names = source.short_names
    copied.hide_last_rounds = source.hide_last_rounds
    copied.sponsors = source.sponsors
    copied.tell_illegal = source.tell_illegal
    copied.publish_conduct = source.publish_conduct
    copied.colour = source.colour
    copied.save(
        update_fields=[
            "short_names",
            "hide_last_rounds",
            "sponsors",
            "tell_illegal",
            "publish_conduct",
            "colour",
        ]
    )
    picture = EventLogo.objects.filter(event=source).first()
    if picture is not None:
        keep_logo(copied, bytes(picture.content))
    for stage, old in zip(copied.stages.order_by("order"), stages, strict=True):
        stage.ranking_rule, stage.drawing = old.ranking_rule, old.drawing
        stage.club_rule = old.club_rule
        stage.save(update_fields=["ranking_rule", "drawing", "club_rule"])
    audit.append(
        copied, "event.copied", actor, after={"from": source.pk, "players": players, "staff": staff}
    )
    if players:
        _copy_players(source, copied, actor)
    if staff:
        _copy_staff(source, copied, actor)
    event_copied.send(sender=None, source=source, copy=copied, actor=actor)
    return copied


def _plan_of(stage: Stage) -> StagePlan:
    return StagePlan(
        stage.name,
        format=stage.format,
        rounds=stage.rounds_planned,
        games_per_round=stage.games_per_round,
        deals_per_game=stage.deals_per_game,
        target=stage.target,
        minutes=stage.minutes,
        ranking=stage.ranking,
        carries_over=stage.carries_over,
        cut=stage.cut,
        club_rounds=stage.club_rounds,
    )


def _columns_of(row: Entrant | Person) -> dict[str, Any]:
    """The columns of a row that its copy in another event has too."""
    return {
        column.attname: getattr(row, column.attname)
        for column in row._meta.concrete_fields
        if column.name not in NOT_COPIED
    }


def _copy_players(source: Event, copied: Event, actor: Actor) -> None:
    """Enter the players of another event, each with personal data of their own in this one."""
    clubs = {club.name: Club(event=copied, name=club.name) for club in source.clubs.all()}
    Club.objects.bulk_create(clubs.values())
    people: list[Person] = []
    copies: dict[int, Entrant] = {}
    there = source.entrants.filter(person__erased_at__isnull=True)
    for old in there.select_related("person", "partner", "club"):
        person = Person(**_columns_of(old.person))
        partner = None
        if old.partner is not None and old.partner.erased_at is None:
            partner = Person(**_columns_of(old.partner))
        people += [one for one in (person, partner) if one is not None]
        entrant = Entrant(
            event=copied,
            person=person,
            partner=partner,
            club=clubs[old.club.name] if old.club else None,
            **_columns_of(old),
        )
        entrant.link_hash = token_hash(entrant_token(entrant))
        copies[old.pk] = entrant
    Person.objects.bulk_create(people, batch_size=500)
    created = Entrant.objects.bulk_create(copies.values(), batch_size=500)
    first = copied.stages.order_by("order").first()
    StageEntrant.objects.bulk_create(
        (StageEntrant(stage=first, entrant=entrant, origin="entry") for entrant in created),
        batch_size=500,
    )
    for ban in source.bans.filter(one__in=copies, two__in=copies):
        one, two = sorted((copies[ban.one_id].pk, copies[ban.two_id].pk))
        Ban.objects.create(event=copied, one_id=one, two_id=two, made_by=str(actor))
    audit.append(
        copied,
        "entrants.imported",
        actor,
        after={
            "count": len(created),
            "entrants": [[e.pk, e.number, str(e.person_id)] for e in created],
        },
    )


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
