"""A program reads the reason of its refusal in the requested language: refusals of every kind."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.limits import CALLS_BY_TABLE
from accounts.models import Role
from tests.catalogs import PLACEHOLDER, TRANSLATED, catalog
from tests.security.hall import Hall, an_event_in_play, with_staff

pytestmark = pytest.mark.django_db
EVENT = "/api/v1/events/{slug}/"
JSON = "application/json"
DEEP = "[" * 80 + "]" * 80

ASKED: list[tuple[str, str, Any, str, int, str]] = [
    # caller, method and address, body, content type, status, the refusal in English
    (Role.READER, f"PATCH {EVENT}settings/", {}, JSON, 403, "Your role does not allow this."),
    ("", f"PATCH {EVENT}settings/", {}, JSON, 401, "Sign in, or send a token."),
    ("Bearer nothing", f"GET {EVENT}stages/", None, "", 401, "This token is no longer valid."),
    (
        "Table nothing",
        "GET /api/v1/table/sheets/",
        None,
        "",
        401,
        "This link no longer works. Ask the director for this round’s table slip.",
    ),
    ("Table", "POST /api/v1/table/pen/", {}, JSON, 401, "X-Device must be a UUID."),
    ("", "GET /api/v1/events/never/", None, "", 404, "Nothing was found at this address."),
    (Role.REFEREE, f"GET {EVENT}rulings/99/", None, "", 404, "No such ruling in this event."),
    (
        "",
        f"GET {EVENT}players/?page=0",
        None,
        "",
        400,
        "%(name)s must be a whole number from 1 to %(most)d.",
    ),
    (Role.DIRECTOR, f"PATCH {EVENT}settings/", {}, JSON, 400, "Give at least one field."),
    (
        Role.DIRECTOR,
        f"POST {EVENT}bans/",
        {"one": 1, "two": 1},
        JSON,
        400,
        "Name two different players.",
    ),
    (Role.DIRECTOR, f"POST {EVENT}bans/", {"one": "x"}, JSON, 400, "The request is not valid."),
    (Role.DIRECTOR, f"POST {EVENT}bans/", "{one", JSON, 400, "This is not valid JSON."),
    (Role.DIRECTOR, f"POST {EVENT}bans/", DEEP, JSON, 400, "The JSON is nested too deeply."),
    (
        Role.DIRECTOR,
        f"POST {EVENT}bans/",
        "one=1",
        "text/csv",
        415,
        "The API does not read this type of content.",
    ),
    ("", f"GET {EVENT}?as=text/csv", None, "", 406, "The API answers in JSON only."),
    (
        Role.DIRECTOR,
        f"DELETE {EVENT}stages/1/",
        None,
        "",
        409,
        "Rounds that are drawn or played cannot be removed.",
    ),
    (
        Role.DIRECTOR,
        f"DELETE {EVENT}settings/",
        None,
        "",
        409,
        "This event has official records and cannot be deleted. Hide it instead.",
    ),
    (
        "Table and device",
        "POST /api/v1/table/calls/",
        {"reason": "again"},
        JSON,
        429,
        "Too many attempts: wait a few minutes, then try again.",
    ),
    (
        "",
        "POST /api/v1/rules/score/",
        {"rulebook": "bridge"},
        JSON,
        400,
        "{rulebook} is not a rulebook; known: {allowed}",
    ),
]


@pytest.fixture(scope="module")
def hall(django_db_setup: Any, django_db_blocker: Any) -> Iterator[Hall]:
    """Create one event for all tests, rolled back at their end."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield with_staff(an_event_in_play("Spoken"))
        transaction.set_rollback(True)


def ask(hall: Hall, who: str, where: str, sent: Any, kind: str, language: str) -> Any:
    """Return the answer to a request in one language."""
    headers = {"accept-language": language}
    verb, path = where.format(slug=hall.event.slug).split(" ")
    path, _asks, accepts = path.partition("?as=")
    if accepts:
        headers["accept"] = accepts
    if who.startswith("Table"):
        secret = "nothing" if who.endswith("nothing") else hall.table_token
        headers["authorization"] = f"Table {secret}"
        headers["x-device"] = str(uuid.uuid4()) if who.endswith("device") else "mine"
    elif who.startswith("Bearer"):
        headers["authorization"] = who
    client = Client(headers=headers)
    if who in hall.staff:
        client.force_login(hall.staff[who])
    body = json.dumps(sent) if isinstance(sent, dict) else sent or ""
    return client.generic(verb, path, body, content_type=kind or JSON)


def worded(form: str) -> re.Pattern[str]:
    """Return a pattern that matches a text of the catalogue with any values."""
    return re.compile(".+".join(map(re.escape, PLACEHOLDER.split(form))))


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: f"{asked[4]} {asked[5][:40]}")
def test_a_refusal_is_read_in_the_language_of_the_reader(
    hall: Hall, asked: tuple[str, str, Any, str, int, str]
) -> None:
    who, where, sent, kind, status, english = asked
    if status == 429:
        for _again in range(CALLS_BY_TABLE.most):
            CALLS_BY_TABLE.check(str(hall.sheet.table_id))
    said = {}
    for language in ("en", *TRANSLATED):
        answer = ask(hall, who, where, sent, kind, language)
        assert answer.status_code == status, answer.content
        assert answer["Content-Type"] == "application/problem+json"
        said[language] = answer.json()["detail"]
    assert worded(english).fullmatch(said["en"]), said["en"]
    for language in TRANSLATED:
        entry = next(each for each in catalog(language) if each.text == (None, english))
        assert said[language] != said["en"]
        assert any(worded(form).fullmatch(said[language]) for form in entry.forms.values()), said


def test_refusals_of_every_kind_are_asked_for() -> None:
    assert {status for _who, _where, _sent, _kind, status, _text in ASKED} == {
        *(400, 401, 403, 404, 406, 409, 415, 429)
    }
