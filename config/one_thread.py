"""All that a request passes below the front runs in one thread, in one go.

Django's own chain is asynchronous under an asynchronous server, and each middleware that is not
changes threads twice for it: some twenty changes a request, which cost more than most of our pages.
So the middlewares below this one are chained as under a synchronous server, and the whole chain,
view included, is one call in the request's thread. The order and the meaning are those of
``settings.MIDDLEWARE``; nothing but the way there differs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any, Final

from asgiref.sync import markcoroutinefunction, sync_to_async
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponseBase
from django.utils.module_loading import import_string

PATH: Final = "config.one_thread.OneThread"


class Below(BaseHandler):
    """The synchronous chain of the middlewares after :data:`PATH`, the innermost first."""

    def __init__(self) -> None:
        super().__init__()
        self.chain = self._chained()

    def _chained(self) -> Callable[[HttpRequest], HttpResponseBase]:
        # The lists of BaseHandler.load_middleware, which would chain what is above as well.
        self._view_middleware: list[Any] = []
        self._template_response_middleware: list[Any] = []
        self._exception_middleware: list[Any] = []
        handler: Callable[[HttpRequest], Any] = convert_exception_to_response(
            self._get_response  # type: ignore[attr-defined]  # unknown to Django's stubs
        )
        listed = list(settings.MIDDLEWARE)
        for path in reversed(listed[listed.index(PATH) + 1 :]):
            try:
                middleware = import_string(path)(handler)
            except MiddlewareNotUsed:
                continue
            if hasattr(middleware, "process_view"):
                self._view_middleware.insert(0, middleware.process_view)
            if hasattr(middleware, "process_template_response"):
                self._template_response_middleware.append(middleware.process_template_response)
            if hasattr(middleware, "process_exception"):
                self._exception_middleware.append(middleware.process_exception)
            handler = convert_exception_to_response(middleware)
        return handler


class OneThread:
    """Middleware for both kinds of handler; under a synchronous one it does nothing."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            self.below = sync_to_async(Below().chain, thread_sensitive=True)
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self._answer_async(request)
        response: HttpResponseBase = self.get_response(request)
        return response

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        return await self.below(request)
