"""Corrections of entrants: wrong data, entries made by mistake, double entries.

Names and addresses stay out of the audit chain: it records the names of changed fields, and the
numbers. A start number is part of the requests of draws and of badge links, so it is fixed once
drawn.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, NotHere, Refused
from ledger.models import Job, JobState
from ledger.verbs import Columns, verb
from tournament.drawing.locked import replaced_in_plan
from tournament.models import (
    Adjustment,
    Ban,
    Club,
    Draw,
    DrawState,
    Entrant,
    EntrantState,
    Event,
    Lot,
    MailConsent,
    Merger,
    Person,
    Round,
    StageEntrant,
    Standings,
    StandingsState,
    Table,
)
from tournament.models.columns import To, columns, erased, values_of
from tournament.models.entrants import new_salt
from tournament.models.players import BY_KEY, GIVEN, Given, Value
from tournament.queries.brackets import title_of
from tournament.queries.falls import Act, fallen, of_entrant, what_falls
from tournament.signals import answers, records_requested
from tournament.tables.links import entrant_token, token_hash

from .bans_and_wishes import WISHES
from .edits import note
from .entrants import forget_notices, freed_epochs, unknown_number
from .events import lock_plan, locked_event, locked_plan
from .held import given_of
from .mergers import close_merger, keep_merger, lacking, part
from .reseating import trade_seats
from .untouched import lock_sheets

audit.name_verbs(
    "entrant",
    corrected=_("Player corrected"),
    kept=_("Start number left as it was"),
    merged=_("Player merged into another number"),
    removed=_("Player removed"),
    unmerged=_("Merger of two numbers undone"),
)

FIELDS: Final = (
    "whole_club",
    *(each.key for each in GIVEN if each.goes(To.FORM) and each.key not in WISHES),
)
"""Correctable columns of an entrant."""


def _entrant(event: Event, number: int, field: str = "number") -> Entrant:
    """Return the entrant with this number, locked after the event."""
    entrant = (
        Entrant.objects.select_for_update(of=("self",), no_key=True)
        .select_related("event")
        .filter(event=event, number=number)
        .exclude(state=EntrantState.MERGED)
        .first()
    )
    if entrant is None:
        raise unknown_number(number, field, NotHere)
    return entrant


def _locked(entrant_id: int) -> Entrant:
    """Return the entrant, locked after the plan and the event."""
    event_id, number = Entrant.objects.values_list("event", "number").get(pk=entrant_id)
    return _entrant(locked_plan(event_id), number)


def _draws_with(entrant: Entrant) -> list[Draw]:
    """Return every draw of the event that seats the entrant or was computed from the entrant's number."""
    draws = Draw.objects.filter(round__stage__event=entrant.event_id).select_related("round__stage")
    return [draw for draw in draws.order_by("pk") if _drawn_in(draw, entrant)]


def _drawn_in(draw: Draw, entrant: Entrant) -> bool:
    seated = {who for table in draw.tables for who in table["players"]}
    known = {who["id"] for who in draw.request.get("contestants", ())}
    return entrant.pk in seated | {*draw.byes, *draw.held} or entrant.number in known


def is_drawn(entrant: Entrant) -> bool:
    """Whether a published draw seats the entrant, or was computed from the entrant's number."""
    return any(draw.state == DrawState.PUBLISHED for draw in _draws_with(entrant))


def _require_no_draft(draws: list[Draw], number: int) -> None:
    """Refuse what would change the people of a draw that is only a draft."""
    for draw in draws:
        if draw.state == DrawState.CANDIDATE:
            raise Conflict(
                "in_draft_draw",
                _("Number %(number)d is in a draft draw (%(round)s): discard it first."),
                params={"number": number, "round": title_of(draw.round)},
            )


def _require_no_job(event: Event) -> None:
    """Refuse while a draw is being computed from the numbers as they are."""
    running = Job.objects.filter(
        scope=event.pk, kind="tournament.draw", state__in=[JobState.QUEUED, JobState.RUNNING]
    )
    if running.exists():
        raise Conflict("draw_running", _("A draw is being made. Wait until it is done."))


