"""Actions of a scorekeeper's thumb on a table's page, and conditions that the page must always meet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import LANGUAGES, torn
from .inside import PASSWORD
from .serving import Server, phone

expect.set_options(timeout=30_000)  # a bound for a busy machine, not a wait
BY_TURNS = [
    pytest.mark.browser,
    pytest.mark.long,
    pytest.mark.one_language,
    pytest.mark.parametrize("language", LANGUAGES),
]
"""Marks of a module of tests of the table's page, which run in alternating languages.

``tests/test_languages.py`` checks that the page supports every language, and ``tests/browser/test_table_words.py`` the
words by which these tests recognise it.
"""
SPOKEN = {
    "next": {"en": "Record the deal", "fr": "Noter la donne", "nl": "Gift noteren"},
    "over": {"en": "The game is over", "fr": "La manche est finie", "nl": "De boom is uit"},
    "marks": {"en": "N-S score", "fr": "N-S marquent", "nl": "N-Z schrijven"},
    "queued": {"en": "on this phone", "fr": "sur ce téléphone", "nl": "op deze telefoon"},
    "unreached": {"en": "No connection", "fr": "Pas de connexion", "nl": "Geen verbinding"},
    "refused": {"en": "was refused", "fr": "a été refusée", "nl": "is geweigerd"},
    "pen": {
        "en": "Another phone is",
        "fr": "Un autre téléphone tient",
        "nl": "Een andere telefoon schrijft",
    },
    "signed": {
        "en": "The result is official",
        "fr": "Le résultat est officiel",
        "nl": "De uitslag is officieel",
    },
    "referee": {
        "en": "A referee confirms",
        "fr": "Un arbitre confirme",
        "nl": "Een scheidsrechter bevestigt",
    },
    "called": {
        "en": "The referee has been called",
        "fr": "L’arbitre est appelé",
        "nl": "De scheidsrechter is geroepen",
    },
    "calling": {
        "en": "when the connection is back",
        "fr": "partira au retour du réseau",
        "nl": "vertrekt zodra er weer verbinding is",
    },
    "differ": {
        "en": "entries differ",
        "fr": "n’ont pas noté la même chose",
        "nl": "noteerden iets anders",
    },
    "table": {"en": "Table 1 · round 1", "fr": "Table 1 · tour 1", "nl": "Tafel 1 · ronde 1"},
    "deal": {"en": "Deal", "fr": "Donne", "nl": "Gift"},
    "trick": {"en": "Trick", "fr": "Levée", "nl": "Slag"},
    "noted": {
        "en": "noted for the referee",
        "fr": "noté pour l’arbitre",
        "nl": "genoteerd voor de scheidsrechter",
    },
    "bell": {"en": "The bell has rung", "fr": "La cloche a sonné", "nl": "De bel is gegaan"},
    "level": {"en": "Tied at the bell", "fr": "Égalité à la cloche", "nl": "gelijk bij de bel"},
    "draw": {"en": "A tie", "fr": "Égalité", "nl": "Gelijkspel"},
    "won": {"en": "N-S won", "fr": "Victoire : N-S", "nl": "Winst voor N-Z"},
    "sure": {"en": "Yes, record it", "fr": "Oui, noter", "nl": "Ja, zo noteren"},
    "room": {"en": "Hall", "fr": "Salle", "nl": "Zaal"},
    "full": {
        "en": "has no space left to keep deal 1",
        "fr": "n’a pas assez de place pour garder la donne 1",
        "nl": "heeft geen plaats om gift 1 te bewaren",
    },
    "network": {
        "en": "This needs a connection",
        "fr": "Une connexion est nécessaire",
        "nl": "Hiervoor is verbinding nodig",
    },
}
"""Words by which a page's language is recognised, in each language (glossary D.3)."""


@contextmanager
def a_phone(browser: Any, site: Server, language: str, **more: Any) -> Iterator[Any]:
    """Open a page on a new phone, 360 px wide. At the end check that no script failed and nothing overflows."""
    context = phone(browser, more.pop("url", site.url), language, **more)
    context.set_default_timeout(15_000)
    page = context.new_page()
    troubles: list[str] = []
    listen(page, troubles)
    try:
        yield page
        if not page.is_closed():
            in_language(page, language)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            assert torn(page) == []
        assert troubles == []
    finally:
        context.close()


def listen(page: Any, troubles: list[str]) -> None:
    """Collect errors of a page's scripts; refusals and a lost network are not script errors."""
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "console",
        lambda said: (
            troubles.append(said.text)
            if said.type == "error"
            and "Failed to load resource" not in said.text
            and "Cross-Origin-Opener-Policy" not in said.text  # is for HTTPS, and ignored without
            else None
        ),
    )


def lose_network(context: Any) -> None:
    """Disconnect the browser from the network and stop the requests of its pages.

    Chromium forgets for a moment that it is offline when a page takes the place of another, and
    what passes a service worker passes no route: the pages of the phone hold back themselves.
    """
    context.pages[-1].evaluate("localStorage.setItem('test:offline', '1')")
    context.set_offline(True)


def find_network(context: Any) -> None:
    """Reconnect the browser to the network."""
    context.pages[-1].evaluate("localStorage.removeItem('test:offline')")
    context.set_offline(False)


def in_language(page: Any, language: str) -> None:
    """Expect the page to declare this language."""
    expect(page.locator("html")).to_have_attribute("lang", language)


def speaks(page: Any, what: str, language: str, where: str = "main") -> None:
    """Expect the page to contain a key word in its language."""
    expect(page.locator(where).first).to_contain_text(SPOKEN[what][language])


