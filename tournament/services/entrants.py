"""Players at the door and between rounds: enter, check in, come late, withdraw, return."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from itertools import count
from typing import Annotated, Unpack, cast

from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change, raise_version
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from ledger.verbs import Inner, verb
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
from tournament.models.columns import erased
from tournament.models.players import PlayerGiven, Value, new_entrant
from tournament.models.stages import TOOK_OVER
from tournament.queries.falls import Act, fallen, of_entrant, what_falls
from tournament.signals import person_forgotten
from tournament.tables.links import entrant_token, token_hash

from .banned import Admits, Coming, admit, bans_on, people_of, require_admitted
from .events import locked_event
from .held import given_of
from .late import drawn_for_good, has_place, require_place, require_return

audit.name_verbs(
    "entrant",
    checked_in=_("Checked in"),
    checked_out=_("Check-in undone"),
    entered=_("Player registered"),
    link_opened=_("Personal link shown"),
    link_renewed=_("Personal link renewed"),
    paid=_("Entry fee paid"),
    returned=_("Player returned"),
    unpaid=_("Payment undone"),
    withdrawn=_("Player withdrawn"),
)
audit.name_verbs(
    "entrants", checked_in=_("Several players checked in"), imported=_("Players imported")
)
audit.name_verbs("person", erased=_("Personal data erased"))


def unknown_number(number: int, field: str = "", kind: type[Refused] = Refused) -> Refused:
    """Build the refusal of an unassigned start number."""
    text = _("There is no number %(number)d in this event.")
    return kind("unknown", text, field=field, params={"number": number})


def next_round_number(event: Event) -> int:
    """Return the first round of the running stage that is not yet published (1 before the first)."""
    published = (
        Round.objects.filter(stage__event=event, published_at__isnull=False)
        .order_by("-stage__order", "-number")
        .first()
    )
    return published.number + 1 if published else 1


def freed_epochs(event_id: uuid.UUID) -> dict[int, int]:
    """Return, for each reassigned start number, the first epoch of its links from now on.

    A badge that was printed for the former holder of the number must not open the next player's
    page.
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


@verb("entrants_enter", Event, "entrants.manage", at="entrants/", statuses={Entrant: 201})
def enter_player(
    *,
    event_id: uuid.UUID,
    actor: Actor,
    present: bool = False,
    reserve: bool = False,
    member: Annotated[Member | None, Inner()] = None,
    despite: str = "",
    **given: Unpack[PlayerGiven],
) -> Entrant:
    """Register a player or a pair, late or early: they play from the next round that is not published.

    Raises :class:`Refused` for an empty name or a number already given, and where the running stage
    has no place. ``given``: by the keys of :data:`~tournament.models.players.GIVEN`, the name at least;
    without a ``number`` it is one that nobody has had, since a badge may have been printed with it.
    ``reserve``: into no stage, until they take the place of somebody who leaves. ``despite``: the reason
    to enter them although a suspension is in force on their name.
    """
    event = locked_event(event_id)
    values = given_of(cast("dict[str, Value]", {"name": "", **given}))
    coming = [Coming(str(values["name"]), member.pk if member else None)]
    if partner := values.get("partner"):
        coming.append(Coming(str(partner)))
    bans = require_admitted(coming, despite, actor, event.pk)
    freed = freed_epochs(event.pk)
    number = values.get("number")
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
    entrant = new_entrant(values)
    club = values.get("club")
    entrant.event, entrant.number, entrant.person.member = event, int(number), member
    entrant.club = Club.objects.get_or_create(event=event, name=club)[0] if club else None
    entrant.from_round = next_round_number(event)
    entrant.state = EntrantState.PRESENT if present else EntrantState.REGISTERED
    entrant.link_epoch = freed.get(entrant.number, 1)
    entrant.link_hash = token_hash(entrant_token(entrant))
    for person in filter(None, (entrant.person, entrant.partner)):
        person.save(force_insert=True)
    entrant.save()
    if not reserve:
        _join_stage(entrant)
    audit.append(
        entrant,
        "entrant.entered",
        actor,
        after={
            "number": entrant.number,
            "person": entrant.person_id,
            "club": entrant.club_id,
            "from_round": entrant.from_round,
            "state": entrant.state,
        },
    )
    admit(entrant, bans, despite, actor)
    return entrant


