"""How those who share a rank share its prizes: exactly, to the cent, the same for each.

Rules specification D.2, "Prizes": "ties share". Those who share rank r and are k fill the places
r to r+k-1; they divide the money of these places equally. Cents that do not divide are stated as
left over and stay with the organiser, so that nobody of the group gets more than another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.documents.imprint import DocumentError


@dataclass(frozen=True, slots=True)
class PrizeShares:
    """``cents`` in the order of the ranks given; ``left_over`` is what could not be divided."""

    cents: tuple[int, ...]
    left_over: int


def share_prizes(ranks: Sequence[int], prizes: Mapping[int, int]) -> PrizeShares:
    """What each of ``ranks`` receives when place *n* carries ``prizes[n]`` cents.

    ``ranks`` are those of the standings ("1, 2, 2, 4"), each of everybody ranked. Raises
    ``DocumentError`` for an amount below zero or ranks that skip or double a place.

    >>> share_prizes([1, 2, 2, 4], {1: 10000, 2: 5000, 3: 2501})
    PrizeShares(cents=(10000, 3750, 3750, 0), left_over=1)
    """
    if any(amount < 0 for amount in prizes.values()):
        raise DocumentError("a prize is never below zero")
    sizes = Counter(ranks)
    place = 1
    each: dict[int, int] = {}
    left = 0
    for rank in sorted(sizes):
        if rank != place:
            raise DocumentError(f"the ranks leave place {place} open or fill it twice")
        pot = sum(prizes.get(at, 0) for at in range(rank, rank + sizes[rank]))
        each[rank], rest = divmod(pot, sizes[rank])
        left += rest
        place += sizes[rank]
    return PrizeShares(tuple(each[rank] for rank in ranks), left)
