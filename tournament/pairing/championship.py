"""The individual championship draw: a new table and new partners in every round.

(Rules specification D.1: "elke ronde door elkaar geschud"; D.2 ``INDIVIDUAL_DRAW``.)

A stable field follows a closed form of :mod:`.columns`: no two players meet twice. After
withdrawals or late entries the closed form's whole tables are the start and the search seats the
rest. By score groups the search starts from the ranking. In every case the outcome is the same
function of the request: the seed draws the slots of the stage and the lots of each round.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from scoring.texts import gettext_lazy as _

from .bounds import score_bound
from .byes import choose_byes, table_sizes
from .certificate import certify
from .chance import Chance
from .columns import SlotPlan
from .costs import BAN, FUTURE, Costs, cost_matrix, score_levels
from .filling import Turn, begin, turn_of
from .lookahead import look_ahead
from .model import (
    Contestant,
    Drawn,
    DrawRefused,
    Kind,
    Progress,
    Request,
    Table,
)
from .polish import polish
from .search import improve
from .seating import seat_table, with_duties
from .slots import first_slots, later_slots, plan_of
from .small import FOURS_SINCE, better, is_small

#: Fields up to this size are worth planning several rounds at once.
SMALL = 40

#: How many choices of who sits out are tried before bans are found impossible.
_OTHER_BYES = 8


def draw_championship(request: Request, progress: Progress | None = None) -> Drawn:
    """Draw one round of an individual event (``Kind.ROTATION`` or ``Kind.PARTNERS``).

    Raises :class:`DrawRefused`: ``too_few`` (no table can be made), ``twice`` (a contestant listed
    twice), ``fixed_twice`` (one table fixed for two), ``round`` (a round number below 1), ``bans`` (the bans cannot be kept).
    """
    people = check_request(request)
    locked = {p for t in request.wishes.locked for p in t.players}
    free = [c for c in request.contestants if c.id not in locked | request.wishes.held]
    fours, threes, out = table_sizes(len(free), request.odd)
    if fours + threes == 0 and not request.wishes.locked:
        raise DrawRefused(
            "too_few",
            _("Too few players for a table."),
        )
    slots, plan = _stage_plan(request, free)
    # A ban may be satisfiable only with other byes: a small field tries other lots.
    attempts = _OTHER_BYES if out and len(free) <= SMALL and request.wishes.bans else 1
    small = is_small(request, free, [4] * fours + [3] * threes)
    if small and request.version >= FOURS_SINCE:
        attempts = 1  # every choice of byes is weighed
    least: int | None = None
    for attempt in range(attempts):
        label = f"round {request.round_no}|draw" + (f"|{attempt}" if attempt else "")
        chance = Chance(request.seed, label)
        byes = choose_byes(free, out, request.history, chance, request.wishes.bye_first)
        present = [c for c in free if c.id not in set(byes)]
        groups, movement = seat_groups(request, present, threes, slots, plan, progress)
        if small:
            costs = cost_matrix(request, free)
            if plan is not None:
                _spare_the_future(costs, slots, plan[request.round_no :])
            turn = turn_of((c.id for c in free), 3 * threes, request.history)
            best = better(request, free, costs, groups, turn)
            if best is not None and not request.wishes.locked:
                least = best.again
            if best is not None and best.drawn is not None:
                (groups, byes), movement = best.drawn, "every"
        tables = finish(request, groups, people, to_come(request, slots, plan))
        certificate = certify(request, tables, byes, again=least)
        if not certificate["bans_broken"].value:
            break
    else:
        raise DrawRefused(
            "bans",
            _("The tables cannot be made without breaking a keep-apart rule."),
        )
    return Drawn(
        request.round_no,
        movement,
        request.seed,
        tables,
        byes,
        certificate,
        slots,
        tuple(sorted(request.wishes.held)),
    )


def check_request(request: Request) -> dict[int, Contestant]:
    """Return contestants by id; refuse a request without a possible draw."""
    people = {c.id: c for c in request.contestants}
    if len(people) != len(request.contestants) or 0 in people:
        ids = [c.id for c in request.contestants]
        raise DrawRefused(
            "twice",
            _("A participant is listed twice, or has the number 0."),
            tuple(sorted({i for i in ids if ids.count(i) > 1} | ({0} & set(ids)))),
        )
    tables = [c.fixed_table for c in request.contestants if c.fixed_table]
    if len(set(tables)) != len(tables):
        twice = {t for t in tables if tables.count(t) > 1}
        raise DrawRefused(
            "fixed_twice",
            _("Two participants who cannot move have the same table: they would always meet."),
            tuple(sorted(c.id for c in request.contestants if c.fixed_table in twice)),
        )
    if request.round_no < 1:
        raise DrawRefused(
            "round",
            _("Rounds are counted from 1."),
        )
    return people


def _stage_plan(
    request: Request, free: list[Contestant]
) -> tuple[tuple[int, ...], SlotPlan | None]:
    """Return the stage's slots and its closed form, if it has one."""
    rounds = max(request.rounds, request.round_no)
    if request.by_score:
        return request.slots, None
    if request.slots:
        chance = Chance(request.seed, f"round {request.round_no}|late")
        slots = later_slots(request.slots, request.contestants, chance)
        return slots, plan_of(len(slots), rounds)
    if request.history.meetings:
        return (), None
    plan = plan_of(len(free), rounds)
    if plan is None:
        return (), None
    return first_slots(request, free, plan), plan


