"""Texts of the table's page about a sheet: every deal in its row, differences, signatures, and the next step."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from typing import Any

import pytest

from ledger.actors import Actor
from tournament.models.tables import Protocol, Sheet
from tournament.queries import sheet_page
from tournament.queries.entry_form import DealForm, deal_form
from tournament.queries.sheet_page import SignatureRow, Signer
from tournament.queries.table_clock import clock_of
from tournament.queries.table_people import seat_names
from tournament.services import sheets, signatures, tables
from tournament.tables.score_sheet import ScoreSheet

from .build import SYSTEM, a_sheet, a_table, in_round, seat_players, simple

pytestmark = pytest.mark.django_db

FOUR = {"N": "Ann", "E": "Bo", "S": "Cy", "W": "Di"}
THREE = {"1": "Ann", "2": "Bo", "3": "Cy"}


def enter(sheet: Sheet, *entries: dict[str, Any]) -> None:
    for entry in entries:
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    sheet.refresh_from_db()


def rows(sheet: Sheet, names: dict[str, str] = FOUR, **more: Any) -> list[dict[str, Any]]:
    return [asdict(row) for row in sheet_page.deal_rows(ScoreSheet(sheet), "en", names, **more)]


def test_a_row_says_who_dealt_what_was_played_and_the_score_so_far() -> None:
    sheet = a_sheet(options={"target": 500})
    enter(
        sheet,
        simple(42),
        {**simple(33, side="EW", doubling=1), "dealer": "E"},
        {**simple(40, trump="NT", doubling=2), "dealer": "S"},
    )
    first, second, third = rows(sheet, link="/t/x/game/1/deal/0/")
    assert (first["number"], first["dealer"], first["suit"]) == (1, "Ann", "H")
    assert (first["contract"], first["factor"], first["points"]) == ("N-S", "", "N-S 42")
    assert first["cells"] == [{"marks": 12, "total": 12}, {"marks": None, "total": 0}]
    assert (second["dealer"], second["factor"], second["points"]) == ("Bo", "×2", "E-W 33")
    assert second["cells"] == [{"marks": None, "total": 12}, {"marks": 6, "total": 6}]
    assert (third["suit"], third["factor"]) == ("NT", "×4")
    assert third["cells"][0]["total"] == 12 + third["cells"][0]["marks"]
    assert third["cells"][1] == {"marks": None, "total": 6}
    assert [row["url"] for row in (first, second)] == [f"/t/x/game/1/deal/{n}/" for n in (1, 2)]
    assert not any(row["corrected"] or row["ruled"] or row["flagged"] for row in (first, second))


def test_a_match_by_games_ends_each_game_on_the_sheet_and_is_signed_by_games() -> None:
    """Deal 1 wins the first game, deal 2 is the first of the second game, which starts from zero."""
    sheet = a_sheet(options={"target": {"games": 2, "of": 10}})
    enter(sheet, simple(42), {**simple(35), "dealer": "E"})
    first, second = rows(sheet)
    assert (first["ended"], second["ended"]) == ("N-S 12: game won, 1–0", "")
    assert [cell["total"] for cell in second["cells"]] == [5, 0]
    shown = ScoreSheet(sheet)
    assert sheet_page.score_shown(shown) == {"NS": 5, "EW": 0}
    enter(sheet, {**simple(40), "dealer": "S"})
    assert rows(sheet)[2]["ended"] == "N-S 15: game won, 2–0"
    sheet.refresh_from_db()
    shown = ScoreSheet(sheet)
    assert sheet_page.score_shown(shown) == {"NS": 2, "EW": 0}
    names = dict.fromkeys("NESW", "")
    totals = sheet_page.signature_rows(shown, "en", names, sheet_page.score_shown(shown))
    assert [(row.total, row.against) for row in totals] == [(2, 0), (0, 2)]


def test_a_card_turned_up_that_wins_the_game_says_that_the_deal_does_not_count() -> None:
    sheet = a_sheet("parlee", options={"target": {"games": 2, "of": 5}})
    enter(sheet, {**simple(40, side="EW"), "turn_up": "10H"})
    (row,) = rows(sheet)
    assert row["ended"] == "N-S 5: game won, 1–0"
    assert "card turned up: the result of the deal does not count" in row["worth"]
    assert [cell["marks"] for cell in row["cells"]] == [5, None]


def test_a_bid_stands_in_the_row_of_its_deal() -> None:
    sheet = a_sheet("chaloupee", options={"target": 500})
    enter(
        sheet,
        {
            "dealer": "N",
            "contract": {"declarer": "NS", "level": 44, "trump": "S"},
            "points": {"NS": 45},
        },
        {
            "dealer": "E",
            "contract": {"declarer": "EW", "level": "generale", "trump": "S"},
            "points": {"EW": 68},
            "tricks": {"EW": 8},
        },
    )
    assert [row["contract"] for row in rows(sheet)] == ["N-S 44", "E-W générale"]
    auction = a_sheet("auction-2", table=a_table(label="1/18"))
    bid = {"declarer": "2", "level": "all", "trump": "S"}
    enter(auction, {"dealer": "1", "contract": bid, "points": {"2": 68}, "tricks": {"2": 8}})
    (row,) = rows(auction, {**THREE, "4": "Di"})
    assert row["contract"] == "Bo all the tricks"


def test_a_row_says_that_a_deal_was_passed_is_void_or_came_too_late() -> None:
    sheet = a_sheet(options={"target": 40})
    enter(sheet, {"dealer": "N", "annulled": True})
    enter(sheet, *({**simple(points), "dealer": "E"} for points in (50, 45, 36)))
    assert sheet.finished
    assert "after the end" not in rows(sheet)[3]["worth"]
    sheets.correct_deal(
        sheet_id=sheet.pk,
        number=2,
        entry={**simple(50, trump="NT"), "dealer": "E"},
        reason="no trump forgotten",
        actor=SYSTEM,
    )
    sheet.refresh_from_db()
    passed, first, second, third = rows(sheet)
    assert passed["worth"] == "passed by all: the next player deals"
    assert (passed["points"], passed["cells"][0]) == ("", {"marks": None, "total": 0})
    assert (first["corrected"], second["corrected"]) == (True, False)
    assert first["cells"][0] == {"marks": 40, "total": 40}
    assert "does not count" not in first["worth"]
    for late, marks in ((second, 15), (third, 6)):
        assert late["worth"].endswith("after the end: does not count")
        assert late["cells"][0] == {"marks": marks, "total": 40}
    sheets.correct_deal(
        sheet_id=sheet.pk,
        number=3,
        entry={"dealer": "E", "annulled": True},
        reason="cards were shown",
        actor=SYSTEM,
    )
    assert rows(sheet)[2]["worth"].startswith("void: cards were shown")


def test_every_version_of_a_deal_is_read_with_who_entered_it() -> None:
    sheet = a_sheet(options={"target": 500})
    device = Actor.device(uuid.uuid4())
    tables.take_writing(table_id=sheet.table_id, actor=device)
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=device)
    sheets.correct_deal(
        sheet_id=sheet.pk,
        number=1,
        entry={"dealer": "N", "annulled": True},
        reason="passed",
        actor=Actor.user(1),
    )
    sheets.correct_deal(
        sheet_id=sheet.pk, number=1, entry=simple(24), reason="misread", actor=device
    )
    items = sheet_page.history(sheet, 1, "official", "en", FOUR)
    assert [(item.who, item.why, item.in_force, item.superseded) for item in items] == [
        ("table", "misread", True, False),
        ("staff", "passed", False, True),
        ("table", "", False, True),
    ]
    assert [item.what.partition(" · ")[0] for item in items] == [
        "N-S 24",
        items[1].what,
        "N-S 42",
    ]
    assert "N-S score 12" in items[2].what
    assert sheet_page.history(sheet, 2, "official", "en", FOUR) == []


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (101, "first to 101"),
        ({"deals": 1}, "1 deal"),
        ({"deals": 12}, "12 deals"),
        ({"games": 1, "of": 34}, "1 game of 34"),
        ({"games": 2, "of": 34}, "2 games of 34"),
        ({"games": 2, "of": 34, "decider": 50}, "2 games of 34, decider of 50"),
        (None, ""),
    ],
)
def test_the_end_of_a_match_is_said(target: object, words: str) -> None:
    assert sheet_page.target_text(target) == words


def blind(rulebook: str, *sides: str, depth: str = "points") -> tuple[Sheet, dict[str, Actor]]:
    """Create a sheet in blind double entry, with a phone for each side."""
    sheet = a_sheet(rulebook, protocol=Protocol.DOUBLE, depth=depth)
    phones = {side: Actor.device(uuid.uuid4()) for side in sides}
    for side, phone in phones.items():
        tables.take_writing(table_id=sheet.table_id, actor=phone, side=side)
    return sheet, phones


def differing(
    rulebook: str, one: dict[str, Any], two: dict[str, Any], names: dict[str, str]
) -> list[dict[str, Any]]:
    """Return the page's rows about two entries of one deal."""
    sides = ("NS", "EW") if names is FOUR else ("1", "2")
    sheet, phones = blind(rulebook, *sides)
    for side, entry in zip(sides, (one, two), strict=True):
        sheet.refresh_from_db()
        sheets.hand_in(
            sheet_id=sheet.pk,
            entry=entry,
            actor=phones[side],
        )
    sheet.refresh_from_db()
    return [asdict(row) for row in sheet_page.difference_rows(ScoreSheet(sheet), "en", names)]


