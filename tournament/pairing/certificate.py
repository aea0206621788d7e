"""Certificate of a draw: its cost, recounted from the tables, next to the best possible.

Nothing is taken from the search: every value is recounted from the finished tables and the history,
and every bound has its own argument, named in the line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from scoring.texts import Message
from scoring.texts import gettext_lazy as _

from .bounds import (
    club_bound,
    duty_spread_bound,
    partner_bound,
    score_bound,
    short_of_new,
    stage_bound,
)
from .costs import score_levels
from .filling import filling_players
from .model import (
    Certificate,
    Contestant,
    History,
    Kind,
    Line,
    Pair,
    Request,
    Table,
    pair,
)
from .table_bounds import meeting_bound, opponent_bound
from .weighing import (
    SeatingField,
    field_of,
    meetings_again,
    opponents_again,
    pairs_of_one,
    partners_again,
    steps_between,
)

#: (players, rounds) → fewest excess meetings anybody is known to have reached where the proven bound is
#: lower. Twenty players over six rounds without any do not exist (no resolvable group-divisible design
#: of type 2¹⁰; Handbook of Combinatorial Designs, IV.5.4); ten minutes of annealing all six together found 6.
BEST_KNOWN: dict[tuple[int, int], int] = {(20, 6): 6}

_COUNTED = _("each player needs new tablemates and few are left")
_STAGE = _("meetings of the stage against the number of other players")
_SO_FAR = _("the repeats of earlier rounds, and those this round must add")
_BEST = _("the best known for this number of players and rounds; not proven")
_TABLES = _("every possible table of each player weighed by what it repeats")
_EVERY = _("every draw weighed that keeps players apart as set and gives byes in turn")
_ZERO = _("nothing is below zero")
_MATCHING = _("a largest matching of players who have not yet been partners")
_PIGEON = _("members shared out evenly over the tables")
_GAPS = _("tables that must straddle each step of the ranking")
_SHARED = _("duties shared out evenly over those willing")
_TURN = _("byes shared out evenly: nobody twice before all once")


def _repeats(keys: Iterable[tuple[int, int]], before: Mapping[tuple[int, int], int]) -> int:
    """Count the round's pairs that have met before (a pair twice in one round counts once)."""
    return sum(1 for key in set(keys) if before.get(key, 0))


def _same(tables: Sequence[Table], label: Mapping[int, str]) -> int:
    return sum(
        1
        for table in tables
        for a, b in combinations(table.players, 2)
        if label.get(a) and label.get(a) == label.get(b)
    )


def certify(
    request: Request,
    tables: Sequence[Table],
    byes: Sequence[int],
    *,
    deep: bool = True,
    again: int | None = None,
) -> Certificate:
    """Compute the certificate of ``tables`` for ``request``; ``deep`` also proves the partner bound.

    ``again``: the fewest pairs who meet again in any draw, where all were weighed.

    Codes: ``repeated_meetings``, ``repeated_partners``, ``repeated_opponents`` (this round, against
    earlier rounds), ``meetings_total`` (excess meetings of the stage with this round in it),
    ``club_clashes``, ``family_clashes``, ``bans_broken``, ``score_differences``,
    ``scorekeeper_spread``, ``dealer_spread``, ``byes_repeated`` (a filling table of three counts as a bye).

    A bound holds for every draw with as many tables of these sizes, no matter who of those present sits out
    in turn (:mod:`.weighing`).
    """
    field = field_of(request, tables, byes)
    people = {c.id: c for c in request.contestants}
    present = [people[p] for p in field.players if p in people]
    history, sizes = request.history, field.sizes
    lines: list[Line] = []
    meetings = [m for t in tables for m in t.meetings()]
    value = _repeats(meetings, history.meetings)
    repeated, why = 0, _ZERO
    if value and again is not None:
        repeated, why = again, _EVERY
    elif value:
        repeated, why = _meetings_again(field, tables, history)
    lines.append(Line("repeated_meetings", value, repeated, True, why))
    if any(t.kind is Kind.PARTNERS for t in tables):
        partners = [m for t in tables for m in t.partners()]
        value = _repeats(partners, history.partners)
        low, why = 0, _ZERO
        if deep and value:
            exact = field.least(partners_again(history))
            low = partner_bound(tables, history.partners, field.players) if exact is None else exact
            why = (_MATCHING if exact is None else _EVERY) if low or exact is not None else _ZERO
        lines.append(Line("repeated_partners", value, low, True, why))
    if request.kind is not Kind.ROTATION:
        opponents = [m for t in tables for m in t.opponents()]
        value = _repeats(opponents, history.opponents)
        low, why = _opponents_again(field, tables, history) if value else (0, _ZERO)
        lines.append(Line("repeated_opponents", value, low, True, why))
    lines.append(_stage_line(history, meetings, repeated, whole=not field.resting))
    for code, label in (
        ("club_clashes", {c.id: c.club for c in present}),
        ("family_clashes", {c.id: c.family for c in present}),
    ):
        value = _same(tables, label)
        low = club_bound(Counter(v for v in label.values() if v), sizes, field.resting)
        why = _PIGEON if low else _ZERO
        if value > low and (exact := field.least(pairs_of_one(label))) is not None:
            low, why = exact, _EVERY
        lines.append(Line(code, value, low, True, why))
    broken = sum(1 for m in meetings if pair(*m) in request.wishes.bans)
    lines.append(Line("bans_broken", broken, 0, True, _ZERO))
    levels = score_levels(present)
    level = {c.id: levels[c.score] for c in present}
    spread = sum(
        abs(level[a] - level[b])
        for t in tables
        for a, b in combinations(t.players, 2)
        if a in level and b in level
    )
    low = score_bound(sorted(level.values()), sizes, field.resting)
    why = _GAPS
    if spread > low and (exact := field.least(steps_between(level))) is not None:
        low, why = exact, _EVERY
    lines.append(Line("score_differences", spread, low, True, why))
    lines += _duty_lines(request, tables, present, field.resting)
    counts = {c.id: history.byes.get(c.id, 0) for c in request.contestants}
    out = [*byes, *filling_players(request.kind, tables)]
    fewest = sorted(counts.values())[: len(out)]
    twice = sum(1 for b in out if counts.get(b, 0))
    lines.append(Line("byes_repeated", twice, sum(1 for x in fewest if x), True, _TURN))
    return Certificate(tuple(lines))


