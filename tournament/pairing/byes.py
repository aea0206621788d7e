"""Byes: the players who sit out when the number does not fit (rules specification D.2, "Byes").

Individuals: ``n mod 4`` sit out. No player has a second bye before every player has had one:
players with the fewest byes first, volunteers before the others, then by lot. With ``Odd.THREES``
no player sits out while tables of three can be made (six players and more, or three).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from scoring.texts import gettext_lazy as _

from .chance import Chance
from .model import Contestant, DrawRefused, History, Odd


def table_sizes(n: int, odd: Odd) -> tuple[int, int, int]:
    """``(tables of four, tables of three, sitting out)`` for ``n`` individuals.

    >>> table_sizes(545, Odd.BYES), table_sizes(545, Odd.THREES), table_sizes(5, Odd.THREES)
    ((136, 0, 1), (134, 3, 0), (1, 0, 1))
    """
    if odd is Odd.BYES:
        return n // 4, 0, n % 4
    threes = -n % 4
    if 3 * threes <= n:
        return (n - 3 * threes) // 4, threes, 0
    return n // 4, 0, n % 4


def choose_byes(
    contestants: list[Contestant],
    count: int,
    history: History,
    chance: Chance,
    volunteers: frozenset[int] = frozenset(),
) -> tuple[int, ...]:
    """Choose the ids of the ``count`` players who sit out, smallest first."""
    if count > len(contestants):
        raise DrawRefused(
            "too_few",
            _("There are fewer players than byes."),
        )
    order = {
        c.id: k for k, c in enumerate(chance.shuffled(sorted(contestants, key=lambda c: c.id)))
    }
    turn = sorted(
        contestants,
        key=lambda c: (history.byes.get(c.id, 0), c.id not in volunteers, order[c.id]),
    )
    return tuple(sorted(c.id for c in turn[:count]))


@dataclass(frozen=True, slots=True)
class Outs:
    """Candidates for the byes of a round: all of ``must``, and ``free_count`` of ``may``."""

    must: frozenset[int]
    may: frozenset[int]
    free_count: int

    def allows(self, out: Collection[int]) -> bool:
        """Whether these sit out in turn."""
        rest = set(out) - self.must
        return self.must.issubset(out) and rest <= self.may and len(rest) == self.free_count


def outs_in_turn(
    contestants: Iterable[Contestant],
    count: int,
    history: History,
    volunteers: frozenset[int] = frozenset(),
) -> Outs:
    """Choose ``count`` players to sit out: the fewest byes first, volunteers before the others.

    >>> outs = outs_in_turn([Contestant(1), Contestant(2), Contestant(3)], 1, History(byes={2: 1}))
    >>> sorted(outs.may), outs.free_count
    ([1, 3], 1)
    """
    turn = {c.id: (history.byes.get(c.id, 0), c.id not in volunteers) for c in contestants}
    if not count:
        return Outs(frozenset(), frozenset(), 0)
    limit = sorted(turn.values())[count - 1]
    must = frozenset(who for who, key in turn.items() if key < limit)
    may = frozenset(who for who, key in turn.items() if key == limit)
    return Outs(must, may, count - len(must))
