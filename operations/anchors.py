"""How far every chain of the journal is, and whose key signs it, for anybody who checks it later."""

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
    """The anchors of all chains: saved by anybody, they are what ``audit_verify --expect`` takes."""
    return JsonResponse(as_json(), headers={"Cache-Control": "public, max-age=60"})


class JournalPage(Page, template="public/journal.html"):
    key: str


@public
@require_safe
def journal(request: HttpRequest) -> HttpResponse:
    """The public key of the installation, and how an outsider checks what it signs."""
    return show_page(request, JournalPage(key=public_key()))
