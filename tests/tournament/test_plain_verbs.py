"""A plain button reaches its verb at one address, whatever the verb acts on."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Role
from tests.tournament.build import SYSTEM, make_event, make_user
from tournament.demo.simulation import draw_and_publish
from tournament.models import Event, Round
from tournament.services import clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def ticking() -> tuple[Event, Round]:
    """Create an event whose first round is in play."""
    event = make_event(8)
    round_ = draw_and_publish(event.stages.get(order=1).rounds.get(number=1), SYSTEM)
    return event, clock.start_round(round_id=round_.pk, actor=SYSTEM)


def test_it_is_done_and_told_on_the_page_that_asked(
    client: Client, ticking: tuple[Event, Round]
) -> None:
    event, round_ = ticking
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = f"/desk/{event.slug}/rounds/"
    where = f"/desk/{event.slug}/do/rounds_pause/{round_.pk}/"
    answer = client.post(where, headers={"referer": f"http://testserver{page}"})
    assert answer["Location"] == page
    round_.refresh_from_db()
    assert round_.paused_left is not None
    assert "The clock is paused." in client.get(page).content.decode()
    assert client.get(where).status_code == 405


def test_it_is_refused_without_its_capability_and_outside_its_event(
    client: Client, ticking: tuple[Event, Round]
) -> None:
    event, round_ = ticking
    other = make_event(4, name="Other")
    client.force_login(make_user("referee", event, Role.REFEREE))
    assert client.post(f"/desk/{event.slug}/do/rounds_pause/{round_.pk}/").status_code == 403
    client.force_login(make_user("elsewhere", other, Role.DIRECTOR))
    for verb, key in (
        ("rounds_pause", round_.pk),
        ("rounds_pause", "nothing"),
        ("rounds_dance", round_.pk),
        ("incidents_rule", round_.pk),
        ("members_add", round_.pk),
    ):
        answer = client.post(f"/desk/{other.slug}/do/{verb}/{key}/")
        assert answer.status_code == 404, (verb, key)
    client.logout()
    assert client.post(f"/desk/{event.slug}/do/rounds_pause/{round_.pk}/").status_code == 302
    round_.refresh_from_db()
    assert round_.paused_left is None
