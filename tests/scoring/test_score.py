"""Marks of a deal: the cases of the sources, the ladder, penalties, refusals, and properties."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.auction import auction_call
from scoring.engine.bounds import side_bounds
from scoring.engine.cards import mask_of, parse_card, points_of
from scoring.engine.errors import EngineError, Illegal, Impossible, Malformed
from scoring.engine.match import match_call
from scoring.engine.rulebook import RULEBOOKS, resolve
from scoring.engine.score import score_call, score_input
from scoring.engine.speech import speak


def marks(rulebook, **entry):
    return score_call({"rulebook": rulebook, **entry})["marks"]


def contract(level=None, trump="S", declarer="NS", doubling=0, **more):
    found = {"declarer": declarer, "trump": trump, "doubling": doubling, **more}
    return found if level is None else {**found, "level": level}


# rules specification E.1; "S" is a suit contract of NS unless noted
CASES = [
    ("S01 003", "coinchee", {"contract": contract(), "points": {"NS": 42, "EW": 26}}, (8, 0)),
    ("S01 000", "parlee", {"points": {"NS": 42, "EW": 26}}, (8, 0)),
    (
        "S03 000 prime",
        "parlee",
        {"dealer": "S", "turn_up": "KH", "points": {"NS": 30, "EW": 38}},
        (3, 4),
    ),
    ("S07 001 thirty-four", "boussac", {"points": {"NS": 68}, "tricks": {"NS": 8}}, (34, 0)),
    (
        "001 thirty-nine",
        "boussac",
        {"dealer": "N", "turn_up": "10S", "points": {"NS": 68}, "tricks": {"NS": 8}},
        (39, 0),
    ),
    ("S09 002", "chaloupee", {"contract": contract(34, "NT"), "points": {"NS": 41}}, (14, 0)),
    ("S11 Q-002-1", "chaloupee", {"contract": contract(44, "H"), "points": {"NS": 38}}, (0, 12)),
    (
        "S11 literal",
        "chaloupee",
        {
            "contract": contract(44, "H"),
            "points": {"NS": 38},
            "options": {"failure_multiplied": False},
        },
        (0, 6),
    ),
    ("S13 002", "chaloupee", {"contract": contract(50, "NT"), "points": {"NS": 53}}, (18, 0)),
    ("S15 002", "chaloupee", {"contract": contract(54, "C"), "points": {"NS": 54}}, (0, 0)),
    (
        "S17 Q-GEN-1",
        "chaloupee",
        {"contract": contract(44, "NT", doubling=2), "points": {"NS": 46}},
        (32, 0),
    ),
    ("S19 003", "coinchee", {"contract": contract(trump="NT"), "points": {"NS": 42}}, (16, 0)),
    ("S21 004", "muette", {"contract": contract(), "points": {"NS": 36, "EW": 24}}, (6, 0)),
    ("S23a 004", "muette", {"contract": contract(blind=True), "points": {"NS": 36}}, (12, 0)),
    (
        "S23b 004",
        "muette",
        {"contract": contract(trump="NT", blind=True), "points": {"NS": 36}},
        (24, 0),
    ),
    ("S25 004", "muette", {"infractions": [{"article": "004-V1", "side": "NS"}]}, (0, 30)),
    (
        "003 contre, lost",
        "coinchee",
        {"contract": contract(doubling=1), "points": {"NS": 30}},
        (0, 8),
    ),
    (
        "003 surcontre is x4 in all",
        "coinchee",
        {"contract": contract(doubling=2), "points": {"NS": 42}},
        (32, 0),
    ),
    ("Q-003-4", "coinchee", {"contract": contract(doubling=1), "points": {"NS": 34}}, (0, 0)),
    (
        "E10 at most 240",
        "belgian",
        {"contract": contract(trump="NT", doubling=2), "points": {"NS": 60}},
        (240, 0),
    ),
    (
        "Q-004-3",
        "muette",
        {
            "contract": contract(doubling=5),
            "points": {"NS": 31},
            "options": {"infinite_tap": True},
        },
        (32, 0),
    ),
    (
        "max_factor",
        "muette",
        {
            "contract": contract(trump="NT", doubling=5),
            "points": {"NS": 31},
            "options": {"infinite_tap": True, "max_factor": 6},
        },
        (6, 0),
    ),
    (
        "the example of the contract with a cogné",
        "chaloupee",
        {
            "dealer": "N",
            "contract": contract(44, "NT", doubling=1, blind=False),
            "turn_up": "KH",
            "points": {"NS": 47, "EW": 21},
            "tricks": {"NS": 6, "EW": 2},
        },
        (24, 0),
    ),
    ("Q-004-7, 30", "muette", {"contract": contract(), "points": {"EW": 60}}, (0, 30)),
    (
        "Q-004-7, 60",
        "belgian",
        {
            "contract": contract(),
            "points": {"EW": 60},
            "tricks": {"EW": 8},
            "options": {"sweep60": 60},
        },
        (0, 60),
    ),
    (
        "Q-004-7, a worthless trick saves",
        "belgian",
        {
            "contract": contract(),
            "points": {"EW": 60},
            "tricks": {"EW": 7},
            "options": {"sweep60": 60},
        },
        (0, 30),
    ),
]


@pytest.mark.guide("engine#score")
@pytest.mark.parametrize(("case", "rulebook", "entry", "expected"), CASES, ids=lambda v: str(v))
def test_the_cases_of_the_sources(case, rulebook, entry, expected):
    assert marks(rulebook, **entry) == dict(zip(("NS", "EW"), expected, strict=True))


LADDER = [
    (34, "S", 1),
    (34, "NT", 2),
    (44, "S", 2),
    (44, "NT", 4),
    (50, "S", 3),
    (50, "NT", 6),
    (54, "S", 4),
    (54, "NT", 8),
]


@pytest.mark.parametrize(("level", "trump", "factor"), LADDER)
@pytest.mark.parametrize(("doubling", "times"), [(0, 1), (1, 2), (2, 4)])
@pytest.mark.parametrize("declarer", ["NS", "EW"])
def test_every_rung_of_the_chaloupee(level, trump, factor, doubling, times, declarer):
    other = "EW" if declarer == "NS" else "NS"
    bid = contract(level, trump, declarer, doubling)
    for points in range(69):
        found = marks("chaloupee", contract=bid, points={declarer: points})
        worth = (points - level) * factor * times
        assert found == {declarer: max(worth, 0), other: max(-worth, 0)}


def test_the_literal_failure_keeps_no_trump_and_the_cogne():
    """Q-002-1 to the letter: "cette différence" is the bare one, "les points obtenus" are doubled."""
    found = marks(
        "chaloupee",
        contract=contract(44, "NT", doubling=1),
        points={"NS": 38},
        options={"failure_multiplied": False},
    )
    assert found == {"NS": 0, "EW": 24}


GENERALE = [
    ({"tricks": {"NS": 8}}, "NS"),
    ({"tricks": {"NS": 7}}, "EW"),
    ({"tricks": {"EW": 0}}, "NS"),
    ({"points": {"NS": 68}}, "NS"),
    ({"points": {"NS": 67}}, "EW"),
    ({"points": {"NS": 60}, "tricks": {"NS": 7, "EW": 1}}, "EW"),
]


@pytest.mark.parametrize("trump", ["S", "NT"])
@pytest.mark.parametrize(("entry", "winner"), GENERALE)
def test_a_generale_wins_or_loses_the_game(entry, winner, trump):
    found = score_call(
        {"rulebook": "chaloupee", "contract": contract("generale", trump, doubling=2), **entry}
    )
    assert (found["game_won"], found["marks"], found["void"]) == (winner, {"NS": 0, "EW": 0}, False)
    valued = score_call(
        {
            "rulebook": "chaloupee",
            "options": {"generale_value": 200},
            "contract": contract("generale", trump, doubling=2),
            **entry,
        }
    )
    assert valued["game_won"] is None
    assert valued["marks"][winner] == 200


AUCTIONS = [
    ("S27a", "auction-2", {}, {"declarer": "2", "level": 40}, {"2": 40}, (0, 40, 0, 0)),
    ("S27b", "auction-2", {}, {"declarer": "2", "level": 40}, {"2": 39}, (0, -40, 0, 0)),
    (
        "the interface's own figures",
        "auction-1",
        {"players": 3, "stakes": [5, 6, 7]},
        {"declarer": "1", "exchanged": 0},
        {"1": 21},
        (10, -5, -5),
    ),
    (
        "20 are not 21",
        "auction-1",
        {"players": 3, "stakes": [5, 6, 7]},
        {"declarer": "1", "exchanged": 2},
        {"1": 20},
        (-14, 7, 7),
    ),
    (
        "15 with more than four",
        "auction-1",
        {"players": 5, "stakes": [2, 1, 1]},
        {"declarer": "3", "exchanged": 0},
        {"3": 15},
        (-2, -2, 8, -2, -2),
    ),
    (
        "x2 without exchange",
        "auction-3",
        {"double_no_exchange": True},
        {"declarer": "1", "level": 30, "exchanged": False},
        {"1": 12},
        (-60, 0, 0, 0),
    ),
    (
        "exchanged",
        "auction-3",
        {"double_no_exchange": True},
        {"declarer": "1", "level": 30, "exchanged": True},
        {"1": 30},
        (30, 0, 0, 0),
    ),
]


@pytest.mark.parametrize(
    ("case", "rulebook", "options", "bid", "points", "expected"), AUCTIONS, ids=lambda v: str(v)
)
def test_the_auctions(case, rulebook, options, bid, points, expected):
    found = marks(rulebook, options=options, contract=bid, points=points)
    assert tuple(found.values()) == expected
    assert list(found) == [str(n) for n in range(1, len(expected) + 1)]


@pytest.mark.parametrize(
    ("options", "tricks", "expected"),
    [
        ({}, 7, 67),
        ({}, 6, -67),
        ({"all_tricks_value": 100}, 7, 100),
        ({"double_all_tricks": True}, 7, 134),
        ({"double_all_tricks": True, "double_no_exchange": True}, 6, -268),
        ({"double_all_tricks": True, "double_no_exchange": True, "max_factor": 3}, 7, 201),
    ],
)
def test_the_bid_of_every_trick(options, tricks, expected):
    bid = {"declarer": "4", "level": "all", "exchanged": False}
    found = marks("auction-3", options=options, contract=bid, tricks={"4": tricks})
    assert found == {"1": 0, "2": 0, "3": 0, "4": expected}


def test_three_players_by_side():
    """S29; each of the two marks their side's excess."""
    assert marks("three-player", contract={"trump": "S"}, points={"3": 33, "12": 27}) == {
        "3": 3,
        "12": 0,
    }
    assert marks("three-player", contract={"trump": "NT"}, points={"3": 20}) == {"3": 0, "12": 20}


