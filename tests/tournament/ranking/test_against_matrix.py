"""The criteria of opposition compared with a second computation: from the crosstable as a matrix."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.ranking.field import entrants, game
from tournament.ranking.model import HALF, Rule, use
from tournament.ranking.ranking import rank

NAMES = "ABCDEF"
PAIRS = [(one, other) for one in range(6) for other in range(one)]
CODES = (
    "match_points",
    "head_to_head",
    "buchholz",
    "buchholz_cut",
    "buchholz_median",
    "sonneborn_berger",
    "opponents_wins",
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from([None, 0, 1, 2]), min_size=15, max_size=15))
def test_one_meeting_at_most_for_each_pair(results):
    # cell[i][j]: twice the points of i against j, or None when they have not met.
    cell: list[list[int | None]] = [[None] * 6 for _ in range(6)]
    lines = []
    for round_no, ((one, other), twice) in enumerate(zip(PAIRS, results, strict=True), 1):
        if twice is not None:
            cell[one][other], cell[other][one] = twice, 2 - twice
            lines += game(round_no, NAMES[one], NAMES[other], (twice, 2 - twice))
    rule = Rule(tuple(use(code) for code in CODES), win=1, draw=HALF, loss=0)
    standing = rank(entrants(NAMES), lines, [], rule)
    score = [sum(Fraction(twice, 2) for twice in row if twice is not None) for row in cell]
    wins = [row.count(2) for row in cell]
    for i, name in enumerate(NAMES):
        met = [j for j in range(6) if cell[i][j] is not None]
        rising = sorted(score[j] for j in met)
        found = dict(zip(CODES, standing.row(name).values, strict=True))
        assert found["match_points"] == score[i]
        assert found["buchholz"] == sum(rising)
        assert found["buchholz_cut"] == sum(rising) - (rising[0] if rising else 0)
        inner = sum(rising) - rising[0] - rising[-1] if len(rising) > 1 else 0
        assert found["buchholz_median"] == inner
        assert found["sonneborn_berger"] == sum(score[j] * Fraction(cell[i][j], 2) for j in met)
        assert found["opponents_wins"] == sum(wins[j] for j in met)
        level = [j for j in range(6) if score[j] == score[i]]
        all_met = all(cell[a][b] is not None for a in level for b in level if a != b)
        if len(level) == 1 or not all_met:
            assert found["head_to_head"] is None
        else:
            own = sum(Fraction(cell[i][j], 2) for j in level if j != i)
            assert found["head_to_head"][0] == own
            same = [
                k for k in level if sum(Fraction(cell[k][j], 2) for j in level if j != k) == own
            ]
            again = 1 < len(same) < len(level)
            assert len(found["head_to_head"]) >= 1 + again
            if again:
                second = sum(Fraction(cell[i][j], 2) for j in same if j != i)
                assert found["head_to_head"][1] == second
