"""Journeys of a club: its evening, its secretary's spreadsheet, its door, from the first click."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from playwright.sync_api import expect

from benchmarks.table import MIND, POINT, PRESS
from tests.browser.conftest import Service, looking
from tests.tournament.documents.reading import whole_text

pytestmark = [pytest.mark.browser, pytest.mark.long]

PASSWORD = "kaarten-op-tafel-9"
NAMES = [
    "Jan Maes",
    "Els Claes",
    "Piet Noé",
    "DELVOYE, Huguette",
    "Marc D'Hondt",
    "Rita Øster",
    "Luc Desmet",
    "Ann Peeters",
    "Jef Wauters",
    "Mia Goossens",
    "Tom Aerts",
    "Lea Van Acker",
]
PLAY = """
from ledger.actors import Actor
from tournament.demo.simulation import play_round
from tournament.models import Round
import random
part = Round.objects.get(stage__event__slug={slug!r}, state="playing")
play_round(part, random.Random(1))
"""
HALL = """
from datetime import date
from accounts.models import User
from ledger.actors import Actor
from tests.tournament.build import grant
from tournament.demo.simulation import draw_and_publish, next_round
from tournament.models import Round
from tournament.services import clock, entrants
from tournament.services.events import new_stage, create_event
by = Actor.system("test")
plan = new_stage("Ronden", format="individual_draw", rounds=1, deals_per_game=4)
event = create_event(
    actor=by, name="Bladen {language}", day=date(2026, 11, 20), public_seed="seed", plan=[plan]
)
grant(User.objects.get(username="avond"), "director", event.pk)
for number in range(1, 49):
    entrants.enter_player(event_id=event.pk, name=f"Speler {{number}}", present=True, actor=by)
draw_and_publish(next_round(event), by)
part = Round.objects.get(stage__event=event)
clock.start_round(round_id=part.pk, actor=by)
sheet = part.tables.get(number=1).sheets.get(order=1)
print(f"/sheet/{{sheet.pk}}/paper/ {{event.slug}}")
"""
MARKS = """
from tournament.models.tables import OfficialResult
for found in OfficialResult.objects.filter(
    current=True, sheet__table__round__stage__event__slug={slug!r}
).order_by("sheet__table__number", "sheet__order"):
    print(sorted(found.result["marks"].values()))
"""
KEY, GLANCE, SLIP = 0.2, 0.5, 3.0
"""Seconds for a key (a skilled typist: Card, Moran and Newell), a look at a line, a slip taken up."""


FIRST_DEAL = 240.0
"""Allowed seconds until the first deal, of five minutes: the last minute is for the machine and for reading."""


@dataclass
class AtADesk:
    """A page, with the time that a person with mouse and keyboard needs for the actions on it.

    By the keystroke-level model, as in ``benchmarks/table.py``; a letter takes 0.28 s ("average non-secretary typist":
    Card, Moran and Newell). Every action includes a decision, every field a click, and opening an address counts as
    clicking a link.
    """

    page: Any
    acts: int = 0
    letters: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)

    def goto(self, address: str) -> None:
        self.acts += 1
        self.page.goto(address)

    def click(self, selector: str) -> None:
        self.acts += 1
        self.page.click(selector)

    def check(self, selector: str, **how: Any) -> None:
        self.acts += 1
        self.page.check(selector, **how)

    def fill(self, selector: str, text: str) -> None:
        self.acts += 1
        self.letters += len(text)
        self.page.fill(selector, text)

    @property
    def seconds(self) -> float:
        return self.acts * (MIND + POINT + PRESS) + self.letters * 0.28


def sign_in(page: Any, service: Service) -> None:
    """Create the first account of the installation, or sign in again."""
    page.goto(f"{service.url}/login/")
    if page.locator("[name=code]").count():
        page.fill("[name=code]", service.manage("setup_code").rsplit(":", 1)[1].strip())
        page.fill("[name=username]", "avond")
        page.fill("[name=password1]", PASSWORD)
        page.fill("[name=password2]", PASSWORD)
    else:
        page.fill("[name=username]", "avond")
        page.fill("[name=password]", PASSWORD)
    press(page, "main button[type=submit] >> nth=0")


def press(page: Any, selector: str) -> None:
    with page.expect_navigation():
        page.click(selector)


def open_evening(page: Any, service: Service) -> str:
    """Open a club evening by its card and four questions. Return the event's slug."""
    page.goto(f"{service.url}/desk/")
    press(page, "main a[href='/desk/new/']")
    page.check("[name=kind][value=club]", force=True)
    page.fill("[name=players]", "12")
    page.fill("[name=start]", "19:30")
    press(page, "main form button[type=submit]")
    assert re.search(r"12 .* 3 tables|12 .* 3 tafels", page.inner_text(".notice--info"))
    assert page.input_value("[name=name]")
    press(page, "main form button[type=submit]")
    found = re.search(r"/desk/([-\w]+)/players/import/", page.url)
    assert found is not None
    return found[1]