def seat_groups(
    request: Request,
    present: list[Contestant],
    threes: int,
    slots: Sequence[int],
    plan: SlotPlan | None,
    progress: Progress | None = None,
) -> tuple[list[list[int]], str]:
    """Return the players of each table (tables of three last), and the name of the movement."""
    if not present:
        return [], "locked"
    chance = Chance(request.seed, f"round {request.round_no}|search")
    count = len(present)
    turn = turn_of((c.id for c in present), 3 * threes, request.history)
    now = plan[request.round_no - 1] if plan is not None and request.round_no <= len(plan) else ()
    groups, laid_out = _start(request, present, [[slots[s] for s in t] for t in now], turn, chance)
    by_id = {c.id: c for c in present}
    order_ids = [p for table in groups for p in table]
    costs = cost_matrix(request, [by_id[p] for p in order_ids])
    if plan is not None:
        _spare_the_future(costs, slots, plan[request.round_no :])
    table_of = np.array([k for k, table in enumerate(groups) for _ in table], dtype=np.int64)
    name = "columns" if laid_out else "search"
    shut = turn.shut(order_ids, [len(group) for group in groups])
    remaining = max(request.rounds, request.round_no) - request.round_no + 1
    if name == "search" and count <= SMALL and remaining > 1 and not request.by_score:
        table_of = look_ahead(request, costs, table_of, remaining, chance, progress, shut)
        name = "look-ahead"
    bound = 0
    if request.by_score:
        levels = score_levels(present)
        bound = score_bound(
            sorted(levels[c.score] for c in present), [len(group) for group in groups]
        )
    if name != "columns" or int(costs.matrix[table_of[:, None] == table_of[None, :]].sum()):
        steps = max(2_000, min(20_000, 4_000_000 // count))
        best, cost = improve(
            costs.matrix, table_of, chance, bound=bound, steps=steps, shut=shut, progress=progress
        )
        # Bans outweigh everything, also whose turn it is to fill up a table.
        for still_shut in (shut, None) if shut is not None else (None,):
            if cost and cost >= BAN:
                best, cost = improve(
                    costs.matrix,
                    best,
                    chance,
                    bound=BAN - 1,
                    steps=4 * steps,
                    patience=4 * steps,
                    shut=still_shut,
                )
        if name == "columns" and (best != table_of).any():
            name = "search"
        table_of = best
    out: list[list[int]] = [[] for _ in groups]
    for k, t in enumerate(table_of.tolist()):
        out[t].append(k)
    if request.kind is Kind.PARTNERS and name != "columns":
        fours = [group for group in out if len(group) == 4]
        fours = polish(fours, order_ids, costs.matrix, request.history, chance)
        out = fours + [group for group in out if len(group) != 4]
    return [[order_ids[k] for k in group] for group in out], name


def _start(
    request: Request, present: list[Contestant], laid: list[list[int]], turn: Turn, chance: Chance
) -> tuple[list[list[int]], bool]:
    """Return the tables where the search starts, and whether they are those of the closed form (``laid``)."""
    ids = {c.id for c in present}
    fours = (len(present) - turn.seats) // 4
    whole = [table for table in laid if ids.issuperset(table)][:fours]
    if request.by_score:
        order = chance.shuffled(present)
        order.sort(key=lambda c: -c.score)
        rest = [c.id for c in order]
    else:
        seated = {p for table in whole for p in table}
        rest = [p for p in chance.shuffled(sorted(ids)) if p not in seated]
    threes: list[list[int]] = []
    holes = [[p for p in table if p in ids] for table in laid]
    if turn.seats:
        # By score the last of the ranking fill up, as with a bye.
        wanted = rest[::-1] if request.by_score else rest
        whole, threes, left = begin(whole, holes, wanted, turn)
        rest = left[::-1] if request.by_score else left
    loose = [rest[k : k + 4] for k in range(0, len(rest), 4)]
    return whole + loose + threes, not loose and all(table in holes for table in threes)


def _spare_the_future(costs: Costs, slots: Sequence[int], rounds: SlotPlan) -> None:
    """Add a small cost to pairs that the closed form seats together in a later round."""
    index = {who: k for k, who in enumerate(costs.ids)}
    place = [index.get(who, -1) for who in slots]
    for one in rounds:
        for table in one:
            for a, b in combinations(table, 2):
                i, j = place[a], place[b]
                if i >= 0 and j >= 0:
                    costs.matrix[i, j] += FUTURE
                    costs.matrix[j, i] += FUTURE


def to_come(request: Request, slots: Sequence[int], plan: SlotPlan | None) -> list[tuple[int, ...]]:
    """Return the tables of later rounds, as far as the closed form still provides them."""
    here = {c.id for c in request.contestants}
    rounds = plan[request.round_no :] if plan is not None else ()
    tables = [tuple(slots[s] for s in table if slots[s] in here) for one in rounds for table in one]
    return [table for table in tables if len(table) >= 3]


def finish(
    request: Request,
    groups: list[list[int]],
    people: dict[int, Contestant],
    later: Sequence[Sequence[int]] = (),
) -> tuple[Table, ...]:
    """Number the tables (fixed and locked numbers first), seat them and share out the duties."""
    taken = {t.number for t in request.wishes.locked}
    numbers: dict[int, int] = {}
    for k, group in enumerate(groups):
        for p in group:
            wanted = people[p].fixed_table
            if wanted and wanted not in taken:
                numbers[k] = wanted
                taken.add(wanted)
                break
    free = (n for n in range(request.first_table, 10**9) if n not in taken)
    for k in range(len(groups)):
        if k not in numbers:
            numbers[k] = next(free)
    label = f"round {request.round_no}"
    drawn = [
        seat_table(numbers[k], group, request.kind, request.history, people, request.seed, label)
        for k, group in enumerate(groups)
    ]
    drawn.sort(key=lambda t: t.number)
    history = request.history.after(request.wishes.locked)
    duties = with_duties(drawn, history, people, Chance(request.seed, f"{label}|duties"), later)
    return tuple(sorted((*request.wishes.locked, *duties), key=lambda t: t.number))
