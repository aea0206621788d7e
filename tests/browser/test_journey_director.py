"""The director's day with 47 players, from the pasted list to the archive, by the desk's own buttons.

Only deals are entered through the services, as phones would enter them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Inside, Service, looking
from tests.browser.test_journeys import press, sign_in
from tests.programs import ROOT
from tests.tournament.documents.reading import whole_text
from tournament.demo.story import names

pytestmark = [pytest.mark.browser, pytest.mark.long]

PEOPLE = [name for name, _club in names(49, "director")]
"""48 pasted names, one of whom never comes, and one who comes after the first round."""
WRONG, RIGHT = "Jn Mais", "Jan Maes-Dubois"
CORRECTED, TWICE, LEAVES, ABSENT, LATE, DOUBLE = 1, 5, 7, 46, 49, 50
"""Start numbers: one withdraws without a rank, one never plays, one is entered twice."""


def open_event(page: Any, service: Service) -> str:
    """Open a championship of two rounds, a semi-final and a final by its card. Return its slug."""
    page.goto(f"{service.url}/desk/new/")
    page.check("[name=kind][value=championship]", force=True)
    page.fill("[name=players]", "47")
    press(page, "main form button[type=submit]")
    page.fill("[name=name]", "Les quarante-sept")
    page.click("main details.fold > summary")
    page.fill("[name=day]", "2026-11-28")
    for name, value in {"rounds": "2", "deals": "2", "cut": "16"}.items():
        page.fill(f"[name={name}]", value)
    press(page, "main form button[type=submit]")
    found = re.search(r"/desk/([-\w]+)/players/import/", page.url)
    assert found is not None, page.inner_text("main")
    return found[1]


def paste(page: Any) -> None:
    """Paste the list from a message, with a mistyped name."""
    listed = [WRONG, *PEOPLE[1:48]]
    page.fill("#paste [name=text]", "\n".join(listed))
    press(page, "#paste button[type=submit]")
    press(page, "[name=confirm]")
    page.wait_for_selector(".job--done")


def texts(places: Any) -> list[str]:
    """Return the texts of elements without surrounding space."""
    return [text.strip() for text in places.all_text_contents()]


def check_archive(packed: bytes, folder: Path) -> str:
    """Run the independent checker on an archive. Return its output."""
    path = folder / "event.manille.gz"
    path.write_bytes(packed)
    checked = subprocess.run(
        [sys.executable, "manille_check.py", str(path)], cwd=ROOT, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    return checked.stdout


class Desk:
    """The director at the desk of one event."""

    def __init__(self, page: Any, service: Service, slug: str) -> None:
        self.page, self.home, self.slug = page, f"{service.url}/desk/{slug}", slug
        self.public = f"{service.url}/e/{slug}"

    def go(self, path: str = "") -> None:
        self.page.goto(f"{self.home}/{path}")

    def step(self, selector: str) -> None:
        """Press the desk's next step."""
        self.go()
        press(self.page, f"#next-step {selector}")

    def draw(self, *, without: bool = False) -> None:
        """Draw (``without`` absent players), review, publish and start the clock."""
        if without:
            self.step("a[href$='/rounds/']")
            press(self.page, "main form[action$='/draw/'] button >> nth=0")
        else:
            self.step("form[action$='/draw/'] button")
        self.page.wait_for_selector(".job--failed, [name=act][value=publish]")
        assert self.page.locator(".job--failed").count() == 0, self.page.inner_text("main")
        press(self.page, "[name=act][value=publish]")
        self.step("form[action$='/start/'] button")

    def close(self, inside: Inside) -> None:
        """Play every table to its end and close the round."""
        inside.ask("play", slug=self.slug)
        self.step("form[action$='/close/'] button")

    def player(self, number: int, fold: str = "") -> None:
        """Open a player's page and one of its folds."""
        self.go(f"players/{number}/")
        if fold:
            self.page.click(f"details:has({fold}) > summary")

    def take_on(self, count: int) -> None:
        """Open the cut, draw lots for ties, and take the qualifiers into the next stage."""
        self.step("a[href*='/cut/']")
        if self.page.locator("[name=verb][value=lots]").count():
            press(self.page, "[name=verb][value=lots]")
        expect(self.page.locator("#through tbody tr")).to_have_count(count)
        press(self.page, "[name=verb][value=open]")

    def document(self, kind: str, **more: str) -> str:
        """Print a document on the page of documents. Return its text."""
        self.go(f"documents/?kind={kind}")
        self.page.click("main form.stack details summary")
        for name, value in more.items():
            self.page.fill(f"[name={name}]", value)
        press(self.page, "main form.stack button[type=submit]")
        return whole_text(self.made())

    def made(self) -> bytes:
        """Return the file produced by the job on the page."""
        self.page.wait_for_selector(".job--done a.button")
        address = self.page.locator(".job--done a.button").first.get_attribute("href")
        answer = self.page.request.get(self.home.split("/desk/")[0] + address)
        assert answer.ok
        return bytes(answer.body())


def sit_at_wrong_tables(desk: Desk, inside: Inside) -> None:
    """Exchange two players who sat at each other's table, found after two deals, with all their deals."""
    page = desk.page
    sheets = inside.ask("first_sheets", slug=desk.slug, tables=2)
    for sheet in sheets:
        inside.ask("write", sheet=sheet, points=[40, 37])
    before = [inside.ask("read", sheet=sheet) for sheet in sheets]
    page.goto(f"{desk.home}/rounds/")
    press(page, "main .sheet a[href*='/draws/'] >> nth=0")
    cards = page.locator("#draw .table-card")
    press(page, "#draw .table-card >> nth=0 >> .seats a >> nth=0")
    one = cards.nth(0).locator(".seats li.is-me").get_attribute("data-entrant")
    two = cards.nth(1).locator(".seats li").nth(2).get_attribute("data-entrant")
    press(page, f"#draw .table-card >> nth=1 >> li[data-entrant='{two}'] a")
    expect(page.locator("#concerned .table-card, #cost .table-card")).to_have_count(2)
    page.fill("#reason", "assis à la mauvaise table")
    press(page, "[name=act][value=make]")
    expect(cards.nth(0).locator(f"li[data-entrant='{two}']")).to_have_count(1)
    expect(cards.nth(1).locator(f"li[data-entrant='{one}']")).to_have_count(1)
    assert [inside.ask("read", sheet=sheet) for sheet in sheets] == before


