"""Small fields: the draw found by the search, or one of the best of all where that is better.

Weighed in this order: bans; whose turn it is to sit out or to fill up a table of three (only a ban
outweighs that at a table of three); pairs who meet again; how often they had met; clubs and families;
who meets later in the closed form; score groups; at tables of two sides the partners, then the
opponents of the best split. So for fields up to :data:`.exact.LARGEST` no draw is better in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations

from .byes import outs_in_turn
from .chance import Chance
from .costs import BAN, Costs
from .exact import NEVER, Price, best_seating, fits
from .filling import Turn
from .model import Contestant, Kind, Request
from .seating import SPLITS, split_cost

#: Draws of this version and later are solved exactly in small fields.
SINCE = 2

_AGAIN = 10 * BAN
_PARTNER = 1 << 20


def is_small(request: Request, free: Sequence[Contestant], sizes: Sequence[int]) -> bool:
    """Whether every draw of these players can be weighed, and the request asks for that."""
    return request.version >= SINCE and fits(len(free), sizes)


def better(
    request: Request,
    free: Sequence[Contestant],
    costs: Costs,
    groups: Sequence[Sequence[int]],
    turn: Turn,
) -> tuple[list[list[int]], tuple[int, ...]] | None:
    """Tables and who sits out, drawn by lot among the best of all, when ``groups`` are not of the best.

    ``costs`` are those of everybody ``free``. Where no draw keeps the bans there is no best one.
    """
    index = {who: k for k, who in enumerate(costs.ids)}
    rows: list[list[int]] = costs.matrix.tolist()
    history = request.history

    def price(table: Sequence[int], turn: Turn) -> Price:
        seats = [index[who] for who in table]
        pairs = sum(rows[a][b] for a, b in combinations(seats, 2))
        shut = turn.barred if len(table) == 3 else turn.must
        if pairs >= BAN or not shut.isdisjoint(table):
            return NEVER, 0
        again = sum(1 for a, b in combinations(sorted(table), 2) if history.meetings.get((a, b), 0))
        sides = 0
        if request.kind is Kind.PARTNERS and len(table) == 4:
            ways = [split_cost([table[k] for k in way], history) for way in SPLITS]
            partner, opponent = min(ways)
            sides = _PARTNER * partner + opponent
        return _AGAIN * again + pairs, sides

    sizes = [len(group) for group in groups]
    outs = outs_in_turn(free, len(free) - sum(sizes), request.history, request.wishes.bye_first)
    chance = Chance(request.seed, f"round {request.round_no}|best of all")
    for open_turn in (turn, Turn(turn.seats)):
        best = best_seating(
            [c.id for c in free],
            sizes,
            [outs.must.union(more) for more in combinations(sorted(outs.may), outs.free_count)],
            partial(price, turn=open_turn),
            chance,
        )
        if best is not None:
            break
    else:
        return None
    now = [price(group, open_turn) for group in groups]
    total = (sum(one for one, _ in now), sum(two for _, two in now))
    if total <= best.price:
        return None
    return _in_order(request, best.tables, free, chance), tuple(sorted(best.out))


def _in_order(
    request: Request, tables: Iterable[Sequence[int]], free: Sequence[Contestant], chance: Chance
) -> list[list[int]]:
    """Tables of the same size by lot, or by score where the draw is."""
    scores = {c.id: c.score for c in free}
    order = [sorted(table) for table in chance.shuffled(tables)]
    if request.by_score:
        order.sort(key=lambda table: sorted(-scores[who] for who in table))
    return sorted(order, key=len, reverse=True)
