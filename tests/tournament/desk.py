"""The desk as a director reads it, in English."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
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


def agree(client: Client, address: str, fields: dict[str, Any]) -> HttpResponse:
    """Post a form; where a page asks what falls with it, post that page's form too."""
    asked = client.post(address, fields)
    context = getattr(asked, "context", None)
    if context is None or "sent" not in context or "seen_at" not in context["sent"]:
        return asked
    reason = {"reason": context["given"]} if context["reason"] else {}
    return client.post(context["to"], {**context["sent"], **reason})
