"""Ten small events of every kind, each from the form to the diploma by the desk's own buttons.

Only the deals are entered through the services, as phones would enter them. The first on the diploma and in the public
standings must be first in :mod:`tests.tournament.recount`.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Inside, Service, looking
from tests.browser.test_journeys import press, sign_in
from tests.tournament.documents.reading import whole_text
from tournament.demo.story import names

pytestmark = [pytest.mark.browser, pytest.mark.long]


@dataclass(frozen=True)
class Small:
    """A small event as the form takes it; ``more`` are further fields of the form."""

    name: str
    language: str
    shape: str
    rulebook: str
    size: int
    rounds: int = 1
    deals: int = 1
    pairs: bool = True
    kind: str = "championship"
    more: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.language}-{self.shape}-{self.rulebook}-{self.size}"


ALONE: dict[str, Any] = {"pairs": False}
EVENTS = [
    Small("Coupe", "fr", "championship", "belgian", 16, **ALONE, more={"cut": "8"}),
    Small("Zwitsers", "nl", "pairs_swiss", "coinchee", 7, 2),
    Small("Toutes rondes", "fr", "round_robin", "muette", 4),
    Small("Beker", "nl", "ko", "chaloupee", 6),
    Small("Poules", "fr", "pools_ko", "belgian", 6),
    Small("Mitchell", "nl", "pairs_mitchell", "parlee", 6, 2),
    Small("Whist", "fr", "whist", "belgian", 12, 2, **ALONE),
    Small("Met drie", "nl", "random", "three-player", 9, 2, deals=3, **ALONE),
    Small(
        "Encan",
        "fr",
        "individual_draw",
        "auction-1",
        10,
        2,
        deals=4,
        **ALONE,
        more={"stakes": "50 40 30 20 10"},
    ),
    Small("Clubavond", "nl", "individual_draw", "belgian", 9, **ALONE, kind="club"),
]


def players_file(small: Small) -> bytes:
    """Return the player file as a secretary sends it; pairs have a column for the partner."""
    people = [name for name, _club in names(small.size * (1 + small.pairs), small.name)]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";")
    writer.writerow(["Nr", "Naam", "Partner"] if small.pairs else ["Nr", "Naam"])
    for number, name in enumerate(people[: small.size], start=1):
        partner = [people[small.size + number - 1]] if small.pairs else []
        writer.writerow([number, name, *partner])
    return out.getvalue().encode()


def open_by_form(page: Any, service: Service, small: Small) -> str:
    """Open the event by its card, four questions and the folded fields. Return its slug."""
    page.goto(f"{service.url}/desk/new/")
    page.check(f"[name=kind][value={small.kind}]", force=True)
    page.fill("[name=players]", str(small.size * (1 + small.pairs)))
    press(page, "main form button[type=submit]")
    page.fill("[name=name]", small.name)
    page.select_option("[name=rulebook]", small.rulebook)
    page.click("main details.fold > summary")
    chosen = {"rounds": str(small.rounds), "deals": str(small.deals), **small.more}
    page.select_option("[name=shape]", small.shape)
    for name, value in chosen.items():
        page.fill(f"[name={name}]", value)
    press(page, "main form button[type=submit]")
    found = re.search(r"/desk/([-\w]+)/players/import/", page.url)
    assert found is not None, page.inner_text("main")
    return found[1]


def register(page: Any, small: Small) -> None:
    """Preview and import the players' file; the page counts pairs as pairs."""
    page.set_input_files(
        "[name=file]",
        {"name": "leden.csv", "mimeType": "text/csv", "buffer": players_file(small)},
    )
    press(page, "main form:has([name=file]) button[type=submit]")
    press(page, "[name=confirm]")
    page.wait_for_selector(".job--done")
    said = page.inner_text(".job--done")
    word = ("paires", "paren") if small.pairs else ("joueurs", "spelers")
    assert f"{small.size} {word[small.language == 'nl']}" in said


def decide_level(page: Any) -> None:
    """Decide the undecided matches as the director, for the first side of each."""
    while page.locator("#matches details[open] form").count():
        form = page.locator("#matches details[open] form").first
        form.locator("[name=winner]").first.check()
        form.locator("[name=reason]").fill("belle")
        with page.expect_navigation():
            form.locator("[name=act][value=decide]").click()
        press(page, "main form button.button--danger")


