"""One ranking of a whole event from the standings of its stages: the last stage first.

Rule followed: rules specification D.2, "Stages chain with cut-offs": who reached a later stage stands
above who did not, and inside a stage its own standing decides.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournament.ranking.model import Entrant, Row, Standing


@dataclass(frozen=True, slots=True)
class Placed:
    """One entrant in the ranking of the event.

    ``stage``: index of the standing that gave the place; ``there``: the rank in that standing.
    ``rank`` is None for one listed without a rank.
    """

    rank: int | None
    tied: bool
    entrant: Entrant
    stage: int
    there: int | None


def overall(
    standings: Sequence[Standing], without_game: Collection[int] = ()
) -> tuple[Placed, ...]:
    """The entrants of all ``standings`` (in the order of the stages), each listed once, 1 to n.

    A stage counts from its first game on; ``without_game``: indices of stages that have none of their
    own, though results carried over into them. An earlier stage without a result ranks those who are in
    no other, behind all others. Everybody stands where the last stage in which they have
    a rank puts them. Withdrawn or excluded without a rank in their last stage, or never ranked at
    all: listed last, without a rank.
    """
    begun = [
        at
        for at, standing in enumerate(standings)
        if _has_results(standing) and at not in without_game
    ] or [0]
    order = list(reversed(begun)) if standings else []
    order += [at for at in reversed(range(max(begun))) if at not in begun]
    out, placed = set[str](), set[str]()
    ranked: list[Placed] = []
    below: list[Placed] = []
    for at in order:
        rows = [row for row in standings[at].rows if row.entrant.id not in placed | out]
        for row in rows:
            if row.rank is None and (row.entrant.withdrawn or row.entrant.excluded):
                out.add(row.entrant.id)
                below.append(Placed(None, False, row.entrant, at, None))
        standing_here = [row for row in rows if row.rank is not None]
        for rank, group in groupby(standing_here, key=lambda row: row.rank):
            level = list(group)
            place = len(ranked) + 1
            ranked += [Placed(place, len(level) > 1, row.entrant, at, rank) for row in level]
        placed.update(row.entrant.id for row in standing_here)
    for at in order:
        for row in standings[at].rows:
            if row.entrant.id not in placed | out:
                out.add(row.entrant.id)
                below.append(Placed(None, False, row.entrant, at, None))
    return (*ranked, *below)


def as_standing(placed: Sequence[Placed], standings: Sequence[Standing]) -> Standing:
    """The ranking of the event as a standing, for whatever is given out by rank."""
    rows = []
    for position, one in enumerate(placed, start=1):
        there = standings[one.stage].row(one.entrant.id)
        rows.append(
            Row(
                position,
                one.rank,
                one.tied,
                one.entrant,
                there.values,
                there.games,
                there.won,
                there.drawn,
                there.lost,
                there.credited,
                there.adjusted,
            )
        )
    last = max((one.stage for one in placed), default=0)
    return Standing(standings[last].rule, tuple(rows), standings[last].through)


def _has_results(standing: Standing) -> bool:
    return any(row.games > row.credited for row in standing.rows)
