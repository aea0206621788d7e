"""All that a request passes below the front runs in one thread, in one go.

Django's own chain is asynchronous under an asynchronous server, and each middleware that is not
changes threads twice for it: some twenty changes a request, which cost more than most of our pages.
So the middlewares below this one are chained as under a synchronous server, and the whole chain,
view included, is one call in the request's thread. The order and the meaning are those of
``settings.MIDDLEWARE``; nothing but the way there differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponseBase
from django.utils.module_loading import import_string

from ledger.middleware import Middleware

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


class OneThread(Middleware):
    """Under a synchronous handler it does nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        if self.is_async:
            self.get_response = sync_to_async(Below().chain, thread_sensitive=True)
