"""How refusals leave the service: problem+json for the API, a page for people."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from ledger.errors import Refused
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