def _require_not_drawn(entrant: Entrant) -> list[Draw]:
    """Refuse an entrant who is in a draft or published draw; the discarded draws that name them."""
    draws = _draws_with(entrant)
    _require_no_draft(draws, entrant.number)
    if any(draw.state == DrawState.PUBLISHED for draw in draws):
        raise Conflict(
            "already_drawn",
            _("Number %(number)d is in a published draw."),
            field="number",
            params={"number": entrant.number},
        )
    return draws


@verb(
    "entrants_correct",
    Entrant,
    "entrants.manage",
    at="",
    method="PATCH",
    done=_("Number %(number)d is corrected."),
)
def correct_entrant(
    *, entrant_id: int, actor: Actor, changes: Annotated[Mapping[str, Any], Columns()]
) -> Entrant:
    """Correct the fields given.

    An empty ``partner`` or ``club`` removes it; with ``whole_club`` everybody of the club before changes to
    the new one, which may be there already. A new number, possible until the first draw, makes the link on
    the old badge invalid.

    Raises :class:`Refused` with the field that must change, :class:`Conflict` for a number that is drawn.
    """
    unknown = set(changes) - set(FIELDS)
    if unknown:
        raise Refused("unknown_field", _("This cannot be changed."), field=min(unknown))
    entrant = _locked(entrant_id)
    before = {"number": entrant.number, "epoch": entrant.link_epoch}
    old_club = entrant.club
    wanted = given_of({key: value for key, value in changes.items() if key in BY_KEY})
    gone = "partner" if wanted.get("partner") == "" else "nobody"
    changed = [
        each.key
        for each in sorted(GIVEN, key=lambda each: each.key == "number")
        if each.key in wanted
        and (each.part != gone or each.key == gone)
        and _change(entrant, each, wanted[each.key])
    ]
    if not changed:
        return entrant
    entrant.save()
    others = []
    if changes.get("whole_club") and "club" in changed and old_club is not None:
        others = list(old_club.entrants.order_by("number"))
        for other in others:
            other.club = entrant.club
            other.save(update_fields=["club"])
    if old_club is not None and not old_club.entrants.exists():
        old_club.delete()
    audit.append(
        entrant,
        "entrant.corrected",
        actor,
        before=before,
        after={
            "number": entrant.number,
            "fields": sorted(changed),
            "person": entrant.person_id,
            "partner": entrant.partner_id,
            "club": entrant.club_id,
            **({"others": [other.number for other in others]} if others else {}),
        },
    )
    return entrant


def _own_person(entrant: Entrant, person: Person) -> Person:
    """Return the person to change: a copy where another event has entered the same one."""
    if person.erased_at is not None:
        raise Conflict("person_erased", _("The data of this player is erased."))
    elsewhere = person.entries.exclude(pk=entrant.pk) | person.partner_entries.exclude(
        pk=entrant.pk
    )
    if elsewhere.exists():
        return Person(**(values_of(person, To.COPY)))
    return person


def _change(entrant: Entrant, each: Given, value: Value) -> bool:
    """Give one thing another value; whether it had another one before."""
    if value == each.of(entrant):
        return False
    if each.key in _OWN_CHANGES:
        _OWN_CHANGES[each.key](entrant, value)
    elif each.part:
        _change_person(entrant, each, value)
    else:
        setattr(entrant, each.column.attname, value)
    return True


def _change_person(entrant: Entrant, each: Given, value: Value) -> None:
    person = getattr(entrant, each.part)
    if person is None and each.key != "partner":
        raise Refused("name_missing", _("Enter the partner’s name."), field="partner")
    person = _own_person(entrant, person) if person else Person()
    setattr(person, each.column.attname, value)
    if each.column.name == "name":
        person.salt = new_salt()
    person.save()
    setattr(entrant, each.part, person)
    if each.key == "email":
        MailConsent.objects.filter(entrant=entrant).update(refused="")


def _change_partner(entrant: Entrant, name: Value) -> None:
    if name:
        return _change_person(entrant, BY_KEY["partner"], name)
    left, entrant.partner = entrant.partner, None
    entrant.save(update_fields=["partner"])
    _drop_unused(left)
    return None


