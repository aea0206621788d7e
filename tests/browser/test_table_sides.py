"""Every form of a deal shows and accepts the counted side: correction, and both forms of staff."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import BY_TURNS, a_phone, choose, sign_in

pytestmark = BY_TURNS
NAMES = {
    "NS": {"en": "N-S", "fr": "N-S", "nl": "N-Z"},
    "EW": {"en": "E-W", "fr": "E-O", "nl": "O-W"},
}
CARD_POINTS = {"en": "Card points", "fr": "Points de cartes", "nl": "Kaartpunten"}


def counted(site: Server, sheet: str, number: int) -> dict[str, int]:
    """Return the stored points of a deal, by the counted side."""
    deals = site.ask("read", sheet=sheet)["deals"]
    found: dict[str, int] = deals[number - 1]["entry"]["points"]
    return found


def says(page: Any, side: str, language: str, *, script: bool) -> None:
    """Expect the form to have this side selected, and its field of points to name no other."""
    expect(page.locator(f"form input[name=side][value={side}]")).to_be_checked()
    label = NAMES[side][language] if script else CARD_POINTS[language]
    expect(page.locator("label#points-side")).to_have_text(label)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_each_form_of_a_deal_says_and_takes_the_side_that_was_counted(
    site: Server, chromium: Any, language: str, script: bool
) -> None:
    hall = site.ask("hall", tables=1, deals=8, language=language)
    (table,) = hall["tables"]
    sheet = table["sheet"]
    site.ask("write", sheet=sheet, points=[40, 41])
    written = [counted(site, sheet, number) for number in (1, 2)]
    assert [list(each) for each in written] == [["NS"], ["EW"]]
    with a_phone(chromium, site, language, java_script_enabled=script) as page:
        sign_in(page, site, f"director-{hall['slug']}")
        for number, deal in enumerate(written, 1):
            ((side, points),) = deal.items()
            for form in (f"{table['page']}1/{number}/", f"/sheet/{sheet}/?deal={number}"):
                page.goto(site.url + form)
                says(page, side, language, script=script)
                points -= 1
                page.fill("[name=points]", str(points))
                page.fill("form:has([name=points]) [name=reason]", "one less")
                with page.expect_navigation():
                    page.press("[name=points]", "Enter")
                assert counted(site, sheet, number) == {side: points}
        for number, side in ((3, "EW"), (4, "NS")):
            page.goto(f"{site.url}/sheet/{sheet}/")
            page.locator("details:has(input[name=points]) > summary").first.click()
            choose(page, "side", side)
            says(page, side, language, script=script)
            choose(page, "trump", "H")
            page.fill("[name=points]", "33")
            with page.expect_navigation():
                page.press("[name=points]", "Enter")
            assert counted(site, sheet, number) == {side: 33}


def test_a_correction_follows_the_side_that_is_chosen(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet")
    site.ask("write", sheet=made["sheet"], points=[40])
    with a_phone(chromium, site, language) as page:
        page.goto(f"{site.url}{made['page']}1/1/")
        says(page, "NS", language, script=True)
        choose(page, "side", "EW")
        says(page, "EW", language, script=True)
        page.fill("[name=points]", "25")
        expect(page.locator("[data-points-other]")).to_have_text("35")
        expect(page.locator(".points__say")).to_contain_text(NAMES["NS"][language])
        page.fill("#id_reason", "the other side was counted")
        with page.expect_navigation():
            page.press("[name=points]", "Enter")
    assert counted(site, made["sheet"], 1) == {"EW": 25}
