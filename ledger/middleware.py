"""Give every request an id, bind it to the logs, and tell it to the caller."""

from __future__ import annotations

import re
import uuid
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any

import structlog
from asgiref.sync import markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

from .requests import current_request_id

_SAFE_ID = re.compile(r"[A-Za-z0-9-]{8,40}")


def request_id(given: str) -> str:
    """The id of a request: the one the caller (a proxy) gave where it is safe to repeat."""
    return given if _SAFE_ID.fullmatch(given) else uuid.uuid4().hex


def _begin(request: HttpRequest) -> str:
    number = request_id(request.headers.get("X-Request-ID", ""))
    current_request_id.set(number)
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=number)
    return number


class request_context:
    """Middleware for both kinds of handler, so that no request changes threads for it."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self._answer_async(request)
        number = _begin(request)
        response: HttpResponseBase = self.get_response(request)
        response.headers["X-Request-ID"] = number
        return response

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        number = _begin(request)
        response: HttpResponseBase = await self.get_response(request)
        response.headers["X-Request-ID"] = number
        return response
