"""Whether the machine's clock may be believed by what cannot be undone.

A clock that jumped shows only against a moment that was stored before: each look stores one.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from .models import AuditEntry, Tick

BACK: Final = timedelta(days=1)
"""How far a clock may be set back without notice."""


def uneven_since(name: str, *, gap: timedelta) -> datetime | None:
    """Store the present moment under ``name``; return when the clock last jumped, if it did.

    A jump is more than ``gap`` after the last stored moment, or more than a day before it. The first look
    is held against the last entry of any journal.
    """
    now = timezone.now()
    with transaction.atomic():
        newest = AuditEntry.objects.aggregate(at=Max("at"))["at"]
        tick, _new = Tick.objects.select_for_update(no_key=True).get_or_create(
            name=name, defaults={"at": newest or now}
        )
        if not tick.at - BACK <= now <= tick.at + gap:
            tick.uneven_at = now
        tick.at = now
        tick.save()
    return tick.uneven_at
