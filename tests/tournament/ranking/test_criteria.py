"""Each criterion against a crosstable, computed by hand in a comment."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.tournament.ranking.field import bye, entrants, game, separated
from tournament.ranking.criteria import CRITERIA, build
from tournament.ranking.errors import BadRule
from tournament.ranking.model import (
    AVERAGE,
    HALF,
    NO_CREDIT,
    Adjustment,
    Cap,
    CapOn,
    Credit,
    CreditBy,
    LineKind,
    Outcome,
    Played,
    Rule,
    use,
)
from tournament.ranking.presets import PRESETS
from tournament.ranking.ranking import rank


def values(names, lines, *criteria, adjustments=(), lots=None, **rule):
    """Return {entrant: value or values} under the criteria."""
    standing = rank(entrants(names), lines, adjustments, Rule(criteria, **rule), lots)
    return {
        row.entrant.id: row.values[0] if len(criteria) == 1 else row.values for row in standing.rows
    }


POINTS = {"win": 1, "draw": HALF, "loss": 0}

# Everyone met everyone once (round robin of four pairs), 1/½/0:
#        A    B    C    D   | sum
#   A    .    1    1    0   |  2
#   B    0    .    ½    1   |  1½
#   C    0    ½    .    1   |  1½
#   D    1    0    0    .   |  1
ROBIN = (
    game(1, "A", "B", (101, 90))
    + game(1, "C", "D", (101, 40), table=2)
    + game(2, "A", "C", (101, 95))
    + game(2, "B", "D", (101, 99), table=2)
    + game(3, "A", "D", (80, 101))
    + game(3, "B", "C", (88, 88), table=2)
)

# One table of four, each with each: AB 101–60 CD, AC 101–90 BD, AD 80–101 BC (see test_ranking).
TURNS = (
    game(1, "AB", "CD", (101, 60), game_no=1)
    + game(1, "AC", "BD", (101, 90), game_no=2)
    + game(1, "AD", "BC", (80, 101), game_no=3)
)


@pytest.mark.guide("ranking#the-criteria")
def test_games_won_and_what_a_draw_counts():
    assert values("ABCD", ROBIN, use("games_won")) == {"A": 2, "B": 1, "C": 1, "D": 1}
    half = values("ABCD", ROBIN, use("games_won", draw=HALF))
    assert half == {"A": 2, "B": Fraction(3, 2), "C": Fraction(3, 2), "D": 1}
    # D.1 E11: a tie counts as a win for both.
    assert values("ABCD", ROBIN, use("games_won", draw=1)) == {"A": 2, "B": 2, "C": 2, "D": 1}


def test_match_points_two_one_nothing_and_one_half_nothing():
    assert values("ABCD", ROBIN, use("match_points")) == {"A": 4, "B": 3, "C": 3, "D": 2}
    botifarra = values("ABCD", ROBIN, use("match_points"), **POINTS)
    assert botifarra == {"A": 2, "B": Fraction(3, 2), "C": Fraction(3, 2), "D": 1}


@pytest.mark.guide("ranking#the-criteria")
def test_match_points_for_a_match_of_several_games():
    # Best of three: A wins games 1 and 3 of the sitting: one match won, whatever the marks.
    sitting = (
        game(1, "A", "B", (101, 99), game_no=1)
        + game(1, "A", "B", (0, 101), game_no=2)
        + game(1, "A", "B", (101, 98), game_no=3)
    )
    assert values("AB", sitting, use("match_points", per="match")) == {"A": 2, "B": 0}
    assert values("AB", sitting, use("match_points")) == {"A": 4, "B": 2}
    assert values("AB", sitting[:4], use("match_points", per="match")) == {"A": 1, "B": 1}
    # D.1 E26: 2 for a win, 1 for a loss.
    assert values("AB", sitting, use("match_points", per="match"), loss=1) == {"A": 2, "B": 1}


def test_a_credited_round_is_one_match_however_many_games_it_stands_for():
    lines = [*game(1, "A", "B", (101, 0)), bye(1, "C", game_no=1), bye(1, "C", game_no=2)]
    assert values("ABC", lines, use("match_points", per="match"))["C"] == 2
    assert values("ABC", lines, use("match_points"))["C"] == 4


@pytest.mark.guide("ranking#the-criteria")
def test_net_marks_and_marks():
    # A +11 +6 −21 = −4; B −11 +2 0 = −9; C +61 −6 0 = +55; D −61 −2 +21 = −42
    assert values("ABCD", ROBIN, use("net_marks")) == {"A": -4, "B": -9, "C": 55, "D": -42}
    assert values("ABCD", ROBIN, use("marks")) == {"A": 282, "B": 279, "C": 284, "D": 240}


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_the_cap_on_marks_is_botifarras_121():
    # D.1: games to 101, cap 121. 150–100 counts 121–100; 101–130 counts 101–121.
    lines = game(1, "A", "B", (150, 100)) + game(2, "A", "B", (101, 130))
    capped = values("AB", lines, use("net_marks"), use("marks"), cap=Cap(121, CapOn.MARKS))
    assert capped == {"A": (1, 222), "B": (-1, 221)}


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_the_cap_on_the_difference_is_target_plus_twenty():
    # D.2: net points capped for each game at target + 20; the marks themselves are not.
    lines = game(1, "A", "B", (150, 0)) + game(2, "A", "B", (20, 101))
    capped = values("AB", lines, use("net_marks"), use("marks"), cap=Cap(121, CapOn.NET))
    assert capped == {"A": (40, 170), "B": (-40, 101)}


@pytest.mark.guide("ranking#the-criteria")
def test_percentage_of_games_won_counts_only_games_counted():
    lines = ROBIN[:4] + ROBIN[4:6]  # A has played two, B and D one or two
    assert values("ABCD", lines, use("games_percentage")) == {"A": 1, "B": 0, "C": HALF, "D": 0}
    assert values("ABCDE", lines, use("games_percentage"))["E"] is None


@pytest.mark.guide("ranking#the-criteria")
def test_percentage_of_the_maximum():
    # 12 deals of 60: 400 of 720, then 5 deals: 100 of 300: 500/1020 = 25/51.
    lines = game(1, "A", "B", (50, 20), points=(400, 320)) + game(
        2, "A", "B", (9, 60), points=(100, 200)
    )
    found = values("AB", lines, use("points_percentage"))
    assert found == {"A": Fraction(25, 51), "B": Fraction(26, 51)}
    assert build(use("points_percentage")).format(found["A"], "fr") == "49,02\u00a0%"


@pytest.mark.guide("ranking#the-criteria")
def test_percentages_without_any_points_come_last():
    lines = game(1, "A", "B", (50, 20), points=(1, 59))
    standing = rank(entrants("CAB"), lines, [], Rule((use("points_percentage"),)))
    assert [(row.rank, row.entrant.id) for row in standing.rows] == [(1, "B"), (2, "A"), (3, "C")]


@pytest.mark.guide("ranking#the-criteria")
def test_victory_points_share_twenty():
    # Bounds 1, 10, 20 … 90. 41 ahead reaches 1, 10, 20, 30, 40: 15–5. Level: 10–10. 95: 20–0.
    for marks, share in [
        ((101, 60), (15, 5)),
        ((88, 88), (10, 10)),
        ((101, 100), (11, 9)),
        ((100, 5), (20, 0)),
        ((300, 0), (20, 0)),
    ]:
        found = values("AB", game(1, "A", "B", marks), use("victory_points"))
        assert (found["A"], found["B"]) == share


def test_victory_points_count_a_sitting_as_one_match_and_a_credited_win_at_least_half():
    sitting = game(1, "A", "B", (101, 80), game_no=1) + game(1, "A", "B", (80, 101), game_no=2)
    assert values("AB", sitting, use("victory_points")) == {"A": 10, "B": 10}
    # B's own average is −50, half of it with a game of the field's 0: the credited win still gives half of 20.
    lines = [*game(1, "A", "B", (101, 51)), bye(2, "B"), bye(2, "A")]
    # A: 10 + 6 (1, 10, 20, 30, 40, 50), and 10 + 3 for the credited +25; B: 4 + 10.
    assert values("AB", lines, use("victory_points")) == {"A": 29, "B": 14}


def test_victory_points_of_an_odd_total_stay_exact():
    found = values("AB", game(1, "A", "B", (12, 0)), use("victory_points", total=5, bounds=(10,)))
    assert found == {"A": Fraction(7, 2), "B": Fraction(3, 2)}


@pytest.mark.guide("ranking#the-criteria")
def test_best_deal_is_the_greatest_of_all_games():
    lines = game(1, "A", "B", (101, 60), best=(24, 30)) + game(2, "A", "B", (90, 101), best=(60, 8))
    assert values("ABC", lines, use("best_deal")) == {"A": 60, "B": 30, "C": None}


@pytest.mark.guide("ranking#the-criteria")
def test_fewest_penalties_come_first():
    lines = game(1, "AB", "CD", (101, 60), penalties=(2, 0))
    standing = rank(
        entrants("ABCD"),
        lines,
        [Adjustment("C", 1, penalty_count=1)],
        Rule((use("fewest_penalties"),)),
    )
    assert [(row.rank, row.entrant.id, row.values) for row in standing.rows] == [
        (1, "D", (0,)),
        (2, "C", (1,)),
        (3, "A", (2,)),
        (3, "B", (2,)),
    ]


@pytest.mark.guide("ranking#the-criteria")
def test_buchholz_and_its_cuts():
    # A met B 1½, C 1½, D 1; B met A 2, C 1½, D 1; C met A 2, B 1½, D 1; D met A 2, B 1½, C 1½.
    assert values("ABCD", ROBIN, use("buchholz"), **POINTS) == {
        "A": 4,
        "B": Fraction(9, 2),
        "C": Fraction(9, 2),
        "D": 5,
    }
    assert values("ABCD", ROBIN, use("buchholz_cut"), **POINTS) == {
        "A": 3,
        "B": Fraction(7, 2),
        "C": Fraction(7, 2),
        "D": Fraction(7, 2),
    }
    assert values("ABCD", ROBIN, use("buchholz_cut", worst=2), **POINTS) == {
        "A": Fraction(3, 2),
        "B": 2,
        "C": 2,
        "D": 2,
    }
    median = values("ABCD", ROBIN, use("buchholz_median"), **POINTS)
    assert set(median.values()) == {Fraction(3, 2)}
    # More exclusions than meetings leave nothing, not a negative count.
    assert set(values("ABCD", ROBIN, use("buchholz_median", each=2)).values()) == {0}


def test_buchholz_of_another_score():
    # Net: A −4, B −9, C +55, D −42. A met B, C, D: −9 + 55 − 42 = 4.
    assert values("ABCD", ROBIN, use("buchholz", of="net_marks"))["A"] == 4


@pytest.mark.guide("ranking#the-criteria")
def test_sonneborn_berger():
    # A beat B 1½ and C 1½: 3. B beat D 1, drew C ½·1½: 1¾. C the same. D beat A: 2.
    assert values("ABCD", ROBIN, use("sonneborn_berger"), **POINTS) == {
        "A": 3,
        "B": Fraction(7, 4),
        "C": Fraction(7, 4),
        "D": 2,
    }


@pytest.mark.guide("ranking#the-criteria")
def test_opponents_wins():
    # Won at the table: A 2, B 1, C 1, D 1.
    assert values("ABCD", ROBIN, use("opponents_wins")) == {"A": 3, "B": 4, "C": 4, "D": 4}


@pytest.mark.guide("ranking#the-criteria")
def test_a_round_without_play_is_met_as_a_dummy_of_ones_own_score():
    # FIDE C.07 art. 16.4. Scores 1/½/0 with a credited win: A 1+1+1 = 3, B 0+1+1 = 2, C 1+0+0 = 1.
    #   Buchholz  A: B 2 + C 1 + dummy 3 = 6   B: A 3 + dummy 2 + C 1 = 6   C: dummy 1 + A 3 + B 2 = 6
    #   S.-B.     A: 2 + 1 + 3 = 6             B: 2 + 1 = 3                 C: 1
    #   Opponents' wins at the table only (A 2, B 1, C 0): A 1, B 2, C 3.
    lines = [
        *game(1, "A", "B", (101, 60)),
        bye(1, "C"),
        *game(2, "A", "C", (101, 60)),
        bye(2, "B"),
        *game(3, "B", "C", (101, 60)),
        bye(3, "A"),
    ]
    three = (use("buchholz"), use("sonneborn_berger"), use("opponents_wins"))
    assert values("ABC", lines, *three, **POINTS) == {
        "A": (6, 6, 1),
        "B": (6, 3, 2),
        "C": (6, 1, 3),
    }


@pytest.mark.guide("ranking#the-criteria")
def test_opposition_in_individual_play_counts_both_opponents_and_each_sitting_once():
    # Won: A 2, B 2, C 2, D 0. At the table A met B, C and D, each in two of the three games.
    #   Buchholz  A, B, C: 2 + 2 + 0 = 4   D: 6
    #   S.-B. of A: B lost one, won one ½·2; C the same ½·2; D beaten twice 1·0: 2
    #   D never won: 0
    assert values("ABCD", TURNS, use("buchholz", of="games_won")) == {
        "A": 4,
        "B": 4,
        "C": 4,
        "D": 6,
    }
    found = values("ABCD", TURNS, use("sonneborn_berger", of="games_won"))
    assert found == {"A": 2, "B": 2, "C": 2, "D": 0}


def test_head_to_head_of_two():
    # B and C both have 3; they drew: head-to-head leaves them level on 1 each.
    standing = rank(entrants("ABCD"), ROBIN, [], Rule((use("match_points"), use("head_to_head"))))
    assert standing.row("B").values == (3, (1,)) == standing.row("C").values
    assert standing.row("A").values == (4, None)
    assert [row.rank for row in standing.rows] == [1, 2, 2, 4]


# Four level on 4 points in a field of six; among them (2 for a win):
#        A    B    C    D   | sum   then A–B and C–D again among themselves
#   A    .    2    2    0   |  4    A 2, B 0
#   B    0    .    2    2   |  4
#   C    0    0    .    2   |  2    C 2, D 0
#   D    2    0    0    .   |  2
# A lost to E, B to F, C beat E, D beat F: A, B, C, D 4 points, E and F 2.
FOUR = (
    game(1, "A", "B", (101, 50))
    + game(1, "C", "D", (101, 50), table=2)
    + game(2, "A", "C", (101, 50))
    + game(2, "B", "D", (101, 50), table=2)
    + game(3, "D", "A", (101, 50))
    + game(3, "B", "C", (101, 50), table=2)
    + game(4, "E", "A", (101, 50))
    + game(4, "F", "B", (101, 50), table=2)
    + game(5, "C", "E", (101, 50))
    + game(5, "D", "F", (101, 50), table=2)
)


@pytest.mark.guide("ranking#the-criteria")
def test_head_to_head_of_four_is_a_table_of_its_own_and_starts_again_for_those_left_level():
    rule = Rule((use("match_points"), use("head_to_head")))
    standing = rank(entrants("FEDCBA"), FOUR, [], rule)
    assert [(row.rank, row.entrant.id, row.values) for row in standing.rows] == [
        (1, "A", (4, (4, 2))),
        (2, "B", (4, (4, 0))),
        (3, "C", (4, (2, 2))),
        (4, "D", (4, (2, 0))),
        (5, "F", (2, None)),
        (5, "E", (2, None)),
    ]
    assert separated(standing, "A", "B") == (
        "Head-to-head: 4 · 2 against 4 · 0 (tied on Match points)."
    )


def test_head_to_head_in_a_circle_separates_nobody():
    # A beat B, B beat C, C beat A.
    circle = (
        game(1, "A", "B", (101, 1)) + game(2, "B", "C", (101, 50)) + game(3, "C", "A", (101, 99))
    )
    standing = rank(entrants("ABC"), circle, [], Rule((use("match_points"), use("head_to_head"))))
    assert [(row.rank, row.values) for row in standing.rows] == [(1, (2, (2,)))] * 3


@pytest.mark.guide("ranking#the-criteria")
def test_head_to_head_does_not_count_unless_all_the_tied_have_met():
    # A beat B, C beat D: A and C level, never met; then B beat D: B on 2 as well.
    lines = (
        game(1, "A", "B", (101, 50))
        + game(1, "C", "D", (101, 50), table=2)
        + game(2, "B", "D", (101, 50))
    )
    standing = rank(entrants("ABCD"), lines, [], Rule((use("match_points"), use("head_to_head"))))
    assert [(row.rank, row.entrant.id) for row in standing.rows] == [
        (1, "A"),
        (1, "B"),
        (1, "C"),
        (4, "D"),
    ]
    assert standing.row("A").values == (2, None)


@pytest.mark.guide("ranking#the-criteria")
def test_head_to_head_takes_the_mean_of_a_pairs_games():
    # A won two of three against B: means 4/3 and 2/3. Level on points by other games.
    lines = (
        game(1, "A", "B", (101, 50))
        + game(2, "A", "B", (101, 50))
        + game(3, "B", "A", (101, 50))
        + game(4, "B", "C", (101, 50))
    )
    standing = rank(entrants("ABC"), lines, [], Rule((use("match_points"), use("head_to_head"))))
    assert standing.row("A").values == (4, (Fraction(4, 3),))
    assert standing.row("B").values == (4, (Fraction(2, 3),))
    assert standing.rows[0].entrant.id == "A"


@pytest.mark.guide("ranking#the-criteria")
def test_having_been_partners_is_not_having_met():
    lines = game(1, "AB", "CD", (101, 50))
    standing = rank(entrants("ABCD"), lines, [], Rule((use("match_points"), use("head_to_head"))))
    assert [row.rank for row in standing.rows] == [1, 1, 3, 3]


@pytest.mark.guide("ranking#the-criteria")
def test_drawn_lots_count_once_everyone_tied_has_one():
    rule = Rule((use("games_won"), use("lots")))
    lines = game(1, "AB", "CD", (101, 50))
    half = rank(entrants("ABCD"), lines, [], rule, {"A": 2})
    assert [row.rank for row in half.rows] == [1, 1, 3, 3]
    drawn = rank(entrants("ABCD"), lines, [], rule, {"A": 2, "B": 1})
    assert [(row.rank, row.entrant.id) for row in drawn.rows][:3] == [(1, "B"), (2, "A"), (3, "C")]
    assert separated(drawn, "A", "B", "nl") == "Loting: 1 tegen 2 (gelijk op Gewonnen bomen)."


# Byes: A has +41 (101–60) and −11 (90–101); then a round without play.
OWN = [*game(1, "A", "B", (101, 60)), *game(2, "A", "C", (90, 101)), bye(3, "A")]


@pytest.mark.guide("ranking#other-parts-of-a-rule")
@pytest.mark.parametrize(
    ("credit", "expected"),
    [
        # A win and the average of their two games and one of the field's average, 0 and 88: (30 + 0) / 3, (191 + 88) / 3
        (Credit(), (2, 40, 284)),
        (Credit(CreditBy.FIXED, Outcome.WIN, marks=101, net=20), (2, 50, 292)),
        (Credit(CreditBy.FIXED, None, marks=50), (1, 30, 241)),
        (NO_CREDIT, (1, 30, 191)),
    ],
)
def test_the_credit_of_a_bye(credit, expected):
    three = (use("games_won"), use("net_marks"), use("marks"))
    assert values("ABC", OWN, *three, bye=credit)["A"] == expected


def test_the_average_of_a_bye_is_that_of_the_capped_games():
    # +41 capped at 20, −11: +9; the bye adds a third of it, the field's average being 0.
    found = values("ABC", OWN, use("net_marks"), cap=Cap(20, CapOn.NET))
    assert found["A"] == 12


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_who_sits_out_has_the_average_of_their_own_games_in_every_criterion():
    # A won one of two games, as many as the field on average; net +41 and −11, marks 191: as a bye's, see above.
    lines = [*OWN[:-1], bye(3, "A", LineKind.SAT_OUT)]
    uses = (use("games_won"), use("match_points"), use("net_marks"), use("marks"))
    found = values("ABC", lines, *uses, sat_out=AVERAGE)["A"]
    assert found == (Fraction(3, 2), 3, 40, 284)
    assert values("ABC", lines, use("games_percentage"), sat_out=AVERAGE)["A"] == Fraction(1, 2)
    per_match = values("ABC", lines, use("match_points", per="match"), sat_out=AVERAGE)["A"]
    assert per_match == 3
    # A rest alone never leads: without a win its average is zero.
    assert (
        values("AB", [bye(1, "A", LineKind.SAT_OUT)], use("games_won"), sat_out=AVERAGE)["A"] == 0
    )


def test_a_credited_average_leans_towards_the_fields_as_one_more_game_would() -> None:
    # A won 3 of 3 games and sits out: 4 of 4 up to the sixth edition, now 3 and (3 + ½) / 4.
    lines = [line for at in (1, 2, 3) for line in game(at, "A", "B", (60, 40))]
    lines.append(bye(4, "A", LineKind.SAT_OUT))
    uses = (use("games_won"), use("match_points"), use("net_marks"))
    rule = Rule(uses, sat_out=AVERAGE)
    for to_field, won in ((True, Fraction(31, 8)), (False, 4)):
        rows = rank(entrants("AB"), lines, [], rule, to_field=to_field).rows
        (first, *_others) = [row for row in rows if row.entrant.id == "A"]
        assert first.values == (won, 2 * won, 75 if to_field else 80)


@pytest.mark.guide("ranking#the-criteria")
def test_place_points_count_who_is_behind_and_half_of_who_is_level():
    lines = [
        replace(line, place=place)
        for line, place in zip(
            [*game(1, "A", "B", (9, 3)), *game(1, "C", "D", (9, 0), table=2)],
            (Fraction(5, 2), 1, Fraction(5, 2), 0),
            strict=True,
        )
    ]
    found = values("ABCD", lines, use("place_points"))
    assert found == {"A": Fraction(5, 2), "B": 1, "C": Fraction(5, 2), "D": 0}
    plain = values("AB", game(1, "A", "B", (5, 5)), use("place_points"))
    assert plain == {"A": Fraction(1, 2), "B": Fraction(1, 2)}


@pytest.mark.guide("ranking#the-criteria")
def test_points_a_deal_compare_tables_that_played_different_numbers_of_deals():
    lines = [
        *(replace(line, deals=16) for line in game(1, "A", "B", (80, 40))),
        *(replace(line, deals=20) for line in game(1, "C", "D", (90, 40), table=2)),
    ]
    found = values("ABCD", lines, use("marks_per_deal"))
    assert found == {"A": 5, "B": Fraction(5, 2), "C": Fraction(9, 2), "D": 2}


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_a_bye_before_any_game_is_credited_nothing_but_the_win():
    assert values("AB", [bye(1, "A")], use("games_won"), use("net_marks"))["A"] == (1, 0)


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_the_median_of_the_field_is_that_of_the_rounds_winners():
    # Round 1 won by +41 and +11: median +26; marks 101 and 101.
    lines = [
        *game(1, "A", "B", (101, 60)),
        *game(1, "C", "D", (101, 90), table=2),
        *game(2, "A", "B", (999, 0)),
        bye(1, "E"),
    ]
    found = values(
        "ABCDE", lines, use("net_marks"), use("marks"), bye=Credit(CreditBy.FIELD_MEDIAN)
    )
    assert found["E"] == (26, 101)
    alone = values("E", [bye(1, "E")], use("net_marks"), use("marks"))
    assert alone == {"E": (0, 0)}, "of one's own no games there is no average"
    nobody = values("E", [bye(1, "E")], use("net_marks"), bye=Credit(CreditBy.FIELD_MEDIAN))
    assert nobody["E"] == 0


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_the_spread_of_the_field_is_best_worst_and_the_two_middle_rounded_up():
    # D.1 E11. Round 1: 101, 90, 77, 60, 12, 3: best 101, worst 3, middle 77 and 60: 241/4 → 61.
    lines = [
        *game(1, "A", "B", (101, 60)),
        *game(1, "C", "D", (90, 12), table=2),
        *game(1, "F", "G", (77, 3), table=3),
        *game(2, "A", "C", (500, 0)),
        bye(1, "E"),
    ]
    rule = PRESETS["fixed_pairs_evening"].rule
    assert rank(entrants("ABCDEFG"), lines, [], rule).row("E").values == (1, 61)
    assert rank(entrants("E"), [bye(1, "E")], [], rule).row("E").values == (1, 0)


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_sitting_out_and_a_bye_are_credited_apart():
    lines = [bye(1, "A", LineKind.SAT_OUT), bye(1, "B")]
    found = values("AB", lines, use("games_won"), sat_out=NO_CREDIT)
    assert found == {"A": 0, "B": 1}


def test_a_forfeit_counts_with_the_marks_written():
    # D.1 E10: forfeit 0 points.
    lines = game(1, "A", "B", (101, 0), kind=LineKind.FORFEIT)
    assert values("AB", lines, use("match_points"), use("net_marks")) == {
        "A": (2, 101),
        "B": (0, -101),
    }


def test_a_no_show_nobody_was_drawn_against_has_lost_and_has_met_nobody():
    lines = [
        *game(1, "B", "C", (101, 60)),
        Played(1, "A", outcome=Outcome.LOSS, kind=LineKind.FORFEIT),
    ]
    standing = rank(entrants("ABC"), lines, [], Rule((use("games_won"), use("buchholz"))))
    assert standing.row("A").values == (0, 0)
    assert (standing.row("A").games, standing.row("A").lost) == (1, 1)


def test_a_game_against_one_who_is_no_longer_in_the_field_counts():
    # A stage that carries points over, without the entrants who did not qualify.
    lines = [Played(1, "A", Outcome.WIN, 101, 40), Played(1, "B", Outcome.LOSS, 60, 101)]
    assert values("AB", lines, use("games_won"), use("net_marks"), use("buchholz")) == {
        "A": (1, 61, 0),
        "B": (0, -41, 0),
    }


def test_the_outcome_stands_even_against_the_marks():
    # A match of two games to one may be won with fewer marks.
    lines = game(1, "A", "B", (180, 240), outcome=Outcome.WIN)
    assert values("AB", lines, use("games_won")) == {"A": 1, "B": 0}


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_adjustments_move_every_criterion_they_touch_from_their_round_on():
    change = Adjustment("A", 2, marks=-30, match_points=-1, games_won=-1, penalty_count=1)
    five = (
        use("games_won"),
        use("match_points"),
        use("net_marks"),
        use("marks"),
        use("fewest_penalties"),
    )
    lines = [line for part in (1, 2, 3) for line in game(part, "A", "B", (101, 60))]
    rule = Rule(five)
    before = rank(entrants("AB"), lines, [change], rule, through=1).row("A")
    assert (before.values, before.adjusted) == ((1, 2, 41, 101, 0), False)
    for through, expected in ((2, (1, 3, 52, 172, 1)), (3, (2, 5, 93, 273, 1))):
        after = rank(entrants("AB"), lines, [change], rule, through=through).row("A")
        assert (after.values, after.adjusted) == (expected, True)


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_an_adjusted_score_is_what_the_opponents_have_met():
    lines = game(1, "A", "B", (101, 60))
    found = values("AB", lines, use("buchholz"), adjustments=[Adjustment("A", 1, match_points=-1)])
    assert found == {"A": 0, "B": 1}


@pytest.mark.parametrize("code", sorted(CRITERIA))
def test_every_criterion_explains_itself_in_three_languages(code):
    criterion = build(use(code))
    for texts, least in ((criterion.name, 3), (criterion.short, 2), (criterion.explanation, 40)):
        said = [texts.render("en"), texts.render("fr"), texts.render("nl")]
        assert all(len(text) >= least for text in said)
    assert (
        len(
            {
                criterion.explanation.render("en"),
                criterion.explanation.render("fr"),
                criterion.explanation.render("nl"),
            }
        )
        == 3
    )
    assert criterion.format(None, "fr") == "–"


FRENCH = [
    *(
        texts.render("fr")
        for kind in CRITERIA.values()
        for texts in (kind.name, kind.short, kind.explanation)
    ),
    *(
        texts.render("fr")
        for preset in PRESETS.values()
        for texts in (preset.name, preset.explanation)
    ),
]


def test_no_french_line_begins_with_a_sign():
    assert [text for text in FRENCH if re.search(r" [:;?!»]|« ", text)] == []


@pytest.mark.parametrize("code", ["games_won", "games_percentage"])
@pytest.mark.parametrize("draw", [Fraction(-1, 2), Fraction(3, 2)])
def test_a_draw_counts_neither_less_than_nothing_nor_more_than_a_win(code, draw):
    with pytest.raises(BadRule):
        build(use(code, draw=draw))


@pytest.mark.parametrize("code", sorted(CRITERIA))
def test_every_criterion_alone_ranks_the_same_field(code):
    standing = rank(entrants("ABCD"), ROBIN, [], Rule((use(code),)))
    assert {row.entrant.id for row in standing.rows} == set("ABCD")
    assert standing.rows[0].rank == 1


def test_values_are_written_in_the_manner_of_the_language():
    net, points = build(use("net_marks")), build(use("match_points"))
    assert [net.format(1234, lang) for lang in ("en", "fr", "nl")] == [
        "+1,234",
        "+1\u202f234",
        "+1.234",
    ]
    assert net.format(-5, "en") == "\u22125"
    assert points.format(Fraction(7, 2), "nl-be") == "3,5"
    assert points.format(Fraction(10, 3), "en") == "3.33"
    assert points.format(Fraction(-1, 1000), "en") == "0"


@pytest.mark.parametrize("params", [{"bounds": ()}, {"total": 0}])
def test_victory_points_without_a_total_or_a_scale_are_refused(params):
    with pytest.raises(BadRule, match="must be positive and the scale not empty"):
        build(use("victory_points", **params))


def test_one_victory_point_cannot_be_shared_in_steps():
    with pytest.raises(BadRule, match="At most half the total can be won in steps"):
        build(use("victory_points", total=1, bounds=(1,)))