def _change_club(entrant: Entrant, name: Value) -> None:
    entrant.club = Club.objects.get_or_create(event=entrant.event, name=name)[0] if name else None


def _change_number(entrant: Entrant, wanted: Value) -> None:
    number = int(wanted or 0)
    if Entrant.objects.filter(event=entrant.event, number=number).exists():
        raise Refused(
            "number_taken",
            _("Number %(number)d is already taken."),
            field="number",
            params={"number": number},
        )
    _require_no_job(entrant.event)
    for draw in _require_not_drawn(entrant):
        draw.delete()
    entrant.number = number
    # The badge of a former holder of the number must not open this player's page.
    entrant.link_epoch = freed_epochs(entrant.event_id).get(number, 1)
    entrant.link_hash = token_hash(entrant_token(entrant))


_OWN_CHANGES: Final[Mapping[str, Callable[[Entrant, Value], None]]] = {
    "partner": _change_partner,
    "club": _change_club,
    "number": _change_number,
}
"""Changes that do more than write a column: rows are created and deleted with them."""


def _drop_unused(person: Person | None) -> None:
    """Delete the data of a person without any entry."""
    if person is None or person.entries.exists() or person.partner_entries.exists():
        return
    if person.mergers.exists() or person.partner_mergers.exists():
        return
    person.delete()


def _named_elsewhere(entrant: Entrant) -> str:
    """Why an entrant must stay: a sentence, or ``""``."""
    number = {"number": entrant.number}
    if Adjustment.objects.filter(entrant=entrant).exists():
        return str(_("Points were adjusted for number %(number)d.") % number)
    if Lot.objects.filter(entrant=entrant).exists():
        return str(_("A lot was drawn for number %(number)d.") % number)
    records = answers(records_requested, event=entrant.event, entrant=entrant)
    return next(filter(None, records), "")


def _require_unnamed(entrant: Entrant) -> None:
    if named := _named_elsewhere(entrant):
        raise Conflict("entrant_named", named)


@verb(
    "entrants_remove",
    Entrant,
    "entrants.manage",
    at="",
    method="DELETE",
)
def remove_entrant(*, entrant_id: int, actor: Actor) -> None:
    """Remove a participant who has not been drawn, with name and address.

    Raises :class:`Conflict` once the entrant is in a draw or the record names them: withdraw then.
    """
    entrant = _locked(entrant_id)
    event = entrant.event
    _require_no_job(event)
    discarded = _require_not_drawn(entrant)
    _require_unnamed(entrant)
    before = {"number": entrant.number, "epoch": entrant.link_epoch}
    falls = fallen(what_falls(of_entrant(Act.REMOVE, entrant)))
    gone = Entrant(pk=_delete(entrant, discarded), event=event)
    audit.append(gone, "entrant.removed", actor, before=before, after={"falls": falls})


def _delete(entrant: Entrant, discarded: list[Draw]) -> int:
    """Delete an entrant, discarded draws and personal data; the key the entrant had."""
    key = entrant.pk
    for draw in discarded:
        draw.delete()
    club = entrant.club
    people = [entrant.person, entrant.partner]
    people += [who for gone in entrant.mergers.all() for who in (gone.person, gone.partner)]
    entrant.stages.all().delete()
    entrant.delete()
    for person in people:
        _drop_unused(person)
    if club is not None and not club.entrants.exists():
        club.delete()
    return int(key)


# Double registrations --------------------------------------------------------------------------


