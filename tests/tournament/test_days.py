"""The day of an event is a valid day, however it is typed."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.test import Client

from ledger.errors import Refused
from tests.tournament.build import SYSTEM, grant, make_event, make_user
from tournament.models import Event
from tournament.services import archive

pytestmark = pytest.mark.django_db
WRONG = ("0001-01-01", "1999-12-31", "2100-01-01", "9999-12-31")


@pytest.fixture
def event() -> Event:
    return make_event(0)


@pytest.fixture
def administrator(client: Client) -> Client:
    user = make_user("admin")
    grant(user, "admin")
    client.force_login(user)
    return client


@pytest.mark.parametrize("day", WRONG)
def test_no_page_takes_a_day_that_no_event_is_on(
    administrator: Client, event: Event, day: str
) -> None:
    for page, sent in (
        (f"/desk/{event.slug}/settings/", {"day": day}),
        (f"/desk/{event.slug}/settings/", {"registration_until": f"{day}T20:00"}),
        (f"/desk/{event.slug}/copy/", {"day": day}),
        ("/desk/new/?kind=club&players=16", {"day": day, "name": "Evening", "bell_rule": "finish"}),
    ):
        answer = administrator.post(page, proposed(administrator, page) | sent)
        form = answer.context["form"]
        assert list(form.errors) == list(sent)[:1], page
        assert "Enter a day from 2000 to 2099." in answer.content.decode(), page
    assert list(Event.objects.values_list("day", "registration_until")) == [(event.day, None)]


def proposed(client: Client, page: str) -> dict[str, object]:
    """Return the proposed fields of a page's form."""
    form = client.get(page).context["form"]
    values = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    return {name: value for name, value in values.items() if value is not None}


@pytest.mark.parametrize("day", WRONG)
def test_no_program_opens_an_event_on_such_a_day(
    administrator: Client, event: Event, day: str
) -> None:
    api = "/api/v1/events/"
    asks: list[tuple[str, str, dict[str, Any]]] = [
        ("post", api, {"name": "Evening", "day": day}),
        ("post", f"{api}{event.slug}/copy/", {"name": "Again", "day": day}),
        ("patch", f"{api}{event.slug}/settings/", {"day": day}),
    ]
    if day != WRONG[0]:
        ask = {"registration_until": f"{day}T12:00:00Z"}
        asks.append(("patch", f"{api}{event.slug}/settings/", ask))
    for verb, address, body in asks:
        answer = getattr(administrator, verb)(address, body, content_type="application/json")
        assert answer.status_code == 400, address
        assert answer.json()["field"] == sorted(set(body) - {"name"})[0], address
    assert Event.objects.count() == 1


@pytest.mark.parametrize("day", WRONG)
def test_no_archive_brings_such_a_day(event: Event, day: str) -> None:
    content = json.loads(gzip.decompress(archive.pack(event.pk)))["content"]
    content["event"]["day"] = day
    file = gzip.compress(json.dumps(archive.sealed(content)).encode())
    with pytest.raises(Refused, match="Enter a day from 2000 to 2099"):
        archive.take_up(file=file, actor=SYSTEM, copy=True)
