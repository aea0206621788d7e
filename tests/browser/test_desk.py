"""The director's way through a round in Chromium: at a desk and on a phone, in French and Dutch.

Draw, watch, look, compare, change, publish and withdraw; print; players who arrive, leave and return; a table that
plays on; the cut, and a knock-out with consolation. English words are asserted only by their translation in the
reader's language.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone, translation
from playwright.sync_api import expect

from tests.browser.conftest import Service, looking

pytestmark = [pytest.mark.browser, pytest.mark.long]

PASSWORD = "not-a-secret-1"
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
WAYS = pytest.mark.parametrize(("width", "language"), [(360, "fr"), (1280, "nl")])

HALL = """
import json
from accounts.models import Role
from tests.tournament.build import make_event, make_user
event = make_event(17, deals=1, cut=8, slug={slug!r}, name="Beker van de Leie")
make_user({slug!r}, event, Role.DIRECTOR)
print(json.dumps(True))
"""
LISTED = """
import json
from accounts.models import Role
from tests.tournament.build import make_event, make_user
event = make_event(90, slug={slug!r}, name="Beker van de Schelde")
make_user({slug!r}, event, Role.DIRECTOR)
print(json.dumps(True))
"""
PLAY = """
import json
from tests.tournament.build import chance
from tournament.demo.simulation import play_deal, play_round
from tournament.models import Event
from tournament.queries.rounds import current_round
part = current_round(Event.objects.get(slug={slug!r}))
if {deal}:
    play_deal(part.tables.get(number=1).sheets.get(order=1), 1, chance())
else:
    play_round(part, chance(), share={share})
print(json.dumps(part.number))
"""
STAGED = """
import json
from ledger import jobs
from accounts.models import Role
from tests.tournament.build import chance, make_event, make_user
from tournament.demo.simulation import advance
from tournament.services.events import new_stage
jobs.send = lambda *_: None  # these draws are made here, not by the service's worker
luck = chance()
event = make_event(16, deals=1, cut=8, slug="cut", name="Kampioenschap")
make_user("cut", event, Role.DIRECTOR)
for _round in range(3):
    advance(event, luck)
cup = make_event(8, slug="cup", name="Beker", plan=[new_stage(
    "Beker", format="pools_ko", rounds=3, games_per_round=1, deals_per_game=1)])
make_user("cup", cup, Role.DIRECTOR)
print(json.dumps(True))
"""
SETTLE = """
import json
from tests.tournament.build import SYSTEM
from tests.tournament.results import copy_slip
from tournament.models import Event
from tournament.models.tables import Sheet
from tournament.queries.rounds import current_round
from tournament.services import rounds
part = current_round(Event.objects.get(slug="cup"))
for sheet in Sheet.objects.filter(table__round=part):
    copy_slip(sheet, {"NS": 10, "EW": 0})
rounds.close_round(round_id=part.pk, actor=SYSTEM)
print(json.dumps([part.number, part.stage.rounds.count()]))
"""


def inside(service: Service, script: str) -> Any:
    """Run a script in the installation. Return the last JSON that it printed."""
    return json.loads(service.manage("shell", "-v", "0", "-c", script).strip().splitlines()[-1])


def said(language: str, text: str) -> str:
    """Return a text in the reader's language."""
    with translation.override(language):
        return translation.gettext(text)


class Desk:
    """The desk of one event in one browser."""

    def __init__(self, page: Any, service: Service, slug: str) -> None:
        self.page, self.url, self.slug = page, service.url, slug
        page.goto(f"{service.url}/login/")
        page.fill("[name=username]", slug)
        page.fill("[name=password]", PASSWORD)
        page.press("[name=password]", "Enter")
        page.wait_for_url(lambda address: "/login/" not in address)

    def open(self, part: str = "") -> None:
        """Open a page of the desk."""
        answer = self.page.goto(f"{self.url}/desk/{self.slug}/{part}")
        assert answer.status == 200, answer.url

    def press(self, selector: str) -> None:
        """Press a button that submits a form, and wait for the next page."""
        with self.page.expect_navigation():
            self.page.click(selector)

    def draw(self, *, hold: bool = False, out: str = "") -> str:
        """Draw the next round and watch the job. Return the address of the candidate."""
        self.open("rounds/")
        if out:
            self.page.click("form[action$='/draw/'] summary")
            self.page.fill("[name=bye_first]", out)
        if hold:
            self.page.check("[name=hold]")
        self.press("form[action$='/draw/'] button")
        return self.made()

    def made(self) -> str:
        """Wait until the job leads to its draw. Return the draw's address."""
        self.page.wait_for_url(lambda address: "/draws/" in address, timeout=120_000)
        return str(self.page.url)

    def table_of(self, number: int) -> str:
        """Return the table of a start number, found by the search of the draw's page."""
        self.page.fill("#find", str(number))
        self.press("form:has(#find) button")
        card = self.page.locator(f"#draw .table-card:has([data-entrant='{number}'])")
        expect(card).to_have_count(1)
        return str(re.findall(r"\d+", card.locator(".table-card__number").inner_text())[0])