TURN_UPS = [("10", 5), ("A", 4), ("K", 3), ("Q", 2), ("J", 1), ("9", 0), ("8", 0), ("7", 0)]


@pytest.mark.parametrize("rulebook", ["parlee", "boussac"])
@pytest.mark.parametrize(("rank", "value"), TURN_UPS)
def test_the_turn_up_goes_to_the_dealers_side_even_in_a_tie(rulebook, rank, value):
    found = score_call(
        {"rulebook": rulebook, "dealer": "E", "turn_up": f"{rank}D", "points": {"NS": 34}}
    )
    assert found["marks"] == {"NS": 0, "EW": value}
    assert found["void"] is True


def test_the_turn_up_falls_with_a_tie_where_the_event_says_so():
    found = score_call(
        {
            "rulebook": "parlee",
            "options": {"bonus_survives_tie": False},
            "dealer": "E",
            "turn_up": "KD",
            "points": {"NS": 34},
        }
    )
    assert found["marks"] == {"NS": 0, "EW": 0}
    assert found["lines"][0]["clause"] == "turn_up_cancelled"


@pytest.mark.parametrize("rulebook", [k for k in RULEBOOKS if k not in ("parlee", "boussac")])
def test_no_other_game_has_a_turn_up(rulebook):
    assert not RULEBOOKS[rulebook].turn_up


