"""Annulled deals of a signed sheet: which of them must still be played again."""

from __future__ import annotations

import pytest

from ledger.errors import Conflict, Refused
from tournament.models.tables import Series, Sheet
from tournament.queries.sheet_page import history
from tournament.services import sheets, signatures
from tournament.services.ruled import rule_deal
from tournament.tables.score_sheet import ScoreSheet

from .build import SYSTEM, a_sheet, simple

pytestmark = pytest.mark.django_db


def numbers(sheet: Sheet) -> list[int]:
    sheet.refresh_from_db()
    return [deal.number for deal in ScoreSheet(sheet).to_replay()]


def enter(sheet: Sheet, points: int) -> None:
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(points), actor=SYSTEM)


def sign(sheet: Sheet) -> None:
    sheet.refresh_from_db()
    for side in ("NS", "EW"):
        signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)


def annul(sheet: Sheet, number: int) -> None:
    rule_deal(
        sheet_id=sheet.pk,
        number=number,
        entry={"dealer": "N", "annulled": True},
        infractions=[],
        actor=SYSTEM,
        reason="misdeal",
        again=True,
    )


def test_an_annulled_deal_is_played_again_once_the_sheet_was_signed() -> None:
    sheet = a_sheet(options={"target": {"deals": 3}})
    for points in (42, 40, 38):
        enter(sheet, points)
    assert numbers(sheet) == []
    sign(sheet)
    assert numbers(sheet) == []
    annul(sheet, 2)
    assert numbers(sheet) == [2]
    # The bell does not end a match with such a deal left, and the refusal names it.
    with pytest.raises(Conflict) as refusal:
        sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM)
    assert (refusal.value.code, refusal.value.params) == ("deal_to_replay", {"number": 2})
    enter(sheet, 44)
    assert numbers(sheet) == []
    # In blind entry, a side's series without the new deal still has deal 2 to replay.
    assert [deal.number for deal in ScoreSheet(sheet).to_replay([])] == [2]
    assert ScoreSheet(sheet).to_replay(ScoreSheet(sheet).current()) == []
    assert sheet.finished
    sign(sheet)
    sheet.refresh_from_db()
    # Official again, the sheet has no deal to play.
    assert (sheet.state, ScoreSheet(sheet).to_replay([])) == ("official", [])
    annul(sheet, 4)
    assert len(numbers(sheet)) == 1


def test_another_deal_annulled_while_the_sheet_is_reopened_is_played_again_too() -> None:
    sheet = a_sheet(options={"target": {"deals": 12}})
    for points in (42, 40, 38):
        enter(sheet, points)
    sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM)
    sign(sheet)
    annul(sheet, 2)
    annul(sheet, 3)
    assert numbers(sheet) == [2, 3]
    enter(sheet, 44)
    assert numbers(sheet) == [3]
    assert not sheet.finished
    enter(sheet, 46)
    assert numbers(sheet) == []
    assert sheet.finished
    sign(sheet)
    sheet.refresh_from_db()
    assert sheet.state == "official"


@pytest.mark.parametrize("protocol", ["confirm", "double"])
def test_a_whole_game_is_annulled_and_played_again_from_its_first_deal(protocol: str) -> None:
    sheet = a_sheet(options={"target": {"deals": 3}}, protocol=protocol)
    for points in (42, 40, 38):
        enter(sheet, points)
    sheet.refresh_from_db()
    before = sheet.score["marks"]
    signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    with pytest.raises(Refused) as unsaid:
        signatures.replay(sheet_id=sheet.pk, actor=SYSTEM, reason=" ")
    assert unsaid.value.code == "reason_missing"
    signatures.replay(sheet_id=sheet.pk, actor=SYSTEM, reason="wrong partners")
    sheet.refresh_from_db()
    now = ScoreSheet(sheet)
    assert (sheet.state, sheet.finished, sheet.score["deals"]) == ("open", False, 0)
    assert not sheet.results.filter(current=True).exists()
    assert sheet.results.count() == 1
    assert (now.next_dealer(), now.next_number(), now.begins_anew) == ("N", 4, True)
    # The bell ends the new game as any other: no deal is left to replay.
    assert now.to_replay() == []
    for points in (20, 22, 24):
        enter(sheet, points)
    sheet.refresh_from_db()
    assert (sheet.finished, sheet.score["deals"]) == (True, 3)
    assert sheet.score["marks"] != before
    signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    assert sheet.results.get(current=True).result["deals"] == 3
    # A deal that a ruling annuls later is played again as on any signed sheet.
    annul(sheet, 5)
    assert numbers(sheet) == [5]


def test_a_game_annulled_by_mistake_is_corrected_deal_by_deal() -> None:
    sheet = a_sheet(options={"target": {"deals": 3}})
    for points in (42, 40, 38):
        enter(sheet, points)
    sign(sheet)
    stood = [deal.entry for deal in ScoreSheet(sheet).current()]
    signed = sheet.results.get(current=True).result
    signatures.replay(sheet_id=sheet.pk, actor=SYSTEM, reason="mistaken")
    (annulled, _entered) = history(sheet, 1, Series.OFFICIAL, "en", {})
    assert (annulled.what, annulled.why) == ("void", "mistaken")
    for number, entry in enumerate(stood, start=1):
        sheets.correct_deal(
            sheet_id=sheet.pk, number=number, entry=entry, actor=SYSTEM, reason="as it was"
        )
    sign(sheet)
    sheet.refresh_from_db()
    assert sheet.results.get(current=True).result == signed


def test_nothing_recorded_is_nothing_to_play_again() -> None:
    sheet = a_sheet()
    with pytest.raises(Conflict) as refusal:
        signatures.replay(sheet_id=sheet.pk, actor=SYSTEM, reason="why")
    assert refusal.value.code == "nothing_entered"
