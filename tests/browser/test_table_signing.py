"""From the first deal to the signatures at 360 px, in three languages in rotation: written, corrected, signed.

Each page is compared with the stored state of the database.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .serving import Server
from .table import (
    BY_TURNS,
    a_phone,
    choose,
    count,
    digits,
    find_network,
    governed,
    hand_in,
    hold,
    lose_network,
    number_is,
    points_of,
    sign,
    sign_in,
    speaks,
    write_deal,
)

pytestmark = BY_TURNS


@pytest.mark.guide("scorekeeper#record-a-deal")
def test_a_match_is_written_and_signed_by_both_sides(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", seated=True, target={"deals": 2})
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        speaks(page, "next", language)
        choose(page, "trump", "D")
        digits(page, 42)
        assert page.locator("[data-points-other]").inner_text() == "18"
        speaks(page, "marks", language, ".points__say")  # spoken before it is written
        hand_in(page)
        number_is(page, 2)
        speaks(page, "marks", language, ".spoken")
        expect(page.locator(".spoken")).to_contain_text("42 − 30 = 12")
        write_deal(page, 33)
        speaks(page, "over", language, "#sign")
        assert site.ask("read", sheet=made["sheet"])["results"] == []
        sign(page, "NS")
        assert site.ask("read", sheet=made["sheet"])["state"] == "claimed"
        sign(page, "EW")
        page.locator(".state--finished").wait_for()
        speaks(page, "signed", language, ".state--finished")
    told = site.ask("read", sheet=made["sheet"])
    assert (told["state"], points_of(told)) == ("official", [42, 33])
    assert [result["marks"] for result in told["results"]] == [{"NS": 15, "EW": 0}]
    assert told["signed"] == {
        "NS": f"player:{made['seats']['N']}",
        "EW": f"player:{made['seats']['E']}",
    }


def test_long_names_of_the_next_game_are_parted_rather_than_wider_than_the_phone(
    site: Server, chromium: Any, language: str
) -> None:
    called = "Jean-Pierre Dubois (Les Atouts)"
    hall = site.ask("hall", tables=1, games=3, deals=1, called=called, language=language)
    with a_phone(chromium, site, language) as page:
        page.goto(hall["tables"][0]["page"])
        write_deal(page, 42)
        following = page.locator("[data-next-game]")
        expect(following).to_contain_text(f"{called} 1E")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_mouse_signs_as_a_thumb_does(site: Server, chromium: Any, language: str) -> None:
    """The fill animation under the mouse pointer does not count as leaving the button."""
    made = site.ask("sheet", seated=True, target={"deals": 1})
    site.ask("write", sheet=made["sheet"], points=[42])
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        form = page.locator("form.signers:has(input[name=signing][value=NS])")
        form.locator("button[name=signer]").first.hover()
        page.mouse.down()
        form.wait_for(state="detached")
        page.mouse.up()
    assert site.ask("read", sheet=made["sheet"])["state"] == "claimed"


@pytest.mark.guide("scorekeeper#signing")
def test_a_player_signs_with_the_code_of_his_badge(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=1, language=language)
    (table,) = hall["tables"]
    site.ask("write", sheet=table["sheet"], points=[42])
    with a_phone(chromium, site, language) as page:
        for seat, after in (("N", ".chip--signed"), ("E", ".state--empty")):
            page.goto(table["badges"][seat])
            assert f"Speler 1{seat}" in page.inner_text("main")
            page.locator("button[value=sign]").tap()
            page.locator(after).wait_for()
    told = site.ask("read", sheet=table["sheet"])
    assert (told["state"], len(told["results"]), sorted(told["signed"])) == (
        "official",
        1,
        ["EW", "NS"],
    )


def test_where_a_referee_confirms_the_table_cannot_sign(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=1, protocol="referee", language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        write_deal(page, 42)
        speaks(page, "referee", language, "#sign")
        count(page, ".signers", 0)
    assert site.ask("read", sheet=table["sheet"])["results"] == []
    with a_phone(chromium, site, language) as desk:
        sign_in(desk, site, f"referee-{hall['slug']}")
        desk.goto(f"/sheet/{table['sheet']}/")
        form = desk.locator("form:has(button[value=confirm])")
        form.locator("xpath=preceding-sibling::summary").tap()
        form.locator("[name=reason]").fill("gezien")
        form.locator("button").tap()
        desk.locator(".chip--signed").first.wait_for()
    told = site.ask("read", sheet=table["sheet"])
    assert told["state"] == "official"
    assert [(each["reason"], each["winner"]) for each in told["results"]] == [("gezien", "NS")]


def test_before_signing_the_table_corrects_with_a_reason(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", seated=True, target={"deals": 1})
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        write_deal(page, 42)
        sign(page, "NS")  # a signature falls with the correction
        page.locator(".score tbody th.nr a").first.tap()
        assert page.locator("input[name=points]").input_value() == "42"
        digits_field = page.locator("input[name=points]")
        page.locator("[data-numpad] button[data-key='clear']").tap()
        digits(page, 24)
        page.locator("form:has(#id_reason) button:not([type=button])").last.tap()
        page.locator(".error-summary").wait_for()  # no reason: not written, nothing lost
        assert digits_field.input_value() == "24"
        page.fill("#id_reason", "herteld")
        page.locator("form:has(#id_reason) button:not([type=button])").last.tap()
        page.wait_for_url("**/?game=1")
        page.locator(".score tbody th.nr a").first.tap()
        count(page, ".timeline li", 2)
        assert "herteld" in page.inner_text(".timeline .is-in-force")
        assert "42" in page.inner_text(".timeline .is-superseded")
        speaks(page, "deal", language, "h1")
    told = site.ask("read", sheet=made["sheet"])
    assert [(d["version"], d["marks"], d["reason"]) for d in told["deals"]] == [
        (2, {"NS": 0, "EW": 6}, "herteld"),
    ]
    assert (told["versions"], told["signed"]) == (2, {})


def test_after_signing_the_referee_corrects_and_the_table_reads_it(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=1, language=language)
    (table,) = hall["tables"]
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        write_deal(page, 42)
        sign(page, "NS", "EW")
        page.locator(".state--finished").wait_for()
        page.locator(".score tbody th.nr a").first.tap()
        speaks(page, "signed", language)
        count(page, "main form", 0)
        with a_phone(chromium, site, language) as desk:
            sign_in(desk, site, f"referee-{hall['slug']}")
            desk.goto(f"/sheet/{table['sheet']}/?deal=1")
            desk.fill("#correct input[name=points]", "24")
            desk.fill("#correct [name=reason]", "kaarten nageteld")
            desk.locator("#correct button:not([type=button])").last.tap()
            count(desk, ".timeline .is-superseded", 2)  # the deal's old version, the old result
        page.reload()
        assert "kaarten nageteld" in page.inner_text(".timeline .is-in-force")
    told = site.ask("read", sheet=table["sheet"])
    assert (told["state"], told["deals"][0]["marks"]) == ("official", {"NS": 0, "EW": 6})
    assert [(each["current"], each["winner"]) for each in told["results"]] == [
        (False, "NS"),
        (True, "EW"),
    ]


@pytest.mark.guide("players#find-yourself")
def test_the_page_to_sign_is_read_without_a_network_and_signs_only_with_it(
    site: Server, chromium: Any, language: str
) -> None:
    """Opened from the badge too, the page is cached and dated, sends nothing offline and signs once."""
    hall = site.ask("hall", tables=1, deals=1, language=language)
    (table,) = hall["tables"]
    site.ask("write", sheet=table["sheet"], points=[42])
    own = table["badges"]["N"]
    kept = """async (path) => {
      while (!(await caches.match(path, { ignoreVary: true }))) await new Promise((next) => setTimeout(next, 100));
    }"""
    with a_phone(chromium, site, language) as page:
        page.goto(own.replace("/sign/", "/p/"))
        page.evaluate(kept, own)
        page.context.set_offline(True)
        page.goto(own)
        page.locator("[data-kept]:visible").wait_for()
        assert "Speler 1N" in page.inner_text("main")
        speaks(page, "unreached", language, "[data-kept]")
        page.locator("button[value=sign]").tap()
        page.locator("[data-not-sent]:visible").wait_for()
        speaks(page, "unreached", language, "[data-not-sent]")
        page.locator("main details summary").first.tap()
        page.fill("[name=reason]", "niet 42")
        page.locator("button[value=dispute]").tap()
        page.locator("main details [data-not-sent]:visible").wait_for()
        assert page.input_value("[name=reason]") == "niet 42"
        assert site.ask("read", sheet=table["sheet"])["signed"] == {}
        page.context.set_offline(False)
        page.locator("button[value=sign]").tap()
        page.locator(".chip--signed").wait_for()
        count(page, "[data-kept]:visible", 0)
        page.evaluate(
            """async (path) => {
              const signs = async () => (await (await caches.match(path, { ignoreVary: true })).text()).includes('value="sign"');
              while (await signs()) await new Promise((next) => setTimeout(next, 100));
            }""",
            own,
        )
        page.context.set_offline(True)
        page.reload()  # the copy knows of the signature: none is asked for again
        page.locator("[data-kept]:visible").wait_for()
        count(page, "button[value=sign]", 0)
        page.context.set_offline(False)
    told = site.ask("read", sheet=table["sheet"])
    assert (told["state"], list(told["signed"])) == ("claimed", ["NS"])


@pytest.mark.guide("scorekeeper#signing")
def test_the_open_page_shows_a_signature_by_badge_and_then_the_other(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=2, language=language)
    (table,) = hall["tables"]
    site.ask("write", sheet=table["sheet"], points=[40, 41])
    with (
        a_phone(chromium, site, language) as page,
        a_phone(chromium, site, language) as badge,
    ):
        page.goto(table["page"])
        page.locator("#sign").wait_for()
        expect(page.locator("form.signers")).to_have_count(2)
        badge.goto(table["badges"]["N"])
        badge.locator("button[value=sign]").click()
        badge.locator(".chip--signed").first.wait_for()
        expect(page.locator("form.signers")).to_have_count(1)
        badge.goto(table["badges"]["E"])
        badge.locator("button[value=sign]").click()
        expect(page.locator(".state--finished")).to_be_visible()


@pytest.mark.guide("scorekeeper#signing")
def test_the_open_page_shows_that_the_referee_has_confirmed(
    site: Server, chromium: Any, language: str
) -> None:
    hall = site.ask("hall", tables=1, deals=2, protocol="referee", language=language)
    (table,) = hall["tables"]
    site.ask("write", sheet=table["sheet"], points=[40, 41])
    with a_phone(chromium, site, language) as page:
        page.goto(table["page"])
        page.locator("#sign").wait_for()
        site.ask("confirm", sheet=table["sheet"])
        expect(page.locator(".state--finished")).to_be_visible()


@pytest.mark.guide("scorekeeper#without-a-connection")
def test_a_signature_without_a_network_is_kept_and_sent_once(
    site: Server, chromium: Any, language: str
) -> None:
    made = site.ask("sheet", seated=True, target={"deals": 1})
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        governed(page)
        write_deal(page, 42)
        form = page.locator("form.signers:has(input[name=signing][value=NS])")
        form.wait_for()
        lose_network(page.context)
        hold(form.locator("button[name=signer]").first)
        expect(page.locator(".half [data-queued=waiting]")).to_have_count(1)
        expect(form).to_be_hidden()
        page.reload()
        expect(page.locator("[data-queued=waiting]")).to_have_count(1)
        assert site.ask("read", sheet=made["sheet"])["state"] != "claimed"
        find_network(page.context)
        page.evaluate("dispatchEvent(new Event('online'))")
        form.wait_for(state="detached")
        expect(page.locator("[data-queued]")).to_have_count(0)
    assert list(site.ask("read", sheet=made["sheet"])["signed"]) == ["NS"]
