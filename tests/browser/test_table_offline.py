"""Without a network at 360 px: entries wait on the phone, survive, and are sent once in order."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import FLAGS, IN_LONGER_WORDS, ON_BOTH, chromium_path
from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    choose,
    count,
    digits,
    find_network,
    following,
    governed,
    hand_in,
    in_language,
    keep_deals,
    kept,
    listen,
    lose_network,
    number_is,
    points_of,
    sent,
    shown_number,
    speaks,
    type_deal,
    write_deal,
)

pytestmark = BY_TURNS
HALL = "testserver"
"""A host name without the special rights that browsers give to 127.0.0.1."""


@pytest.mark.guide("scorekeeper#without-a-connection")
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
        lose_network(context)
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
        find_network(context)
        sent(page)
        number_is(page, 5)
        in_language(page, language)
        assert troubles == []
    told = site.ask("read", sheet=made["sheet"])
    assert points_of(told) == [40, 41, 43, 44]
    assert [deal["entry"]["dealer"] for deal in told["deals"]] == ["N", "E", "S", "W"]  # clockwise
    assert told["versions"] == 4


@pytest.mark.guide("operator#one-machine-nothing-to-install", "scorekeeper#without-a-connection")
def test_over_plain_http_the_open_page_goes_on_writing(
    site: Server, chromium: Any, language: str
) -> None:
    """On a hall's own network: browsers run no service worker over plain HTTP, so a reload needs the network."""
    made = site.ask("sheet", target=500)
    with (
        chromium.browser_type.launch(
            executable_path=chromium_path(),
            args=[*FLAGS, f"--host-resolver-rules=MAP {HALL} 127.0.0.1"],
        ) as hall,
        a_phone(hall, site, language, url=f"http://{HALL}:{site.port}") as page,
    ):
        page.goto(made["page"])
        assert page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
        lose_network(page.context)
        for number, points in enumerate((41, 43), 1):
            write_deal(page, points)
            shown_number(page, number + 1)
        count(page, "[data-queued]", 2)
        expect(page.locator("[data-no-reload]")).to_be_visible()
        find_network(page.context)
        sent(page)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [41, 43]


def write_deals(page: Any, points: list[int], language: str, *, first: int) -> None:
    """Enter deals one after the other, each in its own form, until the phone has stored all."""
    for number, each in enumerate(points, first):
        write_deal(page, each, asked=each != 14)
        shown_number(page, number + 1)
    kept(page, first + len(points) - 1, language)


@pytest.mark.guide("scorekeeper#without-a-connection")
@IN_LONGER_WORDS
@ON_BOTH
def test_a_whole_round_is_written_without_a_network(
    site: Server, chromium: Any, language: str
) -> None:
    """Three games of four deals, offline from the second deal on, the tab closed and reopened.

    One deal is refused on return: it is corrected in its place, and no other deal is typed again.
    """
    hall = site.ask("hall", tables=1, games=3, language=language)
    (table,) = hall["tables"]
    typed = [[31, 32, 14, 34], [35, 36, 37, 38], [39, 40, 41, 42]]
    with a_phone(chromium, site, language) as page:
        context = page.context
        page.goto(table["page"])
        governed(page)
        page.evaluate(  # the phone of number 10, North
            """key => localStorage.setItem(key, '{"entrant": "10", "url": ""}')""",
            f"me:{hall['slug']}",
        )
        write_deal(page, typed[0][0])
        number_is(page, 2)
        lose_network(context)
        write_deals(page, typed[0][1:], language, first=2)
        following(page, 2)
        # The partners of game 1 are opponents in game 2.
        expect(page.locator("[data-next-game]")).to_contain_text("Speler 1N + Speler 1E")
        expect(page.locator("[data-partner]:visible")).to_contain_text("Speler 1E")
        expect(page.locator("[data-deal-form]")).to_be_hidden()
        page.locator("[data-next-game] a").tap()
        page.wait_for_url("**/?game=2")
        shown_number(page, 1)
        expect(page.locator(".scoreline")).to_contain_text("Speler 1N + Speler 1E")
        in_language(page, language)
        write_deals(page, typed[1][:2], language, first=1)
        # The question about the dealer names the dealer of this deal, as its heading does.
        dealer = page.locator("[data-dealer-name]").inner_text()
        asked = page.locator("details:has(> .fold__in select[name=dealer]) > summary")
        expect(asked).to_contain_text(dealer)
        page.close()  # the tab is closed and opened again, still without a network
        page = context.new_page()
        troubles: list[str] = []
        listen(page, troubles)
        page.goto(table["page"] + "?game=2")
        shown_number(page, 3)
        write_deals(page, typed[1][2:], language, first=3)
        following(page, 3)
        page.locator("[data-next-game] a").tap()
        page.wait_for_url("**/?game=3")
        expect(page.locator(".scoreline")).to_contain_text("Speler 1N + Speler 1W")
        write_deals(page, typed[2], language, first=1)
        page.locator("[data-next-game]").wait_for()
        expect(page.locator("[data-deal-form]")).to_be_hidden()
        page.goto(table["page"])  # the bare address, as the slip's code opens it
        count(page, "[data-deal-form]:visible", 0)
        assert [len(site.ask("read", sheet=each)["deals"]) for each in table["sheets"]] == [1, 0, 0]
        find_network(context)
        refused = page.locator("[data-queued=refused]")
        refused.wait_for(timeout=60_000)
        expect(refused).to_contain_text("41")  # 14 points, or 41?
        expect(page.locator("[data-queued=waiting]")).to_have_count(1)  # deal 4 waits behind it
        refused.locator("[data-decision=change]").tap()
        expect(page.locator("[name=points]")).to_have_value("14")
        shown_number(page, 3)
        page.locator("[data-numpad] button[data-key=clear]").tap()
        digits(page, 41)
        hand_in(page)
        typed[0][2] = 41
        sent(page)
        page.locator("#sign").wait_for()
        assert troubles == []
    told = [site.ask("read", sheet=each) for each in table["sheets"]]
    assert [
        [next(iter(deal["entry"]["points"].values())) for deal in each["deals"]] for each in told
    ] == typed
    assert [deal["entry"]["dealer"] for each in told for deal in each["deals"]] == list(
        "NESWESWNSWNE"
    )
    assert [each["finished"] for each in told] == [True, True, True]


