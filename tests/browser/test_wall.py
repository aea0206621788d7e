"""The wall screen in Chromium at 1080p: nothing cut off, every panel in turn, never blank."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.browser.conftest import Service, running
from tests.programs import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.long]

SPONSORS = [
    "Brouwerij De Drie Boeren",
    "Bakkerij Vandewalle",
    "Garage Peeters & Zonen",
    "KBC Oostende",
    "Drukkerij Van Damme",
    "Slagerij De Clercq",
    "Café De Vrije Kaart",
    "Maes-Vandenbroucke",
]
EVENT = f"""
import json
from adjudication.services import rulings
from tests.adjudication.build import REFEREE, incident_at, stating
from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.test_stages import publish_next
from tournament.demo.simulation import advance
from tournament.services.entrant_edits import correct_entrant
from tournament.services.events import update_event
event = make_event(64, deals=1, cut=16, slug="hall", name="Beker van de Leie " * 8, rulebook="parlee")
update_event(event_id=event.pk, actor=SYSTEM, changes={{"sponsors": {chr(10).join(SPONSORS)!r}}})
for number in range(1, 65, 5):
    correct_entrant(
        entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM,
        changes={{"name": "Geneviève Vandenbroucke"}},
    )
advance(event, chance())
part = publish_next(event).round
for table in (1, 2, 3):
    stating(rulings.issue,
        incident_id=incident_at(event, part, table=table).pk, article="000-P1", actor=REFEREE,
        facts={{"offender": "N", "trick": 3, "noticed": "after_deal"}},
        reason="Hearts were in hand and shown two tricks later. " * 12,
    )
print(json.dumps(str(part.pk)))
"""
CHANGE = """
from tests.tournament.build import SYSTEM
from tournament.models import Event
from tournament.services.events import update_event
update_event(event_id=Event.objects.get().pk, actor=SYSTEM, changes={"sponsors": "Nieuwe Sponsor"})
"""
SHOW = """name => {
  for (const panel of document.querySelectorAll("[data-panel]")) {
    panel.dataset.seconds = "3600";
    panel.toggleAttribute("data-shown", panel.dataset.panel === name);
  }
}"""
CUT_OFF = """() => {
  const shown = document.querySelector("[data-panel][data-shown]");
  const over = (part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
  const parts = [document.querySelector("main"), ...shown.querySelectorAll(".ruling, .ruling__foot, .wall__columns, .who > span, .who:not(:has(> span))")];
  return parts.filter(over).map((part) => part.outerHTML.slice(0, 200));
}"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Run an installation with a configured address and an event with a published draw."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUBLIC_URL", "https://manille.example")
        with running(tmp_path_factory.mktemp("wall")) as started:
            json.loads(started.manage("shell", "-c", EVENT).strip().splitlines()[-1])
            yield started


@contextmanager
def screen(service: Service, chromium: Any, *, clock: bool = False) -> Iterator[Any]:
    """Open the wall on a 1080p screen; with ``clock`` the test can advance its time."""
    context = chromium.new_context(viewport={"width": 1920, "height": 1080}, locale="nl")
    context.set_default_timeout(20_000)
    page = context.new_page()
    if clock:
        page.clock.install()
    page.goto(f"{service.url}/e/hall/wall/")
    page.wait_for_selector("[data-panel][data-shown]")
    yield page
    context.close()


def names(page: Any) -> list[str]:
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('[data-panel]')].map(p => p.dataset.panel)"
    )
    return found


def test_nothing_is_cut_off(service: Service, chromium: Any) -> None:
    with screen(service, chromium) as page:
        panels = names(page)
        assert {panel.partition("-")[0] for panel in panels} == {"draw", "standings", "rulings"}
        for name in panels:
            page.evaluate(SHOW, name)
            assert page.evaluate(CUT_OFF) == [], name
            assert page.evaluate("document.documentElement.scrollWidth") <= 1920
        code = page.locator(".wall__follow svg").bounding_box()
        # Readable by a phone a few steps away: a module is about 4 points, 4 mm on a screen 2 m wide.
        assert min(code["width"], code["height"]) >= 145
        assert page.locator(".wall__name").bounding_box()["height"] < 80


