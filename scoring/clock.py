"""The round's clock as a table sees it, told by the room above.

This room knows no rounds. A room that does registers ``f(table) -> TableClock | None``; the
table's page, the API and the bell's verbs ask here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from .models import BellRule, ScoringTable


@dataclass(frozen=True, slots=True)
class TableClock:
    """``ends_at``: when the bell rings for this table, extra time included; ``None``: not started.

    ``label`` names the round; ``state`` is the clock part's: waiting, running, over or stopped.
    """

    label: str
    state: str
    ends_at: datetime | None = None
    seconds: int | None = None
    extra_minutes: int = 0
    bell_rule: str = BellRule.FINISH

    @property
    def rung(self) -> bool:
        """Whether the bell has rung for this table."""
        return self.ends_at is not None and timezone.now() >= self.ends_at

    @property
    def left(self) -> timedelta | None:
        """Time left, not below zero."""
        if self.ends_at is None:
            return None
        return max(timedelta(0), self.ends_at - timezone.now())


Teller = Callable[[ScoringTable], TableClock | None]
_tellers: list[Teller] = []


def clock_teller(teller: Teller) -> Teller:
    """Register a room's answer; the first that is not ``None`` counts."""
    _tellers.append(teller)
    return teller


def clock_of(table: ScoringTable) -> TableClock | None:
    """The clock of the table's round; ``None`` where nobody keeps one."""
    for teller in _tellers:
        clock = teller(table)
        if clock is not None:
            return clock
    return None
