"""A thumb's tap arrives: on a phone with a slow disk, under notices that appear, without storage space.

Where the input would be lost with the page, the browser asks before the page is left.
"""

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
    lose_network,
    number_is,
    points_of,
    sent,
    shown_number,
    speaks,
    write_deal,
)

pytestmark = BY_TURNS
SLOW_DISK = """{
  const { set } = Object.getOwnPropertyDescriptor(IDBRequest.prototype, "onsuccess");
  Object.defineProperty(IDBOpenDBRequest.prototype, "onsuccess", {
    configurable: true, set(act) { set.call(this, (event) => setTimeout(() => act(event), 250)); },
  });
}"""
"""Delays each read of the phone's storage by a quarter of a second."""
HELD_DISK = """{
  const { set } = Object.getOwnPropertyDescriptor(IDBRequest.prototype, "onsuccess");
  let waiting = [];
  window.hold = () => { window.held = true; };
  window.release = () => { window.held = false; for (const act of waiting.splice(0)) act(); };
  Object.defineProperty(IDBOpenDBRequest.prototype, "onsuccess", {
    configurable: true, set(act) { set.call(this, (event) => (window.held ? waiting.push(() => act(event)) : act(event))); },
  });
}"""
"""Blocks the phone's storage while it is held."""
NO_ROOM = """{
  const { add } = IDBObjectStore.prototype;
  const { put } = IDBObjectStore.prototype;
  for (const [name, act] of Object.entries({ add, put })) {
    IDBObjectStore.prototype[name] = function (...all) {
      if (window.roomy) return act.apply(this, all);
      throw new DOMException("no room", "QuotaExceededError");
    };
  }
}"""
"""Makes the phone's storage full until ``roomy`` is set."""


def leave(page: Any, *, asked: bool) -> None:
    """Reload the page. With ``asked``, expect the browser's question and stay on the page."""
    if asked:
        with page.expect_event("dialog") as dialog:
            page.evaluate("setTimeout(() => location.reload(), 0)")
        assert dialog.value.type == "beforeunload"
        dialog.value.dismiss()
    else:
        dialogs: list[str] = []

        def go_on(dialog: Any) -> None:
            dialogs.append(dialog.type)
            dialog.accept()

        page.on("dialog", go_on)
        page.reload()
        page.remove_listener("dialog", go_on)
        assert dialogs == []


def test_a_slow_phone_loses_no_tap(site: Server, chromium: Any, language: str) -> None:
    """Deals typed without a pause, while the phone stores, sends and shows earlier ones."""
    made = site.ask("sheet", target=500)
    typed = [41, 43, 38, 36, 42, 39]
    with a_phone(chromium, site, language) as page:
        page.add_init_script(SLOW_DISK)
        page.goto(made["page"])
        governed(page)
        shown_number(page, 1)
        for points in typed:
            write_deal(page, points)
        sent(page)
        number_is(page, len(typed) + 1)
    told = site.ask("read", sheet=made["sheet"])
    assert points_of(told) == typed
    assert [deal["number"] for deal in told["deals"]] == list(range(1, len(typed) + 1))
    assert told["versions"] == len(typed)


def test_the_form_stays_under_the_thumb(site: Server, chromium: Any, language: str) -> None:
    """A notice that appears while a scorekeeper types does not move the visible part of the form."""
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        choose(page, "trump", "H")
        digits(page, 4)
        write = page.locator("[data-write]")
        before = write.bounding_box()["y"]
        lose_network(page.context)
        page.locator("[data-queue] .notice").wait_for(state="attached")
        assert abs(write.bounding_box()["y"] - before) < 1  # pixels are whole, boxes are not
        digits(page, 1)
        hand_in(page)
        page.locator("[data-queued=waiting]").wait_for(state="attached")
        find_network(page.context)
        sent(page)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [41]


def test_a_phone_without_room_says_so_and_keeps_the_form(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.add_init_script(NO_ROOM)
        page.goto(made["page"])
        governed(page)
        shown_number(page, 1)
        write_deal(page, 42)
        speaks(page, "full", language, "#refused")
        expect(page.locator("[name=points]")).to_have_value("42")
        expect(page.locator("input[name=trump][value=H]")).to_be_checked()
        shown_number(page, 1)
        leave(page, asked=True)
        expect(page.locator("[name=points]")).to_have_value("42")
        page.evaluate("window.roomy = true")
        hand_in(page)
        sent(page)
        number_is(page, 2)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [42]


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_the_browser_asks_before_what_no_disk_has_is_lost(
    site: Server, chromium: Any, language: str
) -> None:
    """The browser asks about digits and a deal not yet in the phone's storage, and not about stored ones."""
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.add_init_script(HELD_DISK)
        page.goto(made["page"])
        governed(page)
        shown_number(page, 1)
        choose(page, "trump", "H")
        page.locator("[data-pending]").wait_for(state="detached")
        leave(page, asked=False)
        expect(page.locator("input[name=trump][value=H]")).to_be_checked()
        page.evaluate("hold()")
        digits(page, 42)
        leave(page, asked=True)
        page.evaluate("release()")
        page.locator("[data-pending]").wait_for(state="detached")
        page.evaluate("hold()")
        hand_in(page)
        shown_number(page, 2)
        leave(page, asked=True)
        page.evaluate("release()")
        sent(page)
        number_is(page, 2)
        leave(page, asked=False)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [42]
