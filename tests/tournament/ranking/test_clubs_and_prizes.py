"""Clubs ranked by their members; prizes shared by tied entrants."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.tournament.ranking.field import game
from tournament.ranking.clubs import ClubBy, ClubRule, club_codes, draw_worth, rank_clubs
from tournament.ranking.errors import BadRule
from tournament.ranking.model import Entrant, Rule, use
from tournament.ranking.presets import PRESETS
from tournament.ranking.prizes import Prize, Remainder, share_prizes
from tournament.ranking.ranking import rank
from tournament.ranking.rule_words import clubs_in_words
from tournament.ranking.rulejson import club_rule_from_json

WK = PRESETS["world_championship"].rule


def clubs_standing(rule=WK):
    """Rank five of club Geraardsbergen, who won 4, 4, 4, 3, 3 of 5 games (18/25), against five others."""
    field = [Entrant(f"g{n}", n, "Geraardsbergen") for n in range(1, 6)]
    field += [Entrant(f"o{n}", 5 + n, "Oostende") for n in range(1, 6)]
    lines = []
    for n, won in enumerate((4, 4, 4, 3, 3), 1):
        for round_no in range(1, 6):
            marks = (101, 50) if round_no <= won else (50, 101)
            lines += game(round_no, [f"g{n}"], [f"o{n}"], marks, table=n)
    return rank(field, lines, [], rule)


@pytest.mark.guide("formats#table-of-formats", "players#clubs-calendar-wall", "ranking#clubs")
def test_eighteen_of_twenty_five_is_72_percent():
    # D.1 E8: Belgian clubs 2022, 18/25 = 72 %.
    rows = rank_clubs(clubs_standing(), ClubRule())
    assert [(row.rank, row.club, row.values, row.won, row.games) for row in rows] == [
        (1, "Geraardsbergen", (Fraction(18, 25),), 18, 25),
        (2, "Oostende", (Fraction(7, 25),), 7, 25),
    ]
    assert Fraction(18, 25) * 100 == 72


@pytest.mark.parametrize(
    ("preset", "worth"),
    [
        ("world_championship", 0),  # a drawn game is no game won
        ("recommended", Fraction(1, 2)),  # 2, 1, 0
        ("fixed_pairs_evening", 1),  # counts as won for both
        ("belote_total", Fraction(1, 2)),  # the rule says nothing
    ],
)
def test_a_club_counts_a_draw_as_the_event_does(preset: str, worth: Fraction):
    field = [Entrant("a", 1, "Aalst"), Entrant("b", 2, "Brugge")]
    lines = [*game(1, "a", "b", (50, 50)), *game(2, "a", "b", (101, 50))]
    rows = rank_clubs(rank(field, lines, [], PRESETS[preset].rule), ClubRule())
    assert {row.club: row.won for row in rows} == {"Aalst": 1 + worth, "Brugge": worth}
    assert {row.club: row.values for row in rows} == {
        "Aalst": (Fraction(1 + worth) / 2,),
        "Brugge": (Fraction(worth) / 2,),
    }


def test_a_draw_is_the_part_of_a_win_that_its_match_points_are_beyond_a_loss():
    by = (use("match_points"),)
    assert draw_worth(Rule(by, win=3, draw=2, loss=1)) == Fraction(1, 2)
    assert draw_worth(Rule(by, win=3, draw=1, loss=0)) == Fraction(1, 3)
    assert draw_worth(Rule(by, win=2, draw=2, loss=2)) == Fraction(1, 2)


@pytest.mark.guide("ranking#clubs")
def test_the_best_members_count():
    rows = rank_clubs(clubs_standing(), ClubRule(best=3))
    assert rows[0].values == (Fraction(12, 15),)
    assert (rows[0].counted, rows[0].members) == (("g1", "g2", "g3"), 5)


@pytest.mark.guide("ranking#clubs")
def test_the_sum_over_members():
    here = clubs_standing()
    assert club_codes(here) == ("games_won", "net_marks", "marks")
    rows = rank_clubs(here, ClubRule(ClubBy.SUM))
    # Net: 18 − 7 = 11 games at 51; marks 18·101 + 7·50.
    assert rows[0].values == (18, 561, 2168)
    assert rank_clubs(here, ClubRule(ClubBy.AVERAGE))[0].values == (
        Fraction(18, 5),
        Fraction(561, 5),
        Fraction(2168, 5),
    )


def small(*clubs, rule=WK, excluded=()):
    field = [
        Entrant(name, n, club, excluded=name in excluded) for n, (name, club) in enumerate(clubs, 1)
    ]
    return rank(field, game(1, "AB", "CD", (101, 60)), [], rule)


def test_equal_clubs_share_a_rank_and_those_of_no_club_are_left_out():
    here = small(("A", "X"), ("B", "Y"), ("C", ""), ("D", "Z"))
    rows = rank_clubs(here, ClubRule())
    assert [(row.rank, row.tied, row.club) for row in rows] == [
        (1, True, "X"),
        (1, True, "Y"),
        (3, False, "Z"),
    ]


def test_a_club_too_small_is_listed_without_a_rank():
    here = small(("A", "X"), ("B", "Y"), ("C", "Y"), ("D", "Y"))
    rows = rank_clubs(here, ClubRule(least=2))
    assert [(row.rank, row.club) for row in rows] == [(1, "Y"), (None, "X")]


def test_an_excluded_member_does_not_count():
    here = small(("A", "X"), ("B", "X"), ("C", "X"), ("D", "Y"), excluded="A")
    row = next(row for row in rank_clubs(here, ClubRule()) if row.club == "X")
    assert (row.counted, row.values) == (("B", "C"), (Fraction(1, 2),))


def test_a_club_without_games_comes_last():
    field = [Entrant("A", 1, "X"), Entrant("B", 2, "Y"), Entrant("C", 3, "Z")]
    here = rank(field, game(1, "A", "B", (101, 60)), [], WK)
    assert [row.club for row in rank_clubs(here, ClubRule())] == ["X", "Y", "Z"]


def test_fewest_penalties_count_downwards_for_clubs_too():
    field = [Entrant("A", 1, "X"), Entrant("B", 2, "Y")]
    lines = game(1, "A", "B", (101, 60), penalties=(2, 0))
    here = rank(field, lines, [], Rule((use("fewest_penalties"),)))
    rows = rank_clubs(here, ClubRule(ClubBy.SUM))
    assert [(row.club, row.values) for row in rows] == [("Y", (0,)), ("X", (2,))]


def test_a_club_rule_says_only_what_it_asks_for():
    plain = club_rule_from_json({})
    assert plain == ClubRule()
    said = clubs_in_words(plain).render("en")
    assert "Members that count" not in said
    assert "without a rank" not in said
    asked = clubs_in_words(club_rule_from_json({"by": "sum", "best": 3, "least": 2})).render("en")
    assert "Members that count, the best ranked first: 3." in asked
    assert "A club with fewer than 2 members is listed without a rank." in asked


def test_club_rules_that_make_no_sense_are_refused():
    for rule in (ClubRule(least=0), ClubRule(best=0)):
        with pytest.raises(BadRule):
            rank_clubs(clubs_standing(), rule)
    with pytest.raises(BadRule):
        rank_clubs(clubs_standing(Rule((use("best_deal"),))), ClubRule(ClubBy.SUM))


# Prizes: A and B level on rank 1, C and D on 3.
PAIRS = [Prize(1, 10000), Prize(2, 5001), Prize(3, 2500, "a ham"), Prize(4, item="a chicken")]


def prize_standing(names="ABCD", lines=None, **excluded):
    lines = game(1, "AB", "CD", (101, 60)) if lines is None else lines
    return rank([Entrant(name, n) for n, name in enumerate(names, 1)], lines, [], WK)


@pytest.mark.guide("ranking#prizes")
def test_those_level_pool_the_money_of_their_places_to_the_cent():
    found = share_prizes(prize_standing(), PAIRS)
    # 150.01 € for two: the odd cent to the lower start number; 25.00 € for two: 12.50 € each.
    assert [(award.entrant, award.cents, award.positions) for award in found.awards] == [
        ("A", 7501, (1, 2)),
        ("B", 7500, (1, 2)),
        ("C", 1250, (3, 4)),
        ("D", 1250, (3, 4)),
    ]
    assert sum(award.cents for award in found.awards) == 10000 + 5001 + 2500
    assert (found.kept_cents, found.unclaimed) == (0, ())


def test_the_organiser_may_keep_what_does_not_divide():
    found = share_prizes(prize_standing(), PAIRS, remainder=Remainder.HOUSE)
    assert [award.cents for award in found.awards] == [7500, 7500, 1250, 1250]
    assert found.kept_cents == 1


@pytest.mark.guide("ranking#prizes")
def test_prizes_in_kind_are_listed_for_all_who_are_level():
    found = share_prizes(prize_standing(), PAIRS)
    assert [award.items for award in found.awards[2:]] == [("a ham", "a chicken")] * 2
    assert all(award.shared_items for award in found.awards[2:])
    lines = game(1, "A", "B", (101, 60))
    alone = share_prizes(prize_standing("AB", lines), [Prize(2, item="a ham")])
    (award,) = alone.awards
    assert (award.entrant, award.items, award.shared_items) == ("B", ("a ham",), False)


def test_the_last_prize_is_shared_by_all_level_for_it():
    # Four level on rank 1 before any game, one prize of 10 €.
    found = share_prizes(prize_standing(lines=[]), [Prize(1, 1000)])
    assert [award.cents for award in found.awards] == [250] * 4
    assert found.awards[0].positions == (1, 2, 3, 4)


@pytest.mark.guide("ranking#prizes")
def test_everyone_gets_something():
    found = share_prizes(prize_standing(), [Prize(1, 1000)], everyone="a raisin bread")
    assert [(award.entrant, award.consolation) for award in found.awards] == [
        ("A", ""),
        ("B", ""),
        ("C", "a raisin bread"),
        ("D", "a raisin bread"),
    ]


def test_prizes_of_places_nobody_reached_stay():
    found = share_prizes(prize_standing(), [Prize(9, 100)])
    assert (found.awards, found.unclaimed) == ((), (Prize(9, 100),))


@pytest.mark.parametrize(
    "prizes", [[Prize(0, 1)], [Prize(1, -1)], [Prize(1)], [Prize(1, 1), Prize(1, 2)]]
)
def test_prize_lists_that_make_no_sense_are_refused(prizes):
    with pytest.raises(BadRule):
        share_prizes(prize_standing(), prizes)
