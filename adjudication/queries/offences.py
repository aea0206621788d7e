"""Offences of the players at a table by rulings in force, shown for both sides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from adjudication.models import Ruling, RulingState
from adjudication.penal.decision import NO_OFFENCE
from adjudication.queries.cases import Case
from tournament.models.tables import by_seat
from tournament.queries.names import directory

from .shown import side_label


@dataclass(frozen=True, slots=True)
class Offence:
    """Numbers of rulings against a player under one article: in the event, and in this match."""

    player: str
    article: str
    times: int
    here: int


@dataclass(frozen=True, slots=True)
class SideOffences:
    """The offences of the players of one side; empty for a side without any."""

    side: str
    offences: tuple[Offence, ...]


def offences_at(case: Case) -> list[SideOffences]:
    """Return the offences of each side at the incident's table, by the order of its seats."""
    game = case.game()
    sides = {entrant: game.sides.get(player, player) for player, entrant in case.players().items()}
    rows = (
        Ruling.objects.filter(event=case.event, offender__in=list(sides))
        .exclude(state=RulingState.ANNULLED)
        .exclude(measure__in=NO_OFFENCE)
        .values_list("offender_id", "article", "incident__table")
    )
    all_, here = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for offender, article, table in rows:
        all_[offender, article] += 1
        here[offender, article] += table is not None and table == case.incident.table_id
    people = directory(case.event, sides)
    by_side: dict[str, list[Offence]] = {side: [] for side in sides.values()}
    for (offender, article), times in sorted(all_.items()):
        offence = Offence(people[offender].name, article, times, here[offender, article])
        by_side[sides[offender]].append(offence)
    return [
        SideOffences(side_label(case, side), tuple(offences))
        for side, offences in by_seat(by_side).items()
    ]
