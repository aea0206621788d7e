"""Incidents: from a table's call, a referee's own eyes or the record of a deal; ruled, dismissed or withdrawn."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from django.conf import settings
from django.db.models import Max, Q
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from adjudication.models import UNRULED, ConfirmationState, Incident, IncidentState
from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, NotHere, Refused
from ledger.verbs import Longest, Says, verb
from scoring.engine.shapes import ViolationJson
from tournament.models import Event, Round, RoundState, Table
from tournament.models.tables import (
    CallTopic,
    DealVersion,
    RefereeCall,
    Series,
    Sheet,
    SheetState,
)
from tournament.services import tables

from .access import require_not_own_table
from .codes import locked
from .words import cleaned

audit.name_verbs(
    "incident",
    called=_("Incident from a call at the table"),
    dismissed=_("Incident dismissed"),
    handed_over=_("Incident handed over to the chief referee"),
    merged=_("Incident merged into another"),
    opened=_("Incident opened"),
    placed=_("Incident placed at a table"),
    seated=_("Seats of a pair stated"),
    shown_again=_("Revoke found in the record again"),
    vanished=_("Revoke removed from the record by a correction"),
    withdrawn=_("Incident opened by mistake and withdrawn"),
)

RECORD = Actor.system("record")
"""Who opens an incident that the record of a deal proves."""
RELATED = ("event", "call", "round__stage__event", "table", "sheet__table")


def incident_by_number(event: Event, number: int) -> Incident:
    """Return the incident of an event, with the rows its page needs; raise :class:`NotHere` if there is none."""
    incident = Incident.objects.filter(event=event, number=number).select_related(*RELATED).first()
    if incident is None:
        raise NotHere("no_such_incident", _("No such incident in this event."))
    return incident


def locked_incident(incident_id: uuid.UUID) -> Incident:
    """Lock the incident, after its event's penal code."""
    event = Event.objects.get(incidents=incident_id)
    locked(event)
    return (
        Incident.objects.select_for_update(of=("self",), no_key=True)
        .select_related(*RELATED)
        .get(pk=incident_id)
    )


@change()
def take_call(*, call_id: uuid.UUID, actor: Actor) -> Incident:
    """Claim a waiting call and open its incident; the same referee taking it again changes nothing.

    Where the record of that deal has opened an incident that nobody has taken, it is that one.
    """
    call = RefereeCall.objects.select_related("table__round").filter(pk=call_id).first()
    if call is None:
        raise NotHere("no_such_call", _("No such call."))
    event = Event.objects.filter(pk=call.table.scope).first()
    if event is None:
        raise NotHere("no_such_call", _("No such call."))
    locked(event)
    table = call.table
    sheet = call.sheet or _sheet_in_play(call.table)
    probe = Incident(event=event, table=table, seats=_seats(table, sheet))
    require_not_own_table(actor, probe)
    proven = _proven(sheet, _deal_of(call, sheet))
    call = tables.claim_call(call_id=call_id, actor=actor)
    known = Incident.objects.filter(call=call).select_related(*RELATED).first()
    if known is not None:
        return known
    if proven is not None:
        proven.call, proven.taken_by = call, str(actor)
        proven.save(update_fields=["call", "taken_by"])
        audit.append(
            proven, "incident.called", actor, after={"number": proven.number, "call": call.pk}
        )
        return proven
    return _open(
        event=event,
        table=table,
        sheet=sheet,
        deal=_deal_of(call, sheet),
        call=call,
        description=call.subject,
        actor=actor,
        taken_by=str(actor),
    )


def _proven(sheet: Sheet | None, deal: int | None) -> Incident | None:
    """Lock and return the first unclaimed incident opened by the record of this deal."""
    if sheet is None or deal is None:
        return None
    return (
        Incident.objects.select_for_update(of=("self",), no_key=True)
        .filter(sheet=sheet, deal=deal, state=IncidentState.OPEN, call=None, taken_by="")
        .exclude(violation_key="")
        .select_related(*RELATED)
        .order_by("number")
        .first()
    )


