"""Blind double entry deal by deal: the side still missing, the sides that may write, the phones; and paper."""

from __future__ import annotations

import uuid
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ledger.actors import Actor
from ledger.errors import Conflict
from tests.markup import without_marks
from tournament.models.tables import Protocol, Sheet
from tournament.queries import double_entry
from tournament.queries.paper_form import wants_deals
from tournament.services import sheets, tables
from tournament.tables.score_sheet import ScoreSheet

from .build import SYSTEM, a_sheet, a_table, seat_players, simple, token

pytestmark = pytest.mark.django_db


def phones(rulebook: str, sides: tuple[str, ...], **options: Any) -> tuple[Sheet, dict[str, Actor]]:
    """Create a blind sheet, with a phone for each of these sides."""
    sheet = a_sheet(rulebook, protocol=Protocol.DOUBLE, options=options)
    devices = {side: Actor.device(uuid.uuid4()) for side in sides}
    for side, device in devices.items():
        tables.take_writing(table_id=sheet.table_id, actor=device, side=side)
    return sheet, devices


def hand(sheet: Sheet, entry: dict[str, Any], actor: Actor, **more: Any) -> None:
    sheet.refresh_from_db()
    sheets.hand_in(sheet_id=sheet.pk, entry=entry, actor=actor, **more)


def alone(dealer: str, points: int) -> dict[str, Any]:
    """Return a deal of three players by the points of the dealer, who plays alone."""
    return {"dealer": dealer, "contract": {"trump": "H"}, "points": {dealer: points}}


def test_between_pairs_the_side_that_is_behind_is_waited_for() -> None:
    sheet, phone = phones("belgian", ("NS", "EW"), target=500)
    assert (
        double_entry.awaited(ScoreSheet(sheet), "NS"),
        double_entry.awaited(ScoreSheet(sheet), "EW"),
    ) == ((), ())
    hand(sheet, simple(42), phone["NS"])
    assert double_entry.awaited(ScoreSheet(sheet), "NS") == ("EW",)
    assert double_entry.awaited(ScoreSheet(sheet), "EW") == ()
    hand(sheet, simple(42), phone["EW"])
    assert double_entry.awaited(ScoreSheet(sheet), "NS") == ()
    assert double_entry.phoneless(ScoreSheet(sheet)) == set()
    assert not ScoreSheet(sheet).may_still_write("NS", 1)


def test_a_player_whose_deal_others_agreed_upon_meanwhile_may_write_it_once() -> None:
    sheet, phone = phones("three-player", ("1", "2", "3"))
    for seat in ("1", "3"):
        hand(sheet, alone("1", 40), phone[seat])
    assert len(ScoreSheet(sheet).current()) == 1
    may = {n: ScoreSheet(sheet).may_still_write("2", n) for n in (0, 1, 2)}
    assert may == {0: False, 1: True, 2: False}
    assert not ScoreSheet(sheet).may_still_write("official", 1)
    hand(sheet, alone("1", 40), phone["2"], number=1)
    assert not ScoreSheet(sheet).may_still_write("2", 1)
    assert not ScoreSheet(sheet).may_still_write("1", 1)
    with pytest.raises(Conflict) as refused:
        hand(sheet, alone("1", 33), phone["2"], number=1)
    assert refused.value.code == "not_the_next_deal"


def test_in_an_auction_the_declarer_and_one_of_the_others_are_waited_for() -> None:
    sheet, phone = phones("auction-2", ("1", "2", "3", "4"), target={"deals": 4})
    bid = {
        "dealer": "1",
        "contract": {"declarer": "2", "level": 22, "trump": "S"},
        "points": {"2": 30},
    }
    hand(sheet, bid, phone["1"])
    assert double_entry.awaited(ScoreSheet(sheet), "1") == ("2",)
    assert double_entry.awaited(ScoreSheet(sheet), "3") == ()
    hand(sheet, bid, phone["2"])
    assert double_entry.awaited(ScoreSheet(sheet), "1") == ()
    passed = {"dealer": "2", "annulled": True}
    hand(sheet, passed, phone["3"], number=2)
    assert double_entry.awaited(ScoreSheet(sheet), "3") == ("1", "2", "4")
    hand(sheet, passed, phone["4"], number=2)
    assert [deal.annulled for deal in ScoreSheet(sheet).current()] == [False, True]


def test_only_a_player_for_whom_no_phone_writes_is_written_for_by_another() -> None:
    sheet, _phone = phones("three-player", ("1", "3"))
    assert double_entry.phoneless(ScoreSheet(sheet)) == {"2"}
    assert double_entry.side_of_device(sheet.table, uuid.uuid4()) == ""


def test_a_player_for_whom_no_phone_writes_signs_on_that_of_another() -> None:
    sheet = a_sheet("three-player", protocol=Protocol.DOUBLE)
    seat_players(sheet, "Agnes", "Bert", "Cedric")
    page = reverse("table", args=[token(sheet)])
    first, third = Client(), Client()
    for phone, seat in ((first, "1"), (third, "3")):
        assert phone.post(page, {"verb": "choose", "writing_for": seat}).status_code == 302
    sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM)
    for phone, own, others in ((first, "Agnes", "Cedric"), (third, "Cedric", "Agnes")):
        shown = " ".join(unescape(without_marks(phone.get(page).content.decode())).split())
        assert f"{own} signs </button>" in shown
        assert "Bert signs </button>" in shown
        assert f"{others} signs on another phone." in shown


def test_who_wrote_a_deal_otherwise_is_named_until_it_is_settled() -> None:
    sheet, phone = phones("belgian", ("NS", "EW"), target=500)
    hand(sheet, simple(42), phone["NS"])
    hand(sheet, simple(41), phone["EW"])
    (found,) = double_entry.differences(ScoreSheet(sheet))
    assert (found.deal, found.side, found.entry, found.other_side, found.other_entry) == (
        1,
        "NS",
        "42",
        "EW",
        "41",
    )
    sheet.refresh_from_db()
    sheets.correct_deal(
        sheet_id=sheet.pk, number=1, entry=simple(42), reason="misread", actor=phone["EW"]
    )
    assert double_entry.differences(ScoreSheet(sheet)) == []


def test_a_slip_wants_its_deals_where_the_points_of_a_game_do_not_say_all() -> None:
    assert wants_deals(ScoreSheet(a_sheet(options={"target": {"deals": 4}}))) == ""
    assert (
        wants_deals(ScoreSheet(a_sheet(options={"target": 101}, table=a_table(label="1/18")))) == ""
    )
    games = a_sheet(options={"target": {"games": 2, "of": 34}}, table=a_table(label="1/19"))
    assert wants_deals(ScoreSheet(games)) == "A match of several games is copied deal by deal."
    begun = a_sheet(options={"target": 101}, table=a_table(label="1/20"))
    sheets.enter_deal(sheet_id=begun.pk, entry=simple(42), actor=SYSTEM)
    begun.refresh_from_db()
    assert wants_deals(ScoreSheet(begun)) == (
        "Deals of this game are recorded already: copy those that are missing."
    )
