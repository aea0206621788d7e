"""Pairs Swiss: every pair meets one of about equal score, never twice (D.2 ``PAIRS_SWISS``).

The round is a perfect matching of least cost; the cost of a match is a list of terms, an earlier term
outweighing any sum of later ones:

1. ``rematch``: how often the two have met, squared;
2. ``clubs``: 1 for one club or family while clubs (families) are kept apart;
3. ``groups``: the distance of the score groups, squared (groups counted from the best, 0, 1, 2 …);
4. ``floats``: how many of the two leave their score group the same way as in the round before;
5. ``order``: how far the match is from the system's ideal, squared. ``Order.HALVES``: inside a group
   of ``s`` the first meets the ``s // 2``-th after them, top half against bottom half.
   ``Order.NEIGHBOURS``: 1–2, 3–4 … Across groups: the distance in rank. A pair
   that then has sat on one side two matches more than on the other counts as two places.

Bans are not pairs of the graph at all. With an odd number one sits out: a bye that somebody has had
before outweighs even a rematch, and the ideal is the last of the ranking (or the middle). The
matching is exact (:mod:`.matching`), on the graph of every allowed pair or on part of it with a proof
that the rest cannot matter (:mod:`.widening`), so the certificate's terms are the least
possible in their order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.texts import gettext_lazy as _

from .chance import Chance
from .matching import IndexArray, cheapest_matching
from .model import (
    Certificate,
    Contestant,
    Drawn,
    DrawRefused,
    Kind,
    Line,
    Progress,
    Request,
    Table,
    pair,
)
from .seating import with_duties
from .swiss_costs import SIDES_SINCE, ByeFor, Costing, Order, bye_scale, costing
from .widening import proven_matching

TERMS = (
    "byes_repeated",
    "rematches",
    "club_clashes",
    "group_differences",
    "floats_repeated",
    "order_deviation",
    "sides_unbalanced",
)
FLOATS_SINCE = 6
_SINCE = {"floats_repeated": FLOATS_SINCE, "sides_unbalanced": SIDES_SINCE}

#: How a round of which nothing but the lot ranks the field is named.
BY_LOT = "swiss-lots"
#: The same where some are seeded.
BY_SEEDS = "swiss-seeds"

#: From this size the matching starts on few pairs and is widened until proven.
WIDEN_FROM = 100


_MATCHED = _("cheapest perfect matching over every allowed pair, terms in this order")


def allowed_pairs(cost: Costing) -> tuple[IndexArray, IndexArray]:
    """Return every pair of positions that no ban forbids, smaller first; the bye is the last position."""
    nodes = len(cost.ranking) + (cost.bye_node >= 0)
    i, j = np.triu_indices(nodes, 1)
    return _without_bans(cost, i.astype(np.int64), j.astype(np.int64))


def _without_bans(cost: Costing, i: IndexArray, j: IndexArray) -> tuple[IndexArray, IndexArray]:
    if not cost.banned:
        return i, j
    width = len(cost.ranking) + 1
    keys = np.array([a * width + b for a, b in cost.banned], dtype=np.int64)
    allowed = ~np.isin(i * width + j, keys)
    return i[allowed], j[allowed]


def swiss_matching(cost: Costing, progress: Progress | None = None) -> list[tuple[int, int]]:
    """Return the optimal pairs as positions of the ranking (the bye as position ``n``)."""
    nodes = len(cost.ranking) + (cost.bye_node >= 0)
    i, j = allowed_pairs(cost)
    if progress is not None:
        progress(0, 1)
    pairs = proven_matching(cost, i, j) if nodes >= WIDEN_FROM else None
    if pairs is None:
        pairs = cheapest_matching(nodes, i, j, cost.combine(cost.terms(i, j)))
    if progress is not None:
        progress(1, 1)
    if pairs is None:
        raise DrawRefused(
            "bans",
            _("The matches cannot be made without breaking a keep-apart rule."),
        )
    return pairs


def draw_swiss(
    request: Request,
    order: Order = Order.HALVES,
    bye_for: ByeFor = ByeFor.LAST,
    progress: Progress | None = None,
) -> Drawn:
    """Draw one Swiss round of pairs (or of any entrants who play one against one).

    Raises :class:`DrawRefused` ``too_few``, ``twice`` or ``bans``.
    """
    from .championship import check_request

    check_request(request)
    cost = costing(request, order, bye_for)
    ranking = cost.ranking
    if len(ranking) < 2 and not request.wishes.locked:
        raise DrawRefused(
            "too_few",
            _("Too few participants for a match."),
        )
    matches = swiss_matching(cost, progress)
    byes = tuple(sorted(ranking[i].id for i, j in matches if j == cost.bye_node))
    games = sorted((i, j) for i, j in matches if j != cost.bye_node)
    taken = {t.number for t in request.wishes.locked}
    numbers = _numbers(request, [(ranking[i], ranking[j]) for i, j in games], taken)
    chance = Chance(request.seed, f"round {request.round_no}|sides")
    drawn = [
        _match(number, ranking[i], ranking[j], request, chance.below(2))
        for (i, j), number in zip(games, numbers, strict=True)
    ]
    people = {c.id: c for c in request.contestants}
    lots = Chance(request.seed, f"round {request.round_no}|duties")
    history = request.history.after(request.wishes.locked)
    tables = [*request.wishes.locked, *with_duties(drawn, history, people, lots)]
    certificate = _certificate(request, cost, matches, matches, tables)
    return Drawn(
        request.round_no,
        _method(request, ranking, order),
        request.seed,
        tuple(sorted(tables, key=lambda t: t.number)),
        byes,
        certificate,
        (),
        tuple(sorted(request.wishes.held)),
    )


def _method(request: Request, ranking: Sequence[Contestant], order: Order) -> str:
    """Return the name of the method; before any result it names what orders the pairs (seeds or lot)."""
    ranked = len(ranking) < 2 or any(c.score or c.rank for c in ranking)
    if ranked or request.version < FLOATS_SINCE:
        return f"swiss-{order.value}"
    return BY_SEEDS if any(c.rating for c in ranking) else BY_LOT


def _certificate(
    request: Request,
    cost: Costing,
    matches: list[tuple[int, int]],
    best: list[tuple[int, int]],
    tables: Sequence[Table],
) -> Certificate:
    """Compare the terms of ``matches`` with those of the ``best`` ones (the proven optimum)."""

    def sums(pairs: list[tuple[int, int]]) -> list[int]:
        left = np.array([a for a, _ in pairs], dtype=np.int64)
        right = np.array([b for _, b in pairs], dtype=np.int64)
        again, *rest = (int(term.sum()) for term in cost.terms(left, right))
        met = right != cost.bye_node
        return [again // bye_scale(request), *rest, int(cost.sides(left[met], right[met]).sum())]

    lines = [
        Line(code, value, least, True, _MATCHED)
        for code, value, least in zip(TERMS, sums(matches), sums(best), strict=True)
        if request.version >= _SINCE.get(code, 1)
    ]
    broken = sum(1 for t in tables if pair(*t.players) in request.wishes.bans)
    lines.append(Line("bans_broken", broken, 0, True, _MATCHED))
    return Certificate(tuple(lines))


def weigh_matches(
    request: Request,
    tables: Sequence[Table],
    byes: tuple[int, ...],
    order: Order = Order.HALVES,
    bye_for: ByeFor = ByeFor.LAST,
) -> Certificate:
    """Compute the certificate of matches made by hand, with the proven optimum of the round as bound.

    The terms are compared in their order: a later one may lie below the optimum's when an earlier one
    lies above. Locked tables are not weighed.
    """
    cost = costing(request, order, bye_for)
    at = {c.id: k for k, c in enumerate(cost.ranking)}
    drawn = [t for t in tables if all(p in at for p in t.players)]
    pairs = [pair(at[t.players[0]], at[t.players[1]]) for t in drawn]
    pairs += [(at[b], cost.bye_node) for b in byes if b in at and cost.bye_node >= 0]
    return _certificate(request, cost, sorted(pairs), swiss_matching(cost), tables)


def _numbers(
    request: Request, games: list[tuple[Contestant, Contestant]], taken: set[int]
) -> list[int]:
    """Return table numbers, best match first; a contestant with a fixed table keeps it."""
    wanted: dict[int, int] = {}
    for k, match in enumerate(games):
        for c in match:
            if c.fixed_table and c.fixed_table not in taken and k not in wanted:
                wanted[k] = c.fixed_table
                taken.add(c.fixed_table)
    free = (x for x in range(request.first_table, 1 << 60) if x not in taken)
    return [wanted[k] if k in wanted else next(free) for k in range(len(games))]


def _match(number: int, a: Contestant, b: Contestant, request: Request, lot: int) -> Table:
    """Seat one match: N–S goes to the contestant who has sat there less often (than E–W, from version 7 on),
    else by lot; a fixed seat goes before.
    """
    first, second = request.history.first_sides, request.history.second_sides
    if request.version < SIDES_SINCE:
        second = {}
    ahead = [first.get(each.id, 0) - second.get(each.id, 0) for each in (a, b)]
    key = [(ahead[0], lot), (ahead[1], 1 - lot)]
    one, two = (a, b) if key[0] <= key[1] else (b, a)
    if one.fixed_seat == "EW" or two.fixed_seat == "NS":
        one, two = two, one
    return Table(number, Kind.MATCH, (one.id, two.id))
