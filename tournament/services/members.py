"""The organisation's register of members, and events that enter players from it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.models import ORGANISATION
from ledger.sealed import below, sealing
from ledger.verbs import Columns, Inner, verb
from tournament.documents.draws import Person, alphabetical
from tournament.lists.reading import Layout
from tournament.lists.words import plain
from tournament.models import Entrant, EntrantState, Event, Member
from tournament.models.columns import To, names
from tournament.models.players import BY_KEY
from tournament.services.banned import Admits
from tournament.signals import person_forgotten

from .entrants import enter_player
from .held import require_valid
from .player_lists import Line, Preview, read_players

audit.name_verbs(
    "member", added=_("Member added"), corrected=_("Member corrected"), removed=_("Member removed")
)

FIELDS: Final = names(Member, To.API)
REGISTER: Final = "organisation.manage"


def _save(member: Member, values: Mapping[str, str], entry: str, actor: Actor) -> Member:
    wanted = {name: plain(values[name]) for name in FIELDS if name in values}
    if member._state.adding or any(getattr(member, key) != value for key, value in wanted.items()):
        for name, value in wanted.items():
            setattr(member, name, value)
        require_valid(member, FIELDS)
        member.save()
        audit.append(scope=ORGANISATION, actor=actor, verb=entry, subject=member)
    return member


@verb(
    "members_add",
    Member,
    REGISTER,
    at="",
    statuses={Member: 201},
    done=_("%(name)s is now a member."),
)
def add_member(*, actor: Actor, values: Annotated[Mapping[str, str], Columns()]) -> Member:
    """Add a member."""
    return _save(Member(), values, "member.added", actor)


@verb(
    "members_correct", Member, REGISTER, at="", method="PATCH", done=_("The member is corrected.")
)
def correct_member(
    *, actor: Actor, member_id: uuid.UUID, values: Annotated[Mapping[str, str], Columns()]
) -> Member:
    """Correct the fields given; past events do not change."""
    return _save(Member.objects.get(pk=member_id), values, "member.corrected", actor)


@verb(
    "members_remove",
    Member,
    REGISTER,
    at="",
    method="DELETE",
    done=_("The member has been deleted from the register. For a week this can be undone."),
)
def remove_member(*, actor: Actor, member_id: uuid.UUID) -> None:
    """Delete a member from the register, with everything it holds about them. For a week it can be undone."""
    member = Member.objects.get(pk=member_id)
    rows = below([member], depth=2)
    with sealing("member.removed", member, actor, scope=ORGANISATION, rows=rows):
        audit.append(scope=ORGANISATION, actor=actor, verb="member.removed", subject=member)
        person_forgotten.send(sender=None, person_id=None, member_id=member.pk, actor=actor)
        member.delete()


@dataclass(frozen=True, slots=True)
class Added:
    """Result of reading a list: the members added, and those who were members before."""

    read: Preview
    added: list[Line]
    there: list[Line]


@verb("members_add-file", Member, REGISTER, at="file/")
def add_members(
    *,
    actor: Actor,
    file: bytes,
    sheet: str = "",
    layout: Annotated[Layout | None, Inner()] = None,
    any_sheet: Annotated[bool, Inner()] = False,
) -> Added:
    """Add all people of the list who are not members yet, all or none.

    A workbook in which several sheets look like lists is refused until one is chosen. A person with
    the name and club of a member is that member; the same name in another club or category is
    another person.
    """
    preview = read_players(event=None, content=file, sheet=sheet, layout=layout)
    if preview.lists and not (sheet or any_sheet):
        raise Refused(
            "wrong_value",
            _("Several sheets look like lists of players: choose one."),
            field="sheet",
        )
    if not preview.importable:
        raise Refused(
            "file_has_errors",
            str(_("; ")).join(
                [*preview.problems, *(e for line in preview.bad for e in line.errors)]
            )
            or _("No names were found."),
            field="text",
        )
    known = {_key(**values_of(member)) for member in Member.objects.all()}
    added: list[Line] = []
    there: list[Line] = []
    for line in preview.lines:
        values = {name: str(line.values[name]) for name in FIELDS}
        if _key(**values) in known:
            there.append(line)
        else:
            known.add(_key(**values))
            add_member(actor=actor, values=values)
            added.append(line)
    return Added(preview, added, there)


def _key(name: str, club: str, category: str, **_more: object) -> tuple[str, str, str]:
    return name.casefold(), club.casefold(), category.casefold()


def values_of(member: Member) -> dict[str, Any]:
    """Return the register's values of a member."""
    return {name: getattr(member, name) for name in FIELDS}


def members_by_name() -> list[Member]:
    """Return every member in the order of a list of names: accents and capitals do not count."""
    return sorted(
        Member.objects.all(),
        key=lambda member: (alphabetical(Person(member.name)), member.club, member.category),
    )


def members_not_in(event: Event) -> list[Member]:
    """Return the members without an entry in the event, by name and club."""
    entered = event.entrants.exclude(state=EntrantState.MERGED).values_list(
        "person__member", flat=True
    )
    there = {pk for pk in entered if pk}
    return [member for member in members_by_name() if member.pk not in there]


@verb("event_enter-members", Event, "entrants.manage", at="members/")
def enter_members(
    *,
    event_id: uuid.UUID,
    members: Collection[uuid.UUID],
    present: bool,
    actor: Actor,
    despite: Admits = "",
) -> list[Entrant]:
    """Register members, each once; ``present``: they are here already."""
    event = Event.objects.get(pk=event_id)
    wanted = set(members)
    return [
        enter_player(
            event_id=event_id,
            actor=actor,
            member=member,
            present=present,
            despite=despite,
            **values_of(member),
        )
        for member in members_not_in(event)
        if member.pk in wanted
    ]


@verb("event_members-remember", Event, "entrants.manage", at="members/remember/")
def remember_players(*, event_id: uuid.UUID, actor: Actor) -> int:
    """Take an event's players into the register, who are not in it; returns how many."""
    known = {_key(**values_of(member)): member for member in Member.objects.all()}
    added = 0
    listed = Entrant.objects.filter(event=event_id, person__member__isnull=True)
    for entrant in listed.exclude(person__name="").select_related("person", "club"):
        person = entrant.person
        values = {name: str(BY_KEY[name].of(entrant)) for name in FIELDS}
        member = known.get(_key(**values))
        if member is None:
            member = add_member(actor=actor, values=values)
            known[_key(**values)] = member
            added += 1
        person.member = member
        person.save(update_fields=["member"])
    return added