PENALTIES = [
    ("M03, Q-GEN-4", "parlee", "000-P1", {}, (0, 34)),
    ("004", "muette", "004-V1", {}, (0, 30)),
    ("BE", "belgian", "BE-P5", {}, (0, 30)),
    ("an article of another source", "chaloupee", "000-P1", {}, (0, 34)),
    ("value", "parlee", "000-P1", {"penalty_value": 50}, (0, 50)),
    ("debit", "parlee", "000-P1", {"penalty_mode": "DEBIT_OFFENDER"}, (-34, 0)),
    ("both kept", "parlee", "000-P1", {"penalty_replaces_deal": False}, (8, 34)),
    ("T-INT", "muette", "T-INT", {}, (0, 60)),
]


@pytest.mark.guide("engine#score")
@pytest.mark.parametrize(("case", "rulebook", "article", "options", "expected"), PENALTIES)
def test_penalties(case, rulebook, article, options, expected):
    half = resolve(rulebook).half
    entry = {
        "options": options,
        "contract": contract(34 if rulebook == "chaloupee" else None),
        "points": {"NS": half + 8},
        "infractions": [{"article": article, "side": "NS"}],
    }
    if rulebook == "parlee":
        del entry["contract"]
    assert marks(rulebook, **entry) == dict(zip(("NS", "EW"), expected, strict=True))


def test_a_penalty_may_be_multiplied():
    assert marks(
        "coinchee",
        options={"penalty_multiplied": True},
        contract=contract(trump="NT", doubling=1),
        infractions=[{"article": "003-P1", "side": "EW"}],
    ) == {"NS": 136, "EW": 0}


def test_without_points_a_penalty_replaces_the_deal_and_nothing_else_does():
    assert marks("parlee", infractions=[{"article": "000-P3", "side": "E"}]) == {"NS": 34, "EW": 0}
    with pytest.raises(Malformed) as refused:
        marks(
            "parlee",
            options={"penalty_replaces_deal": False},
            infractions=[{"article": "000-P3", "side": "EW"}],
        )
    assert (refused.value.code, refused.value.field) == ("missing_key", "points")


@pytest.mark.parametrize("article", ["001-R6b", "001-R7", "001-R8", "001-R17"])
def test_no_valid_deal_cancels_the_turn_up(article):
    """I03: a misdeal after the turn-up of a king."""
    entry = {
        "dealer": "N",
        "turn_up": "KH",
        "infractions": [{"article": article, "side": "NS"}],
    }
    assert marks("boussac", **entry) == {"NS": 0, "EW": 34}
    kept = marks("boussac", options={"bonus_survives_redeal": True}, **entry)
    assert kept == {"NS": 3, "EW": 34}


@pytest.mark.parametrize("article", ["001-R9a", "001-R9c", "001-R10", "001-R11", "001-R16"])
def test_other_penalties_leave_the_turn_up(article):
    assert marks(
        "boussac",
        dealer="N",
        turn_up="KH",
        infractions=[{"article": article, "side": "NS"}],
    ) == {"NS": 3, "EW": 34}


def test_both_sides_at_fault_cancel_and_the_deal_is_void():
    """Q-GEN-9."""
    found = score_call(
        {
            "rulebook": "boussac",
            "dealer": "N",
            "turn_up": "10H",
            "infractions": [
                {"article": "001-R9a", "side": "NS"},
                {"article": "001-R13", "side": "EW"},
            ],
        }
    )
    assert found["marks"] == {"NS": 0, "EW": 0}
    assert (found["void"], found["redeal"]) == (True, "same_dealer")
    assert "penalties_cancel" in [line["clause"] for line in found["lines"]]


def test_one_penalty_a_side_the_dearest():
    assert marks(
        "muette",
        infractions=[
            {"article": "004-V1", "side": "NS"},
            {"article": "T-INT", "side": "NS"},
            {"article": "004-V1", "side": "NS"},
        ],
    ) == {"NS": 0, "EW": 60}


@pytest.mark.parametrize(
    ("article", "redeal"), [("001-R1", "same_dealer"), ("001-R6a", "next_dealer")]
)
def test_an_accident_before_play_marks_nothing(article, redeal):
    found = score_call({"rulebook": "boussac", "infractions": [{"article": article}]})
    assert (found["marks"], found["redeal"]) == ({"NS": 0, "EW": 0}, redeal)


def test_the_opponents_option_of_rule_2():
    entry = {"rulebook": "boussac", "points": {"NS": 40}}
    stands = [{"article": "001-R2b", "side": "NS"}]
    redealt = [{"article": "001-R2b", "side": "NS", "choice": "redeal"}]
    assert score_call({**entry, "infractions": stands})["marks"] == {"NS": 6, "EW": 0}
    assert score_call({**entry, "infractions": redealt})["redeal"] == "same_dealer"


def test_a_first_disobedience_is_a_warning_and_a_second_costs_marks():
    """000-E2 (R): play continues either way."""
    entry = {"rulebook": "parlee", "points": {"NS": 40}}
    first = score_call({**entry, "infractions": [{"article": "000-E2", "side": "NS"}]})
    assert first["marks"] == {"NS": 6, "EW": 0}
    again = {"article": "000-E2", "side": "NS", "repeated": True}
    assert score_call({**entry, "infractions": [again]})["marks"] == {"NS": 6, "EW": 34}


def test_blind_trump_named_too_late_is_not_doubled():
    """004-B1 (R)."""
    assert marks(
        "muette",
        contract=contract(trump="NT", blind=True),
        points={"NS": 36},
        infractions=[{"article": "004-B1", "side": "NS"}],
    ) == {"NS": 12, "EW": 0}