@pytest.fixture(scope="module")
def staged(service: Service) -> Service:
    """Return the service with an event at its cut, and a cup of pools and knock-out."""
    assert inside(service, STAGED)
    return service


@WAYS
def test_a_round_from_the_draw_to_the_clock(
    service: Service, chromium: Any, width: int, language: str
) -> None:
    slug = f"hall-{width}-{language}"
    inside(service, HALL.format(slug=slug))
    with looking(chromium, width, language) as page:
        desk = Desk(page, service, slug)
        first = desk.draw(out="17")
        look_at_the_certificate(page, language)
        explain_and_find(desk)
        second = desk.draw(out="17")
        compare(desk, first, second)
        page.goto(first)
        exchange_and_undo(desk)
        keep_two_tables(desk)
        page.goto(first)
        publish_at_a_time(desk)
        withdraw_and_publish_again(desk, first)
        print_the_papers(desk)
        start_and_be_refused(service, desk, language)
        people_come_and_go(desk)
        a_table_plays_on(service, desk)


BY_HAND = "details:has(> #by-hand) > summary"


def look_at_the_certificate(page: Any, language: str) -> None:
    """Check that every row has a bound and is marked proven or best known, folded until it is opened."""
    expect(page.locator("#report table")).to_be_hidden()
    page.click("#report > summary")
    rows = page.locator("table:has(td[data-label]) tbody tr")
    kinds = {said(language, "proven"), said(language, "best known")}
    assert rows.count() >= 5
    for text in rows.locator("td:nth-child(3)").all_inner_texts():
        assert any(kind in text for kind in kinds), text
    assert said(language, "Nothing better is possible.") in page.inner_text("main")


def explain_and_find(desk: Desk) -> None:
    page = desk.page
    page.fill("#why-table", "2")
    desk.press("form:has(#why-table) button")
    assert page.locator("#why li").count() >= 1
    expect(page.locator("#concerned .table-card")).to_have_count(1)
    assert desk.table_of(5)
    page.fill("#find", "zzz")
    desk.press("form:has(#find) button")
    expect(page.locator("#draw .table-card")).to_have_count(0)


def compare(desk: Desk, first: str, second: str) -> None:
    assert first != second
    desk.press("a[href*='/draws/compare/']")
    page = desk.page
    expect(page.locator("button[name=act][value=publish]")).to_have_count(2)
    assert page.locator("table.grid tbody tr").count() >= 5


def exchange_and_undo(desk: Desk) -> None:
    """Exchange two players and undo it: the cost is shown first, the button changes the draw, and undo restores it."""
    page = desk.page
    here = page.url
    before = desk.table_of(1), desk.table_of(2)
    other = next(n for n in range(3, 17) if desk.table_of(n) != before[0])
    there = desk.table_of(other)
    page.goto(here)
    page.click(BY_HAND)
    page.fill("#one", "1")
    page.fill("#two", str(other))
    desk.press("form:has(#one) button")
    expect(page.locator("#cost")).to_be_visible()
    expect(page.locator("#concerned .table-card")).to_have_count(2)
    assert page.locator(".timeline").count() == 0
    desk.press("[name=act][value=make]")
    assert page.locator(".timeline li").count() == 1
    assert desk.table_of(1) == there
    page.goto(here)
    page.fill("#table", "1")
    page.fill("#to", "30")
    desk.press("form:has(#table) button")
    desk.press("[name=act][value=make]")
    assert page.locator(".timeline li").count() == 2
    for _change in range(2):
        desk.press("[name=act][value=undo]")
    assert page.locator(".timeline li").count() == 0
    assert (desk.table_of(1), desk.table_of(2)) == before
    page.goto(here)


