"""Search engines find the events and how to register, and no list of names."""

from __future__ import annotations

import re
import urllib.robotparser
from fnmatch import fnmatch

import pytest
from django.test import Client

from tests.tournament.build import chance, make_event
from tournament.demo.simulation import advance
from tournament.models import Event

pytestmark = pytest.mark.django_db
NAMING = (
    "",
    "standings/",
    "standings/1/",
    "standings/overall/",
    "draw/",
    "players/",
    "players/1/",
    "rulings/",
    "wall/",
)


@pytest.fixture
def event() -> Event:
    made = make_event(8, deals=1)
    advance(made, chance())
    return made


@pytest.mark.guide("security#security")
def test_pages_with_names_are_kept_by_no_search_engine(client: Client, event: Event) -> None:
    places = [f"/e/{event.slug}/{page}" for page in NAMING]
    places += [f"/api/v1/events/{event.slug}/{page}/" for page in ("players", "standings")]
    places += ["/p/abcdefghijklmnopqrst/", "/t/abcdefghijklmnopqrst/", "/login/", "/nothing/"]
    for place in places:
        assert client.get(place)["X-Robots-Tag"] == "noindex", place


@pytest.mark.guide("security#security")
def test_events_and_guides_are_found(client: Client, event: Event) -> None:
    for place in ("/", "/help/", "/rules/", "/api/v1/", f"/register/{event.slug}/"):
        assert "X-Robots-Tag" not in client.get(place), place
    # A query string may return names.
    assert client.get(f"/register/{event.slug}/?q=jan")["X-Robots-Tag"] == "noindex"


@pytest.mark.guide("security#security")
def test_robots_are_asked_to_leave_work_and_questions_alone(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    rules = urllib.robotparser.RobotFileParser()
    rules.parse(answer.content.decode().splitlines())
    for place in ("/desk/", "/system/", "/api/v1/events/any/players/"):
        assert not rules.can_fetch("any", place), place
    # Queries and streams are named by patterns (RFC 9309), which urllib's parser does not support.
    told = re.findall(r"^Disallow: (\S+)$", answer.content.decode(), re.MULTILINE)
    for place in ("/e/any/players/?q=jan", "/e/any/live/", "/e/any/version/", "/e/any/wall/"):
        assert any(fnmatch(place, f"{rule.replace('?', '[?]')}*") for rule in told), place
    # A page with "noindex" must be readable, or robots never see that word.
    for place in ("/", "/help/", "/e/any/standings/", "/register/any/"):
        assert rules.can_fetch("any", place), place