@pytest.mark.guide("players#clubs-calendar-wall")
def test_every_player_and_every_ruling_has_its_turn(service: Service, chromium: Any) -> None:
    with screen(service, chromium) as page:
        assert page.locator("[data-panel^=standings] li").count() == 64
        assert page.locator("[data-panel^=draw] li").count() == 16
        assert page.locator("[data-panel^=rulings] .ruling").count() == 3
        seen = {page.get_attribute("[data-panel][data-shown]", "data-panel")}
        for _panel in names(page):
            before = page.get_attribute("[data-panel][data-shown]", "data-panel")
            page.evaluate(
                "for (const p of document.querySelectorAll('[data-panel]'))"
                " p.dataset.seconds = p.hasAttribute('data-shown') ? '0' : '3600'"
            )
            page.wait_for_function(
                "b => document.querySelector('[data-panel][data-shown]').dataset.panel !== b",
                arg=before,
            )
            seen.add(page.get_attribute("[data-panel][data-shown]", "data-panel"))
        assert seen == set(names(page))


def test_every_sponsor_is_wholly_seen_in_turn(service: Service, chromium: Any) -> None:
    whole = """() => {
      const strip = document.querySelector(".wall__sponsors").getBoundingClientRect();
      return [...document.querySelectorAll(".wall__sponsors > li")].filter((item) => {
        const box = item.getBoundingClientRect();
        return box.left >= strip.left - 1 && box.right <= strip.right + 1;
      }).map((item) => item.textContent.trim());
    }"""
    with screen(service, chromium) as page:
        seen: set[str] = set()
        page.evaluate(
            "for (const p of document.querySelectorAll('[data-panel]')) p.dataset.seconds = '0'"
        )
        for _turn in SPONSORS:
            seen |= set(page.evaluate(whole))
            at = page.evaluate("document.querySelector('.wall__sponsors').scrollLeft")
            page.wait_for_function(
                "at => document.querySelector('.wall__sponsors').scrollLeft !== at", arg=at
            )
        assert seen == set(SPONSORS)


@pytest.mark.guide("players#clubs-calendar-wall")
def test_a_lost_network_never_costs_the_picture(service: Service, chromium: Any) -> None:
    """After a long silence the page is requested, and replaced only when a new one is complete."""
    with screen(service, chromium, clock=True) as page:
        page.wait_for_function("document.querySelector('[data-live-on]') !== null")
        page.evaluate("window.stayed = true")
        page.context.set_offline(True)
        page.clock.fast_forward("20:00")
        page.wait_for_selector("[data-live-status]:visible")
        assert page.evaluate("window.stayed") is True
        page.context.set_offline(False)
        page.clock.fast_forward("02:00")
        page.wait_for_selector("[data-live-status]", state="hidden")
        assert page.evaluate("window.stayed") is True
        # Other sponsors: the page reloads, but not while one of its files cannot be fetched. Requests of its parts
        # are blocked meanwhile, since an answer to one of them would end the long silence.
        page.route(re.compile(r"part=|/version/"), lambda route: route.abort())
        service.manage("shell", "-c", CHANGE)
        asks = "fetch(location.href, { cache: 'no-store' }).then((answer) => answer.text())"
        wait_for("the page made anew", lambda: "Nieuwe Sponsor" in page.evaluate(asks))
        page.route("**/js/clock*.js", lambda route: route.abort())
        with page.expect_request("**/js/clock*.js"):
            page.clock.fast_forward("20:00")
        assert page.evaluate("window.stayed") is True
        page.unroute("**/js/clock*.js")
        with page.expect_navigation():
            page.clock.fast_forward("20:00")
        assert page.inner_text(".wall__sponsors") == "Nieuwe Sponsor"
