"""What a phone has not sent yet is changed, taken back and corrected on the phone, in each of its tabs."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    count,
    digits,
    find_network,
    governed,
    hand_in,
    keep_deals,
    lose_network,
    number_is,
    points_of,
    sent,
    shown_number,
    unfold,
    write_deal,
)

pytestmark = BY_TURNS


def read_aloud(page: Any) -> list[list[str]]:
    """Return what a screen reader says of the contracts on the sheet, in words."""
    return [
        row.evaluate(
            "row => [...row.children].map(part => { const copy = part.cloneNode(true);"
            " copy.querySelectorAll('[aria-hidden=true]').forEach(sign => sign.remove());"
            " return copy.textContent.trim(); })"
        )
        for row in page.locator("table.score .contract").all()
    ]


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_deals_that_wait_are_changed_and_taken_back_in_every_tab(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        other = page.context.new_page()
        other.goto(made["page"])
        keep_deals(page, made["page"], 40, 41, 43)
        count(page, "tr[data-queued]", 3)
        count(other, "[data-queued]", 3)
        shown_number(other, 4)
        # The last deal is above the form as well.
        page.locator("[data-queue] summary").click()
        page.locator("[data-queue] [data-decision=edit]").click()
        expect(page.locator("[name=points]")).to_have_value("43")
        expect(page.locator("#refused")).to_have_class("notice notice--warning")  # no fault
        page.locator("#refused button").click()
        count(page, "[data-queued]", 2)
        shown_number(page, 3)
        page.locator("tr[data-queued] [data-decision=edit]").last.click()
        expect(page.locator("[name=points]")).to_have_value("41")
        shown_number(page, 2)
        page.locator("[data-numpad] button[data-key=clear]").click()
        digits(page, 42)
        hand_in(page)
        shown_number(page, 3)
        count(other, "[data-queued=waiting]", 2)
        other.close()
        kept = read_aloud(page)
        find_network(page.context)
        sent(page)
        number_is(page, 3)
        assert read_aloud(page) == kept
    told = site.ask("read", sheet=made["sheet"])
    assert points_of(told) == [40, 42]
    assert told["versions"] == 2


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_a_correction_without_a_network_is_kept_and_sent(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        write_deal(page, 40)
        number_is(page, 2)
        page.goto(f"{made['page']}1/1/")
        lose_network(page.context)
        page.fill("[name=points]", "39")
        page.fill("#id_reason", "one less")
        page.press("[name=points]", "Enter")
        page.wait_for_url("**/?game=1")
        count(page, "[data-queued=waiting]", 1)
        shown_number(page, 2)  # a correction is no deal of its own
        write_deal(page, 41)
        shown_number(page, 3)
        # Both are rows of the sheet, counted with the correction: 9, then 11 more.
        expect(page.locator("tr[data-queued] .total")).to_have_text(["9", "0", "20", "0"])
        find_network(page.context)
        sent(page)
        number_is(page, 3)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [39, 41]


def test_a_fold_that_is_opened_while_a_deal_is_on_its_way_stays_open(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        gone: list[Any] = []
        page.context.route("**/send/**", lambda route: gone.append(route))
        write_deal(page, 40)
        shown_number(page, 2)
        unfold(page, "dealer")
        for route in gone:
            route.continue_()
        page.context.unroute("**/send/**")
        number_is(page, 2)
        expect(page.locator("form details.more[open]:has([name=dealer])")).to_be_visible()
    assert points_of(site.ask("read", sheet=made["sheet"])) == [40]
