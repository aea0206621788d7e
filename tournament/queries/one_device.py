"""Games that one phone signed for both sides within seconds: shown to the director, never refused.

A table may well hand one phone around; two thumbs in the same few seconds are more often one
player's.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from ledger.models import AuditEntry

AT_ONCE: Final = timedelta(seconds=5)
"""Handing a phone over and reading a result takes longer (R, project decision)."""


def signed_by_one_device(scope: uuid.UUID, sheets: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    """Return the signed sheets whose last signatures of two sides came together from one device."""
    wanted = {str(pk): pk for pk in sheets}
    last: dict[str, dict[str, tuple[str, datetime]]] = {}
    entries = AuditEntry.objects.filter(
        scope=scope, object_type="sheet", object_id__in=list(wanted), verb="sheet.signed"
    )
    for name, actor, at, after in entries.order_by("sequence").values_list(
        "object_id", "actor", "at", "after"
    ):
        last.setdefault(name, {})[(after or {})["side"]] = (actor, at)
    return {wanted[name] for name, signed in last.items() if _at_once(list(signed.values()))}


def _at_once(signed: list[tuple[str, datetime]]) -> bool:
    by_time = sorted(signed, key=lambda each: each[1])
    return any(
        actor == before and actor.startswith("device:") and at - earlier <= AT_ONCE
        for (before, earlier), (actor, at) in pairwise(by_time)
    )
