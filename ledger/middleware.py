"""What every request passes: the form such a step has, and the one that gives a request its id."""

from __future__ import annotations

import re
import uuid
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

from .requests import current_request_id

_SAFE_ID = re.compile(r"[A-Za-z0-9-]{8,40}")

Passing = Generator[None, HttpResponseBase, HttpResponseBase]
"""A request on its way through a :class:`Middleware`."""


class Middleware:
    """A step that every request passes, for both kinds of handler: no request changes threads here.

    What a step is for stands in :meth:`passing`, once, written as for a synchronous handler. It must
    not block: under an asynchronous handler it runs in the loop.
    """

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def passing(self, request: HttpRequest) -> Passing:
        """Yield once for the response from within, and return what goes out.

        Whoever returns before he yields answers himself, and nothing within is asked.
        """
        return (yield)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self._answer_async(request)
        passing = self.passing(request)
        own = _begun(passing)
        return own or _ended(passing, self.get_response(request))

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        passing = self.passing(request)
        own = _begun(passing)
        return own or _ended(passing, await self.get_response(request))


def _begun(passing: Passing) -> HttpResponseBase | None:
    try:
        next(passing)
    except StopIteration as answered:
        own: HttpResponseBase = answered.value
        return own
    return None


def _ended(passing: Passing, response: HttpResponseBase) -> HttpResponseBase:
    try:
        passing.send(response)
    except StopIteration as answered:
        out: HttpResponseBase = answered.value
        return out
    raise RuntimeError("a middleware yields once")


def request_id(given: str) -> str:
    """The id of a request: the one the caller (a proxy) gave where it is safe to repeat."""
    return given if _SAFE_ID.fullmatch(given) else uuid.uuid4().hex


class RequestContext(Middleware):
    """Give every request an id, bind it to the logs, and tell it to the caller."""

    def passing(self, request: HttpRequest) -> Passing:
        """Under the request's id."""
        number = request_id(request.headers.get("X-Request-ID", ""))
        current_request_id.set(number)
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=number)
        response = yield
        response.headers["X-Request-ID"] = number
        return response
