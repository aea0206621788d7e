"""The clock of a round: started, extended, stopped, set; extra time for one table."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, Refused
from tournament.models import Round, RoundState, Table


@change()
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
    audit.append(started, "round.started", actor, after={"ends_at": started.ends_at.isoformat()})
    return started


@change()
def extend_round(*, round_id: uuid.UUID, minutes: int, actor: Actor) -> Round:
    """Give the whole round more (or less) time, also while the clock stands still: -60 to 120 minutes."""
    if not -60 <= minutes <= 120 or minutes == 0:
        raise Refused(
            "minutes_out_of_range", _("Give between −60 and 120 minutes."), field="minutes"
        )
    part = _locked(round_id)
    after: dict[str, object] = {"minutes": minutes}
    if part.paused_left is not None:
        part.paused_left = after["seconds_left"] = max(0, part.paused_left + minutes * 60)
    elif part.ends_at is not None:
        part.ends_at += timedelta(minutes=minutes)
        after["ends_at"] = part.ends_at.isoformat()
    part.save(update_fields=["ends_at", "paused_left"])
    audit.append(part, "round.extended", actor, after=after)
    return part


def _not_running() -> Conflict:
    return Conflict("clock_not_running", _("The clock of this round is not running."))


def _locked(round_id: uuid.UUID) -> Round:
    """A round whose clock was started, locked until the end of the transaction."""
    part = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage")
        .get(pk=round_id)
    )
    if part.state != RoundState.PLAYING:
        raise _not_running()
    return part


def _set_clock(part: Round, verb: str, actor: Actor) -> Round:
    part.save(update_fields=["ends_at", "paused_left"])
    after = {
        "ends_at": part.ends_at.isoformat() if part.ends_at else None,
        "seconds_left": part.paused_left,
    }
    audit.append(part, verb, actor, after=after)
    return part


@change()
def pause_round(*, round_id: uuid.UUID, actor: Actor) -> Round:
    """Let the round's clock stand still, with the time that is left; twice changes nothing."""
    part = _locked(round_id)
    if part.paused_left is not None:
        return part
    if part.ends_at is None:
        raise _not_running()
    part.paused_left = max(0, round((part.ends_at - timezone.now()).total_seconds()))
    part.ends_at = None
    return _set_clock(part, "round.paused", actor)


@change()
def resume_round(*, round_id: uuid.UUID, actor: Actor) -> Round:
    """Let a clock that stands still go on with the time that was left."""
    part = _locked(round_id)
    if part.paused_left is None:
        return part
    part.ends_at = timezone.now() + timedelta(seconds=part.paused_left)
    part.paused_left = None
    return _set_clock(part, "round.resumed", actor)


@change()
def set_clock(*, round_id: uuid.UUID, minutes: int, actor: Actor) -> Round:
    """Set how many minutes are left, 0 to 600; a clock that stands still goes on standing still."""
    if not 0 <= minutes <= 600:
        raise Refused("minutes_out_of_range", _("Give between 0 and 600 minutes."), field="minutes")
    part = _locked(round_id)
    if part.paused_left is not None:
        part.paused_left = minutes * 60
    else:
        part.ends_at = timezone.now() + timedelta(minutes=minutes)
    return _set_clock(part, "round.clock_set", actor)


@change()
def give_table_time(*, table_id: uuid.UUID, minutes: int, actor: Actor) -> Table:
    """Give one table extra minutes after the bell: 1 to 60."""
    if not 1 <= minutes <= 60:
        raise Refused("minutes_out_of_range", _("Give between 1 and 60 minutes."), field="minutes")
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    table.extra_minutes += minutes
    table.save(update_fields=["extra_minutes"])
    audit.append(
        table, "table.extended", actor, after={"minutes": minutes, "extra": table.extra_minutes}
    )
    return table
