"""The door with 544 expected: the actions of each entrant to be checked in, with human pauses."""

from __future__ import annotations

import json
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser import door
from tests.browser.conftest import FLAGS, Service, chromium_path
from tests.browser.serving import phone
from tests.keyboards import as_typed

pytestmark = [pytest.mark.browser, pytest.mark.long]
PLAYERS, MINUTES = 544, 20
KNOWN, BY_NAME, WALK_IN = 5.0, 4.5, 25.0
"""Allowed seconds for a known entrant, for one found by name, and for one outside the list."""
HERE = """
import json
from tournament.models import Entrant
here = Entrant.objects.filter(event__slug="{slug}", state="present", person__name__in={names!r})
print(json.dumps(list(here.values_list("person__name", flat=True))))
"""
PRESENT = """
import json
from tournament.models import Entrant
from tournament.tables.links import token_hash
hashes = [token_hash(token) for token in {tokens!r}]
print(json.dumps(Entrant.objects.filter(link_hash__in=hashes, event__slug="{slug}", state="present").count()))
"""
SLOW = """
window.sent = 0;
const real = window.fetch;
const after = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
window.fetch = async (address, ...more) => {
  if (!String(address).includes("/players/scan/")) return real(address, ...more);
  window.sent += 1;
  if (window.sent === 3) {
    await after(500);
    throw new TypeError("the connection broke");
  }
  const answer = await real(address, ...more);
  await after(1500);
  return answer;
};
"""
"""Handler of slow scans: each is answered after 1.5 s, and the third not at all."""
VOLUNTEERS = 3
SCANNED, LISTED, PHONES, UNKNOWN = 5, 5, 8, 2
"""Entrants of each volunteer: badges, names looked up, own phones, and people outside the list."""


@pytest.fixture(scope="module")
def hall(service: Service) -> dict[str, Any]:
    said = service.manage("shell", "-v", "0", "-c", door.prepare(PLAYERS))
    made: dict[str, Any] = json.loads(said.strip().splitlines()[-1])
    return made


@pytest.mark.guide("director#registering-and-the-door")
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_who_is_known_is_in_at_one_tap_on_their_own_phone(
    service: Service, chromium: Any, hall: dict[str, Any], language: str
) -> None:
    name = hall["names"][40 if language == "fr" else 41]
    context = phone(chromium, service.url, language)
    page = context.new_page()
    # By name the first time: a few letters and the keyboard's key, without a search button; the page stays.
    person = door.check_in_by_name(page, hall["door"], name)
    assert person.taps == 0
    assert person.letters <= 6
    assert person.seconds <= BY_NAME
    # The check-in can be undone, and a phone whose keyboard waits for a tap works as well.
    page.locator("#door-names [name=undo]").tap()
    expect(page.locator("#door-names .is-said")).to_have_count(0)
    assert door.check_in_by_name(page, hall["door"], name, keyboard=False).taps == 1
    # A phone that has stored its owner needs one tap at the door.
    page.locator("[data-me]:visible").tap()
    person = door.check_in_by_own_phone(page, hall["door"])
    assert (person.taps, person.swipes, person.letters) == (1, 0, 0)
    assert person.seconds <= KNOWN
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


@pytest.mark.guide("director#registering-and-the-door")
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_a_walk_in_is_in_once_a_volunteer_has_seen_them(
    service: Service, chromium: Any, hall: dict[str, Any], language: str
) -> None:
    name = f"Iemand Nieuw {language}"
    own, desk = phone(chromium, service.url, language), phone(chromium, service.url, language)
    page, volunteer = own.new_page(), desk.new_page()
    door.sign_in(volunteer, hall["user"])
    guest = door.walk_in(page, hall["door"], name, "De Tien")
    helper = door.confirm(volunteer, hall["slug"], name)
    assert guest.seconds + helper.seconds <= WALK_IN
    # The entrant's page registers the phone as theirs, and the phone recognises them from then on.
    expect(page.locator("[data-me]")).to_have_attribute("aria-pressed", "true")
    assert door.check_in_by_own_phone(page, hall["door"]).taps == 1
    own.close()
    desk.close()


@pytest.mark.one_language
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_who_is_on_no_list_does_not_type_their_name_twice(
    service: Service, chromium: Any, hall: dict[str, Any], language: str
) -> None:
    context = phone(chromium, service.url, language)
    page = context.new_page()
    page.goto(hall["door"])
    page.locator("#q:focus").wait_for()
    page.keyboard.type("nergens, iemand")
    expect(page.locator("[name=name]")).to_have_value("Iemand Nergens")
    page.keyboard.press("Enter")
    expect(page.locator("[name=name]")).to_be_focused()
    # A name edited by hand is not overwritten.
    page.keyboard.type(" jr")
    page.fill("#q", "27")
    expect(page.locator("[name=name]")).to_have_value("Iemand Nergens jr")
    context.close()


