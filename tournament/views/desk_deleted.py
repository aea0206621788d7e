"""What was deleted or erased within the last week, and can still be undone."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import actor_of, signed_in
from accounts.pages import Page, show_page
from ledger.audit import WORDS
from ledger.errors import Refused
from ledger.models import Sealed
from ledger.sealed import until
from tournament.services.deleted import can_be_undone, undo_deletion


class DeletedPage(Page, template="desk/deleted.html"):
    deleted: list[tuple[Sealed, str, datetime]]


@signed_in
@never_cache
@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """List what the caller may still undo: the act, who did it, and until when."""
    return _listed(request)


def _listed(request: HttpRequest, status: int = 200) -> HttpResponse:
    copies = can_be_undone(request.user)
    page = DeletedPage(deleted=[(copy, str(WORDS[copy.verb]), until(copy)) for copy in copies])
    return show_page(request, page, status=status)


@signed_in
@require_POST
def undo(request: HttpRequest, sealed_id: uuid.UUID) -> HttpResponse:
    """Undo one deletion."""
    try:
        undo_deletion(sealed_id=sealed_id, actor=actor_of(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return _listed(request, refusal.status)
    messages.success(request, _("Undone: everything is as it was before."))
    return redirect("desk-deleted")
