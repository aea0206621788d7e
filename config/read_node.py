"""A node that only shows: the public's pages from a replica, so that they never slow the entry.

With ``READ_ONLY_NODE`` a web process answers the public addresses of events, health and metrics;
whatever else is asked of it, and whatever would write, is refused in words that say where it
belongs. Its database connections are read-only, so that this does not hang on these rules.
"""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _

from ledger.middleware import Middleware, Passing

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


class OnlyShows(Middleware):
    """Before all that looks at sessions or records."""

    def passing(self, request: HttpRequest) -> Passing:
        """Whatever this node does not answer is refused here."""
        return refusal(request) or (yield)