@verb("entrants_merge", Event, "entrants.manage")
def merge_entrants(*, event_id: uuid.UUID, keep: int, double: int, actor: Actor) -> Entrant:
    """Merge two registrations of one player: ``keep`` stays, ``double`` goes.

    Seats, byes and results of ``double`` pass to ``keep``, and so do the details that ``keep``
    lacks (club, partner, address). A number that was drawn stays taken, so that its draw can be
    repeated.

    Raises :class:`Conflict` with the reason when both were drawn in one round, standings are frozen
    or final, or the record names ``double``.
    """
    if keep == double:
        raise Refused("same_player", _("Name two different players."), field="double")
    rounds = Round.objects.filter(stage__event=event_id, seats__entrant__number=double).order_by(
        "stage__order", "number"
    )
    for played in rounds:
        lock_sheets(played.pk)
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).order_by("pk")
    list(tables.filter(round__in=rounds, seats__entrant__number=double))
    lock_plan(event_id)
    drawn = Draw.objects.filter(round__stage__event=event_id).order_by("pk")
    list(drawn.select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True))
    event = locked_event(event_id)
    stays, goes = _entrant(event, keep, "keep"), _entrant(event, double, "double")
    _require_no_job(event)
    theirs = _draws_with(goes)
    _require_no_draft(theirs, double)
    _require_no_draft(_draws_with(stays), keep)
    _require_unnamed(goes)
    published = [draw for draw in theirs if draw.state == DrawState.PUBLISHED]
    for draw in published:
        if _drawn_in(draw, stays):
            raise Conflict(
                "both_drawn",
                _(
                    "Both numbers are drawn in one round (%(round)s). Unpublish and discard that draw, merge, "
                    "and draw again; if both have played, they are two players."
                ),
                params={"round": title_of(draw.round)},
            )
    if published:
        _require_open_standings(event)
    falls = fallen(what_falls(of_entrant(Act.MERGE, goes, stays)))
    merger = keep_merger(stays, goes, published, whole=bool(published))
    _carry_over(stays, goes)
    close_merger(merger, stays)
    for draw in published:
        _move_in_draw(draw, stays, goes, actor)
    _move_places(stays, goes)
    before = {"number": double, "epoch": goes.link_epoch, "kept": stays.pk}
    if published:
        _close_number(goes)
        gone: Entrant = goes
    else:
        gone = Entrant(pk=_delete(goes, theirs), event=event)
    audit.append(
        gone,
        "entrant.merged" if published else "entrant.removed",
        actor,
        before=before,
        after={"state": EntrantState.MERGED, "into": stays.pk} if published else None,
    )
    audit.append(
        stays, "entrant.kept", actor, after={"state": stays.state, "double": double, "falls": falls}
    )
    return stays


def merger_of(event: Event, number: int) -> Merger:
    """Return the merger of a number into another; :class:`NotHere` where there is none."""
    merger = Merger.objects.filter(event=event, number=number).first()
    if merger is None:
        raise NotHere(
            "not_merged",
            _("Number %(number)d was not merged into another."),
            field="double",
            params={"number": number},
        )
    return merger


@verb("entrants_unmerge", Merger, "entrants.manage")
def unmerge_entrants(*, merger_id: int, actor: Actor) -> Entrant:
    """Undo a merger made by mistake: the merged number becomes a player of its own again.

    Seats, byes, results and details that came from it return to it; later changes and results stay
    with the number that was kept. Both badges open the same pages as before. Devices and addresses
    that received its notices must subscribe again.

    Raises :class:`Conflict` with the reason when later changes depend on the merger.
    """
    merger = Merger.objects.get(pk=merger_id)
    event_id = merger.event_id
    drawn = Draw.objects.filter(pk__in=merger.before["draws"]).order_by("pk")
    for played in drawn.order_by("round__stage__order", "round__number"):
        lock_sheets(played.round_id)
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).order_by("pk")
    list(tables.filter(round__draws__in=drawn, seats__entrant=merger.into_id))
    lock_plan(event_id)
    draws = list(
        drawn.select_related("round__stage__event").select_for_update(no_key=True, of=("self",))
    )
    event = locked_event(event_id)
    merger = Merger.objects.select_related("event", "into", "person", "partner").get(pk=merger.pk)
    stays = _entrant(event, merger.into.number, "keep")
    _require_as_merged(event, merger, stays, draws)
    goes = part(merger, stays, draws, actor)
    audit.append(
        goes,
        "entrant.unmerged",
        actor,
        before={"state": EntrantState.MERGED, "into": stays.pk},
        after={"number": goes.number, "state": goes.state, "person": goes.person_id},
    )
    audit.append(
        stays, "entrant.kept", actor, after={"state": stays.state, "double": merger.number}
    )
    return goes


