"""Pools, then a knock-out with main and consolation draws (D.2 ``PAIRS_POOLS_KO``).

Pools of four by default, drawn by lot with seeds spread and clubs protected (:mod:`.lots`); inside
a pool each meets each of the others (:mod:`.berger`). The main draw takes the first ``main`` of
every pool, and the ``best_next`` of those ranked next in their pools ("15 pool winners and the best
second", D.1); the consolation takes the others. In both, winners of pools are seeded before
seconds, and two of one pool are in different halves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .berger import draw_round_robin
from .chance import Chance
from .knockout import Bracket, draw_knockout
from .lots import group_sizes, lots_into_groups
from .model import VERSION, Contestant, Drawn


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool: its number from 1, members by id, and its timetable."""

    number: int
    members: tuple[int, ...]
    rounds: tuple[Drawn, ...]


def draw_pools(
    contestants: Sequence[Contestant],
    seed: str,
    *,
    size: int = 4,
    seeds: int = 0,
    version: int = VERSION,
) -> tuple[Pool, ...]:
    """Draw the pools with their timetables; tables are numbered through all pools."""
    sizes = group_sizes(len(contestants), size)
    groups = lots_into_groups(contestants, sizes, seed, label="pools", seeds=seeds, version=version)
    out = []
    table = 1
    for number, group in enumerate(groups, start=1):
        rounds = (
            draw_round_robin(group, f"{seed}|pool {number}", first_table=table)
            if len(group) > 1
            else ()
        )
        out.append(Pool(number, tuple(c.id for c in group), rounds))
        table += len(group) // 2
    return tuple(out)


def best_of_next(
    rankings: Sequence[Sequence[Contestant]], seed: str, *, main: int, best_next: int
) -> set[int]:
    """Return the ids of the best entrants ranked next in their pools: by their rank, tied ones by lot."""
    following = [ranking[main] for ranking in rankings if len(ranking) > main]
    drawn = Chance(seed, "best next").shuffled(sorted(following, key=lambda c: c.id))
    return {c.id for c in sorted(drawn, key=lambda c: c.rank or 1 << 60)[:best_next]}


def main_and_consolation(
    rankings: Sequence[Sequence[Contestant]], seed: str, *, main: int = 2, best_next: int = 0
) -> tuple[Bracket | None, Bracket | None]:
    """Draw the two brackets from the final ranking of each pool (best first).

    A bracket with fewer than two entrants is ``None``. Same-pool pairs are separated like clubs.
    Entrants ranked next in their pools are compared by their rank in the stage; tied ones by lot.
    """
    through = best_of_next(rankings, seed, main=main, best_next=best_next)
    upper: list[Contestant] = []
    lower: list[Contestant] = []
    for number, ranking in enumerate(rankings, start=1):
        for place, c in enumerate(ranking, start=1):
            over = place <= main or c.id in through
            target = upper if over else lower
            level = place if over else place - main
            target.append(replace(c, club=f"pool {number}", rating=-level, rank=c.rank))

    def bracket(field: list[Contestant], label: str) -> Bracket | None:
        if len(field) < 2:
            return None
        seeds = sum(1 for c in field if c.rating == -1)
        if best_next and field is upper:
            # At most half of the places are seeded. This leaves room to place a pool's second in
            # the other half than its winner. Entrants of one pool are placed before entrants
            # without another of theirs.
            seeds = min(seeds, (1 << (len(field) - 1).bit_length()) // 2)
            pools = Counter(c.club for c in field)
            field = [c if pools[c.club] > 1 else replace(c, club=f"single {c.club}") for c in field]
        return draw_knockout(field, seed, seeds=seeds, label=label)

    return bracket(upper, "main draw"), bracket(lower, "consolation draw")
