"""Installation of a table's page as an application on the phone: its manifest and service worker."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import by_link, public
from accounts.pages import Page
from ledger.errors import Refused
from tournament.queries.brackets import heading_of
from tournament.views.table_links import table_of

SHELL = (
    "css/app.css",
    "js/theme.js",
    "js/deal-form.js",
    "js/clock.js",
    "js/bell.js",
    "js/table.js",
    "js/owner.js",
    "js/table-correct.js",
    "js/table-queue.js",
    "js/table-deals.js",
    "js/table-score.js",
    "js/table-notice.js",
    "js/table-rows.js",
    "js/table-state.js",
    "js/table-thumb.js",
    "js/table-cards.js",
    "js/table-outbox.js",
    "fonts/plex/IBMPlexSans-Regular-Latin1.woff2",
    "fonts/plex/IBMPlexSans-SemiBold-Latin1.woff2",
    "icons/favicon.svg",
    "icons/icon-192.png",
)
"""Static files without which a table's page would be bare when the network is gone."""


def version_of(files: Sequence[str]) -> str:
    """Return the version of the static files that a page needs: their names contain their content's hash."""
    return f"{settings.VERSION}-{zlib.crc32(_listed(files).encode()):08x}"


def _listed(files: Sequence[str]) -> str:
    return ",".join(f'"{static(each)}"' for each in files)


def named_files(response: HttpResponse) -> HttpResponse:
    """Name the files of a table's page: the service worker stores it with no others."""
    response["Table-Files"] = version_of(SHELL)
    return response


def served_worker(name: str, files: Sequence[str], scope: str) -> HttpResponse:
    """Return a service worker for pages under ``scope``, with the version and the addresses of its files."""
    located = finders.find(name)
    path = Path(located) if isinstance(located, str) else Path(settings.STATIC_ROOT) / name
    if not path.exists():
        raise Http404
    text = path.read_text(encoding="utf-8")
    text = text.replace("/*VERSION*/", version_of(files)).replace("/*SHELL*/", _listed(files))
    answer = HttpResponse(text, content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    answer["Service-Worker-Allowed"] = scope
    return answer


class Manifest(Page, template="parts/page/manifest.json"):
    """A web application: its name, the page that it opens on, the pages that are part of it."""

    name: str
    start_url: str
    scope: str


def served_manifest(name: str, page: str, scope: str) -> HttpResponse:
    """Return a web application's manifest."""
    manifest = Manifest(name=name, start_url=page, scope=scope)
    return HttpResponse(manifest.html(), content_type="application/manifest+json")


@public
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, served under ``/t/`` so that it governs tables' pages and no others.

    As a module (``?type=module``) it can send what waits on the phone by itself.
    """
    answer = served_worker("js/sw-table.js", SHELL, "/t/")
    if request.GET.get("type") == "module":
        queue = static("js/table-queue.js")
        begins = f'import {{ sendAll }} from "{queue}";\nself.sendAll = sendAll;\n'
        answer.content = begins.encode() + answer.content
    return answer


@by_link("table")
@require_safe
def manifest(request: HttpRequest, token: str) -> HttpResponse:
    """Return the web application of one table: it opens on that table's sheet."""
    try:
        table = table_of(request, token)
    except Refused as refusal:
        raise Http404 from refusal
    page = reverse("table", args=[token])
    return served_manifest(f"{heading_of(table)} · Manille", page, page)
