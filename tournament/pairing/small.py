"""Small fields: the draw found by the search, or one of the best of all where that is better.

Weighed in this order: bans; whose turn it is to sit out or to fill up a table of three (only a ban
outweighs that); pairs who meet again; how often they had met; clubs and families;
who meets later in the closed form; score groups; at tables of two sides the partners, then the
opponents of the best split. So for fields up to :data:`.exact.LARGEST`, and up to 24 players at tables of
four (:mod:`.fours`), no draw is better in this order; of 17 to 24 the search looks ahead, so that its draw stands
where no other is better in what comes before the score groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, groupby

from .byes import Outs, outs_in_turn
from .chance import Chance
from .costs import BAN, CLUB, FUTURE, MEETING, Costs
from .exact import NEVER, Field, Price, Seating, fits
from .filling import Turn
from .fours import SIZES, FieldOfFours
from .model import Contestant, Kind, Request
from .seating import SPLITS, split_cost

#: Draws of this version and later are solved exactly in small fields.
SINCE = 2
#: From this version on also 17 to 24 players at tables of four, and a ban outweighs the turn to sit out.
FOURS_SINCE = 6

_AGAIN = 10 * BAN
_PARTNER = 1 << 20

Terms = tuple[int, int, int, int, int, int, int]
"""Of a table: pairs who meet again, how often they had met, clubs and families, who meets later, score groups, partners, opponents."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """Result of weighing every draw.

    ``drawn``: tables and who sits out, by lot among the best; ``None`` where the draw is one of the best.
    ``again``: the fewest pairs who meet again in any draw.
    """

    drawn: tuple[list[list[int]], tuple[int, ...]] | None
    again: int


def is_small(request: Request, free: Sequence[Contestant], sizes: Sequence[int]) -> bool:
    """Whether every draw of these players can be weighed, and the request asks for that."""
    return (request.version >= SINCE and fits(len(free), sizes)) or _by_fours(request, free, sizes)


def _by_fours(request: Request, free: Sequence[Contestant], sizes: Sequence[int]) -> bool:
    return request.version >= FOURS_SINCE and len(free) in SIZES and set(sizes) == {4}


def better(
    request: Request,
    free: Sequence[Contestant],
    costs: Costs,
    groups: Sequence[Sequence[int]],
    turn: Turn,
) -> Weighed | None:
    """Weigh every draw against ``groups``. Return ``None`` where there is no need, or no draw keeps
    the bans.

    ``costs`` are those of everybody ``free``.
    """
    index = {who: k for k, who in enumerate(costs.ids)}
    rows: list[list[int]] = costs.matrix.tolist()
    history = request.history

    def terms(table: Sequence[int]) -> Terms | None:
        seats = [index[who] for who in table]
        pairs = sum(rows[a][b] for a, b in combinations(seats, 2))
        if pairs >= BAN:
            return None
        again = sum(1 for a, b in combinations(sorted(table), 2) if history.meetings.get((a, b), 0))
        partner = opponent = 0
        if request.kind is Kind.PARTNERS and len(table) == 4:
            ways = [split_cost([table[k] for k in way], history) for way in SPLITS]
            partner, opponent = min(ways)
        times, rest = divmod(pairs, MEETING)
        clubs, rest = divmod(rest, CLUB)
        later, score = divmod(rest, FUTURE)
        return again, times, clubs, later, score, partner, opponent

    def wished_first(table: Sequence[int]) -> tuple[int, ...] | None:
        one = terms(table)
        return one and (*one[:3], *one[4:], one[3])

    sizes = [len(group) for group in groups]
    ids = [c.id for c in free]
    resting = len(free) - sum(sizes)
    outs = outs_in_turn(free, resting, history, request.wishes.bye_first)
    chance = Chance(request.seed, f"round {request.round_no}|best of all")
    stands = False
    if _by_fours(request, free, sizes):
        now = _heaviest(wished_first, groups)
        if now is not None and not any(now):
            return None
        best = _first(FieldOfFours(ids, resting, wished_first).draw, request, ids, outs, chance)
        stands = best is not None and now == _heaviest(wished_first, best.tables)
    else:

        def price(table: Sequence[int], turn: Turn) -> Price:
            shut = turn.barred if len(table) == 3 else turn.must
            one = terms(table)
            return (NEVER, 0) if one is None or not shut.isdisjoint(table) else _packed(one)

        if all(price(group, turn) == (0, 0) for group in groups):
            return Weighed(None, 0)
        for open_turn in (turn, Turn(turn.seats)):
            priced = partial(price, turn=open_turn)
            best = _first(Field(ids, sizes, priced).draw, request, ids, outs, chance)
            if best is not None:
                each = [priced(group) for group in groups]
                total = (sum(one for one, _ in each), sum(two for _, two in each))
                stands = total <= best.price
                break
    if best is None:
        return None
    again = sum((terms(table) or (0,))[0] for table in best.tables)
    if stands:
        return Weighed(None, again)
    tables = _in_order(request, best.tables, free, chance)
    return Weighed((tables, tuple(sorted(best.out))), again)


def _heaviest(
    price: Callable[[Sequence[int]], tuple[int, ...] | None], tables: Iterable[Sequence[int]]
) -> list[int] | None:
    """Return the sums of meetings, clubs and score groups over tables; ``None`` for a forbidden table."""
    each = [price(table) for table in tables]
    if None in each:
        return None
    return [sum(column) for column in zip(*(one[:4] for one in each if one), strict=True)]


def _packed(terms: Terms) -> Price:
    again, times, clubs, later, score, partner, opponent = terms
    first = _AGAIN * again + MEETING * times + CLUB * clubs + FUTURE * later + score
    return first, _PARTNER * partner + opponent


def _first(
    draw: Callable[[Iterable[Iterable[int]], Chance], Seating | None],
    request: Request,
    ids: Sequence[int],
    outs: Outs,
    chance: Chance,
) -> Seating | None:
    """Return the best draw with byes in turn; where the bans allow none, with the fewest turns skipped."""
    for choices in _choices(request, ids, outs):
        best = draw(choices, chance)
        if best is not None:
            return best
    return None


def _choices(request: Request, ids: Sequence[int], outs: Outs) -> Iterator[list[frozenset[int]]]:
    yield [outs.must.union(more) for more in combinations(sorted(outs.may), outs.free_count)]
    resting = len(outs.must) + outs.free_count
    if not resting or not request.wishes.bans or request.version < FOURS_SINCE:
        return
    had = request.history.byes

    def turns(out: frozenset[int]) -> int:
        return sum(had.get(who, 0) for who in out)

    every = sorted(map(frozenset, combinations(sorted(ids), resting)), key=turns)
    for _turns, group in groupby(every, key=turns):
        yield list(group)


def _in_order(
    request: Request, tables: Iterable[Sequence[int]], free: Sequence[Contestant], chance: Chance
) -> list[list[int]]:
    """Order tables of the same size by lot, or by score in a draw by score."""
    scores = {c.id: c.score for c in free}
    order = [sorted(table) for table in chance.shuffled(tables)]
    if request.by_score:
        order.sort(key=lambda table: sorted(-scores[who] for who in table))
    return sorted(order, key=len, reverse=True)