def keep_two_tables(desk: Desk) -> None:
    page = desk.page
    kept = page.locator("#draw .table-card >> nth=1").inner_text()
    page.click(BY_HAND)
    page.fill("#id_keep", "1-2")
    desk.press("[name=act][value=redraw]")
    desk.made()
    assert page.locator("#draw .table-card >> nth=1").inner_text() == kept
    desk.press("[name=act][value=discard]")


def publish_at_a_time(desk: Desk) -> None:
    page = desk.page
    at = timezone.localtime() + timedelta(days=1)
    page.click("details:has([name=at]) summary")
    page.fill("[name=at]", at.strftime("%Y-%m-%dT%H:%M"))
    desk.press("[name=act][value=schedule]")
    expect(page.locator("[name=act][value=unschedule]")).to_be_visible()
    desk.press("[name=act][value=unschedule]")
    expect(page.locator("[name=act][value=unschedule]")).to_have_count(0)


def withdraw_and_publish_again(desk: Desk, address: str) -> None:
    page = desk.page
    desk.press("[name=act][value=publish]")
    desk.open("rounds/")
    desk.press("a[href$='/unpublish/']")
    page.fill("form[action$='/unpublish/'] [name=reason]", "the hall is not ready")
    desk.press("form[action$='/unpublish/'] button")
    page.goto(address)
    desk.press("[name=act][value=publish]")


def print_the_papers(desk: Desk) -> None:
    """Print posters by name and by table, and the cards of the tables, as files."""
    page = desk.page
    for number, kind in enumerate(("draw-by-name", "draw-by-table", "table-cards"), start=1):
        desk.open(f"documents/?kind={kind}")
        expect(page.locator("#kind")).to_have_value(kind)
        desk.press("main form:has(#kind) button[type=submit]")
        links = page.locator("main .links a[href$='.pdf']")
        for _load in range(120):
            if links.count() >= number:
                break
            page.wait_for_timeout(500)
            desk.open("documents/")
        file = page.request.get(desk.url + links.first.get_attribute("href"))
        assert file.body()[:5] == b"%PDF-"


def start_and_be_refused(service: Service, desk: Desk, language: str) -> None:
    """Enter a deal, then expect the refusal to withdraw the draw, with its alternatives."""
    page = desk.page
    desk.open("rounds/")
    desk.press("form[action$='/start/'] button")
    expect(page.locator("[data-clock]")).to_be_visible()
    inside(service, PLAY.format(slug=desk.slug, deal=True, share=0))
    desk.open("rounds/")
    desk.press("a[href$='/unpublish/']")
    text = said(language, "Move single players instead, or correct those sheets.")
    assert text in page.inner_text("body")
    expect(page.locator("form[action$='/unpublish/']")).to_have_count(0)


def people_come_and_go(desk: Desk) -> None:
    """Let one player leave, one return, one come late, and one take another's place."""
    page = desk.page
    row = "form[action$='/players/{}/state/'] [name=verb][value={}]"
    desk.open("players/")
    for number in (5, 6):
        desk.open(f"players/{number}/")
        page.click("details:has([value=withdraw]) summary")
        desk.press(row.format(number, "withdraw"))
    desk.press(row.format(6, "return"))
    desk.open("players/")
    page.click("details.fold summary")
    page.fill("details [name=name]", "Late Comer")
    desk.press("details.fold form button[type=submit]")
    assert "18" in page.inner_text("body")
    desk.open("wishes/")
    page.fill("[name=old]", "7")
    page.fill("[name=new]", "18")
    desk.press("form[action='#replace'] button")
    desk.press("form:has([name=verb][value=replace]) .button:not([name=zero])")
    page.fill("[name=one]", "1")
    page.fill("[name=two]", "2")
    desk.press("[name=verb][value=ban]")
    expect(page.locator("[name=verb][value=lift]")).to_have_count(1)


def a_table_plays_on(service: Service, desk: Desk) -> None:
    """Draw the next round while tables play: their players are left out and named."""
    inside(service, PLAY.format(slug=desk.slug, deal=False, share=0.5))
    desk.draw(hold=True)
    page = desk.page
    assert page.locator("form:has(#players)").count() == 1
    seated = page.locator("#draw .table-card [data-entrant]").count()
    assert 0 < seated < 16
    assert seated % 4 == 0


