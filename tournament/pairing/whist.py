"""Prescripted movements for individuals: Whist tournaments and the Rainbow (D.2, E34, E35).

A **Whist tournament** Wh(n) lasts ``n − 1`` rounds (``n = 4k``) or ``n`` rounds (``n = 4k + 1``,
each player sitting out once); each partners each of the others exactly once and opposes each
exactly twice (Moore 1896). Construction: :mod:`.whist_plans`.

The **Rainbow**: North stays, South moves one table, East two tables up, West two down. With a
number of tables prime to 6 no two players meet twice; otherwise a closed form of :mod:`.columns` in
which North stays takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.texts import gettext_lazy as _
from scoring.texts import ngettext_lazy

from .columns import standing_longest, standing_plan
from .fixed import Round, assemble, by_lot, refuse_number
from .model import Contestant, Drawn, DrawRefused, Kind
from .seating import honour_fixed
from .whist_plans import has_whist, nearest_whist, whist_plan


def longest_movement(movement: str, n: int) -> int:
    """Return the number of rounds of a ``rainbow`` or ``whist`` of ``n`` players; 0 where none is known.

    Up to three players over the tables of a Rainbow sit out in turn.

    >>> longest_movement("whist", 16), longest_movement("whist", 6)
    (15, 0)
    >>> longest_movement("rainbow", 20), longest_movement("rainbow", 24), longest_movement("rainbow", 8)
    (5, 5, 1)
    """
    if movement == "whist":
        return (n - 1 if n % 4 == 0 else n) if has_whist(n) else 0
    tables = n // 4
    return tables if tables % 2 and tables % 3 else standing_longest(4 * tables)


def draw_whist(
    contestants: Sequence[Contestant], seed: str, rounds: int = 0, first_table: int = 1
) -> tuple[Drawn, ...]:
    """Draw the timetable of a Whist tournament, or its first ``rounds`` rounds (0: all).

    Raises :class:`.model.DrawRefused` ``number`` where none is known, naming the nearest that are.
    """
    order = by_lot(contestants, seed, "whist")
    plan = whist_plan(len(order))
    if plan is None:
        raise _no_whist(len(order))
    if rounds > len(plan):
        raise refuse_number(
            ngettext_lazy(
                "A Whist movement of {players} players has {most} round, not {rounds}: ask for fewer, or draw an individual championship.",
                "A Whist movement of {players} players has {most} rounds, not {rounds}: ask for fewer, or draw an individual championship.",
                "most",
            ).format(players=len(order), most=len(plan), rounds=rounds)
        )
    ids = [c.id for c in order]
    people = {c.id: c for c in contestants}
    out: list[Round] = []
    for tables, byes in plan[: rounds or len(plan)]:
        seated = [
            (
                first_table + t,
                Kind.PARTNERS,
                honour_fixed(tuple(ids[s] for s in slots), Kind.PARTNERS, people),
            )
            for t, slots in enumerate(tables)
        ]
        out.append((seated, [ids[b] for b in byes]))
    return assemble(contestants, out, seed, "whist", Kind.PARTNERS)


def _no_whist(n: int) -> DrawRefused:
    """Why there is none for ``n``, and the nearest thing."""
    near = nearest_whist(n)
    why = (
        _("exists only for 4k or 4k + 1 players")
        if n % 4 > 1 or n < 4
        else _("is not available for this number")
    )
    return refuse_number(
        _(
            "{players} players: a Whist movement {why}. The nearest numbers are {listed}; an individual championship seats any number."
        ).format(players=n, why=why, listed=", ".join(map(str, near)))
    )


def draw_rainbow(
    contestants: Sequence[Contestant], rounds: int, seed: str, first_table: int = 1
) -> tuple[Drawn, ...]:
    """Return the timetable of a Rainbow (or other column movement): North never moves, no two meet
    twice.

    A player with a fixed table or seat is North. Raises ``number`` when no movement is known for
    the number.
    """
    order = by_lot(contestants, seed, "rainbow")
    n = len(order)
    order.sort(key=lambda c: not (c.fixed_table or c.fixed_seat))
    ids = [c.id for c in order]
    plan_rounds = rainbow_plan(n, rounds)
    if not plan_rounds:
        raise refuse_number(
            ngettext_lazy(
                "No movement is known for {players} players and {rounds} round (at most {most}).",
                "No movement is known for {players} players and {rounds} rounds (at most {most}).",
                "rounds",
            ).format(players=n, rounds=rounds, most=standing_longest(n))
        )
    tables = [
        [
            (first_table + t, Kind.PARTNERS, tuple(ids[s] for s in slots))
            for t, slots in enumerate(one)
        ]
        for one in plan_rounds
    ]
    return assemble(contestants, [(t, ()) for t in tables], seed, "rainbow", Kind.PARTNERS)


def rainbow_plan(n: int, rounds: int) -> Sequence[Sequence[Sequence[int]]]:
    """Return the places at each table of a Rainbow in each round, North first; empty where none is known."""
    m = n // 4
    if n % 4 == 0 and m % 2 and m % 3 and 0 < rounds <= m:
        if m == 1 and rounds > 1:
            return ()
        # Places as N, E, S, W: E sits two tables up each round, S one, W two down.
        return tuple(
            tuple(
                (t, m + (t - 2 * r) % m, 2 * m + (t - r) % m, 3 * m + (t + 2 * r) % m)
                for t in range(m)
            )
            for r in range(rounds)
        )
    return standing_plan(n, rounds) or ()
