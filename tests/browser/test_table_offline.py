"""With the network gone at 360 px: entries wait on the phone, survive, and are sent once in order."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from .serving import Server
from .table import (
    IN_EVERY_LANGUAGE,
    a_phone,
    choose,
    count,
    digits,
    following,
    governed,
    hand_in,
    in_language,
    kept,
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


def test_a_whole_round_is_written_without_a_network(
    site: Server, chromium: Any, language: str
) -> None:
    """Three games of four deals, gone from the second deal on, the tab closed and opened again.

    One deal is refused on return: it is put right in its place, and no other is typed again.
    """
    (table,) = site.ask("hall", tables=1, games=3, language=language)["tables"]
    typed = [[31, 32, 14, 34], [35, 36, 37, 38], [39, 40, 41, 42]]
    with a_phone(chromium, site, language) as page:
        context = page.context
        page.goto(table["page"])
        governed(page)
        write_deal(page, typed[0][0])
        number_is(page, 2)
        context.set_offline(True)
        for points in typed[0][1:]:
            write_deal(page, points)
        following(page, 2)
        # Who sat together in game 1 sits apart in game 2.
        expect(page.locator("[data-next-game]")).to_contain_text("Speler 1N + Speler 1E")
        expect(page.locator("[data-deal-form]")).to_be_hidden()
        page.locator("[data-next-game] a").tap()
        page.wait_for_url("**/?game=2")
        shown_number(page, 1)
        expect(page.locator(".scoreline")).to_contain_text("Speler 1N + Speler 1E")
        in_language(page, language)
        for points in typed[1][:2]:
            write_deal(page, points)
        shown_number(page, 3)
        # The question who dealt names the dealer of this deal, as its heading does.
        dealer = page.locator("[data-dealer-name]").inner_text()
        asked = page.locator("details:has(> .fold__in select[name=dealer]) > summary")
        expect(asked).to_contain_text(dealer)
        page.close()  # the tab is closed and opened again, still without a network
        page = context.new_page()
        troubles: list[str] = []
        listen(page, troubles)
        page.goto(table["page"] + "?game=2")
        shown_number(page, 3)
        for points in typed[1][2:]:
            write_deal(page, points)
        following(page, 3)
        page.locator("[data-next-game] a").tap()
        page.wait_for_url("**/?game=3")
        expect(page.locator(".scoreline")).to_contain_text("Speler 1N + Speler 1W")
        for points in typed[2]:
            write_deal(page, points)
        page.locator("[data-next-game]").wait_for()
        expect(page.locator("[data-deal-form]")).to_be_hidden()
        page.goto(table["page"])  # the bare address, as the slip's code opens it
        count(page, "[data-deal-form]:visible", 0)
        assert [len(site.ask("read", sheet=each)["deals"]) for each in table["sheets"]] == [1, 0, 0]
        context.set_offline(False)
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
        page.goto(table["page"])
        governed(page)
        page.context.set_offline(True)
        write_deal(page, 45)
        shown_number(page, 2)
        expect(page.locator("[data-next-game]")).to_be_hidden()
        choose(page, "side", "NS")
        write_deal(page, 36)  # 15 + 6: over 20
        following(page, 2)
        page.locator("[data-play-on]").tap()  # the table knows better
        expect(page.locator("[data-deal-form]")).to_be_visible()
        page.context.set_offline(False)
        sent(page)
        page.locator("#sign").wait_for()
        page.locator("[data-next-game] a").tap()
        page.wait_for_url("**/?game=2")
        number_is(page, 1)


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
        # After three failures somebody is asked instead of being kept waiting.
        page.locator("[data-queued=refused] [data-decision=again]").wait_for(timeout=60_000)
        page.context.unroute("**/send/**")
        page.locator("[data-queued=refused] [data-decision=again]").tap()
        sent(page)
        number_is(page, 2)
    assert points_of(site.ask("read", sheet=made["sheet"])) == [40]


def test_a_deal_that_comes_too_late_is_written_as_the_next(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        write_deal(page, 40)
        number_is(page, 2)
        page.context.set_offline(True)
        for points in (41, 42):
            write_deal(page, points)
        site.ask("write", sheet=made["sheet"], points=[33])  # the director's desk wrote deal 2
        page.context.set_offline(False)
        late = page.locator("[data-queued=refused] [data-decision=renumber]")
        late.wait_for(timeout=60_000)
        expect(late).to_contain_text("3")
        # Who reads it in another language reads the reason in that language.
        other = "nl" if language == "fr" else "fr"
        said = page.locator("[data-queued=refused]").inner_text()
        page.context.add_cookies([{"name": "django_language", "value": other, "url": site.url}])
        page.reload()
        expect(page.locator("[data-queued=refused]")).to_contain_text(
            {"fr": "La donne 3 est la prochaine", "nl": "Gift 3 is de volgende"}[other]
        )
        assert page.locator("[data-queued=refused]").inner_text() != said
        page.context.add_cookies([{"name": "django_language", "value": language, "url": site.url}])
        page.reload()
        page.locator("[data-queued=refused] [data-decision=renumber]").tap()
        sent(page)
        number_is(page, 5)
    told = site.ask("read", sheet=made["sheet"])
    assert [next(iter(deal["entry"]["points"].values())) for deal in told["deals"]] == [
        40, 33, 41, 42,
    ]  # fmt: skip
    assert [deal["entry"]["dealer"] for deal in told["deals"]] == list("NESW")


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