TRICKS = [("NS", 9), ("EW", 9), ("NS", 8), ("EW", 8), ("NS", 8), ("EW", 8), ("NS", 5), ("EW", 5)]
LIST = {
    "dealer": "N",
    "contract": {"declarer": "NS", "trump": "H"},
    "trick_list": [{"winner": side, "points": points} for side, points in TRICKS],
}
ALONE = {"dealer": "1", "contract": {"trump": "H"}, "points": {"1": 40}}
BID: dict[str, Any] = {
    "dealer": "1",
    "contract": {"declarer": "1", "level": 22, "trump": "S"},
    "points": {"1": 30},
}


@pytest.mark.parametrize(
    ("rulebook", "one", "two", "said"),
    [
        ("belgian", simple(42), simple(41), ("points of N-S", "N-S", "42", "E-W", "41")),
        (
            "belgian",
            {**simple(42), "tricks": {"NS": 5}},
            {**simple(42), "tricks": {"NS": 6}},
            ("tricks of N-S", "N-S", "5", "E-W", "6"),
        ),
        (
            "belgian",
            simple(42),
            simple(42, trump="S"),
            ("trump", "N-S", "♥\ufe0e", "E-W", "♠\ufe0e"),
        ),
        ("belgian", simple(42), simple(42, doubling=1), ("double", "N-S", "0", "E-W", "1")),
        (
            "belgian",
            simple(42),
            {"dealer": "N", "annulled": True},
            ("whether it was played", "N-S", "–", "E-W", "passed"),
        ),
        (
            "chaloupee",
            {
                "dealer": "N",
                "contract": {"declarer": "NS", "level": 44, "trump": "S"},
                "points": {"NS": 45},
            },
            {
                "dealer": "N",
                "contract": {"declarer": "EW", "level": 44, "trump": "S"},
                "points": {"NS": 45},
            },
            ("declarer", "N-S", "N-S", "E-W", "E-W"),
        ),
        (
            "chaloupee",
            {
                "dealer": "N",
                "contract": {"declarer": "NS", "level": 44, "trump": "S"},
                "points": {"NS": 45},
            },
            {
                "dealer": "N",
                "contract": {"declarer": "NS", "level": 34, "trump": "S"},
                "points": {"NS": 45},
            },
            ("contract", "N-S", "44", "E-W", "34"),
        ),
        (
            "three-player",
            ALONE,
            {**ALONE, "points": {"1": 41}},
            ("points of Ann", "Ann", "40", "Bo", "41"),
        ),
        (
            "three-player",
            {**ALONE, "points": {"23": 20}},
            {**ALONE, "points": {"23": 19}},
            ("points of Bo + Cy", "Ann", "20", "Bo", "19"),
        ),
        (
            "three-player",
            ALONE,
            {**ALONE, "dealer": "2", "points": {"2": 40}},
            ("dealer", "Ann", "Ann", "Bo", "Bo"),
        ),
        (
            "auction-2",
            BID,
            {**BID, "contract": {**BID["contract"], "declarer": "3"}, "points": {"3": 30}},
            ("declarer", "Ann", "Ann", "Bo", "Cy"),
        ),
    ],
)
def test_a_difference_is_named_as_the_table_says_it(
    rulebook: str, one: dict[str, Any], two: dict[str, Any], said: tuple[str, ...]
) -> None:
    names = FOUR if rulebook in ("belgian", "chaloupee") else {**THREE, "4": "Di"}
    row = differing(rulebook, one, two, names)[0]
    assert row["deal"] == 1
    assert (
        row["where"],
        row["side"],
        row["entry"],
        row["other_side"],
        row["other_entry"],
    ) == said