def enter_at_once(
    event: Event, entrants: Iterable[Entrant], actor: Actor, **more: object
) -> list[Entrant]:
    """Store entries with their people, in the first stage; ``more``: what the log holds besides."""
    coming = list(entrants)
    people = [who for each in coming for who in (each.person, each.partner) if who is not None]
    Person.objects.bulk_create(people, batch_size=500)
    created = Entrant.objects.bulk_create(coming, batch_size=500)
    first = event.stages.order_by("order").first()
    if first is not None:
        StageEntrant.objects.bulk_create(
            (StageEntrant(stage=first, entrant=entrant, origin="entry") for entrant in created),
            batch_size=500,
        )
    listed = [[e.pk, e.number, str(e.person_id)] for e in created]
    after = {"count": len(created), "entrants": listed, **more}
    audit.append(event, "entrants.imported", actor, after=after)
    return created


def _join_stage(entrant: Entrant) -> None:
    """Players enter the first stage; later stages take them by their cut."""
    first = entrant.event.stages.order_by("order").first()
    if first is not None:
        StageEntrant.objects.get_or_create(
            stage=first, entrant=entrant, defaults={"origin": "entry"}
        )


def locked_entrant(entrant_id: int) -> Entrant:
    """Return the entrant, locked until the end of the transaction after their event."""
    locked_event(Event.objects.values_list("pk", flat=True).get(entrants=entrant_id))
    entrant = Entrant.objects.select_for_update(of=("self",), no_key=True).get(pk=entrant_id)
    if entrant.state == EntrantState.MERGED:
        raise Conflict(
            "entrant_merged",
            _("Number %(number)d was merged into another number."),
            params={"number": entrant.number},
        )
    return entrant


@verb("entrants_check-in", Entrant, "entrants.check_in", done=_("Number %(number)d is present."))
def check_in(
    *,
    entrant_id: int,
    actor: Actor,
    despite: Admits = "",
    replacing: Annotated[bool, Inner()] = False,
) -> Entrant:
    """Mark a player present at the door.

    ``replacing`` somebody, whose place they take, they need none of their own.
    """
    entrant = locked_entrant(entrant_id)
    if entrant.state == EntrantState.WITHDRAWN:
        raise Conflict("withdrawn", _("This player has withdrawn: mark them as returned first."))
    if entrant.state == EntrantState.PRESENT:
        return entrant
    if not replacing:
        require_place(entrant.event, [entrant])
    bans = require_admitted(people_of(entrant), despite, actor, entrant.event_id)
    admit(entrant, bans, despite, actor)
    from_round = max(entrant.from_round, next_round_number(entrant.event))
    return _be(entrant, EntrantState.PRESENT, actor, "entrant.checked_in", from_round)


@verb(
    "entrants_check-out", Entrant, "entrants.check_in", done=_("Number %(number)d is not present.")
)
def check_out(*, entrant_id: int, actor: Actor) -> Entrant:
    """Mark a player absent, who was marked present by mistake; refused once they have played."""
    entrant = locked_entrant(entrant_id)
    if entrant.state == EntrantState.WITHDRAWN:
        raise Conflict("withdrawn", _("This player has withdrawn: mark them as returned first."))
    if entrant.state == EntrantState.REGISTERED:
        return entrant
    if entrant.seats.exists():
        raise Conflict(
            "already_plays", _("This player has already played: record a withdrawal instead.")
        )
    absent = EntrantState.REGISTERED
    return _be(entrant, absent, actor, "entrant.checked_out", entrant.from_round)


def _be(entrant: Entrant, state: str, actor: Actor, entry: str, from_round: int) -> Entrant:
    before, entrant.state, entrant.from_round = entrant.state, state, from_round
    entrant.save(update_fields=["state", "from_round"])
    after = {"state": entrant.state, "from_round": entrant.from_round}
    audit.append(entrant, entry, actor, before={"state": before}, after=after)
    return entrant


@verb("entrants_paid", Entrant, "entrants.check_in", done=_("Number %(number)d has paid."))
def mark_paid(*, entrant_id: int, actor: Actor) -> Entrant:
    """Record that a player has paid the entry fee."""
    return _pay(entrant_id, actor, "entrant.paid", paid=True)


@verb("entrants_unpaid", Entrant, "entrants.check_in", done=_("Number %(number)d has not paid."))
def mark_unpaid(*, entrant_id: int, actor: Actor) -> Entrant:
    """Record that a player has not paid the entry fee after all."""
    return _pay(entrant_id, actor, "entrant.unpaid", paid=False)


def _pay(entrant_id: int, actor: Actor, entry: str, *, paid: bool) -> Entrant:
    entrant = locked_entrant(entrant_id)
    if entrant.paid != paid:
        entrant.paid = paid
        entrant.save(update_fields=["paid"])
        audit.append(entrant, entry, actor, scope=entrant.event_id, after={"paid": paid})
    return entrant


