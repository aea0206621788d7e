"""The form of a new event offers only formats that fit the game, and explains immediately why others do not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Service, looking
from tests.browser.test_journeys import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.long]

TWO_AGAINST_TWO = {
    "pairs_swiss",
    "pairs_mitchell",
    "round_robin",
    "pools_ko",
    "ko",
    "rainbow",
    "whist",
}


@pytest.mark.parametrize(
    ("language", "why"), [("fr", "chacun joue contre tous"), ("nl", "ieder tegen allen")]
)
def test_the_form_offers_only_what_fits_and_says_why_at_once(
    chromium: Any, service: Service, language: str, why: str
) -> None:
    with looking(chromium, 360, language) as page:
        sign_in(page, service)
        page.goto(f"{service.url}/desk/new/?kind=club&players=8")
        page.click("main details.fold > summary")
        shut = page.locator("[name=shape] option:disabled")
        said = page.locator(".field:has([name=shape]) [role=status]")
        page.select_option("[name=shape]", "pairs_swiss")
        assert shut.count() == 0
        page.select_option("[name=rulebook]", "three-player")
        values = shut.evaluate_all("options => options.map((option) => option.value)")
        assert set(values) == TWO_AGAINST_TWO
        assert page.input_value("[name=shape]") not in TWO_AGAINST_TWO
        assert why in said.inner_text()
        page.select_option("[name=rulebook]", "belgian")
        assert shut.count() == 0
        assert said.inner_text() == ""


def test_the_number_of_tables_follows_the_rulebook(chromium: Any, service: Service) -> None:
    with looking(chromium, 360, "fr") as page:
        sign_in(page, service)
        page.goto(f"{service.url}/desk/new/?kind=club&players=6")
        line = page.locator("[data-by-rulebook]")
        assert line.inner_text().startswith("6 joueurs = 1 table, 2 ")
        page.select_option("[name=rulebook]", "three-player")
        assert line.inner_text().startswith("6 joueurs = 2 tables, 3 tours")
        page.select_option("[name=rulebook]", "belgian")
        assert line.inner_text().startswith("6 joueurs = 1 table, 2 ")
