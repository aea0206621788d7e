"""Which event an address belongs to, for the permission check."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404

from ledger.access import scope_resolver

from .models import Draw, Entrant, Event, Round, Stage, Table


@scope_resolver
def event_of(kwargs: dict[str, Any]) -> uuid.UUID | None:
    """The event named by slug, or by the id of something that belongs to one."""
    found: uuid.UUID | None = None
    if "slug" in kwargs:
        found = Event.objects.filter(slug=kwargs["slug"]).values_list("pk", flat=True).first()
    elif "round_id" in kwargs:
        found = (
            Round.objects.filter(pk=kwargs["round_id"])
            .values_list("stage__event", flat=True)
            .first()
        )
    elif "draw_id" in kwargs:
        found = (
            Draw.objects.filter(pk=kwargs["draw_id"])
            .values_list("round__stage__event", flat=True)
            .first()
        )
    elif "table_id" in kwargs:
        found = (
            Table.objects.filter(pk=kwargs["table_id"])
            .values_list("round__stage__event", flat=True)
            .first()
        )
    elif "stage_id" in kwargs:
        found = Stage.objects.filter(pk=kwargs["stage_id"]).values_list("event", flat=True).first()
    elif "entrant_id" in kwargs:
        found = (
            Entrant.objects.filter(pk=kwargs["entrant_id"]).values_list("event", flat=True).first()
        )
    else:
        return None
    if found is None:
        raise Http404
    return found
