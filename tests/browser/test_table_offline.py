"""With the network gone at 360 px: entries wait on the phone, survive, and are sent once in order."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from .serving import Server
from .table import (
    IN_EVERY_LANGUAGE,
    a_phone,
    count,
    governed,
    in_language,
    listen,
    number_is,
    points_of,
    sent,
    shown_number,
    speaks,
    write_deal,
)

pytestmark = IN_EVERY_LANGUAGE


def test_entries_wait_survive_reload_and_battery_and_are_sent_once(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        context = page.context
        page.goto(made["page"])
        governed(page)
        write_deal(page, 40)
        number_is(page, 2)
        context.set_offline(True)
        write_deal(page, 41)
        page.locator("[data-queued=waiting]").wait_for()
        speaks(page, "queued", language, "[data-queue]")
        shown_number(page, 3)
        write_deal(page, 43)
        count(page, "[data-queued]", 2)
        page.reload()  # without a network: the page and what was written are still there
        in_language(page, language)
        count(page, "[data-queued]", 2)
        write_deal(page, 44)
        count(page, "[data-queued]", 3)
        assert len(site.ask("read", sheet=made["sheet"])["deals"]) == 1
        page.close()  # the battery dies; another page of the same phone takes it up
        page = context.new_page()
        troubles: list[str] = []
        listen(page, troubles)
        page.goto(made["page"])
        count(page, "[data-queued]", 3)
        context.set_offline(False)
        sent(page)
        number_is(page, 5)
        in_language(page, language)
        assert troubles == []
    told = site.ask("read", sheet=made["sheet"])
    assert points_of(told) == [40, 41, 43, 44]
    assert [deal["entry"]["dealer"] for deal in told["deals"]] == ["N", "E", "S", "W"]  # clockwise
    assert told["versions"] == 4


def test_a_conflict_is_shown_and_nothing_is_overwritten(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with (
        a_phone(chromium, site, language) as page,
        a_phone(chromium, site, language) as other,
    ):
        page.goto(made["page"])
        governed(page)
        write_deal(page, 40)
        number_is(page, 2)
        page.context.set_offline(True)
        write_deal(page, 41)
        page.locator("[data-queued=waiting]").wait_for()
        other.goto(made["page"])
        other.locator("button[value=take]").tap()
        number_is(other, 2)
        write_deal(other, 33)
        number_is(other, 3)
        page.context.set_offline(False)
        page.locator("[data-queued=refused]").wait_for(timeout=60_000)
        speaks(page, "refused", language, "[data-queue]")
        speaks(page, "pen", language, "[data-queue]")
        expect(page.locator("[data-queue]")).to_contain_text("41")
        assert points_of(site.ask("read", sheet=made["sheet"])) == [40, 33]
        count(page, "[data-deal-form]", 0)  # the old phone writes no more


def test_signing_says_that_it_needs_the_network(site: Server, chromium: Any, language: str) -> None:
    made = site.ask("sheet", target={"deals": 1})
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        write_deal(page, 42)
        page.locator("#sign").wait_for()
        page.context.set_offline(True)
        page.locator("form.signers button").first.tap()
        speaks(page, "network", language, "#refused")
        assert site.ask("read", sheet=made["sheet"])["signed"] == {}
        page.context.set_offline(False)
        page.locator("form.signers button").first.tap()
        count(page, "form.signers", 1)
    assert list(site.ask("read", sheet=made["sheet"])["signed"]) == ["NS"]


def test_a_call_for_the_referee_waits_and_arrives_once(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        page.context.set_offline(True)
        page.locator("details.call summary").tap()
        page.locator("button[value=referee]").tap()
        page.locator("[data-waiting-call]").wait_for()
        speaks(page, "calling", language, "[data-queue]")
        page.reload()  # it survives, like a deal
        page.locator("[data-waiting-call]").wait_for()
        assert site.ask("read", sheet=made["sheet"])["calls"] == []
        page.context.set_offline(False)
        speaks(page, "called", language, ".call__waiting")
        count(page, "[data-waiting-call]", 0)
    assert len(site.ask("read", sheet=made["sheet"])["calls"]) == 1
