"""Page weight of a championship on a phone: bytes, requests, and no blocking resources."""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

import pytest
from django.test import Client

from tests.tournament.build import SYSTEM, make_event
from tournament.demo.simulation import draw_and_publish
from tournament.models import Round

pytestmark = pytest.mark.django_db
STATIC = Path(__file__).resolve().parents[2] / "static"
PAGES = [
    "",
    "draw/",
    "draw/?by=name",
    "standings/",
    "players/",
    "rulings/",
    "players/17/",
    "standings/1/clubs/",
]
LIMIT = 50_000
"""Limit in bytes as transferred for everything together (the order for a field of 544)."""
FONTS = 80_000
"""Bytes of the fonts, of which a page fetches half: the letters of western names in two weights."""
REQUESTS = 8


def fetched(html: str) -> set[str]:
    """Return every file that a browser fetches for the page: style, scripts, their imports, images."""
    named = re.findall(r'(?:src|href)="/static/([^"]+)"', html)
    names = {re.sub(r"\.[0-9a-f]{12}(?=\.\w+$)", "", name) for name in named}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        text = (STATIC / name).read_text() if name.endswith((".css", ".js")) else ""
        for found in re.findall(r'(?:url\(|from |import )["\']?\.?/?([-\w./]+\.\w+)["\')]', text):
            if found not in names:
                names.add(found)
                waiting.append(found)
    return {name for name in names if not name.startswith("icons/icon-")}


@cache
def weight(name: str) -> int:
    plain = (STATIC / name).read_bytes()
    return min(len(plain), len(gzip.compress(plain, 9)))


@pytest.fixture(scope="module", autouse=True)
def hall(module_database: None) -> None:
    """Seat 544 players for their first round; these tests only read."""
    event = make_event(544, cut=128, slug="hall")
    draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)


def test_544_rows_are_small_on_the_line(client: Client) -> None:
    page = client.get("/e/hall/standings/", headers={"accept-encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert len(page.content) < 50_000
    assert gzip.decompress(page.content).count(b"<tr data-entrant=") == 544


def test_a_page_of_544_players_with_everything_is_light_and_nothing_holds_up_its_paint() -> None:
    style = (STATIC / "css/app.css").read_text()
    for path in PAGES:
        answer = Client().get(
            f"/e/hall/{path}", headers={"accept-encoding": "gzip", "accept-language": "nl"}
        )
        html = gzip.decompress(answer.content).decode()
        named = fetched(html)
        fonts = {name for name in named if name.endswith((".woff2", ".ttf", ".otf"))}
        files = named - fonts
        total = len(answer.content) + sum(weight(name) for name in files)
        assert total <= LIMIT, (path, total, len(answer.content))
        assert 1 + len(files) <= REQUESTS, (path, files)
        # Scripts may run late or in parallel, never first; one style sheet, and the page does not shift when our
        # font replaces the phone's.
        scripts = re.findall(r"<script\b[^>]*>", html)
        assert scripts
        assert all(' type="module"' in tag or " defer" in tag for tag in scripts), scripts
        assert len(re.findall(r'<link rel="stylesheet"', html)) == 1
        assert 0 < sum(weight(name) for name in fonts) <= FONTS, fonts
        assert set(re.findall(r"font-display: (\w+)", style)) == {"optional"}
        assert style.count("@font-face") == len(fonts)


def test_the_weight_counts_what_scripts_and_styles_name() -> None:
    assert fetched('<link href="/static/css/app.css">') >= {"css/app.css"}
    assert 0 < weight("css/app.css") < (STATIC / "css/app.css").stat().st_size / 3
