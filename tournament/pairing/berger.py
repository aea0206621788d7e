"""Round robin by the Berger table: every two entrants meet once (D.2 ``PAIRS_ROUND_ROBIN``).

The entrants take numbers by lot (or in the order given). With ``n`` even the last number stays and
the others turn, as in the tables published by Berger (1895) and used by FIDE, Handbook C.05 annex
1: round ``r`` is round ``r − 1`` with every number but the last moved on by ``n/2`` modulo ``n −
1``. With ``n`` odd the last number is a bye: each entrant who would meet it sits out, once.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.texts import gettext_lazy as _

from .fixed import Round, assemble, by_lot, refuse_number
from .model import Contestant, Drawn, Kind


def berger_rounds(n: int) -> list[list[tuple[int, int]]]:
    """Return the Berger table of ``n`` entrants (``n`` even), numbers from 1, first named first.

    >>> berger_rounds(4)
    [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    """
    if n < 2 or n % 2:
        raise ValueError("a Berger table has an even number of entrants")
    turn = n - 1
    rounds = []
    for r in range(turn):
        shift = r * (n // 2) % turn
        first = shift + 1
        games = [(first, n) if r % 2 == 0 else (n, first)]
        games += [((shift + k) % turn + 1, (shift - k) % turn + 1) for k in range(1, n // 2)]
        rounds.append(games)
    return rounds


def draw_round_robin(
    contestants: Sequence[Contestant],
    seed: str,
    *,
    in_order: bool = False,
    twice: bool = False,
    first_table: int = 1,
) -> tuple[Drawn, ...]:
    """Draw the whole timetable: ``n − 1`` rounds (``n`` when odd), the double when ``twice``.

    ``in_order`` gives the numbers in the order of ``contestants`` instead of by lot. The second half
    of a double round robin repeats the first with sides exchanged.
    """
    if len(contestants) < 2:
        raise refuse_number(_("A round robin needs two participants."))
    order = list(contestants) if in_order else by_lot(contestants, seed, "berger")
    ids: list[int | None] = [c.id for c in order]
    if len(ids) % 2:
        ids.append(None)
    out: list[Round] = []
    for again in range(2 if twice else 1):
        for games in berger_rounds(len(ids)):
            tables: list[tuple[int, Kind, tuple[int, ...]]] = []
            byes = []
            for a, b in games:
                one, two = ids[a - 1], ids[b - 1]
                if one is None or two is None:
                    byes.append(one if one is not None else two)
                else:
                    seats = (two, one) if again else (one, two)
                    tables.append((first_table + len(tables), Kind.MATCH, seats))
            out.append((tables, [b for b in byes if b is not None]))
    return assemble(contestants, out, seed, "round-robin", Kind.MATCH)