def test_a_trick_that_differs_is_named_with_its_winners() -> None:
    two = {**LIST, "trick_list": [dict(row) for row in LIST["trick_list"]]}
    two["trick_list"][4]["winner"] = "EW"
    (row, *_rest) = differing("belgian", LIST, two, FOUR)
    assert (row["where"], row["entry"], row["other_entry"]) == ("trick 5", "N-S 8", "E-W 8")


def test_each_half_of_the_page_names_its_players_and_who_signed() -> None:
    sheet = a_sheet(options={"target": {"deals": 1}})
    north, east, south, west = seat_players(sheet, "Ann", "Bo", "Cy", "Di")
    enter(sheet, simple(42))
    names = seat_names(sheet)
    assert names == FOUR
    assert sheet_page.signature_rows(ScoreSheet(sheet), "en", names) == [
        SignatureRow(
            code,
            side,
            [Signer(str(who.pk), who.person.name) for who in players],
            False,
            together,
            None,
            total=0,
            against=0,
            here=True,
        )
        for code, side, players, together in (
            ("NS", "N-S", (north, south), "Ann + Cy"),
            ("EW", "E-W", (east, west), "Bo + Di"),
        )
    ]
    signatures.sign(sheet_id=sheet.pk, side="EW", version=1, actor=Actor.player(west.pk))
    signatures.sign(sheet_id=sheet.pk, side="NS", version=1, actor=SYSTEM)
    ours, theirs = sheet_page.signature_rows(ScoreSheet(sheet), "en", names)
    assert (ours.signed, ours.name) == (True, "Ann + Cy")
    assert (theirs.signed, theirs.name) == (True, "Di")
    assert theirs.when == sheet.signatures.get(side="EW").signed_at


