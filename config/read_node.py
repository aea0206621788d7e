"""A node that only shows: the public's pages from a replica, so that they never slow the entry.

With ``READ_ONLY_NODE`` a web process answers the public addresses of events, health and metrics;
anything else, and all that would write, is refused in words that say where it
belongs. Its database connections are read-only, so that this does not hang on these rules.
"""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from ledger.middleware import GetResponse

_SHOWN: Final = re.compile(r"/(?:e/[-\w]+/|health/|metrics/$|robots\.txt$|static/)")
_READS: Final = ("GET", "HEAD", "OPTIONS")


def refusal(request: HttpRequest) -> JsonResponse | None:
    """Return this node's refusal of a request, or ``None`` for a request that it serves."""
    if request.method in _READS and _SHOWN.match(request.path_info):
        return None
    detail = _("This server shows public pages only. Use the main address for everything else.")
    return JsonResponse(
        {
            "type": "about:blank",
            "title": "Misdirected Request",
            "status": 421,
            "code": "read_only_node",
            "detail": detail,
            "field": "",
        },
        status=421,
        content_type="application/problem+json",
    )


class OnlyShows:
    """Before all that looks at sessions or records; on other nodes there is no such step."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.READ_ONLY_NODE:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return refusal(request) or self.get_response(request)
