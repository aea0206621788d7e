"""Slots of a closed form: their players in the first draw, and newcomers in holes later.

Players of one column never meet, so clubs and families are put whole into columns as far as
possible, all other players by lot. Meetings that are still forbidden (by a ban, or in the rounds of
avoidance) are then exchanged away. Players with a fixed table take the first column, which never
moves. A hole left by a withdrawal goes to any later player; when late players outnumber the holes,
the rest have no slot and are seated by the search.
"""

from __future__ import annotations

from collections.abc import Sequence

from .chance import Chance
from .columns import SlotPlan, longest, plan_for
from .model import Contestant, Request, pair

#: Nobody stands in this slot.
EMPTY = 0


def plan_of(n: int, rounds: int) -> SlotPlan | None:
    """Return the closed form for ``n`` players (rounded up to fours) over at most ``rounds`` rounds.

    When the closed forms end before ``rounds``, the longest one: the search does the rest.
    """
    slots = -(-n // 4) * 4
    return plan_for(slots, rounds) or (plan_for(slots, longest(slots)) if longest(slots) else None)


def first_slots(request: Request, present: Sequence[Contestant], plan: SlotPlan) -> tuple[int, ...]:
    """Return the slots of a stage's first draw: contestant ids, :data:`EMPTY` for a slot without a player."""
    size = sum(len(table) for table in plan[0])
    m = size // 4
    chance = Chance(request.seed, "slots")
    groups: dict[str, list[int]] = {}
    for c in chance.shuffled(sorted(present, key=lambda c: c.id)):
        label = c.club or c.family
        groups.setdefault(f"{label}" if label else f"#{c.id}", []).append(c.id)
    blocks = chance.shuffled(sorted(groups.items()))
    blocks.sort(key=lambda block: -len(block[1]))
    columns: list[list[int]] = [[], [], [], []]
    for _, members in blocks:
        waiting = list(members)
        while waiting:
            room = max(columns, key=lambda col: m - len(col))
            fit = [col for col in columns if m - len(col) >= len(waiting)]
            column = min(fit, key=len) if fit else room
            take = min(len(waiting), m - len(column))
            column.extend(waiting[:take])
            waiting = waiting[take:]
    slots: list[int] = []
    for column in columns:
        slots += chance.shuffled(column + [EMPTY] * (m - len(column)))
    _place_fixed(slots, request, present, m)
    _part(slots, request, present, plan, chance)
    return tuple(slots)


def _place_fixed(slots: list[int], request: Request, present: Sequence[Contestant], m: int) -> None:
    for c in sorted(present, key=lambda c: c.id):
        target = c.fixed_table - request.first_table
        if c.fixed_table and 0 <= target < m:
            here = slots.index(c.id)
            slots[here], slots[target] = slots[target], slots[here]


def _part(
    slots: list[int],
    request: Request,
    present: Sequence[Contestant],
    plan: SlotPlan,
    chance: Chance,
) -> None:
    """Exchange slots until no forbidden pair meets, or no exchange helps."""
    people = {c.id: c for c in present}
    wishes = request.wishes
    rivals: dict[int, list[list[int]]] = {}
    for number, one in enumerate(plan, start=1):
        for table in one:
            for slot in table:
                rivals.setdefault(slot, []).append([number, *(s for s in table if s != slot)])

    def clashes(slot: int) -> int:
        mine = people.get(slots[slot])
        if mine is None:
            return 0
        count = 0
        for number, *others in rivals[slot]:
            for other in others:
                theirs = people.get(slots[other])
                if theirs is None:
                    continue
                if pair(mine.id, theirs.id) in wishes.bans:
                    count += 1000
                if mine.club and mine.club == theirs.club and number <= wishes.clubs_apart_until:
                    count += 1
                if (
                    mine.family
                    and mine.family == theirs.family
                    and number <= wishes.families_apart_until
                ):
                    count += 1
        return count

    if not (wishes.bans or wishes.clubs_apart_until or wishes.families_apart_until):
        return
    movable = [
        s for s in range(len(slots)) if not (slots[s] in people and people[slots[s]].fixed_table)
    ]
    for _ in range(6):
        troubled = [s for s in movable if clashes(s)]
        if not troubled:
            return
        for s in chance.shuffled(troubled):
            if not clashes(s):
                continue
            for _ in range(60):
                o = movable[chance.below(len(movable))]
                if o == s:
                    continue
                before = clashes(s) + clashes(o)
                slots[s], slots[o] = slots[o], slots[s]
                after = clashes(s) + clashes(o)
                if after < before:
                    if not clashes(s):
                        break
                else:
                    slots[s], slots[o] = slots[o], slots[s]


def later_slots(
    slots: Sequence[int], registered: Sequence[Contestant], chance: Chance
) -> tuple[int, ...]:
    """Put newcomers into the holes of the slots; players who have a slot keep it.

    ``registered`` holds every player still in the event. An absent player keeps the slot only until
    another needs it.
    """
    here = {c.id for c in registered}
    placed = set(slots)
    late = chance.shuffled(sorted(here - placed))
    out = list(slots)
    never = [k for k, who in enumerate(out) if who == EMPTY]
    gone = [k for k, who in enumerate(out) if who != EMPTY and who not in here]
    for k, who in zip(never + gone, late, strict=False):
        out[k] = who
    return tuple(out)
