"""Events after the final standings of a stage: rulings to settle, and the lists replaced since."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ledger.canonical import JsonObject
from tournament.models import Stage, Standings, StandingsState
from tournament.queries.names import Shown, by_number
from tournament.signals import answers, late_rulings_requested


@dataclass(frozen=True, slots=True)
class ReplacedList:
    """A final list that stood ``until`` it was corrected: ranks with their participants."""

    until: datetime
    rows: tuple[tuple[int | None, Shown], ...]


@dataclass(frozen=True, slots=True)
class AfterFinal:
    """Numbers of the rulings that the director has not settled, and the lists corrected, newest first."""

    late: list[int]
    replaced: list[ReplacedList]


def after_final(stage: Stage) -> AfterFinal:
    """Return what happened after the final standings of a stage; one query before anything did."""
    standings = Standings.objects.filter(stage=stage)
    state, since, lists = standings.values_list("state", "settled_at", "replaced").first() or (
        "",
        None,
        [],
    )
    late = since if state == StandingsState.FINAL else None
    return AfterFinal(_rulings_since(stage, late) if late else [], _replaced(stage, lists))


def late_rulings(stage: Stage) -> list[int]:
    """Return the numbers of the rulings made after final standings that the director has not settled."""
    return after_final(stage).late


def _rulings_since(stage: Stage, since: datetime) -> list[int]:
    numbers = answers(late_rulings_requested, stage=stage, since=since)
    return sorted(number for listed in numbers for number in listed)


def _replaced(stage: Stage, lists: list[JsonObject]) -> list[ReplacedList]:
    people = by_number(stage.event) if lists else {}
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
