"""A club evening follows the guides, task by task, in each language, and their pictures are taken.

Director, players, table and referee act in one story, each on their own phone, and see each other's actions. ``make
pictures`` stores the pictures in ``static/guides``; without it the steps are only carried out.
"""

from __future__ import annotations

import io
import os
import re
from contextlib import ExitStack
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from scoring.texts import Message, gettext_lazy
from tests.browser.conftest import LANGUAGES, Service, looking
from tests.browser.serving import HOLDS_BACK
from tests.browser.table import (
    choose,
    digits,
    find_network,
    governed,
    hold,
    lose_network,
    number_is,
    sent,
    write_deal,
)
from tests.browser.test_journey_rulings import unanswered
from tests.browser.test_journeys import NAMES, PASSWORD, PLAY, press, sign_in
from tests.programs import ROOT
from tournament.documents.guides import BUTTONS, GUIDES, PICTURES

pytestmark = [pytest.mark.browser, pytest.mark.long]

KEPT = ROOT / "static" / "guides"
WIDTH, HEIGHT = 360, 520
MOST = 40_000
LATE = "Noor Verhelst"
GUESTS = ["Guy Martens", "Nele Baert", "Wim Coppens", "Ria Stevens"]
"""Guests that make the field large enough for the guides' scan field and search."""
IN_DISPUTE = gettext_lazy("game %(n)d is in dispute")
TOLD = {"en": "asks about trick 5", "fr": "question sur la levée 5", "nl": "vraag over slag 5"}


def _wait_for_type(route: Any) -> None:
    """Serve the style sheet with blocking fonts, because a slow machine would show the fallback font."""
    answer = route.fetch()
    route.fulfill(
        response=answer,
        body=answer.text().replace("font-display: optional", "font-display: block"),
    )


class Evening:
    """One club evening in one language; ``show`` takes the picture of a task."""

    def __init__(self, service: Service, chromium: Any, language: str, phones: ExitStack) -> None:
        self.service, self.chromium, self.language = service, chromium, language
        self.phones = phones
        self.slug = ""
        self.badge = ""
        self.table = ""
        self.shown: dict[str, bytes] = {}
        self.director, self.phone = self.device(), self.device()
        self.player, self.referee = self.device(), self.device()

    def device(self) -> Any:
        """Return the page of another phone."""
        page = self.phones.enter_context(
            looking(self.chromium, WIDTH, self.language, has_touch=True)
        )
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.context.add_init_script(HOLDS_BACK)
        page.context.route(re.compile(r"/css/app\.[^/]*css$"), _wait_for_type)
        return page

    def say(self, text: Message) -> str:
        return text.render(self.language)

    def button(self, page: Any, name: str) -> Any:
        """Return the button or fold that the guide names."""
        words = self.say(BUTTONS[name])
        exact = re.compile(rf"^\s*{re.escape(words)}\s*$")
        return page.get_by_role("button", name=words, exact=True).or_(
            page.locator("summary").filter(has_text=exact)
        )

    def open(self, page: Any, path: str) -> None:
        answer = page.goto(path if path.startswith("http") else self.service.url + path)
        assert answer.status == 200, path

    def desk(self, path: str = "") -> None:
        self.open(self.director, f"/desk/{self.slug}/{path}")

    def until(self, page: Any, path: str, selector: str) -> None:
        """Reload a page until the result of a job appears."""
        for _load in range(60):
            self.open(page, path)
            if page.locator(selector).count():
                return
            page.wait_for_timeout(500)
        pytest.fail(f"{selector} never came")

    def show(self, page: Any, guide: str, key: str, at: Any) -> None:
        """Take the picture of a task: the element that its steps describe, with the content above it."""
        assert key in {part.key for part in GUIDES[guide].parts}
        expect(at).to_be_visible()
        at.evaluate(
            "node => scrollTo({ top: node.getBoundingClientRect().top + scrollY - 70, behavior: 'instant' })"
        )
        page.evaluate("document.fonts.ready")
        picture = Image.open(io.BytesIO(page.screenshot()))
        written = io.BytesIO()
        picture.convert("RGB").save(written, "WEBP", quality=60, method=6)
        assert len(written.getvalue()) <= MOST, (guide, key)
        self.shown[f"{guide}-{key}"] = written.getvalue()


