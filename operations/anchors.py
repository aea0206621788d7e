"""How far every chain of the journal is, for anybody who holds the service to it later."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.access import public
from ledger.anchors import as_json


@public
@require_safe
def anchors(request: HttpRequest) -> JsonResponse:
    """The anchors of all chains: saved by anybody, they are what ``audit_verify --expect`` takes."""
    return JsonResponse(
        {**as_json(), "at": timezone.now().isoformat(timespec="seconds")},
        headers={"Cache-Control": "public, max-age=60"},
    )
