"""Tables of three to seven, each for themselves: the auctions and the three-player rulebook (004).

``size`` is the number wanted at a table; tables differ by at most one player unless the number cannot
be split so (five players at tables of three sit at one table of five). Meetings are spread by the same search
as the championship's; where the number of players is ``size`` times a closed form of fours, the round
is drawn like any other.
"""

from __future__ import annotations

import numpy as np

from scoring.texts import gettext_lazy as _
from scoring.texts import ngettext_lazy

from .byes import choose_byes
from .certificate import certify
from .championship import check_request
from .chance import Chance
from .costs import cost_matrix
from .filling import Turn
from .fixed import refuse_number
from .model import Drawn, Kind, Progress, Request, Table
from .search import improve
from .seating import at_fixed_places, honour_fixed, with_duties
from .small import better, is_small


def solo_sizes(n: int, size: int) -> list[int]:
    """Return the sizes of the tables for ``n`` players, all between three and seven.

    >>> solo_sizes(11, 3), solo_sizes(9, 5), solo_sizes(8, 7)
    ([4, 4, 3], [5, 4], [4, 4])
    """
    if not 3 <= size <= 7 or n < 3:
        raise refuse_number(_("Tables hold three to seven players."))
    least, most = -(-n // 7), n // 3
    groups = min(max(round(n / size), least, 1), most)
    if least > most:
        raise refuse_number(
            ngettext_lazy(
                "{players} player cannot be seated at tables of three to seven.",
                "{players} players cannot be seated at tables of three to seven.",
                "players",
            ).format(players=n)
        )
    each, more = divmod(n, groups)
    return [each + 1] * more + [each] * (groups - more)


def draw_solo(
    request: Request, size: int, progress: Progress | None = None, *, exactly: bool = False
) -> Drawn:
    """Draw one round of tables of about ``size``.

    All play; with ``exactly`` every table has that size, and the players left over sit out in turn.
    """
    people = check_request(request)
    away = request.wishes.held | {p for t in request.wishes.locked for p in t.players}
    free = [c for c in request.contestants if c.id not in away]
    lots = Chance(request.seed, f"round {request.round_no}|sitting out")
    out = len(free) % size if exactly else 0
    byes = choose_byes(free, out, request.history, lots, request.wishes.bye_first)
    present = [c for c in free if c.id not in byes]
    sizes = solo_sizes(len(present), size)
    label = f"round {request.round_no}"
    chance = Chance(request.seed, f"{label}|solo")
    order = chance.shuffled(sorted(present, key=lambda c: c.id))
    if request.by_score:
        order.sort(key=lambda c: -c.score)
    table_of = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    costs = cost_matrix(request, order)
    best, _ = improve(costs.matrix, table_of, chance, steps=5_000, progress=progress)
    groups: list[list[int]] = [[] for _ in sizes]
    for c, t in zip(order, best.tolist(), strict=True):
        groups[t].append(c.id)
    if is_small(request, free, sizes):
        best_of_all = better(request, free, cost_matrix(request, free), groups, Turn(0))
        if best_of_all is not None and best_of_all.drawn is not None:
            groups, byes = best_of_all.drawn
    taken = {t.number for t in request.wishes.locked}
    numbers = (x for x in range(request.first_table, 1 << 60) if x not in taken)
    fresh = []
    for number, group in zip(numbers, groups, strict=False):
        lot = Chance(request.seed, f"{label}|table {number}")
        seats = honour_fixed(tuple(lot.shuffled(sorted(group))), Kind.SOLO, people)
        fresh.append(Table(number, Kind.SOLO, seats))
    history = request.history.after(request.wishes.locked)
    lots = Chance(request.seed, f"{label}|duties")
    placed = at_fixed_places(fresh, people, request.wishes.locked)
    tables = [*request.wishes.locked, *with_duties(placed, history, people, lots)]
    tables.sort(key=lambda t: t.number)
    return Drawn(
        request.round_no,
        "solo",
        request.seed,
        tuple(tables),
        byes,
        certify(request, tables, byes),
        (),
        tuple(sorted(request.wishes.held)),
    )
