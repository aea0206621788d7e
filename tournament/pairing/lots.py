"""Tirage au sort: matches or groups by lot, clubs protected as far as they can be.

Used for pools, and for events that draw every round by lot. "Protected" means that members of one club
are spread over the groups as evenly as their number allows, which is the least possible number of
clashes inside that club.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from .chance import Chance
from .model import VERSION, Contestant

UNIFORM_SINCE: Final = 5
"""The first version whose lots are equally likely; before it, neighbours in the list never met."""
PROPOSALS: Final = 8
"""Exchanges proposed for each place once clubs are apart, so that no arrangement of them is favoured."""


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
    version: int = VERSION,
) -> list[list[Contestant]]:
    """Draw groups of the given sizes by lot, with clubs spread evenly.

    The ``seeds`` strongest (rating, then rank) are put first, one a group in snake order; the others
    take the places left in shuffled order, each arrangement equally likely. Members of one club then
    exchange their places by lot until they are spread. The groups keep the order of ``sizes``.
    ``version`` is that of the algorithm (:data:`.model.VERSION`).
    """
    if sum(sizes) != len(contestants):
        raise ValueError("the sizes do not add up to the number of contestants")
    chance = Chance(seed, label)
    pool = chance.shuffled(sorted(contestants, key=lambda c: c.id))
    strong = sorted(pool, key=lambda c: (-c.rating, c.rank or 1 << 60))[:seeds]
    groups: list[list[Contestant]] = [[] for _ in sizes]
    for k, c in enumerate(strong):
        lap, at = divmod(k, len(sizes))
        groups[at if lap % 2 == 0 else len(sizes) - 1 - at].append(c)
    seeded = frozenset(c.id for c in strong)
    rest = [c for c in pool if c.id not in seeded]
    if version < UNIFORM_SINCE:
        _place_in_list_order(groups, sizes, rest, chance)
        _exchange(groups, chance, seeded)
        return groups
    waiting = iter(rest)
    for group, size in zip(groups, sizes, strict=True):
        group += [next(waiting) for _ in range(size - len(group))]
    if any(times > 1 for club, times in Counter(c.club for c in pool).items() if club):
        _spread_clubs(groups, chance, seeded)
    return groups


Place = tuple[int, int]
"""A group and a place in it."""


def _spread_clubs(groups: list[list[Contestant]], chance: Chance, seeded: frozenset[int]) -> None:
    """Exchange places by lot until no exchange lowers the clashes, then at random among equals."""
    clubs = [Counter(c.club for c in group if c.club) for group in groups]
    places = [
        (g, k) for g, group in enumerate(groups) for k, c in enumerate(group) if c.id not in seeded
    ]

    def change(one: Place, two: Place) -> int:
        """By how much an exchange moves the number of clashes."""
        (g, k), (h, m) = one, two
        mine, theirs = groups[g][k].club, groups[h][m].club
        if g == h or mine == theirs:
            return 0
        out = clubs[h][mine] - clubs[g][mine] + 1 if mine else 0
        return out + (clubs[g][theirs] - clubs[h][theirs] + 1 if theirs else 0)

    def exchange(one: Place, two: Place) -> None:
        (g, k), (h, m) = one, two
        for at, leaves, comes in ((g, groups[g][k], groups[h][m]), (h, groups[h][m], groups[g][k])):
            clubs[at].subtract([leaves.club] if leaves.club else [])
            clubs[at].update([comes.club] if comes.club else [])
        groups[g][k], groups[h][m] = groups[h][m], groups[g][k]

    def clashing() -> Iterator[Place]:
        return ((g, k) for g, k in places if clubs[g][groups[g][k].club] > 1)

    least, improved = _fewest_clashes(groups), True
    while improved and _all_clashes(clubs) > least:
        improved = False
        others = chance.shuffled(places)
        for place in chance.shuffled(clashing()):
            better = next((other for other in others if change(place, other) < 0), None)
            if better is not None:
                exchange(place, better)
                improved = True
    for _ in range(PROPOSALS * len(places)):
        one, two = places[chance.below(len(places))], places[chance.below(len(places))]
        if change(one, two) <= 0:
            exchange(one, two)


def _all_clashes(clubs: Sequence[Counter[str]]) -> int:
    """Count the pairs of one club in one group."""
    return sum(times * (times - 1) // 2 for group in clubs for times in group.values())


def _fewest_clashes(groups: Sequence[Sequence[Contestant]]) -> int:
    """Return a lower bound of the clashes: every club spread evenly over all groups."""
    least = 0
    for times in Counter(c.club for group in groups for c in group if c.club).values():
        each, more = divmod(times, len(groups))
        least += each * (each - 1) // 2 * len(groups) + each * more
    return least


# Up to version 4


def _place_in_list_order(
    groups: list[list[Contestant]],
    sizes: Sequence[int],
    rest: Sequence[Contestant],
    chance: Chance,
) -> None:
    """Place clubs, the largest first, then by name; contestants without a club come in the order of numbers."""
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