def test_the_next_game_of_a_table_is_named_with_everybodys_partner() -> None:
    first = a_sheet(options={"target": {"deals": 1}})
    players = seat_players(first, "Ann", "Bo", "Cy", "Di")
    table = first.table
    second = a_sheet(
        table=table,
        order=2,
        options={"target": {"deals": 1}},
        sides={"NS": ["N", "E"], "EW": ["S", "W"]},
    )
    third = a_sheet(table=table, order=3)
    shown = sheet_page.following_game(table, first)
    assert shown is not None
    assert (shown.order, shown.sides) == (2, ["Ann + Bo", "Cy + Di"])
    numbers = {who.person.name: who.number for who in players}
    assert {row.number: row.partner for row in shown.partners} == {
        numbers["Ann"]: "Bo",
        numbers["Bo"]: "Ann",
        numbers["Cy"]: "Di",
        numbers["Di"]: "Cy",
    }
    enter(second, simple(42))
    later_game = sheet_page.following_game(table, first)
    assert later_game is not None
    assert later_game.order == 3
    assert sheet_page.following_game(table, third) is None


def test_a_signed_game_leads_on_to_one_that_waits_for_signatures() -> None:
    first = a_sheet(options={"target": {"deals": 1}})
    seat_players(first, "Ann", "Bo", "Cy", "Di")
    second = a_sheet(table=first.table, order=2, options={"target": {"deals": 1}})
    for sheet in (first, second):
        enter(sheet, simple(42))
    assert sheet_page.following_game(first.table, second) is None
    for side in ("NS", "EW"):
        signatures.sign(sheet_id=second.pk, side=side, version=1, actor=SYSTEM)
    second.refresh_from_db()
    shown = sheet_page.following_game(first.table, second)
    assert shown is not None
    assert shown.order == 1
    for side in ("NS", "EW"):
        signatures.sign(sheet_id=first.pk, side=side, version=1, actor=SYSTEM)
    first.refresh_from_db()
    assert sheet_page.following_game(first.table, first) is None


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("finish", "finish the deal in play."),
        ("first_trick", "finish the deal if its first trick is complete."),
        ("cancel", "the deal in play is cancelled."),
    ],
)
def test_the_clock_of_a_table_says_the_rule_of_the_bell(rule: str, words: str) -> None:
    sheet = a_sheet()
    assert clock_of(sheet.table) is None
    in_round(sheet, bell_rule=rule)
    shown = sheet_page.clock_context(clock_of(sheet.table))
    assert shown is not None
    assert shown.note == f"At the bell: {words}"
    assert (shown.rule, shown.state, shown.left) == (rule, "waiting", "")