def opens_the_event(evening: Evening) -> None:
    """Director, before the day: event kind, estimated schedule, names, and a role for a new account."""
    page = evening.director
    sign_in(page, evening.service)
    evening.open(page, "/desk/")
    press(page, "main a[href='/desk/new/']")
    page.check("[name=kind][value=club]", force=True)
    page.fill("[name=players]", "12")
    page.fill("[name=start]", "19:30")
    press(page, "main form button[type=submit]")
    evening.show(page, "director", "before", page.locator(".notice--info"))
    press(page, "main form button[type=submit]")
    found = re.search(r"/desk/([-\w]+)/players/import/", page.url)
    assert found is not None
    evening.slug = found[1]
    page.fill("#paste [name=text]", "\n".join([*NAMES[:11], *GUESTS]))
    press(page, "#paste button[type=submit]")
    press(page, "[name=confirm]")
    evening.until(page, f"/desk/{evening.slug}/players/", "#players tbody tr >> nth=14")
    evening.desk("staff/")
    page.fill("[name=name]", f"arbiter-{evening.slug}")
    page.select_option("select[name=role]", "referee")
    page.check("[name=new]")
    press(page, "[name=verb][value=give]")
    first = page.locator("main code").first.inner_text()
    changes_password(evening, first)


def changes_password(evening: Evening, first: str) -> None:
    """Change the password, shown once, at the first sign-in."""
    page = evening.referee
    evening.open(page, "/login/")
    page.fill("[name=username]", f"arbiter-{evening.slug}")
    page.fill("[name=password]", first)
    press(page, "main button[type=submit]")
    evening.open(page, "/referee/")
    page.fill("[name=old_password]", first)
    for field in ("new_password1", "new_password2"):
        page.fill(f"[name={field}]", PASSWORD)
    press(page, "main button[type=submit]")


def takes_the_door(evening: Evening) -> None:
    """Director, at the door: by number, in the list, and one who comes late."""
    page = evening.director
    evening.desk("players/")
    page.fill("[name=scan]", "1")
    page.press("[name=scan]", "Enter")
    expect(page.locator("#players tr[data-state=present]")).to_have_count(1)
    page.locator("#p-2 [name=verb][value=check_in]").click()
    expect(page.locator("#players tr[data-state=present]")).to_have_count(2)
    evening.show(page, "director", "door", page.locator("[name=scan]"))
    evening.desk()
    press(page, "#next-step form[action$='/check-in/'] button")
    evening.desk("players/")
    late = page.locator("details:has([name=name])")
    late.locator("summary").click()
    late.locator("[name=name]").fill(LATE)
    with page.expect_navigation():
        late.locator("button[type=submit]").last.click()
    expect(page.locator("#players tr", has_text=LATE)).to_have_attribute("data-state", "present")


def draws(evening: Evening) -> None:
    """Follow the desk's next step: the draw, its tables, its publication."""
    page = evening.director
    evening.desk()
    evening.button(page, "make").click()
    evening.until(page, f"/desk/{evening.slug}/", "#next-step a[href*='/draws/']")
    press(page, "#next-step a[href*='/draws/']")
    expect(page.locator("#tables")).to_be_visible()
    with page.expect_navigation():
        evening.button(page, "publish").click()


def opens_the_round(evening: Evening) -> None:
    """Director, every round: draw, publication, papers, clock, hall."""
    page = evening.director
    evening.desk()
    evening.show(page, "director", "round", page.locator("#next-step"))
    draws(evening)
    evening.desk()
    with page.expect_navigation():
        evening.button(page, "papers").click()
    evening.until(page, f"/desk/{evening.slug}/documents/", "form[action$='.pdf']")
    evening.desk()
    with page.expect_navigation():
        evening.button(page, "clock").click()
    evening.open(page, f"/e/{evening.slug}/players/1/")
    number = re.findall(r"\d+", page.inner_text(".now__big"))[0]
    evening.desk("room/")
    press(page, f"main a[href*='/room/'][href$='/{number}/']")
    press(page, "main button[name=verb][value=open]")
    evening.table = re.findall(r"/t/\w+/", page.url)[0]


