"""Typed text survives a reload, another language, a dead battery and a lost network."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    choose,
    digits,
    find_network,
    governed,
    hand_in,
    in_language,
    lose_network,
    number_is,
    points_of,
)

pytestmark = BY_TURNS


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_points_and_choices_survive_a_reload_a_language_and_a_battery(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    other = "nl" if language == "fr" else "fr"
    with a_phone(chromium, site, language) as page:
        context = page.context
        page.goto(made["page"])
        governed(page)
        choose(page, "trump", "D")
        choose(page, "side", "EW")
        digits(page, 23)
        page.locator("[data-pending]").wait_for(state="detached")
        page.reload()
        expect(page.locator("[name=points]")).to_have_value("23")
        page.locator(f".switch button[value={other}]").tap()
        in_language(page, other)
        expect(page.locator("[name=points]")).to_have_value("23")
        page.locator(f".switch button[value={language}]").tap()
        in_language(page, language)
        lose_network(context)
        page.close()
        page = context.new_page()
        page.goto(made["page"])
        expect(page.locator("[name=points]")).to_have_value("23")
        expect(page.locator("input[name=trump][value=D]")).to_be_checked()
        expect(page.locator("input[name=side][value=EW]")).to_be_checked()
        find_network(context)
        hand_in(page)
        number_is(page, 2)
        page.reload()
        expect(page.locator("[name=points]")).to_have_value("")
    (deal,) = site.ask("read", sheet=made["sheet"])["deals"]
    assert (deal["entry"]["points"], deal["entry"]["contract"]["trump"]) == ({"EW": 23}, "D")


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_the_depth_and_the_cards_that_were_tapped_survive(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"] + "?game=1&depth=cards")
        governed(page)
        choose(page, "trump", "H")
        for card in ("10S", "AS", "7S"):
            page.locator(f"[data-card='{card}']").tap()
        expect(page.locator("[data-cards] textarea")).to_have_value("10S AS 7S")
        page.locator("[data-pending]").wait_for(state="detached")
        page.goto(made["page"])  # as the slip's code opens it
        expect(page.locator("[data-cards] textarea")).to_have_value("10S AS 7S")
        expect(page.locator("[data-card='10S']")).to_be_disabled()
        lying = page.locator(".cardentry__trick > li button")
        expect(lying).to_have_count(3)
        lying.first.tap()  # it was another card
        page.locator("[data-card='KS']").tap()
        expect(page.locator("[data-cards] textarea")).to_have_value("KS AS 7S")
        lying.first.tap()  # two in the wrong order change places
        page.locator("[data-card='AS']").tap()
        expect(page.locator("[data-cards] textarea")).to_have_value("AS KS 7S")
        page.locator("[data-card='8S']").tap()
        expect(page.locator(".cardentry__tricks > li button")).to_have_count(4)
    assert points_of(site.ask("read", sheet=made["sheet"])) == []


def test_another_dealer_that_was_chosen_stays_chosen(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        page.locator("details:has(> .fold__in select[name=dealer]) > summary").tap()
        page.select_option("[name=dealer]", "S")
        choose(page, "trump", "H")
        page.locator("[data-pending]").wait_for(state="detached")
        page.reload()
        expect(page.locator("[name=dealer]")).to_have_value("S")