def test_an_offender_in_an_auction_pays_as_if_he_had_failed():
    """B.3 (R)."""
    offence = [{"article": "BE-P1", "side": "3"}]
    assert marks("auction-2", contract={"declarer": "2", "level": 40}, infractions=offence) == {
        "1": 0,
        "2": 0,
        "3": -40,
        "4": 0,
    }
    found = marks(
        "auction-1",
        options={"players": 3, "stakes": [5, 6, 7]},
        contract={"declarer": "3", "exchanged": 1},
        infractions=offence,
    )
    assert found == {"1": 6, "2": 6, "3": -12}


@pytest.mark.parametrize(
    ("article", "paid"), [("BE-P1", 120), ("GEN-COUNT", 30)], ids=["as failed", "penalty"]
)
def test_a_defender_of_an_auction_pays_for_all_the_defenders(article, paid):
    """C.8: "the declarer gets from the offender what all defenders together would have paid"."""
    given = {
        "rulebook": "auction-1",
        "options": {"players": 5, "stakes": [50, 30, 20]},
        "contract": {"declarer": "2", "exchanged": 1},
    }
    found = score_call({**given, "infractions": [{"article": article, "side": "4"}]})
    assert found["marks"] == {"1": 0, "2": paid, "3": 0, "4": -paid, "5": 0}
    assert sum(line["marks"] for line in found["lines"] if line["side"] == "2") == paid
    # A deal that the defenders had won gives the other defenders nothing any more.
    lost = {**given, "points": {"2": 10}}
    again = score_call({**lost, "infractions": [{"article": article, "side": "4"}]})
    assert again["marks"] == found["marks"]
    former = [{"article": article, "side": "4", "alone": False}]
    assert score_call({**given, "infractions": former})["marks"]["5"] == 30


def test_a_penalty_at_three_goes_to_each_of_the_two():
    """004-T1."""
    assert marks("three-player", infractions=[{"article": "004-T1", "side": "3"}]) == {
        "3": 0,
        "12": 30,
    }


# -- entries -----------------------------------------------------------------------------------

TRICKS = [
    ("NS", 9),
    ("EW", 12),
    ("NS", 8),
    ("NS", 8),
    ("EW", 9),
    ("NS", 8),
    ("EW", 7),
    ("NS", 7),
]


def listed(tricks):
    return [{"winner": side, "points": points} for side, points in tricks]


def test_every_depth_of_entry_gives_the_same_marks():
    ways = [
        {"points": {"NS": 40}},
        {"points": {"EW": 28}},
        {"points": {"NS": 40, "EW": 28}},
        {"points": {"NS": 40}, "tricks": {"EW": 3}},
        {"trick_list": listed(TRICKS)},
        {"trick_list": listed([("S" if side == "NS" else "W", p) for side, p in TRICKS])},
        {"trick_list": listed(TRICKS), "points": {"NS": 40}, "tricks": {"NS": 5}},
    ]
    assert [marks("parlee", **way) for way in ways] == [{"NS": 6, "EW": 0}] * len(ways)


def test_the_reserve_may_be_in_the_first_trick_or_left_to_the_engine():
    tricks = [("12", 12), ("3", 6)] + [("3", 6)] * 6 + [("12", 0), ("12", 0)]
    bare = {"contract": {"trump": "S"}, "trick_list": listed(tricks)}
    full = {"contract": {"trump": "S"}, "trick_list": listed([("12", 18), *tricks[1:]])}
    assert marks("three-player", **bare) == marks("three-player", **full) == {"3": 12, "12": 0}


IMPOSSIBLE = [
    ("sum", {"points": {"NS": 30, "EW": 30}}, "30 + 30 = 60, not 68"),
    ("range", {"points": {"NS": 69}}, "0 to 68"),
    ("negative", {"points": {"NS": -1}}, "-1"),
    ("tricks sum", {"points": {"NS": 40}, "tricks": {"NS": 5, "EW": 4}}, "5 + 4 = 9, not 8"),
    ("tricks range", {"points": {"NS": 40}, "tricks": {"NS": 9}}, "9 of 8"),
    ("bounds", {"points": {"NS": 20}, "tricks": {"NS": 6}}, "between 30 and 66"),
    ("short list", {"trick_list": listed(TRICKS[:7])}, "trick 8 is missing"),
    ("long list", {"trick_list": listed([*TRICKS, ("NS", 1)])}, "trick 9 is one too many"),
    ("list sum", {"trick_list": listed([*TRICKS[:7], ("NS", 6)])}, "67, not 68"),
    ("trick 3", {"trick_list": listed([*TRICKS[:2], ("NS", 22), *TRICKS[3:]])}, "trick 3"),
    ("trick 4", {"trick_list": listed([*TRICKS[:3], ("NS", 0), *TRICKS[4:]])}, "trick 4"),
    (
        "cards gone",
        {"trick_list": listed([("NS", 21), ("EW", 21), *[("NS", 4)] * 5, ("EW", 6)])},
        "trick 2",
    ),
    ("list v points", {"trick_list": listed(TRICKS), "points": {"NS": 41, "EW": 27}}, "gives 40"),
    ("list v tricks", {"trick_list": listed(TRICKS), "tricks": {"NS": 4}}, "gives 5"),
]


@pytest.mark.guide("scorekeeper#record-a-deal")
@pytest.mark.parametrize(("case", "entry", "why"), IMPOSSIBLE)
def test_what_no_deal_can_yield_is_impossible_and_says_why(case, entry, why):
    with pytest.raises(Impossible) as refused:
        marks("parlee", **entry)
    assert refused.value.code in ("impossible_points", "impossible_tricks")
    assert why in refused.value.message
    assert refused.value.defects


