"""Matches over their deals: the cases of the sources, targets, order within a deal, ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.errors import Illegal, Malformed
from scoring.engine.match import match_call
from scoring.engine.score import score_call

DECIDER = {"games": 2, "of": 44, "decider": 54}


def match(deals, target=None, rulebook="parlee", **options):
    if target is not None:
        options["target"] = target
    return match_call({"rulebook": rulebook, "options": options, "deals": deals})


def deal(ns=0, ew=0, part="deal"):
    return {part: {"NS": ns, "EW": ew}}


def whys(found):
    return [(event["deal"], event["side"], event["why"]) for event in found["events"]]


def test_m01_the_belle_needs_54():
    found = match([deal(46, 20), deal(30, 45), deal(50, 40)], DECIDER)
    assert (found["finished"], found["winner"]) == (False, None)
    assert found["score"] == {"NS": 50, "EW": 40}
    assert found["games"] == {"NS": 1, "EW": 1}
    found = match([deal(46, 20), deal(30, 45), deal(50, 40), deal(4)], DECIDER)
    assert (found["finished"], found["winner"]) == (True, "NS")
    assert found["score"] == {"NS": 54, "EW": 40}


def test_two_straight_games_need_no_belle():
    found = match([deal(44), deal(44)], DECIDER)
    assert found["games"] == {"NS": 2, "EW": 0}
    assert whys(found) == [(1, "NS", "game"), (2, "NS", "game"), (2, "NS", "match")]


def test_m03_a_penalty_wins_the_game():
    penalty = score_call(
        {
            "rulebook": "parlee",
            "points": {"NS": 50},
            "infractions": [{"article": "000-P1", "side": "NS"}],
        }
    )
    found = match([deal(0, 20), penalty["match"]], 50)
    assert (found["winner"], found["score"]) == ("EW", {"NS": 0, "EW": 54})


def test_m05_an_annulled_deal_counts_for_nothing():
    found = match([{}, {"deal": {}}, deal(10)], rulebook="chaloupee")
    assert found["score"] == {"NS": 10, "EW": 0}
    assert found["deals_played"] == 3


@pytest.mark.guide("engine#match")
def test_the_first_to_reach_the_target_in_the_order_of_writing():
    """Q-GEN-6: the turn-up is written before the result."""
    last = {"turn_up": {"EW": 3}, "deal": {"NS": 10}}
    found = match([deal(95, 98), last], 100)
    assert found["winner"] == "EW"
    assert found["score"] == {"NS": 95, "EW": 101}
    other = {"turn_up": {"EW": 1}, "penalty": {"NS": 34}, "deal": {"EW": 10}}
    assert match([deal(95, 98), other], 100)["winner"] == "NS"


def test_the_excess_does_not_carry_into_the_next_game():
    """Q-GEN-7."""
    found = match([deal(60, 10)], {"games": 2, "of": 34}, "boussac")
    assert found["score"] == {"NS": 0, "EW": 0}
    assert found["games"] == {"NS": 1, "EW": 0}


def test_a_penalty_of_34_is_a_whole_game_of_34():
    found = match([{"penalty": {"EW": 34}}], {"games": 2, "of": 34}, "boussac")
    assert found["games"] == {"NS": 0, "EW": 1}


def test_a_debit_can_take_a_score_below_zero():
    found = match([{"penalty": {"NS": -34}}, deal(10)], 50)
    assert found["score"] == {"NS": -24, "EW": 0}


@pytest.mark.parametrize("target", [50, 100, 150, 101, 44, 64])
def test_a_target_is_reached_exactly_or_over(target):
    assert match([deal(target - 1)], target)["finished"] is False
    assert match([deal(target)], target)["winner"] == "NS"
    assert match([deal(0, target + 5)], target)["winner"] == "EW"


def test_a_generale_gives_the_current_game():
    """Q-002-2."""
    found = match([deal(0, 140), {"game_won": "NS"}], rulebook="chaloupee")
    assert (found["winner"], found["score"]) == ("NS", {"NS": 150, "EW": 140})
    games = match([{"game_won": "NS"}, deal(3)], DECIDER, "chaloupee")
    assert games["games"] == {"NS": 1, "EW": 0}
    assert games["score"] == {"NS": 3, "EW": 0}


def test_a_generale_counts_150_by_deals():
    """A.7, generale_value."""
    found = match([{"game_won": "EW"}, deal(149)], {"deals": 2}, "chaloupee")
    assert (found["winner"], found["score"]) == ("EW", {"NS": 149, "EW": 150})


def test_a_match_by_deals_goes_to_most_marks():
    found = match([deal(3), deal(0, 5)], {"deals": 2})
    assert (found["winner"], found["finished"], whys(found)) == ("EW", True, [(2, "EW", "match")])
    assert match([deal(3)], {"deals": 2})["deals_left"] == 1


def test_a_tie_by_deals_is_a_draw_or_two_more_deals():
    """Q-GEN-8."""
    drawn = match([deal(5), deal(0, 5)], {"deals": 2})
    assert (drawn["finished"], drawn["winner"], whys(drawn)) == (True, None, [(2, None, "tie")])
    tied = [deal(5), deal(0, 5)]
    assert match(tied, {"deals": 2}, tied_match="EXTRA_DEALS")["deals_left"] == 2
    one = match([*tied, deal(9)], {"deals": 2}, tied_match="EXTRA_DEALS")
    assert one["finished"] is False
    both = match([*tied, deal(9), deal()], {"deals": 2}, tied_match="EXTRA_DEALS")
    assert (both["finished"], both["winner"]) == (True, "NS")


@pytest.mark.parametrize("target", [10, {"deals": 1}, {"games": 1, "of": 10}])
def test_a_deal_after_the_end_is_refused(target):
    with pytest.raises(Illegal) as refused:
        match([deal(10), deal(1)], target)
    assert (refused.value.code, refused.value.field) == ("match_over", "deals[1]")


def test_players_for_themselves():
    found = match(
        [{"deal": {"1": 10, "2": -5, "3": -5}}, {"deal": {"3": 7}}, {"deal": {"12": 4}}],
        {"deals": 3},
        "three-player",
    )
    assert found["score"] == {"1": 14, "2": -1, "3": 2}
    assert found["winner"] == "1"


def test_no_deals_yet():
    found = match([], 100)
    assert found["score"] == {"NS": 0, "EW": 0}
    assert found["events"] == []


MALFORMED = [
    ([{"deals": {"NS": 1}}], "unknown_key"),
    ([{"deal": {"N": 1}}], "unknown_side"),
    ([{"deal": {"NS": 1.5}}], "malformed_value"),
    ([{"deal": {"NS": True}}], "malformed_value"),
    ([{"deal": 5}], "malformed_value"),
    ([5], "malformed_value"),
    ({}, "malformed_value"),
    ([{"game_won": "X"}], "unknown_side"),
]


@pytest.mark.parametrize(("deals", "code"), MALFORMED)
def test_deals_that_cannot_be_read(deals, code):
    with pytest.raises(Malformed) as refused:
        match(deals)
    assert refused.value.code == code


DEALS = st.lists(
    st.builds(
        lambda part, side, n: {part: {side: n}},
        st.sampled_from(["turn_up", "penalty", "deal"]),
        st.sampled_from(["NS", "EW"]),
        st.integers(-40, 60),
    ),
    max_size=25,
)
TARGETS = st.one_of(
    st.integers(1, 150),
    st.builds(lambda g, o: {"games": g, "of": o}, st.integers(1, 3), st.integers(1, 60)),
    st.just(DECIDER),
    st.builds(lambda n: {"deals": n}, st.integers(1, 30)),
)


def _played(deals, target):
    """Return the longest prefix of ``deals`` that the match accepts."""
    for end in range(len(deals), -1, -1):
        try:
            return match(deals[:end], target)
        except Illegal:
            continue
    raise AssertionError


@given(DEALS, TARGETS)
def test_swapping_the_sides_swaps_the_match(deals, target):
    swap = {"NS": "EW", "EW": "NS"}
    mirrored = [
        {part: {swap[side]: n for side, n in given.items()} for part, given in each.items()}
        for each in deals
    ]
    one, other = _played(deals, target), _played(mirrored, target)
    assert other["winner"] == (one["winner"] and swap[one["winner"]])
    assert other["finished"] == one["finished"]
    assert other["score"] == {swap[side]: n for side, n in one["score"].items()}


@given(DEALS, TARGETS)
def test_a_match_is_finished_once_and_names_who_won_enough_games(deals, target):
    found = _played(deals, target)
    ends = [event for event in found["events"] if event["why"] == "match"]
    assert len(ends) == (1 if found["winner"] else 0)
    if isinstance(target, dict) and "games" in target:
        most = max(found["games"].values())
        assert (most == target["games"]) == found["finished"]
    won = [event for event in found["events"] if event["why"] == "game"]
    assert len(won) == sum(found["games"].values())


@given(st.permutations([{"NS": 7}, {"EW": 3}, {"NS": -2}, {"EW": 12}, {"NS": 1}]))
def test_the_order_of_deals_does_not_change_a_match_by_deals(marks):
    found = match([{"deal": each} for each in marks], {"deals": 5})
    assert (found["score"], found["winner"]) == ({"NS": 6, "EW": 15}, "EW")


@pytest.mark.guide("engine#match")
def test_what_each_deal_adds_is_told_with_the_generale():
    """Q-002-2: "score set to 150"; deals after the end of the game count for nothing."""
    found = match([deal(0, 14), deal(100), {"game_won": "NS"}], rulebook="chaloupee")
    assert found["by_deal"] == [{"NS": 0, "EW": 14}, {"NS": 100, "EW": 0}, {"NS": 50, "EW": 0}]
    assert found["marks"] == found["score"] == {"NS": 150, "EW": 14}
    late = match([{**deal(98), "turn_up": {}}, {**deal(0, 20), "turn_up": {"NS": 3}}], 100)
    assert late["marks"] == late["score"] == {"NS": 101, "EW": 0}
    by_deals = match([deal(10), {"game_won": "EW"}], {"deals": 2}, rulebook="chaloupee")
    assert by_deals["marks"] == by_deals["score"] == {"NS": 10, "EW": 150}
