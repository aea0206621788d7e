"""Tables as the scorekeeper's phone sees them: the link, the one writing device, the call."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, NotHere, Refused
from scoring.links import make_token, token_hash
from scoring.models import RefereeCall, ScoringTable, Series, Sheet, SidePen
from scoring.rules import by_player, sides_of


def table_token(table: ScoringTable) -> str:
    """The token of the table's present link, to be printed on its slip."""
    return make_token("table", table.pk, table.token_epoch)


@transaction.atomic
def open_table(*, scope: uuid.UUID, label: str, actor: Actor) -> ScoringTable:
    """Create a table with a working link."""
    table = ScoringTable(scope=scope, label=label)
    table.token_hash = token_hash(table_token(table))
    table.save()
    return table


def table_by_token(token: str) -> ScoringTable:
    """The open table a link leads to; :class:`NotHere` for a wrong, revoked or closed one."""
    table = ScoringTable.objects.filter(token_hash=token_hash(token), open=True).first()
    if table is None:
        raise NotHere(
            "link_not_valid",
            _("This link is not valid (any more). Ask the director for this round's slip."),
        )
    # Whatever this request still has to say to the logs is about this table.
    structlog.contextvars.bind_contextvars(table_id=str(table.pk))
    return table


@transaction.atomic
def revoke_link(*, table_id: uuid.UUID, actor: Actor, reason: str) -> ScoringTable:
    """Make every slip printed so far for this table worthless; a new slip carries a new link."""
    table = ScoringTable.objects.select_for_update(no_key=True).get(pk=table_id)
    table.token_epoch += 1
    table.token_hash = token_hash(table_token(table))
    table.writer = None
    table.writer_since = None
    table.writer_epoch += 1
    table.side_pens.all().delete()
    table.save()
    audit.append(
        scope=table.scope, actor=actor, verb="table.link_revoked", subject=table,
        after={"epoch": table.token_epoch, "reason": reason},
    )  # fmt: skip
    return table


@dataclass(frozen=True, slots=True)
class Writing:
    """Whether a device may write at a table, and since when another may not."""

    allowed: bool
    epoch: int
    taken_over: bool = False
    side: str = ""


def writing_of(table: ScoringTable, device: uuid.UUID, side: str = "") -> Writing:
    """Whether ``device`` may write now, without taking anything."""
    if not side:
        return Writing(table.writer == device, table.writer_epoch)
    held = table.side_pens.filter(side=side, device=device).exists()
    return Writing(held, table.writer_epoch, side=side if held else "")


def side_of_device(table: ScoringTable, device: uuid.UUID) -> str:
    """The side for which ``device`` writes in blind double entry; empty when for none."""
    pen = table.side_pens.filter(device=device).order_by("-since").first()
    return pen.side if pen else ""


def phoneless(table: ScoringTable, sheet: Sheet) -> set[str]:
    """The players of a table that is not two pairs for whom no phone writes in double entry."""
    if not by_player(sheet):
        return set()
    return set(sides_of(sheet)) - set(table.side_pens.values_list("side", flat=True))


@transaction.atomic
def take_writing(
    *, table_id: uuid.UUID, device: uuid.UUID, knowingly: bool = False, side: str = ""
) -> Writing:
    """Make ``device`` the table's writing device (for ``side`` in blind double entry).

    The first device gets the pen. Another gets it only ``knowingly``; the first is then told at
    its next request (:class:`Conflict` ``pen_taken``).
    """
    table = ScoringTable.objects.select_for_update(no_key=True).get(pk=table_id)
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
        scope=table.scope, actor=Actor.device(device), verb="table.pen_taken", subject=table,
        before={"writer": before}, after={"writer": str(device), "epoch": table.writer_epoch},
    )  # fmt: skip
    return Writing(True, table.writer_epoch, taken_over)


def _take_side(table: ScoringTable, device: uuid.UUID, side: str, knowingly: bool) -> Writing:
    sides = {each for sheet in table.sheets.all() for each in sides_of(sheet)}
    if side not in (sides or {Series.NS, Series.EW}):
        raise Refused("unknown_side", _("Choose the side that you write for."), field="side")
    pen = table.side_pens.filter(side=side).first()
    if pen is not None and pen.device == device:
        return Writing(True, table.writer_epoch, side=side)
    if pen is not None and not knowingly:
        return Writing(False, table.writer_epoch)
    before = str(pen.device) if pen else None
    # One phone writes for one side: blind means that it does not see both.
    table.side_pens.filter(device=device).delete()
    SidePen.objects.update_or_create(
        table=table, side=side, defaults={"device": device, "since": timezone.now()}
    )
    table.writer_epoch += 1
    table.save(update_fields=["writer_epoch"])
    audit.append(
        scope=table.scope, actor=Actor.device(device), verb="table.pen_taken", subject=table,
        before={"writer": before, "side": side},
        after={"writer": str(device), "side": side, "epoch": table.writer_epoch},
    )  # fmt: skip
    return Writing(True, table.writer_epoch, before is not None, side)


def require_pen(table: ScoringTable, actor: Actor, *, side: str = "") -> None:
    """Refuse a device that does not hold the table's pen (or ``side``'s); staff need none."""
    if actor.kind != "device":
        return
    pens = table.side_pens.filter(device=actor.id)
    if side:
        held = pens.filter(side=side).exists()
    else:
        # What both sides may do (bell, dispute) any of the two pens of a double entry may do.
        held = str(table.writer) == actor.id or pens.exists()
    if not held:
        raise Conflict(
            "pen_taken",
            _("Another phone writes at this table now. Take over to write here again."),
        )


@transaction.atomic
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
    table = ScoringTable.objects.select_for_update(no_key=True).get(pk=table_id)
    waiting = table.calls.filter(closed_at__isnull=True).first()
    if waiting is not None:
        return waiting
    sheet = Sheet.objects.filter(pk=sheet_id, table=table).first() if sheet_id else None
    call = RefereeCall.objects.create(
        table=table, sheet=sheet, deal=deal, topic=topic, reason=reason[:200], called_by=str(actor),
        called_at=timezone.now(),
    )  # fmt: skip
    audit.append(
        scope=table.scope, actor=actor, verb="referee.called", subject=call,
        after={"table": table.pk, "sheet": sheet_id, "deal": deal},
    )  # fmt: skip
    return call


@transaction.atomic
def claim_call(*, call_id: uuid.UUID, actor: Actor) -> RefereeCall:
    """A referee takes the call; another referee is told who did."""
    call = RefereeCall.objects.select_for_update(no_key=True).get(pk=call_id)
    if call.claimed_by and call.claimed_by != str(actor):
        raise Conflict("call_claimed", _("Another referee is already on the way to this table."))
    if not call.claimed_by:
        call.claimed_by = str(actor)
        call.claimed_at = timezone.now()
        call.save(update_fields=["claimed_by", "claimed_at"])
        audit.append(
            scope=call.table.scope, actor=actor, verb="referee.claimed", subject=call,
            after={"table": call.table_id},
        )  # fmt: skip
    return call


@transaction.atomic
def close_call(*, call_id: uuid.UUID, actor: Actor) -> RefereeCall:
    """The matter is settled; closing twice changes nothing."""
    call = RefereeCall.objects.select_for_update(no_key=True).get(pk=call_id)
    if call.closed_at is None:
        call.closed_at = timezone.now()
        call.save(update_fields=["closed_at"])
        audit.append(
            scope=call.table.scope, actor=actor, verb="referee.call_closed", subject=call,
            after={"table": call.table_id},
        )  # fmt: skip
    return call
