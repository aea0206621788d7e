"""Players at the door and between rounds: enter, check in, come late, withdraw, return."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from itertools import count

from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change, raise_version
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from tournament.models import (
    Club,
    Entrant,
    EntrantState,
    Event,
    MailConsent,
    Member,
    Person,
    PushSubscription,
    Round,
    StageEntrant,
)
from tournament.tables.links import entrant_token, token_hash

from .events import locked_event
from .late import drawn_for_good, has_place, require_place
from .plain import plain


def next_round_number(event: Event) -> int:
    """The first round of the running stage that is not yet published (1 before the first)."""
    published = (
        Round.objects.filter(stage__event=event, published_at__isnull=False)
        .order_by("-stage__order", "-number")
        .first()
    )
    return published.number + 1 if published else 1


def freed_epochs(event_id: uuid.UUID) -> dict[int, int]:
    """Start number that somebody else had before → first epoch of its links from now on.

    A badge that was printed for the person who had the number must not open the next player's page.
    """
    freed: dict[int, int] = {}
    gone = AuditEntry.objects.filter(
        scope=event_id, verb__in=["entrant.corrected", "entrant.removed", "entrant.merged"]
    )
    for before in gone.values_list("before", flat=True):
        if before is None:
            continue
        number = before["number"]
        freed[number] = max(freed.get(number, 1), before["epoch"] + 1)
    return freed


@change()
def enter_player(
    *,
    event_id: uuid.UUID,
    name: str,
    actor: Actor,
    club: str = "",
    number: int | None = None,
    email: str = "",
    family: str = "",
    fixed_seat: bool = False,
    partner: str = "",
    present: bool = False,
    reserve: bool = False,
    phone: str = "",
    category: str = "",
    member: Member | None = None,
) -> Entrant:
    """Enter one player (or pair, when ``partner`` names the second person).

    ``reserve``: into no stage, until they take the place of somebody who leaves. Without a ``number`` it
    is one that nobody has had: a badge may have been printed with it.
    Raises :class:`Refused` for an empty name or a number already given, and where the running stage
    has no place for anybody new.
    """
    event = locked_event(event_id)
    name, partner, club = plain(name), plain(partner), plain(club)
    if not name:
        raise Refused("name_missing", _("Enter the player’s name."), field="name")
    if len(name) > 100:
        raise Refused("name_too_long", _("A name has at most 100 characters."), field="name")
    freed = freed_epochs(event.pk)
    if number is None:
        top = event.entrants.aggregate(top=Max("number"))["top"] or 0
        number = next(n for n in count(top + 1) if n not in freed)
    elif event.entrants.filter(number=number).exists():
        raise Refused(
            "number_taken",
            _("Number %(number)d is already taken."),
            field="number",
            params={"number": number},
        )
    if not reserve:
        require_place(event)
    person = Person.objects.create(name=name, email=email, phone=phone.strip()[:30], member=member)
    second = Person.objects.create(name=partner) if partner else None
    entrant = Entrant(
        event=event,
        number=number,
        person=person,
        partner=second,
        family=family[:40],
        category=category.strip()[:30],
        club=Club.objects.get_or_create(event=event, name=club[:80])[0] if club else None,
        fixed_seat=fixed_seat,
        from_round=next_round_number(event),
        state=EntrantState.PRESENT if present else EntrantState.REGISTERED,
        link_epoch=freed.get(number, 1),
    )
    entrant.link_hash = token_hash(entrant_token(entrant))
    entrant.save()
    if not reserve:
        _join_stage(entrant)
    audit.append(
        entrant,
        "entrant.entered",
        actor,
        after={
            "number": number,
            "person": person.pk,
            "club": entrant.club_id,
            "from_round": entrant.from_round,
            "state": entrant.state,
        },
    )
    return entrant


def _join_stage(entrant: Entrant) -> None:
    """Players enter the first stage; later stages take them by their cut."""
    first = entrant.event.stages.order_by("order").first()
    if first is not None:
        StageEntrant.objects.get_or_create(
            stage=first, entrant=entrant, defaults={"origin": "entry"}
        )


def locked_entrant(entrant_id: int) -> Entrant:
    """The entrant, locked until the end of the transaction after their event."""
    locked_event(Event.objects.values_list("pk", flat=True).get(entrants=entrant_id))
    entrant = Entrant.objects.select_for_update(of=("self",), no_key=True).get(pk=entrant_id)
    if entrant.state == EntrantState.MERGED:
        raise Conflict(
            "entrant_merged",
            _("Number %(number)d was merged into another number."),
            params={"number": entrant.number},
        )
    return entrant


@change()
def check_in(
    *, entrant_id: int, actor: Actor, present: bool = True, replacing: bool = False
) -> Entrant:
    """Mark a player present at the door (or not, when it was a mistake).

    ``replacing``: they take somebody's place, so that they need none of their own.
    """
    entrant = locked_entrant(entrant_id)
    wanted = EntrantState.PRESENT if present else EntrantState.REGISTERED
    if entrant.state == EntrantState.WITHDRAWN:
        raise Conflict("withdrawn", _("This player has withdrawn: mark them as returned first."))
    if entrant.state == wanted:
        return entrant
    if not present and entrant.seats.exists():
        raise Conflict(
            "already_plays", _("This player has already played: record a withdrawal instead.")
        )
    if present and not replacing:
        require_place(entrant.event, [entrant])
    before = entrant.state
    entrant.state = wanted
    if present:
        entrant.from_round = max(entrant.from_round, next_round_number(entrant.event))
    entrant.save(update_fields=["state", "from_round"])
    audit.append(
        entrant,
        "entrant.checked_in" if present else "entrant.checked_out",
        actor,
        before={"state": before},
        after={"state": entrant.state, "from_round": entrant.from_round},
    )
    return entrant


@change()
def mark_paid(*, entrant_id: int, actor: Actor, paid: bool = True) -> Entrant:
    """Note that a player has paid the entry fee, or has not."""
    entrant = locked_entrant(entrant_id)
    if entrant.paid == paid:
        return entrant
    entrant.paid = paid
    entrant.save(update_fields=["paid"])
    audit.append(
        scope=entrant.event_id,
        actor=actor,
        verb="entrant.paid" if paid else "entrant.unpaid",
        subject=entrant,
        after={"paid": paid},
    )
    return entrant


@change()
def check_in_all(*, event_id: uuid.UUID, actor: Actor, but: Collection[int] = ()) -> int:
    """Mark everybody who is registered, and has a place still, present; returns how many.

    ``but``: start numbers of those who are not here.
    """
    event = locked_event(event_id)
    registered = event.entrants.filter(state=EntrantState.REGISTERED)
    absent = sorted(registered.filter(number__in=but).values_list("number", flat=True))
    waiting = registered.exclude(number__in=absent)
    ids = (
        [who.pk for who in waiting if has_place(event, who)]
        if drawn_for_good(event)
        else list(waiting.values_list("pk", flat=True))
    )
    waiting.filter(pk__in=ids).update(state=EntrantState.PRESENT)
    if ids or absent:
        after = {"entrants": ids, "absent": absent}
        audit.append(event, "entrants.checked_in", actor, after=after)
    return len(ids)


@change()
def withdraw(*, entrant_id: int, actor: Actor, reason: str = "") -> Entrant:
    """A player leaves: they are drawn no more; what they played stands as the ranking rule says."""
    entrant = locked_entrant(entrant_id)
    if entrant.state == EntrantState.WITHDRAWN:
        return entrant
    before = entrant.state
    entrant.state = EntrantState.WITHDRAWN
    entrant.withdrawn_after = next_round_number(entrant.event) - 1
    entrant.save(update_fields=["state", "withdrawn_after"])
    audit.append(
        entrant,
        "entrant.withdrawn",
        actor,
        before={"state": before},
        after={"state": entrant.state, "after_round": entrant.withdrawn_after, "reason": reason},
    )
    return entrant


@change()
def take_back(*, entrant_id: int, actor: Actor, replacing: bool = False) -> Entrant:
    """A player who had withdrawn returns and is drawn again from the next round on.

    ``replacing``: they take the place of who stood in for them, so that they need none of their own.
    """
    entrant = locked_entrant(entrant_id)
    if entrant.state != EntrantState.WITHDRAWN:
        return entrant
    if not replacing:
        require_place(entrant.event, [entrant])
    entrant.state = EntrantState.PRESENT
    entrant.withdrawn_after = None
    entrant.save(update_fields=["state", "withdrawn_after"])
    audit.append(entrant, "entrant.returned", actor, after={"state": entrant.state})
    return entrant


@change()
def renew_link(*, entrant_id: int, actor: Actor, reason: str = "") -> Entrant:
    """Make the link on a player's badge worthless; their next badge carries a new one.

    For a badge that was lost, or whose link somebody else uses. Nobody else's badge changes.
    """
    entrant = locked_entrant(entrant_id)
    entrant.link_epoch += 1
    entrant.link_hash = token_hash(entrant_token(entrant))
    entrant.save(update_fields=["link_epoch", "link_hash"])
    # The devices that used the old link are told nothing more.
    entrant.subscriptions.all().delete()
    audit.append(
        entrant,
        "entrant.link_renewed",
        actor,
        after={"epoch": entrant.link_epoch, "reason": reason[:300]},
    )
    return entrant


@change()
def open_link(*, entrant_id: int, actor: Actor) -> Entrant:
    """Record that somebody was given the link on a player's badge."""
    entrant = Entrant.objects.get(pk=entrant_id)
    audit.append(entrant, "entrant.link_opened", actor)
    return entrant


def forget_notices(entrants: QuerySet[Entrant]) -> None:
    """Delete devices and consents of these entrants, and with them what was sent or waits."""
    ids = list(entrants.values_list("pk", flat=True))
    PushSubscription.objects.filter(entrant__in=ids).delete()
    MailConsent.objects.filter(entrant__in=ids).delete()


@change()
def erase_person(*, person_id: uuid.UUID, actor: Actor) -> Person:
    """Erase a person's data; results, numbers and the audit chain stay as they are."""
    person = Person.objects.select_for_update(no_key=True).get(pk=person_id)
    if person.erased_at is None:
        person.name = ""
        person.email = ""
        person.phone = ""
        person.member = None
        person.erased_at = timezone.now()
        person.save()
        forget_notices(person.entries.all() | person.partner_entries.all())
        scopes = set(person.entries.values_list("event_id", flat=True)) | set(
            person.partner_entries.values_list("event_id", flat=True)
        )
        scopes |= set(person.mergers.values_list("event_id", flat=True))
        for scope in sorted(scopes):
            audit.append(person, "person.erased", actor, scope=scope)
            raise_version(scope)
    return person
