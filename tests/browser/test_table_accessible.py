"""Every page of a table meets WCAG 2.2 AA (axe) in French and Dutch, light and dark, at 360 px.

Beyond axe: controls at the table reach 48 px (design, Looks), and no word of a button is broken.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from .conftest import IN_LONGER_WORDS, LANGUAGES, ON_BOTH
from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    choose,
    digits,
    hand_in,
    hold,
    number_is,
    write_deal,
)

pytestmark = BY_TURNS

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SMALL = """() => [...document.querySelectorAll(
    '.page--table main button, .page--table main .choice__face, .page--table main summary, .page--table main select, '
    + '.page--table main input.input, .page--table main input[name=points]')]
  .filter(each => each.checkVisibility() && !each.closest('.cardentry__pack, [aria-hidden=true]'))
  .map(each => [each.getBoundingClientRect(), each.textContent.trim().slice(0, 30)])
  .filter(([box]) => box.width > 0 && (box.height < 47.5 || box.width < 44))
  .map(([box, text]) => `${Math.round(box.width)}x${Math.round(box.height)} ${text}`)"""
BROKEN = """() => {
  const broken = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest('button, .choice__face, summary, th, h1, h2')) continue;
    for (const word of node.textContent.matchAll(/[^\\s\\u00ad-]{2,}/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].filter(r => r.width > 1).map(r => Math.round(r.top / 4)));
      if (tops.size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""


SHOWN = {
    "belgian": ("points", "tricks", "list", "cards"),
    "coinchee": ("points",),
    "auction-2": ("tricks",),
    "three-player": ("points",),
}
"""Forms examined: every depth, and the fields of only some rulebooks."""


def examine(page: Any, where: str) -> list[str]:
    """Return the faults of the page, with all folds open and scrolled so that no sticky element covers others."""
    page.evaluate(
        "document.querySelectorAll('details.more').forEach(fold => { fold.open = true; })"
    )
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES
    )
    wrong = [
        f"{where}: {each['id']} {each['nodes'][0]['html'][:160]}" for each in found["violations"]
    ]
    wrong += [f"{where}: small {each}" for each in page.evaluate(SMALL)]
    wrong += [f"{where}: broken {each}" for each in page.evaluate(BROKEN)]
    return wrong


def depths(page: Any, site: Server) -> list[str]:
    """Examine the form of a deal at every depth, in the rulebooks with the most fields."""
    wrong: list[str] = []
    for rulebook, shown in SHOWN.items():
        made = site.ask("sheet", rulebook=rulebook, target={"deals": 12})
        for depth in shown:
            page.goto(f"{made['page']}?game=1&depth={depth}")
            if depth == "cards":
                choose(page, "trump", "S")
                page.locator(".cardentry__pack button").first.tap()
            wrong += examine(page, f"{rulebook} {depth}")
    return wrong


def asked_and_refused(page: Any, site: Server) -> list[str]:
    """Examine a refused entry, a doubted entry, and the call for the referee with its reasons."""
    made = site.ask("sheet")
    page.goto(made["page"])
    digits(page, 75)
    hand_in(page)
    wrong = examine(page, "refused")
    page.locator("[data-numpad] button[data-key='clear']").tap()
    write_deal(page, 14, asked=False)
    page.locator("[data-queued=refused]").wait_for()
    wrong += examine(page, "doubted")
    page.locator("[data-queued=refused] button").first.tap()
    number_is(page, 2)
    page.locator("details.call summary").tap()
    wrong += examine(page, "call")
    page.locator("button[value=referee]").tap()
    page.locator(".call__waiting").wait_for()
    return wrong + examine(page, "called")


def signing(page: Any, site: Server) -> list[str]:
    """Examine signing, the signed sheet, the history of a corrected deal, and the badge's page."""
    made = site.ask("sheet", seated=True, target={"deals": 1})
    page.goto(made["page"])
    write_deal(page, 42)
    page.locator("#sign").wait_for()
    page.locator("#sign details summary").tap()
    wrong = examine(page, "sign")
    page.locator(".score tbody th.nr a").first.tap()
    page.locator(".timeline").wait_for()
    wrong += examine(page, "history")
    page.goto(made["page"])
    for left in (1, 0):
        hold(page.locator("form.signers button").first)
        page.locator("form.signers").nth(left).wait_for(state="detached")
    page.locator(".state--finished").wait_for()
    wrong += examine(page, "signed")
    (table,) = site.ask("hall", tables=1, deals=1)["tables"]
    site.ask("write", sheet=table["sheet"], points=[42])
    page.goto(table["badges"]["N"])
    return wrong + examine(page, "badge")


def compared(page: Any, site: Server) -> list[str]:
    """Examine blind double entry, with the choice of a side and a named difference, and the bell."""
    made = site.ask("sheet", protocol="double")
    page.goto(made["page"])
    wrong = examine(page, "choice of a side")
    site.ask("disagree", sheet=made["sheet"])
    page.locator("form:has([value=take]) button[value=NS]").evaluate("each => each.click()")
    page.locator(".notice--error li").wait_for()
    wrong += examine(page, "difference")
    (table,) = site.ask("hall", tables=1, minutes=-1, rule="first_trick")["tables"]
    page.goto(table["page"])
    return wrong + examine(page, "bell")


PAGES: Final = [depths, asked_and_refused, signing, compared]


@IN_LONGER_WORDS
@pytest.mark.parametrize("pages", PAGES)
def test_a_table_s_pages_are_for_everybody(
    site: Server, chromium: Any, language: str, pages: Callable[[Any, Server], list[str]]
) -> None:
    """Check each page in both languages, one in the light and the other in the dark look."""
    look = ("light", "dark")[(LANGUAGES.index(language) + PAGES.index(pages)) % 2]
    with a_phone(chromium, site, language, color_scheme=look, bypass_csp=True) as page:
        assert pages(page, site) == []


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until the focus is on the element."""
    for _stop in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    pytest.fail(f"{selector} is not reached by the keyboard")


@ON_BOTH
def test_a_deal_is_written_with_the_keyboard_alone(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        for number in (1, 2):
            tab_to(page, "input[name=trump]")
            page.keyboard.press("Space")
            tab_to(page, "input[name=points]")
            page.keyboard.type("42")
            page.keyboard.press("Enter")
            number_is(page, number + 1)
    deals = site.ask("read", sheet=made["sheet"])["deals"]
    assert [next(iter(deal["entry"]["points"].values())) for deal in deals] == [42, 42]


CARDS = {
    "en": ("ten of spades", "king of hearts"),
    "fr": ("dix de pique", "roi de cœur"),
    "nl": ("schoppen tien", "harten heer"),
}


@pytest.mark.in_languages("en", "fr", "nl")
def test_a_card_is_read_aloud_by_its_name(site: Server, chromium: Any, language: str) -> None:
    """The accessibility tree names every card of the pack, and the player of each played card."""
    made = site.ask("sheet", target={"deals": 12})
    ten, king = CARDS[language]
    with a_phone(chromium, site, language) as page:
        page.goto(f"{made['page']}?game=1&depth=cards")
        choose(page, "trump", "S")
        for card in (ten, king):
            page.get_by_role("button", name=card, exact=True).press("Enter")
        tree = page.locator(".cardentry__trick").aria_snapshot()
        assert f": {ten}" in tree
        assert f": {king}" in tree
