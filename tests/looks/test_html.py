"""HTML as the W3C checker requires it: unique ids, complete rows, valid times."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Event, Round
from tournament.tables.links import entrant_token, table_token

pytestmark = pytest.mark.django_db
DATETIME = re.compile(r"\d{4}-\d\d(-\d\d([T ]\d\d:\d\d.*)?)?|([01]\d|2[0-3]):[0-5]\d(:\d\d)?")


class Checked(HTMLParser):
    """The faults of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.faults: list[str] = []
        self.tables: list[list[int]] = []
        self.time: str | None = None
        self.feed(page)
        self.close()
        self.faults += [f"id {name} twice" for name, count in self.ids.items() if count > 1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids[str(given["id"])] += 1
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append(0)
        elif tag in ("td", "th") and self.tables:
            self.tables[-1][-1] += int(given.get("colspan") or 1)
        elif tag == "time" and "datetime" not in given:
            self.time = ""

    def handle_data(self, data: str) -> None:
        if self.time is not None:
            self.time += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            rows = self.tables.pop()
            if len(set(rows)) > 1:
                self.faults.append(f"rows of {sorted(set(rows))} cells")
        elif tag == "time" and self.time is not None:
            if not DATETIME.fullmatch(self.time.strip()):
                self.faults.append(f"no time: {self.time.strip()}")
            self.time = None


@pytest.fixture
def event() -> Event:
    """Create an event in its second round, with a cut."""
    made = make_event(16, deals=1, cut=8, slug="hall")
    luck = chance()
    advance(made, luck)
    round_ = draw_and_publish(
        Round.objects.get(stage__event=made, stage__order=1, number=2), SYSTEM
    )
    play_round(round_, luck, share=0.5)
    return made


def test_pages_are_html(event: Event, client: Client) -> None:
    entrant = event.entrants.get(number=1)
    playing = Round.objects.get(stage__event=event, stage__order=1, number=2)
    pages = [
        *(
            reverse(name, args=["hall"])
            for name in ("event-home", "event-standings", "event-players", "event-rulings")
        ),
        *(reverse("event-draw", args=["hall"]) + f"?by={by}" for by in ("table", "name")),
        reverse("event-wall", args=["hall"]),
        reverse("event-player", args=["hall", 1]),
        reverse("personal", args=[entrant_token(entrant)]),
        reverse("player-sign", args=[entrant_token(entrant)]),
        *(reverse("table", args=[table_token(table)]) for table in playing.tables.all()),
    ]
    found = {page: Checked(client.get(page).content.decode()).faults for page in pages}
    assert {page: faults for page, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    ("page", "faults"),
    [
        ('<p id="a"></p><p id="a"></p>', ["id a twice"]),
        ("<table><tr><td></tr><tr><td colspan=2></tr></table>", ["rows of [1, 2] cells"]),
        ("<time>26:10</time><time>22:10</time>", ["no time: 26:10"]),
    ],
)
def test_the_check_sees_faults(page: str, faults: list[str]) -> None:
    assert Checked(page).faults == faults
