"""Every switch of rules specification A.7: its name, rulebooks, default, values and refusals."""

from typing import Any

import pytest

from scoring.engine.errors import Malformed
from scoring.engine.options import SWITCHES
from scoring.engine.rulebook import RULEBOOKS, resolve

HEIRS = ["bruges", "trumps-only"]
"""Books of clubs, with the switches of belgian and additional ones."""
PAIR_BOOKS = [
    "parlee",
    "boussac",
    "chaloupee",
    "coinchee",
    "muette",
    "parlee-limited",
    "blind",
    "belgian",
    *HEIRS,
]
AUCTIONS = ["auction-1", "auction-2", "auction-3"]
ALL = [*PAIR_BOOKS, "three-player", *AUCTIONS]
CALLS = [
    "chaloupee",
    "coinchee",
    "muette",
    "parlee-limited",
    "blind",
    "three-player",
    "belgian",
    *HEIRS,
]
DUTY = ["parlee", "boussac", "chaloupee", "coinchee", "belgian", *HEIRS]


def _each(keys, default):
    return dict.fromkeys(keys, default)


# A.7: switch -> default by rulebook
DEFAULTS = {
    "direction": {
        **_each(ALL, "CCW"),
        **_each(["muette", "parlee-limited", "blind", "three-player", "belgian", *HEIRS], "CW"),
    },
    "target": {
        "parlee": 100,
        "boussac": {"games": 2, "of": 34},
        "chaloupee": 150,
        "coinchee": 100,
        **_each(["muette", "parlee-limited", "blind", "belgian", *HEIRS], 101),
        "three-player": {"deals": 12},
        **_each(AUCTIONS, {"deals": 16}),
    },
    "compose": _each([*CALLS, "auction-3"], "PRODUCT"),
    "max_factor": _each([*CALLS, "auction-3"], None),
    "max_marks": {**_each(CALLS, None), "bruges": 240},
    "infinite_tap": _each(["muette", "parlee-limited", "blind"], False),
    "doubling_allowed": _each(CALLS, True),
    "redoubling_allowed": _each(CALLS, True),
    "blind_trump_allowed": _each(["muette", "parlee-limited"], True),
    "penalty_value": {
        **_each(ALL, 30),
        **_each(["parlee", "boussac", "chaloupee", "coinchee"], 34),
    },
    "penalty_mode": _each(ALL, "CREDIT_OPPONENTS"),
    "penalty_multiplied": _each(ALL, False),
    "penalty_floor": _each(ALL, True),
    "penalty_replaces_deal": _each(ALL, True),
    "bonus_survives_tie": _each(["parlee", "boussac"], True),
    "bonus_survives_redeal": _each(["parlee", "boussac"], False),
    "tied_match": _each(ALL, "DRAW"),
    "two_cards": _each(ALL, "OPPONENTS_CHOOSE"),
    "failure_multiplied": {"chaloupee": True},
    "generale_value": {"chaloupee": "GAME"},
    "beat": {**_each(["belgian", "bruges"], "ALWAYS"), "trumps-only": "TRUMPS_ONLY"},
    "beat_partner": {**_each(["belgian", "bruges"], False), "trumps-only": True},
    "ruff": _each(["belgian", *HEIRS], "OPPONENT_MASTER"),
    "overruff": _each(["belgian", *HEIRS], True),
    "must_ruff_over_partner": _each(DUTY, False),
    "cut_rule": {"coinchee": "OPPONENT_MASTER"},
    "nt_beat": _each(["chaloupee", "coinchee", "belgian", *HEIRS], True),
    "under_ruff": {
        **_each([*DUTY, "muette", "parlee-limited"], "PERMITTED"),
        "belgian": "FORBIDDEN",
        "bruges": "FORBIDDEN",
    },
    "muette_ruff": _each(["muette", "parlee-limited", "three-player"], "OPTIONAL"),
    "sweep60": {**_each(["muette", "parlee-limited", "belgian", "trumps-only"], 30), "bruges": 60},
    "players": _each(AUCTIONS, 4),
    "stakes": {"auction-1": None},
    "minimum_bid": _each(["auction-2", "auction-3"], 21),
    "all_tricks_value": {"auction-2": 68, "auction-3": 67},
    "double_all_tricks": {"auction-3": False},
    "double_no_exchange": {"auction-3": False},
}

ACCEPTED: list[tuple[str, str, list[Any]]] = [
    ("parlee", "direction", ["CCW", "CW"]),
    (
        "parlee",
        "target",
        [50, 1, {"deals": 12}, {"games": 2, "of": 34}, {"games": 2, "of": 44, "decider": 54}],
    ),
    ("muette", "max_factor", [None, 2, 240]),
    ("parlee", "penalty_value", [0, 60]),
    ("chaloupee", "generale_value", ["GAME", 150, 0]),
    ("muette", "sweep60", [30, 60]),
    ("muette", "muette_ruff", ["OPTIONAL", "ALWAYS", "OPPONENT_MASTER"]),
    ("auction-2", "players", [3, 4, 5, 6, 7]),
    ("auction-1", "stakes", [[0, 1, 2, 3, 4], [1] * 9]),
    ("auction-2", "minimum_bid", [1, 40]),
    ("auction-3", "all_tricks_value", [1, 200]),
    ("auction-2", "target", [{"deals": 8}]),
]

