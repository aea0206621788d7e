"""The bids of each auction in order: which outrank which, and the least one that may be made.

002: 34, 44, 50, 54 and the générale, each first in a suit (suits are not ranked) and then without
trump. 004: numbers of points, and above every number the bid to win every trick (A.7, R).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from .cards import SUITS

GENERALE: Final = "generale"
ALL_TRICKS: Final = "all"


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: its level, and in the chaloupée its trump."""

    level: int | str
    trump: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return ``{"level", "trump"}``; without ``trump`` if the bid names none."""
        if self.trump is None:
            return {"level": self.level}
        return {"level": self.level, "trump": self.trump}


class Ladder(Protocol):
    """An order of bids."""

    def why_not(self, bid: Bid, standing: Bid | None) -> str | None:
        """Return the reason that forbids ``bid`` over ``standing``; ``None`` for an allowed bid."""

    def minimum(self, standing: Bid | None) -> dict[str, object] | None:
        """Return the least bid over ``standing`` as the interface's object; ``None`` at the top."""


@dataclass(frozen=True, slots=True)
class ChaloupeeLadder:
    """The ten rungs of 002."""

    levels: tuple[int, ...]

    def _rung(self, bid: Bid) -> int:
        """Return the rung of a bid: two a level, suit below no trump; -1 for an unknown level."""
        order: tuple[int | str, ...] = (*self.levels, GENERALE)
        if bid.level not in order:
            return -1
        return 2 * order.index(bid.level) + (1 if bid.trump == "NT" else 0)

    def why_not(self, bid: Bid, standing: Bid | None) -> str | None:
        """Return the reason that forbids ``bid`` over ``standing``; ``None`` for an allowed bid."""
        rung = self._rung(bid)
        if rung < 0:
            known = ", ".join(str(level) for level in (*self.levels, GENERALE))
            return f"there is no bid of {bid.level}: {known}"
        if standing is not None and rung <= self._rung(standing):
            return (
                f"{_bid_text(bid)} is not higher than {_bid_text(standing)}; suits are not ranked"
                if rung == self._rung(standing)
                else f"{_bid_text(bid)} is lower than {_bid_text(standing)}"
            )
        return None

    def minimum(self, standing: Bid | None) -> dict[str, object] | None:
        """Return ``min_level`` with ``min_trump`` (``"suit"``: any suit or no trump; ``"NT"``: only no
        trump at that level), and every possible bid as ``bids``: levels with their trumps."""
        least = 0 if standing is None else self._rung(standing) + 1
        order: tuple[int | str, ...] = (*self.levels, GENERALE)
        if least >= 2 * len(order):
            return None
        bids = []
        for at, level in enumerate(order):
            trumps = [
                *(list(SUITS) if 2 * at >= least else []),
                *(["NT"] if 2 * at + 1 >= least else []),
            ]
            if trumps:
                bids.append({"level": level, "trumps": trumps})
        return {
            "min_level": order[least // 2],
            "min_trump": "NT" if least % 2 else "suit",
            "bids": bids,
        }


@dataclass(frozen=True, slots=True)
class PointsLadder:
    """004: any number from the event's minimum up to the points in play, then every trick."""

    least: int
    most: int

    def why_not(self, bid: Bid, standing: Bid | None) -> str | None:
        """Return the reason that forbids ``bid`` over ``standing``; ``None`` for an allowed bid."""
        if bid.level == ALL_TRICKS:
            taken = standing is not None and standing.level == ALL_TRICKS
            return "every trick is bid already" if taken else None
        if not isinstance(bid.level, int):
            return f"there is no bid of {bid.level!r}: a number or {ALL_TRICKS!r}"
        if standing is not None and standing.level == ALL_TRICKS:
            return f"{bid.level} is lower than every trick"
        if standing is not None and isinstance(standing.level, int) and bid.level <= standing.level:
            return f"{bid.level} is not higher than {standing.level}"
        if bid.level < self.least:
            return f"{bid.level} is under the minimum of {self.least}"
        if bid.level > self.most:
            return f"{bid.level} is more than the {self.most} points in play"
        return None

    def minimum(self, standing: Bid | None) -> dict[str, object] | None:
        """Return ``min_level`` and ``max_level`` of the numbers, then ``"all"``; ``None`` above that."""
        if standing is None:
            least = self.least
        elif isinstance(standing.level, int):
            least = max(self.least, standing.level + 1)
        else:
            return None
        if least > self.most:
            return {"min_level": ALL_TRICKS, "all_tricks": True}
        return {"min_level": least, "max_level": self.most, "all_tricks": True}


def _bid_text(bid: Bid) -> str:
    return f"{bid.level} {'no trump' if bid.trump == 'NT' else bid.trump}"