@pytest.mark.guide("referee#the-penal-code-of-an-event")
def test_all_defects_are_listed_at_once():
    with pytest.raises(Impossible) as refused:
        marks("parlee", points={"NS": 20, "EW": 48}, tricks={"NS": 7, "EW": 1})
    assert len(refused.value.defects) == 2


ILLEGAL = [
    ("parlee", {"contract": {"trump": "NT"}}, "no_trump"),
    ("parlee", {"contract": {"trump": "S", "doubling": 1}}, "unknown_doubling"),
    ("parlee", {"contract": {"level": 34}}, "unknown_contract"),
    ("chaloupee", {"contract": contract(40)}, "unknown_contract"),
    ("chaloupee", {"contract": contract("all")}, "unknown_contract"),
    ("chaloupee", {"contract": contract(44, doubling=3)}, "unknown_doubling"),
    ("chaloupee", {"contract": contract(44, blind=True)}, "blind"),
    ("coinchee", {"contract": contract(doubling=3)}, "unknown_doubling"),
    (
        "coinchee",
        {"contract": contract(doubling=1), "options": {"doubling_allowed": False}},
        "unknown_doubling",
    ),
    (
        "muette",
        {"contract": contract(doubling=2), "options": {"redoubling_allowed": False}},
        "unknown_doubling",
    ),
    ("muette", {"contract": contract(doubling=3)}, "unknown_doubling"),
    (
        "muette",
        {"contract": contract(blind=True), "options": {"blind_trump_allowed": False}},
        "blind",
    ),
    ("auction-2", {"contract": {"declarer": "1", "level": 20}}, "unknown_contract"),
    ("auction-2", {"contract": {"declarer": "1", "level": 69}}, "unknown_contract"),
    ("auction-1", {"contract": {"declarer": "1", "exchanged": 5}}, "unknown_contract"),
    ("muette", {"contract": contract(exchanged=True)}, "unknown_contract"),
    ("muette", {"contract": contract(exchanged=-1)}, "unknown_contract"),
]


@pytest.mark.parametrize(("rulebook", "entry", "code"), ILLEGAL)
def test_contracts_that_the_rulebook_does_not_know(rulebook, entry, code):
    with pytest.raises(Illegal) as refused:
        marks(rulebook, points={}, **entry)
    assert refused.value.code == code


def test_where_no_cards_are_exchanged_an_entry_may_say_so():
    found = marks("muette", contract=contract(exchanged=False), points={"NS": 40})
    assert found == marks("muette", contract=contract(), points={"NS": 40})


MALFORMED = [
    ("parlee", {}, "missing_key", "points"),
    ("parlee", {"points": {"NS": 34.0}}, "malformed_value", "points.NS"),
    ("parlee", {"points": {"NS": True}}, "malformed_value", "points.NS"),
    ("parlee", {"points": {"N": 34}}, "unknown_side", "points.N"),
    ("parlee", {"points": [34, 34]}, "malformed_value", "points"),
    ("parlee", {"points": {"NS": 40}, "turn_up": "11H"}, "unknown_card", "turn_up"),
    ("parlee", {"points": {"NS": 40}, "turn_up": "KH"}, "missing_key", "dealer"),
    ("parlee", {"points": {"NS": 40}, "turn_up": "KH", "dealer": "X"}, "seat", "dealer"),
    ("chaloupee", {"points": {"NS": 40}}, "missing_key", "contract"),
    ("chaloupee", {"points": {"NS": 40}, "contract": {}}, "missing_key", "contract.declarer"),
    (
        "chaloupee",
        {"points": {"NS": 40}, "contract": {"declarer": "NS", "level": 34}},
        "missing_key",
        "contract.trump",
    ),
    (
        "coinchee",
        {"points": {"NS": 40}, "contract": contract(trump="X")},
        "unknown_trump",
        "contract.trump",
    ),
    (
        "coinchee",
        {"points": {"NS": 40}, "contract": contract(doubling=-1)},
        "malformed_value",
        "contract.doubling",
    ),
    (
        "coinchee",
        {"points": {"NS": 40}, "contract": contract(dbl=1)},
        "unknown_key",
        "contract.dbl",
    ),
    (
        "parlee",
        {"infractions": [{"article": "000-P9", "side": "NS"}]},
        "unknown_article",
        "infractions[0].article",
    ),
    ("parlee", {"infractions": [{"article": "000-P1"}]}, "missing_key", "infractions[0].side"),
    (
        "parlee",
        {"infractions": [{"article": "000-P1", "side": "12"}]},
        "unknown_side",
        "infractions[0].side",
    ),
    (
        "auction-1",
        {"contract": {"declarer": "1", "exchanged": 0}, "points": {"1": 30}},
        "stakes",
        "options.stakes",
    ),
    ("auction-2", {"points": {"1": 30}, "contract": {"level": 30}}, "missing_key", None),
    (
        "belgian",
        {"options": {"sweep60": 60}, "contract": contract(), "points": {"NS": 60}},
        "missing_key",
        "tricks",
    ),
    ("chaloupee", {"contract": contract("generale")}, "missing_key", "tricks"),
]


@pytest.mark.parametrize(("rulebook", "entry", "code", "field"), MALFORMED)
def test_entries_that_cannot_be_read(rulebook, entry, code, field):
    with pytest.raises(Malformed) as refused:
        marks(rulebook, **entry)
    assert refused.value.code == code
    if field is not None:
        assert refused.value.field == field


def test_with_a_widow_out_of_play_the_others_are_not_the_difference():
    game = {"players": 3, "stakes": [1, 1, 1]}
    bid = {"declarer": "1", "exchanged": 0}
    found = score_call(
        {"rulebook": "auction-1", "options": game, "contract": bid, "points": {"1": 30}}
    )
    assert found["points"] == {"1": 30}
    with pytest.raises(Malformed):
        marks("auction-1", options=game, contract=bid, points={"2": 20, "3": 20})
    with pytest.raises(Impossible):
        marks("auction-1", options=game, contract=bid, points={"1": 30, "2": 30, "3": 11})
    with pytest.raises(Impossible):
        marks("auction-1", options=game, contract=bid, points={"1": 20, "2": 20, "3": 19})


