"""One phone writes at a table; another takes over knowingly, and the first is told. At 360 px."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from .serving import Server
from .table import BY_TURNS, a_phone, number_is, points_of, speaks, write_deal

pytestmark = BY_TURNS


def test_a_second_phone_reads_along_and_takes_over(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with (
        a_phone(chromium, site, language) as first,
        a_phone(chromium, site, language) as second,
    ):
        first.goto(made["page"])
        write_deal(first, 40)
        number_is(first, 2)
        second.goto(made["page"])
        speaks(second, "pen", language, ".notice--warning")
        expect(second.locator("[data-deal-form]")).to_have_count(0)
        assert "40" in second.inner_text(".score")  # it may read along
        second.locator("button[value=take]").tap()
        number_is(second, 2)
        write_deal(second, 33)
        number_is(second, 3)
        # The first phone is told without being touched, and has nothing to write with any more.
        speaks(first, "pen", language, ".notice--warning")
        expect(first.locator("[data-deal-form]")).to_have_count(0)
        assert points_of(site.ask("read", sheet=made["sheet"])) == [40, 33]


def test_what_the_old_phone_still_sends_is_refused(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with (
        a_phone(chromium, site, language) as first,
        a_phone(chromium, site, language) as second,
    ):
        first.goto(made["page"])
        write_deal(first, 40)
        number_is(first, 2)
        first.route("**/state/**", lambda route: route.abort())  # its page hears nothing of it
        second.goto(made["page"])
        second.locator("button[value=take]").tap()
        number_is(second, 2)
        write_deal(first, 31)
        speaks(first, "pen", language, "[data-queue]")
        expect(first.locator("[data-queue]")).to_contain_text("31")  # shown, not thrown away
        assert points_of(site.ask("read", sheet=made["sheet"])) == [40]
