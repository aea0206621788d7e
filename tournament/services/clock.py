"""The clock of a round: started, extended, stopped, set; extra time for one table."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Annotated

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.verbs import Between, verb
from tournament.models import Round, RoundState, Table

from .untouched import locked_table

audit.name_verbs(
    "round",
    clock_set=_("Clock set"),
    extended=_("Minutes added to the round"),
    paused=_("Clock stopped"),
    resumed=_("Clock resumed"),
    started=_("Round started"),
)
audit.name_verbs("table", extended=_("Extra minutes given to a table"))


@verb("rounds_start", Round, "rounds.manage", done=_("The clock is running."))
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


@verb("rounds_extend", Round, "rounds.manage", done=_("The clock was changed."))
def extend_round(
    *, round_id: uuid.UUID, minutes: Annotated[int, Between(-60, 120)], actor: Actor
) -> Round:
    """Give the whole round more (or less) time, also while the clock stands still."""
    if minutes == 0:
        raise Refused("minutes_out_of_range", _("Give at least one minute."), field="minutes")
    round_ = _locked(round_id)
    after: dict[str, object] = {"minutes": minutes}
    if round_.paused_left is not None:
        round_.paused_left = after["seconds_left"] = max(0, round_.paused_left + minutes * 60)
    elif round_.ends_at is not None:
        round_.ends_at += timedelta(minutes=minutes)
        after["ends_at"] = round_.ends_at.isoformat()
    round_.save(update_fields=["ends_at", "paused_left"])
    audit.append(round_, "round.extended", actor, after=after)
    return round_


def _not_running() -> Conflict:
    return Conflict("clock_not_running", _("The clock of this round is not running."))


def _locked(round_id: uuid.UUID) -> Round:
    """Return a round with a started clock, locked until the end of the transaction."""
    round_ = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage")
        .get(pk=round_id)
    )
    if round_.state != RoundState.PLAYING:
        raise _not_running()
    return round_


def _set_clock(round_: Round, verb: str, actor: Actor) -> Round:
    round_.save(update_fields=["ends_at", "paused_left"])
    after = {
        "ends_at": round_.ends_at.isoformat() if round_.ends_at else None,
        "seconds_left": round_.paused_left,
    }
    audit.append(round_, verb, actor, after=after)
    return round_


@verb("rounds_pause", Round, "rounds.manage", done=_("The clock is paused."))
def pause_round(*, round_id: uuid.UUID, actor: Actor) -> Round:
    """Let the round's clock stand still, with the time that is left; twice changes nothing."""
    round_ = _locked(round_id)
    if round_.paused_left is not None:
        return round_
    if round_.ends_at is None:
        raise _not_running()
    round_.paused_left = max(0, round((round_.ends_at - timezone.now()).total_seconds()))
    round_.ends_at = None
    return _set_clock(round_, "round.paused", actor)


@verb("rounds_resume", Round, "rounds.manage", done=_("The clock is running."))
def resume_round(*, round_id: uuid.UUID, actor: Actor) -> Round:
    """Let a clock that stands still go on with the time that was left."""
    round_ = _locked(round_id)
    if round_.paused_left is None:
        return round_
    round_.ends_at = timezone.now() + timedelta(seconds=round_.paused_left)
    round_.paused_left = None
    return _set_clock(round_, "round.resumed", actor)


@verb("rounds_clock", Round, "rounds.manage", done=_("The clock was changed."))
def set_clock(
    *, round_id: uuid.UUID, minutes: Annotated[int, Between(0, 600)], actor: Actor
) -> Round:
    """Set how many minutes are left; a clock that stands still goes on standing still."""
    round_ = _locked(round_id)
    if round_.paused_left is not None:
        round_.paused_left = minutes * 60
    else:
        round_.ends_at = timezone.now() + timedelta(minutes=minutes)
    return _set_clock(round_, "round.clock_set", actor)


@verb("rounds_give-time", Round, "rounds.manage", shows_row=True)
def give_table_time(
    *, round_id: uuid.UUID, table: int, minutes: Annotated[int, Between(1, 60)], actor: Actor
) -> Table:
    """Give one table more minutes after the bell."""
    given = locked_table(round_id, table)
    given.extra_minutes += minutes
    given.save(update_fields=["extra_minutes"])
    audit.append(
        given, "table.extended", actor, after={"minutes": minutes, "extra": given.extra_minutes}
    )
    return given
