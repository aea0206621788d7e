"""The round's clock as a table sees it, and the bell."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import Round, RoundState
from tournament.models.tables import BellRule, Table


@dataclass(frozen=True, slots=True)
class TableClock:
    """``ends_at``: when the bell rings for this table, extra time included; ``None``: not started.

    ``state`` is the clock part's: waiting, running, paused, over or stopped. ``rung``: whether the
    bell has rung. ``paused``: the time left on a stopped clock.
    """

    round_: Round
    state: str
    rung: bool
    ends_at: datetime | None = None
    seconds: int | None = None
    extra_minutes: int = 0
    bell_rule: str = BellRule.FINISH
    paused: timedelta | None = None

    @property
    def left(self) -> timedelta | None:
        """Time left, not below zero."""
        if self.ends_at is None:
            return self.paused
        return max(timedelta(0), self.ends_at - timezone.now())


@dataclass(frozen=True, slots=True)
class ClockShown:
    """A clock as ``parts/clock/clock.html`` shows it; ``seconds``: its whole length.

    ``left`` is shown until script runs. ``rule``: the meaning of the bell at a table, as a code.
    """

    label: str
    state: str
    left: str = ""
    ends_at: datetime | None = None
    seconds: int | None = None
    note: str = ""
    rule: str = ""


def as_clock(seconds: int) -> str:
    """Seconds as ``clock.js`` shows them while they run.

    >>> as_clock(5399), as_clock(3599)
    ('1:29:59', '59:59')
    """
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def clock_of(table: Table) -> TableClock | None:
    """Return the round's clock with the table's own extra time; ``None`` where the table has no round."""
    round_ = table.round
    if round_ is None:
        return None
    ends_at = round_.ends_at + timedelta(minutes=table.extra_minutes) if round_.ends_at else None
    rung = ends_at is not None and timezone.now() >= ends_at
    paused = None
    if round_.state == RoundState.CLOSED:
        state = "stopped"
    elif round_.paused_left is not None:
        state = "paused"
        paused = timedelta(seconds=round_.paused_left, minutes=table.extra_minutes)
    elif ends_at is None:
        state = "waiting"
    else:
        state = "over" if rung else "running"
    return TableClock(
        round_=round_,
        state=state,
        rung=rung,
        ends_at=ends_at,
        seconds=(round_.stage.minutes + table.extra_minutes) * 60,
        extra_minutes=table.extra_minutes,
        bell_rule=round_.stage.event.bell_rule,
        paused=paused,
    )
