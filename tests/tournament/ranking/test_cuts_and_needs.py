"""Qualification, and the results still needed for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.ranking.field import entrants, game
from tournament.ranking.book import write_book
from tournament.ranking.cuts import (
    Cut,
    Fill,
    TieAtCut,
    apply_cut,
    count_through,
    places_at_table,
    sized,
)
from tournament.ranking.cuts import in_words as cut_in_words
from tournament.ranking.errors import BadRule
from tournament.ranking.model import (
    Adjustment,
    Cap,
    CapOn,
    LineKind,
    Outcome,
    Played,
    Rule,
    Withdrawal,
    use,
)
from tournament.ranking.needs import Chance, Ends, Needs, in_words
from tournament.ranking.presets import PRESETS
from tournament.ranking.ranking import rank
from tournament.ranking.reach import UNBOUNDED, gain_per_game, reach

WK = PRESETS["world_championship"].rule

# Two tables, three turns each; won by table: 1: A 2, B 2, C 2, D 0 (B +51, A +31, C −9);
# 2: E 3 (+41 +41 +41), F 1, G 1, H 1 (F, G, H level: +41 −41 −41).
LINES = (
    game(1, "AB", "CD", (101, 60), game_no=1)
    + game(1, "AC", "BD", (101, 90), game_no=2)
    + game(1, "AD", "BC", (80, 101), game_no=3)
    + game(1, "EF", "GH", (101, 60), game_no=1, table=2)
    + game(1, "EG", "FH", (101, 60), game_no=2, table=2)
    + game(1, "EH", "FG", (101, 60), game_no=3, table=2)
)


def standing(names="ABCDEFGH", rule=WK, lines=LINES, gone=""):
    field = [replace(one, withdrawn=one.id in gone) for one in entrants(names)]
    return rank(field, lines, [], rule)


def book(lines, changes=()):
    return write_book(entrants("ABCDEFGH"), lines, changes, WK)


@pytest.mark.guide("ranking#qualification")
def test_the_best_n_go_on():
    # E 3 wins; B, A, C 2 by net; F, G, H 1; D 0.
    found = apply_cut(standing(), Cut(top=4))
    assert (found.best, found.winners, found.complete) == (("E", "B", "A", "C"), (), True)
    assert found.line == 4


@pytest.mark.guide("ranking#qualification")
def test_the_table_winners_go_on():
    # D.1 Deerlijk: the table winners to the final.
    found = apply_cut(standing(), Cut(per_table=1, round_no=1), book(LINES))
    assert found.winners == ("E", "B")
    assert found.best == ()


@pytest.mark.guide("ranking#qualification")
def test_table_winners_and_the_best_others_beside_them():
    found = apply_cut(standing(), Cut(top=2, per_table=1, round_no=1), book(LINES))
    assert (found.winners, found.best) == (("E", "B"), ("A", "C"))
    assert found.through == ("E", "B", "A", "C")


@pytest.mark.guide("ranking#qualification")
def test_table_winners_count_towards_the_places():
    cut = Cut(top=3, per_table=1, round_no=1, fill=Fill.UP_TO)
    assert apply_cut(standing(), cut, book(LINES)).through == ("E", "B", "A")


def test_only_the_round_of_the_tables_decides_its_winners():
    later = LINES + game(2, "CD", "AB", (101, 0)) + game(2, "EF", "GH", (0, 101), table=2)
    found = apply_cut(standing(lines=later), Cut(per_table=1, round_no=1), book(later))
    assert set(found.winners) == {"B", "E"}


@pytest.mark.guide("ranking#qualification")
def test_those_level_at_the_cut_wait_for_lots():
    found = apply_cut(standing(), Cut(top=5))
    assert found.best == ("E", "B", "A", "C")
    (open_,) = found.undecided
    assert (open_.entrants, open_.places, open_.by) == (("F", "G", "H"), 1, TieAtCut.LOTS)
    assert not found.complete
    decided = apply_cut(standing(), Cut(top=6), lots={"F": 3, "G": 1, "H": 2})
    assert set(decided.best) == {"E", "B", "A", "C", "G", "H"}
    assert decided.complete


def test_lots_that_do_not_separate_leave_it_open():
    assert not apply_cut(standing(), Cut(top=5), lots={"F": 1, "G": 1, "H": 2}).complete
    assert not apply_cut(standing(), Cut(top=5), lots={"F": 1, "G": 2}).complete


@pytest.mark.guide("ranking#qualification")
def test_all_level_at_the_cut_may_go_on():
    found = apply_cut(standing(), Cut(top=5, tie=TieAtCut.ALL_IN))
    assert found.best == ("E", "B", "A", "C", "F", "G", "H")
    assert found.line == 7


@pytest.mark.guide("ranking#qualification")
def test_a_play_off_is_flagged():
    found = apply_cut(standing(), Cut(top=7, tie=TieAtCut.PLAY_OFF))
    assert found.complete
    found = apply_cut(standing(), Cut(top=6, tie=TieAtCut.PLAY_OFF))
    assert [(open_.places, open_.by) for open_ in found.undecided] == [(2, TieAtCut.PLAY_OFF)]


@pytest.mark.guide("ranking#qualification")
@pytest.mark.parametrize(("names", "through"), [("ABCDEFGH", "EBAC"), ("ABCDEFG", "EBAC")])
def test_half_of_the_field_goes_on_the_larger_half_of_an_odd_number(names, through):
    # D.1, Harelbeke 2020: half of the field drops out.
    gone = "".join(set("ABCDEFGH") - set(names))
    found = apply_cut(standing(gone=gone), Cut(half=True))
    assert found.through == tuple(through)


def test_half_with_the_winners_of_the_tables_first():
    cut = Cut(half=True, per_table=1, round_no=1, fill=Fill.UP_TO)
    found = apply_cut(standing(), cut, book(LINES))
    assert (found.winners, found.best) == (("E", "B"), ("A", "C"))


def test_those_level_for_the_last_places_of_half_wait_for_lots():
    # A, C, D and H have left: E and B lead, F and G are level for the last place of four.
    found = apply_cut(standing(gone="ACDH"), Cut(half=True))
    assert (found.best, found.undecided) == (("E", "B"), ())
    found = apply_cut(standing(gone="BAC"), Cut(half=True))
    assert found.best == ("E",)
    assert [(set(open_.entrants), open_.places) for open_ in found.undecided] == [
        ({"F", "G", "H"}, 2)
    ]


@pytest.mark.guide("ranking#qualification")
def test_the_best_seconds_of_the_tables():
    # D.1, Roeselare: the winners and the best second. A is second behind B; F, G, H behind E.
    cut = Cut(top=1, per_table=1, round_no=1, fill=Fill.SECONDS)
    found = apply_cut(standing(), cut, book(LINES))
    assert (found.winners, found.best, found.line) == (("E", "B"), ("A",), None)
    # A third never qualifies before a second: C has won more than F, G and H, and waits.
    both = replace(cut, top=2)
    (open_,) = apply_cut(standing(), both, book(LINES)).undecided
    assert (open_.entrants, open_.places) == (("F", "G", "H"), 1)
    drawn = apply_cut(standing(), both, book(LINES), lots={"F": 2, "G": 1, "H": 3})
    assert drawn.through == ("E", "B", "A", "G")


def test_as_many_seconds_as_there_are():
    cut = Cut(top=9, per_table=2, round_no=1, fill=Fill.SECONDS)
    drawn = apply_cut(standing(), cut, book(LINES), lots={"F": 2, "G": 1, "H": 3})
    # Behind two of each table stand C, and the two who lost the lot.
    assert (drawn.winners, drawn.best) == (("E", "B", "A", "G"), ("C", "F", "H"))


@pytest.mark.parametrize(
    ("available", "cut", "through"),
    [
        (47, Cut(half=True), 24),
        (46, Cut(half=True), 23),
        (46, Cut(half=True, whole=4), 24),
        (5, Cut(half=True, whole=4), 4),
        (46, Cut(top=10, whole=4), 12),
        (11, Cut(top=10, whole=4), 8),
        (47, Cut(half=True, per_table=1, round_no=1, fill=Fill.UP_TO, whole=4), 24),
        (60, Cut(top=1, per_table=1, fill=Fill.SECONDS), 16),
        (20, Cut(top=1, per_table=1, fill=Fill.SECONDS, whole=4), 8),
        (16, Cut(top=9, per_table=1, fill=Fill.SECONDS), 8),
    ],
)
def test_how_many_go_on(available, cut, through):
    assert count_through(cut, available, available // 4) == through


def test_half_and_the_best_seconds_in_words():
    seconds = Cut(top=1, per_table=1, round_no=3, fill=Fill.SECONDS)
    assert cut_in_words(sized(Cut(half=True), 47, 0)).render("en") == (
        "Cut: half of the field qualifies: the first 24"
    )
    assert cut_in_words(seconds).render("en") == (
        "Cut: the winner of each table of round 3 qualifies, and 1 other, the best of those "
        "next at their tables"
    )


@pytest.mark.guide("ranking#qualification")
def test_the_places_by_rank_wait_until_every_table_is_decided():
    # Two winners at table 2: E, and one of the level F, G, H.
    cut = Cut(top=1, per_table=2, round_no=1)
    found = apply_cut(standing(), cut, book(LINES))
    assert found.winners == ("E", "B", "A")
    assert found.best == ()
    assert [(open_.table, open_.places) for open_ in found.undecided] == [(2, 1)]
    decided = apply_cut(standing(), cut, book(LINES), lots={"F": 1, "G": 2, "H": 3})
    assert (decided.winners, decided.best) == (("E", "B", "A", "F"), ("C",))


def test_a_ruling_on_the_deciding_round_counts_at_the_table():
    # A and B are level in games won; B's difference is the better one until a penalty of 30 marks.
    first = (Adjustment("B", 1, marks=-30), Adjustment("A", 2, marks=-99))
    cut = Cut(per_table=1, round_no=1)
    assert apply_cut(standing(), cut, book(LINES)).winners == ("E", "B")
    assert apply_cut(standing(), cut, book(LINES, first)).winners == ("E", "A")
    assert places_at_table(standing(), cut, book(LINES, first))["A"] == (1, 1)


def test_one_who_stayed_away_is_at_no_table():
    absent = Played(1, "H", Outcome.LOSS, kind=LineKind.FORFEIT)
    lines = [*game(1, "AB", "CD", (101, 60)), absent]
    found = places_at_table(standing(lines=lines), Cut(per_table=1, round_no=1), book(lines))
    assert set(found) == set("ABCD")


@pytest.mark.guide("ranking#qualification")
def test_level_at_the_table_the_whole_standing_decides():
    # Partners A and B are level at the table; A won the round before.
    lines = game(1, ["A"], ["C"], (101, 0)) + game(2, "AB", "CD", (101, 60))
    found = apply_cut(standing("ABCD", lines=lines), Cut(per_table=1, round_no=2), book(lines))
    assert found.winners == ("A",)


@pytest.mark.guide("ranking#qualification")
def test_one_who_withdrew_or_has_no_rank_is_passed_over():
    assert apply_cut(standing(gone="E"), Cut(top=2)).best == ("B", "A")
    kept = replace(WK, withdrawn="kept")
    assert apply_cut(standing(gone="E", rule=kept), Cut(top=2)).best == ("B", "A")


def test_a_cut_with_more_places_than_entrants_takes_all():
    assert len(apply_cut(standing(), Cut(top=100)).best) == 8


@pytest.mark.parametrize("cut", [Cut(), Cut(top=-1), Cut(per_table=1), Cut(top=3, per_table=-1)])
def test_a_cut_that_asks_for_nothing_is_refused(cut):
    with pytest.raises(BadRule):
        apply_cut(standing(), cut)


def test_table_winners_without_tables_are_refused():
    lines = [replace(line, table=None) for line in LINES]
    with pytest.raises(BadRule):
        apply_cut(standing(), Cut(per_table=1, round_no=1), book(lines))


def test_who_has_no_game_left_ends_where_they_are():
    here = standing()
    spans = reach(here, {})
    assert {name: (span.worst, span.best, span.games) for name, span in spans.items()} == {
        row.entrant.id: (row.values[0], row.values[0], 0) for row in here.rows
    }


# Needs. Won: E 3, B 2, A 2, C 2, F 1, G 1, H 1, D 0.


def need(here, name, places, games, *, of=1, most=None, sure=None):
    """Return the needs of ``name`` when every entrant still plays ``games``."""
    left = dict.fromkeys((row.entrant.id for row in here.rows), games)
    spans = reach(here, left, games_per_match=of, most_marks=most)
    return Needs(here, places, spans, sure=sure).of(name)


@pytest.mark.guide("ranking#qualification")
def test_the_gap_to_the_last_one_in():
    found = need(standing(), "F", 4, 3)
    assert (found.inside, found.rival) == (False, "C")
    # F: 1 won, net −41, marks 101 + 60 + 60 = 221; C: 2, −9, 262.
    assert found.gaps == (("games_won", -1), ("net_marks", -32), ("marks", -41))
    # C can stay on 2: one win may do. E, B, A, C can reach 6, 5, 5, 5: three wins reach only 4.
    assert (found.chance, found.at_least, found.more_than) == (Chance.OPEN, 1, None)
    said = in_words(found, standing())
    assert said.render("fr") == (
        "Manches gagnées\u00a0: il en faut encore au moins 1. "
        "1 de retard sur la dernière place qualificative (Manches gagnées)."
    )


def test_a_criterion_that_nobody_recorded_has_no_gap_and_hides_none():
    found = need(standing(rule=Rule((use("games_won"), use("best_deal"), use("marks")))), "F", 4, 3)
    assert found.gaps == (("games_won", -1), ("marks", -41))


def test_the_gap_to_the_first_one_out():
    found = need(standing(), "C", 4, 1)
    assert (found.inside, found.rival) == (True, "F")
    assert found.gaps[0] == ("games_won", 1)
    # The fourth best of the others can reach 2 (F, G or H): more than 0 makes it certain.
    assert (found.chance, found.at_least, found.more_than) == (Chance.OPEN, 0, 0)
    assert in_words(found, standing()).render("nl") == (
        "Gewonnen bomen: meer dan 0 volstaat zeker. "
        "1 voor op de eerste plaats die niet doorgaat (Gewonnen bomen)."
    )


def test_out_and_safe():
    assert need(standing(), "D", 4, 1).chance is Chance.OUT
    safe = need(standing(), "E", 4, 1)
    assert safe.chance is Chance.SAFE
    assert in_words(safe, standing()).render("en") == "Certain to qualify."
    assert need(standing(), "D", 8, 9).chance is Chance.SAFE


def test_one_more_game_may_still_bring_the_last_level():
    found = need(standing(), "D", 4, 2)
    assert (found.chance, found.at_least) == (Chance.OPEN, 2)


def test_when_nothing_is_left_to_play_the_ranks_decide():
    assert need(standing(), "C", 4, 0).chance is Chance.SAFE
    assert need(standing(), "D", 4, 0).chance is Chance.OUT
    # F, G and H share 5th: level for one place.
    for name in "FGH":
        found = need(standing(), name, 5, 0)
        assert found.chance is Chance.OPEN
        assert in_words(found, standing()).render("en") == "Tied at the cut."


def test_one_who_withdrew_is_out_and_in_nobodys_way():
    here = standing(gone="E")
    assert need(here, "E", 4, 3).chance is Chance.OUT
    assert need(here, "F", 4, 0).chance is Chance.OPEN


def test_marks_may_be_lost_again():
    rule = Rule((use("net_marks"),), cap=Cap(40, CapOn.NET))
    here = standing(rule=rule)
    assert gain_per_game(here) == (-40, 40)
    # Capped: E 120, B 40−11+21 = 50, A 30, C −40+11+21 = −8, F G H −40, D −40−11−21 = −72.
    found = need(here, "C", 3, 1)
    # The third best other may fall to 30 − 40 = −10: C may even lose 2. It may rise to 70: 78.
    assert (found.chance, found.at_least, found.more_than) == (Chance.OPEN, -2, None)


@pytest.mark.guide("ranking#qualification")
def test_what_one_game_can_add():
    assert gain_per_game(standing()) == (0, 1)
    assert gain_per_game(standing(rule=PRESETS["recommended"].rule)) == (0, 2)
    assert gain_per_game(standing(rule=PRESETS["harelbeke"].rule), 130) == (0, 130)
    capped = Rule((use("marks"),), cap=Cap(121, CapOn.MARKS))
    assert gain_per_game(standing(rule=capped), 130) == (0, 121)
    assert gain_per_game(standing(rule=PRESETS["harelbeke"].rule)) == (0, None)
    assert gain_per_game(standing(rule=Rule((use("net_marks"),)))) == UNBOUNDED


@pytest.mark.guide("ranking#qualification")
def test_marks_without_a_limit_have_a_floor_and_no_ceiling():
    # Marks: E 303, B 292 (101+90+101), A 282 (101+101+80), C 262, D 230 (60+90+80), F G H 221.
    here = standing(rule=PRESETS["belote_total"].rule)
    assert [row.values[0] for row in here.rows] == [303, 292, 282, 262, 230, 221, 221, 221]
    found = need(here, "D", 4, 2)
    # The fourth best other has 262 for certain; the marks still to come are unlimited.
    assert (found.chance, found.at_least, found.more_than) == (Chance.OPEN, 32, None)
    assert in_words(found, here).render("en") == (
        "Points: at least 32 more needed. 32 behind the last qualifying place (Points)."
    )


@pytest.mark.guide("ranking#qualification")
def test_without_any_bound_the_gap_is_said_and_why_there_is_no_more():
    here = standing(rule=Rule((use("net_marks"),)))
    found = need(here, "C", 3, 2)
    # Net: E +123, B +51, A +31, C −9.
    assert (found.chance, found.at_least, found.more_than) == (Chance.OPEN, None, None)
    assert in_words(found, here).render("en") == (
        "40 behind the last qualifying place (Point difference). Nothing more is certain: "
        "what a game may bring has no limit under this rule."
    )


@pytest.mark.guide("ranking#qualification")
def test_a_first_criterion_that_play_does_not_raise_is_said():
    here = standing(rule=Rule((use("fewest_penalties"), use("marks"))))
    found = need(here, "D", 4, 2)
    assert (found.chance, found.at_least, found.more_than) == (Chance.OPEN, None, None)
    assert "does not simply grow" in in_words(found, here).render("en")
    assert "32 behind the last qualifying place (Points)" in in_words(found, here).render("en")


@pytest.mark.guide("ranking#qualification")
def test_a_percentage_is_asked_in_games():
    # Won of 3: E 100 %, B A C 67 %, F G H 33 %, D 0; each has 3 games left.
    here = standing(rule=PRESETS["belgian_clubs"].rule)
    found = need(here, "F", 4, 3)
    # C may end with 2 of 6: F needs 2 of 6, one win more. At best C has 5 of 6, F only 4.
    assert (found.at_least, found.more_than) == (1, None)
    assert in_words(found, here).render("nl").startswith("Gewonnen bomen: nog minstens 1 nodig.")
    # With one game left C ends on 2 of 4 at least: D (at most 1 of 4) is out.
    assert need(here, "D", 4, 1).chance is Chance.OUT
    # F may end on 2 of 4, C on 2 of 4 at least: level is not certain, one win is.
    one_left = need(here, "C", 4, 1)
    assert (one_left.chance, one_left.at_least, one_left.more_than) == (Chance.OPEN, 0, 0)


def test_a_part_of_a_game_is_a_whole_one_to_win():
    # R ends on 2 of 3. M has 1 of 2 and two to play: 3 of 4 pass R, 2 of 4 do not reach it.
    lines = [
        line
        for number, (ours, theirs, marks) in enumerate(
            [
                ("R", "X", (101, 60)),
                ("R", "X", (101, 60)),
                ("R", "X", (60, 101)),
                ("M", "Z", (101, 60)),
                ("M", "Z", (60, 101)),
            ],
            1,
        )
        for line in game(1, ours, theirs, marks, game_no=number, table=1 if ours == "R" else 2)
    ]
    here = standing("RXMZ", rule=PRESETS["belgian_clubs"].rule, lines=lines)
    found = Needs(here, 1, reach(here, {"R": 0, "X": 0, "M": 2, "Z": 0})).of("M")
    assert (found.chance, found.at_least, found.more_than) == (Chance.OPEN, 2, 1)


def test_who_was_partner_of_one_struck_keeps_nothing_of_their_game():
    # A, B and D sat with C in each of the three games: as partner in one, as opponent in two.
    rule = Rule(WK.criteria, withdrawn=Withdrawal.STRUCK)
    rows = {row.entrant.id: row for row in standing(rule=rule, gone="C").rows}
    assert {name: rows[name].games for name in "ABDE"} == {"A": 0, "B": 0, "D": 0, "E": 3}


def test_everybody_has_a_place_at_their_table_and_those_level_share_it():
    found = places_at_table(standing(), Cut(per_table=1, round_no=1), book(LINES))
    assert {name: found[name] for name in "BACD"} == {
        "B": (1, 1),
        "A": (1, 2),
        "C": (1, 3),
        "D": (1, 4),
    }
    assert found["E"] == (2, 1)
    assert {found[name] for name in "FGH"} == {(2, 2)}


def test_who_won_a_table_by_forfeit_won_it():
    lines = game(1, "A", "B", (101, 0), kind=LineKind.FORFEIT) + game(
        1, "C", "D", (60, 101), table=2
    )
    found = apply_cut(standing("ABCD", lines=lines), Cut(per_table=1, round_no=1), book(lines))
    assert set(found.winners) == {"A", "D"}


def test_points_of_a_match_under_way_may_turn_round():
    rule = Rule((use("match_points", per="match"),))
    lines = game(1, ["A"], ["B"], (101, 60)) + game(1, ["C"], ["D"], (101, 60), table=2)
    here = standing("ABCD", rule=rule, lines=lines)
    # Best of three: one of the three is played, A leads with 2 points that B may still take.
    spans = reach(here, dict.fromkeys("ABCD", 2), games_per_match=3)
    assert [(spans[k].worst, spans[k].best) for k in "AB"] == [(0, 4), (-2, 2)]
    whole = reach(here, dict.fromkeys("ABCD", 3), games_per_match=3)
    assert [(whole[k].worst, whole[k].best) for k in "AB"] == [(2, 4), (0, 2)]


@pytest.mark.guide("ranking#qualification")
def test_victory_points_have_the_bounds_of_their_scale():
    rule = Rule((use("victory_points", total=20, bounds=(1, 10, 20)),))
    lines = game(1, ["A"], ["B"], (101, 60)) + game(1, ["C"], ["D"], (101, 95), table=2)
    here = standing("ABCD", rule=rule, lines=lines)
    # 41 ahead: 13 to 7; 6 ahead: 11 to 9. One match gives 7 to 13 (0 where a round counts nothing).
    assert [row.values[0] for row in here.rows] == [13, 11, 9, 7]
    spans = reach(here, dict.fromkeys("ABCD", 1))
    assert [(spans[k].worst, spans[k].best) for k in "AB"] == [(13, 26), (7, 20)]


@pytest.mark.guide("ranking#qualification")
def test_places_that_table_winners_may_take_are_not_counted_on():
    # Four places in all, two of them for table winners: only two are sure by rank.
    found = need(standing(), "E", 4, 1, sure=2)
    assert (found.chance, found.more_than) == (Chance.OPEN, 0)
    assert need(standing(), "E", 4, 1).chance is Chance.SAFE
    assert need(standing(), "E", 4, 1, sure=0).more_than is None
    # As many places as players, but none of them by rank alone: no player is certain yet.
    everybody = len(standing().rows)
    assert need(standing(), "A", everybody, 1).chance is Chance.SAFE
    assert need(standing(), "A", everybody, 1, sure=0).chance is Chance.OPEN


def test_needs_refuse_what_cannot_be_answered():
    with pytest.raises(BadRule):
        need(standing(), "A", 0, 1)
    with pytest.raises(KeyError):
        need(standing(), "Z", 1, 1)


@given(
    st.lists(st.one_of(st.none(), st.integers(-3, 3)), min_size=1, max_size=9),
    st.integers(0, 11),
    st.booleans(),
    st.data(),
)
def test_the_nth_end_of_the_others_is_found_without_looking_at_them_all(
    ends, place, missing_first, data
):
    me = data.draw(st.integers(0, len(ends) - 1))
    others = ends[:me] + ends[me + 1 :]
    best, least = (100, -100) if missing_first else (-100, -100)
    ordered = sorted((best if end is None else end for end in others), reverse=True)
    plain = ordered[place - 1] if 1 <= place <= len(ordered) else least
    found = Ends(ends).nth_without(ends[me], place, missing_first=missing_first)
    assert found == (None if plain in (-100, 100) else plain)