@pytest.mark.guide("director#check-players-in")
@pytest.mark.one_language
@pytest.mark.parametrize("language", ["fr", "nl"])
def test_quick_scans_lose_nothing_while_answers_are_slow(
    service: Service, chromium: Any, hall: dict[str, Any], language: str
) -> None:
    """Ten badges, one a second, answered after 1.5 s, by a scanner with US keys on a Belgian computer."""
    context = phone(chromium, service.url, language)
    context.add_init_script(SLOW)
    page = context.new_page()
    door.sign_in(page, hall["user"])
    page.goto(f"/desk/{hall['slug']}/players/")
    badges = hall["quick"][:10] if language == "fr" else hall["quick"][10:20]
    page.locator("[name=scan]").focus()
    begin = time.monotonic()
    for at, badge in enumerate(badges):
        page.wait_for_timeout(max(0.0, begin + at - time.monotonic()) * 1000)
        page.keyboard.type(as_typed(f"https://hall.example/p/{badge}/", "Belgian"), delay=5)
        page.keyboard.press("Enter")
        expect(page.locator("[name=scan]")).to_have_value("")
    page.keyboard.type("99999")
    page.keyboard.press("Enter")
    lines = page.locator("[data-scans] p")
    expect(lines).to_have_count(9, timeout=40_000)
    expect(page.locator("[data-scans] .is-refused")).to_have_count(1)
    expect(page.locator("[data-scans] .is-refused")).to_contain_text("99999")
    # Each badge was sent once, and the badge with the broken connection once more.
    assert page.evaluate("window.sent") == len(badges) + 1 + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()
    code = PRESENT.format(slug=hall["slug"], tokens=badges)
    said = service.manage("shell", "-v", "0", "-c", code).strip().splitlines()[-1]
    assert json.loads(said) == len(set(badges)) == 10


def test_a_scanner_needs_no_click_even_with_a_few_players(service: Service, chromium: Any) -> None:
    """On a computer, at a club's list without a search, and after a button of a row has taken the focus."""
    said = service.manage("shell", "-v", "0", "-c", door.prepare(8)).strip().splitlines()[-1]
    club = json.loads(said)
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, base_url=service.url)
    page = context.new_page()
    door.sign_in(page, club["user"])
    page.goto(f"/desk/{club['slug']}/players/")
    expect(page.locator("[name=scan]")).to_be_focused()
    page.keyboard.type(f"https://hall.example/p/{club['badges'][0]}/")
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-state=present]")).to_have_count(1)
    page.locator("tr[data-state=registered] button[value=check_in]").first.click()
    expect(page.locator("tr[data-state=present]")).to_have_count(2)
    page.keyboard.type(f"https://hall.example/p/{club['badges'][7]}/")
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-state=present]")).to_have_count(3)
    context.close()


ANSWERS_LATE = """
  const answer = window.fetch;
  window.fetch = async (to, ...rest) => {
    if (String(to).endsWith("/players/scan/")) await new Promise((resolve) => { setTimeout(resolve, 1500); });
    return answer(to, ...rest);
  };
"""


def counted(page: Any) -> int:
    """Return how many players the page says that this volunteer has checked in."""
    return int("".join(filter(str.isdigit, page.locator("[data-mine]").text_content())) or 0)


