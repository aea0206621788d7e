"""Conversion of the values typed on a deal's page into the engine's entry, and the choice of the dealer."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.engine.entry_fields import entry_fields
from scoring.engine.errors import Malformed
from scoring.engine.rulebook import resolve
from tests.tables.build import sides_of_game
from tournament.models.tables import Depth, Sheet
from tournament.tables.entry import read_entry, two_sides, typed_of
from tournament.tables.score_sheet import ScoreSheet

STAKES = {"stakes": [2, 3, 4, 5, 6]}
ASKED = {"double_no_exchange": True}
HEARTS = {"trump": "H"}
RANKS = ("8", "9", "J", "Q", "K", "A", "10", "7")


def a_sheet(key: str, options: dict[str, Any] | None = None, first_dealer: str = "") -> Sheet:
    """Return a sheet of a rulebook, without a table."""
    game = resolve(key, options or {})
    return Sheet(
        rulebook=key,
        edition=game.book.edition,
        options=options or {},
        sides=sides_of_game(game),
        first_dealer=first_dealer or game.seats[0],
        depth="points",
    )


CONTRACTS: list[tuple[str, dict[str, Any], dict[str, str], dict[str, Any]]] = [
    # The dealer's side names trump, so it is not typed.
    ("belgian", {}, {"dealer": "N"}, {"declarer": "NS", "doubling": 0}),
    ("belgian", {}, {"dealer": "W"}, {"declarer": "EW", "doubling": 0}),
    ("belgian", {}, {"dealer": "E", "doubling": "2"}, {"declarer": "EW", "doubling": 2}),
    ("coinchee", {}, {"doubling": "1", "trump": "NT"}, {"doubling": 1, "trump": "NT"}),
    # A turned-up trump has no declarer.
    ("boussac", {}, {"turn_up": "-"}, {"declarer": None, "doubling": None}),
    ("parlee", {}, {"turn_up": "10"}, {"declarer": None, "doubling": None}),
    ("three-player", {}, {"dealer": "2", "side": "declarer"}, {"declarer": None, "doubling": 0}),
    # Named blind, where the rulebook allows it.
    ("muette", {}, {"blind": "1"}, {"blind": True}),
    ("muette", {}, {"blind": ""}, {"blind": None}),
    ("muette", {}, {}, {"blind": None}),
    ("muette", {"blind_trump_allowed": False}, {"blind": "1"}, {"blind": None}),
    ("belgian", {}, {"blind": "1"}, {"blind": None}),
    # The contracts of the chaloupée.
    ("chaloupee", {}, {"declarer": "EW", "level": "34"}, {"declarer": "EW", "level": 34}),
    ("chaloupee", {}, {"declarer": "NS", "level": "54"}, {"declarer": "NS", "level": 54}),
    (
        "chaloupee",
        {},
        {"declarer": "NS", "level": "generale", "tricks": "8"},
        {"level": "generale"},
    ),
    # Bids, including all the tricks.
    ("auction-2", {}, {"declarer": "3", "bid": "21"}, {"declarer": "3", "level": 21}),
    ("auction-2", {}, {"declarer": "1", "bid": " 68 "}, {"declarer": "1", "level": 68}),
    ("auction-2", {}, {"declarer": "1", "all_tricks": "1", "tricks": "8"}, {"level": "all"}),
    # The number of cards exchanged, or whether any were.
    ("auction-1", STAKES, {"declarer": "2", "exchanged": "0"}, {"exchanged": 0}),
    ("auction-1", STAKES, {"declarer": "2", "exchanged": "3"}, {"exchanged": 3}),
    ("auction-3", ASKED, {"declarer": "4", "bid": "30", "exchanged": "1"}, {"exchanged": True}),
    ("auction-3", ASKED, {"declarer": "4", "bid": "30", "exchanged": "0"}, {"exchanged": False}),
    ("auction-3", {}, {"declarer": "4", "bid": "30", "exchanged": "0"}, {"exchanged": None}),
]


@pytest.mark.parametrize(("key", "options", "typed", "contract"), CONTRACTS)
def test_the_contract_is_the_one_that_was_typed(
    key: str, options: dict[str, Any], typed: dict[str, str], contract: dict[str, Any]
) -> None:
    sheet = a_sheet(key, options)
    entry = read_entry(ScoreSheet(sheet), {**HEARTS, "points": "40", **typed}, sheet.first_dealer)
    assert entry["dealer"] == typed.get("dealer", sheet.first_dealer)
    found = dict(entry["contract"])
    assert {name: found.get(name) for name in contract} == contract
    # Yes and no are not numbers.
    assert {name: type(found.get(name)) for name in contract} == {
        name: type(value) for name, value in contract.items()
    }
    # A correction starts from the entry: submitted unchanged, it is the same.
    assert read_entry(ScoreSheet(sheet), typed_of(ScoreSheet(sheet).game, entry), "") == entry


def test_points_of_the_others_are_not_those_of_the_declarer() -> None:
    """004, auction 2: a declarer who does not make the bid loses it; 45 of 68 for the others leave 23."""
    sheet = a_sheet("auction-2")
    typed = {"declarer": "3", "bid": "35", "trump": "H", "side": "others", "points": "45"}
    entry = read_entry(ScoreSheet(sheet), typed, "1")
    assert entry["points"] == {"124": 45}
    assert read_entry(ScoreSheet(sheet), typed_of(ScoreSheet(sheet).game, entry), "1")[
        "points"
    ] == {"124": 45}
    assert ScoreSheet(sheet).score(entry).marks["3"] == -35
    made = read_entry(ScoreSheet(sheet), {**typed, "side": "declarer"}, "1")
    assert ScoreSheet(sheet).score(made).marks["3"] == 35


@pytest.mark.parametrize(
    ("key", "options", "typed", "field"),
    [
        ("belgian", {}, {"dealer": "1"}, "dealer"),
        ("belgian", {}, {"depth": "everything"}, "depth"),
        ("belgian", {}, {"trump": ""}, "trump"),
        ("belgian", {}, {"trump": "X"}, "trump"),
        ("boussac", {}, {"trump": "NT", "turn_up": "-"}, "trump"),
        ("boussac", {}, {}, "turn_up"),
        ("boussac", {}, {"turn_up": "9"}, "turn_up"),
        ("belgian", {}, {"doubling": "two"}, "doubling"),
        ("belgian", {}, {"points": "1000"}, "points"),
        ("belgian", {}, {"points": "-1"}, "points"),
        ("belgian", {}, {"points": ""}, "points"),
        ("belgian", {}, {"side": "N"}, "side"),
        ("belgian", {}, {"depth": "tricks"}, "tricks"),
        ("chaloupee", {}, {"level": "34"}, "declarer"),
        ("chaloupee", {}, {"declarer": "N", "level": "34"}, "declarer"),
        ("chaloupee", {}, {"declarer": "NS"}, "level"),
        ("chaloupee", {}, {"declarer": "NS", "level": "35"}, "level"),
        ("chaloupee", {}, {"declarer": "NS", "level": "generale"}, "tricks"),
        ("auction-2", {}, {"declarer": "12", "bid": "30"}, "declarer"),
        ("auction-2", {}, {"declarer": "2"}, "bid"),
        ("auction-2", {}, {"declarer": "2", "all_tricks": "1"}, "tricks"),
        ("auction-1", STAKES, {"declarer": "2"}, "exchanged"),
        ("auction-3", ASKED, {"declarer": "4", "bid": "30"}, "exchanged"),
        ("auction-3", ASKED, {"declarer": "4", "bid": "30", "exchanged": "2"}, "exchanged"),
    ],
)
def test_what_is_missing_or_impossible_is_named_by_its_field(
    key: str, options: dict[str, Any], typed: dict[str, str], field: str
) -> None:
    sheet = a_sheet(key, options)
    with pytest.raises(Malformed) as refused:
        read_entry(ScoreSheet(sheet), {**HEARTS, "points": "40", **typed}, sheet.first_dealer)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("key", "options", "asked", "tricks"),
    [
        # Fields of the form by rulebook, and rulebooks whose score needs tricks besides points.
        ("belgian", {}, [], False),
        ("muette", {}, ["blind"], False),
        ("muette", {"sweep60": 60}, ["blind"], True),
        ("boussac", {}, ["turn_up"], False),
        ("three-player", {}, [], False),
        ("chaloupee", {}, ["passed", "declarer", "level"], True),
        ("auction-1", STAKES, ["passed", "declarer", "exchanged"], False),
        ("auction-2", {}, ["passed", "declarer", "bid", "all_tricks"], True),
        ("auction-3", ASKED, ["passed", "declarer", "bid", "all_tricks", "exchanged"], True),
    ],
)
def test_only_the_fields_of_the_rulebook_exist(
    key: str, options: dict[str, Any], asked: list[str], tricks: bool
) -> None:
    game = ScoreSheet(a_sheet(key, options)).game
    everywhere = {"dealer", "trump", "doubling", "side", "points", "tricks"}
    for depth in Depth.values:
        names = [field.name for field in entry_fields(game, depth)]
        assert [name for name in names if name not in everywhere] == asked
        assert ("tricks" in names) is (depth == "tricks" or (depth == "points" and tricks))
        assert ("points" in names) is (depth in ("points", "tricks"))


@pytest.mark.parametrize("key", ["auction-2", "auction-3", "chaloupee"])
def test_a_deal_that_all_passed_has_no_contract(key: str) -> None:
    sheet = a_sheet(key)
    dealer = sheet.first_dealer
    assert read_entry(ScoreSheet(sheet), {"passed": "1"}, dealer) == {
        "dealer": dealer,
        "annulled": True,
    }


def test_nobody_passes_where_the_dealer_must_name_trump() -> None:
    with pytest.raises(Malformed):
        read_entry(ScoreSheet(a_sheet("belgian")), {"passed": "1"}, "N")


DEALERS = [
    ("belgian", "W", "WNESWN"),
    ("belgian", "S", "SWNESW"),
    ("coinchee", "W", "WSENWS"),
    ("coinchee", "N", "NWSENW"),
    ("three-player", "1", "123123"),
    ("three-player", "3", "312312"),
    ("auction-2", "4", "412341"),
]


@pytest.mark.parametrize(("key", "first", "dealers"), DEALERS)
def test_the_deal_goes_round_from_the_first_dealer(key: str, first: str, dealers: str) -> None:
    sheet = ScoreSheet(a_sheet(key, first_dealer=first))
    assert "".join(sheet.dealer_in_turn(number) for number in range(1, 7)) == dealers


@pytest.mark.parametrize(
    ("key", "dealer", "declarer", "sides"),
    [
        ("belgian", "W", "NS", ("NS", "EW")),
        ("belgian", "N", "EW", ("NS", "EW")),
        ("chaloupee", "S", "EW", ("NS", "EW")),
        ("three-player", "1", "", ("1", "23")),
        ("three-player", "2", "", ("2", "13")),
        ("three-player", "3", "1", ("3", "12")),
        ("auction-2", "1", "1", ("1", "234")),
        ("auction-2", "1", "3", ("3", "124")),
        ("auction-3", "2", "4", ("4", "123")),
    ],
)
def test_two_pairs_play_or_one_against_all(
    key: str, dealer: str, declarer: str, sides: tuple[str, str]
) -> None:
    assert two_sides(resolve(key, {}), dealer, declarer) == sides


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.parametrize(
    ("key", "dealer", "leader"),
    [("belgian", "W", "N"), ("belgian", "S", "W"), *(("auction-2", seat, "2") for seat in "1234")],
)
def test_who_broke_a_duty_is_named_by_their_seat(
    key: str, dealer: str, leader: str, turn: int
) -> None:
    """Each player holds one suit; the leader also has a trump, and the ruffing player a card to follow with."""
    sheet = a_sheet(key)
    seats = resolve(key, {}).seats
    order = [seats[(seats.index(leader) + at) % 4] for at in range(4)]
    at_fault = order[turn]
    others = [seat for seat in order if seat not in (leader, at_fault)]
    suits = dict(zip([leader, at_fault, *others], "SHDC", strict=True))
    hands = {seat: [rank + suit for rank in RANKS] for seat, suit in suits.items()}
    hands[leader][1], hands[at_fault][-1] = "7H", "9S"
    # The ruffing player wins every trick, and their last card shows that they could have followed suit.
    after = [seats[(seats.index(at_fault) + at) % 4] for at in range(4)]
    plays = [hands[seat][0] for seat in order]
    plays += [hands[seat][trick] for trick in range(1, 8) for seat in after]
    scored = ScoreSheet(sheet).score(
        {
            "dealer": dealer,
            "contract": {"declarer": sheet_side(sheet, at_fault), "trump": "H", "level": 30}
            if key == "auction-2"
            else {"declarer": sheet_side(sheet, dealer), "trump": "H"},
            "record": {"trump": "H", "leader": leader, "plays": plays},
        }
    )
    assert {violation["seat"] for violation in scored.violations} == {at_fault}


def sheet_side(sheet: Sheet, seat: str) -> str:
    """Return the side of the sheet to which a seat belongs."""
    return next(side for side, members in sheet.sides.items() if seat in members)
