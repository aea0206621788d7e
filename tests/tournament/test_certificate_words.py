"""Texts of a draw's certificate: proven values, best known values, and the cost of a change."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from tests.tournament.build import make_event
from tests.tournament.test_stages import draw_next
from tournament.drawing import formats
from tournament.models import Draw, Event
from tournament.queries.certificates import (
    Moved,
    cards_of,
    changed_tables,
    edits_of,
    lines_of,
    movement_name,
    side_by_side,
)
from tournament.queries.fields import spec_of
from tournament.queries.names import directory
from tournament.services.events import new_stage


def kept(*lines: dict[str, Any], version: int = 2, movement: str = "search", **more: Any) -> Draw:
    """Return a draw with these lines in its certificate."""
    tables = more.pop("tables", [{"number": 1, "players": [1, 2, 3, 4]}])
    return Draw(
        certificate={"lines": list(lines)},
        request={"version": version},
        movement=movement,
        tables=tables,
        byes=more.pop("byes", []),
    )


def line(value: int, bound: int, *, proven: bool = True, code: str = "repeated_meetings") -> Any:
    why = {"en": "counted", "fr": "compté"}
    return {"code": code, "value": value, "bound": bound, "proven": proven, "why": why}


@pytest.mark.parametrize(
    ("drawn", "optimal", "kind", "sentence"),
    [
        (line(3, 3), True, "proven", "Nothing better is possible."),
        (line(2, 3), True, "proven", "Nothing better is possible."),
        (
            line(4, 3),
            False,
            "proven",
            "At least 3 is proven; whether less than 4 is possible is not known.",
        ),
        (line(3, 3, proven=False), False, "best known", "Best known: 3."),
    ],
)
def test_a_line_says_whether_anything_better_is_possible(
    drawn: dict[str, Any], optimal: bool, kind: str, sentence: str
) -> None:
    (shown,) = lines_of(kept(drawn))
    assert (shown.optimal, shown.kind, shown.sentence) == (optimal, kind, sentence)
    assert (shown.value, shown.bound, shown.proven) == (
        drawn["value"],
        drawn["bound"],
        drawn["proven"],
    )
    assert (shown.label, shown.why) == ("pairs of players meeting again", "counted")


def test_reasons_are_read_in_the_readers_language_or_in_english() -> None:
    for language, why in (("fr", "compté"), ("nl", "counted"), ("fr-be", "compté")):
        with translation.override(language):
            assert lines_of(kept(line(0, 0)))[0].why == why


def test_two_certificates_stand_beside_each_other_line_by_line() -> None:
    one = [line(2, 0), line(1, 0, code="club_clashes")]
    two = [line(1, 0), line(3, 0, code="bans_broken")]
    rows = side_by_side(one, two)
    assert [(row.label, row.before, row.after, row.by) for row in rows] == [
        ("pairs of players meeting again", 2, 1, -1),
        ("pairs of one club at a table", 1, None, -1),
        ("keep-apart rules broken", None, 3, 3),
    ]
    assert Moved("x", None, None).by == 0


def test_tables_that_sit_together_in_both_draws_are_not_marked() -> None:
    one = kept(
        tables=[{"number": 1, "players": [1, 2, 3, 4]}, {"number": 2, "players": [5, 6, 7, 8]}]
    )
    two = kept(
        tables=[{"number": 1, "players": [8, 7, 6, 5]}, {"number": 2, "players": [1, 2, 3, 9]}]
    )
    assert changed_tables(one, two) == {2}


def test_a_way_of_drawing_is_named_in_words() -> None:
    assert (movement_name("whist"), movement_name("new")) == (
        "Whist movement (everyone with everyone)",
        "new",
    )


@pytest.fixture(scope="module")
def drawn(module_database: None) -> Draw:
    """Draw a round of eleven players: two tables of four, and three players who rest or fill up."""
    plan = new_stage("Rounds", rounds=2, games_per_round=1, deals_per_game=1)
    return draw_next(make_event(11, plan=[plan]))


@pytest.mark.django_db
def test_every_change_is_told_with_its_cost_the_newest_first(drawn: Draw) -> None:
    event = Event.objects.get(pk=drawn.round.stage.event_id)
    names = {who.number: f"{who.number} {who.name}" for who in directory(event).values()}
    at = "2026-11-25T20:41:00+00:00"
    edits = [
        {
            "verb": "swap",
            "one": 1,
            "two": 2,
            "delta": {"club_clashes": -1, "bans_broken": 2},
            "at": at,
        },
        {"verb": "move", "table": 1, "to": 2, "delta": {}, "at": at},
        {"verb": "replace", "one": 3, "two": 4, "delta": {"unknown": 1}, "at": at},
        {"verb": "seat", "players": [5, 99], "to": 3, "delta": {}, "at": "2026-11-25T20:59:00"},
    ]
    shown = edits_of(Draw(edits=edits), event)
    assert [(each.what, each.cost, each.at) for each in shown] == [
        (f"{names[5]}, 99 seated at table 3", [], "20:59"),
        (f"{names[4]} in the place of {names[3]}", ["unknown +1"], "20:41"),
        ("table 1 became table 2", [], "20:41"),
        (
            f"{names[1]} and {names[2]} swapped places",
            ["pairs of one club at a table −1", "keep-apart rules broken +2"],
            "20:41",
        ),
    ]


@pytest.mark.django_db
def test_the_cards_of_a_draw_name_everybody_at_their_seat(drawn: Draw) -> None:
    candidate = Draw.objects.select_related("round__stage__event").get(pk=drawn.pk)
    people = directory(candidate.round.stage.event)
    cards = cards_of(candidate, candidate.tables, people)
    assert [card["number"] for card in cards] == [table["number"] for table in candidate.tables]
    for card, table in zip(cards, candidate.tables, strict=True):
        four = len(table["players"]) == 4
        assert card["note"] == ("" if four else "not ranked")
        assert [seat["entrant"] for seat in card["seats"]] == [
            people[who].number for who in table["players"]
        ]
        assert [seat["name"] for seat in card["seats"]] == [
            f"{people[who].number} {people[who].name}" for who in table["players"]
        ]
        assert [seat["club"] for seat in card["seats"]] == [
            people[who].club for who in table["players"]
        ]
        if four:
            assert [(seat["seat"], seat["side"]) for seat in card["seats"]] == [
                ("N", 1),
                ("E", 2),
                ("S", 1),
                ("W", 2),
            ]
        (scorer,) = [seat["entrant"] for seat in card["seats"] if seat["scorer"]]
        (dealer,) = [seat["entrant"] for seat in card["seats"] if seat["dealer"]]
        assert (scorer, dealer) == tuple(
            people[table[role]].number for role in ("scorekeeper", "dealer")
        )


@pytest.mark.guide("formats#the-cost-of-a-swiss-round")
@pytest.mark.django_db
def test_a_first_swiss_round_without_seeds_is_by_lot_and_says_so() -> None:
    event = make_event(8, plan=[new_stage("Swiss", format="pairs_swiss", rounds=3)])
    drawn = draw_next(event)
    said = movement_name(drawn.movement)
    assert said == "Swiss, the first round by lot as nobody is seeded"
    assert {who.get("rating", 0) for who in drawn.request["contestants"]} == {0}


@pytest.mark.guide("formats#the-cost-of-a-swiss-round")
@pytest.mark.django_db
def test_seeds_of_a_first_swiss_round_meet_none_of_each_other() -> None:
    event = make_event(
        12, plan=[new_stage("Swiss", format="pairs_swiss", rounds=3, drawing={"seeds": 4})]
    )
    seeds, met = {1, 2, 3, 4}, set()
    for seed in "abcdef":
        drawn = formats.draw(spec_of(event.stages.get().rounds.get(number=1).pk, seed=seed)).drawn
        matches = [set(table.players) for table in drawn.tables]
        # Top half against bottom half: the seeded entrants are first, so each meets an unseeded one.
        assert all(len(match & seeds) <= 1 for match in matches)
        met |= {other for match in matches if 1 in match for other in match}
    assert movement_name(drawn.movement) == "Swiss, the first round by seeds, the others by lot"
    assert len(met) > 3