def choose(page: Any, name: str, value: str) -> None:
    """Tap a choice of the deal's form, after opening its fold.

    By mouse events: on a busy machine the pause between a finger's two events may be so long that the browser takes the
    tap for a long press, which a person would repeat.
    """
    if name == "doubling":
        for _call in range(int(value)):
            page.locator("[data-calls]").click()
        count(page, f"form input[name={name}][value='{value}']:checked", 1)
        return
    unfold(page, name)
    if page.locator(f"form fieldset[hidden] input[name={name}]").count():
        choose_pair(page, name, value)
        return
    page.locator(f"form label.choice:has(input[name={name}][value='{value}'])").click()
    count(page, f"form input[name={name}][value='{value}']:checked", 1)


def choose_pair(page: Any, name: str, value: str) -> None:
    """Tap a pair of choices: the other one is what is chosen already or comes first."""
    pad = page.locator(f"[data-pairs~={name}]")
    pair = {}
    for each in str(pad.get_attribute("data-pairs")).split():
        found = page.locator(f"form input[name={each}]:checked, form input[name={each}] >> nth=0")
        pair[each] = found.last.get_attribute("value")
    pair[name] = value
    pad.locator(f"[data-pair='{' '.join(map(str, pair.values()))}']").click()
    count(page, f"form input[name={name}][value='{value}']:checked", 1)


def unfold(page: Any, name: str) -> None:
    """Open the fold around a field of the deal's form where it is closed."""
    fold = page.locator(f"form details.more:not([open]):has([name={name}])")
    if fold.count():
        fold.locator("summary").click()


def digits(page: Any, number: int) -> None:
    """Tap the digits on the page, as a thumb would."""
    for digit in str(number):
        page.locator(f"[data-numpad] button[data-key='{digit}']").click()


def hand_in(page: Any) -> None:
    """Tap the button that records the deal."""
    page.locator("[data-write]").click()


def ask_nothing(page: Any) -> None:
    """Let the page ask no questions itself, as before they were asked on the phone: the server does."""
    page.locator("#live").evaluate(
        "live => { const { doubt, ...rules } = JSON.parse(live.dataset.rules);"
        " live.dataset.rules = JSON.stringify(rules); }"
    )


def write_deal(page: Any, points: int, trump: str = "H", *, asked: bool = True) -> None:
    """Record a deal by points alone; unless ``asked``, only the server asks about it."""
    choose(page, "trump", trump)
    digits(page, points)
    if not asked:
        ask_nothing(page)
    hand_in(page)


def keep_deals(page: Any, address: str, *points: int, asked: bool = True) -> None:
    """Open a table's page, lose the network and record deals: the phone keeps them."""
    page.goto(address)
    governed(page)
    lose_network(page.context)
    for each in points:
        write_deal(page, each, asked=asked)
    page.locator(f"[data-queue][data-count='{len(points)}']").wait_for(state="attached")


def type_deal(page: Any, fields: dict[str, str]) -> None:
    """Fill in the deal's form: choices are tapped, other fields are typed."""
    for name, value in fields.items():
        if page.locator(f"form input[type=radio][name={name}]").count():
            choose(page, name, value)
        else:
            unfold(page, name)
            page.fill(f"form [name={name}]", value)


def number_is(page: Any, number: int) -> None:
    """Wait until the server's copy of the page asks for this deal."""
    page.locator(f"[data-deal-form][data-number='{number}']").wait_for(state="attached")


def shown_number(page: Any, number: int) -> None:
    """Wait until the form is for this deal, whether the server or the phone counted."""
    expect(page.locator("[data-deal-form] input[name=number]")).to_have_value(str(number))


def following(page: Any, game: int) -> None:
    """Wait until this game is over for the page, which links to the next."""
    page.locator(f"[data-next-game] a[href='?game={game}']").wait_for()


def sent(page: Any) -> None:
    """Wait until the phone's queue is empty."""
    page.locator("[data-queue][data-count='0']").wait_for(state="attached", timeout=60_000)


def kept(page: Any, number: int, language: str) -> None:
    """Wait until the page confirms that this phone has stored the deal. From then on it must not be lost."""
    expect(page.locator("[data-queue]")).to_contain_text(f"{SPOKEN['deal'][language]} {number}")


def count(page: Any, selector: str, number: int) -> None:
    """Wait until the page has this number of elements (its security policy forbids waiting by script)."""
    expect(page.locator(selector)).to_have_count(number, timeout=30_000)


def governed(page: Any) -> None:
    """Wait until the service worker controls the page."""
    page.evaluate(
        "new Promise(done => navigator.serviceWorker.controller ? done(true)"
        " : navigator.serviceWorker.addEventListener('controllerchange', () => done(true)))"
    )


def hold(button: Any) -> None:
    """Hold a button down until it acts."""
    button.dispatch_event("pointerdown")


def sign(page: Any, *sides: str) -> None:
    """Sign on this phone as the first player of each side."""
    assert torn(page) == []
    for side in sides:
        form = page.locator(f"form.signers:has(input[name=signing][value={side}])")
        hold(form.locator("button[name=signer]").first)
        form.wait_for(state="detached")


def sign_in(page: Any, site: Server, name: str) -> None:
    """Sign in as a member of staff."""
    page.goto(site.url + "/login/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(lambda address: "/login/" not in address)


def points_of(told: dict[str, Any]) -> list[int]:
    """Return the stored points of N-S, deal by deal."""
    return [deal["entry"]["points"]["NS"] for deal in told["deals"]]
