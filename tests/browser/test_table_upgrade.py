"""An upgrade while pages are open: a cached page uses the files of its own release, and no deal is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server, server
from .table import (
    BY_TURNS,
    a_phone,
    choose,
    governed,
    hand_in,
    number_is,
    points_of,
    sent,
    shown_number,
    write_deal,
)

pytestmark = BY_TURNS


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """Yield a server to be upgraded and killed."""
    with server(tmp_path) as started:
        yield started


def upgrade(site: Server) -> None:
    """Install the next release: scripts and styles get new names, and the earlier files are removed."""
    site.kill()
    static = Path(site.env["MANILLE_VAR"]) / "static"
    manifest = static / "staticfiles.json"
    names: dict[str, str] = json.loads(manifest.read_text())["paths"]
    renamed = {}
    for hashed in names.values():
        stem, dot, kind = hashed.rpartition(".")
        if kind in ("js", "css"):
            renamed[hashed] = f"{stem}0{dot}{kind}"
    for hashed, newer in renamed.items():
        text = (static / hashed).read_text()
        for each, name in renamed.items():
            text = text.replace(Path(each).name, Path(name).name)
        (static / newer).write_text(text)
    for hashed in renamed:
        for left in static.glob(f"{hashed}*"):
            left.unlink()
    text = manifest.read_text()
    for hashed, newer in renamed.items():
        text = text.replace(f'"{hashed}"', f'"{newer}"')
    manifest.write_text(text)
    site.start()


def files(page: Any) -> str:
    """Return the version of the files that the page was loaded with."""
    return str(page.locator("[data-table]").get_attribute("data-files"))


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_a_page_kept_over_an_upgrade_opens_with_its_own_files(
    own: Server, chromium: Any, language: str
) -> None:
    made = own.ask("sheet", target=500)
    with a_phone(chromium, own, language) as page:
        page.goto(made["page"])
        governed(page)
        earlier = files(page)
        write_deal(page, 40)
        number_is(page, 2)
        upgrade(own)
        # The open page loads a fresh copy of the sheet from the newer release.
        write_deal(page, 41)
        number_is(page, 3)
        own.kill()
        page.reload()
        assert files(page) == earlier
        shown_number(page, 3)  # the copy is older than the second deal, which this phone remembers
        write_deal(page, 43)
        page.locator("[data-queued=waiting]").wait_for()
        own.start()
        sent(page)
        number_is(page, 4)
        page.reload()
        later = files(page)
        assert later != earlier
        expect(page.locator("[data-deal-form]")).to_be_visible()
        page.evaluate(
            "async () => { for (;;) { const names = await caches.keys();"
            " if (names.filter((name) => name.startsWith('table-')).length === 1"
            " && (await (await caches.open(names.find((name) => name.startsWith('table-')))).keys())"
            ".some((each) => each.url.includes('/t/'))) return;"
            " await new Promise((done) => setTimeout(done, 100)); } }"
        )
        own.kill()
        page.reload()
        assert files(page) == later
        write_deal(page, 44)
        page.locator("[data-queued=waiting]").wait_for()
        own.start()
        sent(page)
    assert points_of(own.ask("read", sheet=made["sheet"])) == [40, 41, 43, 44]


def test_a_deal_that_the_browser_sends_to_nobody_stands_in_its_form_again(
    own: Server, chromium: Any, language: str
) -> None:
    made = own.ask("sheet")
    with a_phone(chromium, own, language) as page:
        page.goto(made["page"])
        governed(page)
        page.locator("[data-queue]").wait_for(state="attached")
        choose(page, "trump", "D")
        page.fill("[name=points]", "37")
        own.kill()
        with page.expect_navigation():
            # As in a browser without the page's script: the form is submitted directly.
            page.locator("[data-deal-form]").evaluate("form => form.submit()")
        expect(page.locator("[name=points]")).to_have_value("37")
        expect(page.locator("[name=trump][value=D]")).to_be_checked()
        own.start()
        hand_in(page)
        number_is(page, 2)
    (deal,) = own.ask("read", sheet=made["sheet"])["deals"]
    assert deal["entry"]["points"] == {"NS": 37}
    assert deal["entry"]["contract"]["trump"] == "D"


STYLED = "() => getComputedStyle(document.body).fontFamily.includes('Plex')"


def test_public_pages_kept_before_an_upgrade_keep_their_looks(
    own: Server, chromium: Any, language: str
) -> None:
    hall = own.ask("hall", tables=1, language=language)
    home, draw = f"/e/{hall['slug']}/", f"/e/{hall['slug']}/draw/"
    with a_phone(chromium, own, language) as page:
        page.goto(home)
        page.evaluate(
            "scope => navigator.serviceWorker.register(document.body.dataset.worker, { scope })",
            home,
        )
        governed(page)
        page.reload()
        page.goto(draw)
        assert page.evaluate(STYLED)
        upgrade(own)
        page.goto(home)
        page.evaluate("navigator.serviceWorker.getRegistration().then((each) => each.update())")
        page.reload()
        # The server is killed after the new worker is installed, not during the installation.
        page.wait_for_function(
            "navigator.serviceWorker.getRegistration().then((each) => each.active && !each.installing)"
        )
        own.kill()
        page.goto(draw)
        assert page.evaluate(STYLED)
