"""The round's clock as a table sees it, and the bell."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import RoundState
from tournament.models.tables import BellRule, Table
from tournament.queries.brackets import stage_and_round


@dataclass(frozen=True, slots=True)
class TableClock:
    """``ends_at``: when the bell rings for this table, extra time included; ``None``: not started.

    ``label`` names the round; ``state`` is the clock part's: waiting, running, paused, over or stopped.
    ``paused``: what is left on a clock that stands still.
    """

    label: str
    state: str
    ends_at: datetime | None = None
    seconds: int | None = None
    extra_minutes: int = 0
    bell_rule: str = BellRule.FINISH
    paused: timedelta | None = None

    @property
    def rung(self) -> bool:
        """Whether the bell has rung for this table."""
        return self.ends_at is not None and timezone.now() >= self.ends_at

    @property
    def left(self) -> timedelta | None:
        """Time left, not below zero."""
        if self.ends_at is None:
            return self.paused
        return max(timedelta(0), self.ends_at - timezone.now())


def as_clock(seconds: int) -> str:
    """Seconds as ``clock.js`` shows them while they run.

    >>> as_clock(5399), as_clock(3599)
    ('1:29:59', '59:59')
    """
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def clock_of(table: Table) -> TableClock | None:
    """The round's clock with the table's own extra time; ``None`` where the table has no round."""
    part = table.round
    if part is None:
        return None
    ends_at = part.ends_at + timedelta(minutes=table.extra_minutes) if part.ends_at else None
    paused = None
    if part.state == RoundState.CLOSED:
        state = "stopped"
    elif part.paused_left is not None:
        state = "paused"
        paused = timedelta(seconds=part.paused_left, minutes=table.extra_minutes)
    elif ends_at is None:
        state = "waiting"
    else:
        state = "over" if timezone.now() >= ends_at else "running"
    return TableClock(
        label=stage_and_round(part),
        state=state,
        ends_at=ends_at,
        seconds=(part.stage.minutes + table.extra_minutes) * 60,
        extra_minutes=table.extra_minutes,
        bell_rule=part.stage.event.bell_rule,
        paused=paused,
    )
