"""A player's evening on a phone, at the usual text size and at twice it."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import CROWDED, IN_LONGER_WORDS, LINES, ON_BOTH
from .push import Notices
from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    count,
    find_network,
    in_language,
    lose_network,
)

pytestmark = BY_TURNS
TWICE = """addEventListener("DOMContentLoaded", () => { document.documentElement.style.fontSize = "200%"; });"""
KEPT = """async (wanted) => {
  await navigator.serviceWorker.ready;
  const kept = async () => Promise.all(wanted.map((each) => caches.match(each, { ignoreVary: true })));
  while (!(await kept()).every(Boolean)) await new Promise((next) => setTimeout(next, 100));
}"""
MANIFEST = "fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())"
IN_SIGHT = """(row) => {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""


def typed(name: str) -> str:
    """Return a name as typed in a hurry: without capitals, accents, apostrophes and spaces."""
    plain = unicodedata.normalize("NFD", name).encode("ascii", "ignore").decode()
    return "".join(letter for letter in plain.lower() if letter.isalnum())


def follow(page: Any, slug: str, name: str) -> None:
    """Search a friend and follow them."""
    page.goto(f"/e/{slug}/")
    page.fill("input[name=q]", typed(name))
    page.press("input[name=q]", "Enter")
    page.wait_for_url("**/players/*/")
    expect(page.locator("h1")).to_have_text(name)
    page.locator("[data-follow]").click()
    count(page, "[data-follow][aria-pressed=true]", 1)


def look(page: Any) -> None:
    """Check that no text overlaps another and nothing is wider than the screen."""
    assert page.evaluate(CROWDED) == [], page.url


@IN_LONGER_WORDS
@pytest.mark.parametrize("text", [100, 200])
@ON_BOTH
def test_a_player_s_evening(site: Server, whole_chromium: Any, language: str, text: int) -> None:
    """The badge's code, the standings, the icon, the next draw, a wrong result."""
    made = site.ask("evening", language=language)
    slug, badge = made["slug"], made["badges"]["1"]
    away = [number for number in made["names"] if int(number) not in [1, *made["others"]]][:2]
    with a_phone(whole_chromium, site, language, permissions=["notifications"]) as page:
        if text == 200:
            page.add_init_script(TWICE)
        notices = Notices(page, site.url)
        page.goto(badge)
        now = page.locator(".now .now__big")
        expect(now).to_contain_text(f" {made['table']},")
        for number in made["others"]:
            expect(page.locator(".now")).to_contain_text(made["names"][str(number)])
        in_language(page, language)
        look(page)
        for number in away:
            follow(page, slug, made["names"][number])
            look(page)
        page.goto(f"/e/{slug}/")  # the event's page begins with my table
        expect(page.locator("[data-me-now] .now__big")).to_contain_text(f" {made['table']},")
        look(page)

        # A game is over: signed on the player's own phone by the badge, by the others at the table.
        site.ask("end_games", sheets=made["sheets"][:1])
        page.goto(badge)
        page.locator("a[href^='/sign/']").click()
        page.wait_for_url("**/sign/**")
        page.locator("button[name=verb][value=sign]").click()
        count(page, ".chip--signed", 1)
        look(page)
        site.ask("sign_rest", sheet=made["sheets"][0])
        site.ask("play", slug=slug)
        page.goto(badge)
        page.locator("a[href^='/sign/']").click()
        wrong = page.locator("details:has(button[value=contest])").first
        wrong.locator("summary").click()
        wrong.locator("[name=words]").fill("41, not 14")
        look(page)
        wrong.locator("button[value=contest]").click()
        count(page, ".fold .notice--warning", 1)
        look(page)
        calls = [call for each in made["sheets"] for call in site.ask("read", sheet=each)["calls"]]
        assert {(call["reason"], call["open"]) for call in calls} == {("41, not 14", True)}

        # Standings: the player's row stays in view while the list scrolls, friends are under one button.
        page.goto(f"/e/{slug}/standings/")
        assert page.locator("h1").evaluate(LINES) <= 2
        own = page.locator("#standings tr.is-me")
        expect(own).to_have_attribute("data-entrant", "1")
        page.locator(f"[data-jump={'cut' if text == 100 else 'me'}]").click()
        assert own.locator("th").evaluate(IN_SIGHT)
        page.locator("[data-only-followed]").click()
        rows = page.locator("#standings tbody tr[data-entrant]:visible")
        expect(rows).to_have_count(3)
        assert {row.get_attribute("data-entrant") for row in rows.all()} == {"1", *away}
        look(page)

        # The icon opens the player's page, without a network too.
        page.goto(badge)
        start = page.evaluate(MANIFEST)["start_url"]
        assert start == badge
        page.evaluate(KEPT, [badge, f"/e/{slug}/standings/", "/e/" + slug + "/"])
        seat = now.inner_text()
        lose_network(page.context)
        page.goto(start)
        expect(now).to_have_text(seat)
        page.goto(f"/e/{slug}/standings/")
        expect(page.locator("#standings tr.is-me")).to_have_attribute("data-entrant", "1")
        look(page)
        find_network(page.context)

        # A notice of the next draw arrives on the phone; the page and the icon show the new table.
        page.goto(badge)
        page.locator("[data-push] button").click()
        count(page, "[data-push] button[aria-pressed=true]:enabled", 1)
        (message,) = site.ask("next_draw", slug=slug)["sent"]
        there = site.ask("seat", slug=slug, number=1)
        expect(now).to_contain_text(f" {there['table']},")
        title, body, path = notices.arrive(message, badge)
        assert (message["lang"], path) == (language, badge)
        assert f" {there['table']}," in body
        assert title == message["title"]
        assert notices.click(badge) == [["focus", badge]]
        page.goto(start)
        expect(now).to_contain_text(f" {there['table']},")
        for number in there["others"]:
            expect(page.locator(".now")).to_contain_text(made["names"][str(number)])
        look(page)