@pytest.mark.guide("director#a-round")
@pytest.mark.one_language
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_the_directors_day(
    chromium: Any, service: Service, inside: Inside, language: str, tmp_path: Path
) -> None:
    with looking(chromium, 1280, language) as page:
        sign_in(page, service)
        desk = Desk(page, service, open_event(page, service))
        paste(page)
        desk.go("stages/1/")
        page.fill("[name=top]", "")
        page.check("[name=half]")
        press(page, "main form:has([name=half]) button[type=submit] >> nth=0")
        desk.go("players/?state=registered")
        page.check(f"#p-{ABSENT} [name=but]")
        press(page, "#all-but button")
        desk.draw(without=True)

        # Round 1: the clock is paused, a name and the day are corrected, two players sat at wrong tables.
        press(page, "#next-step form[action$='/pause/'] button")
        desk.player(CORRECTED)
        page.fill("[name=name]", RIGHT)
        press(page, "[name=verb][value=correct]")
        desk.go("settings/")
        page.fill("[name=day]", "2026-11-29")
        page.fill("[name=hide_last_rounds]", "1")
        press(page, "main form:has([name=day]) button[type=submit]")
        sit_at_wrong_tables(desk, inside)
        desk.step("form[action$='/resume/'] button")
        desk.close(inside)
        page.goto(f"{desk.public}/players/?q=mais")
        assert WRONG not in page.inner_text("main")
        page.goto(f"{desk.public}/players/?q=dubois")
        expect(page.locator("main")).to_contain_text(RIGHT)

        # Between the rounds: two withdraw, one is added, and one of the two is entered again.
        for number in (LEAVES, TWICE):
            desk.player(number, "[value=withdraw]")
            press(page, "[name=verb][value=withdraw]")
        for name, known in ((PEOPLE[48], 0), (PEOPLE[TWICE - 1].upper(), 1)):
            desk.go("players/")
            page.click("details:has(#id_name) > summary")
            page.fill("#id_name", name)
            press(page, "details:has(#id_name) button[type=submit]")
            # A known name raises a question; the entrant is registered again all the same.
            expect(page.locator("[name=anyway]")).to_have_count(known)
            if known:
                press(page, "details:has(#id_name) button[type=submit]")
        desk.draw(without=True)
        desk.player(TWICE, "[name=merge-double]")
        page.fill("[name=merge-double]", str(DOUBLE))
        press(page, "form[action='#twice'] button")
        press(page, "[name=verb][value=merge]")
        desk.close(inside)

        # The cut, the semi-final, the final.
        desk.take_on(24)
        desk.draw()
        desk.close(inside)
        desk.take_on(8)
        desk.draw()
        page.goto(f"{desk.public}/standings/")
        assert page.locator("main tr[data-entrant]").count() == 0
        desk.close(inside)

        # The end: a key reveals the ranks from last to first, which ends the hiding.
        desk.step("a[href$='/reveal/']")
        listed = page.locator("[data-reveal-row]")
        expect(listed).to_have_count(47)
        revealed = texts(listed.locator(".reveal__name"))
        for place in range(47):
            page.keyboard.press("Space")
            expect(listed.nth(46 - place)).to_be_visible()
        expect(page.locator("[data-reveal-ended]")).to_be_visible()
        desk.step("form:has([value=final]) button")

        # The overall ranking lists every entrant who played and stayed: on the page, in prizes and on diplomas.
        page.goto(f"{desk.public}/standings/overall/")
        rows = page.locator("main tr[data-entrant]")
        ranks = texts(rows.locator(".rank"))
        assert all(
            int(rank.removesuffix("=")) == at or (rank == ranks[at - 2] and "=" in rank)
            for at, rank in enumerate(ranks[:47], 1)
        )
        numbers = [int(row.get_attribute("data-entrant")) for row in rows.all()]
        assert sorted(numbers[:47]) == sorted({*range(1, 50)} - {LEAVES, ABSENT})
        assert DOUBLE not in numbers
        assert texts(rows.locator("th a"))[:47] == revealed
        prizes = desk.document("prizes", prizes="1: 250\n2-47: 5")
        diplomas = desk.document("certificates", top="47")
        for name in revealed:
            assert name in prizes
            assert name in diplomas
        assert (
            diplomas.count({"fr": "sur 47 au classement", "nl": "van 47 geklasseerden"}[language])
            == 47
        )
        desk.go("documents/")
        press(page, "form[action$='/archive/'] button")
        assert check_archive(desk.made(), tmp_path)
        desk.step("a[href$='/finish/']")
        press(page, "main form button[type=submit] >> nth=0")
        desk.go()
        expect(page.locator("#next-step a[href$='/documents/']")).to_be_visible()
    with looking(chromium, 360, language) as phone:
        phone.goto(f"{desk.public}/standings/overall/")
        expect(phone.locator("main tr[data-entrant]").first).to_contain_text(revealed[0])
        phone.goto(f"{desk.public}/")
        expect(phone.locator("main")).to_contain_text(re.compile("29"))