@pytest.mark.parametrize(
    ("top", "per_table", "through"), [("8", "", 8), ("", "1", 4), ("6", "1", 8)]
)
def test_the_cut_by_rank_by_table_or_both(
    staged: Service, chromium: Any, top: str, per_table: str, through: int
) -> None:
    with looking(chromium, 360, "en") as page:
        desk = Desk(page, staged, "cut")
        desk.open("stages/1/")
        page.fill("[name=top]", top)
        page.fill("[name=per_table]", per_table)
        page.select_option("[name=tie]", "lots")
        desk.press("main form .actions button[type=submit]")
        desk.open("stages/1/cut/")
        if page.locator("[name=verb][value=lots]").count():
            desk.press("[name=verb][value=lots]")
        expect(page.locator("#through tbody tr")).to_have_count(through)
        desk.press("[name=verb][value=open]")
        expect(page.locator("form[action$='/draw/']")).to_have_count(1)


def test_a_cup_of_pools_and_knock_out_with_consolation(staged: Service, chromium: Any) -> None:
    with looking(chromium, 1280, "en") as page:
        desk = Desk(page, staged, "cup")
        drawn, rounds = 0, 1
        while drawn < rounds:
            desk.draw()
            assert page.locator("table:has(td[data-label]) tbody tr").count() >= 1
            seated = page.locator("#draw .table-card [data-entrant]").count()
            desk.press("[name=act][value=publish]")
            drawn, rounds = inside(staged, SETTLE)
            # Pools of four pairs: all play three rounds, then main draw and consolation in parallel.
            assert seated == (8 if drawn <= 4 else 4), drawn
        assert (drawn, rounds) == (5, 5)
        final = page.url.split("/desk/")[0] + "/e/cup/standings/"
    with looking(chromium, 360, "fr") as phone:
        phone.goto(final)
        # On a phone pools and rounds fold to their headings; the latest round and what a letter leads to are open.
        pools = phone.locator(".pool:visible")
        assert pools.count() == 0
        assert (
            phone.locator(".bracket__matches:visible").count() == phone.locator(".bracket").count()
        )
        phone.locator(".letters a").first.click()
        expect(pools).to_have_count(1)
        phone.locator("#pool-1 .unfold").click()
        expect(pools).to_have_count(0)
    with looking(chromium, 1280, "fr") as wide:
        wide.goto(final)
        assert wide.locator(".pool:visible").count() == wide.locator(".pool").count() > 1


ROWS_SEEN = """() => [...document.querySelectorAll("#players tbody tr")].filter((row) => {
  const { left, top, bottom } = row.getBoundingClientRect();
  return bottom > top && [top + 1, bottom - 1].every((y) => row.contains(document.elementFromPoint(left + 20, y)));
}).length"""
"""Counts the rows that are completely visible."""


@pytest.mark.parametrize(("width", "language"), [(360, "fr"), (1920, "fr"), (1920, "nl")])
def test_thirty_players_a_screen_and_each_act_leaves_the_list_where_it_is(
    service: Service, chromium: Any, width: int, language: str
) -> None:
    """On a full HD screen, of which the browser leaves 940 px; in-place actions on a phone as well."""
    slug = f"list-{width}-{language}"
    inside(service, LISTED.format(slug=slug))
    with looking(chromium, width, language) as page:
        desk = Desk(page, service, slug)
        if width > 500:
            page.set_viewport_size({"width": width, "height": 940})
        desk.open("players/")
        page.fill("#q", {"fr": "paye", "nl": "betaald"}[language])  # on a button of every row
        expect(page.locator("#players tbody tr:visible")).to_have_count(0)
        page.fill("#q", "d")
        of = {"fr": "sur", "nl": "van"}[language]
        expect(page.locator("[data-find-count]")).to_have_text(re.compile(rf"^\d+ {of} \d+$"))
        row = page.locator("#p-54")
        row.evaluate("each => each.scrollIntoView({ block: 'center' })")
        seen, at = page.evaluate(ROWS_SEEN), page.evaluate("scrollY")
        assert seen >= 30 or width < 500
        assert at > 0
        page.evaluate("window.stayed = true")
        for verb, state in (("check_out", "registered"), ("check_in", "present"), ("paid", "")):
            if width < 500 and verb != "check_in":
                row.locator("summary").click()
            row.locator(f"[name=verb][value={verb}]").click()
            expect(row.locator(f"[value={verb}]")).to_have_count(0)
            if state:
                expect(row).to_have_attribute("data-state", state)
            assert page.evaluate("[scrollY, stayed, document.querySelector('#q').value]") == [
                at,
                True,
                "d",
            ]
            assert page.evaluate(ROWS_SEEN) == seen


