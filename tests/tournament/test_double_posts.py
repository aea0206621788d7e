"""A form that is sent twice has its effect once: the token of its page and its fields are its key."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from ledger.models import IdempotencyKey
from tests.tournament.build import SYSTEM, grant, make_event, make_user
from tests.tournament.test_days import proposed
from tournament.models import Entrant, Event, Member, Registration, Stage
from tournament.services.events import update_event

pytestmark = pytest.mark.django_db


def send(client: Client, path: str, sent: dict[str, Any], times: int = 2) -> list[Any]:
    """Send the form of one page so many times; return the answers."""
    client.get(path)
    token = {"csrfmiddlewaretoken": str(client.get(path).context["csrf_token"])}
    return [client.post(path, {**token, **sent}) for _each in range(times)]


@pytest.fixture
def desk(client: Client) -> Client:
    event = make_event(0, slug="twice")
    update_event(event_id=event.pk, changes={"registration": True}, actor=SYSTEM)
    user = make_user("director", event, "director")
    grant(user, "admin")
    client.force_login(user)
    return client


def test_two_posts_open_one_event(desk: Client) -> None:
    path = "/desk/new/?kind=club&players=16"
    filled = proposed(desk, path) | {"day": "2026-11-27", "name": "Friday", "bell_rule": "finish"}
    answers = send(desk, path, filled)
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert Event.objects.filter(name="Friday").count() == 1
    # The form of a page that was opened again is another one.
    send(desk, path, filled, times=1)
    assert Event.objects.filter(name="Friday").count() == 2


@pytest.mark.parametrize(
    ("path", "sent", "model"),
    [
        ("/desk/twice/players/", {"name": "Jan Maes"}, Entrant),
        ("/desk/members/", {"verb": "add", "name": "Jan Maes"}, Member),
        ("/register/twice/", {"name": "Jan Maes"}, Registration),
    ],
)
def test_two_posts_make_one_row(desk: Client, path: str, sent: dict[str, str], model: Any) -> None:
    before = model.objects.count()
    send(desk, path, sent)
    assert model.objects.count() == before + 1


@pytest.mark.parametrize("path", ["/desk/twice/players/", "/register/twice/"])
def test_a_second_post_leads_to_what_the_first_made(desk: Client, path: str) -> None:
    """A namesake is asked about only where the form itself did not enter them."""
    first, second = send(desk, path, {"name": "Jan Maes"})
    assert (first.status_code, second.status_code) == (302, 302)
    assert first.headers["Location"] == second.headers["Location"]
    (asked,) = send(desk, path, {"name": "Jan Maes"}, times=1)
    assert asked.status_code == (302 if "register" in path else 200)


def test_two_posts_copy_an_event_and_add_a_stage_once(desk: Client) -> None:
    path = "/desk/twice/copy/"
    filled = proposed(desk, path)
    events = Event.objects.count()
    send(desk, path, filled)
    assert Event.objects.count() == events + 1
    stages = Stage.objects.filter(event__slug="twice").count()
    path = "/desk/twice/stages/new/"
    filled = proposed(desk, path)
    send(desk, path, {**filled, "name": "Second day"})
    assert Stage.objects.filter(event__slug="twice").count() == stages + 1


def test_a_refused_form_is_not_remembered(desk: Client) -> None:
    answers = send(desk, "/register/twice/", {"name": "12345"})
    assert [answer.status_code for answer in answers] == [422, 422]
    assert not IdempotencyKey.objects.exists()