def finds_the_table(evening: Evening) -> None:
    """Player: from the first page to their own table, which the device then remembers."""
    page = evening.player
    evening.open(page, "/")
    press(page, f"main a[href='/e/{evening.slug}/']")
    page.fill("main [name=q]", "1")
    page.press("main [name=q]", "Enter")
    page.wait_for_url("**/players/1/")
    evening.show(page, "player", "table", evening.button(page, "me"))
    evening.button(page, "me").click()
    evening.open(page, f"/e/{evening.slug}/")
    expect(page.locator("[data-me-now]")).to_be_visible()


def reads_the_badge(evening: Evening) -> None:
    """Player: the page behind the badge, and the offer of notices."""
    desk = evening.director
    evening.desk("players/1/link/")
    press(desk, "main form button[name=show]")
    evening.badge = re.findall(r"/p/\w+/", desk.inner_text("main"))[0]
    page = evening.player
    evening.open(page, evening.badge)
    expect(evening.button(page, "tell")).to_be_enabled()
    evening.show(page, "player", "badge", page.locator("[data-notices]"))


def keeps_score_on_one_phone(evening: Evening) -> None:
    """Scorekeeper: the first phone that records keeps score, until another takes over."""
    first, page = evening.device(), evening.phone
    evening.open(first, evening.table)
    write_deal(first, 40)
    number_is(first, 2)
    evening.open(page, evening.table)
    evening.show(page, "scorekeeper", "phone", page.locator(".notice--warning"))
    evening.button(page, "keep").tap()
    number_is(page, 2)
    expect(evening.button(first, "keep")).to_be_visible()


def records_a_deal(evening: Evening) -> None:
    """Scorekeeper: trump, points, the line with the score; a question; a correction."""
    page = evening.phone
    choose(page, "trump", "H")
    digits(page, 34)
    expect(page.locator(".points__say")).not_to_be_empty()
    evening.show(page, "scorekeeper", "deal", page.locator("[data-deal-form]"))
    evening.button(page, "record").tap()
    number_is(page, 3)
    corrects(evening, 41)
    page.locator("[data-deal-form] details:has(select[name=dealer]) > summary").tap()
    own = page.input_value("[name=dealer]")
    other = page.locator(f"[name=dealer] option:not([value='{own}'])").first.get_attribute("value")
    page.select_option("[name=dealer]", other)
    write_deal(page, 40)
    evening.button(page, "sure").tap()
    number_is(page, 4)


def corrects(evening: Evening, points: int) -> None:
    """Open the first deal from the sheet and correct it, with a reason."""
    page = evening.phone
    page.locator(".score tbody th.nr a").first.tap()
    page.wait_for_url("**/1/1/")
    page.locator("[data-numpad] button[data-key='clear']").tap()
    digits(page, points)
    page.fill("#id_reason", TOLD[evening.language])
    with page.expect_navigation():
        page.locator("form:has(#id_reason) button:not([type=button])").last.tap()
    expect(page.locator(".score")).to_contain_text(str(points))


def records_without_a_connection(evening: Evening) -> None:
    """Scorekeeper: the phone stores a deal and sends it when the connection is back."""
    page = evening.phone
    page.reload()
    governed(page)
    number_is(page, 4)
    lose_network(page.context)
    write_deal(page, 37)
    page.locator("[data-queued=waiting]").wait_for()
    evening.show(page, "scorekeeper", "offline", page.locator("[data-queue]"))
    find_network(page.context)
    sent(page)


def disagrees(evening: Evening) -> None:
    """Scorekeeper: a side disputes the sheet and the director sees it without a reload; a correction reopens it."""
    page, desk = evening.phone, evening.director
    evening.desk("room/")
    page.locator("#sign").wait_for()
    evening.button(page, "disagree").tap()
    page.fill("#id_dispute", TOLD[evening.language])
    page.locator("button[value=dispute]").tap()
    page.locator(".notice--error").wait_for()
    expect(desk.locator(".holdups")).to_contain_text(evening.say(IN_DISPUTE) % {"n": 1})
    corrects(evening, 42)