def test_without_a_network_a_game_to_a_number_of_points_leads_on_when_it_is_reached(
    site: Server, chromium: Any, language: str
) -> None:
    (table,) = site.ask("hall", tables=1, games=3, target=20, language=language)["tables"]
    with a_phone(chromium, site, language) as page:
        keep_deals(page, table["page"], 45)
        shown_number(page, 2)
        expect(page.locator("[data-next-game]")).to_be_hidden()
        # The deal is a row of the sheet, whose total includes it.
        expect(page.locator("table.score tbody tr:visible")).to_have_count(1)
        expect(page.locator("[data-score=NS]")).to_have_text(["15", "15"])
        choose(page, "side", "NS")
        write_deal(page, 36)  # 15 + 6: over 20
        following(page, 2)
        page.locator("[data-play-on]").tap()  # the table knows better
        expect(page.locator("[data-deal-form]")).to_be_visible()
        find_network(page.context)
        sent(page)
        page.locator("#sign").wait_for()
        expect(page.locator("table.score tfoot tr")).to_be_visible()
        page.locator("[data-next-game] a").tap()
        page.wait_for_url("**/?game=2")
        number_is(page, 1)


ENDINGS: dict[str, tuple[dict[str, Any], list[dict[str, str]], dict[str, str]]] = {
    "turn-up": (
        {"rulebook": "parlee", "target": 30},
        [{"trump": "H", "turn_up": "10", "side": "NS", "points": "60"}],
        {"NS": "31", "EW": "0"},
    ),
    "best of several": (
        {"rulebook": "boussac", "target": {"games": 2, "of": 10}},
        [{"trump": "H", "turn_up": "-", "side": "NS", "points": "46"}] * 2,
        {"NS": "2", "EW": "0"},  # games
    ),
    "générale": (
        {"rulebook": "chaloupee", "target": 150},
        [{"declarer": "EW", "level": "generale", "trump": "S", "side": "EW", "tricks": "8"}],
        {"NS": "0", "EW": "150"},
    ),
    "bid": (
        {"rulebook": "auction-2", "target": {"deals": 4}},
        [{"declarer": "2", "bid": "30", "trump": "S", "points": "41"}] * 4,
        {"1": "0", "2": "120"},
    ),
}
"""The sheet, the deals to type and the score, by the end of a game."""


@pytest.mark.guide("scorekeeper#without-a-connection")
@pytest.mark.parametrize("how", sorted(ENDINGS))
def test_without_a_network_every_game_ends_where_the_rules_end_it(
    site: Server, chromium: Any, language: str, how: str
) -> None:
    sheet, deals, score = ENDINGS[how]
    made = site.ask("sheet", **sheet)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        lose_network(page.context)
        for at, deal in enumerate(deals, 1):
            expect(page.locator("[data-deal-form]")).to_be_visible()
            shown_number(page, at)
            type_deal(page, deal)
            hand_in(page)
        expect(page.locator("[data-deal-form]")).to_be_hidden()
        kept(page, len(deals), language)
        for side, total in score.items():
            expect(page.locator(f"[data-score='{side}']").first).to_have_text(total)
        page.reload()
        expect(page.locator("[data-deal-form]")).to_be_hidden()
        find_network(page.context)
        sent(page)
        page.locator("#sign").wait_for()
        for side, total in score.items():
            expect(page.locator(f"[data-score='{side}']").first).to_have_text(total)
    assert site.ask("read", sheet=made["sheet"])["finished"]


