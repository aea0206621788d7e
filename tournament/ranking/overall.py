"""One ranking of a whole event from the standings of its stages: the last stage first.

Rule followed: rules specification D.2, "Stages chain with cut-offs": entrants of a later stage rank
above all others, and inside a stage its own standing decides.
"""

from __future__ import annotations

from collections import Counter
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


def overall(standings: Sequence[Standing], carrying: Collection[int] = ()) -> tuple[Placed, ...]:
    """Return the entrants of all ``standings`` (in the order of the stages), each listed once, 1 to n.

    A stage counts from its own first game on; ``carrying``: indices of the stages whose standings
    include the games of all before them. An earlier stage without a result ranks the entrants who
    are in no other, behind all others. Each entrant has the place of the last stage in which they
    have a rank; after withdrawing from a later one they rank behind all who have a rank in it.
    Entrants excluded from their last stage, or never ranked at all, are listed last, without a
    rank.
    """
    begun = _begun(standings, carrying) or [0]
    order = list(reversed(begun)) if standings else []
    order += [at for at in reversed(range(max(begun))) if at not in begun]
    out, placed = set[str](), set[str]()
    ranked: list[Placed] = []
    below: list[Placed] = []
    for at in order:
        rows = [row for row in standings[at].rows if row.entrant.id not in placed | out]
        for row in rows:
            if row.rank is None and row.entrant.excluded:
                out.add(row.entrant.id)
                below.append(Placed(None, False, row.entrant, at, None))
        there = [(at, row) for row in rows if row.rank is not None]
        there += _left(standings, at, [row.entrant for row in rows if row.entrant.withdrawn])
        for (stage, rank), group in groupby(there, key=lambda each: (each[0], each[1].rank)):
            level = [row.entrant for _stage, row in group]
            place = len(ranked) + 1
            ranked += [Placed(place, len(level) > 1, one, stage, rank) for one in level]
        placed.update(row.entrant.id for _stage, row in there)
    for at in order:
        for row in standings[at].rows:
            if row.entrant.id not in placed | out:
                out.add(row.entrant.id)
                below.append(Placed(None, False, row.entrant, at, None))
    return (*ranked, *below)


def as_standing(placed: Sequence[Placed], standings: Sequence[Standing]) -> Standing:
    """Return the ranking of the event as a standing, for prizes by rank."""
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


def _left(
    standings: Sequence[Standing], at: int, entrants: Sequence[Entrant]
) -> list[tuple[int, Row]]:
    """Return the rows of entrants who left a stage without a rank in it, from the last stage before
    that ranks them.
    """
    places = []
    for entrant in entrants:
        rows = [
            (stage, row)
            for stage in range(at + 1)
            for row in standings[stage].ranked
            if row.entrant.id == entrant.id
        ]
        places += rows[-1:] if rows and rows[-1][0] < at else []
    return sorted(places, key=lambda each: (-each[0], each[1].position))


def _begun(standings: Sequence[Standing], carrying: Collection[int]) -> list[int]:
    """Return the stages with a game of their own."""
    before = Counter[str]()
    begun = []
    for at, standing in enumerate(standings):
        played = Counter({row.entrant.id: row.games - row.credited for row in standing.rows})
        own = played - before if at in carrying else +played
        if own:
            begun.append(at)
        before += own
    return begun
