"""Pairs Mitchell: N–S stay, E–W move up one table after every round (D.1, Movements, E34).

With an odd number of tables ``t`` up to ``t`` rounds are played without a repeated meeting. With an
even number E–W *skip* one table after round ``t/2``; then ``t − 1`` rounds are possible. Two
winners: one ranking for N–S, one for E–W. An odd number of pairs leaves one N–S table without
opponents: its pair sits out, another each round.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.texts import ngettext_lazy

from .fixed import Round, assemble, by_lot, refuse_number
from .model import Contestant, Drawn, Kind


def longest_mitchell(pairs: int) -> int:
    """Return the number of rounds that can be played without a repeated meeting.

    >>> [longest_mitchell(n) for n in (4, 6, 8, 14, 15)]
    [1, 3, 3, 7, 7]
    """
    tables = (pairs + 1) // 2
    return tables if tables % 2 else tables - 1


def draw_mitchell(
    contestants: Sequence[Contestant], rounds: int, seed: str, first_table: int = 1
) -> tuple[Drawn, ...]:
    """Draw the whole timetable. Pairs with a fixed seat sit N–S; the lots of ``seed`` place the others.

    Raises :class:`.model.DrawRefused` ``number`` when there are too few tables for the rounds.
    """
    order = by_lot(contestants, seed, "mitchell")
    if rounds < 1 or rounds > longest_mitchell(len(order)):
        raise refuse_number(
            ngettext_lazy(
                "A Mitchell of {pairs} pairs has at most {most} round.",
                "A Mitchell of {pairs} pairs has at most {most} rounds.",
                "most",
            ).format(pairs=len(order), most=longest_mitchell(len(order)))
        )
    order.sort(key=lambda c: not (c.fixed_seat or c.fixed_table))
    ids = [c.id for c in order]
    out: list[Round] = []
    for games, byes in mitchell_rounds(len(order), rounds):
        seated = [(first_table + one, Kind.MATCH, (ids[one], ids[two])) for one, two in games]
        out.append((seated, [ids[place] for place in byes]))
    return assemble(contestants, out, seed, "mitchell", Kind.MATCH)


def mitchell_rounds(pairs: int, rounds: int) -> list[tuple[list[tuple[int, int]], list[int]]]:
    """Return the matches and byes of each round, by place from 0: those of North-South first.

    >>> mitchell_rounds(5, 2)
    [([(0, 3), (1, 4)], [2]), ([(1, 3), (2, 4)], [0])]
    """
    tables = (pairs + 1) // 2
    out = []
    for r in range(rounds):
        moved = r + (1 if tables % 2 == 0 and r >= tables // 2 else 0)
        visitors = [tables + (t - moved) % tables for t in range(tables)]
        games = [(t, visitor) for t, visitor in enumerate(visitors) if visitor < pairs]
        out.append((games, [t for t, visitor in enumerate(visitors) if visitor >= pairs]))
    return out
