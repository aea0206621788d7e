"""Rules for search engines: only pages without personal names may be indexed.

Lists of players, draws, standings and rulings serve followers of the event, not name searches years
later. So every response carries ``noindex``, except the few pages of :data:`INDEXED`; ``robots.txt``
excludes URLs that only cost work: query strings, streams, the desk.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import public
from ledger.middleware import GetResponse

INDEXED: Final = frozenset(
    {"home", "guides", "guide", "guide-paper", "rules-lab", "api", "register"}
)
"""URL names of pages worth finding that contain no personal names."""
RULES: Final = """\
User-agent: *
Disallow: /*?
Disallow: /api/v1/events/
Disallow: /desk/
Disallow: /e/*/live/
Disallow: /e/*/version/
Disallow: /e/*/wall/
Disallow: /system/
Crawl-delay: 5
"""


@public
@require_safe
def robots_txt(request: HttpRequest) -> HttpResponse:
    """Send the rules for robots (RFC 9309)."""
    return HttpResponse(
        RULES, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "max-age=3600"}
    )


class NoIndex:
    """Send ``noindex`` for every page outside :data:`INDEXED`, and for any URL with a query string."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if match is None or match.url_name not in INDEXED or request.META.get("QUERY_STRING"):
            response.headers["X-Robots-Tag"] = "noindex"
        return response