@pytest.mark.parametrize("layout", ["French", "US"])
def test_sixty_scans_survive_two_cuts_and_a_closed_tab(
    service: Service, chromium: Any, hall: dict[str, Any], layout: str
) -> None:
    """Each badge is typed before the last one is answered, after 1.5 s; the network is cut twice, the tab is closed in one cut."""
    context = phone(chromium, service.url, "fr")
    context.add_init_script(ANSWERS_LATE)
    door.sign_in(context.new_page(), hall["user"])
    badges = hall["quick"][20:80] if layout == "French" else hall["quick"][80:140]
    cut = False
    tried: list[str] = []

    def answer(route: Any) -> None:
        tried.append(route.request.post_data or "")
        if cut:
            route.abort()
        else:
            route.continue_()

    context.route("**/players/scan/", answer)

    def scan(page: Any, *badges: str) -> None:
        line = "".join(f"https://hall.example/p/{badge}/" for badge in badges)
        page.keyboard.type(as_typed(line, layout))
        page.keyboard.press("Enter")
        assert page.locator("[name=scan]").input_value() == ""

    def opened() -> Any:
        page = context.new_page()
        page.goto(f"/desk/{hall['slug']}/players/")
        page.locator("[name=scan]").focus()
        return page

    page = opened()
    before = counted(page)
    for badge in badges[:20]:
        scan(page, badge)
    expect(page.locator("[data-waits-for]")).to_be_visible()
    cut = True
    for badge in badges[20:40]:
        scan(page, badge)
    expect(page.locator("p[data-say]")).not_to_be_empty()
    page.close(run_before_unload=False)
    cut = False
    page = opened()
    for badge in badges[40:50]:
        scan(page, badge)
    cut = True
    scan(page, *badges[50:52])
    cut = False
    for badge in badges[52:]:
        scan(page, badge)
    expect(page.locator("form[data-scan][data-waiting='0']")).to_have_count(1, timeout=180_000)
    expect(page.locator("[data-waits-for]")).to_be_hidden()
    scan(page, badges[0])
    again = page.locator("[data-scans] .is-again")
    expect(again).to_contain_text("est déjà là")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(again).to_be_in_viewport(ratio=1)
    scan(page, "unknown-badge")
    refused = page.locator("[data-scans] .is-refused")
    expect(refused).to_have_count(1)
    page.reload()
    expect(refused).to_have_count(1)
    refused.locator("button").tap()
    expect(refused).to_have_count(0)
    assert counted(page) == before + 60
    context.close()
    code = PRESENT.format(slug=hall["slug"], tokens=badges)
    assert json.loads(service.manage("shell", "-v", "0", "-c", code).strip().splitlines()[-1]) == 60


def test_two_tabs_of_one_list_lose_no_scan_and_no_refusal(
    service: Service, chromium: Any, hall: dict[str, Any]
) -> None:
    """Each tab scans without a network, one is closed: the other sends what it left."""
    context = phone(chromium, service.url, "nl")
    one, other = context.new_page(), context.new_page()
    door.sign_in(one, hall["user"])
    badges = hall["quick"][140:144]
    for page in (one, other):
        page.goto(f"/desk/{hall['slug']}/players/")
    one.locator("[name=scan]").fill("99999")
    one.keyboard.press("Enter")
    for page in (one, other):
        expect(page.locator("[data-scans] .is-refused")).to_have_count(1)
    context.set_offline(True)
    for page, mine in ((one, badges[:3]), (other, badges[3:])):
        for badge in mine:
            page.locator("[name=scan]").fill(f"https://hall.example/p/{badge}/")
            page.keyboard.press("Enter")
    expect(other.locator("form[data-scan]")).to_have_attribute("data-waiting", "4")
    one.close(run_before_unload=False)
    context.set_offline(False)
    expect(other.locator("form[data-scan][data-waiting='0']")).to_have_count(1, timeout=40_000)
    other.reload()
    expect(other.locator("[data-scans] .is-refused")).to_have_count(1)
    context.close()
    code = PRESENT.format(slug=hall["slug"], tokens=badges)
    assert json.loads(service.manage("shell", "-v", "0", "-c", code).strip().splitlines()[-1]) == 4


def test_a_scan_after_the_session_is_lost_waits_for_the_sign_in(
    service: Service, chromium: Any, hall: dict[str, Any]
) -> None:
    context = phone(chromium, service.url, "fr")
    page = context.new_page()
    door.sign_in(page, hall["user"])
    page.goto(f"/desk/{hall['slug']}/players/")
    context.clear_cookies(name="sessionid")
    page.locator("[name=scan]").fill("95")
    page.keyboard.press("Enter")
    link = page.locator("[data-say] a")
    expect(link).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("form[data-scan]").get_attribute("data-waiting") == "1"
    door.sign_in(context.new_page(), hall["user"])
    expect(page.locator("form[data-scan][data-waiting='0']")).to_have_count(1, timeout=15_000)
    expect(page.locator("#players tr[data-state=present]").filter(has_text="95")).to_have_count(1)
    expect(page.locator("[data-scans] .is-refused")).to_have_count(0)
    context.close()