# -- properties --------------------------------------------------------------------------------

PAIR_KEYS = [
    "parlee",
    "boussac",
    "chaloupee",
    "coinchee",
    "muette",
    "parlee-limited",
    "blind",
    "belgian",
]
SWAP = {"NS": "EW", "EW": "NS", "N": "E", "E": "N", "S": "W", "W": "S"}


@st.composite
def pair_deals(draw):
    key = draw(st.sampled_from(PAIR_KEYS))
    game = resolve(key)
    tricks = draw(st.integers(0, 8))
    bounds = side_bounds(game, tricks)
    payload = {
        "rulebook": key,
        "dealer": draw(st.sampled_from("NESW")),
        "turn_up": draw(st.sampled_from(["10H", "AS", "QD", "9C"])),
        "points": {"NS": draw(st.integers(bounds.low, bounds.high))},
        "tricks": {"NS": tricks},
    }
    if not game.book.turn_up:
        levels = [*game.book.levels, "generale"] if game.book.levels else [None]
        payload["contract"] = contract(
            draw(st.sampled_from(levels)),
            draw(st.sampled_from(["S", "NT"])),
            draw(st.sampled_from(["NS", "EW"])),
            draw(st.integers(0, game.max_doubling)),
        )
    article = draw(st.sampled_from([None, "000-P1", "001-R6b", "001-R3", "004-V1"]))
    if article:
        payload["infractions"] = [{"article": article, "side": draw(st.sampled_from(["NS", "EW"]))}]
    payload["options"] = {
        "penalty_mode": draw(st.sampled_from(["CREDIT_OPPONENTS", "DEBIT_OFFENDER"])),
        "penalty_replaces_deal": draw(st.booleans()),
    }
    return payload


def swapped(value):
    if isinstance(value, dict):
        return {SWAP.get(key, key): swapped(each) for key, each in value.items()}
    if isinstance(value, list):
        return [swapped(each) for each in value]
    return value


def swap_sides(payload):
    found = swapped({k: v for k, v in payload.items() if k in ("points", "tricks")})
    other = {**payload, **found, "dealer": SWAP[payload["dealer"]]}
    if "contract" in payload:
        declarer = SWAP[payload["contract"]["declarer"]]
        other["contract"] = {**payload["contract"], "declarer": declarer}
    if "infractions" in payload:
        other["infractions"] = [
            {**each, "side": SWAP[each["side"]]} for each in payload["infractions"]
        ]
    return other


@pytest.mark.guide("engine#score")
@given(pair_deals())
def test_the_lines_of_a_side_add_up_to_its_marks(payload):
    found = score_call(payload)
    for side, total in found["marks"].items():
        assert sum(line["marks"] for line in found["lines"] if line["side"] == side) == total
    parts = found["match"]
    for side, total in found["marks"].items():
        assert sum(parts[part].get(side, 0) for part in ("turn_up", "penalty", "deal")) == total
    assert all(line["text"] for line in found["lines"])


@given(pair_deals())
def test_swapping_the_sides_swaps_the_marks(payload):
    found = score_call(payload)
    other = score_call(swap_sides(payload))
    assert other["marks"] == {SWAP[side]: total for side, total in found["marks"].items()}
    assert other["game_won"] == (found["game_won"] and SWAP[found["game_won"]])
    assert other["void"] == found["void"]


@given(pair_deals())
def test_at_most_one_side_marks_the_result_of_a_deal(payload):
    deal = score_call(payload)["match"]["deal"]
    assert len(deal) <= 1
    assert all(total > 0 for total in deal.values())


@given(st.sampled_from(PAIR_KEYS), st.integers(-3, 12), st.integers(-3, 75))
def test_an_entry_is_taken_exactly_when_the_tricks_can_hold_it(key, tricks, points):
    game = resolve(key)
    payload = {"rulebook": key, "points": {"NS": points}, "tricks": {"NS": tricks}}
    if not game.book.turn_up:
        payload["contract"] = contract(34 if game.book.levels else None)
    possible = 0 <= tricks <= 8 and points in side_bounds(game, tricks)
    if possible:
        assert score_input(payload).entry.points["NS"] == points
    else:
        with pytest.raises(Impossible):
            score_input(payload)


@given(st.sampled_from(["auction-1", "auction-2", "auction-3"]), st.integers(3, 7), st.data())
def test_the_auctions_mark_only_what_their_rules_say(key, players, data):
    options = {"players": players}
    game = resolve(key, options)
    declarer = data.draw(st.sampled_from(game.seats))
    tricks = data.draw(st.integers(0, game.tricks))
    bounds = side_bounds(game, tricks)
    points = data.draw(st.integers(bounds.low, bounds.high))
    bid = {"declarer": declarer}
    if key == "auction-1":
        options["stakes"] = [3, 2, 1, 1, 1]
        bid["exchanged"] = data.draw(st.integers(0, game.widow_size))
    else:
        bid["level"] = data.draw(st.integers(game.number("minimum_bid"), game.total))
    found = marks(
        key, options=options, contract=bid, points={declarer: points}, tricks={declarer: tricks}
    )
    assert set(found) == set(game.seats)
    if key == "auction-1":
        assert sum(found.values()) == 0
        assert len({found[seat] for seat in game.seats if seat != declarer}) == 1
    else:
        assert found[declarer] == (bid["level"] if points >= bid["level"] else -bid["level"])
        assert all(found[seat] == 0 for seat in game.seats if seat != declarer)


def test_s05_a_trick_of_ten_king_eight_seven_is_worth_nine():
    """001: "5 for the manila, 3 for the king, that is 8, and [nine with] the lifting"."""
    cards = mask_of(parse_card(card) for card in ("10S", "KS", "8S", "7S"))
    assert points_of(cards) + int(resolve("boussac").trick_point) == 9
    assert points_of(cards) + int(resolve("muette").trick_point) == 8


