"""The clock of the round and the end of a match at 360 px: bell rules, target, deals, a tie."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    choose,
    find_network,
    governed,
    lose_network,
    number_is,
    points_of,
    sign,
    speaks,
    write_deal,
)

pytestmark = BY_TURNS


def end(page: Any, in_play: str) -> None:
    """End the game at the bell, which asks for a confirmation."""
    page.locator(".now--bell details > summary").tap()
    page.locator(f".now--bell button[value={in_play}]").tap()


def test_a_game_is_not_ended_before_the_bell_and_for_a_minute_not_for_good(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=4, minutes=30, language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        write_deal(page, 42)
        number_is(page, 2)
        assert page.locator("button[value=bell], .now--bell").count() == 0
        site.ask("ring", round=hall["round"])
        page.reload()
        end(page, "none")
        page.locator("#sign").wait_for()
        page.locator("button[value=unbell]").tap()
        number_is(page, 2)
    told = site.ask("read", sheet=table["sheet"])
    assert (told["ended_by"], told["finished"]) == ("", False)


TREMBLES = """
window.trembled = [];
Navigator.prototype.vibrate = (pattern) => trembled.push(pattern);
"""


@pytest.mark.guide("scorekeeper#the-bell")
def test_a_phone_vibrates_once_at_the_bell_and_not_where_the_page_opens_after_it(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=4, minutes=30, language=language)
    (table,) = hall["tables"]
    clock, over = "[data-clock-time]", "[data-clock][data-state=over]"
    with a_phone(chromium, site, language) as page:
        page.clock.install()
        page.add_init_script(TREMBLES)
        page.goto(table["page"])
        expect(page.locator(clock)).to_have_text(re.compile(r"\d+:\d\d"))
        page.locator(clock).tap()
        lose_network(page.context)  # the server's clock would set the phone's right
        assert page.evaluate("trembled") == []
        page.clock.fast_forward(page.locator(clock).inner_text())
        page.locator(over).wait_for()
        page.clock.fast_forward("00:30")
        assert page.evaluate("trembled.length") == 1
    site.ask("ring", round=hall["round"])
    with a_phone(chromium, site, language) as page:
        page.add_init_script(TREMBLES)
        page.goto(table["page"])
        speaks(page, "bell", language, ".now--bell")
        assert page.evaluate("trembled") == []


def test_a_clock_made_shorter_reaches_an_open_page(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=4, minutes=30, language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        expect(page.locator("[data-clock-time]")).to_have_text(re.compile(r"\d+:\d\d"))
        site.ask("ring", round=hall["round"])
        page.locator(".now--bell").wait_for()


@pytest.mark.parametrize("hours", [-1, 1], ids=["slow", "fast"])
def test_a_phone_whose_clock_is_an_hour_wrong_hears_the_bell_when_it_rings(
    site: Server, chromium: Any, language: str, hours: int
) -> None:
    hall = site.ask("hall", tables=1, deals=4, minutes=30, language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as page:
        page.add_init_script(TREMBLES)
        page.clock.install(time=datetime.now(UTC) + timedelta(hours=hours))
        page.goto(table["page"])
        page.locator("[data-clock-time]").tap()
        governed(page)
        page.reload()
        shown = page.locator("[data-clock-time]")
        expect(shown).to_have_text(re.compile(r"^(30|29):\d\d$"))
        expect(page.locator("[data-clock][data-state=running]")).to_be_visible()
        assert page.evaluate("trembled") == []
        # The bell rings while a deal in play is being typed; the clock does not override that answer.
        site.ask("ring", round=hall["round"])
        page.reload()
        page.locator("details.fold:has([data-deal-form]) > summary").tap()
        choose(page, "played", "in_play")
        write_deal(page, 35)
        page.locator("#sign").wait_for()
        # Without a network the phone still knows the offset of its clock.
        site.ask("ring", round=hall["round"], minutes=20)
        page.reload()
        expect(shown).to_have_text(re.compile(r"^(20|19):\d\d$"))
        lose_network(page.context)
        page.reload()
        expect(shown).to_have_text(re.compile(r"^(20|19):\d\d$"))
    told = site.ask("read", sheet=table["sheet"])
    assert (told["ended_by"], points_of(told)) == ("bell", [35])


def test_a_deal_typed_before_the_bell_and_sent_after_it_is_known_by_its_age(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=4, minutes=30, language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as page:
        page.clock.install(time=datetime.now(UTC) + timedelta(hours=1))
        page.goto(table["page"])
        governed(page)
        lose_network(page.context)
        write_deal(page, 42)
        page.locator("[data-queued=waiting]").wait_for()
        site.ask("ring", round=hall["round"], minutes=0)
        page.clock.fast_forward("02:00")
        find_network(page.context)
        page.evaluate("dispatchEvent(new Event('online'))")
        page.locator("[data-queue][data-count='0']").wait_for(state="attached")
    told = site.ask("read", sheet=table["sheet"])
    assert (told["ended_by"], points_of(told)) == ("", [42])


@pytest.mark.guide("scorekeeper#the-bell")
def test_the_clock_runs_and_the_deal_in_play_is_finished(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=4, language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        write_deal(page, 42)
        number_is(page, 2)
        before = page.locator("[data-clock-time]").inner_text()
        expect(page.locator("[data-clock-time]")).not_to_have_text(before)
        site.ask("ring", round=hall["round"])
        page.reload()
        speaks(page, "bell", language, ".now--bell")
        page.locator("details.fold:has([data-deal-form]) > summary").tap()
        choose(page, "played", "in_play")
        write_deal(page, 35)
        page.locator("#sign").wait_for()  # the game ends with it
        sign(page, "NS", "EW")
        page.locator(".state--finished").wait_for()
    told = site.ask("read", sheet=table["sheet"])
    # Deal 2 was dealt by E: the points of N-S are counted.
    assert (told["ended_by"], points_of(told), told["state"]) == ("bell", [42, 35], "official")


@pytest.mark.guide("scorekeeper#the-bell")
def test_a_deal_finished_before_the_bell_may_be_followed_by_the_one_in_play(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=4, minutes=-1, rule="first_trick", language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        speaks(page, "bell", language, ".now--bell")
        page.locator("details.fold:has([data-deal-form]) > summary").tap()
        write_deal(page, 42)  # without saying when it was played
        expect(page.locator("fieldset.choices--bad input[name=played]").first).to_be_attached()
        choose(page, "played", "before")
        page.locator("[data-write]").tap()
        number_is(page, 2)
        end(page, "cancelled")
        page.locator("#sign").wait_for()
        speaks(page, "won", language, "#sign")
    told = site.ask("read", sheet=table["sheet"])
    assert (told["ended_by"], points_of(told), told["finished"]) == ("bell", [42], True)


@pytest.mark.guide("scorekeeper#the-bell")
def test_where_the_deal_in_play_is_cancelled_it_is_not_written(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=4, rule="cancel", language=language)
    (table,) = hall["tables"]
    site.ask("write", sheet=table["sheet"], points=[42, 42])  # 12 for N-S, then 12 for E-W
    site.ask("ring", round=hall["round"])
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        speaks(page, "bell", language, ".now--bell")
        assert page.locator("input[name=played][value=in_play]").count() == 0
        end(page, "cancelled")
        speaks(page, "draw", language, "#sign")  # level at the bell: a draw
        sign(page, "NS", "EW")
        speaks(page, "draw", language, ".state--finished")
    told = site.ask("read", sheet=table["sheet"])
    assert [(each["winner"], each["marks"]) for each in told["results"]] == [
        (None, {"NS": 12, "EW": 12}),
    ]


@pytest.mark.guide("scorekeeper#the-bell")
def test_a_tie_is_played_on_where_the_event_says_so(
    site: Server, chromium: Any, language: str
) -> None:
    """Q-GEN-8: two more deals at a time, until one side leads."""
    hall = site.ask("hall", tables=1, deals=4, language=language, tied_match="EXTRA_DEALS")
    (table,) = hall["tables"]
    site.ask("write", sheet=table["sheet"], points=[42, 42])
    site.ask("ring", round=hall["round"])
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        end(page, "none")
        speaks(page, "level", language, "#live")
        assert site.ask("read", sheet=table["sheet"])["finished"] is False
        write_deal(page, 40)
        number_is(page, 4)
        write_deal(page, 36)
        page.locator("#sign").wait_for()
        speaks(page, "won", language, "#sign")
    told = site.ask("read", sheet=table["sheet"])
    assert (told["finished"], told["score"]["marks"]) == (True, {"NS": 28, "EW": 12})


def test_a_match_ends_by_its_target(site: Server, chromium: Any, language: str) -> None:
    made = site.ask("sheet", target=20)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        write_deal(page, 45)
        number_is(page, 2)
        write_deal(page, 36)  # 15 + 6: over 20, the match is over whatever the number of deals
        speaks(page, "over", language, "#sign")
        speaks(page, "won", language, "#sign")
        assert page.locator("[data-deal-form]").count() == 0
    told = site.ask("read", sheet=made["sheet"])
    assert (told["finished"], told["ended_by"], told["score"]["marks"]) == (
        True,
        "",
        {"NS": 21, "EW": 0},
    )