def test_the_key_takes_nobody_who_is_only_spelled_nearly_so(
    service: Service, chromium: Any, hall: dict[str, Any]
) -> None:
    context = phone(chromium, service.url, "nl")
    page = context.new_page()
    page.goto(hall["door"])
    page.locator("#q:focus").wait_for()
    first, *_between, last = hall["names"][0].split()
    page.keyboard.type(f"{last}x {first}")
    expect(page.locator("#door-names > li:not([hidden])")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#door-names .is-alone, #door-names [aria-busy]")).to_have_count(0)
    expect(page.locator("#door-names [name=here]:visible")).to_have_count(1)
    page.locator("#door-names [name=here]:visible").tap()
    expect(page.locator("#door-names .is-said")).to_have_count(1)
    page.locator("[name=undo]").tap()
    expect(page.locator("#door-names .is-said")).to_have_count(0)
    context.close()


def test_a_badge_is_one_act_at_the_desk_and_leaves_the_next_to_come(
    service: Service, chromium: Any, hall: dict[str, Any]
) -> None:
    context = phone(chromium, service.url, "fr")
    page = context.new_page()
    door.sign_in(page, hall["user"])
    page.goto(f"/desk/{hall['slug']}/players/")
    before = page.locator("#players tr[data-state=present]").count()
    for badge in hall["badges"][:5]:
        person = door.scan(page, badge)
        assert (person.taps, person.letters) == (1, 0)
        assert person.seconds <= KNOWN
    expect(page.locator("#players tr[data-state=present]")).to_have_count(before + 5)
    assert page.evaluate("document.activeElement.name") == "scan"
    context.close()


def test_everybody_but_these_two_is_pressed_where_they_are_ticked(
    service: Service, chromium: Any, hall: dict[str, Any]
) -> None:
    context = phone(chromium, service.url, "fr")
    page = context.new_page()
    door.sign_in(page, hall["user"])
    page.goto(f"/desk/{hall['slug']}/players/?state=registered")
    absent, button = page.locator("#players [name=but]"), page.locator("#all-but button")
    # The bulk button stays out of view while no box is ticked.
    expect(button).not_to_be_in_viewport()
    for row in (3, 9):
        page.locator("#players summary").nth(row).click()
        absent.nth(row).check()
    expect(button).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


@dataclass
class Share:
    """Entrants checked in by one volunteer, with the entrants who check themselves in at the same time."""

    badges: list[str]
    listed: list[str]
    phones: list[str]
    unknown: list[str]

    @property
    def people(self) -> int:
        return sum(map(len, (self.badges, self.listed, self.phones, self.unknown)))


def shares(hall: dict[str, Any]) -> list[Share]:
    """Return sixty entrants by volunteer, one in ten of them outside the list."""
    badges, names = hall["badges"][5:], hall["names"][100:]
    return [
        Share(
            [badges.pop() for _each in range(SCANNED)],
            [names.pop() for _each in range(LISTED)],
            [names.pop() for _each in range(PHONES)],
            [f"Iemand Anders {volunteer}{n}" for n in range(UNKNOWN)],
        )
        for volunteer in "abc"
    ]


def stand_at_the_door(url: str, hall: dict[str, Any], share: Share) -> list[door.Person]:
    """Run one volunteer's desk and the phones of their entrants in a Chromium of their own.

    Returns the volunteer's actions; the limits for the entrants' own phones are checked here.
    """
    done, own_walks = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        desk = phone(browser, url, "nl").new_page()
        door.sign_in(desk, hall["user"])
        players = f"/desk/{hall['slug']}/players/"
        desk.goto(players)
        for badge, listed in zip(share.badges, share.listed, strict=True):
            done += [door.scan(desk, badge), door.find_in_list(desk, listed)]
        for name in share.phones:
            own = phone(browser, url, "nl")
            own_walks.append(door.check_in_by_name(own.new_page(), hall["door"], name).seconds)
            own.close()
        assert statistics.median(own_walks) <= KNOWN
        for name in share.unknown:
            own = phone(browser, url, "nl")
            guest = door.walk_in(own.new_page(), hall["door"], name, "De Tien")
            own.close()
            done.append(door.confirm(desk, hall["slug"], name))
            assert guest.seconds + done[-1].seconds <= WALK_IN
        browser.close()
    return done


def test_three_volunteers_keep_the_pace_of_544_in_twenty_minutes(
    service: Service, hall: dict[str, Any]
) -> None:
    """Check in sixty entrants at three desks and on their own phones in parallel, timed by the keystroke model."""
    people = shares(hall)
    with ThreadPoolExecutor(VOLUNTEERS) as at_once:
        asked = [at_once.submit(stand_at_the_door, service.url, hall, share) for share in people]
        done = [each.result() for each in asked]
    pace = PLAYERS / (MINUTES * 60)
    for share, persons in zip(people, done, strict=True):
        busy = sum(person.seconds for person in persons)
        assert share.people / busy >= pace / VOLUNTEERS
    # Every entrant who came is present, once.
    names = [name for share in people for name in (*share.phones, *share.listed, *share.unknown)]
    code = HERE.format(slug=hall["slug"], names=names)
    here = json.loads(service.manage("shell", "-v", "0", "-c", code).strip().splitlines()[-1])
    assert sorted(here) == sorted(names)
