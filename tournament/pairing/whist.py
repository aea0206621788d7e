"""Prescripted movements for individuals: Whist tournaments and the Rainbow (D.2, E34, E35).

A **Whist tournament** Wh(n) lasts ``n − 1`` rounds (``n = 4k``) or ``n`` rounds (``n = 4k + 1``, each player
sitting out once); everybody partners everybody else exactly once and opposes everybody exactly twice
(Moore 1896). Two constructions:

* ``n = 4k + 1`` a prime power: with ``w`` primitive in the field of ``n`` elements, the first round has the
  tables ``(wⁱ, wⁱ⁺ᵏ, wⁱ⁺²ᵏ, wⁱ⁺³ᵏ)``, ``i < k``; round ``r`` adds the element ``r``; ``r`` itself sits out;
* ``n = 4k``: a first round over ``n − 1`` residues and one fixed player, found by search, written in
  :data:`FIRST_ROUNDS` and turned by 1 modulo ``n − 1``.

Orders 4k + 1 that are no prime power may stand in :data:`FIRST_ROUNDS` too, turned modulo ``n``.

The **Rainbow**: North stays, South moves one table, East two tables up, West two down. With a number of tables
prime to 6 nobody meets anybody twice; otherwise the closed form of :mod:`.columns` with the most rounds
takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .columns import longest, plan_for
from .fields import field_of
from .fixed import Round, assemble, by_lot, refuse_number
from .model import Contestant, Drawn, Kind
from .seating import honour_fixed

#: First rounds: players → tables as (N, E, S, W); slots below the modulus turn, the last stands still.
FIRST_ROUNDS: dict[int, tuple[tuple[int, int, int, int], ...]] = {
    4: ((3, 1, 0, 2),),
    8: ((7, 1, 0, 5), (2, 4, 3, 6)),
    12: ((11, 6, 0, 7), (3, 10, 9, 1), (2, 8, 5, 4)),
    16: ((15, 11, 0, 7), (4, 9, 10, 6), (8, 1, 13, 14), (12, 2, 5, 3)),
    20: ((19, 10, 0, 7), (14, 4, 5, 16), (15, 1, 9, 3), (18, 13, 17, 2), (8, 6, 12, 11)),
    21: ((20, 3, 2, 19), (15, 13, 4, 7), (6, 9, 14, 16), (18, 10, 1, 8), (11, 17, 12, 5)),
    24: (
        (23, 11, 0, 2),
        (17, 21, 1, 16),
        (22, 20, 12, 5),
        (18, 8, 14, 9),
        (13, 4, 15, 10),
        (19, 3, 7, 6),
    ),
    28: (
        (27, 17, 0, 22),
        (12, 6, 15, 19),
        (11, 13, 21, 24),
        (20, 5, 18, 1),
        (8, 4, 2, 3),
        (26, 14, 7, 23),
        (25, 9, 10, 16),
    ),
    32: (
        (31, 4, 0, 9),
        (24, 3, 20, 17),
        (19, 30, 1, 7),
        (12, 18, 2, 25),
        (15, 5, 14, 27),
        (29, 26, 10, 6),
        (13, 8, 28, 11),
        (16, 21, 22, 23),
    ),
    33: (
        (14, 25, 17, 13),
        (3, 32, 29, 15),
        (2, 27, 22, 8),
        (7, 19, 12, 9),
        (6, 21, 31, 30),
        (26, 24, 4, 20),
        (16, 23, 18, 5),
        (10, 28, 11, 1),
    ),
    36: (
        (35, 3, 0, 12),
        (16, 34, 24, 10),
        (28, 8, 9, 2),
        (23, 30, 1, 32),
        (6, 26, 31, 14),
        (5, 15, 4, 18),
        (19, 17, 33, 22),
        (7, 29, 27, 11),
        (13, 21, 20, 25),
    ),
}

WhistRound = tuple[tuple[tuple[int, int, int, int], ...], tuple[int, ...]]


@lru_cache(maxsize=32)
def whist_plan(n: int) -> tuple[WhistRound, ...] | None:
    """All rounds of a Whist tournament of ``n`` slots as (tables N, E, S, W; sitting out), or ``None``.

    >>> whist_plan(5)[0]
    (((1, 2, 4, 3),), (0,))
    """
    first = FIRST_ROUNDS.get(n)
    if first is not None:
        turn = n - 1 if n % 4 == 0 else n

        def moved(slot: int, r: int) -> int:
            return (slot + r) % turn if slot < turn else slot

        return tuple(
            (
                tuple((moved(a, r), moved(b, r), moved(c, r), moved(d, r)) for a, b, c, d in first),
                () if n % 4 == 0 else (moved(_idle(first), r),),
            )
            for r in range(turn)
        )
    f = field_of(n) if n % 4 == 1 and n > 1 else None
    if f is None:
        return None
    k = (n - 1) // 4
    starts = [[f.powers[i + k * side] for side in range(4)] for i in range(k)]
    return tuple(
        (
            tuple((f.add(a, r), f.add(b, r), f.add(c, r), f.add(d, r)) for a, b, c, d in starts),
            (r,),
        )
        for r in range(n)
    )


def _idle(first: tuple[tuple[int, int, int, int], ...]) -> int:
    seated = {s for table in first for s in table}
    return next(s for s in range(len(seated) + 1) if s not in seated)


def draw_whist(
    contestants: Sequence[Contestant], seed: str, rounds: int = 0, first_table: int = 1
) -> tuple[Drawn, ...]:
    """The timetable of a Whist tournament, or its first ``rounds`` rounds (0: all).

    Raises :class:`.model.DrawRefused` ``number`` where no such tournament is known here.
    """
    order = by_lot(contestants, seed, "whist")
    plan = whist_plan(len(order))
    if plan is None or rounds > len(plan):
        raise refuse_number(
            f"No Whist tournament is known here for {len(order)} players and {rounds} rounds.",
            f"Aucun tournoi de whist n’est connu ici pour {len(order)} joueurs et {rounds} tours.",
            f"Hier is geen whisttornooi bekend voor {len(order)} spelers en {rounds} rondes.",
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


def draw_rainbow(
    contestants: Sequence[Contestant], rounds: int, seed: str, first_table: int = 1
) -> tuple[Drawn, ...]:
    """The timetable of a Rainbow (or other column movement): North never moves, nobody meets twice.

    Who has a fixed table or seat is North. Raises ``number`` when no movement is known for the number.
    """
    order = by_lot(contestants, seed, "rainbow")
    n, m = len(order), len(order) // 4
    order.sort(key=lambda c: not (c.fixed_table or c.fixed_seat))
    ids = [c.id for c in order]
    if n % 4 == 0 and m % 2 and m % 3 and 0 < rounds <= m:
        plan = tuple(
            tuple(
                (t, m + (t - 2 * r) % m, 2 * m + (t - r) % m, 3 * m + (t + 2 * r) % m)
                for t in range(m)
            )
            for r in range(rounds)
        )
        # Slots as N, E, S, W: E sits two tables up each round, S one, W two down.
        made: Sequence[Sequence[Sequence[int]]] = plan
        if m == 1 and rounds > 1:
            made = ()
    else:
        made = plan_for(n, rounds) or ()
    if not made:
        raise refuse_number(
            f"No movement is known for {n} players and {rounds} rounds (at most {longest(n)}).",
            f"Aucun mouvement connu pour {n} joueurs et {rounds} tours (au plus {longest(n)}).",
            f"Geen schema bekend voor {n} spelers en {rounds} rondes (hoogstens {longest(n)}).",
        )
    tables = [
        [
            (first_table + t, Kind.PARTNERS, tuple(ids[s] for s in slots))
            for t, slots in enumerate(one)
        ]
        for one in made
    ]
    return assemble(contestants, [(t, ()) for t in tables], seed, "rainbow", Kind.PARTNERS)
