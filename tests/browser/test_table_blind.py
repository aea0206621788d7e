"""Blind double entry on two phones at 360 px: a difference is named, resolved, then official."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import (
    BY_TURNS,
    SPOKEN,
    a_phone,
    choose,
    digits,
    hand_in,
    number_is,
    sign,
    speaks,
    write_deal,
)

pytestmark = BY_TURNS


@contextmanager
def two_phones(
    site: Server, browser: Any, language: str, made: dict[str, str]
) -> Iterator[tuple[Any, Any]]:
    """Open a phone for N-S and one for E-W at the table."""
    with a_phone(browser, site, language) as north, a_phone(browser, site, language) as east:
        for page, side in ((north, "NS"), (east, "EW")):
            page.goto(made["page"])
            page.locator(f"form:has([value=choose]) button[value={side}]").tap()
            page.locator("[data-deal-form]").wait_for()
        yield north, east


def difference(page: Any, site: Server, language: str) -> str:
    """Reload the page. Return the difference that it names."""
    page.reload()
    speaks(page, "differ", language, ".notice--error")
    said: str = page.locator(".notice--error li").first.inner_text()
    assert said.startswith(SPOKEN["deal"][language])
    return said


def correct_own(page: Any, reason: str) -> None:
    """Submit the correction with a reason."""
    page.fill("#id_reason", reason)
    page.locator("form:has(#id_reason) button:not([type=button])").last.tap()
    page.wait_for_url("**/?game=1")


def test_both_sides_write_a_difference_is_named_and_agreed(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", seated=True, target={"deals": 2}, protocol="double")
    with two_phones(site, chromium, language, made) as (north, east):
        write_deal(north, 42)
        number_is(north, 2)
        east.reload()
        assert "42" not in east.inner_text("main")  # blind: the other side's entry is not shown
        write_deal(east, 41)
        number_is(east, 2)
        told = site.ask("read", sheet=made["sheet"])
        assert (told["state"], told["deals"], told["series"]) == (
            "disputed",
            [],
            {"NS": 1, "EW": 1},
        )
        for page in (north, east):
            said = difference(page, site, language)
            assert ("42" in said, "41" in said, " 1" in said) == (True, True, True)
        east.locator(".notice--error li a").first.tap()
        east.locator("[data-numpad] button[data-key='clear']").tap()
        digits(east, 42)
        correct_own(east, "samen herteld")
        assert [d["marks"] for d in site.ask("read", sheet=made["sheet"])["deals"]] == [
            {"NS": 12, "EW": 0}
        ]
        # The second deal is entered from the other side: 60 − 33.
        write_deal(north, 33)
        choose(east, "trump", "H")
        choose(east, "side", "EW")
        digits(east, 27)
        hand_in(east)
        east.locator("#sign").wait_for()
        sign(east, "EW")
        north.reload()
        assert north.locator("form.signers").count() == 1  # each signs on its own phone
        sign(north, "NS")
        north.locator(".state--finished").wait_for()
    told = site.ask("read", sheet=made["sheet"])
    assert (told["state"], [d["marks"]["NS"] for d in told["deals"]]) == ("official", [12, 3])
    assert len(told["results"]) == 1


def test_no_deal_is_asked_for_beyond_the_last_while_entries_differ(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", seated=True, target={"deals": 2}, protocol="double")
    with two_phones(site, chromium, language, made) as (north, east):
        for number, ours, theirs in ((1, 42, 42), (2, 38, 37)):
            write_deal(north, ours)
            write_deal(east, theirs)
            if number == 1:
                number_is(north, 2)
                number_is(east, 2)
        for page in (north, east):
            expect(page.locator("[data-deal-form]")).to_have_count(0)
            difference(page, site, language)
            assert page.locator("[data-deal-form]").count() == 0
        east.locator(".notice--error li a").first.tap()
        east.locator("[data-numpad] button[data-key='clear']").tap()
        digits(east, 38)
        correct_own(east, "samen herteld")
        sign(east, "EW")
        north.reload()
        sign(north, "NS")
        north.locator(".state--finished").wait_for()


def fill_tricks(page: Any, rows: list[tuple[str, int]]) -> None:
    """Fill in winner and points of each trick."""
    choose(page, "trump", "S")
    for n, (side, points) in enumerate(rows, start=1):
        page.locator(f"[data-trick='{n}'] label.choice:has(input[value='{side}'])").tap()
        page.fill(f"[name=trick_{n}_points]", str(points))
    hand_in(page)


@pytest.mark.guide("scorekeeper#signing")
def test_the_trick_that_differs_is_named(site: Server, chromium: Any, language: str) -> None:
    rows = site.ask("played", flagged=False)["tricks"]
    told = [("NS" if row["winner"] in "NS" else "EW", row["points"]) for row in rows]
    other = list(told)
    other[4] = ("EW" if told[4][0] == "NS" else "NS", told[4][1])
    made = site.ask("sheet", target={"deals": 2}, protocol="double", depth="list")
    with two_phones(site, chromium, language, made) as (north, east):
        fill_tricks(north, told)
        number_is(north, 2)
        fill_tricks(east, other)
        number_is(east, 2)
        said = difference(north, site, language)
        assert f"{SPOKEN['trick'][language].lower()} 5" in said.lower()
    assert site.ask("read", sheet=made["sheet"])["deals"] == []


def test_the_card_that_differs_is_named(site: Server, chromium: Any, language: str) -> None:
    deal = site.ask("played", flagged=False)
    plays = deal["plays"]
    other = list(plays)
    other[29], other[30] = other[30], other[29]  # two cards of the last trick changed about
    made = site.ask("sheet", target={"deals": 2}, protocol="double", depth="cards")
    with two_phones(site, chromium, language, made) as (north, east):
        for page, cards in ((north, plays), (east, other)):
            choose(page, "trump", deal["trump"])
            for card in cards:
                page.locator(f".cardentry__pack button[data-card='{card}']").tap()
            hand_in(page)
            number_is(page, 2)
        said = difference(north, site, language)
        assert f"{SPOKEN['trick'][language].lower()} 8" in said.lower()
        expect(north.locator(".notice--error li")).to_have_count(1)
    told = site.ask("read", sheet=made["sheet"])
    assert (told["state"], told["deals"]) == ("disputed", [])


def test_three_players_write_on_their_own_phones_and_agree(
    site: Server, chromium: Any, language: str
) -> None:
    """The dealer plays alone: one phone for that player, one for the two others."""
    made = site.ask("sheet", rulebook="three-player", target={"deals": 3}, protocol="double")
    with a_phone(chromium, site, language) as one, a_phone(chromium, site, language) as two:
        for page, seat in ((one, "1"), (two, "2")):
            page.goto(made["page"])
            page.locator(f"form:has([value=choose]) button[value='{seat}']").tap()
            page.locator("[data-deal-form]").wait_for()
        for page, points in ((one, 40), (two, 41)):
            page.reload()
            choose(page, "trump", "H")
            choose(page, "side", "declarer")
            digits(page, points)
            hand_in(page)
            number_is(page, 2)
        for page in (one, two):
            said = difference(page, site, language)
            assert ("40" in said, "41" in said) == (True, True)
        two.locator(".notice--error li a").first.tap()
        two.locator("[data-numpad] button[data-key='clear']").tap()
        digits(two, 40)
        correct_own(two, "samen herteld")
        two.locator(".spoken").wait_for()
    told = site.ask("read", sheet=made["sheet"])
    assert [deal["marks"] for deal in told["deals"]] == [{"1": 10, "2": 0, "3": 0}]
