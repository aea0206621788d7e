"""Tables of three that fill up an event of fours, and whose turn it is to sit there.

Such a table is not classified: its players are credited as if they sat out (rules specification
D.2, "Byes"). So it goes in turn like a bye, and both count as one: no player is at such a table, or
sits out, a second time before all have had a turn. With ``k`` places to fill, a player with fewer
turns than the ``k``-th fewest must be there, and one with more may not; the draw chooses among
those equal to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scoring.texts import gettext_lazy as _

from .byes import table_sizes
from .chance import Chance
from .model import History, Kind, Odd, Table
from .search import NEVER, IntArray


def filling_players(kind: Kind, tables: Iterable[Table]) -> tuple[int, ...]:
    """Return the players at a filling table of three, in a draw of tables of ``kind``.

    >>> filling_players(Kind.ROTATION, [Table(1, Kind.SOLO, (7, 8, 9))])
    (7, 8, 9)
    >>> filling_players(Kind.SOLO, [Table(1, Kind.SOLO, (7, 8, 9))])
    ()
    """
    if kind not in (Kind.PARTNERS, Kind.ROTATION):
        return ()
    return tuple(p for t in tables if t.kind is Kind.SOLO for p in t.players)


NOTHING_COUNTS: Final = _(
    "With {count} players every table would be a table of three, and no game would count: choose byes instead, or let their games count."
)


def nothing_counts(n: int, odd: Odd) -> bool:
    """Whether ``n`` individuals would all sit at tables of three, which are not classified.

    >>> [n for n in range(1, 40) if nothing_counts(n, Odd.THREES)]
    [3, 6, 9]
    """
    fours, threes, _out = table_sizes(n, odd)
    return bool(threes) and not fours


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn to fill ``seats`` places at tables of three: players who must and players who may not."""

    seats: int
    must: frozenset[int] = frozenset()
    barred: frozenset[int] = frozenset()

    def shut(self, ids: Sequence[int], sizes: Sequence[int]) -> IntArray | None:
        """Return the price of each table for each player: :data:`.search.NEVER` where it is not
        their turn.

        ``None`` when every player may sit anywhere.
        """
        if not self.must and not self.barred:
            return None
        out = np.zeros((len(ids), len(sizes)), dtype=np.int64)
        threes = np.array([size == 3 for size in sizes])
        for k, who in enumerate(ids):
            if who in self.barred:
                out[k, threes] = NEVER
            elif who in self.must:
                out[k, ~threes] = NEVER
        return out


def turn_of(players: Iterable[int], seats: int, history: History) -> Turn:
    """Return the turn of ``players`` to fill ``seats`` places at tables of three."""
    if not seats:
        return Turn(0)
    had = {who: history.byes.get(who, 0) for who in players}
    limit = sorted(had.values())[seats - 1]
    return Turn(
        seats,
        frozenset(who for who, times in had.items() if times < limit),
        frozenset(who for who, times in had.items() if times > limit),
    )


def begin(
    whole: list[list[int]], holes: Sequence[list[int]], rest: list[int], turn: Turn
) -> tuple[list[list[int]], list[list[int]], list[int]]:
    """Prepare a search that respects the turn: return whole tables, tables of three, and all other
    players.

    ``whole`` are tables that should stay, ``holes`` the remaining players of broken tables,
    ``rest`` all players outside ``whole``, those wanted at a table of three first. A hole of three
    stays together where it may; a whole table is broken only when the others do not suffice.
    """
    threes: list[list[int]] = []
    waiting = set(turn.must)
    for table in holes:
        room = turn.seats - 3 * len(threes) - 3
        if len(table) != 3 or room < 0 or turn.barred.intersection(table):
            continue
        if len(waiting.difference(table)) <= room:
            threes.append(list(table))
            waiting.difference_update(table)
    seated = {p for table in threes for p in table}
    from_whole = [p for table in reversed(whole) for p in table]
    others = [p for p in (*rest, *from_whole) if p not in seated]
    others.sort(key=lambda p: p not in waiting)
    wanted = [p for p in others if p not in turn.barred][: turn.seats - len(seated)]
    threes += [wanted[k : k + 3] for k in range(0, len(wanted), 3)]
    seated.update(wanted)
    whole_tables = [table for table in whole if not seated.intersection(table)]
    broken = [p for table in whole if seated.intersection(table) for p in table]
    return whole_tables, threes, [p for p in (*rest, *broken) if p not in seated]


def put_right(
    groups: list[list[int]],
    turn: Turn,
    cost: Callable[[Sequence[int]], int],
    chance: Chance,
) -> None:
    """Exchange players of groups drawn by lot until the turn is respected, at the least ``cost``.

    Each player at a table of three out of turn is exchanged for one whose turn it is, by lot among
    the exchanges that add least to the cost of the tables.
    """
    while True:
        threes = [k for k, group in enumerate(groups) if len(group) == 3]
        out = [(k, p) for k in threes for p in groups[k] if p in turn.barred]
        late = {p for k, g in enumerate(groups) if k not in threes for p in g if p in turn.must}
        if not out and late:
            out = [(k, p) for k in threes for p in groups[k] if p not in turn.must]
        if not out:
            return
        options = []
        now = [cost(group) for group in groups]
        for there, group in enumerate(groups):
            if there in threes:
                continue
            for comes in group:
                if comes in late or (not late and comes not in turn.barred):
                    for here, leaves in out:
                        one = [comes if p == leaves else p for p in groups[here]]
                        two = [leaves if p == comes else p for p in group]
                        more = cost(one) + cost(two) - now[here] - now[there]
                        options.append((more, there, comes, here, leaves))
        least = min(options)[0]
        equal = [option for option in options if option[0] == least]
        _, there, comes, here, leaves = equal[chance.below(len(equal))]
        groups[here] = [comes if p == leaves else p for p in groups[here]]
        groups[there] = [leaves if p == comes else p for p in groups[there]]
