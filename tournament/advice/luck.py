"""Ranks of a played event that lie within luck, from the entrants' own rounds.

The spread of an entrant's rounds around their own mean, pooled over all entrants, is the part of a
round due to cards, partners, opponents and the day. Even equally strong entrants would differ: the
first and the last lie apart by the *range* of so many entrants, 95 times of 100 by no more than
:func:`range_of_equals` spreads. Entrants closer than that to the first are indistinguishable from
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

LEVEL: Final = 0.95
LEAST_FREEDOM: Final = 10
"""With fewer rounds to spare over the entrants' means, their spread says nothing."""
_GRID: Final = np.linspace(-8.0, 8.0, 321)
_BELOW: Final = np.array([(1 + erf(x / sqrt(2))) / 2 for x in _GRID])
_DENSITY: Final = np.exp(-(_GRID**2) / 2) / sqrt(2 * np.pi)


def within_luck(rounds: Sequence[Sequence[float]]) -> int | None:
    """Return how many of the entrants, from the first on, lie within luck of the first.

    Args:
        rounds: of each entrant, the best first, what each of their rounds was worth.

    Returns:
        A count from 1; ``None`` where there are too few rounds to tell, or where all rounds are alike.
    """
    played = [np.array(own, dtype=float) for own in rounds if own]
    freedom = sum(len(own) - 1 for own in played)
    if len(played) < 2 or freedom < LEAST_FREEDOM:
        return None
    spread = sqrt(sum(float(((own - own.mean()) ** 2).sum()) for own in played) / freedom)
    if not spread:
        return None
    most = range_of_equals(len(played), freedom)
    first = played[0]
    count = 1
    for own in played[1:]:
        # The range is of means of equal spread: that of two is the mean of both (Tukey and Kramer).
        error = spread * sqrt((1 / len(first) + 1 / len(own)) / 2)
        if first.mean() - own.mean() >= most * error:
            break
        count += 1
    return count


def range_of_equals(entrants: int, freedom: int) -> float:
    """Return the studentized range: how far first and last of equals lie apart, in 95 of 100 events.

    >>> round(range_of_equals(10, 20), 2), round(range_of_equals(2, 60), 2)
    (5.01, 2.83)
    """
    # Possible ratios of the measured spread to the true one.
    scale = np.linspace(0.2, 2.2, 81)
    weight = np.exp((freedom - 1) * np.log(scale) - freedom * scale**2 / 2 + freedom / 2)
    weight /= weight.sum()
    low, high = 0.0, 40.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        inside = _inside(middle * scale, entrants)
        low, high = (middle, high) if float(inside @ weight) < LEVEL else (low, middle)
    return (low + high) / 2


def _inside(widths: npt.NDArray[np.float64], entrants: int) -> npt.NDArray[np.float64]:
    """Return the probability that this many normal numbers lie within each width."""
    lowest = _GRID[None, :] - widths[:, None]
    between = _BELOW - np.interp(lowest, _GRID, _BELOW, left=0.0)
    share = entrants * (_DENSITY * between ** (entrants - 1)).sum(1) * (_GRID[1] - _GRID[0])
    return np.asarray(share)
