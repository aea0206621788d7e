"""Events after the final standings of a stage: rulings to settle, and the lists replaced since."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournament.models import Stage, Standings, StandingsState
from tournament.queries.names import Shown, by_number
from tournament.signals import answers, late_rulings_requested


@dataclass(frozen=True, slots=True)
class ReplacedList:
    """A final list that stood ``until`` it was corrected: ranks with their participants."""

    until: datetime
    rows: tuple[tuple[int | None, Shown], ...]


def late_rulings(stage: Stage) -> list[int]:
    """Return the numbers of the rulings made after final standings that the director has not settled."""
    final = Standings.objects.filter(
        stage=stage, state=StandingsState.FINAL, settled_at__isnull=False
    )
    since = final.values_list("settled_at", flat=True).first()
    if since is None:
        return []
    numbers = answers(late_rulings_requested, stage=stage, since=since)
    return sorted(number for listed in numbers for number in listed)


def replaced_lists(stage: Stage) -> list[ReplacedList]:
    """Return the final lists of a stage that were corrected, newest first."""
    lists = Standings.objects.filter(stage=stage).values_list("replaced", flat=True).first()
    if not lists:
        return []
    people = by_number(stage.event)
    return [
        ReplacedList(
            datetime.fromisoformat(each["until"]),
            tuple(
                (row["rank"], people[row["number"]])
                for row in each["rows"]
                if row["number"] in people
            ),
        )
        for each in reversed(lists)
    ]
