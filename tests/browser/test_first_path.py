"""A director, a scorekeeper and a player go their way through an empty installation."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.conftest import Service, looking
from tests.browser.table import choose, hold
from tournament.demo.story import names

pytestmark = [pytest.mark.browser, pytest.mark.long]

PASSWORD = "kaarten-op-tafel-9"


def players_file(folder: Path, *, bad: bool = False) -> Path:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";")
    writer.writerow(["Nr", "Naam", "Club"])
    for number, (name, club) in enumerate(names(16, "browser"), start=1):
        writer.writerow(["x" if bad and number == 5 else number, name, club])
    path = folder / ("bad.csv" if bad else "players.csv")
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def direct(page: Any, service: Service, tmp_path: Path) -> None:
    """Create account and event, import with and without an error, check in, draw, publish, start the clock."""
    page.goto(service.url + "/login/")
    page.fill("[name=code]", service.manage("setup_code").rsplit(":", 1)[1].strip())
    page.fill("[name=username]", "directeur")
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.click("main button[type=submit]")
    page.check("[name=kind][value=championship]")
    page.click("main form button[type=submit]")
    page.fill("[name=name]", "Beker van Oostende")
    page.click("details.fold > summary")
    page.fill("[name=deals]", "1")
    page.fill("[name=cut]", "8")
    page.click("main button[type=submit]")
    page.set_input_files("[name=file]", players_file(tmp_path, bad=True))
    page.click("main form:has([name=file]) button[type=submit]")
    assert "row needs correction" in page.inner_text("main")
    assert "“x” is not a number" in page.inner_text("main")
    page.click("main details:has([name=file]) > summary")
    page.set_input_files("[name=file]", players_file(tmp_path))
    page.click("main form:has([name=file]) button[type=submit]")
    page.click("[name=confirm]")
    page.wait_for_selector("text=16 players imported")
    page.goto(service.url + "/desk/beker-van-oostende/")
    page.click("text=Everybody is here")
    page.goto(service.url + "/desk/beker-van-oostende/rounds/")
    page.click("main form[action$='/draw/'] button >> nth=0")
    see(page, service.url + "/desk/beker-van-oostende/rounds/", "main a[href*='/draws/']")
    page.click("main a[href*='/draws/']")
    page.click("[name=act][value=publish]")
    page.goto(service.url + "/desk/beker-van-oostende/rounds/")
    page.click("main form[action$='/start/'] button")
    assert "in play" in page.inner_text("main")


def see(page: Any, address: str, selector: str) -> None:
    """Reload the page until the worker's result appears."""
    for _load in range(60):
        page.goto(address)
        try:
            page.wait_for_selector(selector, timeout=500)
        except TimeoutError:
            continue
        return
    pytest.fail(f"{selector} never came")


def table_link(service: Service) -> str:
    return service.manage("table_links", "beker-van-oostende").splitlines()[0].split()[1]


def write(page: Any, points: int) -> None:
    choose(page, "trump", "H")
    page.fill("[data-deal-form] input[name=points]", str(points))
    page.click("[data-write]")


def keep_score(page: Any, service: Service) -> None:
    """Open the table's link on a phone: an impossible total is refused with a message, then deal and signatures."""
    address = service.url + table_link(service)
    page.goto(address)
    write(page, 75)
    page.wait_for_selector(".points__say[data-bad], [role=alert]")
    assert page.input_value("[data-deal-form] input[name=points]") == "75"
    for game in range(1, 4):
        page.goto(f"{address}?game={game}")
        write(page, 40)
        for waiting in (2, 1):
            page.wait_for_selector("#sign")
            expect(page.locator(".signers")).to_have_count(waiting)
            hold(page.locator(".signers button").first)
        page.wait_for_selector(".state--finished")


def read(page: Any, service: Service) -> None:
    """Find the player's table and read the standings, in French."""
    page.goto(service.url + "/e/beker-van-oostende/")
    page.fill("main [name=q]", "1")
    page.press("main [name=q]", "Enter")
    page.wait_for_url("**/players/1/")
    assert "1" in page.inner_text(".now")
    page.goto(service.url + "/e/beker-van-oostende/standings/")
    rows = page.locator("tbody tr[data-entrant]")
    assert rows.count() == 16
    # 40 points of 60 are 10 marks for the side that took them: four players gained in each game.
    assert page.locator("tbody tr[data-entrant]:has-text('+')").count() >= 1


def test_the_first_path(chromium: Any, service: Service, tmp_path: Path) -> None:
    with looking(chromium, 1280) as desktop:
        direct(desktop, service, tmp_path)
    with looking(chromium, 360) as phone:
        keep_score(phone, service)
    with looking(chromium, 360, language="fr") as phone:
        read(phone, service)
