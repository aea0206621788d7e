"""The server is killed (SIGKILL) while a phone sends: each acknowledged deal is stored once.

On SQLite and on PostgreSQL, with a phone 360 px wide. The language alternates.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import LANGUAGES
from .serving import Server, fresh_database, server
from .table import (
    a_phone,
    governed,
    kept,
    number_is,
    points_of,
    sent,
    write_deal,
)

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)], scope="module"
)
def mortal(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """Yield a server on either database, to be killed."""
    folder: Path = tmp_path_factory.mktemp("mortal")
    with fresh_database(request.param) as url, server(folder, url) as running:
        yield running


@pytest.mark.one_language
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_server_is_killed_while_deals_are_sent(
    mortal: Server, chromium: Any, language: str
) -> None:
    """Each acknowledged deal is stored once and in order, however often the server is killed."""
    made = mortal.ask("sheet", target=5000)
    chance = random.Random(f"four {language}")
    typed: list[int] = []
    with a_phone(chromium, mortal, language) as page:
        page.goto(made["page"])
        governed(page)
        for _round in range(2):
            for _deal in range(2):
                typed.append(chance.randint(30, 44))
                write_deal(page, typed[-1])
                page.wait_for_timeout(chance.randint(0, 40))  # the kill falls anywhere in it
            mortal.kill()
            typed.append(chance.randint(30, 44))
            write_deal(page, typed[-1])
            kept(page, len(typed), language)
            if chance.random() < 0.5:
                page.reload()
                page.locator("[data-queued]").first.wait_for()
            mortal.start()
            sent(page)
            number_is(page, len(typed) + 1)
    told = mortal.ask("read", sheet=made["sheet"])
    assert points_of(told) == typed
    assert [deal["number"] for deal in told["deals"]] == list(range(1, len(typed) + 1))
    assert told["versions"] == len(typed)  # nothing was written twice


@pytest.mark.guide("scorekeeper#without-a-connection")
@pytest.mark.one_language
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_opens_while_the_server_does_not_answer(
    mortal: Server, chromium: Any, language: str
) -> None:
    """A network that takes requests and answers none is no network: the copy opens and a deal is kept."""
    made = mortal.ask("sheet", target=5000)
    with a_phone(chromium, mortal, language) as page:
        page.goto(made["page"])
        governed(page)
        write_deal(page, 40)
        number_is(page, 2)
        page.reload()
        assert mortal.process is not None
        os.killpg(mortal.process.pid, signal.SIGSTOP)
        try:
            page.reload()
            write_deal(page, 41)
            kept(page, 2, language)
        finally:
            os.killpg(mortal.process.pid, signal.SIGCONT)
        sent(page)
        number_is(page, 3)
    assert points_of(mortal.ask("read", sheet=made["sheet"])) == [40, 41]