def _require_as_merged(event: Event, merger: Merger, stays: Entrant, draws: list[Draw]) -> None:
    """Refuse where something was built on the merger that two could not share."""
    _require_no_job(event)
    _require_no_draft(_draws_with(stays), stays.number)
    if merger.person.erased_at is not None:
        raise Conflict("person_erased", _("The data of this player is erased."))
    number, whole = merger.number, merger.before["goes"]["whole"]
    if not whole and event.entrants.filter(number=number).exists():
        raise Conflict(
            "number_taken",
            _("Number %(number)d is already taken."),
            field="double",
            params={"number": number},
        )
    if draws:
        _require_open_standings(event)
    _require_unnamed(stays)
    for draw in draws:
        seated = {who for table in draw.tables for who in table["players"]}
        if stays.pk not in seated | {*draw.byes, *draw.held}:
            raise Conflict(
                "seated_since",
                _("Number %(number)d was replaced in %(round)s since then."),
                params={"number": stays.number, "round": title_of(draw.round)},
            )


def _require_open_standings(event: Event) -> None:
    firm = Standings.objects.filter(stage__event=event).exclude(state=StandingsState.PROVISIONAL)
    if firm.exists():
        raise Conflict(
            "standings_firm",
            _("Standings of this event are frozen or final: release them first."),
        )


_OWN_WAY: Final = frozenset({"partner", "state", "withdrawn_after", "from_round"})
"""Columns of which a merger does not simply take the one that is not as usual."""


def _carry_over(stays: Entrant, goes: Entrant) -> None:
    """Give ``stays`` what it lacks and ``goes`` has; the state closest to playing holds."""
    if (state := EntrantState.when_merged(stays.state, goes.state)) != stays.state:
        stays.state, stays.withdrawn_after = state, goes.withdrawn_after
    stays.from_round = min(stays.from_round, goes.from_round)
    if stays.partner is None and goes.partner is not None:
        stays.partner, goes.partner = goes.partner, None
        goes.save(update_fields=["partner"])
    for each in columns(Entrant, To.MERGE):
        if each.name not in _OWN_WAY and getattr(stays, each.attname) == each.get_default():
            setattr(stays, each.attname, getattr(goes, each.attname))
    if given := lacking(stays.person, goes.person):
        for name in given:
            setattr(stays.person, name, getattr(goes.person, name))
        stays.person.save(update_fields=given)
    stays.save()


def _move_in_draw(draw: Draw, stays: Entrant, goes: Entrant, actor: Actor) -> None:
    """Seat ``stays`` where ``goes`` sat in a published round, results included."""
    edit = {"verb": "replace", "one": goes.number, "two": stays.number, "published": True}
    note(draw, edit, {}, actor)
    draw.plan = replaced_in_plan(draw.plan, goes.number, stays.number)
    trade_seats(draw, {goes.pk: stays.pk})
    draw.save()
    Table.objects.filter(round=draw.round_id, decided_for=goes).update(decided_for=stays)


def _move_places(stays: Entrant, goes: Entrant) -> None:
    """Move places in stages and bans; one that ``stays`` has already is dropped."""
    for place in goes.stages.all():
        if StageEntrant.objects.filter(stage=place.stage_id, entrant=stays).exists():
            place.delete()
        else:
            place.entrant = stays
            place.save(update_fields=["entrant"])
    for ban in (*goes.bans_as_one.all(), *goes.bans_as_two.all()):
        other = ban.two_id if ban.one_id == goes.pk else ban.one_id
        if other != stays.pk:
            one, two = sorted((stays.pk, other))
            Ban.objects.get_or_create(
                event=stays.event, one_id=one, two_id=two, defaults={"made_by": ban.made_by}
            )
        ban.delete()


def _close_number(goes: Entrant) -> None:
    """Reserve the number of a merged player, without a name and without a link."""
    partner, goes.partner = goes.partner, None
    goes.club, goes.family = None, ""
    goes.state, goes.link_hash = EntrantState.MERGED, ""
    goes.person = Person.objects.create(**erased(), erased_at=timezone.now())
    goes.save()
    forget_notices(Entrant.objects.filter(pk=goes.pk))
    _drop_unused(partner)
