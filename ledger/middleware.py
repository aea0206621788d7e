"""The steps of every request: its id, its language, the content security policy of its answer."""

from __future__ import annotations

import itertools
import os
import re
import secrets
from collections.abc import Callable

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from .requests import RENDERED_FOR, current_request_id

GetResponse = Callable[[HttpRequest], HttpResponse]
_SAFE_ID = re.compile(r"[A-Za-z0-9-]{8,40}")
_START = secrets.token_hex(8)
_numbers = itertools.count(1)


def request_id(given: str) -> str:
    """Return the id that a trusted proxy gave (``TRUST_PROXY``) where it is safe to repeat, else a new one.

    The id stands in the journal: a caller without a proxy cannot choose it.
    """
    # Random bytes for each would give the processor to other threads while a poll is answered.
    if settings.TRUST_PROXY and _SAFE_ID.fullmatch(given):
        return given
    return f"{_START}{os.getpid():08x}{next(_numbers):08x}"


class RequestContext:
    """Give every request an id, bind it to the logs, and return it to the caller."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        rendered_for: str = request.META.get(RENDERED_FOR, "")
        number = rendered_for or request_id(request.headers.get("X-Request-ID", ""))
        current_request_id.set(number)
        # Not all of the thread's variables: to look for them takes longer than to answer a poll.
        structlog.contextvars.unbind_contextvars("table_id", "slug")
        structlog.contextvars.bind_contextvars(request_id=number)
        response = self.get_response(request)
        response.headers["X-Request-ID"] = number
        return response


class Language:
    """The language of the reader's cookie or browser, as Django's ``LocaleMiddleware``.

    Addresses name no language here: that one looks for it in each of them twice, which is a fifth
    of a request without work.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = translation.get_language_from_request(request)
        translation.activate(language)
        request.__dict__["LANGUAGE_CODE"] = language
        response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", language)
        return response


class ContentSecurityPolicy:
    """Send the policy of the settings with every answer: the same for all, so it is never built."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY
        return response
