"""What search engines may take: the pages that name nobody.

Lists of players, draws, standings and rulings are for who follows the event, not for who types a
name into a search engine years later. So every answer bears ``noindex``, but for the few pages of
:data:`INDEXED`; ``robots.txt`` keeps robots from what only costs work: questions, streams, the desk.
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
"""Names of the addresses whose pages name nobody and are worth finding."""
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
    """The rules for robots (RFC 9309)."""
    return HttpResponse(
        RULES, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "max-age=3600"}
    )


class NoIndex:
    """Tell search engines to keep nothing but :data:`INDEXED`, and none of those under a question."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if match is None or match.url_name not in INDEXED or request.META.get("QUERY_STRING"):
            response.headers["X-Robots-Tag"] = "noindex"
        return response
