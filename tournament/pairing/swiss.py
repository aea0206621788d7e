"""Pairs Swiss: every pair against one of about equal score, nobody twice (D.2 ``PAIRS_SWISS``).

The round is a perfect matching of least cost; the cost of a match is a list of terms, an earlier term
outweighing any sum of later ones:

1. ``rematch``: how often the two have met, squared;
2. ``clubs``: 1 for one club or family while clubs (families) are kept apart;
3. ``groups``: the distance of the score groups, squared (groups counted from the best, 0, 1, 2 …);
4. ``order``: how far the match is from the system's ideal, squared. ``Order.HALVES``: inside a group
   of ``s`` the first meets the ``s // 2``-th after him, top half against bottom half.
   ``Order.NEIGHBOURS``: 1–2, 3–4 … Across groups: the distance in rank.

Bans are not pairs of the graph at all. With an odd number one sits out: a bye that somebody has had
before outweighs even a rematch, and the ideal is the last of the ranking (or the middle). The
matching is exact (:mod:`.matching`), on the graph of every allowed pair or on part of it with a proof
that the rest cannot matter (:mod:`.widening`), so the certificate's terms are the least
possible in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from scoring.engine.texts import Texts

from .chance import Chance
from .costs import score_levels
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
from .widening import proven_matching

TERMS = ("byes_repeated", "rematches", "club_clashes", "group_differences", "order_deviation")

#: From this size the matching starts on few pairs and is widened until proven.
WIDEN_FROM = 100


class Order(StrEnum):
    """Who meets whom inside a score group."""

    HALVES = "halves"
    NEIGHBOURS = "neighbours"


class ByeFor(StrEnum):
    """Which place of the ranking sits out when the number is odd."""

    LAST = "last"
    MIDDLE = "middle"


_MATCHED = Texts(
    en="cheapest perfect matching over every allowed pair, terms in this order",
    fr="couplage parfait de coût minimal sur toutes les paires permises, critères dans cet ordre",
    nl="goedkoopste volledige koppeling over alle toegelaten paren, criteria in deze volgorde",
)


@dataclass(frozen=True, slots=True)
class Costing:
    """The terms of every match as arrays over the ranking (position 0 is the best)."""

    ranking: tuple[Contestant, ...]
    level: IndexArray
    place: IndexArray
    size: IndexArray
    club: IndexArray
    family: IndexArray
    byes: IndexArray
    met: dict[tuple[int, int], int]
    banned: frozenset[tuple[int, int]]
    order: Order
    bye_for: ByeFor
    bye_node: int
    bye_level: int
    units: tuple[int, ...]

    def order_deviation(self, i: IndexArray, j: IndexArray) -> IndexArray:
        """Term 4 before squaring; positions ``i < j``, both entrants."""
        across = self.level[i] != self.level[j]
        if self.order is Order.NEIGHBOURS:
            return j - i - 1
        gap = np.abs(self.place[j] - self.place[i])
        inside: IndexArray = np.abs(gap - self.size[i] // 2)
        return np.where(across, j - i - 1, inside)

    def terms(self, i: IndexArray, j: IndexArray) -> list[IndexArray]:
        """The five terms of the pairs ``(i[k], j[k])``, ``i < j``; the bye is the last position."""
        n = len(self.ranking)
        bye = j == self.bye_node
        jj = np.where(bye, 0, j)
        zero = np.zeros(len(i), dtype=np.int64)
        again = np.where(bye, self.byes[i], zero)
        rematch = zero.copy()
        if self.met:
            key = i * (n + 1) + j
            known = np.array([a * (n + 1) + b for a, b in self.met], dtype=np.int64)
            times = np.array(list(self.met.values()), dtype=np.int64)
            sort = np.argsort(known)
            known, times = known[sort], times[sort]
            at = np.minimum(np.searchsorted(known, key), len(known) - 1)
            rematch = np.where(known[at] == key, times[at], 0)
        clubs = np.where(
            ~bye
            & (
                ((self.club[i] >= 0) & (self.club[i] == self.club[jj]))
                | ((self.family[i] >= 0) & (self.family[i] == self.family[jj]))
            ),
            1,
            0,
        )
        target = bye_place(n, self.bye_for)
        to_bye = np.abs(self.level[i] - self.bye_level)
        groups = np.where(bye, to_bye, self.level[i] - self.level[jj])
        order = np.where(bye, np.abs(i - target), self.order_deviation(i, jj))
        return [again, rematch * rematch, clubs, groups * groups, order * order]

    def combine(self, terms: list[IndexArray]) -> list[int]:
        """One whole number a pair, exact whatever its size."""
        if self.units[0] * (int(terms[0].max(initial=0)) + 1) < 1 << 62:
            total = sum((t * u for t, u in zip(terms, self.units, strict=True)), np.int64(0))
            combined: list[int] = np.asarray(total).tolist()
            return combined
        return [
            sum(t * u for t, u in zip(row, self.units, strict=True))
            for row in zip(*(t.tolist() for t in terms), strict=True)
        ]


def bye_place(n: int, bye_for: ByeFor) -> int:
    """The position of the ranking that ideally sits out."""
    return n // 2 if bye_for is ByeFor.MIDDLE else n - 1


def rank_order(request: Request, contestants: list[Contestant]) -> list[Contestant]:
    """By score, then rank (unknown last), then rating, then by lot of the stage's seed."""
    chance = Chance(request.seed, "ranking")
    lot = {c: k for k, c in enumerate(chance.shuffled(sorted(c.id for c in request.contestants)))}
    return sorted(contestants, key=lambda c: (-c.score, c.rank or 1 << 60, -c.rating, lot[c.id]))