def _meetings_again(
    field: SeatingField, tables: Sequence[Table], history: History
) -> tuple[int, Message]:
    """Return the fewest repeated meetings in any draw of the field, and the argument for it."""
    exact = field.least(meetings_again(history))
    if exact is not None:
        return exact, _EVERY
    bound = short_of_new(tables, history.meetings, lambda t: len(t.players) - 1, field.players)
    by_table = meeting_bound(field.players, field.sizes, history.meetings)
    why = _TABLES if by_table > bound else _COUNTED if bound else _ZERO
    return max(bound, by_table), why


def _opponents_again(
    field: SeatingField, tables: Sequence[Table], history: History
) -> tuple[int, Message]:
    """Return the fewest repeated opponents in any draw of the field, and the argument for it."""
    exact = field.least(opponents_again(history))
    if exact is not None:
        return exact, _EVERY
    per = {Kind.PARTNERS: 2, Kind.MATCH: 1, Kind.ROTATION: 0}
    low = short_of_new(
        tables, history.opponents, lambda t: per.get(t.kind, len(t.players) - 1), field.players
    )
    if all(t.kind in (Kind.PARTNERS, Kind.SOLO) for t in tables):
        by_table = opponent_bound(field.players, field.sizes, history.opponents)
        if by_table > low:
            return by_table, _TABLES
    return low, _COUNTED if low else _ZERO


def _stage_line(history: History, meetings: Sequence[Pair], again: int, *, whole: bool) -> Line:
    """Excess meetings of the whole stage; ``again``: those that this round must add.

    ``whole``: no player sits out, so that each has equally many sittings in every draw of the round.
    """
    total = Counter(history.meetings)
    total.update(meetings)
    value = sum(times - 1 for times in total.values() if times > 1)
    players = {p for key in total for p in key}
    low = stage_bound(total, len(players)) if whole else 0
    played = sum(times - 1 for times in history.meetings.values() if times > 1) + again
    if played > low:
        return Line("meetings_total", value, played, True, _SO_FAR)
    # With every player at a table of four in every round: the best total known.
    sittings = Counter(p for key in total.elements() for p in key)
    rounds = set(sittings.values())
    best = BEST_KNOWN.get((len(players), rounds.pop() // 3), 0) if len(rounds) == 1 else 0
    if value >= best > low:
        return Line("meetings_total", value, best, False, _BEST)
    return Line("meetings_total", value, low, True, _STAGE if low else _ZERO)


def _duty_lines(
    request: Request, tables: Sequence[Table], present: list[Contestant], resting: int
) -> tuple[Line, Line]:
    """Most duties minus fewest among those seated: keeping the score, dealing first."""
    before = request.history
    seated = {p for t in tables for p in t.players}
    willing = {c.id: before.scorekeepers.get(c.id, 0) for c in present if c.scorekeeper}
    anybody = {c.id: before.dealers.get(c.id, 0) for c in present}
    return (
        _duty(
            "scorekeeper_spread",
            willing,
            seated,
            [t.scorekeeper for t in tables],
            tables,
            len(present) - len(willing),
            resting,
        ),
        _duty("dealer_spread", anybody, seated, [t.dealer for t in tables], tables, 0, resting),
    )


def _duty(
    code: str,
    before: dict[int, int],
    seated: Collection[int],
    holders: Sequence[int | None],
    tables: Sequence[Table],
    unwilling: int,
    resting: int,
) -> Line:
    """Return the line of one duty: the spread reached, and the least spread of any seating.

    A table without a willing player takes as many unwilling players as it has seats.
    """
    here = {who: times for who, times in before.items() if who in seated}
    after = Counter(here)
    after.update(who for who in holders if who in here)
    value = _spread(list(after.values()))
    smallest = min((len(t.players) for t in tables), default=1)
    without = min(unwilling // smallest, len(tables))
    given = {sum(1 for who in holders if who in here)}
    given.update(range(len(tables) - without, len(tables) + 1))
    bound = min(
        duty_spread_bound(list(before.values()), duties, out)
        for duties in given
        for out in range(max(0, resting - unwilling), resting + 1)
    )
    bound = min(bound, value)
    return Line(code, value, bound, True, _SHARED if bound else _ZERO)


def _spread(counts: list[int]) -> int:
    return max(counts) - min(counts) if counts else 0
