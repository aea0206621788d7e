"""The two winners of a Mitchell: each line of pairs has its own ranking."""

from __future__ import annotations

from tests.tournament.ranking.field import entrants, game
from tournament.ranking.lines import split
from tournament.ranking.presets import PRESETS
from tournament.ranking.ranking import rank

# A round of four tables, North-South A to D (1 to 4) against East-West E to H (5 to 8).
ROUND = (
    game(1, "A", "E", (101, 60))
    + game(1, "B", "F", (101, 60), table=2)
    + game(1, "C", "G", (40, 101), table=3)
    + game(1, "D", "H", (80, 101), table=4)
)
LINES = {1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 1, 7: 1, 8: 1}


def test_each_line_is_ranked_from_one_and_shares_ranks_among_its_own() -> None:
    whole = rank(entrants("ABCDEFGH"), ROUND, [], PRESETS["world_championship"].rule)
    found = [
        [(row.position, row.rank, row.tied, row.entrant.id) for row in line.rows]
        for line in split(whole, LINES)
    ]
    assert found == [
        [(1, 1, True, "A"), (2, 1, True, "B"), (3, 3, False, "D"), (4, 4, False, "C")],
        [(1, 1, False, "G"), (2, 2, False, "H"), (3, 3, True, "E"), (4, 3, True, "F")],
    ]