@change()
def open_incident(
    *,
    event_id: uuid.UUID,
    table_id: uuid.UUID | None,
    description: str,
    actor: Actor,
    game: int | None = None,
    deal: int | None = None,
) -> Incident:
    """Open an incident that no table called for; ``game`` and ``deal`` where it concerns one.

    Without ``game`` it concerns the game in play; refused where all of several games are over.
    """
    event = Event.objects.get(pk=event_id)
    locked(event)
    if not cleaned(description, 500):
        raise Refused("told_missing", _("Describe in a few words what happened."), field="told")
    table = sheet = None
    if table_id is not None:
        table = (
            Table.objects.select_related("round")
            .filter(pk=table_id, round__stage__event=event)
            .first()
        )
        if table is None:
            raise Refused("no_such_table", _("No such table in this event."), field="table")
        sheet = _sheet_of(table, game) if game is not None else _sheet_in_play(table)
        if game is not None and sheet is None:
            raise Refused("no_such_game", _("This table has no such game."), field="game")
        if game is None and sheet is not None and sheet.order > 1 and sheet.state in _CLOSED:
            raise Refused(
                "game_missing",
                _("All games of this table are over: enter the game that it is about."),
                field="game",
            )
    if deal is not None:
        if sheet is None:
            raise Refused(
                "game_missing", _("Enter the game in which the deal was played."), field="game"
            )
        _require_deal(sheet, deal)
    return _open(
        event=event,
        table=table,
        sheet=sheet,
        deal=deal,
        call=None,
        description=description.strip(),
        actor=actor,
        taken_by=str(actor),
    )


@verb("incidents_open", Event, "incidents.rule", at="incidents/", statuses={Incident: 201})
def open_at(
    *,
    event_id: uuid.UUID,
    actor: Actor,
    call: uuid.UUID | None = None,
    round: uuid.UUID | None = None,
    table: int | None = None,
    game: Annotated[int | None, Says("Without it the game that the table is playing.")] = None,
    deal: int | None = None,
    told: str = "",
) -> Incident:
    """Take a waiting ``call``, or open an incident at a ``table`` of a ``round``."""
    if call is None:
        return open_incident(
            event_id=event_id,
            table_id=_table(event_id, table, round),
            description=told,
            actor=actor,
            game=game,
            deal=deal,
        )
    if not RefereeCall.objects.filter(pk=call, table__scope=event_id).exists():
        raise Refused("no_such_call", _("No such call."), field="call")
    return take_call(call_id=call, actor=actor)


def _table(event_id: uuid.UUID, number: int | None, round_id: uuid.UUID | None) -> uuid.UUID | None:
    """Return the table of a round, by default of the latest published round."""
    if number is None:
        return None
    rounds = Round.objects.filter(stage__event=event_id, published_at__isnull=False)
    if round_id is not None:
        rounds = rounds.filter(pk=round_id)
    round_ = rounds.order_by("-stage__order", "-number").first()
    if round_ is None and round_id is not None:
        raise Refused("no_such_round", _("This event has no such round."), field="round")
    table = Table.objects.filter(round=round_, number=number).first() if round_ else None
    if table is None:
        raise Refused("no_such_table", _("This round has no such table."), field="table")
    return table.pk


def _sheet_of(table: Table, game: int) -> Sheet | None:
    return table.sheets.select_related("table").filter(order=game).first()


_CLOSED = (SheetState.OFFICIAL, SheetState.VOID)


def _sheet_in_play(table: Table) -> Sheet | None:
    """Return the last game in play; else the first unclosed game, else the last."""
    listed = list(table.sheets.select_related("table").order_by("order"))
    still = [sheet for sheet in listed if sheet.state not in _CLOSED]
    deals = DealVersion.objects.filter(sheet__in=still, series=Series.OFFICIAL, current=True)
    begun = set(deals.values_list("sheet", flat=True))
    playing = [sheet for sheet in still if sheet.pk in begun and not sheet.finished]
    return next(iter(playing[-1:] or still or listed[-1:]), None)


def _require_deal(sheet: Sheet, deal: int) -> None:
    if sheet.totals:
        raise Refused(
            "points_alone",
            _("Only the points of this game were copied from paper: leave the deal empty."),
            field="deal",
        )
    count = sheet.deals.filter(series=Series.OFFICIAL, current=True).count()
    if not 1 <= deal <= count + 1:
        raise Refused(
            "no_such_deal",
            ngettext(
                "The sheet has %(count)d deal: choose it, or the next.",
                "The sheet has %(count)d deals: choose one, or the next.",
                count,
            ),
            field="deal",
            params={"count": count},
        )


def _deal_in_play(sheet: Sheet | None) -> int | None:
    """Return the deal in play: the next to enter, or the last of a finished match.

    ``None`` where the points alone of a game were copied from paper.
    """
    if sheet is None or sheet.totals:
        return None
    count = sheet.deals.filter(series=Series.OFFICIAL, current=True).count()
    return count if sheet.finished and count else count + 1


def in_play(table: Table) -> tuple[int | None, int | None]:
    """Return the game and the deal that a table is playing, each ``None`` where there is none."""
    sheet = _sheet_in_play(table)
    return (sheet.order if sheet is not None else None), _deal_in_play(sheet)


