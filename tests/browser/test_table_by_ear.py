"""With keyboard and accessibility tree alone: a game without a network, and a director's draw.

Elements are found only by role and name, as a screen reader announces them, and used only by keys.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import expect

from .conftest import ON_BOTH
from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    find_network,
    governed,
    in_language,
    kept,
    lose_network,
    sent,
    sign_in,
)

pytestmark = BY_TURNS
STOPS = 90
"""Number of Tab stops within which every element of a page is reached."""


@dataclass
class Reader:
    """A reader of the page by screen reader and keyboard, in their language."""

    page: Any
    language: str

    def word(self, text: str, context: str = "") -> str:
        """Return a text of the page in the reader's language."""
        with translation.override(self.language):
            if context:
                return translation.pgettext(context, text)
            return translation.gettext(text)

    def reach(self, role: str, name: str, *, inside: Any = None) -> Any:
        """Press Tab until the element with this role and name has the focus."""
        wanted = (inside or self.page).get_by_role(role, name=re.compile(re.escape(name)))
        focused = wanted.and_(self.page.locator(":focus"))
        for _stop in range(STOPS):
            self.page.keyboard.press("Tab")
            if focused.count():
                return focused
        return pytest.fail(f"no {role} “{name}” is reached by the keyboard on {self.page.url}")

    def press(self, role: str, name: str) -> None:
        """Move to a button or a link and press it."""
        self.reach(role, name)
        self.page.keyboard.press("Enter")

    def pick(self, group: str, name: str) -> None:
        """Move to a group of choices, then to the choice of this name."""
        choices = self.page.get_by_role("group", name=re.compile(re.escape(group)))
        self.reach("radio", "", inside=choices)
        wanted = choices.get_by_role("radio", name=name, exact=True)
        for _choice in range(choices.get_by_role("radio").count()):
            if wanted.and_(self.page.locator(":focus")).count():
                self.page.keyboard.press("Space")
                expect(wanted).to_be_checked()
                return
            self.page.keyboard.press("ArrowRight")
        pytest.fail(f"“{name}” is not among the choices of “{group}”")

    def heading(self, text: str) -> None:
        """Expect a heading with this text."""
        expect(
            self.page.get_by_role("heading", name=re.compile(re.escape(text))).first
        ).to_be_attached()

    def write_deal(self, number: int, trump: str, points: int) -> None:
        """Enter a deal in the form for this number."""
        self.heading(f"{self.word('Deal')} {number}")
        self.pick(self.word("Trump"), self.word(trump))
        self.reach("textbox", self.word("Card points"))
        self.page.keyboard.type(str(points))
        self.press("button", self.word("Record the deal"))


@ON_BOTH
def test_a_round_is_written_by_ear_without_a_network(
    site: Server, chromium: Any, language: str
) -> None:
    """Two games of two deals, the network lost after the first; in the end all deals arrive once."""
    (table,) = site.ask("hall", tables=1, games=2, deals=2, language=language)["tables"]
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        governed(page)
        reader = Reader(page, language)
        reader.write_deal(1, "hearts", 42)
        reader.heading(f"{reader.word('Deal')} 2")
        lose_network(page.context)
        reader.write_deal(2, "clubs", 37)
        kept(page, 2, language)
        expect(
            page.get_by_role("status").filter(has_text=f"{reader.word('Deal')} 2")
        ).to_be_visible()
        reader.press("link", reader.word("Continue with game %(n)s") % {"n": 2})
        page.wait_for_url("**/?game=2")
        in_language(page, language)
        reader.write_deal(1, "spades", 40)
        reader.write_deal(2, "no trump", 31)
        kept(page, 2, language)
        find_network(page.context)
        sent(page)
        page.locator("#sign").wait_for()
    told = [site.ask("read", sheet=each)["deals"] for each in table["sheets"]]
    assert [
        [
            (deal["entry"]["contract"]["trump"], next(iter(deal["entry"]["points"].values())))
            for deal in deals
        ]
        for deals in told
    ] == [[("H", 42), ("C", 37)], [("S", 40), ("NT", 31)]]


@ON_BOTH
def test_a_director_draws_publishes_and_starts_by_ear(
    site: Server, chromium: Any, language: str
) -> None:
    slug = site.ask("drawable", language=language)["slug"]
    with a_phone(chromium, site, language) as page:
        sign_in(page, site, f"director-{slug}")
        reader = Reader(page, language)
        page.goto(f"/desk/{slug}/")
        reader.press("button", reader.word("Make the draw", "verb"))
        expect(page).to_have_url(re.compile("/jobs/"))
        assert site.ask("work", slug=slug)["jobs"] == 1
        expect(page).to_have_url(re.compile("/draws/"))
        reader.heading(reader.word("Draw of round %(n)s") % {"n": 1})
        tables = page.get_by_role("listitem").filter(has=page.get_by_role("link"))
        expect(tables.filter(has_text=reader.word("Table")).first).to_be_attached()
        reader.press("button", reader.word("Publish now"))
        reader.press("button", reader.word("Start the clock"))
        expect(page.get_by_text(reader.word("The round is in play"))).to_be_visible()
        page.goto(f"/e/{slug}/draw/")
        expect(page.locator(".table-card")).to_have_count(4)
        in_language(page, language)
