"""Blind double entry where each plays alone: from a drawn table to the standings."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from ledger.actors import Actor
from tests.tournament.test_paper_entry import in_play, ranked
from tournament.models.tables import Protocol, Sheet
from tournament.queries import double_entry
from tournament.queries.table_people import seat_names
from tournament.services import sheets, signatures, tables
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db
PHONES = {seat: Actor.device(uuid.UUID(int=number)) for number, seat in enumerate("1234", 1)}


def hand(sheet: Sheet, seat: str, entry: dict[str, Any]) -> None:
    sheet.refresh_from_db()
    sheets.hand_in(sheet_id=sheet.pk, entry=entry, actor=PHONES[seat])


def taken(dealer: str, declarer: str, points: int) -> dict[str, Any]:
    """Return a deal in which the declarer has bid 40 points."""
    return {
        "dealer": dealer,
        "contract": {"declarer": declarer, "level": 40, "trump": "S"},
        "points": {declarer: points},
    }


def test_the_declarer_and_one_of_the_others_write_each_deal_of_an_auction() -> None:
    event = in_play(4, 4, rulebook="auction-2", protocol=Protocol.DOUBLE)
    sheet = Sheet.objects.get()
    for seat, phone in PHONES.items():
        tables.take_writing(table_id=sheet.table_id, actor=phone, side=seat)
    first = "1234".index(sheet.first_dealer)
    dealers = [str((first + n) % 4 + 1) for n in range(4)]
    # Two of the players against the declarer agree: the other side has not written yet.
    hand(sheet, "1", taken(dealers[0], "2", 40))
    hand(sheet, "3", taken(dealers[0], "2", 40))
    assert ScoreSheet(sheet).current() == []
    assert double_entry.awaited(ScoreSheet(sheet), "1") == ("2",)
    hand(sheet, "2", taken(dealers[0], "2", 40))
    assert [deal.marks for deal in ScoreSheet(sheet).current()] == [
        {"1": 0, "2": 40, "3": 0, "4": 0}
    ]
    # The declarer and another player differ: both entries are shown, and one of them is corrected.
    hand(sheet, "3", taken(dealers[1], "3", 45))
    hand(sheet, "4", taken(dealers[1], "3", 35))
    sheet.refresh_from_db()
    assert sheet.state == "disputed"
    (found,) = double_entry.differences(ScoreSheet(sheet))
    assert (found.deal, found.where, found.side, found.other_side) == (2, "points 3", "3", "4")
    sheets.correct_deal(
        sheet_id=sheet.pk,
        number=2,
        entry=taken(dealers[1], "3", 35),
        reason="39",
        actor=PHONES["3"],
    )
    hand(sheet, "2", taken(dealers[2], "2", 44))
    hand(sheet, "1", taken(dealers[2], "2", 44))
    hand(sheet, "4", taken(dealers[3], "4", 40))
    hand(sheet, "2", taken(dealers[3], "4", 40))
    sheet.refresh_from_db()
    assert sheet.finished
    for seat, phone in PHONES.items():
        signatures.sign(sheet_id=sheet.pk, side=seat, version=sheet.version, actor=phone)
    sheet.refresh_from_db()
    assert sheet.state == "official"
    marks = sheet.results.get(current=True).result["marks"]
    assert (marks["1"], marks["3"] < 0 < marks["4"] < marks["2"]) == (0, True)
    names = seat_names(sheet)
    assert ranked(event) == [names[seat] for seat in "2413"]
