"""Tables as the scorekeeper's phone sees them: the link, the one writing device, the call."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Annotated

import structlog
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.limits import CALLS_BY_TABLE
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.change import change
from ledger.errors import Conflict, NotAllowed, NotHere, Refused
from ledger.verbs import Between, Inner, Longest, Says, verb
from tournament.models import Round
from tournament.models.tables import (
    CallTopic,
    RefereeCall,
    Series,
    Sheet,
    SheetState,
    SideWriter,
    Table,
)
from tournament.tables.links import table_token, token_hash
from tournament.tables.score_sheet import ScoreSheet

from .untouched import locked_table

audit.name_verbs(
    "referee",
    call_closed=_("Call for the referee closed"),
    called=_("Referee called"),
    claimed=_("Referee on the way"),
    released=_("Call for the referee waiting again"),
)
audit.name_verbs(
    "table",
    link_opened=_("Table link opened"),
    link_revoked=_("Table link renewed"),
    pen_taken=_("Another phone keeps score"),
)


def table_by_token(token: str) -> Table:
    """Return the open table of a link; :class:`NotHere` for a wrong, revoked or closed one."""
    table = (
        Table.objects.select_related("round__stage__event")
        .filter(token_hash=token_hash(token), open=True)
        .first()
    )
    if table is None:
        raise NotHere(
            "link_not_valid",
            _("This link no longer works. Ask the director for this round’s table slip."),
        )
    # Whatever this request still has to say to the logs is about this table.
    round_ = table.round
    of_event = {} if round_ is None else {"slug": round_.stage.event.slug}
    structlog.contextvars.bind_contextvars(table_id=str(table.pk), **of_event)
    return table


@verb("rounds_new-link", Round, "rounds.manage", shows_row=True)
def revoke_link(*, round_id: uuid.UUID, table: int, actor: Actor, reason: str = "") -> Table:
    """Make every slip printed so far for a table worthless; a new slip carries a new link."""
    revoked = locked_table(round_id, table)
    revoked.token_epoch += 1
    revoked.token_hash = token_hash(table_token(revoked))
    revoked.writer = None
    revoked.writer_since = None
    revoked.writer_epoch += 1
    revoked.side_writers.all().delete()
    revoked.save()
    audit.append(
        revoked, "table.link_revoked", actor, after={"epoch": revoked.token_epoch, "reason": reason}
    )
    return revoked


@change()
def open_link(*, table_id: uuid.UUID, actor: Actor) -> str:
    """Record that a table's link, as on its slip, was shown to staff; returns its key."""
    table = Table.objects.get(pk=table_id)
    audit.append(table, "table.link_opened", actor)
    return table_token(table)


@dataclass(frozen=True, slots=True)
class Writing:
    """Whether a device may write at a table, and since when another may not."""

    allowed: bool
    epoch: int
    taken_over: bool = False
    side: str = ""


@verb("tables_take_pen", Table, "", at="pen/", by_link=True)
def take_writing(
    *,
    table_id: uuid.UUID,
    actor: Actor,
    knowingly: bool = False,
    side: Annotated[str, Says("The side that it records for, in blind double entry.")] = "",
) -> Writing:
    """Keep score on this device; from another device only ``knowingly``."""
    # The former scorekeeper's device is then refused at its next request (``pen_taken``).
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    if side:
        return _take_side(table, uuid.UUID(actor.id), side, knowingly)
    taken_over = table.writer is not None and str(table.writer) != actor.id
    if taken_over and not knowingly:
        return Writing(False, table.writer_epoch)
    if str(table.writer) != actor.id:
        take_pen(table, actor)
    return Writing(True, table.writer_epoch, taken_over)


def take_pen(table: Table, actor: Actor) -> None:
    """Make a device the one that writes at a locked table."""
    before = str(table.writer) if table.writer else None
    table.writer = uuid.UUID(actor.id)
    table.writer_since = timezone.now()
    table.writer_epoch += 1
    table.save(update_fields=["writer", "writer_since", "writer_epoch"])
    audit.append(
        table,
        "table.pen_taken",
        actor,
        before={"writer": before},
        after={"writer": actor.id, "epoch": table.writer_epoch},
    )