def _deal_of(call: RefereeCall, sheet: Sheet | None) -> int | None:
    """Return the deal named by the table, or the deal in play; never a deal after the end of the match."""
    playing = _deal_in_play(sheet)
    if call.deal is None or playing is None:
        return playing
    return min(call.deal, playing)


def _seats(table: Table | None, sheet: Sheet | None) -> dict[str, int]:
    if sheet is not None:
        return sheet.seats
    if table is not None:
        return dict(table.seats.values_list("position", "entrant_id"))
    return {}


def _open(
    *,
    event: Event,
    table: Table | None,
    sheet: Sheet | None,
    deal: int | None,
    call: RefereeCall | None,
    description: str,
    actor: Actor,
    taken_by: str,
    violation: ViolationJson | None = None,
    opened_at: datetime | None = None,
) -> Incident:
    last = Incident.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0
    incident = Incident.objects.create(
        event=event,
        number=last + 1,
        call=call,
        round=table.round if table else None,
        table=table,
        table_number=table.number if table else None,
        sheet=sheet,
        deal=deal,
        seats=_seats(table, sheet),
        told=cleaned(description, 500),
        opened_by=str(actor),
        opened_at=opened_at or timezone.now(),
        taken_by=taken_by,
        violation_key=violation_key(violation) if violation else "",
        violation=violation or {},
    )
    audit.append(
        incident,
        "incident.opened",
        actor,
        after={
            "number": incident.number,
            "table": table.pk if table else None,
            "sheet": sheet.pk if sheet else None,
            "deal": deal,
            "call": call.pk if call else None,
        },
    )
    return incident


def violation_key(violation: ViolationJson) -> str:
    """Return the key that identifies a violation across versions of the deal."""
    return "{trick}:{seat}:{card}:{kind}".format(**violation)


@change()
def follow_record(*, sheet_id: uuid.UUID, number: int) -> list[Incident]:
    """Open an incident for every violation that the record of a deal proves, once for each.

    One that a correction took out of the record is marked so, and stays for the referee to close;
    a deal that a ruling annulled proves what it proved before. Returns the incidents opened.
    """
    sheet = Sheet.objects.select_related("table__round").filter(pk=sheet_id).first()
    event = Event.objects.filter(pk=sheet.scope).first() if sheet is not None else None
    if sheet is None or event is None:
        return []
    locked(event)
    deal = sheet.deals.filter(series=Series.OFFICIAL, number=number, current=True).first()
    if deal is None or deal.annulled:
        return []
    noted = Incident.objects.filter(sheet=sheet, deal=number).exclude(violation_key="")
    known = {incident.violation_key: incident for incident in noted}
    proven = {violation_key(violation): violation for violation in deal.flagged}
    for key, incident in known.items():
        _mark_vanished(incident, vanished=key not in proven)
    with translation.override(settings.LANGUAGE_CODE):
        description = str(_("The record of the deal shows an illegal card."))
    return [
        _open(
            event=event,
            table=sheet.table,
            sheet=sheet,
            deal=number,
            call=None,
            description=description,
            actor=RECORD,
            taken_by="",
            violation=violation,
            opened_at=deal.entered_at,
        )
        for key, violation in proven.items()
        if key not in known
    ]


def _mark_vanished(incident: Incident, *, vanished: bool) -> None:
    """Record that a violation has vanished from the deal's record, or has reappeared."""
    if vanished == (incident.vanished_at is not None):
        return
    incident.vanished_at = timezone.now() if vanished else None
    incident.save(update_fields=["vanished_at"])
    audit.append(
        incident,
        "incident.vanished" if vanished else "incident.shown_again",
        RECORD,
        after={"number": incident.number, "violation": incident.violation_key},
    )


def follow_records() -> int:
    """Open what :func:`follow_record` has missed at the tables of open rounds; how many deals."""
    rows = DealVersion.objects.filter(
        series=Series.OFFICIAL,
        current=True,
        annulled=False,
        sheet__table__open=True,
        sheet__table__round__state__in=[RoundState.PUBLISHED, RoundState.PLAYING],
    ).exclude(flagged=[])
    proven = list(rows.values_list("sheet_id", "number", "flagged"))
    if not proven:
        return 0
    noted = Incident.objects.filter(sheet__in={sheet for sheet, _number, _flagged in proven})
    known = set(noted.values_list("sheet_id", "deal", "violation_key"))
    missed = {
        (sheet, number)
        for sheet, number, flagged in proven
        for violation in flagged
        if (sheet, number, violation_key(violation)) not in known
    }
    for sheet, number in sorted(missed, key=str):
        follow_record(sheet_id=sheet, number=number)
    return len(missed)