SCRAPS = st.sampled_from(
    [
        None,
        True,
        0,
        1,
        -1,
        34,
        44,
        10**30,
        1.5,
        "",
        "NS",
        "EW",
        "N",
        "1",
        "12",
        "NT",
        "H",
        "KH",
        "generale",
        "all",
        "pass",
        "accept",
        "000-P1",
        [],
        {},
        {"NS": 40},
        {"deals": 12},
    ]
)
JUNK = st.recursive(
    SCRAPS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "NS",
                    "EW",
                    "1",
                    "2",
                    "level",
                    "trump",
                    "declarer",
                    "side",
                    "article",
                    "winner",
                    "points",
                ]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=8,
)
FIELDS = [
    "options",
    "dealer",
    "contract",
    "turn_up",
    "points",
    "tricks",
    "trick_list",
    "infractions",
    "calls",
    "deals",
]


@given(
    st.sampled_from([score_call, match_call, auction_call]),
    st.sampled_from(list(RULEBOOKS)),
    st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=5),
)
def test_junk_is_answered_or_refused_but_never_a_fault(call, rulebook, fields):
    try:
        found = call({"rulebook": rulebook, **fields})
    except EngineError as error:
        answer = error.as_json()
        assert answer["code"]
        assert answer["message"]
    else:
        assert json.loads(json.dumps(found)) == found


DOUBLED = {
    # rules specification C.8: what the side not at fault lost by the revoke of the other
    "54 sans atout cogné": (
        "chaloupee",
        contract(54, "NT", doubling=1),
        66,
        "002-P1",
        34,
        192,
    ),
    "sans atout surcontrée": ("coinchee", contract(trump="NT", doubling=2), 54, "003-P1", 34, 160),
    "blind no-trump tapped": (
        "muette",
        contract(trump="NT", doubling=1, blind=True),
        54,
        "004-V1",
        30,
        192,
    ),
    "muette NT tapped once, 50-10": (
        "muette",
        contract(trump="NT", doubling=1),
        50,
        "004-V1",
        30,
        80,
    ),
}


@pytest.mark.parametrize(
    ("rulebook", "called", "points", "article", "penalty", "played"), DOUBLED.values(), ids=DOUBLED
)
class TestPenaltyFloor:
    """C.8, Q-GEN-3: "The side not at fault never loses by a ruling"."""

    def deal(self, rulebook, called, points, article, side, **options):
        return score_call(
            {
                "rulebook": rulebook,
                "options": options,
                "contract": called,
                "points": {"NS": points},
                "infractions": [{"article": article, "side": side}],
            }
        )

    @pytest.mark.guide("engine#score")
    def test_the_winners_keep_the_deal_as_played(
        self, rulebook, called, points, article, penalty, played
    ):
        found = self.deal(rulebook, called, points, article, "EW")
        assert found["marks"] == {"NS": played, "EW": 0}
        (line,) = (line for line in found["lines"] if line["clause"] == "penalty_floor")
        assert (line["side"], line["marks"], line["component"]) == ("NS", played, "penalty")
        assert sum(line["marks"] for line in found["lines"]) == played

    @pytest.mark.guide("engine#score")
    def test_the_losers_have_the_penalty(self, rulebook, called, points, article, penalty, played):
        found = self.deal(rulebook, called, points, article, "NS")
        assert found["marks"] == {"NS": 0, "EW": penalty}
        assert [line["clause"] for line in found["lines"]] == ["penalty"]

    @pytest.mark.guide("engine#score")
    def test_an_event_may_set_it_to_false(self, rulebook, called, points, article, penalty, played):
        found = self.deal(rulebook, called, points, article, "EW", penalty_floor=False)
        assert found["marks"] == {"NS": penalty, "EW": 0}


@pytest.mark.guide("engine#score")
@pytest.mark.parametrize(
    ("rulebook", "called", "points", "penalty", "played"),
    [(rulebook, *rest[:2], *rest[3:]) for rulebook, *rest in DOUBLED.values()],
    ids=DOUBLED,
)
def test_a_wrong_number_of_cards_takes_nothing_from_the_other_side(
    rulebook, called, points, penalty, played
):
    """C.8, GEN-COUNT: "the floor holds"; a sheet without a record of a played card has P."""
    given = {"rulebook": rulebook, "contract": called, "points": {"NS": points}}
    fault = {"article": "GEN-COUNT", "side": "EW"}
    found = score_call({**given, "infractions": [{**fault, "played": True}]})
    assert found["marks"] == {"NS": played, "EW": 0}
    assert score_call({**given, "infractions": [fault]})["marks"] == {"NS": penalty, "EW": 0}
    other = score_call({**given, "infractions": [{**fault, "side": "NS", "played": True}]})
    assert other["marks"] == {"NS": 0, "EW": penalty}


def test_a_generale_made_stays_made_against_a_wrong_number_of_cards():
    found = score_call(
        {
            "rulebook": "chaloupee",
            "contract": contract("generale", "H"),
            "tricks": {"NS": 8},
            "infractions": [{"article": "GEN-COUNT", "side": "EW", "played": True}],
        }
    )
    assert (found["game_won"], found["marks"]["EW"]) == ("NS", 0)


def test_a_deal_dealt_again_leaves_nothing_to_keep():
    found = marks(
        "muette",
        contract=contract(trump="NT", doubling=1),
        points={"NS": 50},
        infractions=[
            {"article": "GEN-COUNT", "side": "EW", "played": True},
            {"article": "T-PEEK", "side": "EW"},
        ],
    )
    assert found == {"NS": 30, "EW": 0}


def test_a_penalty_without_an_entered_result_is_the_penalty():
    found = marks(
        "muette",
        contract=contract(trump="NT", doubling=1),
        infractions=[{"article": "004-V1", "side": "EW"}],
    )
    assert found == {"NS": 30, "EW": 0}