REFUSED: list[tuple[str, str, list[Any]]] = [
    ("parlee", "direction", ["cw", "", None, 1, True]),
    (
        "parlee",
        "target",
        [0, -1, 1.5, "100", True, {}, {"deals": 0}, {"games": 2}, {"games": 2, "of": 34, "x": 1}],
    ),
    ("muette", "infinite_tap", [1, 0, "true", None]),
    ("muette", "max_factor", [1, 0, 2.0, "2", True]),
    ("muette", "sweep60", [45, "60", True, 30.0]),
    ("parlee", "penalty_value", [-1, None, True, "34"]),
    ("chaloupee", "compose", ["SUM"]),
    ("coinchee", "cut_rule", ["LITERAL"]),
    ("auction-2", "players", [2, 8, "4", True]),
    (
        "auction-1",
        "stakes",
        [[], 5, [1, 2], [1, 2, 3, 4, -1], [1, 2, 3, 4, 5.0], [1, 1, 1, 1, True]],
    ),
    ("auction-2", "target", [{"deals": 10}]),
    ("three-player", "target", [{"deals": 10}]),
]


def test_the_list_of_switches_is_the_tables():
    assert [switch.name for switch in SWITCHES] == list(DEFAULTS)


@pytest.mark.parametrize("name", DEFAULTS)
def test_every_default_is_the_tables(name):
    found = {key: resolve(key).options[name] for key in RULEBOOKS if name in resolve(key).options}
    assert found == DEFAULTS[name]


@pytest.mark.parametrize("key", RULEBOOKS)
def test_every_default_may_be_given_and_changes_nothing(key):
    defaults = {k: v for k, v in resolve(key).options.items() if k != "stakes"}
    assert resolve(key, defaults) == resolve(key)


def test_the_defaults_that_depend_on_the_number_of_players():
    assert {
        n: resolve("auction-2", {"players": n}).options["minimum_bid"] for n in (3, 4, 5, 6, 7)
    } == {3: 21, 4: 21, 5: 15, 6: 15, 7: 15}
    assert {
        n: resolve("auction-3", {"players": n}).options["all_tricks_value"] for n in (3, 4, 5, 6, 7)
    } == {3: 69, 4: 67, 5: 66, 6: 65, 7: 64}
    assert resolve("auction-2", {"players": 5}).options["target"] == {"deals": 20}


@pytest.mark.parametrize(
    ("key", "name", "value"), [(k, n, v) for k, n, values in ACCEPTED for v in values]
)
def test_allowed_values_are_taken_as_given(key, name, value):
    assert resolve(key, {name: value}).options[name] == value


@pytest.mark.guide("engine#values")
@pytest.mark.parametrize(
    ("key", "name", "value"), [(k, n, v) for k, n, values in REFUSED for v in values]
)
def test_other_values_are_refused_with_the_switch_named(key, name, value):
    with pytest.raises(Malformed) as refused:
        resolve(key, {name: value})
    assert refused.value.code == "option_value"
    assert refused.value.field == f"options.{name}"


def test_a_refused_value_is_quoted_as_the_input_writes_it():
    for value, text in ((None, "null"), (False, "false"), ("x" * 500, "'" + "x" * 56 + "...")):
        with pytest.raises(Malformed) as refused:
            resolve("parlee", {"under_ruff": value})
        assert str(refused.value).startswith(f"{text} is not a value of under_ruff")


@pytest.mark.guide("engine#values")
@pytest.mark.parametrize("name", ["targets", "Direction", "", "nt"])
def test_an_unknown_switch_lists_those_of_the_rulebook(name):
    with pytest.raises(Malformed) as refused:
        resolve("parlee", {name: 1})
    assert refused.value.code == "unknown_option"
    for switch in RULEBOOKS["parlee"].switches:
        assert switch.name in refused.value.message


@pytest.mark.parametrize(
    ("key", "name", "value"),
    [
        ("parlee", "sweep60", 60),
        ("muette", "nt_beat", True),
        ("coinchee", "infinite_tap", True),
        ("blind", "muette_ruff", "ALWAYS"),
        ("belgian", "players", 4),
        ("auction-2", "stakes", [1, 2, 3]),
        ("chaloupee", "bonus_survives_tie", True),
    ],
)
def test_a_switch_of_another_rulebook_is_refused(key, name, value):
    with pytest.raises(Malformed) as refused:
        resolve(key, {name: value})
    assert refused.value.code == "option_not_of_rulebook"
    assert name not in refused.value.params["allowed"]


@pytest.mark.parametrize("options", [[], "target", 3, True])
def test_options_that_are_no_object_are_refused(options):
    with pytest.raises(Malformed) as refused:
        resolve("parlee", options)
    assert refused.value.code == "options"


def test_no_options_are_all_defaults():
    assert resolve("parlee", None) == resolve("parlee", {}) == resolve("parlee")
