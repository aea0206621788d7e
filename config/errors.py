"""Responses for refusals: problem+json for the API, a page for people."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied, SuspiciousOperation, ValidationError
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.access import Access
from accounts.pages import Page, show_page
from accounts.roles import CAPABILITIES
from ledger.errors import Busy, NotAllowed, NotHere, Refused
from ledger.middleware import GetResponse
from ledger.requests import current_request_id
from scoring.engine.errors import EngineError
from scoring.engine.speech import explain

OURS: Final[Mapping[type[exceptions.APIException], Promise]] = {
    exceptions.MethodNotAllowed: gettext_lazy("This address does not answer this method."),
    exceptions.NotAcceptable: gettext_lazy("The API answers in JSON only."),
    exceptions.NotAuthenticated: gettext_lazy("Sign in, or send a token."),
    exceptions.PermissionDenied: gettext_lazy("Your role does not allow this."),
    exceptions.UnsupportedMediaType: gettext_lazy("The API does not read this type of content."),
}
"""What the framework refuses, in the words of the catalogue: its own speak no added language."""


def _problem(code: str, detail: str, http_status: int, field: str = "", **more: object) -> Response:
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


def _plain(value: Any) -> Any:
    """Convert a refusal's values to JSON types."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def problem_json(error: Exception, context: dict[str, object]) -> Response | None:
    """Answer any refusal of an API view as problem+json (RFC 9457); ``None`` for a real fault."""
    if isinstance(error, EngineError):
        body = error.as_json()
        more = {"defects": body["defects"]} if "defects" in body else {}
        if error.params:
            more["params"] = _plain(error.params)
        detail = explain(error, get_language() or "en")
        return _problem(error.code, detail, status.HTTP_400_BAD_REQUEST, error.field, **more)
    if isinstance(error, Refused):
        refusal = _problem(
            error.code, str(error), error.status, error.field, **_plain(error.members())
        )
        if isinstance(error, Busy):
            refusal.headers["Retry-After"] = str(error.retry_after)
        return refusal
    if isinstance(error, Http404):
        return _problem("not_found", _("Nothing was found at this address."), 404)
    if isinstance(error, PermissionDenied):
        return _problem("not_allowed", _("Your role does not allow this."), 403)
    if isinstance(error, ValidationError):
        return _problem("invalid", _("; ").join(error.messages), 400)
    if isinstance(error, exceptions.ValidationError):
        return _problem(
            "invalid", _("The request is not valid."), 400, errors=error.get_full_details()
        )
    response = exception_handler(error, context)
    if response is None or not isinstance(error, exceptions.APIException):
        return response
    code = str(error.get_codes()) if isinstance(error.get_codes(), str) else error.default_code
    own = isinstance(error, exceptions.NotAuthenticated) and error.detail != error.default_detail
    words: object = error.detail
    if not own and type(error) in OURS:
        words = OURS[type(error)]
    problem = _problem(code, str(words), response.status_code)
    for name in ("WWW-Authenticate", "Retry-After", "Allow"):
        if name in response.headers:
            problem.headers[name] = response.headers[name]
    return problem


def _for_program(request: HttpRequest) -> bool:
    """Whether the caller is a program: an address of the API, or one that asks for JSON."""
    accepts = request.headers.get("Accept", "")
    return request.path.startswith("/api/") or "application/json" in accepts


def _plain_problem(code: str, message: str, status_code: int) -> JsonResponse:
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status_code).phrase,
        "status": status_code,
        "code": code,
        "detail": message,
        "field": "",
    }
    return JsonResponse(body, status=status_code, content_type="application/problem+json")


class BadRequestPage(Page, template="400.html"):
    reason: str = ""


MOST_TYPED: Final = 100_000
"""Characters of a form that is shown again."""


class NotAllowedPage(Page, template="403.html"):
    """``exception``: the refusal in words; ``reason``: why a form could not be verified; ``again``: its fields, sent ``to``."""

    exception: str = ""
    reason: str = ""
    again: tuple[tuple[str, str], ...] = ()
    to: str = ""


class NotFoundPage(Page, template="404.html"):
    """Nothing is at the address."""


class FaultPage(Page, template="500.html"):
    request_id: str


