"""Two entries of one deal: only the differing trick or line is named."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.calls import answer
from scoring.engine.errors import Malformed

TRICKS = [("NS", 9), ("EW", 4), ("NS", 10), ("NS", 9), ("EW", 12), ("EW", 9), ("NS", 8), ("NS", 7)]
LISTED = {
    "rulebook": "chaloupee",
    "dealer": "N",
    "contract": {"declarer": "NS", "level": 34, "trump": "S"},
    "trick_list": [{"winner": side, "points": points} for side, points in TRICKS],
}
TOTALS = {
    "rulebook": "chaloupee",
    "dealer": "N",
    "contract": {"declarer": "NS", "level": 34, "trump": "S", "doubling": 0, "blind": False},
    "points": {"NS": 43, "EW": 25},
    "tricks": {"NS": 5, "EW": 3},
}


def differences(a, b, **more):
    found = answer("compare", {"rulebook": "chaloupee", "a": a, "b": b, **more})
    assert found["same"] is (found["differences"] == [])
    # From the other side the same lines differ, with the sides swapped.
    back = answer("compare", {"rulebook": "chaloupee", "a": b, "b": a, **more})
    assert back["differences"] == [
        {"where": each["where"], "a": each["b"], "b": each["a"]} for each in found["differences"]
    ]
    return [(each["where"], each["a"], each["b"]) for each in found["differences"]]


def changed(entry, *path_and_value):
    *path, last, value = path_and_value
    entry = copy.deepcopy(entry)
    inner = entry
    for key in path:
        inner = inner[key]
    inner[last] = value
    return entry


@pytest.mark.guide("engine#compare")
def test_the_same_deal_at_two_depths_is_the_same():
    assert differences(LISTED, TOTALS) == []
    one_side = {**TOTALS, "points": {"NS": 43}}
    del one_side["tricks"]
    assert differences(LISTED, one_side) == []
    assert differences(TOTALS, {**one_side, "points": {"EW": 25}}) == []


@pytest.mark.guide("engine#compare")
def test_a_trick_that_differs_is_named():
    other = changed(LISTED, "trick_list", 4, {"winner": "NS", "points": 12})
    assert differences(LISTED, other) == [("trick 5", "EW 12", "NS 12")]
    other = changed(LISTED, "trick_list", 4, "points", 11)
    assert differences(LISTED, other) == [("trick 5", "EW 12", "EW 11")]


def test_a_missing_trick_is_named():
    other = {**LISTED, "trick_list": LISTED["trick_list"][:7]}
    assert differences(LISTED, other) == [("trick 8", "NS 7", "–")]


@pytest.mark.guide("engine#compare")
def test_totals_that_differ_are_named_by_side():
    assert differences(TOTALS, {**TOTALS, "points": {"NS": 44, "EW": 24}}) == [
        ("points EW", "25", "24"),
        ("points NS", "43", "44"),
    ]
    assert differences(LISTED, changed(TOTALS, "tricks", {"NS": 4, "EW": 4})) == [
        ("tricks EW", "3", "4"),
        ("tricks NS", "5", "4"),
    ]


def test_one_side_each_is_compared_by_difference():
    a, b = {"points": {"NS": 43}}, {"points": {"EW": 24}}
    assert differences(a, b) == [("points EW", "25", "24"), ("points NS", "43", "44")]
    # With a widow out of play there is no total to subtract from.
    found = answer(
        "compare",
        {"rulebook": "auction-3", "a": {"points": {"1": 30}}, "b": {"points": {"2": 31}}},
    )
    assert found["same"] is True


def test_points_missing_altogether():
    assert differences({"points": {"NS": 43}}, {}) == [("points", "NS 43", "–")]


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("dealer",), "S", ("dealer", "N", "S")),
        (("contract", "level"), 44, ("contract level", "34", "44")),
        (("contract", "trump"), "NT", ("contract trump", "S", "NT")),
        (("contract", "declarer"), "EW", ("contract declarer", "NS", "EW")),
        (("contract", "doubling"), 1, ("contract doubling", "0", "1")),
        (("contract", "blind"), True, ("contract blind", "no", "yes")),
        (("turn_up",), "TH", ("turn-up", "–", "10H")),
        (
            ("infractions",),
            [{"article": "002-A2", "side": "EW"}],
            ("infractions", "–", "002-A2 EW"),
        ),
        (("options",), {"failure_multiplied": False}, None),
    ],
)
def test_a_line_of_the_slip_that_differs_is_named(path, value, line):
    found = differences(TOTALS, changed(TOTALS, *path, value))
    assert found == [line or ("option failure_multiplied", "yes", "no")]


def test_what_means_the_same_is_the_same():
    a = {**TOTALS, "turn_up": "10H", "options": {}, "infractions": []}
    b = {
        **TOTALS,
        "turn_up": "TH",
        "options": {"failure_multiplied": True},
        "infractions": None,
        "contract": {"declarer": "NS", "level": 34, "trump": "S"},
    }
    assert differences(a, b) == []
    assert (
        differences(
            {"infractions": [{"article": "x", "side": "NS"}, {"article": "y", "side": "EW"}]},
            {"infractions": [{"side": "EW", "article": "y"}, {"article": "x", "side": "NS"}]},
        )
        == []
    )


def test_only_the_infractions_that_differ_are_named():
    one, two = {"article": "x", "side": "NS"}, {"article": "y", "side": "EW"}
    assert differences({"infractions": [one, two, two]}, {"infractions": [two, one]}) == [
        ("infractions", "y EW", "–")
    ]


@pytest.mark.guide("engine#compare")
def test_cards_are_compared_trick_by_trick():
    plays = ["8H", "KC", "9D", "7H", "KS", "9S", "8S", "10S"]
    other = [*plays[:5], "JS", *plays[6:]]
    a = {"rulebook": "parlee", "trump": "C", "leader": "W", "plays": plays}
    assert differences(a, {**a, "plays": other}) == [("trick 2", "KS 9S 8S 10S", "KS JS 8S 10S")]
    assert differences(a, {**a, "plays": [*plays[:7], "TS"]}) == []
    assert ("leader", "W", "S") in differences(a, {**a, "leader": "S"})
    # Against an entry by tricks, the cards give the winner of each trick.
    b = {
        "rulebook": "parlee",
        "trick_list": [{"winner": "NS", "points": 4}, {"winner": "NS", "points": 9}],
    }
    assert differences(a, b) == [("trick 2", "EW 9", "NS 9")]


def test_two_games_are_two_games():
    assert differences({"rulebook": "parlee"}, {"rulebook": "muette"}) == [
        ("rulebook", "parlee", "muette")
    ]


@given(
    st.lists(st.tuples(st.sampled_from(["NS", "EW"]), st.integers(0, 21)), min_size=8, max_size=8),
    st.integers(0, 7),
    st.integers(1, 5),
)
def test_one_changed_trick_is_the_only_difference(tricks, number, more):
    entry = {"trick_list": [{"winner": side, "points": points} for side, points in tricks]}
    assert differences(entry, copy.deepcopy(entry)) == []
    other = changed(entry, "trick_list", number, "points", tricks[number][1] + more)
    assert [where for where, *_ in differences(entry, other)] == [f"trick {number + 1}"]


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({"a": {}}, "b"),
        ({"a": [], "b": {}}, "a"),
        ({"a": {}, "b": {"contract": 5}}, "b.contract"),
        ({"a": {"trick_list": 5}, "b": {}}, "a.trick_list"),
        ({"a": {"trick_list": [5]}, "b": {"trick_list": [5]}}, "a.trick_list[0]"),
    ],
)
def test_malformed_entries(payload, field):
    with pytest.raises(Malformed) as error:
        answer("compare", payload)
    assert error.value.field == field
