"""Which event an address of this room belongs to, for the permission check."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404

from ledger.access import scope_resolver

from .models import Sheet


@scope_resolver
def scope_of_sheet(kwargs: dict[str, Any]) -> uuid.UUID | None:
    """The scope of the sheet that an address names."""
    if "sheet_id" not in kwargs:
        return None
    found = Sheet.objects.filter(pk=kwargs["sheet_id"]).values_list("scope", flat=True).first()
    if found is None:
        raise Http404
    return found
