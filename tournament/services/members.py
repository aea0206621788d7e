"""The organisation's register of members, and events that enter players from it."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from ledger.models import ORGANISATION
from tournament.documents.draws import Person, alphabetical
from tournament.models import Entrant, EntrantState, Event, Member

from .entrants import enter_player
from .plain import plain
from .players_file import Line, Preview

FIELDS = ("name", "club", "category", "email", "phone")


def _save(member: Member, values: dict[str, str]) -> bool:
    """Write a member's values; false where nothing differs."""
    wanted = {name: plain(values.get(name, "")) for name in FIELDS}
    if all(getattr(member, name) == value for name, value in wanted.items()):
        return False
    for name, value in wanted.items():
        setattr(member, name, value)
    try:
        member.full_clean()
    except ValidationError as error:
        name = min(error.message_dict)
        raise Refused("wrong_value", " ".join(error.message_dict[name]), field=name) from error
    member.save()
    return True


@change()
def save_member(
    *, actor: Actor, values: dict[str, str], member_id: uuid.UUID | None = None
) -> Member:
    """Add a member, or correct the one with this id; events already entered stay as they are."""
    member = Member.objects.get(pk=member_id) if member_id else Member()
    if _save(member, values):
        verb = "member.corrected" if member_id else "member.added"
        audit.append(scope=ORGANISATION, actor=actor, verb=verb, subject=member)
    return member


@change()
def remove_member(*, actor: Actor, member_id: uuid.UUID) -> None:
    """Take a member out of the register, with all that it holds of them."""
    member = Member.objects.get(pk=member_id)
    audit.append(scope=ORGANISATION, actor=actor, verb="member.removed", subject=member)
    member.delete()


@change()
def add_members(*, actor: Actor, preview: Preview) -> tuple[list[Line], list[Line]]:
    """Add everybody of a list who is not a member yet; returns who was added, and who was there.

    Somebody is there already with the same name and club; of the same name in another club, or in
    another category of one club, there are two.
    """
    if not preview.importable:
        raise Refused(
            "file_has_errors",
            str(_("; ")).join(
                [*preview.problems, *(e for line in preview.bad for e in line.errors)]
            )
            or _("No names were found."),
            field="text",
        )
    known = {_key(member) for member in Member.objects.all()}
    added: list[Line] = []
    there: list[Line] = []
    for line in preview.lines:
        if _key(line) in known:
            there.append(line)
        else:
            known.add(_key(line))
            save_member(actor=actor, values={name: getattr(line, name) for name in FIELDS})
            added.append(line)
    return added, there


def _key(who: Member | Line) -> tuple[str, str, str]:
    return who.name.casefold(), who.club.casefold(), who.category.casefold()


def members_by_name() -> list[Member]:
    """Every member as a list of names is read: accents and capitals do not count."""
    return sorted(
        Member.objects.all(),
        key=lambda member: (alphabetical(Person(member.name)), member.club, member.category),
    )


def members_not_in(event: Event) -> list[Member]:
    """The members whom an event has not entered, by name and club."""
    entered = event.entrants.exclude(state=EntrantState.MERGED).values_list(
        "person__member", flat=True
    )
    there = {pk for pk in entered if pk}
    return [member for member in members_by_name() if member.pk not in there]


@change()
def enter_members(
    *, event_id: uuid.UUID, members: Collection[uuid.UUID], present: bool, actor: Actor
) -> list[Entrant]:
    """Enter members into an event, each once; ``present``: they are here already."""
    event = Event.objects.get(pk=event_id)
    wanted = set(members)
    return [
        enter_player(
            event_id=event_id,
            actor=actor,
            name=member.name,
            club=member.club,
            email=member.email,
            phone=member.phone,
            category=member.category,
            member=member,
            present=present,
        )
        for member in members_not_in(event)
        if member.pk in wanted
    ]


@change()
def remember_players(*, event_id: uuid.UUID, actor: Actor) -> int:
    """Take an event's players into the register, who are not in it; returns how many."""
    known = {_key(member): member for member in Member.objects.all()}
    added = 0
    listed = Entrant.objects.filter(event=event_id, person__member__isnull=True)
    for entrant in listed.exclude(person__name="").select_related("person", "club"):
        person = entrant.person
        values = {
            "name": person.name,
            "club": entrant.club.name if entrant.club else "",
            "category": entrant.category,
            "email": person.email,
            "phone": person.phone,
        }
        member = known.get(_key(Member(**values)))
        if member is None:
            member = save_member(actor=actor, values=values)
            known[_key(member)] = member
            added += 1
        person.member = member
        person.save(update_fields=["member"])
    return added