def _require_nothing_waiting(incident: Incident) -> None:
    """Refuse to move or close an incident on which a decision waits for a second person."""
    if incident.confirmations.filter(state=ConfirmationState.WAITING).exists():
        raise Conflict(
            "confirmation_waits",
            _(
                "A decision on this incident is waiting for a second person: have it confirmed or refused first."
            ),
        )


@verb("incidents_place", Incident, "incidents.rule", done=_("Saved."))
def place_incident(
    *, incident_id: uuid.UUID, actor: Actor, game: int | None = None, deal: int | None = None
) -> Incident:
    """Say in which game and deal it happened; refused once a ruling was made."""
    incident = locked_incident(incident_id)
    require_not_own_table(actor, incident)
    _require_nothing_waiting(incident)
    if incident.rulings.exists():
        raise Conflict(
            "ruled_already",
            _("A ruling was made on this incident: open another one for this deal."),
        )
    if incident.table is None:
        raise Refused("no_table", _("This incident has no table."), field="game")
    sheet = _sheet_of(incident.table, game) if game is not None else incident.sheet
    if sheet is None:
        raise Refused("no_such_game", _("This table has no such game."), field="game")
    if deal is not None:
        _require_deal(sheet, deal)
    before = {"sheet": incident.sheet_id, "deal": incident.deal}
    incident.sheet, incident.deal, incident.seats = sheet, deal, _seats(incident.table, sheet)
    incident.save(update_fields=["sheet", "deal", "seats"])
    audit.append(
        incident, "incident.placed", actor, before=before, after={"sheet": sheet.pk, "deal": deal}
    )
    return incident


@verb("incidents_seat", Incident, "incidents.rule", done=_("Saved."))
def seat_pair(
    *,
    incident_id: uuid.UUID,
    actor: Actor,
    seat: Annotated[str, Longest(1), Says("The seat on the sheet: `N`, `E`, `S` or `W`.")],
    second: Annotated[
        bool, Says("The second-named of the pair sat there, else the first.")
    ] = False,
) -> Incident:
    """Say who of a pair sat at a seat, and so at the other one; pages and papers then name the player."""
    incident = locked_incident(incident_id)
    require_not_own_table(actor, incident)
    pair = [each for each, entrant in incident.seats.items() if entrant == incident.seats.get(seat)]
    if len(pair) != 2:
        raise Refused("no_pair_there", _("No pair sat at this seat."), field="seat")
    there = seat if second else next(each for each in pair if each != seat)
    before = {"second_at": incident.second_at}
    others = [each for each in incident.second_at if each not in pair]
    incident.second_at = "".join(sorted([*others, there]))
    incident.save(update_fields=["second_at"])
    after = {"second_at": incident.second_at}
    audit.append(incident, "incident.seated", actor, before=before, after=after)
    return incident


def _to_close(incident_id: uuid.UUID, actor: Actor, reason: str, wanted: Promise | str) -> Incident:
    """Lock an incident for closing with this reason; ``wanted``: the question for a missing reason."""
    incident = locked_incident(incident_id)
    require_not_own_table(actor, incident)
    if not cleaned(reason, 500):
        raise Refused("reason_missing", wanted, field="reason")
    if incident.state == IncidentState.RULED:
        raise Conflict("ruled_already", _("A ruling was made on this incident: annul it instead."))
    if incident.state not in UNRULED:
        _require_nothing_waiting(incident)
    return incident


@verb("incidents_dismiss", Incident, "incidents.rule", done=_("Closed without a ruling."))
def dismiss(*, incident_id: uuid.UUID, actor: Actor, reason: str) -> Incident:
    """Close an incident without a ruling, with the reason; the table's call is settled."""
    wanted = _("Give a reason for closing without a ruling.")
    incident = _to_close(incident_id, actor, reason, wanted)
    if incident.state in UNRULED:
        return incident
    close(incident, IncidentState.DISMISSED, reason.strip(), actor)
    audit.append(incident, "incident.dismissed", actor, after={"number": incident.number})
    return incident