def test_the_status_of_the_standings_is_labelled_and_in_one_line(
    staged: Service, chromium: Any
) -> None:
    with looking(chromium, 1280) as page:
        Desk(page, staged, "cut").open("rounds/")
        form = page.locator("form:has(#id_state_1)")
        expect(form.locator("label[for=id_state_1]")).to_be_visible()
        line = page.locator(".actions", has=page.locator("#id_state_1")).locator(
            "> a, select, button"
        )
        assert line.count() >= 3
        assert len({round(part.bounding_box()["y"]) for part in line.all()}) == 1


def test_the_winner_is_unseen_until_their_turn(staged: Service, chromium: Any) -> None:
    """The page shows no names until the script has loaded; without JavaScript it shows all of them."""
    held: list[Any] = []
    with looking(chromium, 1280) as page:
        desk = Desk(page, staged, "cut")
        page.route("**/js/reveal*.js", lambda route: held.append(route))
        with page.expect_request("**/js/reveal*.js"):
            page.goto(f"{desk.url}/desk/cut/reveal/", wait_until="commit")
        page.wait_for_function("document.readyState === 'interactive'")
        rows = page.locator("[data-reveal-row]")
        expect(rows).to_have_count(16)
        visible = page.locator("[data-reveal-row]:visible")
        expect(visible).to_have_count(0)  # with its style sheet, without which nothing is painted
        held[0].continue_()
        page.locator("[data-reveal-next]").wait_for()
        assert visible.count() == 0
        # The director's notes disappear once the audience sees a name.
        before = page.locator("[data-reveal-before]:visible")
        expect(before).to_have_count(2)
        page.keyboard.press("Space")
        expect(before).to_have_count(0)
        expect(visible).to_have_count(1)
        expect(rows.last).to_be_visible()
    with looking(chromium, 1280, java_script_enabled=False) as page:
        Desk(page, staged, "cut").open("reveal/")
        expect(page.locator("[data-reveal-row]:visible")).to_have_count(16)


PAGES = [
    "",
    "players/",
    "players/import/",
    "rounds/",
    "stages/",
    "stages/1/",
    "stages/1/cut/",
    "stages/new/",
    "wishes/",
    "documents/",
    "room/",
    "draw",
]


@pytest.mark.parametrize("language", ["fr", "nl"])
def test_the_tab_that_is_current_is_in_sight_on_a_phone(
    staged: Service, chromium: Any, language: str
) -> None:
    with looking(chromium, 360, language) as page:
        desk = Desk(page, staged, "cut")
        for path in ("", "players/", "room/", "documents/", "settings/", "log/"):
            desk.open(path)
            tab = page.locator(".nav--staff [aria-current]")
            expect(tab).to_be_in_viewport(ratio=0.99)
            assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize(
    ("width", "language", "scheme"), [(360, "nl", "light"), (1280, "fr", "dark")]
)
def test_the_desk_meets_wcag(
    staged: Service, chromium: Any, width: int, language: str, scheme: str
) -> None:
    """Each page in two of the looks, one on a phone and one at a desk."""
    found: list[str] = []
    with looking(chromium, width, language, color_scheme=scheme, bypass_csp=True) as page:
        desk = Desk(page, staged, "cut")
        for path in PAGES:
            desk.open("rounds/" if path == "draw" else path)
            if path == "draw":
                desk.press("a[href*='/draws/'] >> nth=0")
            assert page.evaluate("document.documentElement.lang") == language
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            page.add_script_tag(path=str(AXE))
            result = page.evaluate(
                "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES
            )
            found += [
                f"{path}: {v['id']} {v['nodes'][0]['html'][:160]} {v['nodes'][0]['failureSummary'][:200]}"
                for v in result["violations"]
            ]
    assert found == []