def test_who_deals_and_who_names_trump_go_on_without_a_network(
    site: Server, chromium: Any, language: str
) -> None:
    """In the Belgian game the dealer's side names trump, and the deal rotates."""
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        named = page.locator("[data-declaring]").inner_text()
        lose_network(page.context)
        write_deal(page, 40)
        shown_number(page, 2)
        expect(page.locator("[data-declaring]")).not_to_have_text(named)
        expect(page.locator(".scoreline [data-score=NS]")).to_have_text("10")
        write_deal(page, 40)
        shown_number(page, 3)
        expect(page.locator("[data-declaring]")).to_have_text(named)
        find_network(page.context)
        sent(page)
        number_is(page, 3)
        expect(page.locator("[data-declaring]")).to_have_text(named)


def test_another_game_says_that_a_deal_of_the_first_was_refused(
    site: Server, chromium: Any, language: str
) -> None:
    (table,) = site.ask("hall", tables=1, games=2, language=language)["tables"]
    with a_phone(chromium, site, language) as page:
        keep_deals(page, table["page"], 14, asked=False)  # 41?
        kept(page, 1, language)
        page.goto(table["page"] + "?game=2")
        find_network(page.context)
        there = page.locator("[data-elsewhere=refused] a")
        there.wait_for(timeout=60_000)
        there.tap()
        page.locator("[data-queued=refused] [data-decision=yes]").tap()
        sent(page)
    assert points_of(site.ask("read", sheet=table["sheet"])) == [14]


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_a_server_error_is_not_taken_for_no_connection(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        page.context.route("**/send/**", lambda route: route.fulfill(status=500, body="broken"))
        write_deal(page, 40)
        page.locator("[data-failing='500']").wait_for()
        expect(page.locator("[data-queue]")).to_contain_text("500")
        kept(page, 1, language)
        # After three failures the page asks for a decision instead of retrying.
        page.locator("[data-queued=refused] [data-decision=again]").wait_for(timeout=60_000)
        page.context.unroute("**/send/**")
        page.locator("[data-queued=refused] [data-decision=again]").tap()
        sent(page)
        number_is(page, 2)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [40]


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_a_deal_that_comes_too_late_is_written_as_the_next(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        write_deal(page, 40)
        number_is(page, 2)
        lose_network(page.context)
        for points in (41, 42):
            write_deal(page, points)
        site.ask("write", sheet=made["sheet"], points=[33])  # the director's desk wrote deal 2
        find_network(page.context)
        fold = page.locator("[data-queued=refused] summary")
        fold.tap(timeout=60_000)
        late = page.locator("[data-queued=refused] [data-decision=renumber]")
        late.wait_for()
        expect(late).to_contain_text("3")
        # Another reader, in another language, reads the reason in that language.
        other = "nl" if language == "fr" else "fr"
        said = page.locator("[data-queued=refused]").inner_text()
        page.context.add_cookies([{"name": "django_language", "value": other, "url": site.url}])
        page.reload()
        expect(page.locator("[data-queued=refused]")).to_contain_text(
            {"fr": "La donne 2 est déjà sur la feuille", "nl": "Gift 2 staat al op het blad"}[other]
        )
        assert page.locator("[data-queued=refused]").inner_text() != said
        page.context.add_cookies([{"name": "django_language", "value": language, "url": site.url}])
        page.reload()
        fold.tap()
        late.tap()
        sent(page)
        number_is(page, 5)
    told = site.ask("read", sheet=made["sheet"])
    assert [next(iter(deal["entry"]["points"].values())) for deal in told["deals"]] == [
        40,
        33,
        41,
        42,
    ]
    assert [deal["entry"]["dealer"] for deal in told["deals"]] == list("NESW")


@pytest.mark.guide("scorekeeper#without-a-connection")
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
        lose_network(page.context)
        write_deal(page, 41)
        page.locator("[data-queued=waiting]").wait_for()
        other.goto(made["page"])
        other.locator("button[value=take]").tap()
        number_is(other, 2)
        write_deal(other, 33)
        number_is(other, 3)
        find_network(page.context)
        page.locator("[data-queued=refused]").wait_for(timeout=60_000)
        speaks(page, "refused", language, "[data-queue]")
        speaks(page, "pen", language, "[data-queue]")
        expect(page.locator("[data-queue]")).to_contain_text("41")
        assert points_of(site.ask("read", sheet=made["sheet"])) == [40, 33]
        count(page, "[data-deal-form]", 0)  # the old phone writes no more


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_a_call_for_the_referee_waits_and_arrives_once(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        lose_network(page.context)
        page.locator("details.call summary").tap()
        page.locator("button[value=referee]").tap()
        page.locator("[data-waiting-call]").wait_for()
        speaks(page, "calling", language, "[data-queue]")
        page.reload()  # it survives, like a deal
        page.locator("[data-waiting-call]").wait_for()
        assert site.ask("read", sheet=made["sheet"])["calls"] == []
        find_network(page.context)
        speaks(page, "called", language, ".call__waiting")
        count(page, "[data-waiting-call]", 0)
    assert len(site.ask("read", sheet=made["sheet"])["calls"]) == 1