def signs(evening: Evening) -> None:
    """Scorekeeper: both sides hold their names."""
    page = evening.phone
    page.locator("#sign").wait_for()
    evening.show(page, "scorekeeper", "sign", page.locator("#sign"))
    for _side in range(2):
        form = page.locator("form.signers").first
        left = page.locator("form.signers").count()
        hold(form.locator("button[name=signer]").first)
        expect(page.locator("form.signers")).to_have_count(left - 1)


def calls_the_referee(evening: Evening) -> None:
    """Scorekeeper: a call with its reason, in the next game."""
    page = evening.phone
    evening.open(page, f"{evening.table}?game=2")
    write_deal(page, 38)
    number_is(page, 2)
    evening.button(page, "call").tap()
    page.fill("[name=words]", TOLD[evening.language])
    evening.show(page, "scorekeeper", "referee", page.locator("details.call"))
    page.locator(".call__button").tap()
    page.locator(".call__waiting").wait_for()


def takes_the_call(evening: Evening) -> None:
    """Referee: the queue, and who goes."""
    page = evening.referee
    evening.open(page, f"/referee/{evening.slug}/")
    expect(evening.button(page, "incident").or_(page.locator("a.tile").first)).to_be_visible()
    evening.show(page, "referee", "call", page.locator(".queue"))
    with page.expect_navigation():
        evening.button(page, "going").tap()
    page.wait_for_url("**/incidents/**")


def rules(evening: Evening) -> None:
    """Referee: the fault, what was found, the proposal, the ruling."""
    page = evening.referee
    page.locator(".tile").first.tap()
    page.wait_for_url("**article=**")
    form = page.locator("#article form")
    for question in unanswered(form):
        form.locator(f"#{question} .choice").first.tap()
    evening.show(page, "referee", "facts", page.locator("#article"))
    form.locator("button[name=preview]").tap()
    page.wait_for_url("**preview=1**")
    evening.show(page, "referee", "ruling", page.locator("#proposal"))
    if page.locator("#id_reason").count():
        page.fill("#id_reason", TOLD[evening.language])
    evening.button(page, "issue").tap()
    page.wait_for_url("**/rulings/**")


def hears_the_bell(evening: Evening) -> None:
    """Scorekeeper: after the bell the game is ended by the rule."""
    evening.desk("rounds/")
    clock = evening.director.locator("form[action$='/clock/']")
    clock.locator("[name=minutes]").fill("0")
    with evening.director.expect_navigation():
        clock.locator("button").click()
    page = evening.phone
    evening.open(page, f"{evening.table}?game=2")
    evening.button(page, "end").tap()
    evening.show(page, "scorekeeper", "bell", page.locator(".now--bell"))
    page.locator(".now--bell button[value=none]").tap()
    page.locator("#sign").wait_for()


def reads_the_standings(evening: Evening) -> None:
    """Player: the game that both sides signed is in the standings."""
    page = evening.player
    evening.until(
        page, f"/e/{evening.slug}/standings/", "#standings tr[data-entrant] td:has-text('1')"
    )
    evening.show(page, "player", "results", page.locator("#standings"))
    evening.open(page, evening.badge)
    expect(page.locator(".figures").first).to_be_visible()


def says_what_is_wrong(evening: Evening) -> None:
    """Player: a signed result is reported, a ruling appealed against, both behind the badge."""
    page = evening.player
    evening.until(page, evening.badge, "main a[href^='rulings/']")
    page.locator("main a[href^='rulings/']").first.click()
    page.wait_for_url("**/rulings/**")
    evening.button(page, "appeal").first.tap()
    page.fill("[name=grounds]", TOLD[evening.language])
    page.locator("form:has([name=grounds]) button").tap()
    expect(page.locator("main")).to_contain_text(TOLD[evening.language])
    evening.open(page, evening.badge.replace("/p/", "/sign/"))
    page.locator("details:has([value=contest]) summary").first.tap()
    page.locator("[name=words]").first.fill(TOLD[evening.language])
    evening.show(page, "player", "wrong", page.locator("details:has([value=contest])").first)
    page.locator("[value=contest]").first.tap()
    expect(page.locator(".notice--warning").first).to_be_attached()


