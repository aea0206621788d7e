"""The desk as a director reads it, in English."""

from __future__ import annotations

from django.test import Client

from accounts.models import Role
from tests.markup import markup
from tests.tournament.build import make_user
from tournament.models import Event


def director(event: Event) -> Client:
    """Return the signed-in client of a new director of the event."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_user("director", event, Role.DIRECTOR))
    return client


def text_of(client: Client, address: str) -> str:
    """Return an existing page with its white space collapsed."""
    answer = client.get(address, headers={"accept-language": "en"})
    assert answer.status_code == 200, address
    return " ".join(markup(answer).split())