class UnavailablePage(Page, template="503.html"):
    request_id: str


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a missing route or object: a page for people, problem+json for programs."""
    if _for_program(request):
        return _plain_problem("not_found", _("Nothing was found at this address."), 404)
    return show_page(request, NotFoundPage(), status=404)


@requires_csrf_token
def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a missing permission: a page for people, problem+json for programs."""
    if _for_program(request):
        return _plain_problem("not_allowed", _("Your role does not allow this."), 403)
    # The name of the missing capability is meant for programs and logs.
    named = str(exception) in CAPABILITIES
    why = _("Your role does not allow this.") if named else str(exception)
    return show_page(request, NotAllowedPage(exception=why), status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unreadable request: a page for people, problem+json for programs."""
    if _for_program(request):
        return _plain_problem("unreadable", _("The request cannot be read."), 400)
    return show_page(request, BadRequestPage(), status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its CSRF token: usually cookies are off or the page is very old."""
    message = _(
        "The form could not be verified. Reload the page and send it again; your "
        "browser must accept cookies."
    )
    if _for_program(request):
        return _plain_problem("csrf", message, 403)
    again = _typed(request)
    if again:
        message = _("You signed in again in the meantime. Your entries are kept: send them again.")
    return show_page(
        request, NotAllowedPage(reason=message, again=again, to=request.get_full_path()), status=403
    )


def _typed(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """Return the fields of a form from a page of this service, to be sent with a fresh token; empty for others.

    A form of another site has another origin and is never shown again. Passwords and files are not repeated.
    """
    own = f"{request.scheme}://{request.get_host()}"
    fields = [
        (name, str(value))
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    secret = any("password" in name or name == "code" for name, _value in fields)
    long = sum(len(value) for _name, value in fields) > MOST_TYPED
    if request.headers.get("Origin") != own or request.FILES or secret or long:
        return ()
    return tuple(fields) if request.user.is_authenticated else ()


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer after an internal error: 500, or 503 if the database is unavailable.

    A database may be down, restarting or out of connections: the response states that nothing was
    written and that the request may be repeated. Uses neither database nor session.
    """
    away = isinstance(sys.exc_info()[1], OperationalError | InterfaceError)
    number = 503 if away else 500
    answer: HttpResponse
    accepts = request.headers.get("Accept", "")
    wants_json = "application/json" in accepts or request.path.startswith("/api/")
    if not wants_json and not request.path.endswith("/send/"):
        page: type[FaultPage | UnavailablePage] = UnavailablePage if away else FaultPage
        answer = HttpResponse(page(request_id=current_request_id.get()).html())
    else:
        message = (
            _("The database is not available right now. Nothing was saved: please send it again.")
            if away
            else _("Something went wrong on our side. It has been logged.")
        )
        answer = JsonResponse(
            {
                "ok": False,
                "type": "about:blank",
                "title": HTTPStatus(number).phrase,
                "status": number,
                "code": "unavailable" if away else "fault",
                "detail": message,
                "message": message,
                "field": "",
                "request_id": current_request_id.get(),
            },
            content_type="application/problem+json",
        )
    answer.status_code = number
    if away:
        answer["Retry-After"] = "5"
    return answer


def holds_nul(request: HttpRequest, view: object) -> bool:
    """Whether a field or parameter contains a NUL, which PostgreSQL cannot store.

    API bodies are not checked here: their serializers refuse a NUL per field.
    """
    forms = [request.GET]
    if not getattr(view, "csrf_exempt", False):  # those of a page were read to verify them
        forms.append(request.POST)
    return any("\0" in value for form in forms for _name, all_ in form.lists() for value in all_)


class RefusalPages:
    """Middleware that shows a refusal raised by a service as a page instead of an internal error."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: object,
        args: tuple[object, ...],
        kwargs: dict[str, object],
    ) -> HttpResponse | None:
        """Refuse a view without an access declaration, and text that the database cannot store."""
        by_verb = getattr(getattr(view, "cls", None), "access", None)
        if not isinstance(getattr(view, "access", by_verb), Access | dict):
            raise PermissionDenied
        if holds_nul(request, view):
            return bad_request(request, SuspiciousOperation("NUL"))
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page for a refusal that no view caught; ``None`` for an internal error."""
        if isinstance(error, NotHere):
            return not_found(request, Http404(str(error)))
        if isinstance(error, NotAllowed):
            return not_allowed(request, PermissionDenied(str(error)))
        if isinstance(error, Refused):
            if _for_program(request):
                return _plain_problem(error.code, str(error), error.status)
            return show_page(request, BadRequestPage(reason=str(error)), status=error.status)
        return None
