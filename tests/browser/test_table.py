"""The scorekeeper's ways at 360 px in Chromium: with a network, without one, and with a dying server."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server, fresh_database, phone, server

pytestmark = [pytest.mark.browser, pytest.mark.long]

MAKE = """
import json, uuid
from scoring.engine.rulebook import resolve
from scoring.services import sheets, tables
from ledger.actors import Actor
table = tables.open_table(scope=uuid.uuid4(), label="1/1", actor=Actor.system("test"))
options = {options!r}
game = resolve({rulebook!r}, options)
seats = {{"N": 1, "E": 2, "S": 3, "W": 4}} if "N" in game.seats else {{s: int(s) for s in game.seats}}
sheet = sheets.open_sheet(table=table, order=1, rulebook={rulebook!r}, edition=game.book.edition,
    options=options, seats=seats, first_dealer=next(iter(seats)), protocol={protocol!r}, depth={depth!r})
print(json.dumps({{"sheet": str(sheet.pk), "page": "/t/" + tables.table_token(table) + "/"}}))
"""
READ = """
import json
from scoring.models import Sheet
sheet = Sheet.objects.get(pk={sheet!r})
deals = sheet.deals.filter(current=True, series="official").order_by("number")
print(json.dumps({{"state": sheet.state, "finished": sheet.finished,
    "deals": [[d.number, d.version, d.entry, d.marks, d.doubts, len(d.flagged)] for d in deals],
    "results": sheet.results.filter(current=True).count(),
    "calls": sheet.table.calls.count()}}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="module")
def browser(chromium: Any) -> Any:
    """The one Chromium of the process: two drivers in one thread refuse each other."""
    return chromium


def a_sheet(
    site: Server, rulebook: str = "belgian", target: object = None, protocol: str = "confirm",
    depth: str = "points",
) -> dict[str, str]:  # fmt: skip
    options = {"target": {"deals": 4} if target is None else target}
    return site.python(
        MAKE.format(rulebook=rulebook, options=options, protocol=protocol, depth=depth)
    )


def read(site: Server, made: dict[str, str]) -> dict[str, Any]:
    return site.python(READ.format(sheet=made["sheet"]))


def choose(page: Any, name: str, value: str) -> None:
    page.locator(f"[data-deal-form] label.choice:has(input[name={name}][value='{value}'])").click()


def digits(page: Any, number: int) -> None:
    """Tap the digits on the page, as a thumb would."""
    for digit in str(number):
        page.locator(f"[data-numpad] button[data-key='{digit}']").tap()


def write_deal(page: Any, points: int, trump: str = "H") -> None:
    choose(page, "trump", trump)
    digits(page, points)
    page.locator("[data-write]").tap()


def number_is(page: Any, number: int) -> None:
    page.locator(f"[data-deal-form][data-number='{number}']").wait_for(state="attached")


def sent(page: Any) -> None:
    """Until nothing waits on the phone any more."""
    page.locator("[data-queue][data-count='0']").wait_for(state="attached", timeout=60_000)


def kept(page: Any, number: int) -> None:
    """Until the page says that this phone keeps the deal: from then on it may not be lost."""
    expect(page.locator("[data-queue]")).to_contain_text(f"Deal {number}: on this phone")


def count(page: Any, selector: str, number: int) -> None:
    """Until so many elements are there (the page's security policy forbids waiting by script)."""
    expect(page.locator(selector)).to_have_count(number, timeout=30_000)


def governed(page: Any) -> None:
    """Until the service worker governs the page."""
    page.evaluate(
        "new Promise(done => navigator.serviceWorker.controller ? done(true)"
        " : navigator.serviceWorker.addEventListener('controllerchange', () => done(true)))"
    )


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_a_match_is_written_and_signed(site: Server, browser: Any, language: str) -> None:
    made = a_sheet(site, target={"deals": 2})
    page = phone(browser, site.url, language).new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    page.goto(made["page"])
    assert page.locator("html").get_attribute("lang") == language
    choose(page, "trump", "D")
    digits(page, 42)
    assert page.locator("[data-points-other]").inner_text() == "18"
    assert "12" in page.locator(".points__say").inner_text()  # spoken before it is written
    page.locator("[data-write]").tap()
    number_is(page, 2)
    assert "42 − 30 = 12" in page.locator(".spoken").inner_text()
    write_deal(page, 33)
    page.locator("#sign").wait_for()
    for _side in range(2):
        before = page.locator(".signers").count()
        page.locator(".signers button").first.tap()
        count(page, ".signers", before - 1)
    page.locator(".state--finished").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not problems
    after = read(site, made)
    assert (after["state"], after["results"], len(after["deals"])) == ("official", 1, 2)


def test_offline_entries_wait_survive_reload_and_are_sent_once(site: Server, browser: Any) -> None:
    made = a_sheet(site, target=500)
    context = phone(browser, site.url)
    page = context.new_page()
    page.goto(made["page"])
    governed(page)
    page.reload()  # now governed by the service worker, with its copy kept
    governed(page)
    write_deal(page, 40)
    number_is(page, 2)
    context.set_offline(True)
    write_deal(page, 41)
    page.locator("[data-queued=waiting]").wait_for()
    number_is_value(page, 3)
    write_deal(page, 43)
    count(page, "[data-queued]", 2)
    page.reload()  # without a network: the page and what was written are still there
    count(page, "[data-queued]", 2)
    write_deal(page, 44)
    count(page, "[data-queued]", 3)
    assert len(read(site, made)["deals"]) == 1
    page.close()  # the battery dies; another page of the same phone takes it up
    page = context.new_page()
    page.goto(made["page"])
    count(page, "[data-queued]", 3)
    context.set_offline(False)
    sent(page)
    number_is(page, 5)
    after = read(site, made)
    assert [deal[2]["points"]["NS"] for deal in after["deals"]] == [40, 41, 43, 44]
    assert [deal[2]["dealer"] for deal in after["deals"]] == ["N", "E", "S", "W"]  # clockwise


def number_is_value(page: Any, number: int) -> None:
    expect(page.locator("[data-deal-form] input[name=number]")).to_have_value(str(number))


def test_a_conflict_is_shown_and_nothing_is_overwritten(site: Server, browser: Any) -> None:
    made = a_sheet(site, target=500)
    first = phone(browser, site.url)
    page = first.new_page()
    page.goto(made["page"])
    governed(page)
    write_deal(page, 40)
    number_is(page, 2)
    first.set_offline(True)
    write_deal(page, 41)
    page.locator("[data-queued=waiting]").wait_for()
    other = phone(browser, site.url).new_page()
    other.goto(made["page"])
    other.locator("button[value=take]").tap()
    number_is(other, 2)
    write_deal(other, 33)
    number_is(other, 3)
    first.set_offline(False)
    page.locator("[data-queued=refused]").wait_for(timeout=60_000)
    expect(page.locator("[data-queue]")).to_contain_text("Another phone writes")
    expect(page.locator("[data-queue]")).to_contain_text("41")
    assert [deal[2]["points"]["NS"] for deal in read(site, made)["deals"]] == [40, 33]
    assert page.locator("[data-deal-form]").count() == 0  # the old phone can't write any more


def test_a_probable_mistake_is_asked_and_can_be_confirmed(site: Server, browser: Any) -> None:
    made = a_sheet(site, target=500)
    page = phone(browser, site.url).new_page()
    page.goto(made["page"])
    choose(page, "trump", "S")
    digits(page, 14)  # the dealer's side chose trump: 14, or 41?
    page.locator("[data-write]").tap()
    page.locator("[data-queued=refused]").wait_for()
    expect(page.locator("[data-queue]")).to_contain_text("41")
    assert not read(site, made)["deals"]
    page.locator("[data-queue] button").first.tap()
    number_is(page, 2)
    assert read(site, made)["deals"][0][4] == ["transposed"]


def test_a_refused_deal_comes_back_with_everything_typed(site: Server, browser: Any) -> None:
    made = a_sheet(site, target=500, depth="tricks")
    page = phone(browser, site.url).new_page()
    page.goto(made["page"])
    choose(page, "trump", "C")
    choose(page, "tricks", "8")
    page.locator("[data-deal-form]").evaluate(
        "form => { form.querySelector('[data-points]').dataset.bounds = ''; }"
    )
    digits(page, 20)
    page.locator("[data-write]").tap()
    page.locator("#refused").wait_for()
    assert page.locator("[name=points]").input_value() == "20"
    assert page.locator("input[name=trump][value=C]").is_checked()
    assert page.locator("input[name=tricks][value='8']").is_checked()


def test_card_by_card_shows_the_winner_and_flags_a_revoke(site: Server, browser: Any) -> None:
    made = a_sheet(site, target=500, depth="cards")
    page = phone(browser, site.url).new_page()
    page.goto(made["page"])
    choose(page, "trump", "S")
    deal = site.python(CARDS)
    for at, card in enumerate(deal["plays"], start=1):
        page.locator(f".cardentry__pack button[aria-label='{card}']").tap()
        if at == 4:
            first = page.locator(".cardentry__tricks li").first.inner_text()
            assert str(deal["first"]["points"]) in first
    page.locator(".cardentry__notes .notice").first.wait_for()
    page.locator("[data-write]").tap()
    number_is(page, 2)
    after = read(site, made)["deals"][0]
    assert after[2]["record"]["plays"] == deal["plays"]
    assert after[3] == deal["marks"]
    assert after[5] == deal["flags"] > 0


CARDS = """
import json, random
from scoring.engine.calls import answer
from scoring.engine.rulebook import resolve
from tournament.demo.play import deal_and_play
game = resolve("belgian", {})
found = None
for seed in range(500):
    record = deal_and_play(game, "N", random.Random(seed))["record"]
    plays = list(record["plays"])
    base = {"rulebook": "belgian", "options": {}, "trump": "S", "leader": "E", "plays": plays}
    replay = answer("replay", base)
    if replay["violations"]:
        found = (plays, replay)
        break
plays, replay = found
entry = {"rulebook": "belgian", "options": {}, "contract": {"declarer": "NS", "trump": "S", "doubling": 0},
         "points": replay["points"], "tricks": replay["tricks_won"]}
print(json.dumps({"plays": plays, "first": replay["tricks"][0], "flags": len(replay["violations"]),
                  "marks": answer("score", entry)["marks"]}))
"""


def test_the_referee_is_called(site: Server, browser: Any) -> None:
    made = a_sheet(site)
    page = phone(browser, site.url).new_page()
    page.goto(made["page"])
    page.locator("details.call summary").tap()
    page.locator("button[value=referee]").tap()
    page.locator(".call__waiting").wait_for()
    assert read(site, made)["calls"] == 1


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def mortal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server on either database, to be killed."""
    with fresh_database(request.param) as url, server(tmp_path, url) as running:
        yield running


def test_the_server_is_killed_while_deals_are_sent(mortal: Server, browser: Any) -> None:
    """Whatever was acknowledged is there, once and in order, however often the server dies."""
    site = mortal
    made = a_sheet(site, target=5000)
    context = phone(browser, site.url)
    page = context.new_page()
    page.goto(made["page"])
    governed(page)
    chance = random.Random(4)
    typed = []
    for _round in range(4):
        for _deal in range(2):
            points = chance.randint(30, 44)
            typed.append(points)
            write_deal(page, points)
            page.wait_for_timeout(chance.randint(0, 40))
        site.kill()
        points = chance.randint(30, 44)
        typed.append(points)
        write_deal(page, points)
        kept(page, len(typed))
        if chance.random() < 0.5:
            page.reload()
            page.locator("[data-queued]").first.wait_for()
        site.start()
        sent(page)
        number_is(page, len(typed) + 1)
    after = read(site, made)["deals"]
    assert [deal[2]["points"]["NS"] for deal in after] == typed
    assert [deal[0] for deal in after] == list(range(1, len(typed) + 1))
    assert all(deal[1] == 1 for deal in after)
