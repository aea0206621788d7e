"""Pairs Mitchell: N–S stay, E–W move up one table after every round (D.1, Movements, E34).

With an odd number of tables ``t`` up to ``t`` rounds are played and nobody meets twice. With an even
number E–W *skip* one table after round ``t/2``; then ``t − 1`` rounds are possible. Two winners: one
ranking for N–S, one for E–W. An odd number of pairs leaves one N–S table without opponents: its
pair sits out, another each round.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.texts import ngettext_lazy

from .fixed import Round, assemble, by_lot, refuse_number
from .model import Contestant, Drawn, Kind


def longest_mitchell(pairs: int) -> int:
    """How many rounds can be played without meeting twice.

    >>> [longest_mitchell(n) for n in (4, 6, 8, 14, 15)]
    [1, 3, 3, 7, 7]
    """
    tables = (pairs + 1) // 2
    return tables if tables % 2 else tables - 1


def draw_mitchell(
    contestants: Sequence[Contestant], rounds: int, seed: str, first_table: int = 1
) -> tuple[Drawn, ...]:
    """The whole timetable. Pairs with a fixed seat sit N–S; the lots of ``seed`` place the others.

    Raises :class:`.model.DrawRefused` ``number`` when there are too few tables for the rounds.
    """
    order = by_lot(contestants, seed, "mitchell")
    tables = (len(order) + 1) // 2
    if rounds < 1 or rounds > longest_mitchell(len(order)):
        raise refuse_number(
            ngettext_lazy(
                "A Mitchell of {pairs} pairs has at most {most} round.",
                "A Mitchell of {pairs} pairs has at most {most} rounds.",
                "most",
            ).format(pairs=len(order), most=longest_mitchell(len(order)))
        )
    order.sort(key=lambda c: not (c.fixed_seat or c.fixed_table))
    north = [c.id for c in order[:tables]]
    east: list[int | None] = [c.id for c in order[tables:]]
    east += [None] * (tables - len(east))
    out: list[Round] = []
    for r in range(rounds):
        moved = r + (1 if tables % 2 == 0 and r >= tables // 2 else 0)
        games = []
        byes = []
        for t in range(tables):
            visitor = east[(t - moved) % tables]
            if visitor is None:
                byes.append(north[t])
            else:
                games.append((first_table + t, Kind.MATCH, (north[t], visitor)))
        out.append((games, byes))
    return assemble(contestants, out, seed, "mitchell", Kind.MATCH)
