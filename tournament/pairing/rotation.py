"""Three rotations at one table: AB–CD, AC–BD, AD–BC (D.2 ``INDIVIDUAL_TABLE3``).

"Eén schrijver blijft zitten, de drie anderen draaien": the scorekeeper A keeps his seat and the other
three move round one seat after every game, so that everybody is everybody's partner once and
opponent twice. One draw seats the table, the three games follow from it.
"""

from __future__ import annotations

from .model import Kind, Table

#: Seat order N, E, S, W of each game, in letters: A stays N, the others move on by one.
ORDERS = ("ACBD", "ADCB", "ABDC")


def rotation_games(table: Table) -> tuple[Table, Table, Table]:
    """The three games of a ``ROTATION`` table as ``PARTNERS`` tables, in order.

    The scorekeeper is A in all three. The first dealer is passed on: each game another of the first three
    seats in turn after the table's dealer.

    >>> t = Table(7, Kind.ROTATION, (10, 20, 30, 40))
    >>> [g.games() for g in rotation_games(t)][0]
    (((10, 20), (30, 40)),)
    """
    if table.kind is not Kind.ROTATION:
        raise ValueError("only a rotation table has three games")
    letters = dict(zip("ABCD", table.players, strict=True))
    start = table.players.index(table.dealer) if table.dealer in table.players else 0
    games = []
    for k, order in enumerate(ORDERS):
        seats = tuple(letters[x] for x in order)
        dealer = table.players[(start + k) % 4]
        games.append(Table(table.number, Kind.PARTNERS, seats, table.scorekeeper, dealer))
    return games[0], games[1], games[2]