def _codes(labels: list[str], active: bool) -> IndexArray:
    numbers: dict[str, int] = {}
    return np.array(
        [numbers.setdefault(s, len(numbers)) if s and active else -1 for s in labels],
        dtype=np.int64,
    )


def costing(
    request: Request, order: Order = Order.HALVES, bye_for: ByeFor = ByeFor.LAST
) -> Costing:
    """The stated cost of the round, for whoever wants to weigh a match himself."""
    away = request.wishes.held | {p for t in request.wishes.locked for p in t.players}
    ranking = rank_order(request, [c for c in request.contestants if c.id not in away])
    levels = score_levels(ranking)
    at = {c.id: k for k, c in enumerate(ranking)}
    n = len(ranking)
    level = np.array([levels[c.score] for c in ranking], dtype=np.int64)
    sizes = np.bincount(level, minlength=1) if n else np.zeros(1, dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    met = {
        (min(at[a], at[b]), max(at[a], at[b])): times
        for (a, b), times in request.history.opponents.items()
        if times and a in at and b in at
    }
    banned = frozenset(
        (min(at[a], at[b]), max(at[a], at[b]))
        for a, b in request.wishes.bans
        if a in at and b in at
    )
    number = request.round_no
    half = (n + 1) // 2
    byes = np.array([request.history.byes.get(c.id, 0) for c in ranking], dtype=np.int64)
    peaks = [
        n * n,
        max(len(levels) - 1, 0) ** 2,
        1,
        max(met.values(), default=0) ** 2,
    ]
    units = [1]
    for peak in peaks:
        units.append(units[-1] * (peak * half + 1))
    return Costing(
        tuple(ranking),
        level,
        np.arange(n) - starts[level] if n else level,
        sizes[level] if n else level,
        _codes([c.club for c in ranking], number <= request.wishes.clubs_apart_until),
        _codes([c.family for c in ranking], number <= request.wishes.families_apart_until),
        byes,
        met,
        banned,
        order,
        bye_for,
        n if n % 2 else -1,
        int(level[bye_place(n, bye_for)]) if n else 0,
        tuple(reversed(units)),
    )


def allowed_pairs(cost: Costing) -> tuple[IndexArray, IndexArray]:
    """Every pair of positions that no ban forbids, smaller first; the bye is the last position."""
    nodes = len(cost.ranking) + (cost.bye_node >= 0)
    i, j = np.triu_indices(nodes, 1)
    return _without_bans(cost, i.astype(np.int64), j.astype(np.int64))


def _without_bans(cost: Costing, i: IndexArray, j: IndexArray) -> tuple[IndexArray, IndexArray]:
    if not cost.banned:
        return i, j
    width = len(cost.ranking) + 1
    keys = np.array([a * width + b for a, b in cost.banned], dtype=np.int64)
    keep = ~np.isin(i * width + j, keys)
    return i[keep], j[keep]


def swiss_matching(cost: Costing, progress: Progress | None = None) -> list[tuple[int, int]]:
    """The optimal pairs as positions of the ranking (the bye as position ``n``)."""
    nodes = len(cost.ranking) + (cost.bye_node >= 0)
    i, j = allowed_pairs(cost)
    if progress is not None:
        progress(0, 1)
    found = proven_matching(cost, i, j) if nodes >= WIDEN_FROM else None
    if found is None:
        found = cheapest_matching(nodes, i, j, cost.combine(cost.terms(i, j)))
    if progress is not None:
        progress(1, 1)
    if found is None:
        raise DrawRefused(
            "bans",
            Texts(
                en="The matches cannot be made without breaking a ban.",
                fr="Impossible de former les rencontres sans enfreindre une interdiction.",
                nl="De wedstrijden kunnen niet gevormd worden zonder een verbod te schenden.",
            ),
        )
    return found


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
            Texts(
                en="Too few entrants for a match.",
                fr="Trop peu d’équipes pour une rencontre.",
                nl="Te weinig deelnemers voor een wedstrijd.",
            ),
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
        f"swiss-{order.value}",
        request.seed,
        tuple(sorted(tables, key=lambda t: t.number)),
        byes,
        certificate,
        (),
        tuple(sorted(request.wishes.held)),
    )


