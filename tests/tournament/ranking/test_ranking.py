"""Ranks, ties, the explanation between two neighbours, and refusals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.tournament.ranking.field import bye, entrants, game, separated
from tournament.ranking.errors import BadResults, BadRule
from tournament.ranking.model import AVERAGE, Entrant, LineKind, Played, Rule, Withdrawal, use
from tournament.ranking.presets import PRESETS
from tournament.ranking.ranking import deciders, rank

WK = PRESETS["world_championship"].rule

# One table of four, three games, the partners changing (AB–CD, AC–BD, AD–BC): "één schrijver
# blijft zitten, de drie anderen draaien" (D.1 E6; D.2 INDIVIDUAL_TABLE3).
#   game 1  AB 101 – 60 CD      A +41  B +41  C −41  D −41
#   game 2  AC 101 – 90 BD      A +11  B −11  C +11  D −11
#   game 3  AD  80 – 101 BC     A −21  B +21  C +21  D −21
#   won     A 2  B 2  C 2  D 0
#   net     A +31  B +51  C −9  D −73
TABLE = (
    game(1, "AB", "CD", (101, 60), game_no=1)
    + game(1, "AC", "BD", (101, 90), game_no=2)
    + game(1, "AD", "BC", (80, 101), game_no=3)
)


def order(standing):
    return [(row.rank, row.entrant.id) for row in standing.rows]


@pytest.mark.guide("ranking#ranking")
def test_each_player_is_credited_with_his_sides_result():
    standing = rank(entrants("ABCD"), TABLE, [], WK)
    assert order(standing) == [(1, "B"), (2, "A"), (3, "C"), (4, "D")]
    assert [row.values for row in standing.rows] == [
        (2, 51, 292),  # B 101 + 90 + 101
        (2, 31, 282),  # A 101 + 101 + 80
        (2, -9, 262),  # C 60 + 101 + 101
        (0, -73, 230),  # D 60 + 90 + 80
    ]
    assert [(row.games, row.won, row.lost) for row in standing.rows] == [
        (3, 2, 1),
        (3, 2, 1),
        (3, 2, 1),
        (3, 0, 3),
    ]


@pytest.mark.guide("ranking#ranking")
def test_ties_share_the_rank_and_the_next_rank_is_skipped():
    lines = game(1, "AB", "CD", (101, 60)) + game(1, "EF", "GH", (101, 70), table=2)
    standing = rank(entrants("ABCDEFGH"), lines, [], WK)
    assert order(standing) == [
        (1, "A"),
        (1, "B"),
        (3, "E"),
        (3, "F"),
        (5, "G"),
        (5, "H"),
        (7, "C"),
        (7, "D"),
    ]
    assert all(row.tied for row in standing.rows)
    assert [[row.entrant.id for row in tie] for tie in standing.ties()] == [
        ["A", "B"],
        ["E", "F"],
        ["G", "H"],
        ["C", "D"],
    ]
    assert [row.position for row in standing.rows] == list(range(1, 9))


@pytest.mark.guide("ranking#ranking")
def test_the_first_criterion_that_differs_separates_two_neighbours_in_three_languages():
    standing = rank(entrants("ABCD"), TABLE, [], WK)
    assert deciders(standing)[0] == "net_marks"
    assert separated(standing, "A", "B") == "Point difference: +51 against +31 (tied on Games won)."
    assert (
        separated(standing, "A", "B", "fr")
        == "Différence de points\u00a0: +51 contre +31 (à égalité sur\u00a0: Manches gagnées)."
    )
    assert (
        separated(standing, "A", "B", "nl")
        == "Puntensaldo: +51 tegen +31 (gelijk op Gewonnen bomen)."
    )
    assert separated(standing, "D", "C") == "Games won: 2 against 0."


def test_nothing_separates_those_who_share_a_rank():
    standing = rank(entrants("ABCD"), game(1, "AB", "CD", (101, 60)), [], WK)
    assert deciders(standing)[0] is None
    assert separated(standing, "A", "B", "nl") == "Niets scheidt hen: ze delen de plaats."


def test_before_any_result_everyone_is_first():
    standing = rank(entrants("ABC"), [], [], WK)
    assert order(standing) == [(1, "A"), (1, "B"), (1, "C")]
    assert standing.through == 0


@pytest.mark.guide("ranking#the-criteria")
def test_who_has_no_game_that_counts_ranks_below_who_has_and_it_is_said():
    lines = [*game(1, "A", "B", (101, 60)), bye(1, "C", LineKind.SAT_OUT), bye(1, "E")]
    rule = replace(WK, sat_out=AVERAGE)
    standing = rank(entrants("ABCDE"), lines, [], rule)
    assert order(standing) == [(1, "A"), (2, "E"), (3, "B"), (4, "C"), (4, "D")]
    assert standing.row("B").values[1] == -41
    assert separated(standing, "B", "C") == "No game of the second one counts yet."
    formerly = rank(entrants("ABCDE"), lines, [], rule, idle_last=False)
    assert order(formerly) == [(1, "A"), (2, "E"), (3, "C"), (3, "D"), (5, "B")]


def test_a_standing_may_stop_after_any_round():
    lines = game(1, "A", "B", (101, 0)) + game(2, "A", "B", (0, 90)) + game(3, "A", "B", (50, 51))
    standings = [rank(entrants("AB"), lines, [], WK, through=number) for number in (1, 2, 3)]
    assert [standing.through for standing in standings] == [1, 2, 3]
    assert [order(standing)[0][1] for standing in standings] == ["A", "A", "B"]


def field_with(**last):
    return [*entrants("ABC"), Entrant("D", 4, **last)]


LEAGUE = (
    game(1, "A", "D", (60, 101))
    + game(1, "B", "C", (101, 50), table=2)
    + game(2, "A", "B", (101, 90))
    + game(2, "C", "D", (40, 101), table=2)
)


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_one_who_withdraws_may_keep_his_rank():
    standing = rank(
        field_with(withdrawn=True), LEAGUE, [], Rule(WK.criteria, withdrawn=Withdrawal.KEPT)
    )
    assert order(standing)[0] == (1, "D")


@pytest.mark.guide("director#when-people-come-and-go", "ranking#other-parts-of-a-rule")
def test_one_who_withdraws_is_listed_below_and_his_results_stand_for_the_others():
    standing = rank(field_with(withdrawn=True), LEAGUE, [], WK)
    # B: won 1, −11+51 = +40; A: won 1, 11−41 = −30; C: won 0.
    assert order(standing) == [(1, "B"), (2, "A"), (3, "C"), (None, "D")]
    assert standing.row("A").values == (1, -30, 161)
    assert separated(standing, "A", "D").startswith("Listed without a rank")


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_results_against_one_who_withdraws_can_be_deleted():
    # D.1 E23: results against the withdrawn team deleted.
    rule = Rule(WK.criteria, withdrawn=Withdrawal.STRUCK)
    standing = rank(field_with(withdrawn=True), LEAGUE, [], rule)
    assert standing.row("A").values == (1, 11, 101)
    assert standing.row("C").values == (0, -51, 50)
    assert standing.row("D").values == (0, 0, 0)
    assert order(standing) == [(1, "B"), (2, "A"), (3, "C"), (None, "D")]


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_one_who_is_excluded_has_no_rank_whatever_the_rule_on_withdrawal():
    rule = Rule(WK.criteria, withdrawn=Withdrawal.KEPT)
    standing = rank(field_with(excluded=True), LEAGUE, [], rule)
    assert order(standing)[-1] == (None, "D")
    assert standing.row("A").values == (1, -30, 161)


def test_exact_thirds_do_not_lose_a_tie():
    # Three games in a match, percentage 1/3 and 2/6: equal, whatever a float would say.
    lines = []
    for number, marks in enumerate([(1, 0), (0, 1), (0, 1)], 1):
        lines += game(1, "A", "B", marks, game_no=number)
    for number, marks in enumerate([(1, 0), (1, 0), (0, 1), (0, 1), (0, 1), (0, 1)], 1):
        lines += game(1, "C", "D", marks, game_no=number, table=2)
    standing = rank(entrants("ABCD"), lines, [], Rule((use("games_percentage"),)))
    assert standing.row("A").values == (Fraction(1, 3),) == standing.row("C").values
    assert order(standing) == [(1, "B"), (1, "D"), (3, "A"), (3, "C")]


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (Rule(()), "no-criterion"),
        (Rule((use("marks"), use("marks"))), "criterion-repeated"),
        (Rule((use("luck"),)), "unknown-criterion"),
        (Rule((use("marks", of="x"),)), "unknown-parameter"),
        (Rule((use("buchholz_cut", worst="2"),)), "parameter-type"),
        (Rule((use("buchholz_cut", worst=0),)), "criterion-parameter"),
        (Rule((use("buchholz_median", each=0),)), "criterion-parameter"),
        (Rule((use("buchholz", of="lots"),)), "criterion-parameter"),
        (Rule((use("match_points", per="deal"),)), "criterion-parameter"),
        (Rule((use("games_won", draw=2),)), "criterion-parameter"),
        (Rule((use("victory_points", bounds=(10, 5)),)), "criterion-parameter"),
        (Rule((use("victory_points", total=4, bounds=(1, 2, 3)),)), "criterion-parameter"),
    ],
)
def test_an_unusable_rule_is_refused(rule, code):
    with pytest.raises(BadRule) as refusal:
        rank(entrants("AB"), [], [], rule)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (game(1, "A", "X", (1, 0)), "unknown-entrant"),
        (game(1, "A", "B", (1, 0)) + game(1, "A", "B", (1, 0)), "game-twice"),
        ([Played(1, "A", marks_for=3, opponents=("B",))], "unfinished-game"),
        ([Played(1, "A", opponents=("B",), kind=LineKind.BYE)], "opponents-without-play"),
        (game(1, "A", "AB", (1, 0)), "own-opponent"),
        ([Played(1, "A", kind=LineKind.BYE, points=3)], "points-of-maximum"),
        ([Played(1, "A", kind=LineKind.BYE, points=61, max_points=60)], "points-of-maximum"),
        ([bye(1, "A"), bye(1, "A")], "game-twice"),
    ],
)
def test_contradictory_results_are_refused(lines, code):
    with pytest.raises(BadResults) as refusal:
        rank(entrants("AB"), lines, [], WK)
    assert refusal.value.code == code


def test_one_entered_twice_is_refused():
    with pytest.raises(BadResults) as refusal:
        rank([Entrant("A", 1), Entrant("A", 2)], [], [], WK)
    assert refusal.value.code == "entrant-twice"
