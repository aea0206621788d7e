"""Rows before tools: how much of a large hall the first screen of a desk shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Inside, Service, looking
from tests.browser.inside import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.long]

WHOLE = """(rows) => [...document.querySelectorAll(rows)]
  .filter((row) => row.checkVisibility() && row.getBoundingClientRect().bottom <= innerHeight).length"""
"""Counts the rows that the window shows whole."""


@pytest.fixture(scope="module")
def slug(inside: Inside) -> str:
    """Create an event of 544 players whose first round is in play; return its address."""
    return str(inside.ask("hall", tables=136)["slug"])


@pytest.mark.parametrize("language", ["fr", "nl"])
def test_a_wide_screen_shows_the_whole_hall_and_many_players(
    chromium: Any, service: Service, slug: str, language: str
) -> None:
    with looking(chromium, 1920, language) as page:
        page.goto(f"{service.url}/login/")
        page.fill("[name=username]", f"director-{slug}")
        page.fill("[name=password]", PASSWORD)
        page.click("main button[type=submit]")
        for size, path, rows, least in (
            ((1920, 1080), "room", ".room > li", 136),
            ((1280, 800), "room", ".room > li", 60),
            ((1920, 1080), "players", "table.players tbody tr", 30),
            ((1280, 800), "players", "table.players tbody tr", 16),
            ((1920, 1080), "e/draw", ".draw > li", 40),
        ):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            where, _, public = path.rpartition("/")
            page.goto(f"{service.url}/{where or 'desk'}/{slug}/{public}/")
            shown = page.evaluate(WHOLE, rows)
            assert shown >= least, f"{path} at {size}: {shown} rows"
        page.set_viewport_size({"width": 1920, "height": 1080})


@pytest.fixture(scope="module")
def played(inside: Inside) -> str:
    """Create an event of 64 players who have played a round; return its address."""
    made = str(inside.ask("evening", language="fr", players=64)["slug"])
    inside.ask("play", slug=made)
    return made


@pytest.mark.parametrize("language", ["fr", "nl"])
@pytest.mark.parametrize(
    ("size", "rows", "least"),
    [
        ((1280, 800), ".standings tbody tr", 14),
        ((360, 720), ".standings tbody th > :first-child", 4),
    ],
)
def test_the_first_screen_of_standings_shows_who_leads(
    chromium: Any,
    service: Service,
    played: str,
    language: str,
    size: tuple[int, int],
    rows: str,
    least: int,
) -> None:
    with looking(chromium, size[0], language) as page:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for _visit in range(2):  # at the second the type of the pages is there
            page.goto(f"{service.url}/e/{played}/standings/")
            page.locator(rows).nth(least).wait_for()
        assert page.evaluate(WHOLE, rows) >= least


def test_the_first_visit_of_a_hall_screen_is_set_in_the_type_of_the_paper(
    chromium: Any, service: Service, slug: str
) -> None:
    with looking(chromium, 1920, "nl") as page:
        page.goto(f"{service.url}/e/{slug}/wall/")
        page.wait_for_function("document.fonts.status === 'loaded'")
        devtools = page.context.new_cdp_session(page)
        devtools.send("DOM.enable")
        devtools.send("CSS.enable")
        root = devtools.send("DOM.getDocument")["root"]["nodeId"]
        name = devtools.send("DOM.querySelector", {"nodeId": root, "selector": ".wall__name"})
        fonts = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": name["nodeId"]})["fonts"]
        assert [font["familyName"] for font in fonts] == ["IBM Plex Sans SmBld"]
