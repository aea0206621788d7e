"""What a scorekeeper's thumb does on a table's page, and what the page must always be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import expect

from .inside import PASSWORD
from .serving import Server, phone

expect.set_options(timeout=30_000)  # a bound for a busy machine, not a wait
LANGUAGES = ["en", "fr", "nl"]
IN_EVERY_LANGUAGE = [
    pytest.mark.browser, pytest.mark.long, pytest.mark.parametrize("language", LANGUAGES),
]  # fmt: skip
"""The marks of a module of tests of the table's page."""
SPOKEN = {
    "next": {"en": "Write the deal", "fr": "Noter la donne", "nl": "Gift noteren"},
    "over": {"en": "The game is over", "fr": "La manche est finie", "nl": "De boom is uit"},
    "marks": {"en": "N-S mark", "fr": "N-S marquent", "nl": "N-Z noteren"},
    "queued": {"en": "on this phone", "fr": "sur ce téléphone", "nl": "op deze telefoon"},
    "refused": {"en": "was not taken", "fr": "n’a pas été prise", "nl": "is niet aanvaard"},
    "pen": {"en": "Another phone writes", "fr": "Un autre téléphone écrit",
            "nl": "Een andere telefoon schrijft"},
    "signed": {"en": "The sheet is signed", "fr": "La feuille est signée",
               "nl": "Het blad is getekend"},
    "referee": {"en": "A referee confirms", "fr": "Un arbitre confirme",
                "nl": "Een scheidsrechter bevestigt"},
    "called": {"en": "The referee has been called", "fr": "L’arbitre est appelé",
               "nl": "De scheidsrechter is geroepen"},
    "calling": {"en": "waits for the network", "fr": "attend le réseau",
                "nl": "wacht op het netwerk"},
    "differ": {"en": "wrote something different", "fr": "ont noté autre chose",
               "nl": "noteerden iets verschillends"},
    "deal": {"en": "Deal", "fr": "Donne", "nl": "Gift"},
    "trick": {"en": "Trick", "fr": "Levée", "nl": "Slag"},
    "noted": {"en": "noted for the referee", "fr": "noté pour l’arbitre",
              "nl": "genoteerd voor de scheidsrechter"},
    "bell": {"en": "The bell has rung", "fr": "La cloche a sonné", "nl": "De bel is gegaan"},
    "level": {"en": "level at the bell", "fr": "à égalité à la cloche", "nl": "gelijk bij de bel"},
    "draw": {"en": "A draw", "fr": "Partie nulle", "nl": "Gelijk"},
    "won": {"en": "N-S won", "fr": "Victoire de N-S", "nl": "Winst voor N-Z"},
    "sure": {"en": "Yes, write it like this", "fr": "Oui, noter ainsi", "nl": "Ja, zo noteren"},
    "room": {"en": "Room", "fr": "Salle", "nl": "Zaal"},
    "network": {"en": "This needs the network", "fr": "Il faut le réseau",
                "nl": "Hiervoor is het netwerk nodig"},
}  # fmt: skip
"""A word of a page in each language, by which the page is known to speak it (glossary D.3)."""


@contextmanager
def a_phone(browser: Any, site: Server, language: str, **more: Any) -> Iterator[Any]:
    """A page of a fresh phone, 360 px wide; at the end nothing failed and nothing stood out."""
    context = phone(browser, site.url, language, **more)
    context.set_default_timeout(15_000)
    page = context.new_page()
    troubles: list[str] = []
    listen(page, troubles)
    try:
        yield page
        if not page.is_closed():
            in_language(page, language)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert troubles == []
    finally:
        context.close()


def listen(page: Any, troubles: list[str]) -> None:
    """Note what goes wrong in a page's scripts; a refusal or a lost network is no fault of theirs."""
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "console",
        lambda said: (
            troubles.append(said.text)
            if said.type == "error" and "Failed to load resource" not in said.text
            else None
        ),
    )


def in_language(page: Any, language: str) -> None:
    """The page says that it is in this language."""
    assert page.locator("html").get_attribute("lang") == language


def speaks(page: Any, what: str, language: str, where: str = "main") -> None:
    """The page says a key word in its language."""
    expect(page.locator(where).first).to_contain_text(SPOKEN[what][language])


def choose(page: Any, name: str, value: str) -> None:
    """Tap a choice of the deal's form."""
    page.locator(f"form label.choice:has(input[name={name}][value='{value}'])").tap()


def digits(page: Any, number: int) -> None:
    """Tap the digits on the page, as a thumb would."""
    for digit in str(number):
        page.locator(f"[data-numpad] button[data-key='{digit}']").tap()


def hand_in(page: Any) -> None:
    """Tap the button that writes the deal."""
    page.locator("[data-write]").tap()


def write_deal(page: Any, points: int, trump: str = "H") -> None:
    """Write a deal by points alone."""
    choose(page, "trump", trump)
    digits(page, points)
    hand_in(page)


def number_is(page: Any, number: int) -> None:
    """Until the server's copy of the page asks for this deal."""
    page.locator(f"[data-deal-form][data-number='{number}']").wait_for(state="attached")


def shown_number(page: Any, number: int) -> None:
    """Until the form is for this deal, whoever counted."""
    expect(page.locator("[data-deal-form] input[name=number]")).to_have_value(str(number))


def following(page: Any, game: int) -> None:
    """Until this game is over for the page, which leads on to the next."""
    page.locator(f"[data-next-game] a[href='?game={game}']").wait_for()


def sent(page: Any) -> None:
    """Until nothing waits on the phone any more."""
    page.locator("[data-queue][data-count='0']").wait_for(state="attached", timeout=60_000)


def kept(page: Any, number: int, language: str) -> None:
    """Until the page says that this phone keeps the deal: from then on it may not be lost."""
    expect(page.locator("[data-queue]")).to_contain_text(f"{SPOKEN['deal'][language]} {number}")


def count(page: Any, selector: str, number: int) -> None:
    """Until so many elements are there (the page's security policy forbids waiting by script)."""
    expect(page.locator(selector)).to_have_count(number, timeout=30_000)


def governed(page: Any) -> None:
    """Until the service worker governs the page."""
    page.evaluate(
        "new Promise(done => navigator.serviceWorker.controller ? done(true)"
        " : navigator.serviceWorker.addEventListener('controllerchange', () => done(true)))"
    )


def sign(page: Any, *sides: str) -> None:
    """The first player of each side signs on this phone."""
    for side in sides:
        form = page.locator(f"form.signers:has(input[name=signing][value={side}])")
        form.locator("button[name=signer]").first.tap()
        form.wait_for(state="detached")


def sign_in(page: Any, site: Server, name: str) -> None:
    """A member of staff signs in."""
    page.goto(site.url + "/login/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(lambda address: "/login/" not in address)


def points_of(told: dict[str, Any]) -> list[int]:
    """The points of N-S that the database holds, deal by deal."""
    return [deal["entry"]["points"]["NS"] for deal in told["deals"]]
