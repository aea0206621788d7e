"""A deal at each depth and in each kind of rulebook at 360 px: the right fields, the right marks.

Marks are computed by hand from the rules (A.4, A.7, A.8), or come from the cards themselves.
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
    count,
    digits,
    hand_in,
    number_is,
    speaks,
    type_deal,
    unfold,
)

pytestmark = BY_TURNS


def first_deal(site: Server, made: dict[str, str]) -> dict[str, Any]:
    """Return the stored first deal."""
    found: dict[str, Any] = site.ask("read", sheet=made["sheet"])["deals"][0]
    return found


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_points_and_tricks(site: Server, chromium: Any, language: str) -> None:
    made = site.ask("sheet", depth="tricks")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        choose(page, "trump", "C")
        choose(page, "tricks", "3")
        digits(page, 59)
        expect(page.locator(".points__say[data-bad]")).to_contain_text("3")  # while typing
        digits(page, 999)
        expect(page.locator("#id_points")).to_have_value("599")  # no score has four digits
        expect(page.locator(".points__say[data-bad]")).to_be_visible()
        page.locator("[data-numpad] button[data-key='clear']").tap()
        digits(page, 20)
        hand_in(page)
        number_is(page, 2)
        speaks(page, "next", language)
    deal = first_deal(site, made)
    assert (deal["entry"]["points"], deal["entry"]["tricks"]) == ({"NS": 20}, {"NS": 3})
    assert deal["marks"] == {"NS": 0, "EW": 10}  # 60 − 20 = 40, ten over the half


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_trick_by_trick(site: Server, chromium: Any, language: str) -> None:
    rows = site.ask("played", flagged=False)
    made = site.ask("sheet", depth="list")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        choose(page, "trump", rows["trump"])
        for row in rows["tricks"]:
            side = "NS" if row["winner"] in "NS" else "EW"
            page.locator(f"[data-trick='{row['n']}'] label.choice:has(input[value='{side}'])").tap()
            page.fill(f"[name=trick_{row['n']}_points]", str(row["points"]))
        expect(page.locator("[data-tricklist-say]")).to_contain_text(str(rows["points"]["NS"]))
        hand_in(page)
        number_is(page, 2)
    deal = first_deal(site, made)
    assert [row["points"] for row in deal["entry"]["trick_list"]] == [
        row["points"] for row in rows["tricks"]
    ]
    assert deal["marks"] == rows["marks"]


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_card_by_card_a_card_against_the_rules_is_flagged_and_stands(
    site: Server, chromium: Any, language: str
) -> None:
    rows = site.ask("played", flagged=True)
    made = site.ask("sheet", depth="cards")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        choose(page, "trump", rows["trump"])
        for at, card in enumerate(rows["plays"], start=1):
            page.locator(f".cardentry__pack button[data-card='{card}']").tap()
            if at == 4:
                first = page.locator(".cardentry__tricks li").first.inner_text()
                assert str(rows["tricks"][0]["points"]) in first
                assert f" {rows['tricks'][0]['winner']}" in first or language != "en"
        speaks(page, "noted", language, ".cardentry__notes")
        hand_in(page)
        number_is(page, 2)
    deal = first_deal(site, made)
    assert deal["entry"]["record"]["plays"] == rows["plays"]
    assert (deal["marks"], deal["flags"]) == (rows["marks"], rows["flags"])
    assert deal["flags"] > 0


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_another_depth_for_one_deal(site: Server, chromium: Any, language: str) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        page.locator(".depths a[href*='depth=tricks']").tap()
        page.wait_for_url("**depth=tricks")
        choose(page, "trump", "H")
        choose(page, "tricks", "5")
        digits(page, 40)
        hand_in(page)
        number_is(page, 2)
    assert first_deal(site, made)["entry"]["tricks"] == {"NS": 5}


def test_a_card_turned_up_is_marked_at_once(site: Server, chromium: Any, language: str) -> None:
    """000: the value of the card turned up is marked by the side of the dealer."""
    made = site.ask("sheet", rulebook="parlee", target=101)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        choose(page, "trump", "H")
        choose(page, "turn_up", "10")
        digits(page, 40)
        hand_in(page)
        number_is(page, 2)
        speaks(page, "next", language)
    assert first_deal(site, made)["marks"] == {"NS": 5 + 6, "EW": 0}  # 10 turned up; 40 − 34


@pytest.mark.guide("scorekeeper#games-of-three-to-seven-players")
def test_three_players_each_mark_for_themselves(site: Server, chromium: Any, language: str) -> None:
    """A.8: the dealer plays against the two others, who each mark what their side marks."""
    made = site.ask("sheet", rulebook="three-player", target={"deals": 3})
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        count(page, ".figures--players li", 3)
        choose(page, "trump", "H")
        choose(page, "side", "others")
        digits(page, 40)
        hand_in(page)
        number_is(page, 2)
        speaks(page, "next", language)
    deal = first_deal(site, made)
    assert deal["entry"]["dealer"] == "1"
    assert deal["entry"]["points"] == {"23": 40}
    assert deal["marks"]["1"] == 0
    assert deal["marks"]["2"] == deal["marks"]["3"] > 0


def test_an_auction_is_passed_by_all_and_then_won_by_a_bid(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", rulebook="auction-2", target={"deals": 8})
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        page.locator("[data-passed]").tap()
        number_is(page, 2)
        choose(page, "declarer", "2")
        type_deal(page, {"bid": "40"})
        choose(page, "trump", "S")
        page.fill("[name=points]", "45")
        hand_in(page)
        number_is(page, 3)
        speaks(page, "next", language)
    passed, played = site.ask("read", sheet=made["sheet"])["deals"]
    assert (passed["annulled"], set(passed["marks"].values())) == (True, {0})
    assert played["entry"]["contract"]["declarer"] == "2"
    assert played["entry"]["contract"]["level"] == 40
    assert played["entry"]["points"] == {"2": 45}
    assert played["marks"]["2"] > 0


@pytest.mark.guide("scorekeeper#games-of-three-to-seven-players")
def test_an_auction_for_cards_exchanged(site: Server, chromium: Any, language: str) -> None:
    """A.8, first auction: the fewer cards exchanged, the higher the stake of every other player."""
    made = site.ask("sheet", rulebook="auction-1", target={"deals": 8}, stakes=[8, 6, 4, 2, 1])
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        choose(page, "declarer", "1")
        choose(page, "trump", "D")
        choose(page, "exchanged", "2")
        page.fill("[name=points]", "20")
        hand_in(page)
        number_is(page, 2)
    deal = first_deal(site, made)
    assert deal["entry"]["contract"]["exchanged"] == 2
    assert sum(deal["marks"].values()) == 0  # what one pays the others receive
    assert deal["marks"]["1"] != 0


ENTERED: dict[str, tuple[dict[str, str], str]] = {
    "chaloupee": ({"declarer": "NS", "level": "44", "trump": "H"}, "points"),
    "auction-1": ({"declarer": "2", "exchanged": "1", "trump": "S"}, "points"),
    "auction-2": ({"declarer": "2", "bid": "40", "trump": "S"}, "bid"),
    "auction-3": ({"declarer": "2", "bid": "40", "trump": "S"}, "points"),
}
"""A deal without its points, and the field in which Enter is pressed, by rulebook."""


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize("rulebook", sorted(ENTERED))
def test_enter_records_the_deal_and_never_that_everybody_passed(
    site: Server, chromium: Any, language: str, rulebook: str, script: bool
) -> None:
    fields, pressed = ENTERED[rulebook]
    stakes = {"stakes": [8, 6, 4, 2, 1]} if rulebook == "auction-1" else {}
    made = site.ask("sheet", rulebook=rulebook, target={"deals": 8}, **stakes)
    with a_phone(chromium, site, language, java_script_enabled=script) as page:
        page.goto(made["page"])
        type_deal(page, fields)
        page.fill("[name=points]", "45")
        if pressed == "bid":
            unfold(page, "bid")
        page.press(f"[name={pressed}]", "Enter")
        number_is(page, 2)
    deal = first_deal(site, made)
    assert not deal["annulled"]
    assert list(deal["entry"]["points"].values()) == [45]


def test_everybody_passed_asks_where_something_is_entered(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", rulebook="auction-2", target={"deals": 8})
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        type_deal(page, {"declarer": "2", "bid": "40"})
        page.locator("[data-passed]").tap()
        expect(page.locator("#refused")).to_be_visible()
        assert page.locator("[name=bid]").input_value() == "40"
        assert site.ask("read", sheet=made["sheet"])["deals"] == []
        page.locator("#refused [data-decision=yes]").tap()
        number_is(page, 2)
    deal = first_deal(site, made)
    assert (deal["annulled"], deal["doubts"]) == (True, [])
