"""The ways of a deal and of a signature stay short: a reader follows each through few functions in few files."""

from __future__ import annotations

import sys
from types import FrameType

import pytest
from django.test import Client

from tests.programs import ROOT
from tests.tournament.build import SYSTEM, make_event
from tournament.demo.simulation import draw_and_publish
from tournament.services.clock import start_round
from tournament.tables.links import table_token
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db
ROOMS = tuple(f"{ROOT / room}/" for room in ("tournament", "adjudication"))


def walked(phone: Client, url: str, **fields: str) -> list[str]:
    """Return the functions of these rooms that a request goes through, each with its file."""
    functions: list[str] = []

    def follow(frame: FrameType, event: str, _value: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOMS) and code.co_name[0] != "<":
            functions.append(f"{code.co_filename}: {code.co_name}")

    sys.setprofile(follow)
    try:
        answer = phone.post(url, {"game": "1", **fields})
    finally:
        sys.setprofile(None)
    assert answer.status_code == 200, answer.content
    return list(dict.fromkeys(functions))


def files(functions: list[str]) -> set[str]:
    return {each.partition(": ")[0] for each in functions}


def test_a_deal_and_its_signatures_go_a_short_way() -> None:
    round_ = make_event(8).stages.get(order=1).rounds.get(number=1)
    draw_and_publish(round_, SYSTEM)
    start_round(round_id=round_.pk, actor=SYSTEM)
    # What a process imports and remembers at its first request is none of the way: a table goes before.
    for table in round_.tables.order_by("number"):
        sheet = table.sheets.order_by("order")[0]
        phone, url = Client(), f"/t/{table_token(table)}/send/"
        one, other = ScoreSheet(sheet).sides
        deal = {"verb": "deal", "trump": "H", "points": "40", "side": one}
        # With its first deal a phone becomes the writing one.
        phone.post(url, {"game": "1", **deal, "number": "1", "key": "1"})
        entered = walked(phone, url, **deal, number="2", key="2")
        first = walked(phone, url, verb="sign", signing=one, version="2")
        last = walked(phone, url, verb="sign", signing=other, version="2")
        sheet.refresh_from_db()
        assert sheet.state == "official"
    assert len(entered) <= 45, entered
    assert len(files(entered)) <= 15
    assert len(first) <= 20, first
    # The last signature also counts the match and makes its result official.
    assert len(last) <= 30, last
