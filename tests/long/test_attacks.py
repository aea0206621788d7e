"""Attacks from outside, on each database: parallel requests, robots, and access to other people's objects."""

from __future__ import annotations

import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from tests.programs import PATIENCE

from .installation import SETUP, Browser, Installation, all_at_once
from .test_faults import everything_once, keeps_score

pytestmark = pytest.mark.long


@pytest.mark.guide("security#security")
def test_of_thirty_who_set_it_up_at_once_one_is_administrator(attacked: Installation) -> None:
    password = {"password1": "correct horse battery", "password2": "correct horse battery"}
    visitors = [Browser(attacked) for _each in range(31)]
    for visitor in visitors:
        visitor.get("/setup/")

    def visit(number: int, code: str = SETUP) -> int:
        form = {"code": code, "username": f"visitor-{number}", **password}
        return visitors[number].post("/setup/", **form)[0]

    assert visit(30, "Oostende-2018") == 422
    assert attacked.inside("accounts")["names"] == []
    answers = all_at_once([partial(visit, number) for number in range(30)])
    # Later requests create no second account, not even with the right code.
    assert {*answers, visit(30)} == {302}
    found = attacked.inside("accounts")
    assert len(found["names"]) == 1
    assert found["administrators"] == found["names"]


@pytest.mark.guide("security#security")
def test_robots_wait_for_each_other_and_the_hall_for_none_of_them(attacked: Installation) -> None:
    """Sixty robots search for names that do not exist, while phones read and tables write."""
    hall = attacked.inside("hall", players=64, deals=4)
    over = threading.Event()
    page = f"/e/{hall['slug']}/standings/"

    def timed(path: str, address: str) -> tuple[int, float]:
        begun = time.monotonic()
        status, _text = attacked.get(path, **{"X-Forwarded-For": address})
        return status, time.monotonic() - begun

    def robot(number: int) -> list[tuple[int, float]]:
        asked = []
        while not over.is_set():
            words = f"{number}-{len(asked)}"
            asked.append(timed(f"/e/{hall['slug']}/players/?q={words}", f"198.51.100.{number}"))
        return asked

    def phone(number: int) -> list[tuple[int, float]]:
        asked = []
        while not over.is_set():
            # A query parameter that the page ignores returns the page itself.
            asked.append(timed(f"{page}?fbclid={number}-{len(asked)}", f"192.0.2.{number}"))
        return asked

    assert timed(page, "192.0.2.1")[0] == 200
    acknowledged: list[str] = []
    with ThreadPoolExecutor(60 + 4 + len(hall["tables"])) as hands:
        robots = [hands.submit(robot, number) for number in range(60)]
        phones = [hands.submit(phone, number) for number in range(4)]
        tables = {
            table["sheet"]: hands.submit(keeps_score, attacked, table, 4, acknowledged)
            for table in hall["tables"]
        }
        try:
            sent = {sheet: future.result(4 * PATIENCE) for sheet, future in tables.items()}
        finally:
            over.set()
        asked = [answer for each in robots for answer in each.result(PATIENCE)]
        read = [answer for each in phones for answer in each.result(PATIENCE)]
    assert {status for status, _seconds in read} == {200}
    assert {status for status, _seconds in asked} <= {200, 429, 503}
    waits = [statistics.median(seconds for _status, seconds in each) for each in (read, asked)]
    assert waits[0] < waits[1] / 2
    everything_once(attacked, hall, sent)


@pytest.mark.guide("security#security")
def test_what_is_not_theirs_stays_shut(attacked: Installation) -> None:
    """A scorekeeper and the links of a hall; a director of one event and the files of another."""
    hall, other = (attacked.inside("hall", players=8) for _event in range(2))
    scorekeeper, director = Browser(attacked), Browser(attacked)
    scorekeeper.sign_in(attacked.inside("staff", event=hall["event"], role="scorekeeper")["name"])
    documents = f"/desk/{hall['slug']}/documents/"
    for kind in ("badges", "slips", "round"):
        assert scorekeeper.post(documents, kind=kind, language="nl", paper="a4")[0] == 403
    file = attacked.inside("keep_file", event=other["event"])["file"]
    director.sign_in(hall["directors"][0])
    assert director.post(f"/desk/{hall['slug']}/players/import/", confirm=file)[0] == 302
    assert director.post(f"/desk/{other['slug']}/players/import/", confirm=file)[0] == 403
    for event in (hall, other):
        facts = attacked.inside("facts", event=event["event"])
        assert (facts["entrants"], facts["documents"], facts["breaks"]) == (8, 0, [])
