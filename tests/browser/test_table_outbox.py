"""A phone's unsent deals are sent from every page that a table's or a badge's link opens, and the page shows it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    find_network,
    governed,
    keep_deals,
    lose_network,
    number_is,
    points_of,
    sent,
    write_deal,
)

pytestmark = BY_TURNS
PAGES = ("table", "deal", "sign", "badge", "closed", "wrong badge")


def elsewhere(site: Server, where: str, language: str) -> tuple[dict[str, Any], str]:
    """Create a hall of two tables. Return it with a page of this phone other than the first table's sheet."""
    hall = site.ask("hall", tables=2, language=language)
    first, second = hall["tables"]
    sign = first["badges"]["N"]
    pages = {
        "table": second["page"],
        "deal": f"{second['page']}1/1/",
        "sign": sign,
        "badge": sign.replace("/sign/", "/p/"),
        "closed": f"/t/{'a' * 24}/",
        "wrong badge": f"/p/{'a' * 24}/",
    }
    site.ask("write", sheet=second["sheet"], points=[40])
    return first, pages[where]


@pytest.mark.guide("scorekeeper#without-a-connection")
@pytest.mark.parametrize("where", PAGES)
def test_deals_kept_for_one_table_are_said_and_sent_from_other_pages(
    site: Server, chromium: Any, language: str, where: str
) -> None:
    first, address = elsewhere(site, where, language)
    with a_phone(chromium, site, language) as page:
        keep_deals(page, first["page"], 40, 41)
        # Pages open again, but submissions do not arrive yet.
        page.context.set_offline(False)
        page.goto(address)
        box = page.locator("[data-outbox]")
        expect(box).to_be_visible()
        expect(box).to_have_attribute("data-count", "2")
        expect(box.locator("a")).to_contain_text("2")
        expect(box.locator("a")).to_have_attribute("href", f"{first['page']}?game=1")
        assert site.ask("read", sheet=first["sheet"])["deals"] == []
        find_network(page.context)
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(box).to_be_hidden()
        expect(box).to_have_attribute("data-count", "0")
    assert points_of(site.ask("read", sheet=first["sheet"])) == [40, 41]


def test_another_language_waits_for_the_network(site: Server, chromium: Any, language: str) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        lose_network(page.context)
        page.locator(".switch button[aria-pressed=false]").first.click()
        expect(page.locator("[data-needs-network]")).to_be_visible()
        expect(page.locator("[data-deal-form]")).to_be_visible()
        find_network(page.context)


@pytest.mark.parametrize("known", [True, False])
def test_the_page_of_a_deal_waits_for_the_network(
    site: Server, chromium: Any, language: str, known: bool
) -> None:
    """The browser may not know that the network is gone."""
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        write_deal(page, 40)
        number_is(page, 2)
        page.goto(f"{made['page']}?game=1")
        page.locator("p.spoken a").wait_for()
        page.wait_for_load_state("networkidle")
        lose_network(page.context)
        if not known:
            page.evaluate("Object.defineProperty(navigator, 'onLine', { value: true })")
        page.locator("p.spoken a").click()
        expect(page.locator("[data-needs-network]")).to_be_visible()
        expect(page.locator("[data-deal-form]")).to_be_visible()
        assert page.url.endswith("?game=1")
        write_deal(page, 41)
        find_network(page.context)
        sent(page)
        number_is(page, 3)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [40, 41]


def test_a_deal_refused_for_another_table_says_why_and_leads_there(
    site: Server, chromium: Any, language: str
) -> None:
    first, address = elsewhere(site, "badge", language)
    with a_phone(chromium, site, language) as page:
        keep_deals(page, first["page"], 14, asked=False)  # 14, or 41? is asked by the server
        find_network(page.context)
        page.goto(address)
        refused = page.locator("[data-outbox-refused]")
        expect(refused).to_contain_text("41")
        refused.locator("a").click()
        page.locator("[data-queued=refused] [data-decision=yes]").click()
        page.locator("[data-queue][data-count='0']").wait_for(state="attached")
    assert [
        deal["entry"]["points"] for deal in site.ask("read", sheet=first["sheet"])["deals"]
    ] == [{"NS": 14}]


def test_a_deal_of_a_table_whose_link_has_ended_is_deleted_from_any_page(
    site: Server, chromium: Any, language: str
) -> None:
    first, address = elsewhere(site, "sign", language)
    with a_phone(chromium, site, language) as page:
        keep_deals(page, first["page"], 40)
        site.ask("revoke", sheet=first["sheet"])
        find_network(page.context)
        page.goto(address)
        expect(page.locator("[data-outbox-refused]")).to_be_visible()
        page.locator("[data-outbox] [data-decision=drop]").click()
        expect(page.locator("[data-outbox]")).to_be_hidden()


BADGE = """
window.badges = [];
navigator.setAppBadge = async (count) => { window.badges.push(count); };
navigator.clearAppBadge = async () => { window.badges.push(0); };
"""


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_the_icon_counts_what_waits(site: Server, chromium: Any, language: str) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        page.add_init_script(BADGE)
        keep_deals(page, made["page"], 40, 41)
        page.wait_for_function("() => window.badges.at(-1) === 2")
        find_network(page.context)
        page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_function("() => window.badges.at(-1) === 0")
    assert points_of(site.ask("read", sheet=made["sheet"])) == [40, 41]


NO_DISK = """
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...words) {
  if (!localStorage.getItem("test:no-disk")) return open.apply(this, words);
  const asked = { error: new DOMException("no disk") };
  setTimeout(() => asked.onerror());
  return asked;
};
"""
"""Fails to open the disk while ``test:no-disk`` is set."""


def test_a_disk_that_does_not_open_is_tried_again(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.add_init_script(NO_DISK)
        keep_deals(page, made["page"], 40)
        page.evaluate("localStorage.setItem('test:no-disk', '1')")
        find_network(page.context)
        page.evaluate("dispatchEvent(new Event('online'))")
        number_is(page, 1)
        page.evaluate("localStorage.removeItem('test:no-disk')")
        number_is(page, 2)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [40]


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_the_browser_sends_what_waits_with_every_tab_closed(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        keep_deals(page, made["page"], 40, 41)
        other = page.context.new_page()
        page.close()
        other.context.set_offline(False)
        other.goto("/help/")
        find_network(other.context)
        assert site.ask("read", sheet=made["sheet"])["deals"] == []
        # Chromium's switch of the network wakes no worker: its tools do.
        tools = page.context.new_cdp_session(other)
        found: list[str] = []
        tools.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda told: found.extend(
                each["registrationId"]
                for each in told["registrations"]
                if each["scopeURL"].endswith("/t/") and not each["isDeleted"]
            ),
        )
        tools.send("ServiceWorker.enable")
        other.reload()  # what the tools tell comes before
        assert found
        wake = {
            "origin": site.url,
            "registrationId": found[-1],
            "tag": "table",
            "lastChance": False,
        }
        tools.send("ServiceWorker.dispatchSyncEvent", wake)
        for _look in range(400):
            if len(site.ask("read", sheet=made["sheet"])["deals"]) == 2:
                break
    assert points_of(site.ask("read", sheet=made["sheet"])) == [40, 41]
