"""Tables as the scorekeeper's phone sees them: the link, the one writing device, the call."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import structlog
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.change import change
from ledger.errors import Conflict, NotAllowed, NotHere, Refused
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
from tournament.tables.rules import sides_of


def table_by_token(token: str) -> Table:
    """The open table a link leads to; :class:`NotHere` for a wrong, revoked or closed one."""
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
    part = table.round
    of_event = {} if part is None else {"slug": part.stage.event.slug}
    structlog.contextvars.bind_contextvars(table_id=str(table.pk), **of_event)
    return table


@change()
def revoke_link(*, table_id: uuid.UUID, actor: Actor, reason: str) -> Table:
    """Make every slip printed so far for this table worthless; a new slip carries a new link."""
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    table.token_epoch += 1
    table.token_hash = token_hash(table_token(table))
    table.writer = None
    table.writer_since = None
    table.writer_epoch += 1
    table.side_writers.all().delete()
    table.save()
    audit.append(
        table, "table.link_revoked", actor, after={"epoch": table.token_epoch, "reason": reason}
    )
    return table


@change()
def open_link(*, table_id: uuid.UUID, actor: Actor) -> str:
    """Record that somebody was given the link of a table, as on its slip; returns its key."""
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


@change()
def take_writing(
    *, table_id: uuid.UUID, device: uuid.UUID, knowingly: bool = False, side: str = ""
) -> Writing:
    """Make ``device`` the table's writing device (for ``side`` in blind double entry).

    The first device becomes it. Another becomes it only ``knowingly``; the first is then refused at
    its next request (:class:`Conflict` ``pen_taken``).
    """
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    if side:
        return _take_side(table, device, side, knowingly)
    if table.writer == device:
        return Writing(True, table.writer_epoch)
    if table.writer is not None and not knowingly:
        return Writing(False, table.writer_epoch)
    taken_over = table.writer is not None
    before = str(table.writer) if table.writer else None
    table.writer = device
    table.writer_since = timezone.now()
    table.writer_epoch += 1
    table.save(update_fields=["writer", "writer_since", "writer_epoch"])
    audit.append(
        table,
        "table.pen_taken",
        Actor.device(device),
        before={"writer": before},
        after={"writer": str(device), "epoch": table.writer_epoch},
    )
    return Writing(True, table.writer_epoch, taken_over)


def _take_side(table: Table, device: uuid.UUID, side: str, knowingly: bool) -> Writing:
    sides = {each for sheet in table.sheets.all() for each in sides_of(sheet)}
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


def require_writer(table: Table, actor: Actor, *, side: str = "") -> None:
    """Refuse a device that does not write at the table (or for ``side``); staff may always."""
    if actor.kind != "device":
        return
    sides = table.side_writers.filter(device=actor.id)
    if side:
        may_write = sides.filter(side=side).exists()
    else:
        # What both sides may do (bell, dispute) either writing device of a double entry may do.
        may_write = str(table.writer) == actor.id or sides.exists()
    if not may_write:
        raise Conflict(
            "pen_taken",
            _("Another phone is now keeping score at this table. Take over to record here again."),
        )


@change()
def call_referee(
    *,
    table_id: uuid.UUID,
    reason: str,
    actor: Actor,
    sheet_id: uuid.UUID | None = None,
    deal: int | None = None,
    topic: str = "",
) -> RefereeCall:
    """Put the table into the referees' queue; a table that waits already keeps its place."""
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
        reason=reason[:200],
        called_by=str(actor),
        called_at=timezone.now(),
    )
    audit.append(
        call, "referee.called", actor, after={"table": table.pk, "sheet": sheet_id, "deal": deal}
    )
    return call


@change()
def contest_result(*, sheet_id: uuid.UUID, actor: Actor, words: str) -> RefereeCall:
    """Say that a signed result is wrong: it waits in the referees' queue until it is settled.

    Cut and prize list wait for it, play goes on. A player may do so at a table where they sat.
    """
    sheet = Sheet.objects.select_related("table").get(pk=sheet_id)
    if actor.kind == ActorKind.PLAYER and actor.id not in map(str, sheet.seats.values()):
        raise NotAllowed("not_your_table", _("You do not play at this table."))
    if sheet.state != SheetState.OFFICIAL:
        raise Conflict(
            "not_signed", _("This result is not signed: correct the sheet at the table.")
        )
    if not words.strip():
        raise Refused("reason_missing", _("Enter what is wrong."), field="words")
    return call_referee(
        table_id=sheet.table_id,
        sheet_id=sheet.pk,
        reason=words.strip(),
        actor=actor,
        topic=CallTopic.RESULT,
    )


@change()
def claim_call(*, call_id: uuid.UUID, actor: Actor) -> RefereeCall:
    """A referee takes the call; another referee is refused."""
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
    """No referee is on the way after all: an open call waits again."""
    call = RefereeCall.objects.select_for_update(no_key=True).get(pk=call_id)
    if call.closed_at is None and call.claimed_by:
        call.claimed_by, call.claimed_at = "", None
        call.save(update_fields=["claimed_by", "claimed_at"])
        audit.append(call, "referee.released", actor, after={"table": call.table_id})
    return call


@change()
def close_call(*, call_id: uuid.UUID, actor: Actor) -> RefereeCall:
    """The matter is settled; closing twice changes nothing."""
    call = RefereeCall.objects.select_for_update(no_key=True).get(pk=call_id)
    if call.closed_at is None:
        call.closed_at = timezone.now()
        call.save(update_fields=["closed_at"])
        audit.append(call, "referee.call_closed", actor, after={"table": call.table_id})
    return call
