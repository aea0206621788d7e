"""Form of refusals and faults: the status attributes the fault to the client or the server (RFC 9110, RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import translation

from config import errors
from ledger.errors import Conflict, NotAllowed, NotHere, Refused
from scoring.engine.errors import EngineError


@pytest.mark.parametrize(
    ("handler", "status"),
    [
        (lambda request: errors.bad_request(request, Exception()), 400),
        (errors.csrf_failure, 403),
        (lambda request: errors.not_allowed(request, PermissionDenied()), 403),
        (lambda request: errors.not_found(request, Http404()), 404),
        (errors.server_error, 500),
    ],
)
def test_programs_and_people_are_answered_with_one_status(
    handler: Callable[[HttpRequest], HttpResponse], status: int
) -> None:
    for request in (
        RequestFactory().get("/api/v1/events/"),
        RequestFactory().get("/desk/", headers={"accept": "application/json"}),
    ):
        answer = handler(request)
        assert (answer.status_code, json.loads(answer.content)["status"]) == (status, status)
    page = handler(RequestFactory().get("/desk/"))
    assert page.status_code == status
    assert page["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("fault", "status", "code", "said"),
    [
        (OperationalError(), 503, "unavailable", "The database is not available right now."),
        (InterfaceError(), 503, "unavailable", "The database is not available right now."),
        (ZeroDivisionError(), 500, "fault", "Something went wrong on our side."),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/events/", "/t/token/send/"])
def test_a_fault_says_whether_to_send_again(
    fault: Exception, status: int, code: str, said: str, path: str
) -> None:
    try:
        raise fault
    except type(fault):
        answer = errors.server_error(RequestFactory().get(path))
    told = json.loads(answer.content)
    assert (answer.status_code, told["status"], told["code"]) == (status, status, code)
    assert told["message"] == told["detail"]
    assert told["detail"].startswith(said)


@pytest.mark.parametrize(
    ("refusal", "status", "code"),
    [
        (EngineError("card", "no card", "plays"), 400, "card"),
        (Refused("name_missing", "Give a name."), 400, "name_missing"),
        (Conflict("sheet_changed", "Somebody was faster."), 409, "sheet_changed"),
        (NotAllowed("not_yours", "Another table's."), 403, "not_yours"),
        (NotHere("no_such_draw", "There is none."), 404, "no_such_draw"),
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "not_allowed"),
        (ValidationError("not so"), 400, "invalid"),
    ],
)
def test_a_refusal_of_the_api_has_its_status_and_code(
    refusal: Exception, status: int, code: str
) -> None:
    answer = errors.problem_json(refusal, {})
    assert answer is not None
    assert (answer.status_code, answer.data["status"], answer.data["code"]) == (
        status,
        status,
        code,
    )
    assert answer.content_type == "application/problem+json"


def test_what_a_refusal_of_the_game_mentions_is_told_to_programs() -> None:
    with translation.override("en"):
        told = errors.problem_json(EngineError("card", "no", params={"cards": {"HA"}}), {})
        plain = errors.problem_json(EngineError("card", "no"), {})
    assert told is not None
    assert plain is not None
    assert told.data["params"] == {"cards": ["HA"]}
    assert "params" not in plain.data
