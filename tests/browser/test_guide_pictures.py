"""The guides' tasks are walked on the running demo, in each language, and their pictures taken on the way.

``make pictures`` keeps what was taken in ``static/guides``; without it the walk is only made.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from scoring.texts import Message
from tests.browser.conftest import Service, looking, running
from tests.browser.table import choose, digits, hand_in
from tests.programs import ROOT
from tournament.documents.guides import BUTTONS, GUIDES
from tournament.views.guides import PICTURES

pytestmark = [pytest.mark.browser, pytest.mark.long]

PASSWORD = "manille-demo"
TABLE = """
from django.db.models import Count
from tournament.tables.links import table_token
from tournament.tables.models import Sheet
waiting = Sheet.objects.filter(state="open").annotate(written=Count("deals"))
print(table_token(waiting.filter(written__gt=0).order_by("written", "pk").first().table))
"""
KEPT = ROOT / "static" / "guides"
MOST = 40_000


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("demo"), "--demo") as started:
        yield started


class Walk:
    """One reader's way through the pages; ``show`` takes the picture of a task."""

    def __init__(self, page: Any, demo: Service, language: str) -> None:
        self.page, self.demo, self.language = page, demo, language
        self.shown: dict[str, bytes] = {}

    def open(self, path: str) -> None:
        answer = self.page.goto(self.demo.url + path)
        assert answer.status == 200, path
        self.page.reload()  # a fresh visitor is shown a page before its type has come

    def table(self) -> str:
        """The code on the slip of a table that has deals to play."""
        return self.demo.manage("shell", "-v", "0", "-c", TABLE).split()[-1]

    def say(self, text: Message) -> str:
        return text.render(self.language)

    def sign_in(self, name: str) -> None:
        self.open("/login/")
        self.page.fill("input[name=username]", name)
        self.page.fill("input[name=password]", PASSWORD)
        self.page.click("main button[type=submit]")
        self.page.wait_for_url(lambda address: "/login" not in address)

    def show(self, guide: str, key: str) -> None:
        assert key in {part.key for part in GUIDES[guide].parts}
        self.page.evaluate("document.fonts.ready")
        picture = Image.open(io.BytesIO(self.page.screenshot()))
        written = io.BytesIO()
        picture.convert("RGB").save(written, "WEBP", quality=60, method=6)
        assert len(written.getvalue()) <= MOST, (guide, key)
        self.shown[f"{guide}-{key}"] = written.getvalue()


def player(walk: Walk) -> None:
    """Finds their table by number, says who they are, reads the standings."""
    walk.open("/e/wk-demo/")
    walk.page.fill("input[name=q]", "12")
    walk.page.press("input[name=q]", "Enter")
    walk.open("/e/wk-demo/players/12/")
    me = walk.page.get_by_role("button", name=walk.say(BUTTONS["me"]))
    expect(me).to_be_visible()
    walk.show("player", "table")
    me.click()
    walk.open("/e/wk-demo/standings/")
    expect(walk.page.locator("table, .rows").first).to_be_visible()
    walk.show("player", "results")


def scorekeeper(walk: Walk) -> None:
    """Records a deal on the phone of the table; the sheet shows it."""
    walk.open(f"/t/{walk.table()}/")
    keep = walk.page.get_by_role("button", name=walk.say(BUTTONS["keep"]))
    if keep.count():
        keep.click()
    number = walk.page.locator("[data-deal-form]").get_attribute("data-number")
    choose(walk.page, "trump", "H")
    digits(walk.page, 34)
    walk.page.locator("[data-deal-form]").scroll_into_view_if_needed()
    walk.show("scorekeeper", "deal")
    hand_in(walk.page)
    sure = walk.page.get_by_role("button", name=walk.say(BUTTONS["sure"]))
    done = walk.page.locator(f"[data-deal-form]:not([data-number='{number}']), .sign")
    expect(sure.or_(done).first).to_be_visible()
    if sure.count():
        sure.click()
    expect(walk.page.locator(f"[data-deal-form][data-number='{number}']")).to_have_count(0)


def referee(walk: Walk) -> None:
    """Sees the calls, and begins an incident that nobody called for."""
    walk.sign_in("referee")
    walk.open("/referee/wk-demo/")
    walk.show("referee", "call")
    walk.open("/referee/wk-demo/new/")
    expect(walk.page.locator("h1")).to_have_text(walk.say(BUTTONS["incident"]))
    walk.show("referee", "facts")


def director(walk: Walk) -> None:
    """Looks at the next step, the door, a published draw and what is open at the end."""
    walk.sign_in("director")
    walk.open("/desk/wk-demo/")
    walk.show("director", "round")
    walk.open("/desk/wk-demo/players/")
    walk.show("director", "door")
    walk.open("/desk/wk-demo/finish/")
    expect(walk.page.locator("h1")).to_be_visible()
    walk.show("director", "end")


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
@pytest.mark.parametrize("reader", [player, scorekeeper, referee, director])
def test_a_guide_is_walked_and_pictured(
    demo: Service, chromium: Any, reader: Any, language: str
) -> None:
    with looking(chromium, 360, language) as page:
        walk = Walk(page, demo, language)
        page.set_viewport_size({"width": 360, "height": 600})
        reader(walk)
    assert walk.shown
    for name, picture in walk.shown.items():
        if os.environ.get("KEEP_PICTURES"):
            kept = KEPT / language / f"{name}.webp"
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(picture)
        else:
            assert f"{language}/{name}" in PICTURES


def test_each_kept_picture_is_small_and_of_a_task() -> None:
    tasks = {f"{guide.name}-{part.key}" for guide in GUIDES.values() for part in guide.parts}
    for name in PICTURES:
        file = Path(KEPT / f"{name}.webp")
        assert file.stat().st_size <= MOST
        assert file.stem in tasks