def look_at_the_draw(page: Any, desk: str) -> None:
    """Draw the next round, and open its draw when it is ready."""
    page.goto(desk)
    press(page, "#next-step form[action$='/draw/'] button")
    page.goto(desk)
    until_there(page, "#next-step a[href*='/draws/']")
    press(page, "#next-step a[href*='/draws/']")


def draw_and_start(page: Any, service: Service, slug: str) -> None:
    """Follow only the desk's next steps: draw, review and publish, start the clock."""
    look_at_the_draw(page, f"{service.url}/desk/{slug}/")
    press(page, "[name=act][value=publish]")
    press(page, "#next-step form[action$='/start/'] button")


def play(page: Any, service: Service, slug: str) -> None:
    """Play the current round to its end and close it."""
    service.manage("shell", "-v", "0", "-c", PLAY.format(slug=slug))
    page.goto(f"{service.url}/desk/{slug}/")
    press(page, "#next-step form[action$='/close/'] button")


def until_there(page: Any, selector: str) -> None:
    """Reload the page until a job's result appears."""
    for _load in range(60):
        if page.locator(selector).count():
            return
        page.wait_for_timeout(500)
        page.reload()
    pytest.fail(f"{selector} never came")


def prize_list(page: Any, service: Service, slug: str, prizes: str) -> str:
    """Return the text of the prize list printed for these prizes."""
    page.goto(f"{service.url}/desk/{slug}/documents/?kind=prizes")
    page.fill("[name=prizes]", prizes)
    press(page, "main form.stack button[type=submit]")
    made = page.locator(".job--done a.button")
    made.first.wait_for()
    answer = page.request.get(service.url + made.first.get_attribute("href"))
    assert answer.ok
    return str(whole_text(answer.body()))


@pytest.mark.one_language
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_the_friday_evening(chromium: Any, service: Service, language: str) -> None:
    with looking(chromium, 1280, language) as plain:
        page = AtADesk(plain)
        sign_in(page, service)
        slug = open_evening(page, service)
        page.fill(
            "#paste [name=text]", "\n".join(f"{n}. {name}" for n, name in enumerate(NAMES, 1))
        )
        press(page, "#paste button[type=submit]")
        expect(page.locator("table.preview tbody tr")).to_have_count(12)
        press(page, "[name=confirm]")
        page.wait_for_selector("a[href$='/players/']")
        page.goto(f"{service.url}/desk/{slug}/")
        until_there(page, "#next-step form[action$='/check-in/']")
        press(page, "#next-step form[action$='/check-in/'] button")
        draw_and_start(page, service, slug)
        # The twelve names are typed, not pasted, and the first deal can still begin in time.
        assert page.letters > sum(map(len, NAMES))
        assert page.seconds < FIRST_DEAL, page.seconds
        press(page, "#next-step form[action$='/pause/'] button")
        press(page, "#next-step form[action$='/resume/'] button")
        page.goto(f"{service.url}/e/{slug}/draw/")
        expect(page.locator(".table-card")).to_have_count(3)
        play(page, service, slug)
        final = page.locator("#next-step form:has([value=final]) button")
        for _round in range(5):
            if not final.count():
                draw_and_start(page, service, slug)
                play(page, service, slug)
        press(page, "#next-step form:has([value=final]) button")
        page.goto(f"{service.url}/desk/{slug}/players/members/")
        press(page, "[name=verb][value=remember]")
        page.goto(f"{service.url}/desk/{slug}/reveal/")
        for _place in range(12):
            page.keyboard.press("Space")
        expect(page.locator("[data-reveal-row]:visible")).to_have_count(12)
        revealed = page.locator(".reveal__name").all_inner_texts()
        press(page, f"a[href='/desk/{slug}/']")
        told = prize_list(page, service, slug, "1: 60\n2-12: 5")
        assert [name for name in revealed if name not in told] == []
        page.goto(f"{service.url}/desk/{slug}/")
        press(page, "main a[href$='/copy/']")
        press(page, "main form button[type=submit]")
        copy = page.url.split("/desk/")[1].split("/")[0]
        page.goto(f"{service.url}/desk/{copy}/")
        press(page, "#next-step a[href$='/players/members/']")
        expect(page.locator("[name=member]")).to_have_count(12)
        for box in page.locator("[name=member]").all():
            box.check()
        press(page, "[name=verb][value=present]")
        draw_and_start(page, service, copy)