def test_a_stake_that_is_kept_is_paid_by_the_offender():
    """C.8, auction (1): the penalty of 30 stands, and the offender pays the rest of 3 × 40 too."""
    found = score_call(
        {
            "rulebook": "auction-1",
            "options": {"stakes": [50, 40, 30, 20, 10]},
            "contract": {"declarer": "1", "trump": "H", "exchanged": 1},
            "points": {"1": 30},
            "infractions": [{"article": "T-CLAIM", "side": "2"}],
        }
    )
    assert found["marks"] == {"1": 120, "2": -120, "3": 0, "4": 0}
    (paid,) = (line for line in found["lines"] if line["clause"] == "stake_kept")
    assert (paid["side"], paid["marks"]) == ("2", -90)
    assert paid["text"] == "pays 90 more to 1, who keeps the deal as played"


@pytest.mark.guide("engine#score")
def test_the_floor_is_spoken_in_three_languages():
    found = score_input(
        {
            "rulebook": "muette",
            "contract": contract(trump="NT", doubling=1),
            "points": {"NS": 50},
            "infractions": [{"article": "004-V1", "side": "EW"}],
        }
    )
    assert [speak(found.lines[0], language) for language in ("en", "fr", "nl")] == [
        "N-S score 80: the deal as played gives more than the penalty 004-V1 against E-W: "
        "50 − 30 = 20, × 2 for no trump, × 2 for tap",
        "N-S marquent 80\u00a0: la donne jouée rapporte plus que la pénalité 004-V1 contre E-O\u00a0: "
        "50 − 30 = 20, × 2 pour sans atout, × 2 pour tap",
        "N-Z schrijven 80: de gespeelde gift brengt meer op dan de straf 004-V1 tegen O-W: "
        "50 − 30 = 20, × 2 voor zonder troef, × 2 voor kloppen",
    ]


@pytest.mark.guide("engine#score")
@pytest.mark.parametrize(
    ("tricks", "offender", "won", "total"),
    [(8, "EW", "NS", 0), (7, "NS", "EW", 0), (8, "NS", None, 34), (7, "EW", None, 34)],
    ids=["made", "failed", "offender made it", "offender let it fail"],
)
def test_a_generale_won_by_the_side_not_at_fault_stays_won(tricks, offender, won, total):
    """C.8: "a game or générale it had won stays won"; without one there is the penalty."""
    found = score_call(
        {
            "rulebook": "chaloupee",
            "contract": contract("generale", "H"),
            "tricks": {"NS": tricks},
            "infractions": [{"article": "002-P1", "side": offender}],
        }
    )
    assert found["game_won"] == won
    assert sum(found["marks"].values()) == total
    assert sum(line["marks"] for line in found["lines"]) == total


def test_a_bidder_not_at_fault_keeps_the_bid():
    found = marks(
        "auction-2",
        contract={"declarer": "1", "trump": "H", "level": 40},
        points={"1": 44},
        infractions=[{"article": "BE-P1", "side": "2"}],
    )
    assert found == {"1": 40, "2": -40, "3": 0, "4": 0}


@pytest.mark.guide("engine#score")
@pytest.mark.parametrize(
    ("rulebook", "called", "points", "article", "side", "taken_out"),
    [
        # 42 − 34 = 8, × 2 without trump, × 2 for the contre that is null: 32, rightly 16
        ("coinchee", contract(trump="NT", doubling=1), 42, "003-C1", "EW", 16),
        # a surcontre is null: the contre stands
        ("coinchee", contract(trump="NT", doubling=2), 42, "003-C1", "NS", 32),
        # the contre is null, and with it the surcontre that answered it
        ("coinchee", contract(trump="NT", doubling=2), 42, "003-C1", "EW", 16),
        ("coinchee", contract(trump="NT", doubling=2, declarer="EW"), 42, "003-C1", "NS", 16),
        # the side that chose trump doubled itself
        ("coinchee", contract(trump="NT", doubling=1), 42, "003-C1", "NS", 16),
        # 46 − 44 = 2, × 2 for 44, × 2 without trump, × 4 for the sur-cogné
        ("chaloupee", contract(44, "NT", doubling=2), 46, "002-A1", "NS", 16),
        ("chaloupee", contract(44, "NT", doubling=1), 46, "002-A1", "EW", 8),
        # without a call nothing is taken out
        ("coinchee", contract(trump="NT"), 42, "003-C1", "EW", 16),
    ],
)
def test_the_factor_of_a_null_call_is_taken_out(rulebook, called, points, article, side, taken_out):
    """C.5: "the factor it brought is taken out of the score of the deal, the rest stands"."""
    found = score_call(
        {
            "rulebook": rulebook,
            "contract": called,
            "points": {"NS": points},
            "infractions": [{"article": article, "side": side}],
        }
    )
    assert found["marks"] == {"NS": taken_out, "EW": 0}
    assert found["lines"][0]["clause"] == "call_cancelled"


@pytest.mark.guide("engine#score")
@pytest.mark.parametrize(
    ("switch", "doubling", "side", "marks"),
    [
        ("doubling_allowed", 1, "EW", 16),
        ("redoubling_allowed", 2, "NS", 32),
        ("doubling_allowed", 2, "NS", None),  # the contre under it is not allowed either
    ],
)
def test_a_call_that_the_event_does_not_allow_is_null(switch, doubling, side, marks):
    """C.5: a call "where the event does not allow it" is null; it may be written to be taken out."""
    deal = {
        "rulebook": "coinchee",
        "options": {switch: False},
        "contract": contract(trump="NT", doubling=doubling),
        "points": {"NS": 42},
        "infractions": [{"article": "003-C1", "side": side}],
    }
    if marks is None:
        with pytest.raises(Illegal, match="at most 0 times"):
            score_call(deal)
    else:
        assert score_call(deal)["marks"] == {"NS": marks, "EW": 0}
