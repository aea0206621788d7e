"""How refusals leave the service: problem+json for the API, a page for people."""

from __future__ import annotations

import sys
from collections.abc import Callable
from http import HTTPStatus
from inspect import iscoroutinefunction
from typing import Any

from asgiref.sync import markcoroutinefunction
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.utils.translation import gettext as _
from django.views import defaults
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from ledger.errors import NotAllowed, NotHere, Refused
from scoring.engine.errors import EngineError


def _problem(code: str, detail: str, http_status: int, field: str = "", **more: Any) -> Response:
    body = {
        "type": "about:blank",
        "title": HTTPStatus(http_status).phrase,
        "status": http_status,
        "code": code,
        "detail": detail,
        "field": field,
        **more,
    }
    return Response(body, status=http_status, content_type="application/problem+json")


def problem_json(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer any refusal of an API view as problem+json (RFC 9457); ``None`` for a real fault."""
    if isinstance(error, EngineError):
        body = error.as_json()
        more = {"defects": body["defects"]} if "defects" in body else {}
        return _problem(error.code, error.message, status.HTTP_400_BAD_REQUEST, error.field, **more)
    if isinstance(error, Refused):
        return _problem(error.code, str(error), error.status, error.field)
    if isinstance(error, Http404):
        return _problem("not_found", "There is nothing at this address.", 404)
    if isinstance(error, PermissionDenied):
        return _problem("not_allowed", "Your role does not allow this.", 403)
    if isinstance(error, ValidationError):
        return _problem("invalid", "; ".join(error.messages), 400)
    if isinstance(error, exceptions.ValidationError):
        return _problem(
            "invalid", "The request is not valid.", 400, errors=error.get_full_details()
        )
    response = exception_handler(error, context)
    if response is None or not isinstance(error, exceptions.APIException):
        return response
    code = str(error.get_codes()) if isinstance(error.get_codes(), str) else error.default_code
    problem = _problem(code, str(error.detail), response.status_code)
    for name in ("WWW-Authenticate", "Retry-After", "Allow"):
        if name in response.headers:
            problem.headers[name] = response.headers[name]
    return problem


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form came without its token: usually cookies are off or the page is very old."""
    return render(request, "403.html", {"reason": "csrf"}, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """What a fault of ours looks like; 503 where the records cannot be reached just now.

    A database that is away, restarting or out of room for more is no riddle: the answer says that
    nothing was written and that the same may be sent again. Uses neither database nor session.
    """
    away = isinstance(sys.exc_info()[1], OperationalError | InterfaceError)
    number = 503 if away else 500
    answer: HttpResponse
    accepts = request.headers.get("Accept", "")
    wants_json = "application/json" in accepts or request.path.startswith("/api/")
    if not wants_json and not request.path.endswith("/send/"):
        answer = HttpResponse(loader.get_template(f"{number}.html").render())
    else:
        said = (
            _("The records cannot be reached just now. Nothing was written: send it again.")
            if away
            else _("The service failed at this step and has noted it.")
        )
        answer = JsonResponse(
            {
                "ok": False, "type": "about:blank", "title": HTTPStatus(number).phrase,
                "status": number, "code": "unavailable" if away else "fault", "detail": said,
                "message": said, "field": "",
            },
            content_type="application/problem+json",
        )  # fmt: skip
    answer.status_code = number
    if away:
        answer["Retry-After"] = "5"
    return answer


class RefusalPages:
    """Middleware: what a page's service says is not here or not allowed is a page, not a fault."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """404 and 403 for :class:`NotHere` and :class:`NotAllowed`; ``None`` for all else."""
        if isinstance(error, NotHere):
            return defaults.page_not_found(request, Http404(str(error)))
        if isinstance(error, NotAllowed):
            return defaults.permission_denied(request, PermissionDenied(str(error)))
        return None