def _certificate(
    request: Request,
    cost: Costing,
    matches: list[tuple[int, int]],
    best: list[tuple[int, int]],
    tables: Sequence[Table],
) -> Certificate:
    """The terms of ``matches`` beside those of the ``best`` ones (the proven optimum)."""

    def sums(pairs: list[tuple[int, int]]) -> list[int]:
        left = np.array([a for a, _ in pairs], dtype=np.int64)
        right = np.array([b for _, b in pairs], dtype=np.int64)
        return [int(term.sum()) for term in cost.terms(left, right)]

    lines = [
        Line(code, value, least, True, _MATCHED)
        for code, value, least in zip(TERMS, sums(matches), sums(best), strict=True)
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
    """The certificate of matches made by hand, the proven optimum of the round as bound.

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
    """Table numbers, best match first; who cannot move keeps his table."""
    wanted: dict[int, int] = {}
    for k, match in enumerate(games):
        for c in match:
            if c.fixed_table and c.fixed_table not in taken and k not in wanted:
                wanted[k] = c.fixed_table
                taken.add(c.fixed_table)
    free = (x for x in range(request.first_table, 1 << 60) if x not in taken)
    return [wanted[k] if k in wanted else next(free) for k in range(len(games))]


def _match(number: int, a: Contestant, b: Contestant, request: Request, lot: int) -> Table:
    """One match: N–S to who has sat there less often, else by lot; a fixed seat goes before."""
    first = request.history.first_sides
    key = [(first.get(a.id, 0), lot), (first.get(b.id, 0), 1 - lot)]
    one, two = (a, b) if key[0] <= key[1] else (b, a)
    if one.fixed_seat == "EW" or two.fixed_seat == "NS":
        one, two = two, one
    return Table(number, Kind.MATCH, (one.id, two.id))