def workbook(folder: Path) -> Path:
    """Write the twelve names to a workbook; one has both names in the surname column, with a comma."""
    book = openpyxl.Workbook()
    for row in [
        ["Soirée du 22 novembre"],
        ["Nom", "Prénom", "GSM", "Payé", "Catégorie"],
        *(
            [*([name, ""] if "," in name else reversed(name.split(" ", 1))), "0470", "10 €", "A"]
            for name in NAMES
        ),
        ["Maes", "Jan", "", "", ""],
        ["Total", "", "", "12", ""],
    ]:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    path = folder / "membres.xlsx"
    path.write_bytes(out.getvalue())
    return path


def printed_as_a_poster(page: Any, slug: str) -> None:
    """Check the registration page in print: the event, a line, the 12 cm code and its address."""
    screen = page.viewport_size
    page.set_viewport_size({"width": 794, "height": 1123})
    page.emulate_media(media="print")
    shown = page.locator("main").inner_text().split("\n")
    lines = [line for line in shown if line.strip()]
    assert len(lines) == 3
    assert f"/register/{slug}/" in lines[-1]
    others = page.locator("main > :not(.poster):visible, header:visible, nav:visible")
    expect(others).to_have_count(0)
    assert round(page.locator(".poster svg").bounding_box()["width"] / 96 * 2.54) == 12
    page.emulate_media(media="screen")
    page.set_viewport_size(screen)
    expect(page.locator(".poster__name")).to_be_hidden()


