"""Questions to the table about an improbable entry, as the scorekeeper's guide lists them, at their limits."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.build import grant, make_user
from tournament.models.tables import Sheet
from tournament.services import sheets
from tournament.tables.score_sheet import ScoreSheet

from .build import SYSTEM, a_sheet, a_table, simple

pytestmark = pytest.mark.django_db


def hand(sheet: Sheet, entry: dict[str, Any], **more: Any) -> None:
    """Hand in an entry as a phone does."""
    sheets.hand_in(sheet_id=sheet.pk, entry=entry, actor=SYSTEM, **more)


def asked(sheet: Sheet, entry: dict[str, Any], **more: Any) -> list[tuple[str, str, str]]:
    """Return the questions about an entry (code, field and words), or none where it is recorded."""
    try:
        hand(sheet, entry, **more)
    except sheets.DoubtfulEntry as doubtful:
        return [(each.code, each.field, each.question) for each in doubtful.doubts]
    return []


def counted(points: int, tricks: int | None = None, side: str = "NS", **more: Any) -> Any:
    """Return a deal of North-South, who chose trump, by the points and perhaps the tricks of a side."""
    entry = simple(points, side, **more)
    return entry if tricks is None else {**entry, "tricks": {side: tricks}}


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        # Of 60 points an eighth of the tricks gives 7½ on average; 15 more or less raises no question.
        (counted(45, 4), ""),
        (counted(46, 4), ""),
        (counted(14, 5), "transposed"),
        (counted(14, 5, doubling=1), "transposed"),
        # 30 and 03: a leading zero is never written.
        (counted(44, 3), "sides_swapped"),
        (counted(45, 3), "sides_swapped"),
        (counted(46, 3), ""),
        (counted(44, 3, "EW"), "sides_swapped"),
        # With the tricks known, a heavy loss raises no question.
        (counted(5, 1), ""),
        # Without them a quarter of the points suffices for the side that chose trump.
        (counted(15), ""),
        (counted(14), "transposed"),
        (counted(13), "transposed"),
        (counted(12), ""),
        (counted(11), ""),
        (counted(10), ""),
        (counted(8), ""),
        (counted(7), "forgotten_double"),
        (counted(7, doubling=1), "sides_swapped"),
        (counted(46, side="EW"), ""),
        (counted(50, side="EW"), ""),
        (counted(51, side="EW"), "transposed"),
        (counted(52, side="EW"), "transposed"),
        (counted(53, side="EW"), "forgotten_double"),
        (counted(40), ""),
    ],
)
def test_what_is_far_from_likely_is_asked_about_and_nothing_else(entry: Any, code: str) -> None:
    sheet = a_sheet(options={"target": 500})
    assert [each[0] for each in asked(sheet, entry)] == ([code] if code else [])


def test_a_question_names_the_figures_and_the_field_where_the_answer_is_changed() -> None:
    sheet = a_sheet(options={"target": 500})
    assert asked(sheet, counted(14)) == [("transposed", "points", "14 points, or 41?")]
    assert asked(sheet, counted(52, side="EW")) == [("transposed", "points", "52 points, or 25?")]
    assert asked(sheet, counted(5)) == [
        (
            "forgotten_double",
            "doubling",
            "The side that chose trump lost heavily. Was “double” forgotten?",
        )
    ]
    (five,) = asked(sheet, counted(5, doubling=1))
    assert five == ("sides_swapped", "side", "Are the 5 points those of the right side?")
    (one,) = asked(sheet, counted(1, doubling=1))
    assert one[2] == "Is the 1 point that of the right side?"


def test_where_nobody_may_double_no_double_was_forgotten() -> None:
    sheet = a_sheet(options={"target": 500, "doubling_allowed": False})
    assert [each[0] for each in asked(sheet, counted(5))] == ["sides_swapped"]


def test_who_should_have_dealt_is_asked_about_beside_the_points() -> None:
    sheet = a_sheet(options={"target": 500})
    hand(sheet, counted(40))
    assert [each[0] for each in asked(sheet, counted(14))] == ["transposed", "dealer"]
    with pytest.raises(sheets.DoubtfulEntry) as doubtful:
        hand(sheet, counted(40))
    (doubt,) = doubtful.value.doubts
    assert (doubt.code, doubt.field, doubt.params) == ("dealer", "dealer", {"expected": "E"})
    assert not asked(sheet, {**counted(40), "dealer": ""})


THREE = [
    {**simple(40), "dealer": "N"},
    {**simple(35), "dealer": "E"},
    {**simple(44), "dealer": "S"},
]


@pytest.mark.parametrize(
    ("where", "last", "noticed"),
    [
        ("other table", {}, True),
        ("same table", {}, False),
        ("other event", {}, False),
        ("other table", {"points": {"NS": 43}}, False),
        ("other table", {"contract": {"declarer": "NS", "trump": "S"}}, False),
        ("other table", {"contract": {"declarer": "NS", "trump": "H", "doubling": 1}}, False),
    ],
)
def test_a_sheet_is_doubted_that_another_table_of_the_event_has(
    where: str, last: dict[str, Any], noticed: bool
) -> None:
    scope = uuid.uuid4()
    table = a_table(scope, "1/4")
    first = a_sheet(options={"target": 500}, table=table)
    for entry in THREE:
        hand(first, entry)
    if where == "same table":
        second = a_sheet(options={"target": 500}, table=table, order=2)
    else:
        event = scope if where == "other table" else uuid.uuid4()
        second = a_sheet(options={"target": 500}, table=a_table(event, "1/9"))
    for entry in THREE[:2]:
        assert not asked(second, entry)
    found = asked(second, {**THREE[2], **last})
    words = "Table 4 · round 1 recorded exactly the same deals. Is this really your sheet?"
    assert found == ([("same_as_another_table", "points", words)] if noticed else [])


def test_a_deal_that_was_passed_does_not_hide_that_two_sheets_are_the_same() -> None:
    scope = uuid.uuid4()
    first, second = (
        a_sheet(options={"target": 500}, table=a_table(scope, f"1/{n}")) for n in (4, 9)
    )
    for entry in THREE:
        hand(first, entry)
    passed = {"dealer": "N", "annulled": True}
    one, two, three = (
        {**entry, "dealer": dealer} for entry, dealer in zip(THREE, "ESW", strict=True)
    )
    for entry in (passed, one, two):
        assert not asked(second, entry)
    assert [each[0] for each in asked(second, three)] == ["same_as_another_table"]


def test_a_deal_that_moved_on_the_phone_is_doubted_where_the_sheet_has_it_already() -> None:
    sheet = a_sheet(options={"target": 500})
    east = {**simple(35), "dealer": "E"}
    for entry in (simple(40), east):
        hand(sheet, entry)
    third = {**simple(40), "dealer": "S"}
    words = "Deal 1 of the sheet is the same. Is this another deal?"
    assert asked(sheet, third, number=3, typed_number=2) == [("written_already", "number", words)]
    # Another declarer, trump or count of points is another deal; an annulled deal is ignored.
    other = {**third, "contract": {"declarer": "EW", "trump": "H"}}
    assert [each[0] for each in asked(sheet, other, number=3, typed_number=2)] == [
        "written_already"
    ]
    for another in (
        {**third, "contract": {"declarer": "NS", "trump": "S"}},
        {**third, "points": {"NS": 41}},
    ):
        sheet = a_sheet(options={"target": 500}, table=a_table(label=str(uuid.uuid4())[:9]))
        for entry in (simple(40), east):
            hand(sheet, entry)
        assert not asked(sheet, another, number=3, typed_number=2)
    # An entry that was not moved is not compared: two deals of an evening may be alike.
    sheet = a_sheet(options={"target": 500}, table=a_table(label="alike"))
    for entry in (simple(40), east, third):
        assert not asked(sheet, entry)


def test_staff_reads_of_each_deal_what_was_doubted_when_it_was_recorded() -> None:
    sheet = a_sheet(options={"target": 500})
    for entry, sure in (
        (counted(14), "transposed"),
        ({**counted(5), "dealer": "E"}, "forgotten_double"),
        ({**counted(5, doubling=1), "dealer": "S"}, "sides_swapped"),
        ({**counted(40), "dealer": "S"}, "dealer"),
    ):
        hand(sheet, entry, sure=sure)
    assert [deal.doubts for deal in ScoreSheet(sheet).current()] == [
        ["transposed"],
        ["forgotten_double"],
        ["sides_swapped"],
        ["dealer"],
    ]
    director = make_user("director")
    grant(director, "director", sheet.scope)
    client = Client()
    client.force_login(director)
    page = client.get(reverse("staff-sheet", args=[sheet.pk])).content.decode()
    for words in ("digits swapped", "double forgotten", "sides swapped", "another dealer"):
        assert words in page
