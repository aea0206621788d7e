"""The auctions of the chaloupée (002) and of auction manille 2 and 3 (004)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.auction import auction_call
from scoring.engine.errors import Illegal, Malformed
from scoring.engine.score import score_call


def run(*calls, dealer="N", rulebook="chaloupee", **options):
    payload = {"rulebook": rulebook, "options": options, "calls": [list(call) for call in calls]}
    if dealer is not None:
        payload["dealer"] = dealer
    return auction_call(payload)


def bid(level, trump="S"):
    return {"level": level, "trump": trump}


def words(found):
    return [each for each in found["legal"] if isinstance(each, str)]


def minimum(found):
    return next(
        ((m["min_level"], m["min_trump"]) for m in found["legal"] if isinstance(m, dict)), None
    )


RUNGS = [
    (34, "S"),
    (34, "NT"),
    (44, "H"),
    (44, "NT"),
    (50, "D"),
    (50, "NT"),
    (54, "C"),
    (54, "NT"),
    ("generale", "S"),
    ("generale", "NT"),
]


@pytest.mark.guide("engine#auction")
def test_the_dealer_speaks_first_then_in_the_direction_of_play():
    assert run()["next"] == "N"
    assert run(("N", "pass"))["next"] == "W"
    assert run(("N", "pass"), direction="CW")["next"] == "E"


def test_with_no_bid_one_passes_or_bids():
    found = run()
    assert words(found) == ["pass"]
    assert minimum(found) == (34, "suit")


@pytest.mark.parametrize("rung", range(10))
def test_the_minimum_over_each_rung(rung):
    level, trump = RUNGS[rung]
    found = run(("N", bid(level, trump)))
    if rung == 9:
        assert minimum(found) is None
    else:
        next_level, next_trump = RUNGS[rung + 1]
        assert minimum(found) == (next_level, "NT" if next_trump == "NT" else "suit")
        bids = found["legal"][-1]["bids"]
        open_bids = {(each["level"], t) for each in bids for t in each["trumps"]}
        expected = {
            (lv, t)
            for at, (lv, tr) in enumerate(RUNGS)
            if at > rung
            for t in (["NT"] if tr == "NT" else "SHDC")
        }
        assert open_bids == expected


@pytest.mark.parametrize("low", range(10))
@pytest.mark.parametrize("high", range(10))
def test_a_bid_must_be_higher_and_suits_are_not_ranked(low, high):
    found = run(("N", bid(*RUNGS[low])), ("W", bid(*RUNGS[high])))
    assert (found["illegal"] == []) == (high > low)
    if high <= low:
        assert found["illegal"][0]["article"] == "002-A1"
        assert found["illegal"][0]["index"] == 1
        assert found["next"] == "W"


def test_one_may_raise_ones_partner_but_not_double_him():
    raised = run(("N", bid(34)), ("W", "accept"), ("S", bid(44)))
    assert raised["illegal"] == []
    doubled = run(("N", bid(34)), ("W", "accept"), ("S", "double"))
    assert doubled["illegal"][0]["index"] == 2


def test_the_calls_over_a_bid_and_over_a_double():
    assert words(run(("N", bid(34)))) == ["accept", "double"]
    assert words(run(("N", bid(34)), ("W", "double"))) == ["accept", "redouble"]
    assert words(run(("N", bid(34)), ("W", "double"), ("S", "redouble"))) == ["accept"]
    assert words(run(("N", bid(34)), ("W", "double"), ("S", "accept"))) == ["accept"]


def test_a_new_bid_cancels_the_double():
    found = run(
        ("N", bid(34)),
        ("W", "double"),
        ("S", bid(34, "NT")),
        ("E", "accept"),
        ("N", "accept"),
        ("W", "accept"),
    )
    assert found["contract"] == {
        "declarer": "NS",
        "player": "S",
        "level": 34,
        "trump": "NT",
        "doubling": 0,
        "blind": False,
    }
    assert found["leader"] == "E"


def test_it_ends_with_three_acceptances_and_the_leader_follows_the_last_bidder():
    calls = [
        ("N", "pass"),
        ("W", bid(44, "NT")),
        ("S", "double"),
        ("E", "redouble"),
        ("N", "accept"),
        ("W", "accept"),
    ]
    assert run(*calls)["ended"] is False
    found = run(*calls, ("S", "accept"))
    assert (found["ended"], found["annulled"], found["next"]) == (True, False, None)
    assert (found["contract"]["declarer"], found["contract"]["doubling"]) == ("EW", 2)
    assert found["leader"] == "S"
    assert found["legal"] == []


def test_an_early_pass_does_not_bar_a_later_bid():
    found = run(("N", "pass"), ("W", "pass"), ("S", bid(34)), ("E", "accept"), ("N", bid(44)))
    assert found["illegal"] == []
    assert found["standing"]["player"] == "N"


def test_m05_four_passes_annul_the_deal():
    found = run(("N", "pass"), ("W", "pass"), ("S", "pass"), ("E", "pass"))
    assert (found["ended"], found["annulled"], found["contract"]) == (True, True, None)


FORBIDDEN = [
    ([], ("N", "accept"), "no bid"),
    ([], ("N", "double"), "no bid"),
    ([], ("N", "redouble"), "no bid"),
    ([], ("W", "pass"), "N's turn"),
    ([], ("N", bid(40)), "no bid of 40"),
    ([("N", bid(34))], ("W", "pass"), "a bid stands"),
    ([("N", bid(34))], ("W", "redouble"), "only the bidding side"),
    ([("N", bid(34)), ("W", "accept")], ("S", "redouble"), "not been doubled"),
    ([("N", bid(34)), ("W", "double"), ("S", "accept")], ("E", "double"), "doubled already"),
    ([("N", bid(34)), ("W", "double")], ("S", "double"), "own side"),
]


@pytest.mark.guide("engine#errors")
@pytest.mark.parametrize(("before", "call", "why"), FORBIDDEN)
def test_forbidden_calls_are_reported_and_do_not_count(before, call, why):
    found = run(*before, call)
    assert found["illegal"][0]["article"] == "002-A1"
    assert why in found["illegal"][0]["why"]
    assert found["illegal"][0]["index"] == len(before)
    clean = run(*before)
    assert {k: found[k] for k in ("next", "legal", "standing")} == {
        k: clean[k] for k in ("next", "legal", "standing")
    }


def test_a_forbidden_call_is_replaced_or_passed_over():
    replaced = run(("N", bid(44)), ("W", bid(34)), ("W", bid(50)))
    assert replaced["standing"]["player"] == "W"
    passed_over = run(("N", bid(44)), ("W", bid(34)), ("S", "accept"), ("E", "accept"))
    assert (passed_over["ended"], passed_over["contract"]["declarer"]) == (True, "NS")


def test_a_second_forbidden_call_bars_the_side_from_bidding():
    once = run(("N", bid(44)), ("W", bid(34)))
    assert once["barred"] == []
    assert minimum(once) == (44, "NT")
    twice = run(("N", bid(44)), ("W", bid(34)), ("W", "accept"), ("S", "accept"), ("E", bid(34)))
    assert twice["barred"] == ["EW"]
    assert minimum(twice) is None
    assert words(twice) == ["accept", "double"]
    again = run(
        ("N", bid(44)),
        ("W", bid(34)),
        ("W", bid(34)),
        ("W", bid(54)),
        ("W", "accept"),
        ("S", bid(54)),
    )
    assert "may not bid any more" in again["illegal"][-1]["why"]
    assert again["standing"]["player"] == "S"


def test_a_call_after_the_end_is_reported():
    found = run(("N", "pass"), ("W", "pass"), ("S", "pass"), ("E", "pass"), ("N", bid(34)))
    assert found["illegal"] == [{"index": 4, "article": "002-A1", "why": "the auction is over"}]


def test_where_doubling_is_not_played_it_is_not_offered():
    assert words(run(("N", bid(34)), doubling_allowed=False)) == ["accept"]
    assert words(run(("N", bid(34)), ("W", "double"), redoubling_allowed=False)) == ["accept"]


# -- auction manille 2 and 3 ---------------------------------------------------------------------


def points_run(*calls, rulebook="auction-2", **options):
    return run(*calls, dealer=None, rulebook=rulebook, **options)


@pytest.mark.guide("engine#auction")
def test_eldest_speaks_first_and_bids_rise():
    found = points_run()
    assert (found["next"], found["legal"]) == (
        "1",
        ["pass", {"min_level": 21, "max_level": 68, "all_tricks": True}],
    )
    found = points_run(("1", {"level": 30}), players=5)
    assert found["legal"][1]["min_level"] == 31


def test_the_highest_bidder_is_declarer_once_all_others_have_passed():
    found = points_run(
        ("1", "pass"), ("2", {"level": 30}), ("3", {"level": 35}), ("4", "pass"), ("2", "pass")
    )
    assert (found["ended"], found["leader"]) == (True, "1")
    assert found["contract"] == {"declarer": "3", "player": "3", "level": 35}
    assert score_call(
        {
            "rulebook": "auction-2",
            "contract": {"declarer": "3", "level": 35},
            "points": {"3": 36},
        }
    )["marks"] == {"1": 0, "2": 0, "3": 35, "4": 0}


def test_a_player_who_passed_may_not_come_in_again():
    found = points_run(("1", "pass"), ("2", {"level": 30}), ("1", {"level": 40}))
    assert found["illegal"] == [
        {"index": 2, "article": "004-A1", "why": "1 has passed and may not come in again"}
    ]
    assert found["next"] == "3"


@pytest.mark.parametrize("level", [30, 29, 20, 69, "generale"])
def test_a_bid_that_is_not_higher_or_not_a_bid_is_void(level):
    found = points_run(("1", {"level": 30}), ("2", {"level": level}))
    assert found["illegal"][0]["article"] == "004-A1"
    assert found["next"] == "2"


def test_every_trick_outranks_every_number_and_its_bidder_leads():
    found = points_run(("1", {"level": 68}), ("2", {"level": "all"}))
    assert found["legal"] == ["pass"]
    found = points_run(
        ("1", {"level": 68}), ("2", {"level": "all"}), ("3", "pass"), ("4", "pass"), ("1", "pass")
    )
    assert (found["contract"]["level"], found["leader"]) == ("all", "2")
    over = points_run(("1", {"level": 68}))
    assert over["legal"] == ["pass", {"min_level": "all", "all_tricks": True}]


def test_everybody_passing_scores_nothing():
    found = points_run(("1", "pass"), ("2", "pass"), ("3", "pass"), players=3, rulebook="auction-3")
    assert (found["ended"], found["annulled"]) == (True, True)


def test_the_last_player_left_may_still_bid():
    found = points_run(("1", "pass"), ("2", "pass"), ("3", "pass"))
    assert (found["next"], found["ended"]) == ("4", False)
    assert points_run(("1", "pass"), ("2", "pass"), ("3", "pass"), ("4", {"level": 21}))["ended"]


# -- refusals ------------------------------------------------------------------------------------

MALFORMED = [
    ({"dealer": None}, "missing_key"),
    ({"dealer": "1"}, "seat"),
    ({"calls": [["X", "pass"]]}, "seat"),
    ({"calls": [["N", "hello"]]}, "unknown_call"),
    ({"calls": [["N"]]}, "malformed_value"),
    ({"calls": ["pass"]}, "malformed_value"),
    ({"calls": [["N", {"level": 34}]]}, "missing_key"),
    ({"calls": [["N", {"level": 34, "trump": "X"}]]}, "unknown_trump"),
    ({"calls": [["N", {"trump": "S"}]]}, "malformed_value"),
    ({"calls": [["N", 34]]}, "malformed_value"),
]


@pytest.mark.parametrize(("change", "code"), MALFORMED)
def test_calls_that_cannot_be_read(change, code):
    with pytest.raises(Malformed) as refused:
        auction_call({"rulebook": "chaloupee", "dealer": "N", "calls": [], **change})
    assert refused.value.code == code


@pytest.mark.guide("engine#auction")
@pytest.mark.parametrize("rulebook", ["parlee", "coinchee", "muette", "auction-1", "belgian"])
def test_games_without_an_auction(rulebook):
    with pytest.raises(Illegal) as refused:
        auction_call({"rulebook": rulebook, "calls": []})
    assert refused.value.code == "no_auction"


def test_the_dealer_of_numbered_players_is_the_last():
    with pytest.raises(Malformed):
        auction_call({"rulebook": "auction-2", "dealer": "1", "calls": []})
    assert auction_call({"rulebook": "auction-2", "dealer": "4", "calls": []})["next"] == "1"


# -- properties ----------------------------------------------------------------------------------


@given(st.data(), st.sampled_from(["chaloupee", "auction-2", "auction-3"]))
def test_following_the_legal_calls_always_ends_without_a_breach(data, rulebook):
    dealer = "S" if rulebook == "chaloupee" else None
    calls = []
    for _ in range(80):
        found = run(*calls, dealer=dealer, rulebook=rulebook)
        assert found["illegal"] == []
        if found["ended"]:
            break
        choice = data.draw(st.sampled_from(found["legal"]))
        if isinstance(choice, dict):
            if rulebook == "chaloupee":
                open_bid = data.draw(st.sampled_from(choice["bids"]))
                choice = bid(open_bid["level"], data.draw(st.sampled_from(open_bid["trumps"])))
            elif choice["min_level"] == "all":
                choice = {"level": "all"}
            else:
                choice = {"level": data.draw(st.integers(choice["min_level"], choice["max_level"]))}
        calls.append((found["next"], choice))
    if found["ended"]:
        assert found["annulled"] == (found["contract"] is None)
        assert (found["leader"] is None) == found["annulled"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from("NESW"),
            st.one_of(
                st.sampled_from(["pass", "accept", "double", "redouble"]),
                st.sampled_from([bid(*rung) for rung in RUNGS]),
            ),
        ),
        max_size=20,
    )
)
def test_any_calls_are_judged_and_each_illegal_one_once(calls):
    found = run(*calls)
    indices = [each["index"] for each in found["illegal"]]
    assert indices == sorted(set(indices))
    assert all(0 <= index < len(calls) for index in indices)
    assert (found["next"] is None) == found["ended"]
    if found["contract"]:
        assert found["contract"]["doubling"] in (0, 1, 2)