@pytest.mark.one_language
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_the_secretarys_spreadsheet_and_the_door(
    chromium: Any, service: Service, language: str, tmp_path: Path
) -> None:
    with looking(chromium, 360, language) as page:
        sign_in(page, service)
        slug = open_evening(page, service)
        page.set_input_files("[name=file]", workbook(tmp_path))
        press(page, "main form:has([name=file]) button[type=submit]")
        # Every row of the file with its outcome: title, headings, players, duplicate, total.
        expect(page.locator("table.preview tbody tr")).to_have_count(16)
        expect(page.locator("table.preview tr.is-out")).to_have_count(3)
        expect(page.locator("table.preview tr.is-double")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        # An amount does not say whether it was paid: it is asked once.
        page.select_option("[name=paid-means]", "yes")
        press(page, "[name=look]")
        press(page, "[name=confirm]")
        for _load in range(60):
            page.goto(f"{service.url}/desk/{slug}/players/")
            if page.locator("#players tbody tr").count() == 12:
                break
            page.wait_for_timeout(500)
        expect(page.locator("#p-4 th a")).to_have_text("Huguette DELVOYE")
        # Twelve names are read at a glance: no search or filter precedes them.
        assert page.locator("main input[type=search], main .segments").count() == 0
        page.locator("#players tr", has_text="Noé").locator("[value=check_in]").click()
        expect(page.locator("#players tr[data-state=present]")).to_have_count(1)
        page.locator("#p-1 [name=verb][value=check_in]").click()
        expect(page.locator("#players tr[data-state=present]")).to_have_count(2)
        for number in (4, 5):
            page.click(f"#p-{number} summary")
            page.check(f"#p-{number} [name=but]")
        press(page, "#all-but button")
        assert page.locator("#next-step form[action$='/draw/'] button").count() == 1
        page.goto(f"{service.url}/desk/{slug}/players/?state=registered")
        expect(page.locator("#players tbody tr")).to_have_count(2)
        page.goto(f"{service.url}/desk/{slug}/settings/")
        page.check("[name=registration]")
        press(page, "main form:has([name=registration]) button[type=submit]")
        page.goto(f"{service.url}/register/{slug}/")
        page.fill("[name=name]", "Iemand Nieuw")
        press(page, "main form:has([name=name]) button[type=submit]")
        page.goto(f"{service.url}/desk/{slug}/players/registrations/")
        printed_as_a_poster(page, slug)
        press(page, "[name=verb][value=here]")
        page.goto(f"{service.url}/desk/{slug}/players/?state=present")
        expect(page.locator("#players tbody tr")).to_have_count(11)
        # The seated entrants and the entrants named as left out are together the whole field.
        look_at_the_draw(page, f"{service.url}/desk/{slug}/")
        seated = page.locator("#draw .table-card [data-entrant]").evaluate_all(
            "seats => seats.map(seat => Number(seat.dataset.entrant))"
        )
        named = "\n".join(page.locator("main section details .fold__in > p").all_inner_texts())
        left_out = [int(number) for number in re.findall(r"(?:^|, )(\d+)\s", named, re.MULTILINE)]
        assert sorted({*seated, *left_out}) == list(range(1, 14))
        assert {4, 5} <= set(left_out)
        assert "Huguette DELVOYE" in named


@pytest.mark.parametrize("language", ["fr", "nl"])
def test_columns_are_pointed_at_on_a_phone(
    chromium: Any, service: Service, language: str, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_text("4;Dupont;Lea\n9;Peeters;Jan\n", encoding="utf-8")
    with looking(chromium, 360, language) as page:
        sign_in(page, service)
        slug = open_evening(page, service)
        page.set_input_files("[name=file]", path)
        press(page, "main form:has([name=file]) button[type=submit]")
        assert page.locator("[name=confirm]").count() == 0
        for index, column in enumerate(("number", "last", "first")):
            page.select_option(f"[name=choose-column-{index}]", column)
        page.fill("[name=choose-first_row]", "1")
        press(page, "[name=choose]")
        expect(page.locator("table.preview tbody tr:not([class])")).to_have_count(2)
        press(page, "[name=confirm]")
        page.goto(f"{service.url}/desk/{slug}/players/")
        until_there(page, "#p-9")
        assert page.locator("#players th a").all_inner_texts() == ["Lea Dupont", "Jan Peeters"]


class Typist:
    """A typist with a keyboard alone, with the time that a person would need."""

    def __init__(self, page: Any) -> None:
        self.page, self.seconds = page, 0.0

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.seconds += KEY

    def deal(self, trump: int, side: str, points: int) -> None:
        self.seconds += GLANCE
        self.keys(str(trump), side, *str(points), "Enter")


@pytest.mark.guide("director#type-the-slips")
@pytest.mark.one_language
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_a_pile_of_points_is_typed_in_five_minutes(
    chromium: Any, service: Service, language: str
) -> None:
    with looking(chromium, 1280, language) as page:
        sign_in(page, service)
        made = service.manage("shell", "-v", "0", "-c", HALL.format(language=language)).split()
        page.goto(service.url + made[0])
        typist = Typist(page)
        pile = [1, 7, 3, 12, 4, 10, 2, 8, 5, 11, 9, 6]
        for at, table in enumerate(pile):
            expect(page.locator("h1")).to_contain_text(f" {table}")
            typist.seconds += SLIP
            for game in range(3):
                typist.seconds += GLANCE
                typist.keys(*str(20 + table), "Enter", *str(10 + game), "Enter")
            if at + 1 < len(pile):
                typist.keys(*str(pile[at + 1]))
            with page.expect_navigation():
                typist.keys("Enter")
        assert typist.seconds < 300, typist.seconds
        told = service.manage("shell", "-v", "0", "-c", MARKS.format(slug=made[1])).split("\n")
        assert told[:36] == [f"[{10 + game}, {20 + n}]" for n in range(1, 13) for game in range(3)]


@pytest.mark.guide("director#type-the-slips")
@pytest.mark.one_language
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_a_pile_of_slips_is_typed_in_five_minutes(
    chromium: Any, service: Service, language: str
) -> None:
    with looking(chromium, 1280, language) as page:
        sign_in(page, service)
        made = service.manage("shell", "-v", "0", "-c", HALL.format(language=language)).split()
        page.goto(f"{service.url}{made[0]}?way=deals")
        typist = Typist(page)
        # The pile is unordered: the number of the next table is typed over.
        pile = [1, 7, 3, 12, 4, 10, 2, 8, 5, 11, 9, 6]
        for at, table in enumerate(pile):
            expect(page.locator("h1")).to_contain_text(f" {table}")
            typist.seconds += SLIP
            for _game in range(3):
                for deal in range(4):
                    typist.deal(1 + deal, "a", 35 + table)
            if at + 1 < len(pile):
                typist.keys(*str(pile[at + 1]))
            with page.expect_navigation():
                typist.keys("Enter")
        assert typist.seconds < 300, typist.seconds
        page.goto(f"{service.url}/desk/{made[1]}/")
        press(page, "#next-step form[action$='/close/'] button")
        told = service.manage("shell", "-v", "0", "-c", MARKS.format(slug=made[1])).split("\n")
        # Every one of the four deals is 5 points over half, plus the table's number.
        assert told[:36] == [f"[0, {4 * (5 + n)}]" for n in range(1, 13) for _game in range(3)]
