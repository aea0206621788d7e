"""Form of a refusal: a page or problem+json, in the reader's language."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import SuspiciousOperation
from django.db import OperationalError
from django.test import Client

from accounts.models import Role
from ledger.errors import Conflict, NotAllowed, NotHere, Refused, TooMany
from tests.tournament.build import grant, make_event, make_user

pytestmark = pytest.mark.django_db


def raising(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Client:
    """Return a client of a service whose health page raises."""

    def fails(*_args: object) -> str:
        raise error

    monkeypatch.setattr("operations.health.database_state", fails)
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotHere("x", "There is no such table."), 404),
        (NotAllowed("x", "Ask the chief referee."), 403),
        (TooMany("x", "Wait a little."), 429),
        (Conflict("x", "Somebody was before you."), 409),
        (Refused("x", "Give a reason."), 400),
        (SuspiciousOperation("x"), 400),
    ],
)
def test_a_refusal_is_a_page_or_a_problem(
    monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    client = raising(monkeypatch, error)
    page = client.get("/health/ready/")
    assert (page.status_code, page["Content-Type"]) == (status, "text/html; charset=utf-8")
    if isinstance(error, Refused) and status not in (404,):
        assert str(error) in page.content.decode()
    problem = client.get("/health/ready/", headers={"Accept": "application/json"})
    assert (problem.status_code, problem["Content-Type"]) == (status, "application/problem+json")
    assert {"type", "title", "status", "code", "detail", "field"} <= set(problem.json())


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.parametrize("language", ["en", "fr", "nl"])
@pytest.mark.parametrize(
    ("error", "status"), [(ZeroDivisionError(), 500), (OperationalError(), 503)]
)
def test_a_fault_names_its_request_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, settings: Any, error: Exception, status: int, language: str
) -> None:
    settings.TRUST_PROXY = True
    client = raising(monkeypatch, error)
    told = {"Accept-Language": language, "X-Request-ID": "seen-by-the-proxy-7"}
    page = client.get("/health/ready/", headers=told)
    text = page.content.decode()
    assert page.status_code == status
    assert f'lang="{language}"' in text
    assert "seen-by-the-proxy-7" in text
    assert "ZeroDivision" not in text
    assert "Traceback" not in text
    problem = client.get("/health/ready/", headers={**told, "Accept": "application/json"}).json()
    assert (problem["status"], problem["request_id"]) == (status, "seen-by-the-proxy-7")


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_an_unknown_address_is_said_in_the_language_of_the_reader(language: str) -> None:
    client = Client(headers={"Accept-Language": language})
    page = client.get("/nothing-here/")
    assert page.status_code == 404
    assert f'lang="{language}"' in page.content.decode()
    problem = client.get("/api/v1/nothing-here/")
    assert (problem.status_code, problem["Content-Type"]) == (404, "application/problem+json")
    english = "Nothing was found at this address."
    assert (problem.json()["detail"] == english) is (language == "en")


def test_a_role_that_does_not_allow_it_is_said_to_people_and_programs(client: Client) -> None:
    event = make_event(4)
    client.force_login(make_user("anna", event, Role.READER))
    page = client.get(f"/desk/{event.slug}/staff/")
    assert (page.status_code, page["Content-Type"]) == (403, "text/html; charset=utf-8")
    problem = client.get(f"/api/v1/events/{event.slug}/bans/")
    assert (problem.status_code, problem.json()["code"]) == (403, "permission_denied")


@pytest.mark.parametrize(
    ("where", "sent"),
    [
        ("/desk/{slug}/staff/", {"verb": "give", "name": "Zebedeus", "role": "referee"}),
        ("/desk/new/", {"name": "Zebedeus", "day": "never"}),
        ("/login/", {"username": "Zebedeus", "password": "x"}),
    ],
)
def test_what_was_typed_stays_in_a_refused_form(
    client: Client, where: str, sent: dict[str, Any]
) -> None:

    event = make_event(0)
    if where != "/login/":
        user = make_user("anna")
        grant(user, Role.ADMIN)
        client.force_login(user)
    else:
        make_user("anna")
    page = client.post(where.format(slug=event.slug), sent).content.decode()
    assert 'value="Zebedeus"' in page
    assert 'role="alert"' in page or "field__error" in page or "error" in page


def test_a_nul_is_refused_before_any_page_reads_it() -> None:
    event = make_event()
    staff = make_user("lea")
    grant(staff, Role.DIRECTOR, event.pk)
    client = Client()
    client.force_login(staff)
    where = f"/desk/{event.slug}/staff/"
    sent = {"user": str(staff.pk), "role": "director\0", "verb": "revoke"}
    assert client.post(where, sent).status_code == 400
    assert client.get(f"/e/{event.slug}/standings/", {"q": "a\0"}).status_code == 400
    assert client.post(where, sent | {"role": "referee"}).status_code != 400


def test_who_lacks_the_role_is_told_so_in_words() -> None:
    event = make_event(0)
    client = Client(headers={"accept-language": "fr"})
    client.force_login(make_user("marqueur", event, Role.SCOREKEEPER))
    answer = client.post(f"/desk/{event.slug}/documents/", {"kind": "slips"})
    said = answer.content.decode()
    assert answer.status_code == 403
    assert "Votre rôle ne le permet pas." in said
    assert "print_links" not in said
