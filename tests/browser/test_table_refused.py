"""Impossible entries are refused with a way to correct them; improbable entries raise a question. At 360 px.

A question is never imposed: "yes" writes the entry with the doubt's code, "discard" writes nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import (
    BY_TURNS,
    SPOKEN,
    a_phone,
    ask_nothing,
    choose,
    count,
    digits,
    find_network,
    governed,
    hand_in,
    kept,
    lose_network,
    number_is,
    speaks,
    write_deal,
)

pytestmark = BY_TURNS


def test_the_page_refuses_what_cannot_be_and_says_what_to_change(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        digits(page, 75)
        expect(page.locator(".points__say[data-bad]")).to_contain_text("60")
        hand_in(page)  # the trump is missing: named first
        expect(page.locator("#refused")).to_be_visible()
        assert page.locator("fieldset.choices--bad input[name=trump]").count() > 0
        choose(page, "trump", "D")
        hand_in(page)
        expect(page.locator("#refused")).to_contain_text("60")
        assert page.locator("[name=points]").input_value() == "75"
        assert page.locator("input[name=trump][value=D]").is_checked()
    assert site.ask("read", sheet=made["sheet"])["deals"] == []


@pytest.mark.parametrize("rulebook", ["chaloupee", "parlee"])
def test_a_pad_of_two_choices_is_named_in_full_where_it_is_missing(
    site: Server, chromium: Any, language: str, rulebook: str
) -> None:
    made = site.ask("sheet", rulebook=rulebook, target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        hand_in(page)
        pad = str(page.locator(".pairs").get_attribute("aria-label"))
        expect(page.locator("#refused")).to_contain_text(pad)


def test_the_engine_refuses_in_the_reader_s_words_and_what_was_typed_stays(
    site: Server, chromium: Any, language: str
) -> None:
    """Eight tricks are all the tricks: 60 points, never 20."""
    made = site.ask("sheet", depth="tricks")
    why = {"en": "cannot have", "fr": "ne peut avoir", "nl": "kan"}[language]
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        choose(page, "trump", "C")
        choose(page, "tricks", "8")
        page.locator("[data-deal-form]").evaluate(
            "form => { form.querySelector('[data-points]').dataset.textTricks = ''; }"
        )
        digits(page, 20)
        hand_in(page)
        expect(page.locator("#refused")).to_contain_text(why)
        assert page.locator("[name=points]").input_value() == "20"
        assert page.locator("input[name=trump][value=C]").is_checked()
        assert page.locator("input[name=tricks][value='8']").is_checked()
    assert site.ask("read", sheet=made["sheet"])["deals"] == []


DOUBTS = {
    "transposed": (14, "", "41"),
    "forgotten_double": (5, "", "tap"),
    "sides_swapped": (5, "1", "5"),
    "dealer": (40, "", ""),
}
"""Points of N-S who chose trump, doubling, and a word of the question, by code."""


@pytest.mark.guide("scorekeeper#record-a-deal")
@pytest.mark.parametrize("code", sorted(DOUBTS))
@pytest.mark.parametrize("by", ["phone", "server"])
def test_a_probable_mistake_is_asked_and_can_be_confirmed(
    site: Server, chromium: Any, language: str, by: str, code: str
) -> None:
    points, doubling, word = DOUBTS[code]
    made = site.ask("sheet", rulebook="muette", target=101)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        if page.locator("input[name=declarer]").count():
            choose(page, "declarer", "NS")
        choose(page, "trump", "S")
        if doubling:
            choose(page, "doubling", doubling)
        if code == "dealer":
            page.locator("[data-deal-form] details:has(select[name=dealer]) > summary").tap()
            page.select_option("[name=dealer]", "S")
        digits(page, points)
        if by == "server":
            ask_nothing(page)
        hand_in(page)
        question = page.locator("[data-queue]" if by == "server" else "#refused")
        expect(question.get_by_role("button").first).to_be_visible()
        expect(question).to_contain_text(word)
        # A question, not a refusal.
        expect(question).not_to_contain_text(SPOKEN["refused"][language])
        assert site.ask("read", sheet=made["sheet"])["deals"] == []
        question.locator("[data-decision=yes]").tap()
        number_is(page, 2)
    (deal,) = site.ask("read", sheet=made["sheet"])["deals"]
    assert (deal["doubts"], deal["entry"]["points"]) == ([code], {"NS": points})


@pytest.mark.parametrize("by", ["phone", "server"])
def test_a_double_that_was_forgotten_is_added_from_the_question(
    site: Server, chromium: Any, language: str, by: str
) -> None:
    made = site.ask("sheet", rulebook="muette", target=101)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        write_deal(page, 5, "S", asked=by == "phone")
        page.locator("[data-decision=doubled]").tap()
        expect(page.locator("#refused [data-decision]")).to_have_count(0)
        expect(page.locator("[data-calls][data-called]")).to_be_focused()
        hand_in(page)
        if by == "phone":  # the sides, if the deal was doubled, are the next question
            page.locator("#refused [data-decision=yes]").tap()
        else:
            page.locator(
                "[data-queued=refused] [data-decision=yes], #refused [data-decision=yes]"
            ).tap()
        number_is(page, 2)
    (deal,) = site.ask("read", sheet=made["sheet"])["deals"]
    assert deal["entry"]["contract"]["doubling"] == 1


def test_an_answered_question_is_not_asked_when_the_deal_is_put_right(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", rulebook="muette", target=101)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        lose_network(page.context)
        write_deal(page, 5, "S")
        page.locator("#refused [data-decision=yes]").tap()
        kept(page, 1, language)
        page.locator("[data-queue] summary").tap()
        page.locator("[data-queue] [data-decision=edit]").tap()
        choose(page, "trump", "D")
        hand_in(page)  # with the same points: no question
        kept(page, 1, language)
        find_network(page.context)
        number_is(page, 2)
    (deal,) = site.ask("read", sheet=made["sheet"])["deals"]
    assert (deal["doubts"], deal["entry"]["contract"]["trump"]) == (["forgotten_double"], "D")


def test_a_doubted_deal_can_be_discarded(site: Server, chromium: Any, language: str) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        write_deal(page, 14, asked=False)
        page.locator("[data-queued=refused] [data-decision=drop]").tap()
        expect(page.locator("[data-queue][data-count='0']")).to_be_attached()
        write_deal(page, 41)
        number_is(page, 2)
        speaks(page, "marks", language, ".spoken")
    (deal,) = site.ask("read", sheet=made["sheet"])["deals"]
    assert (deal["doubts"], deal["entry"]["points"]) == ([], {"NS": 41})


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_the_same_sheet_as_another_table_is_asked_about(
    site: Server, chromium: Any, language: str
) -> None:
    one, two = site.ask("hall", tables=2, language=language)["tables"]
    site.ask("write", sheet=one["sheet"], points=[42, 37, 35])
    site.ask("write", sheet=two["sheet"], points=[42, 37])
    with a_phone(chromium, site, language) as page:
        page.goto(two["page"])
        write_deal(page, 35)  # the third deal: until then two tables may well agree by chance
        page.locator("[data-queued=refused]").wait_for()
        expect(page.locator("[data-queue]")).to_contain_text(SPOKEN["table"][language])
        page.get_by_role("button", name=SPOKEN["sure"][language]).tap()
        number_is(page, 4)
    told = site.ask("read", sheet=two["sheet"])
    assert told["deals"][2]["doubts"] == ["same_as_another_table"]


def test_a_deal_after_the_end_of_its_game_is_compared_or_dropped(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet")
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        page.route("**/state/**", lambda route: route.abort())  # its page hears nothing of it
        site.ask("write", sheet=made["sheet"], points=[42, 37, 35, 41])
        write_deal(page, 40)
        refused = page.locator("[data-queued=refused]")
        expect(refused.locator("[data-version=Onsheet]")).to_contain_text("42")
        expect(refused.locator("[data-version=Here]")).to_contain_text("40")
        decided = refused.locator("[data-decision]")
        kinds = decided.evaluate_all("all => all.map((each) => each.dataset.decision)")
        assert kinds == ["correct", "drop"]
        decided.last.tap()
        count(page, "[data-queued]", 0)