def _take_side(table: Table, device: uuid.UUID, side: str, knowingly: bool) -> Writing:
    sides = {each for sheet in table.sheets.all() for each in ScoreSheet(sheet).sides}
    if side not in (sides or {Series.NS, Series.EW}):
        raise Refused("unknown_side", _("Choose the side you are recording for."), field="side")
    writer = table.side_writers.filter(side=side).first()
    if writer is not None and writer.device == device:
        return Writing(True, table.writer_epoch, side=side)
    if writer is not None and not knowingly:
        return Writing(False, table.writer_epoch)
    before = str(writer.device) if writer else None
    # One phone writes for one side: blind means that it does not see both.
    table.side_writers.filter(device=device).delete()
    SideWriter.objects.update_or_create(
        table=table, side=side, defaults={"device": device, "since": timezone.now()}
    )
    table.writer_epoch += 1
    table.save(update_fields=["writer_epoch"])
    audit.append(
        table,
        "table.pen_taken",
        Actor.device(device),
        before={"writer": before, "side": side},
        after={"writer": str(device), "side": side, "epoch": table.writer_epoch},
    )
    return Writing(True, table.writer_epoch, before is not None, side)


@verb(
    "tables_call_referee",
    Table,
    "",
    at="calls/",
    statuses={RefereeCall: 201},
    by_link=True,
)
def call_referee(
    *,
    table_id: uuid.UUID,
    reason: Annotated[str, Longest(200)],
    actor: Actor,
    sheet_id: Annotated[uuid.UUID | None, Inner()] = None,
    deal: Annotated[int | None, Between(1, 999)] = None,
    topic: Annotated[str, Inner()] = "",
) -> RefereeCall:
    """Put the table into the referees' queue; a waiting table does not lose its place."""
    if actor.kind == ActorKind.DEVICE:
        CALLS_BY_TABLE.check(str(table_id))
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    calls = table.calls.filter(closed_at__isnull=True)
    result = topic == CallTopic.RESULT
    waiting = (
        calls.filter(topic=topic, sheet=sheet_id) if result else calls.exclude(topic="result")
    ).first()
    if waiting is not None:
        return waiting
    sheet = Sheet.objects.filter(pk=sheet_id, table=table).first() if sheet_id else None
    call = RefereeCall.objects.create(
        table=table,
        sheet=sheet,
        deal=deal,
        topic=topic,
        reason=reason,
        called_by=str(actor),
        called_at=timezone.now(),
    )
    audit.append(
        call, "referee.called", actor, after={"table": table.pk, "sheet": sheet_id, "deal": deal}
    )
    return call


@verb("sheets_contest", Sheet, "sheets.correct", statuses={RefereeCall: 201}, by_link=True)
def contest_result(
    *, sheet_id: uuid.UUID, actor: Actor, reason: Annotated[str, Longest(200)]
) -> RefereeCall:
    """Contest a signed result: it waits in the referees' queue until it is settled.

    Qualification and prizes wait for it, play continues. A player may do so at a table where they sat.
    """
    sheet = Sheet.objects.select_related("table").get(pk=sheet_id)
    if actor.kind == ActorKind.PLAYER and actor.id not in map(str, sheet.seats.values()):
        raise NotAllowed("not_your_table", _("You do not play at this table."))
    if sheet.state != SheetState.OFFICIAL:
        raise Conflict(
            "not_signed", _("This result is not signed: correct the sheet at the table.")
        )
    if not reason.strip():
        raise Refused("reason_missing", _("Enter what is wrong."), field="reason")
    return call_referee(
        table_id=sheet.table_id,
        sheet_id=sheet.pk,
        reason=reason.strip(),
        actor=actor,
        topic=CallTopic.RESULT,
    )


@change()
def claim_call(*, call_id: uuid.UUID, actor: Actor) -> RefereeCall:
    """Take a call as a referee; another referee is refused."""
    call = RefereeCall.objects.select_for_update(no_key=True).get(pk=call_id)
    if call.claimed_by and call.claimed_by != str(actor):
        raise Conflict("call_claimed", _("Another referee is already on the way to this table."))
    if not call.claimed_by:
        call.claimed_by = str(actor)
        call.claimed_at = timezone.now()
        call.save(update_fields=["claimed_by", "claimed_at"])
        audit.append(call, "referee.claimed", actor, after={"table": call.table_id})
    return call


@change()
def release_call(*, call_id: uuid.UUID, actor: Actor) -> RefereeCall:
    """Release a claimed call, so that it waits for a referee again."""
    call = RefereeCall.objects.select_for_update(no_key=True).get(pk=call_id)
    if call.closed_at is None and call.claimed_by:
        call.claimed_by, call.claimed_at = "", None
        call.save(update_fields=["claimed_by", "claimed_at"])
        audit.append(call, "referee.released", actor, after={"table": call.table_id})
    return call


@change()
def close_call(*, call_id: uuid.UUID, actor: Actor) -> RefereeCall:
    """Close a settled call; closing twice changes nothing."""
    call = RefereeCall.objects.select_for_update(no_key=True).get(pk=call_id)
    if call.closed_at is None:
        call.closed_at = timezone.now()
        call.save(update_fields=["closed_at"])
        audit.append(call, "referee.call_closed", actor, after={"table": call.table_id})
    return call
