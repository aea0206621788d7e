"""Public pages for outside checks: the anchors of all audit chains and the installation's public key."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.access import public
from accounts.pages import Page, show_page
from ledger.anchors import as_json
from ledger.signing import public_key


@public
@require_safe
def anchors(request: HttpRequest) -> JsonResponse:
    """Return the anchors of all chains, the input of ``audit_verify --expect``."""
    return JsonResponse(as_json(), headers={"Cache-Control": "public, max-age=60"})


class JournalPage(Page, template="public/journal.html"):
    key: str


@public
@require_safe
def journal(request: HttpRequest) -> HttpResponse:
    """Show the public key of the installation and the steps of an outside check."""
    return show_page(request, JournalPage(key=public_key()))