def lead(page: Any, service: Service, inside: Inside, slug: str) -> None:
    """Follow only the desk's next steps until the diplomas can be printed."""
    desk = f"{service.url}/desk/{slug}/"
    step = "#next-step "
    for _step in range(80):
        page.goto(desk)
        if page.locator(step + "form[action$='/check-in/']").count():
            press(page, step + "form[action$='/check-in/'] button")
        elif page.locator(step + "form[action$='/draw/']").count():
            press(page, step + "form[action$='/draw/'] button")
            page.wait_for_selector(".job--failed, [name=act][value=publish]")
            assert page.locator(".job--failed").count() == 0, page.inner_text("main")
        elif page.locator(step + "a[href*='/draws/']").count():
            press(page, step + "a[href*='/draws/']")
            press(page, "[name=act][value=publish]")
        elif page.locator(step + "form[action$='/start/']").count():
            press(page, step + "form[action$='/start/'] button")
            inside.ask("play", slug=slug)
        elif page.locator(step + "form[action$='/close/']").count():
            press(page, step + "form[action$='/close/'] button")
            decide_level(page)
        elif page.locator(step + "a[href*='/cut/']").count():
            press(page, step + "a[href*='/cut/']")
            if page.locator("[name=verb][value=lots]").count():
                press(page, "[name=verb][value=lots]")
            press(page, "[name=verb][value=open]")
        elif page.locator(step + "[name=state][value=final]").count():
            press(page, step + "form:has([name=state]) button")
            if page.locator("main [name=reason]").count():
                page.fill("main [name=reason]", "They share the cup.")
                press(page, "main form:has([name=reason]) button[type=submit]")
        else:
            return
    pytest.fail(f"the event never ends: {page.inner_text('#next-step')}")


def diploma(page: Any, service: Service, slug: str) -> str:
    """Print the winner's diploma on the page of documents. Return its text."""
    page.goto(f"{service.url}/desk/{slug}/documents/?kind=certificates")
    page.click("main form.stack details summary")
    page.fill("[name=top]", "1")
    press(page, "main form.stack button[type=submit]")
    page.wait_for_selector(".job--done a.button")
    address = page.locator(".job--done a.button").first.get_attribute("href")
    return whole_text(page.request.get(service.url + address).body())


@pytest.mark.parametrize("small", EVENTS, ids=str)
def test_a_small_event_from_the_form_to_the_diploma(
    chromium: Any, service: Service, inside: Inside, small: Small
) -> None:
    with looking(chromium, 1280, small.language) as page:
        sign_in(page, service)
        slug = open_by_form(page, service, small)
        register(page, small)
        lead(page, service, inside, slug)
        counted = inside.ask("recount", slug=slug)
        assert counted["deals"]
        assert len(counted["first"]) >= 1
        printed = diploma(page, service, slug)
        assert all(name in printed for name in counted["first"])
        others = [name for name, _club in names(small.size, small.name)]
        if small.shape != "pairs_mitchell":
            named = {name for name in others if name in printed}
            assert len(named) == len(counted["first"])
        press_finish(page, service, slug)
    with looking(chromium, 360, small.language) as phone:
        phone.goto(f"{service.url}/e/{slug}/standings/")
        rows = phone.locator("main tbody tr[data-entrant]")
        leaders = re.compile("|".join(re.escape(name.split(" / ")[0]) for name in counted["first"]))
        # The winner of a Mitchell is the first of one of its two lines.
        two_lines = small.shape == "pairs_mitchell"
        top = rows.filter(has_text=leaders).first if two_lines else rows.first
        expect(top).to_contain_text(leaders)
        level = len(counted["first"]) > 1
        first = re.compile("^1=?$") if two_lines else "1=" if level else "1"
        expect(top.locator(".rank")).to_have_text(first)


def press_finish(page: Any, service: Service, slug: str) -> None:
    """Declare the event finished; the desk has no open matter left."""
    page.goto(f"{service.url}/desk/{slug}/finish/")
    press(page, "main form button[type=submit] >> nth=0")
