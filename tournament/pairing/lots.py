"""Tirage au sort: matches or groups by lot, clubs protected as far as they can be.

Used for the first round of a knock-out, for pools, and for events that draw every round by lot.
"Protected" means that members of one club are spread over the groups as evenly as their number
allows, which is the least possible number of clashes inside that club.
"""

from __future__ import annotations

from collections.abc import Sequence

from .chance import Chance
from .model import Contestant


def group_sizes(n: int, size: int) -> list[int]:
    """``n`` split into groups of ``size`` and, where it must be, one less or more; largest first.

    >>> group_sizes(18, 4), group_sizes(5, 4), group_sizes(7, 4)
    ([4, 4, 4, 3, 3], [5], [4, 3])
    """
    if n <= 0:
        return []
    groups = max(1, -(-n // size))
    while groups > 1 and n // groups < size - 1:
        groups -= 1
    each, more = divmod(n, groups)
    return [each + 1] * more + [each] * (groups - more)


def lots_into_groups(
    contestants: Sequence[Contestant],
    sizes: Sequence[int],
    seed: str,
    *,
    label: str = "lots",
    seeds: int = 0,
) -> list[list[Contestant]]:
    """Groups of the given sizes, drawn by lot with clubs spread evenly.

    The ``seeds`` strongest (rating, then rank) are put first, one a group in snake order; then clubs, the
    largest first, each member into a group with the fewest of that club, then with most room left,
    then by lot. The groups keep the order of ``sizes``.
    """
    if sum(sizes) != len(contestants):
        raise ValueError("the sizes do not add up to the number of contestants")
    chance = Chance(seed, label)
    pool = chance.shuffled(sorted(contestants, key=lambda c: c.id))
    groups: list[list[Contestant]] = [[] for _ in sizes]
    strong = sorted(pool, key=lambda c: (-c.rating, c.rank or 1 << 60))[:seeds]
    for k, c in enumerate(strong):
        lap, at = divmod(k, len(sizes))
        groups[at if lap % 2 == 0 else len(sizes) - 1 - at].append(c)
    rest = [c for c in pool if c not in strong]
    clubs: dict[str, list[Contestant]] = {}
    for c in rest:
        clubs.setdefault(c.club or f"#{c.id}", []).append(c)
    for _, members in sorted(clubs.items(), key=lambda item: (-len(item[1]), item[0])):
        for c in members:
            order = chance.shuffled(range(len(sizes)))
            open_groups = [g for g in order if len(groups[g]) < sizes[g]]
            best = min(
                open_groups,
                key=lambda g: (
                    sum(1 for x in groups[g] if c.club and x.club == c.club),
                    len(groups[g]) - sizes[g],
                ),
            )
            groups[best].append(c)
    _exchange(groups, chance, frozenset(c.id for c in strong))
    return groups


def _clashes(group: Sequence[Contestant]) -> int:
    count = 0
    for k, a in enumerate(group):
        count += sum(1 for b in group[k + 1 :] if a.club and a.club == b.club)
    return count


def _exchange(groups: list[list[Contestant]], chance: Chance, fixed: frozenset[int]) -> None:
    """Exchange members between groups while that lowers the clashes."""
    for _ in range(3):
        bad = [g for g in range(len(groups)) if _clashes(groups[g])]
        if not bad:
            return
        for g in bad:
            for at, c in enumerate(groups[g]):
                if c.id in fixed or not any(
                    x is not c and x.club and x.club == c.club for x in groups[g]
                ):
                    continue
                if _swap_out(groups, g, at, chance, fixed):
                    break


def _swap_out(
    groups: list[list[Contestant]], g: int, at: int, chance: Chance, fixed: frozenset[int]
) -> bool:
    here = groups[g]
    for h in chance.shuffled(range(len(groups))):
        if h == g:
            continue
        there = groups[h]
        before = _clashes(here) + _clashes(there)
        for k in range(len(there)):
            if there[k].id in fixed:
                continue
            here[at], there[k] = there[k], here[at]
            if _clashes(here) + _clashes(there) < before:
                return True
            here[at], there[k] = there[k], here[at]
    return False
