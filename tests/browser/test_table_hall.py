"""A round of a whole hall by phones that meet cuts, closed tabs, exchanged phones, wrong clocks, upgrades and crashes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import LANGUAGES
from .serving import Server, phone, server
from .table import (
    find_network,
    governed,
    listen,
    lose_network,
    number_is,
    points_of,
    shown_number,
    sign,
    write_deal,
)
from .test_table_upgrade import upgrade

pytestmark = [pytest.mark.browser, pytest.mark.long]
DEALS, AT_ONCE = 4, 8
HOURS_WRONG = (-26, -1, 0, 0, 1, 30)
WRONG_CLOCK = """{{
  const true_ = Date;
  globalThis.Date = class extends true_ {{
    constructor(...given) {{ given.length ? super(...given) : super(true_.now() + {by}); }}
    static now() {{ return true_.now() + {by}; }}
  }};
}}"""


@dataclass
class Place:
    """A table of the hall with the phone that keeps its score."""

    address: str
    sheet: str
    chance: random.Random
    typed: list[int] = field(default_factory=list)
    context: Any = None
    page: Any = None
    cut: bool = False
    troubles: list[str] = field(default_factory=list)

    def take_phone(self, browser: Any, site: Server) -> None:
        """Open the table's page on a new phone, whose clock may be wrong by hours."""
        self.context = phone(browser, site.url, self.chance.choice(LANGUAGES))
        self.context.set_default_timeout(60_000)
        by = self.chance.choice(HOURS_WRONG) * 3_600_000
        self.context.add_init_script(WRONG_CLOCK.format(by=by))
        self.open()
        governed(self.page)

    def open(self) -> None:
        """Open the table's page in a new tab."""
        self.page = self.context.new_page()
        listen(self.page, self.troubles)
        self.page.goto(self.address)

    def write(self) -> None:
        """Record the next deal; the form then asks for the one behind it, or the game is over."""
        self.typed.append(self.chance.randint(31, 44))
        write_deal(self.page, self.typed[-1])
        self.settle()

    def settle(self) -> None:
        """Wait until the page shows what this phone knows."""
        if len(self.typed) < DEALS:
            shown_number(self.page, len(self.typed) + 1)
        else:
            self.page.locator("[data-deal-form]:visible").wait_for(state="detached")

    def cut_or_mend(self) -> None:
        """Lose the network, or find it again."""
        (find_network if self.cut else lose_network)(self.context)
        self.cut = not self.cut

    def close_and_open(self) -> None:
        """Close the tab, with whatever is on its way, and open it again."""
        self.page.close()
        self.open()
        self.settle()

    def end(self) -> None:
        """Find the network again and wait until the server has everything: its page says so."""
        if self.cut:
            self.cut_or_mend()
        if len(self.typed) < DEALS:
            number_is(self.page, len(self.typed) + 1)
        else:
            self.page.locator("#sign").wait_for()
        expect(self.page.locator("[data-queue]")).to_have_attribute("data-count", "0")

    def exchange(self, browser: Any, site: Server) -> None:
        """Another phone of the table takes the pen."""
        self.end()
        self.context.close()
        self.take_phone(browser, site)
        taking = self.page.locator("button[value=take]")
        if taking.count():
            taking.first.click()
        self.settle()


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """Yield a server to be killed and upgraded."""
    with server(tmp_path) as running:
        yield running


def play(browser: Any, site: Server, tables: int, seed: str) -> None:
    """Play a round of ``tables`` tables, some at once. Check that each sheet has what was typed, once."""
    chance = random.Random(seed)
    hall = site.ask("hall", tables=tables, deals=DEALS)
    places = [
        Place(each["page"], each["sheet"], random.Random(f"{seed} {at}"))
        for at, each in enumerate(hall["tables"])
    ]
    for first in range(0, tables, AT_ONCE):
        here = places[first : first + AT_ONCE]
        for place in here:
            place.take_phone(browser, site)
        steps = 0
        while playing := [place for place in here if len(place.typed) < DEALS]:
            place = chance.choice(playing)
            acts = [place.write] * 4 + [place.cut_or_mend] * 2 + [place.close_and_open]
            chance.choice([*acts, partial(place.exchange, browser, site)])()
            steps += 1
            if steps % 20 == 7:
                upgrade(site)
            elif steps % 20 == 17:
                site.kill()
                if len(place.typed) < DEALS:
                    place.write()
                site.start()
        for place in here:
            place.end()
            sign(place.page, "NS", "EW")
            assert place.troubles == []
            place.context.close()
    for place in places:
        told = site.ask("read", sheet=place.sheet)
        assert points_of(told) == place.typed
        assert [deal["number"] for deal in told["deals"]] == list(range(1, DEALS + 1))
        assert [deal["entry"]["dealer"] for deal in told["deals"]] == list("NESW")
        assert told["versions"] == DEALS
        assert set(told["signed"]) == {"NS", "EW"}
        assert told["finished"]


@pytest.mark.parametrize("tables", [AT_ONCE, 136])
def test_a_hall_loses_and_doubles_nothing(mortal: Server, chromium: Any, tables: int) -> None:
    play(chromium, mortal, tables, f"hall of {tables}")
