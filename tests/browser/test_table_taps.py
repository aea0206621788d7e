"""Taps of a deal at the plainest depth, counted on the page itself, by rulebook.

``docs/decisions/table.md`` has the table and what it means in seconds.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from scoring.engine.rulebooks import BOOKS

from .conftest import CROWDED, IN_LONGER_WORDS, LINES, ON_BOTH, crowded_at_twice_its_size
from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    choose,
    digits,
    governed,
    hand_in,
    lose_network,
    number_is,
    shown_number,
    type_deal,
    write_deal,
)

pytestmark = BY_TURNS

MOST = 4


SMALL = {"width": 320, "height": 568}
SUIT = {"trump": "H"}
TRUMP = "label.choice:has([name=trump]) >> nth=0"
PLAIN: dict[str, tuple[dict[str, Any], dict[str, str], list[int], int]] = {
    "belgian": ({}, SUIT, [42], 4),
    "bruges": ({}, SUIT, [42], 4),
    "trumps-only": ({}, SUIT, [42], 4),
    "muette": ({}, SUIT, [42], 4),
    "parlee-limited": ({}, SUIT, [42], 4),
    "coinchee": ({}, SUIT, [42], 4),
    "blind": ({}, SUIT, [42], 4),
    "three-player": ({"target": {"deals": 12}}, SUIT, [42], 4),
    "parlee": ({}, {"pair": "H -"}, [42], 4),
    "boussac": ({"target": {"games": 2, "of": 34}}, {"pair": "H K"}, [42], 4),
    "chaloupee": ({}, {"pair": "EW 44", **SUIT}, [22], 5),
    "auction-1": (
        {"target": {"deals": 8}, "stakes": [8, 6, 4, 3, 2]},
        {"declarer": "2", "exchanged": "1", **SUIT},
        [24],
        6,
    ),
    "auction-2": ({"target": {"deals": 8}}, {"declarer": "2", **SUIT}, [40, 45], 7),
    "auction-3": ({"target": {"deals": 8}}, {"declarer": "2", **SUIT}, [30, 35], 7),
}
"""The sheet, the choices and the digits of a plain deal, and its taps, by rulebook."""
DOUBLED = {
    rulebook: (options, {**choices, "doubling": "1"}, numbers, taps + 1)
    for rulebook, (options, choices, numbers, taps) in PLAIN.items()
    if rulebook not in ("parlee", "boussac", "auction-1", "auction-2", "auction-3")
}
"""The same with a doubling, a tap on the button that shows it."""
CASES = [
    *((path.stem, *PLAIN[path.stem]) for path in sorted(BOOKS.glob("*.toml"))),
    *((rulebook, *deal) for rulebook, deal in DOUBLED.items()),
    ("auction-2", {"target": {"deals": 14}, "players": 7}, *PLAIN["auction-2"][1:]),
]


def digits_in_reach(page: Any) -> bool:
    """Return whether the last row of digits is above the button that records, to its middle: a thumb falls there."""
    page.locator("[data-numpad] button").last.wait_for()
    key = page.locator("[data-numpad] button").last.bounding_box()
    bar = page.locator("[data-deal-form] .actions--stick").bounding_box()
    assert key
    assert bar
    return bool(key["y"] + key["height"] / 2 < bar["y"])


@pytest.mark.guide("scorekeeper#record-a-deal")
@pytest.mark.parametrize(("rulebook", "options", "choices", "numbers", "taps"), CASES)
def test_a_deal_of_every_rulebook_takes_its_taps_on_a_small_phone(
    site: Server,
    chromium: Any,
    language: str,
    rulebook: str,
    options: dict[str, Any],
    choices: dict[str, str],
    numbers: list[int],
    taps: int,
) -> None:
    """On a screen of 320 by 568, without a swipe, also below the result of the last deal.

    Long names of the players of an auction need one.
    """
    called = "" if "declarer" in choices else "Bernadette "
    sheet = {"rulebook": rulebook, "target": 500, "seated": True, "called": called, **options}
    made = site.ask("sheet", **sheet)
    with a_phone(chromium, site, language) as page:
        page.set_viewport_size(SMALL)
        page.goto(made["page"])
        page.evaluate(
            "window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; }, true)"
        )
        for deal in (1, 2):
            assert digits_in_reach(page)
            for name, value in choices.items():
                if name == "pair":
                    page.locator(f"[data-pair='{value}']").click()
                else:
                    choose(page, name, value)
            for number in numbers:
                digits(page, number)
            hand_in(page)
            number_is(page, deal + 1)
        assert page.evaluate("window.taps") == 2 * taps
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    assert len(site.ask("read", sheet=made["sheet"])["deals"]) == 2


@pytest.mark.guide("scorekeeper#record-a-deal")
@IN_LONGER_WORDS
@pytest.mark.parametrize("round", [False, True])
@ON_BOTH
def test_a_plain_deal_takes_four_taps_and_no_swipe(
    site: Server, chromium: Any, language: str, round: bool
) -> None:
    """On a screen of 360 by 640, with the clock of a round as well."""
    made = (
        site.ask("hall", tables=1, games=3, deals=12, language=language)["tables"][0]
        if round
        else site.ask("sheet", target=500)
    )
    with a_phone(chromium, site, language) as page:
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(made["page"])
        page.evaluate(
            "window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; }, true)"
        )
        for number, points in ((1, 42), (2, 37)):
            page.locator("[data-numpad] button").first.wait_for()
            for part in (".scoreline", TRUMP, "[data-numpad]", "[data-write]"):
                box = page.locator(part).bounding_box()
                assert box
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= 640
            write_deal(page, points)
            number_is(page, number + 1)
        assert page.evaluate("window.taps") <= 2 * MOST
    assert len(site.ask("read", sheet=made["sheet"])["deals"]) == 2


@IN_LONGER_WORDS
def test_who_plays_alone_taps_every_digit_without_a_swipe(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", rulebook="three-player", target={"deals": 12}, seated=True)
    with a_phone(chromium, site, language) as page:
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(made["page"])
        key = page.locator("[data-numpad] button").last.bounding_box()
        write = page.locator("[data-write]").bounding_box()
        assert key
        assert write
        assert key["y"] + key["height"] / 2 < write["y"]  # its middle, where a thumb falls


@IN_LONGER_WORDS
def test_the_digits_of_an_auction_are_in_sight_from_its_first_deal_on(
    site: Server, chromium: Any, language: str
) -> None:
    """With the clock of a round, a bid next to dealer and declarer, and the last deal above them."""
    made = site.ask("sheet", rulebook="auction-2", target={"deals": 8}, seated=True)
    with a_phone(chromium, site, language) as page:
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(made["page"])
        for deal in (1, 2):
            key = page.locator("[data-numpad] button").last.bounding_box()
            write = page.locator("[data-deal-form] .actions--stick").bounding_box()
            assert key
            assert write
            assert key["y"] + key["height"] <= write["y"]
            if deal == 1:
                choose(page, "declarer", "2")
                type_deal(page, {"bid": "40"})
                choose(page, "trump", "S")
                page.fill("[name=points]", "45")
                hand_in(page)
                number_is(page, 2)
                page.reload()
                page.locator("p.spoken").wait_for()
    assert len(site.ask("read", sheet=made["sheet"])["deals"]) == 1


@IN_LONGER_WORDS
def test_without_a_network_a_deal_needs_no_swipe(
    site: Server, chromium: Any, language: str
) -> None:
    """However many deals wait, the latest is shown above the form, and all are rows of the sheet below."""
    made = site.ask("hall", tables=1, games=3, deals=12, language=language)["tables"][0]
    with a_phone(chromium, site, language) as page:
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(made["page"])
        governed(page)
        lose_network(page.context)
        page.locator("[data-queue] .notice").wait_for()
        for number, points in ((1, 42), (2, 37), (3, 33)):
            key = page.locator("[data-numpad] button").last.bounding_box()
            write = page.locator("[data-write]").bounding_box()
            assert key
            assert write
            assert key["y"] + key["height"] / 2 < write["y"]  # its middle, where a thumb falls
            write_deal(page, points)
            shown_number(page, number + 1)
        expect(page.locator("table.score tr[data-queued]")).to_have_count(3)
        page.locator("[data-queue] summary").tap()
        expect(page.locator("[data-queue] [data-decision=undo]")).to_be_visible()


@IN_LONGER_WORDS
def test_a_phone_on_its_side_writes_a_deal_without_a_swipe(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("hall", tables=1, games=3, deals=12, language=language)["tables"][0]
    with a_phone(chromium, site, language) as page:
        page.set_viewport_size({"width": 640, "height": 360})
        page.goto(made["page"])
        for number, points in ((1, 42), (2, 37)):
            trump = page.locator("fieldset:has(input[name=trump]) .choices__grid").bounding_box()
            write = page.locator("[data-write]").bounding_box()
            keys = page.locator("[data-numpad]").bounding_box()
            assert trump
            assert write
            assert keys
            assert trump["y"] + trump["height"] <= write["y"]
            assert max(box["y"] + box["height"] for box in (write, keys)) <= 360
            write_deal(page, points)
            number_is(page, number + 1)
            page.evaluate("scrollTo(0, 0)")
        page.set_viewport_size({"width": 360, "height": 740})


@IN_LONGER_WORDS
@ON_BOTH
def test_text_at_twice_its_size_stays_in_its_place(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, games=3, deals=12, language=language)
    (table,) = hall["tables"]
    depths = [f"{table['page']}?game=1&depth={each}" for each in ("tricks", "list", "cards")]
    with a_phone(chromium, site, language) as page:
        for address in (table["page"], *depths, table["badges"]["N"], f"/e/{hall['slug']}/"):
            page.goto(address)
            assert crowded_at_twice_its_size(page) == [], address


@IN_LONGER_WORDS
def test_text_at_twice_its_size_breaks_no_name_and_no_total_into_letters(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, games=3, called="Vandenberghe", language=language)
    alone = site.ask("sheet", rulebook="three-player", target={"deals": 12}, seated=True)
    bids = site.ask("sheet", rulebook="chaloupee", target=500)
    public = f"/e/{hall['slug']}"
    with a_phone(chromium, site, language) as page:
        for address, part, most in (
            (f"{public}/players/10/", ".around > li:not(.around__middle)", 5),
            (f"{public}/draw/", ".table-card .seats > *", 5),
            (f"{public}/draw/", ".clock__label", 5),
            (alone["page"], ".figures--players .marks", 5),
            (bids["page"], ".pair-button", 1),
        ):
            page.goto(address)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            found = page.locator(part)
            found.first.wait_for()
            assert max(each.evaluate(LINES) for each in found.all()) <= most, (address, part)


CUT = "boxes => boxes.filter(box => box.scrollHeight > box.clientHeight).map(box => box.innerText)"
"""Finds boxes that hide a part of their text."""


@IN_LONGER_WORDS
@pytest.mark.parametrize("size", ["100%", "200%"])
@pytest.mark.parametrize("rulebook", ["three-player", "auction-2"])
def test_the_boxes_of_the_points_hold_their_names(
    site: Server, chromium: Any, language: str, rulebook: str, size: str
) -> None:
    """On the smallest phone, with long names."""
    made = site.ask(
        "sheet", rulebook=rulebook, target={"deals": 12}, seated=True, called="Bernadette "
    )
    with a_phone(chromium, site, language) as page:
        page.set_viewport_size(SMALL)
        page.goto(made["page"])
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
        assert page.locator(".counted .choice__face").evaluate_all(CUT) == []
        assert page.evaluate(CROWDED) == []