def form(sheet: Sheet, names: dict[str, str], dealer: str) -> DealForm:
    """Return the form of the next deal as the page shows it."""
    return deal_form(ScoreSheet(sheet), names, "en", dealer, sheet.depth, {})


def declarers(shown: DealForm) -> list[tuple[str, str, str]]:
    """Return the possible declarers: code, name and players."""
    asked = (each.choices for each in shown.required if each.field.name == "declarer")
    return [(each.written.code, each.name, each.hint) for each in next(asked, ())]


def test_the_form_of_two_pairs_names_each_side_with_its_colour() -> None:
    shown = form(a_sheet("belgian"), FOUR, "N")
    assert [(each.code, each.name, each.players) for each in shown.counted] == [
        ("NS", "N-S", "Ann + Cy"),
        ("EW", "E-W", "Bo + Di"),
    ]
    assert {each.code: (each.name, each.letter) for each in shown.dealers} == {
        seat: (name, seat) for seat, name in FOUR.items()
    }
    assert not shown.alone
    # The dealer's side chooses trump, so the form states the declarer instead of a choice.
    assert declarers(shown) == []
    assert "N-S" in shown.declaring
    assert "E-W" in form(a_sheet("belgian", table=a_table(label="1/18")), FOUR, "W").declaring


def test_the_form_asks_who_bid_where_an_auction_decides() -> None:
    shown = form(a_sheet("chaloupee"), FOUR, "N")
    assert declarers(shown) == [("NS", "N-S", "Ann + Cy"), ("EW", "E-W", "Bo + Di")]
    assert shown.declaring == ""
    players = {**THREE, "4": "Di"}
    auction = form(a_sheet("auction-2", table=a_table(label="1/18")), players, "1")
    assert declarers(auction) == [(seat, name, "") for seat, name in players.items()]
    assert [(each.code, each.name) for each in auction.counted] == [
        ("declarer", "the declarer"),
        ("others", "the others"),
    ]
    assert auction.declaring == ""


def test_the_form_of_three_names_the_dealer_and_the_two_others() -> None:
    shown = form(a_sheet("three-player"), THREE, "2")
    assert [(each.code, each.name, each.players) for each in shown.counted] == [
        ("declarer", "Bo", "the dealer"),
        ("others", "Ann + Cy", "the two others"),
    ]


def test_a_card_turned_up_is_chosen_with_what_it_scores() -> None:
    shown = form(a_sheet("parlee"), FOUR, "N")
    (turned,) = shown.required
    assert [(each.name, each.hint) for each in turned.choices] == [
        ("10", "+5"),
        ("A", "+4"),
        ("K", "+3"),
        ("Q", "+2"),
        ("J", "+1"),
        ("9 8 7", "0"),
    ]
    assert shown.declaring == ""
    tricks = form(a_sheet("belgian", depth="tricks", table=a_table(label="1/18")), FOUR, "N")
    assert [each.name for each in tricks.fields["tricks"].choices] == [str(n) for n in range(9)]
