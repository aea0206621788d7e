"""A node that only shows: the public's pages from a replica, so that they never slow the entry.

With ``READ_ONLY_NODE`` a web process answers the public addresses of events, health and metrics;
whatever else is asked of it, and whatever would write, is refused in words that say where it
belongs. Its database connections are read-only, so that this does not hang on these rules.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any, Final

from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _

_SHOWN: Final = re.compile(r"/(?:e/[-\w]+/|health/|metrics/$|static/)")
_READS: Final = ("GET", "HEAD", "OPTIONS")


def refusal(request: HttpRequest) -> JsonResponse | None:
    """Why this node does not answer, or ``None`` where it does; on other nodes always ``None``."""
    if not settings.READ_ONLY_NODE:
        return None
    if request.method in _READS and _SHOWN.match(request.path_info):
        return None
    detail = _("This server only shows public pages. Everything else is done at the main address.")
    return JsonResponse(
        {
            "type": "about:blank", "title": "Misdirected Request", "status": 421,
            "code": "read_only_node", "detail": detail, "field": "",
        },
        status=421, content_type="application/problem+json",
    )  # fmt: skip


class OnlyShows:
    """Middleware for both kinds of handler; before all that looks at sessions or records."""

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
        refused = refusal(request)
        response: HttpResponseBase = refused or self.get_response(request)
        return response

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        refused = refusal(request)
        response: HttpResponseBase = refused or await self.get_response(request)
        return response
