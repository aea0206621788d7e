"""A player's day on their page: games, rounds, seats, the cards of a draw, columns of a list."""

from __future__ import annotations

import uuid
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tournament.charts import DealMarks, marks_per_deal
from tournament.models import Round
from tournament.queries.names import Shown
from tournament.queries.pages import columns_of
from tournament.queries.players import PlayedGame, PlayedRound, around, deals_chart
from tournament.queries.rounds import ShownSeat, ShownTable, draw_contexts
from tournament.queries.sheet_page import Cell, DealRow, SideShown
from tournament.queries.side_labels import players_of, side_label
from tournament.queries.standings import parse_value, value_json
from tournament.queries.switches import target_in_words
from tournament.ranking.criteria import build
from tournament.ranking.model import use

PEOPLE = {
    seat: Shown(number, number, name, f"Club {number}", "present")
    for number, (seat, name) in enumerate(zip("NESW", ("Ann", "Bo", "Cy", "Di"), strict=True), 1)
}


def game(**more: Any) -> PlayedGame:
    return PlayedGame(1, [PEOPLE["S"]], [PEOPLE["E"], PEOPLE["W"]], "NS", **more)


def cells(*marks: int | None) -> DealRow:
    return DealRow(0, "", "", "", [Cell(each) for each in marks], "", False)


@pytest.mark.parametrize(
    ("scored", "place"),
    [
        ({"1": 30, "2": 20, "3": 10}, "1"),
        ({"1": 20, "2": 30, "3": 10}, "2"),
        ({"1": 10, "2": 30, "3": 10}, "2="),
        ({"1": 30, "2": 30, "3": 30}, "1="),
        ({"1": -5, "2": 0, "3": 4}, "3"),
    ],
)
def test_where_each_plays_alone_a_place_at_the_table_is_counted(
    scored: dict[str, int], place: str
) -> None:
    assert PlayedGame(1, [], [], "1", scored=scored).place == place


def test_the_columns_of_a_game_are_ours_and_theirs() -> None:
    signed = game(marks=12, against=30, outcome="lost")
    assert signed.sides == [
        SideShown("We", "N-S", 12, False),
        SideShown("They", "", 30, True),
    ]
    running = game(deals=[cells(12, None), cells(None, 6), cells(3, None)])
    assert [(each.total, each.winner) for each in running.sides] == [(15, False), (6, False)]
    won = game(marks=12, against=3, outcome="won")
    assert [each.winner for each in won.sides] == [True, False]


def test_where_each_plays_alone_everybody_has_a_column() -> None:
    three = (("2", "Bo"), ("1", "Ann"), ("3", "Cy"))
    signed = PlayedGame(1, [], [], "2", alone=three, scored={"1": 10, "2": 30, "3": 0}, best="2")
    assert signed.sides == [
        SideShown("Bo", "", 30, True),
        SideShown("Ann", "", 10, False),
        SideShown("Cy", "", 0, False),
    ]
    running = PlayedGame(1, [], [], "2", alone=three, deals=[cells(5, None, 2), cells(None, 4, 1)])
    assert [(each.total, each.winner) for each in running.sides] == [
        (5, False),
        (4, False),
        (3, False),
    ]


def test_the_marks_of_a_round_are_those_of_its_signed_games() -> None:
    played = PlayedRound(Round(number=1), 3, "N")
    assert played.marks is None
    played.games = [game(marks=12, against=5), game(), game(marks=3, against=20)]
    assert played.marks == (15, 25)
    assert not played.alone
    played.forfeited = True
    assert played.marks == (0, 0)
    assert PlayedRound(Round(number=1), 3, games=[game(alone=(("1", "Ann"),))]).alone


def test_a_table_is_seen_from_the_players_own_seat() -> None:
    played = PlayedRound(Round(number=1), 3, "N", [game()], dict(PEOPLE))
    seen = around(played)
    assert seen is not None
    shown: dict[str, Any] = seen._asdict()
    assert shown["number"] == 3
    assert {side: shown[side]["name"] for side in ("bottom", "top", "left", "right")} == {
        "bottom": "Ann",
        "top": "Cy",
        "left": "Bo",
        "right": "Di",
    }
    assert [shown[side]["side"] for side in ("bottom", "top", "left", "right")] == [1, 1, 2, 2]
    assert [shown[side]["me"] for side in ("bottom", "top", "left", "right")] == [
        True,
        False,
        False,
        False,
    ]
    assert (shown["top"]["entrant"], shown["top"]["club"], shown["top"]["seat"]) == (
        3,
        "Club 3",
        "S",
    )
    three = {seat: PEOPLE[seat] for seat in "NES"}
    assert around(PlayedRound(Round(number=1), 3, "N", [game()], three)) is None
    assert around(PlayedRound(Round(number=1), 3, "N", [], dict(PEOPLE))) is None
    alone = PlayedGame(1, [], list(PEOPLE.values()), "1")
    assert around(PlayedRound(Round(number=1), 3, "N", [alone], dict(PEOPLE))) is None