def loses_the_badge(evening: Evening) -> None:
    """Player: the director makes a new code; from then on the old one opens nothing."""
    desk, page = evening.director, evening.player
    evening.desk("players/1/link/")
    desk.check("[name=sure]")
    press(desk, "main form:has([name=sure]) button[type=submit]")
    press(desk, "main form button[name=show]")
    fresh = re.findall(r"/p/\w+/", desk.inner_text("main"))[0]
    assert page.request.get(evening.service.url + evening.badge).status == 404
    evening.badge = fresh
    evening.open(page, evening.badge)


def looks_at_the_appeal(evening: Evening) -> None:
    """Referee, afterwards: the ruling is provisional and an appeal waits for others."""
    page = evening.referee
    page.reload()
    expect(page.locator("#appeals")).to_contain_text(TOLD[evening.language])
    expect(page.locator("#appeals [name=decision]")).to_have_count(0)
    evening.show(page, "referee", "after", page.locator("#appeals"))


def settles_what_was_reported(evening: Evening) -> None:
    """Referee: the result that a player reported is looked at and stands."""
    page = evening.referee
    evening.open(page, f"/referee/{evening.slug}/")
    with page.expect_navigation():
        evening.button(page, "going").tap()
    form = page.locator("form[action$='/dismiss/']")
    page.locator("details:has(form[action$='/dismiss/']) > summary").tap()
    form.locator("[name=reason]").fill(TOLD[evening.language])
    with page.expect_navigation():
        form.locator("button").tap()
    expect(page.locator(".queue form")).to_have_count(0)


def changes_a_published_round(evening: Evening) -> None:
    """Director: the next round is published, two players swapped, the draw unpublished."""
    page = evening.director
    evening.service.manage("shell", "-v", "0", "-c", PLAY.format(slug=evening.slug))
    evening.desk()
    with page.expect_navigation():
        evening.button(page, "close").click()
    draws(evening)
    evening.desk("rounds/")
    press(page, "main a[href*='/draws/'] >> nth=-1")
    page.click("details:has(> #by-hand) > summary")
    page.fill("#one", "1")
    page.fill("#two", "2")
    press(page, "form:has(#two) button")
    evening.show(page, "director", "change", page.locator("#cost"))
    press(page, "[name=act][value=make]")
    evening.desk("rounds/")
    press(page, "a[href$='/unpublish/']")
    undo = page.locator("form[action$='/unpublish/']")
    undo.locator("[name=reason]").fill(TOLD[evening.language])
    with page.expect_navigation():
        undo.locator("button").click()
    expect(page.locator("a[href$='/unpublish/']")).to_have_count(0)


def ends_the_evening(evening: Evening) -> None:
    """Director, at the end: what is open; the reveal, final standings, diplomas and prizes, the end."""
    page = evening.director
    evening.desk("finish/")
    evening.show(page, "director", "end", page.locator("main .links").first)
    evening.desk("reveal/")
    page.keyboard.press("Space")
    expect(page.locator("[data-reveal-row]:visible")).to_have_count(1)
    evening.desk("rounds/")
    state = page.locator("form[action$='/standings/']")
    state.locator("select").select_option("final")
    with page.expect_navigation():
        state.locator("button").click()
    if page.locator("main [name=reason]").count():
        page.fill("main [name=reason]", TOLD[evening.language])
        press(page, "main form:has([name=reason]) button[type=submit]")
    evening.desk("documents/?kind=certificates")
    press(page, "main form:has(#kind) button[type=submit]")
    evening.until(page, f"/desk/{evening.slug}/documents/", "a[href$='.pdf']")
    evening.desk("documents/?kind=prizes")
    expect(page.locator("#kind")).to_have_value("prizes")
    evening.desk("finish/")
    expect(evening.button(page, "finish")).to_be_visible()


