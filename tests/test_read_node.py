"""A read-only node serves only the public pages, up to date, and writes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance
from tournament.models import Event, RenderedStandings, Standings
from tournament.queries.standings import fresh
from tournament.services.events import update_event

pytestmark = pytest.mark.django_db
PAGES = ("", "standings/", "draw/", "players/", "players/1/", "wall/", "version/", "calendar.ics")


@pytest.fixture
def event() -> Event:
    made = make_event(8, deals=1)
    advance(made, chance())
    return made


def test_the_pages_of_a_reading_node_are_those_of_the_others(
    client: Client, event: Event, settings: Any
) -> None:
    Standings.objects.all().delete()
    settings.READ_ONLY_NODE = True
    shown = {page: client.get(f"/e/{event.slug}/{page}") for page in PAGES}
    # The computed standings were not stored.
    assert not Standings.objects.exists()
    assert not RenderedStandings.objects.exists()
    settings.READ_ONLY_NODE = False
    for page, answer in shown.items():
        assert answer.status_code == 200, page
        assert answer.content == client.get(f"/e/{event.slug}/{page}").content, page
    assert Standings.objects.exists()


def test_standings_kept_by_another_node_are_read_as_they_are_while_nothing_happened(
    event: Event, settings: Any
) -> None:
    stage = event.stages.get(order=1)
    kept = fresh(stage)
    settings.READ_ONLY_NODE = True
    assert fresh(stage).computed_at == kept.computed_at
    update_event(event_id=event.pk, actor=SYSTEM, changes={"place": "Gent"})
    assert fresh(stage).computed_at > kept.computed_at


@pytest.mark.guide("operator#more-processes-and-a-node-for-the-public")
@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("get", "/"),
        ("get", "/login/"),
        ("get", "/desk/"),
        ("get", "/system/"),
        ("get", "/api/v1/events/"),
        ("post", "/e/any/"),
        ("post", "/t/abcdefghijklmnopqrst/send/"),
        ("delete", "/e/any/standings/"),
    ],
)
def test_everything_else_is_refused_in_words(
    client: Client, settings: Any, verb: str, path: str
) -> None:
    settings.READ_ONLY_NODE = True
    answer = getattr(client, verb)(path)
    assert answer.status_code == 421
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told["code"] == "read_only_node"
    assert "main address" in told["detail"]


def test_health_is_told(client: Client, settings: Any) -> None:
    settings.READ_ONLY_NODE = True
    assert client.get("/health/live/").status_code == 200
    assert client.get("/health/ready/").status_code == 200
