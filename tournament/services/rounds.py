"""A round in play: its clock, extra time, and its close."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from scoring.models import ScoringTable, SheetState
from tournament.models import Adjustment, Round, RoundState, Table

from .events import bump
from .untouched import lock_tables


@transaction.atomic
def start_round(*, round_id: uuid.UUID, actor: Actor) -> Round:
    """Start the round's clock; starting twice changes nothing."""
    started = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage")
        .get(pk=round_id)
    )
    if started.state == RoundState.PLAYING:
        return started
    if started.state != RoundState.PUBLISHED:
        raise Conflict("not_published", _("Publish the draw before starting the clock."))
    started.state = RoundState.PLAYING
    started.started_at = timezone.now()
    started.ends_at = started.started_at + timedelta(minutes=started.stage.minutes)
    started.save(update_fields=["state", "started_at", "ends_at"])
    audit.append(
        scope=started.stage.event_id, actor=actor, verb="round.started", subject=started,
        after={"ends_at": started.ends_at.isoformat()},
    )  # fmt: skip
    bump(started.stage.event_id)
    return started


@transaction.atomic
def extend_round(*, round_id: uuid.UUID, minutes: int, actor: Actor) -> Round:
    """Give the whole round more (or less) time: -60 to 120 minutes."""
    if not -60 <= minutes <= 120 or minutes == 0:
        raise Refused(
            "minutes_out_of_range", _("Give between −60 and 120 minutes."), field="minutes"
        )
    extended = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage")
        .get(pk=round_id)
    )
    if extended.ends_at is None:
        raise Conflict("clock_not_running", _("The clock of this round is not running."))
    extended.ends_at += timedelta(minutes=minutes)
    extended.save(update_fields=["ends_at"])
    audit.append(
        scope=extended.stage.event_id, actor=actor, verb="round.extended", subject=extended,
        after={"minutes": minutes, "ends_at": extended.ends_at.isoformat()},
    )  # fmt: skip
    bump(extended.stage.event_id)
    return extended


@transaction.atomic
def give_table_time(*, table_id: uuid.UUID, minutes: int, actor: Actor) -> Table:
    """Give one table extra minutes after the bell: 1 to 60."""
    if not 1 <= minutes <= 60:
        raise Refused("minutes_out_of_range", _("Give between 1 and 60 minutes."), field="minutes")
    table = (
        Table.objects.select_for_update(of=("self",), no_key=True)
        .select_related("round__stage")
        .get(pk=table_id)
    )
    table.extra_minutes += minutes
    table.save(update_fields=["extra_minutes"])
    audit.append(
        scope=table.round.stage.event_id, actor=actor, verb="table.extended", subject=table,
        after={"minutes": minutes, "extra": table.extra_minutes},
    )  # fmt: skip
    bump(table.round.stage.event_id)
    return table


def unsigned_tables(played: Round) -> list[int]:
    """Numbers of the tables of a round with a sheet not yet official.

    Not among them: decided matches, and tables at which somebody forfeited the round and whose open
    games nobody began.
    """
    waiting = [SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED]
    unsigned = played.tables.filter(games__sheet__state__in=waiting, decided_for__isnull=True)
    gone = Adjustment.objects.filter(round=played, forfeited=True, annulled_at__isnull=True)
    forfeited = unsigned.filter(seats__entrant__in=gone.values("entrant")).values_list(
        "pk", flat=True
    )
    begun = played.tables.filter(
        pk__in=list(forfeited), games__sheet__state__in=waiting, games__sheet__deals__isnull=False
    ).values_list("pk", flat=True)
    return list(
        unsigned.exclude(pk__in=set(forfeited) - set(begun))
        .order_by("number")
        .values_list("number", flat=True)
        .distinct()
    )


@transaction.atomic
def close_round(*, round_id: uuid.UUID, actor: Actor) -> Round:
    """Close a round once every table has signed; its links stop working."""
    lock_tables(round_id)
    closed = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage")
        .get(pk=round_id)
    )
    if closed.state == RoundState.CLOSED:
        return closed
    if closed.state not in (RoundState.PLAYING, RoundState.PUBLISHED):
        raise Conflict("not_published", _("This round has not been played."))
    waiting = unsigned_tables(closed)
    if waiting:
        raise Conflict(
            "tables_not_signed",
            _("%(count)d tables have not signed yet: %(tables)s."),
            params={
                "count": len(waiting),
                "tables": ", ".join(map(str, waiting[:12])) + ("…" if len(waiting) > 12 else ""),
            },
        )
    closed.state = RoundState.CLOSED
    closed.closed_at = timezone.now()
    closed.save(update_fields=["state", "closed_at"])
    ScoringTable.objects.filter(table__round=closed).update(open=False)
    audit.append(scope=closed.stage.event_id, actor=actor, verb="round.closed", subject=closed)
    bump(closed.stage.event_id)
    return closed


@transaction.atomic
def reopen_round(*, round_id: uuid.UUID, actor: Actor, reason: str) -> Round:
    """Take a closed round back into play, so that its sheets can be corrected at the table."""
    if not reason.strip():
        raise Refused("reason_missing", _("Say why the round is reopened."), field="reason")
    lock_tables(round_id)
    reopened = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage")
        .get(pk=round_id)
    )
    if reopened.state != RoundState.CLOSED:
        return reopened
    reopened.state = RoundState.PLAYING
    reopened.closed_at = None
    reopened.save(update_fields=["state", "closed_at"])
    ScoringTable.objects.filter(table__round=reopened).update(open=True)
    audit.append(
        scope=reopened.stage.event_id, actor=actor, verb="round.reopened", subject=reopened,
        after={"reason": reason},
    )  # fmt: skip
    bump(reopened.stage.event_id)
    return reopened
