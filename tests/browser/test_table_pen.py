"""One phone writes at a table; another takes over knowingly, and the first shows a notice. At 360 px."""

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
    kept,
    lose_network,
    number_is,
    points_of,
    sent,
    speaks,
    write_deal,
)

pytestmark = BY_TURNS


@pytest.mark.guide("scorekeeper#one-phone-keeps-score")
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
        # The first phone shows the notice without a reload, and its form is gone.
        speaks(first, "pen", language, ".notice--warning")
        expect(first.locator("[data-deal-form]")).to_have_count(0)
        assert points_of(site.ask("read", sheet=made["sheet"])) == [40, 33]


@pytest.mark.guide("scorekeeper#one-phone-keeps-score")
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
        # One button takes over again; without a deal it is the notice's own.
        speaks(first, "pen", language, ".notice--warning >> nth=0")
        taking = first.locator("[value=take]:visible, [data-decision=take]:visible")
        expect(taking).to_have_count(1)
        first.locator("[data-decision=drop]").tap()
        count(first, "[data-queued]", 0)
        expect(taking).to_have_count(1)
        taking.tap()
        write_deal(first, 33)
        number_is(first, 3)
        assert points_of(site.ask("read", sheet=made["sheet"])) == [40, 33]


@pytest.mark.guide("scorekeeper#record-a-deal")
@pytest.mark.parametrize("decision", ["correct", "drop"])
def test_two_versions_of_a_deal_stand_side_by_side(
    site: Server, chromium: Any, language: str, decision: str
) -> None:
    made = site.ask("sheet", target=500)
    with (
        a_phone(chromium, site, language) as first,
        a_phone(chromium, site, language) as second,
    ):
        first.goto(made["page"])
        governed(first)
        lose_network(first.context)
        write_deal(first, 25, "S")
        kept(first, 1, language)
        second.goto(made["page"])
        write_deal(second, 22, "S")
        number_is(second, 2)
        find_network(first.context)
        first.locator("[data-decision=take]").tap()
        asked = first.locator("[data-queued=refused]")
        expect(asked.locator("[data-version=Onsheet]")).to_contain_text("22")
        expect(asked.locator("[data-version=Here]")).to_contain_text("25")
        # A further deal is never one tap away.
        expect(asked.locator("[data-decision]:visible")).to_have_count(2)
        asked.locator(f"[data-decision={decision}]").tap()
        sent(first)
        number_is(first, 2)
    written = points_of(site.ask("read", sheet=made["sheet"]))
    assert written == [25 if decision == "correct" else 22]


def test_a_phone_that_takes_over_again_sends_what_it_has_of_every_game(
    site: Server, chromium: Any, language: str
) -> None:
    (table,) = site.ask("hall", tables=1, games=2, language=language)["tables"]
    with (
        a_phone(chromium, site, language) as page,
        a_phone(chromium, site, language) as other,
    ):
        for game in (2, 1):
            page.goto(f"{table['page']}?game={game}")
            governed(page)
        lose_network(page.context)
        write_deal(page, 40)
        kept(page, 1, language)
        page.goto(f"{table['page']}?game=2")
        write_deal(page, 33)
        kept(page, 1, language)
        other.goto(table["page"])
        count(other, "button[value=take]", 0)  # nothing of the first phone has come yet
        write_deal(other, 31)
        number_is(other, 2)
        other.goto(f"{table['page']}?game=1")
        find_network(page.context)
        count(page, "[data-elsewhere=refused]", 1)
        page.locator("[data-decision=take]").tap()
        # The right to write belongs to the table: game 1 asks only about the other phone's deals there.
        count(page, "[data-queued]", 0)
        page.locator("[data-elsewhere=refused] a").tap()
        page.locator("[data-queued] details:has([data-decision=renumber]) > summary").tap()
        page.locator("[data-decision=renumber]").tap()
        sent(page)
    told = [points_of(site.ask("read", sheet=each)) for each in table["sheets"]]
    assert told == [[31, 40], [33]]


def test_the_first_digit_of_a_correction_replaces_what_was_there(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        write_deal(page, 40)
        number_is(page, 2)
        page.goto(f"{made['page']}1/1/")
        digits(page, 33)
        page.fill("#id_reason", "33")
        page.locator("form:has(#id_reason) button:not([data-key])").last.tap()
        number_is(page, 2)
        assert points_of(site.ask("read", sheet=made["sheet"])) == [33]