@verb("incidents_withdraw", Incident, "incidents.rule", done=_("The incident has been withdrawn."))
def withdraw(*, incident_id: uuid.UUID, actor: Actor, reason: str) -> Incident:
    """Take back an incident that was opened by mistake, with the reason; it stays in the history.

    A call of the table that it came from waits again. What the record of the deal proves is no
    mistake: that is ruled on or closed.
    """
    wanted = _("Give a reason for withdrawing the incident.")
    incident = _to_close(incident_id, actor, reason, wanted)
    if incident.state in UNRULED:
        return incident
    if incident.violation_key and incident.vanished_at is None:
        raise Conflict(
            "in_the_record",
            _("The record of the deal shows this card: rule on it, or close it without a ruling."),
        )
    call = incident.call
    if call is not None:
        incident.call = None
        incident.save(update_fields=["call"])
        tables.release_call(call_id=call.pk, actor=actor)
    close(incident, IncidentState.WITHDRAWN, reason.strip(), actor)
    audit.append(
        incident,
        "incident.withdrawn",
        actor,
        after={"number": incident.number, "call": call.pk if call is not None else None},
    )
    return incident


def others_at_table(incident: Incident) -> list[Incident]:
    """Return the other open incidents at an incident's table, oldest first."""
    if incident.table_id is None:
        return []
    rows = Incident.objects.filter(table=incident.table_id, state=IncidentState.OPEN)
    return list(rows.exclude(pk=incident.pk).select_related(*RELATED).order_by("number"))


@verb("incidents_merge", Incident, "incidents.rule", done=_("Merged into this incident."))
def merge(*, incident_id: uuid.UUID, into: int, actor: Actor) -> Incident:
    """Close an open incident as the same matter as another open one of its table.

    The table's call goes with it, so that it stays open until the matter is ruled on.
    """
    incident = locked_incident(incident_id)
    require_not_own_table(actor, incident)
    _require_nothing_waiting(incident)
    other = next((each for each in others_at_table(incident) if each.number == into), None)
    if incident.state != IncidentState.OPEN or other is None:
        raise Refused(
            "nothing_to_merge",
            _("Only open incidents of one table can be merged."),
            field="into",
        )
    call = incident.call if other.call_id is None else None
    if call is not None:
        incident.call = None
        incident.save(update_fields=["call"])
        other.call = call
        other.save(update_fields=["call"])
    _close_as_same(incident, other, actor)
    return incident


def call_to_join(incident: Incident) -> tuple[RefereeCall | None, Incident | None]:
    """Return the table's open call about the deal of an incident that the record opened.

    The call is about play, or about nothing named. Beside it the incident that a referee opened from
    it and nobody has ruled on, locked: it is the same matter (:func:`join_call`).
    """
    if not incident.violation_key or incident.call_id is not None or incident.table_id is None:
        return None, None
    waiting = RefereeCall.objects.filter(
        Q(sheet=None) | Q(sheet=incident.sheet_id),
        table=incident.table_id,
        closed_at=None,
        topic__in=["", CallTopic.PLAY],
    )
    call = waiting.order_by("called_at").first()
    if call is None or _deal_of(call, incident.sheet) != incident.deal:
        return None, None
    taken = (
        Incident.objects.select_for_update(of=("self",), no_key=True)
        .filter(call=call)
        .select_related(*RELATED)
        .first()
    )
    if taken is not None and (
        taken.state != IncidentState.OPEN
        or taken.deal != incident.deal
        or taken.confirmations.filter(state=ConfirmationState.WAITING).exists()
    ):
        return None, None
    return call, taken


def join_call(incident: Incident, call: RefereeCall, taken: Incident | None, actor: Actor) -> None:
    """Attach a call, locked, to an incident; close the incident opened from it as the same matter."""
    if taken is not None:
        taken.call = None
        taken.save(update_fields=["call"])
        _close_as_same(taken, incident, actor)
    incident.call = call
    incident.save(update_fields=["call"])
    audit.append(
        incident, "incident.called", actor, after={"number": incident.number, "call": call.pk}
    )


def _close_as_same(incident: Incident, other: Incident, actor: Actor) -> None:
    """Close an incident as the same matter as another one."""
    with translation.override(settings.LANGUAGE_CODE):
        reason = str(_("The same as incident %(n)d.") % {"n": other.number})
    close(incident, IncidentState.DISMISSED, reason, actor)
    audit.append(
        incident,
        "incident.merged",
        actor,
        after={"number": incident.number, "into": other.number},
    )


def lock_call(call_id: uuid.UUID | None) -> None:
    """Lock the call that an incident came from, if any, until the end of the transaction."""
    if call_id is not None:
        RefereeCall.objects.select_for_update(no_key=True).get(pk=call_id)


def close(incident: Incident, state: str, reason: str, actor: Actor) -> None:
    """Settle an incident and the call it came from."""
    incident.state = state
    incident.closed_at = timezone.now()
    incident.closed_by = str(actor)
    incident.closed_reason = cleaned(reason, 500)
    incident.save(update_fields=["state", "closed_at", "closed_by", "closed_reason"])
    if incident.call_id is not None:
        tables.close_call(call_id=incident.call_id, actor=actor)
