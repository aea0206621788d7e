"""The door of a large event on phones: the actions of an entrant, counted, and the time they take.

Times follow the keystroke-level model, as in ``benchmarks/table.py``; a letter on a phone takes 0.33 s (Palin, Feit,
Kim, Kristensson and Oulasvirta, "How do people type on mobile devices?", MobileHCI 2019: 36.2 words a minute). The time
counts from the moment the page is shown. The machine's work while an entrant types costs no time; waits for it are
measured and added.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect

from benchmarks.table import MIND, POINT, PRESS

LETTER = 0.33
PASSWORD = "kaarten-op-tafel-9"
FEW = 4
"""Number of names under a field that can be read at a glance."""
KEYBOARD = 270
"""Pixels at the foot of the screen that a phone's keyboard covers."""
LEFT = "document.querySelectorAll('#door-names > li:not([hidden])').length"
PREPARE = """
import json
from datetime import date
from ledger.actors import Actor
from tests.tournament.build import make_user
from tournament.demo import story
from tournament.services.imports import import_players
from tournament.services.events import create_event, update_event
from tournament.tables.links import entrant_token
from tournament.views.registering import door_token
by = Actor.system("test")
event = create_event(actor=by, name="Kampioenschap {players}", day=date(2026, 11, 21), language="nl")
rows = [f"{{n}};{{name}};{{club}}" for n, (name, club) in enumerate(story.names({players}, "door"), 1)]
text = chr(10).join(["Nr;Naam;Club", *rows, ""])
import_players(event_id=event.pk, content=text.encode(), actor=by)
update_event(event_id=event.pk, actor=by, changes={{"registration": True}})
user = make_user("volunteer-{players}", event, "director", password="{password}")
everybody = list(event.entrants.select_related("event"))
print(json.dumps({{
    "slug": event.slug,
    "user": user.username,
    "door": f"/register/{{event.slug}}/{{door_token(event)}}/",
    "names": [row.split(";")[1] for row in rows],
    "badges": [entrant_token(each) for each in event.entrants.select_related("event")[:20]],
    "quick": [entrant_token(each) for each in everybody[60:80] + everybody[200:290] + everybody[400:440]],
}}))
"""
"""Code run inside an installation: expected players, open registration, a volunteer at the desk."""


def prepare(players: int) -> str:
    """Return the code that opens such an event."""
    return PREPARE.format(players=players, password=PASSWORD)


@dataclass
class Person:
    """A person with a phone, with counts of their taps, swipes, typed letters and decisions."""

    page: Any
    taps: int = 0
    swipes: int = 0
    letters: int = 0
    minds: int = 0
    waited: float = 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Measure the seconds spent waiting for the page."""
        begin = time.perf_counter()
        yield
        self.waited += time.perf_counter() - begin

    def tap(self, selector: str, *, mind: bool = True) -> None:
        """Tap the element after a decision; swipe first where it is not completely on the screen."""
        target = self.page.locator(selector).first
        box, screen = target.bounding_box(), self.page.viewport_size
        self.swipes += box["y"] < 0 or box["y"] + box["height"] > screen["height"]
        self.taps += 1
        self.minds += mind
        target.tap()

    def type(self, text: str) -> None:
        """Type into the focused field."""
        self.letters += len(text)
        self.page.keyboard.type(text)

    @property
    def seconds(self) -> float:
        """Return the total time that the person needs, in seconds."""
        touched = (self.taps + self.swipes) * (POINT + PRESS)
        return touched + self.letters * LETTER + self.minds * MIND


def sign_in(page: Any, user: str) -> None:
    """Sign in as a volunteer at the desk."""
    page.goto("/login/")
    page.fill("[name=username]", user)
    page.fill("[name=password]", PASSWORD)
    with page.expect_navigation():
        page.click("main button[type=submit] >> nth=0")


def letters_of(name: str) -> str:
    """Return the letters typed to find a name in a list: the start of the surname, then the first name."""
    first, *_between, last = name.lower().split()
    return f"{last[:3]} {first}"


def check_in_by_name(page: Any, door: str, name: str, *, keyboard: bool = True) -> Person:
    """Scan the door's code, type a name until only one entry is left, and press the keyboard's key.

    keyboard: the phone raises its keyboard for the focused field; many phones need a tap first. No space is typed, as
    in the example on the page.
    """
    person = Person(page)
    with person.waiting():
        page.goto(door)
        page.locator("#q:focus" if keyboard else "#q").wait_for()
    if keyboard:
        person.minds += 1  # to type, as they would have to tap
    else:
        person.tap("#q")
    for letter in letters_of(name).replace(" ", ""):
        person.type(letter)
        if page.evaluate(LEFT) == 1:
            break
    own = page.locator(f'#door-names > li:not([hidden]):has-text("{name}")')
    box, screen = own.bounding_box(), page.viewport_size
    assert box["y"] + box["height"] <= screen["height"] - KEYBOARD
    if page.evaluate(LEFT) == 1:
        person.letters += 1
        person.minds += 1
        page.keyboard.press("Enter")
    else:
        person.tap(f'#door-names > li:not([hidden]) button:has-text("{name}")')
    with person.waiting():
        page.locator("#door-names .is-said").wait_for()
    return person


def check_in_by_own_phone(page: Any, door: str) -> Person:
    """Scan the code of the door with a phone that has stored its owner."""
    person = Person(page)
    with person.waiting():
        page.goto(door)
    person.tap("#door-names .is-me button")
    with person.waiting():
        page.locator("#door-names .is-said").wait_for()
    return person


def walk_in(page: Any, door: str, name: str, club: str) -> Person:
    """Register at the door under a name outside the list."""
    person = Person(page)
    with person.waiting():
        page.goto(door)
    person.tap("[name=name]")
    person.type(name)
    person.tap("[name=club]", mind=False)
    person.type(club)
    with person.waiting(), page.expect_navigation():
        person.tap("main form:has([name=name]) button[type=submit]")
    return person


def confirm(page: Any, slug: str, name: str) -> Person:
    """Let a waiting entrant in from the list of registrations, as a volunteer."""
    person = Person(page)
    with person.waiting():
        page.goto(f"/desk/{slug}/players/registrations/")
    person.taps += 1  # the page is there already: it is loaded again
    with person.waiting(), page.expect_navigation():
        person.tap(f'li:has-text("{name}") [name=verb][value=here]')
    return person


def find_in_list(page: Any, name: str) -> Person:
    """Find an entrant by typing their name and press *Mark present* in their row, as a volunteer."""
    person = Person(page)
    page.locator("#q").fill("")
    person.tap("#q")
    for letter in letters_of(name):
        person.type(letter)
        if page.locator("#players tbody tr:visible").count() <= FEW:
            break
    row = f'#players tbody tr:visible:has-text("{name}")'
    person.tap(f"{row} [value=check_in]")
    with person.waiting():
        page.locator(f"{row}[data-state=present]").wait_for()
    return person


def scan(page: Any, badge: str) -> Person:
    """Scan a badge on the list of players, as a volunteer; the scanner types and sends it."""
    person = Person(page, taps=1, minds=1)
    page.locator("[name=scan]").fill(f"https://hall.example/p/{badge}/")
    with person.waiting():
        page.keyboard.press("Enter")
        expect(page.locator("form[data-scan][data-waiting='0']")).to_have_count(1)
    return person