WALK = (
    opens_the_event,
    takes_the_door,
    opens_the_round,
    finds_the_table,
    reads_the_badge,
    keeps_score_on_one_phone,
    records_a_deal,
    records_without_a_connection,
    disagrees,
    signs,
    calls_the_referee,
    takes_the_call,
    rules,
    hears_the_bell,
    reads_the_standings,
    says_what_is_wrong,
    loses_the_badge,
    looks_at_the_appeal,
    settles_what_was_reported,
    changes_a_published_round,
    ends_the_evening,
)

WALKED = {
    "player-table": "finds_the_table finds_the_table reads_the_badge",
    "player-results": "reads_the_standings finds_the_table "
    "test_a_badge_is_an_application_that_is_read_without_a_network "
    "test_every_phone_says_what_the_cut_has_decided",
    "player-wrong": "calls_the_referee says_what_is_wrong says_what_is_wrong",
    "player-badge": "test_a_device_is_told_by_a_button_and_no_longer_by_the_same says_what_is_wrong loses_the_badge",
    "scorekeeper-phone": "keeps_score_on_one_phone keeps_score_on_one_phone keeps_score_on_one_phone",
    "scorekeeper-deal": "records_a_deal records_a_deal records_a_deal records_a_deal corrects",
    "scorekeeper-offline": "records_without_a_connection test_a_signature_without_a_network_is_kept_and_sent_once",
    "scorekeeper-bell": "hears_the_bell hears_the_bell",
    "scorekeeper-sign": "signs test_a_player_signs_with_the_code_of_his_badge disagrees",
    "scorekeeper-referee": "calls_the_referee calls_the_referee",
    "referee-call": "takes_the_call takes_the_call test_a_late_arrival_that_nobody_called_for",
    "referee-facts": "test_a_revoke_is_proved_ruled_appealed_and_overturned "
    "test_articles_are_searched_by_a_word_of_any_language_in_every_language rules",
    "referee-ruling": "rules test_an_open_choice_of_the_opponents_cannot_be_issued rules "
    "test_discretion_wants_its_reason test_refused_at_his_own_table_and_admitted_at_another",
    "referee-after": "test_final_at_the_deadline_not_before looks_at_the_appeal "
    "test_a_disqualification_by_two_persons_is_overturned_on_appeal",
    "director-before": "opens_the_event test_the_secretarys_spreadsheet_and_the_door changes_password",
    "director-door": "takes_the_door takes_the_door",
    "director-round": "opens_the_round draws opens_the_round opens_the_round disagrees",
    "director-change": "changes_a_published_round changes_a_published_round "
    "test_a_small_event_from_the_form_to_the_diploma",
    "director-end": "ends_the_evening ends_the_evening ends_the_evening ends_the_evening",
}
"""The task above, or the test elsewhere, that carries out each step of each guide, in order."""


def test_every_step_of_a_guide_is_walked() -> None:
    steps = {
        f"{guide.name}-{part.key}": len(part.steps)
        for guide in GUIDES.values()
        for part in guide.parts
    }
    assert {name: len(walked.split()) for name, walked in WALKED.items()} == steps
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (\w+)\(", path.read_text(encoding="utf-8"))
    }
    assert {name for walked in WALKED.values() for name in walked.split()} <= there


# tests/tournament/test_guides.py checks the texts of the buttons.
@pytest.mark.one_language
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guides_are_walked_and_pictured(service: Service, chromium: Any, language: str) -> None:
    with ExitStack() as phones:
        evening = Evening(service, chromium, language, phones)
        for task in WALK:
            task(evening)
    tasks = {f"{guide.name}-{part.key}" for guide in GUIDES.values() for part in guide.parts}
    assert set(evening.shown) == tasks
    if os.environ.get("KEEP_PICTURES"):
        for name, picture in evening.shown.items():
            kept = KEPT / language / f"{name}.webp"
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(picture)


def test_each_kept_picture_is_small_and_of_a_task() -> None:
    tasks = {f"{guide.name}-{part.key}" for guide in GUIDES.values() for part in guide.parts}
    assert {f"{language}/{task}" for language in LANGUAGES for task in tasks} == PICTURES
    for name in PICTURES:
        file = KEPT / f"{name}.webp"
        assert file.stat().st_size <= MOST
