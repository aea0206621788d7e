"""Why a side does not agree with a sheet, in the words with which it disputed it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from ledger.models import AuditEntry


def dispute_reasons(scope: uuid.UUID, sheets: Iterable[uuid.UUID]) -> dict[uuid.UUID, str]:
    """Return the latest reason for each of these disputed sheets; those without one are left out."""
    wanted = {str(pk): pk for pk in sheets}
    entries = AuditEntry.objects.filter(
        scope=scope, object_type="sheet", object_id__in=list(wanted), verb="sheet.disputed"
    )
    last = {
        name: (after or {}).get("reason", "").strip()
        for name, after in entries.order_by("sequence").values_list("object_id", "after")
    }
    return {wanted[name]: reason for name, reason in last.items() if reason}