@verb("event_check-in", Event, "entrants.manage")
def check_in_all(*, event_id: uuid.UUID, actor: Actor, but: Collection[int] = ()) -> int:
    """Mark all registered players with a place present; returns how many.

    Players under a suspension in force, who were not admitted, are left out. ``but``: start numbers of the absent players.
    """
    event = locked_event(event_id)
    registered = event.entrants.filter(state=EntrantState.REGISTERED)
    absent = sorted(registered.filter(number__in=but).values_list("number", flat=True))
    waiting = registered.exclude(number__in=absent)
    coming = [
        each for who in waiting.select_related("person", "partner") for each in people_of(who)
    ]
    banned = {coming[ban.place].entrant for ban in bans_on(coming)}
    waiting = waiting.exclude(pk__in=[pk for pk in banned if pk is not None])
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


@verb("entrants_withdraw", Entrant, "entrants.manage", done=_("Number %(number)d has withdrawn."))
def withdraw(*, entrant_id: int, actor: Actor, reason: Annotated[str, Inner()] = "") -> Entrant:
    """Withdraw a player from later draws; their results stand as the ranking rule provides."""
    entrant = locked_entrant(entrant_id)
    if entrant.state == EntrantState.WITHDRAWN:
        return entrant
    falls = fallen(what_falls(of_entrant(Act.WITHDRAW, entrant)))
    before = entrant.state
    entrant.state = EntrantState.WITHDRAWN
    entrant.withdrawn_after = next_round_number(entrant.event) - 1
    entrant.save(update_fields=["state", "withdrawn_after"])
    audit.append(
        entrant,
        "entrant.withdrawn",
        actor,
        before={"state": before},
        after={"state": entrant.state, "after_round": entrant.withdrawn_after, "reason": reason}
        | ({"falls": falls} if falls else {}),
    )
    return entrant


@verb("entrants_return", Entrant, "entrants.manage", done=_("Number %(number)d has returned."))
def take_back(
    *, entrant_id: int, actor: Actor, replacing: Annotated[bool, Inner()] = False
) -> Entrant:
    """Take a player who had withdrawn back; they are drawn again from the next round on.

    ``replacing`` who stood in for them, they need no place of their own.
    """
    entrant = locked_entrant(entrant_id)
    if entrant.state != EntrantState.WITHDRAWN:
        return entrant
    if not replacing:
        require_return(entrant)
        _require_place_free(entrant)
    entrant.state = EntrantState.PRESENT
    entrant.withdrawn_after = None
    entrant.save(update_fields=["state", "withdrawn_after"])
    audit.append(entrant, "entrant.returned", actor, after={"state": entrant.state})
    return entrant


def _require_place_free(entrant: Entrant) -> None:
    """Refuse the return of one whose place and points another has taken over."""
    taken = StageEntrant.objects.filter(
        stage__event=entrant.event_id, takes_points=True, origin=f"{TOOK_OVER}{entrant.number}"
    ).select_related("entrant")
    if (place := taken.first()) is not None:
        raise Conflict(
            "place_taken",
            _("Number %(number)d plays on with these points: replace that number instead."),
            params={"number": place.entrant.number},
        )


@verb(
    "entrants_new-link",
    Entrant,
    "entrants.manage",
    done=_("Number %(number)d has a new link. The one on the old badge no longer works."),
)
def renew_link(*, entrant_id: int, actor: Actor, reason: str = "") -> Entrant:
    """Make the link on a player's badge worthless; their next badge carries a new one.

    For a badge that was lost, or whose link somebody else uses. Nobody else's badge changes.
    """
    entrant = locked_entrant(entrant_id)
    entrant.link_epoch += 1
    entrant.link_hash = token_hash(entrant_token(entrant))
    entrant.save(update_fields=["link_epoch", "link_hash"])
    # The devices that used the old link receive no more notices.
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
    """Record that a player's link was shown to a member of staff."""
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
        for name, empty in (erased() | {"erased_at": timezone.now()}).items():
            setattr(person, name, empty)
        person.save()
        person_forgotten.send(sender=None, person_id=person.pk, member_id=None, actor=actor)
        forget_notices(person.entries.all() | person.partner_entries.all())
        scopes = set(person.entries.values_list("event_id", flat=True)) | set(
            person.partner_entries.values_list("event_id", flat=True)
        )
        scopes |= set(person.mergers.values_list("event_id", flat=True))
        for scope in sorted(scopes):
            audit.append(person, "person.erased", actor, scope=scope)
            raise_version(scope)
    return person
