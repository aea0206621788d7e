"""The staff's view of the tables at 360 px: a call as it comes, the room, and actions from there."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import BY_TURNS, SPOKEN, a_phone, count, sign_in, speaks, write_deal

pytestmark = BY_TURNS


@pytest.mark.guide("scorekeeper#the-referee")
def test_a_call_is_on_the_referee_s_desk_at_once(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=2, language=language)
    table = hall["tables"][1]
    with (
        a_phone(chromium, site, language) as desk,
        a_phone(chromium, site, language) as page,
    ):
        sign_in(desk, site, f"referee-{hall['slug']}")
        desk.goto(f"/referee/{hall['slug']}/")
        count(desk, ".queue__table", 0)
        page.goto(table["page"])
        write_deal(page, 42)
        page.locator("details.call summary").tap()
        page.locator("label.choice:has(input[value=score])").tap()
        page.fill("[name=words]", "gift 1")
        page.locator("button[value=referee]").tap()
        speaks(page, "called", language, ".call__waiting")
        # The desk shows the call without a reload.
        expect(desk.locator(".queue__table").first).to_contain_text("2")
        expect(desk.locator(".queue").first).to_contain_text("gift 1")
        desk.locator("form[action*='/take/'] button").first.tap()
        desk.wait_for_url("**/incidents/**")
        waiting = page.locator(".call__waiting")
        expect(waiting).not_to_contain_text(SPOKEN["called"][language])  # somebody is coming
    told = site.ask("read", sheet=table["sheet"])
    (call,) = told["calls"]
    assert (call["claimed"], call["by"], call["deal"]) == (True, "device", 2)
    assert "gift 1" in call["reason"]


@pytest.mark.guide("scorekeeper#signing")
def test_the_room_shows_first_what_holds_up_the_round(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=4, deals=1, language=language)
    playing, unsigned, disputed, called = hall["tables"]
    site.ask("write", sheet=unsigned["sheet"], points=[42])
    site.ask("write", sheet=disputed["sheet"], points=[42])
    with a_phone(chromium, site, language) as page:
        page.goto(disputed["page"])
        page.locator("#sign details summary").tap()
        page.locator("button[value=dispute]").tap()
        page.locator(".notice--error").wait_for()
        page.goto(called["page"])
        page.locator("details.call summary").tap()
        page.locator("button[value=referee]").tap()
        page.locator(".call__waiting").wait_for()
    with (
        a_phone(chromium, site, language) as desk,
        a_phone(chromium, site, language) as page,
    ):
        sign_in(desk, site, f"director-{hall['slug']}")
        desk.goto(f"/desk/{hall['slug']}/room/")
        speaks(desk, "room", language, "h1")
        assert desk.locator(".holdups__table").all_inner_texts() == ["4", "3", "2"]
        # Progress is live: a deal of table 1 appears without a reload.
        page.goto(playing["page"])
        write_deal(page, 42)
        page.locator("#sign").wait_for()
        expect(desk.locator(".holdups__table")).to_have_count(4)
        site.ask("ring", round=hall["round"])
        expect(desk.locator(".holdups .chip--late").first).to_be_visible()


def test_the_director_gives_time_reopens_and_enters_from_paper(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=2, minutes=1, language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as desk:
        sign_in(desk, site, f"director-{hall['slug']}")
        desk.goto(f"/desk/{hall['slug']}/room/1/")
        fold = desk.locator("details:has([name=minutes])")
        fold.locator("summary").tap()
        fold.locator("[name=minutes]").fill("15")
        fold.locator("button").tap()
        expect(desk.locator(".page-head__line")).to_contain_text("15")
        desk.locator("a[href$='/paper/']").first.tap()
        desk.wait_for_url("**/paper/")
        desk.locator("a[href='?way=deals']").tap()
        desk.wait_for_url("**/paper/?way=deals")
        for n, points in ((1, "42"), (2, "99")):
            desk.select_option(f"[name=g1-d{n}-trump]", "H")
            desk.fill(f"[name=g1-d{n}-points]", points)
        desk.fill("[name=reason]", "batterij leeg")
        desk.locator("main form button").last.tap()
        expect(desk.locator(".error-summary")).to_contain_text("99")
        assert desk.input_value("[name=g1-d1-points]") == "42"  # everything typed is still there
        desk.fill("[name=g1-d2-points]", "33")
        desk.locator("main form button").last.tap()
        # No slip of the round is missing now: the page returns to the hall, which confirms it.
        desk.wait_for_url("**/room/")
        expect(desk.locator(".notice--success, .messages").first).to_contain_text("1")
        told = site.ask("read", sheet=table["sheet"])
        assert [(each["reason"], each["marks"]) for each in told["results"]] == [
            ("batterij leeg", {"NS": 15, "EW": 0}),
        ]
        desk.goto(f"/sheet/{table['sheet']}/")
        form = desk.locator("form:has(button[value=reopen])")
        form.locator("xpath=preceding-sibling::summary").tap()
        form.locator("[name=reason]").fill("tweede helft ontbreekt")
        form.locator("button").tap()
        count(desk, ".chip--signed", 0)
    told = site.ask("read", sheet=table["sheet"])
    assert (told["state"], [each["current"] for each in told["results"]]) == ("open", [False])
