"""Fair sharing of the duties of scorekeeper and first dealer over all known rounds.

Every table needs one of its own players, and each player's earlier duties are given. The result is
a *semi-matching* of tables to players whose sorted counts are the most even possible. It is optimal
exactly when no *cost-reducing path* is left: a chain of tables along which the duty could pass to a
player with at least two duties less (Harvey, Ladner, Lovász and Tamir, "Semi-matchings for
bipartite graphs and load balancing", 2003). Such a sharing has the least maximum, the greatest
minimum and the least sum of squares. Chains are searched from the most burdened player down. A
player whom no chain can relieve is left out of the later searches, so the whole takes a few passes
over the tables.

The tables of later rounds, where a closed form provides them, are shared out together with those of
this round. Among equally even results, one that is also the most even now is taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from .chance import Chance


class Shares:
    """Tables, each with its possible holders, and who holds the duty of each."""

    def __init__(self, tables: Sequence[Sequence[int]], before: Mapping[int, int]) -> None:
        self.tables = [tuple(table) for table in tables]
        self.holder: list[int | None] = [None] * len(tables)
        self.load = {p: before.get(p, 0) for table in tables for p in table}
        self.held: dict[int, list[int]] = {p: [] for p in self.load}
        for k, table in enumerate(self.tables):
            if table:
                self._give(k, min(table, key=lambda p: self.load[p]))

    def _give(self, k: int, who: int) -> None:
        self.holder[k] = who
        self.load[who] += 1
        self.held[who].append(k)

    def move(self, chain: Sequence[tuple[int, int]]) -> None:
        """Give each table of the chain to the player named with it."""
        for k, _ in chain:
            old = self.holder[k]
            if old is not None:
                self.load[old] -= 1
                self.held[old].remove(k)
        for k, who in chain:
            self._give(k, who)

    def even_out(self) -> None:
        """Until no cost-reducing path is left."""
        closed: set[int] = set()
        while len(closed) < len(self.load):
            top = max(self.load[p] for p in self.load if p not in closed)
            start = [p for p in self.load if p not in closed and self.load[p] == top]
            chain, seen = self._chain(start, top - 2, closed)
            if chain:
                self.move(chain)
            else:
                closed |= seen

    def _chain(
        self, start: Sequence[int], most: int, closed: set[int]
    ) -> tuple[list[tuple[int, int]], set[int]]:
        """Return a shortest chain to a player with at most ``most`` duties, and all players reached."""
        came: dict[int, tuple[int, int]] = {}
        seen, queue = set(start), deque(start)
        while queue:
            giver = queue.popleft()
            for k in self.held[giver]:
                for taker in self.tables[k]:
                    if taker in seen or taker in closed:
                        continue
                    seen.add(taker)
                    came[taker] = (k, giver)
                    if self.load[taker] <= most:
                        return _back(came, taker), seen
                    queue.append(taker)
        return [], seen

    def relieve(self, k: int, taker: int, later: int) -> bool:
        """Pass table ``k`` to ``taker`` without making the whole less even, if that can be.

        The taker's excess is passed on along tables from number ``later`` on only.
        """
        giver = self.holder[k]
        if giver is None or giver == taker:
            return False
        most = self.load[giver] - 1
        chain = [(k, taker)]
        if self.load[taker] > most:
            onward = self._onward(giver, taker, most, later)
            if onward is None:
                return False
            chain += onward
        self.move(chain)
        return True

    def _onward(
        self, giver: int, taker: int, most: int, later: int
    ) -> list[tuple[int, int]] | None:
        came: dict[int, tuple[int, int]] = {}
        seen, queue = {taker}, deque([taker])
        while queue:
            now = queue.popleft()
            for k in self.held[now]:
                if k < later:
                    continue
                for other in self.tables[k]:
                    if other in seen:
                        continue
                    seen.add(other)
                    came[other] = (k, now)
                    if other == giver or self.load[other] <= most:
                        return _back(came, other)
                    queue.append(other)
        return None


def _back(came: Mapping[int, tuple[int, int]], end: int) -> list[tuple[int, int]]:
    chain = []
    while end in came:
        k, giver = came[end]
        chain.append((k, end))
        end = giver
    return chain


def share(
    now: Sequence[Sequence[int]],
    later: Sequence[Sequence[int]],
    before: Mapping[int, int],
    chance: Chance,
    avoid: Sequence[int | None] = (),
) -> list[int | None]:
    """Assign the duty at each of the tables ``now``; ``None`` where the list of holders is empty.

    ``later`` are the tables of rounds to come, ``before`` the duties had so far. Ties are decided
    by lot, but the player in ``avoid`` for a table is chosen only when no other would do.
    """
    shuffled = [chance.shuffled(table) for table in now]
    for k, other in enumerate(avoid):
        shuffled[k].sort(key=lambda p: p == other)
    shares = Shares([*shuffled, *later], before)
    shares.even_out()
    count = len(now)
    for k, table in enumerate(shuffled):
        holder = shares.holder[k]
        if holder is None:
            continue
        spared = avoid[k] if avoid else None
        wish = [(before.get(p, 0), p == spared) for p in table]
        mine = (before.get(holder, 0), holder == spared)
        for (times, no), taker in sorted(zip(wish, table, strict=True), key=lambda item: item[0]):
            if (times, no) >= mine or shares.relieve(k, taker, count):
                break
    return shares.holder[:count]