def test_every_deal_of_the_day_is_drawn_in_the_order_played() -> None:
    assert deals_chart([], "en") is None
    alone = game(alone=(("1", "Ann"),), deals=[cells(1, 2, 3)])
    assert deals_chart([PlayedRound(Round(number=1), 3, games=[alone])], "en") is None
    day = [
        PlayedRound(Round(number=2), 1, games=[game(deals=[cells(None, 6)])]),
        PlayedRound(Round(number=1), 3, games=[game(deals=[cells(12, None), cells(3, None)])]),
    ]
    # The latest round is first on the page and last on the chart.
    marks = [DealMarks(1, 12, 0), DealMarks(2, 3, 0), DealMarks(3, 0, 6)]
    assert deals_chart(day, "en") == marks_per_deal(marks, "en")


def table(*positions: str, **more: Any) -> ShownTable:
    people = list(PEOPLE.values())
    seats = [
        ShownSeat(position, people[at], scorekeeper=at == 1)
        for at, position in enumerate(positions)
    ]
    return ShownTable(uuid.uuid4(), more.pop("number", 7), seats, **more)


def test_void_deals_are_neither_counted_nor_drawn() -> None:
    void = replace(cells(None, None), counts=False)
    played = PlayedRound(Round(number=1), 1, games=[game(deals=[cells(4, None), void])])
    assert played.games[0].deals_played == 1
    assert deals_chart([played], "en") == marks_per_deal([DealMarks(1, 4, 0)], "en")


def test_the_card_of_a_table_names_a_side_after_the_other() -> None:
    card: Any
    (card,) = draw_contexts([table("E", "N", "S", "W")], lambda number: f"/p/{number}/")
    assert card["number"] == 7
    assert [
        (seat["seat"], seat["name"], seat["side"], seat["new_side"], seat["scorer"], seat["url"])
        for seat in card["seats"]
    ] == [
        ("N", "Bo", 1, False, True, "/p/2/"),
        ("S", "Cy", 1, False, False, "/p/3/"),
        ("E", "Ann", 2, True, False, "/p/1/"),
        ("W", "Di", 2, False, False, "/p/4/"),
    ]
    (card,) = draw_contexts([table("A", "B", "C", "D")], str)
    assert [(seat["seat"], seat["new_side"]) for seat in card["seats"]] == [
        (letter, False) for letter in "ABCD"
    ]


def test_the_card_of_a_match_has_its_name_and_who_it_was_decided_for() -> None:
    match = table("NS", "EW", decided="Ann", reason="absent")
    names = {frozenset({1, 2}): "Final"}
    card: Any
    (card,) = draw_contexts([match], str, names=names)
    assert (card["note"], card["decided"], card["reason"]) == ("Final", "Ann", "absent")
    assert [(seat["name"], seat["side"]) for seat in card["seats"]] == [("Ann", 1), ("Bo", 2)]
    (card,) = draw_contexts([match], str, decisions=False)
    assert (card["note"], card["decided"]) == ("", "")
    (card,) = draw_contexts([table("A", "B", "C", filling=True)], str, names=names)
    assert card["note"] == "not ranked"


def test_a_pair_that_entered_together_is_named_once() -> None:
    names = {"N": "Ann / Cy", "S": "Ann / Cy", "E": "Bo"}
    assert players_of("NS", names) == "Ann / Cy"
    assert players_of("EW", names) == "Bo + W"
    assert (side_label("NS", "fr", names), side_label("EW", "fr", names)) == ("N-S", "E-O")
    assert (side_label("E", "en", names), side_label("W", "en", names)) == ("Bo", "W")


def test_two_criteria_stand_on_a_phone_and_the_last_of_them_has_room() -> None:
    columns = columns_of([build(use(code)) for code in ("games_won", "games_won", "marks")], "en")
    assert [(each.kind, each.wide) for each in columns] == [
        ("num", False),
        ("marks", False),
        ("marks", True),
    ]
    assert columns_of([build(use("marks"))], "en")[0].kind == "marks"


def test_the_values_of_a_standing_are_kept_without_floats() -> None:
    values: list[Any] = [None, 3, -2, Fraction(7, 2), (1, Fraction(1, 3))]
    kept: list[Any] = [None, 3, -2, "7/2", [1, "1/3"]]
    assert [value_json(value) for value in values] == kept
    assert [parse_value(value) for value in kept] == values


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (101, "to 101 points"),
        (1, "to 1 point"),
        ({"deals": 1}, "1 deal"),
        ({"deals": 12}, "12 deals"),
        ({"deals": "equal"}, "a number of deals that lets everybody deal equally often"),
        ({"games": 1, "of": 34}, "1 game won, to 34 points"),
        ({"games": 2, "of": 34}, "2 games won, each to 34 points"),
        (
            {"games": 2, "of": 34, "decider": 50},
            "2 games won, each to 34 points, the deciding one to 50",
        ),
    ],
)
def test_the_rules_of_an_event_say_when_a_match_ends(target: object, words: str) -> None:
    assert target_in_words(target) == words
