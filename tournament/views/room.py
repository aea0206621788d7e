"""The room: every table of the round in play, what waits for the director first."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ledger.access import needs
from tournament.selectors import rounds as round_selectors
from tournament.views.frame import event_by_slug, page


@needs("room.watch")
@require_safe
def desk_room(request: HttpRequest, slug: str) -> HttpResponse:
    """Every table of the round in play: late, unsigned and disputed first."""
    event = event_by_slug(slug)
    now = round_selectors.current_round(event)
    tables = round_selectors.room(now) if now else []
    template = "desk/room_tables.html" if request.GET.get("part") == "tables" else "desk/room.html"
    return render(
        request, template,
        page(request, event, "desk-room", round=now, tables=tables, now=timezone.now(),
             signed=sum(t.state == "signed" for t in tables)),
    )  # fmt: skip
