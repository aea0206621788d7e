"""A drawn round before its publication: the certificate, the tables, publish or put aside."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from ledger.access import needs
from tournament.models import Draw
from tournament.selectors.names import directory
from tournament.services import draws, publication
from tournament.views.desk import actor_of, attempt
from tournament.views.frame import event_by_slug, page


@needs("rounds.manage")
def draw_preview(request: HttpRequest, slug: str, draw_id: uuid.UUID) -> HttpResponse:
    """Look at a candidate draw with its certificate; publish it or put it aside."""
    event = event_by_slug(slug)
    candidate = get_object_or_404(
        Draw.objects.select_related("round__stage"), pk=draw_id, round__stage__event=event
    )
    if request.method == "POST":
        actor = actor_of(request)
        if request.POST.get("verb") == "publish":
            done = attempt(
                request, lambda: publication.publish_draw(draw_id=candidate.pk, actor=actor),
                _("The draw is published: players see it now."),
            )  # fmt: skip
            return redirect("desk-event" if done else "desk-rounds", slug)
        if request.POST.get("verb") == "discard":
            attempt(
                request, lambda: draws.discard_draw(draw_id=candidate.pk, actor=actor),
                _("The draw is put aside."),
            )  # fmt: skip
        return redirect("desk-rounds", slug)
    people = directory(event)
    tables = [
        {"number": t["number"], "players": [people[p] for p in t["players"]],
         "scorekeeper": t["scorekeeper"]}
        for t in candidate.tables
    ]  # fmt: skip
    language = getattr(request, "LANGUAGE_CODE", "en")[:2]
    lines = [
        {**line, "why": line["why"].get(language, line["why"]["en"])}
        for line in candidate.certificate.get("lines", [])
    ]
    return render(
        request, "desk/draw.html",
        page(request, event, "desk-rounds", draw=candidate, tables=tables, lines=lines,
             byes=[people[p] for p in candidate.byes]),
    )  # fmt: skip
