"""Access to an event's pages: the event of an address, and the capability required in it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from typing import Any

from django.http import Http404

import accounts.access
import accounts.api
from accounts.access import View
from ledger.models import ORGANISATION
from tournament.models.tables import Sheet

from .models import Draw, Entrant, Event, Round, Stage, Table


def scope_of(kwargs: dict[str, Any]) -> uuid.UUID | None:
    """Return the event of a slug, or of the id of an object that belongs to it."""
    scope: uuid.UUID | None = None
    if "slug" in kwargs:
        scope = Event.objects.filter(slug=kwargs["slug"]).values_list("pk", flat=True).first()
    elif "round_id" in kwargs:
        scope = (
            Round.objects.filter(pk=kwargs["round_id"])
            .values_list("stage__event", flat=True)
            .first()
        )
    elif "draw_id" in kwargs:
        scope = (
            Draw.objects.filter(pk=kwargs["draw_id"])
            .values_list("round__stage__event", flat=True)
            .first()
        )
    elif "table_id" in kwargs:
        scope = Table.objects.filter(pk=kwargs["table_id"]).values_list("scope", flat=True).first()
    elif "sheet_id" in kwargs:
        scope = Sheet.objects.filter(pk=kwargs["sheet_id"]).values_list("scope", flat=True).first()
    elif "stage_id" in kwargs:
        scope = Stage.objects.filter(pk=kwargs["stage_id"]).values_list("event", flat=True).first()
    elif "entrant_id" in kwargs:
        scope = (
            Entrant.objects.filter(pk=kwargs["entrant_id"]).values_list("event", flat=True).first()
        )
    else:
        return None
    if scope is None:
        raise Http404
    return scope


def events_in(scopes: Collection[uuid.UUID]) -> list[tuple[str, str]]:
    """Return the ids and names of the events in ``scopes``; the organisation's scope has all of them."""
    events = Event.objects.all()
    if ORGANISATION not in scopes:
        events = events.filter(pk__in=scopes)
    return [(str(pk), name) for pk, name in events.values_list("pk", "name")[:200]]


def needs(capability: str) -> Callable[[View], View]:
    """Require a role with ``capability`` in the event of the URL for the view."""
    return accounts.access.needs(capability, scope_of)


class Declared(accounts.api.Declared):
    """The API's permission, in the event of the URL."""

    def scope_of(self, kwargs: dict[str, object]) -> uuid.UUID | None:
        """Return the event of the URL."""
        return scope_of(kwargs)
