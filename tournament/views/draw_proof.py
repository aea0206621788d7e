"""Public proof of a published draw: seed, certificate, reasons, and the request to redo it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.access import public
from accounts.pages import Page
from tournament.models import Draw, DrawState, Event, Round
from tournament.queries import pages
from tournament.queries.certificates import (
    CertificateLine,
    ShownEdit,
    edits_of,
    lines_of,
    movement_name,
)
from tournament.queries.names import Shown, by_number
from tournament.services import edits
from tournament.services.readiness import CHANGED
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole


def _published(event: Event, stage: int, number: int) -> Draw:
    drawn = (
        Draw.objects.select_related("round__stage__event")
        .filter(
            round__stage__event=event,
            round__stage__order=stage,
            round__number=number,
            state=DrawState.PUBLISHED,
        )
        .first()
    )
    if drawn is None:
        raise Http404
    return drawn


class ProofPage(Page, template="desk/proof.html", here="event-draw"):
    draw: Draw
    round: Round
    table: int | None
    reasons: list[str]
    lines: list[CertificateLine]
    movement: str
    edits: list[ShownEdit]
    changed: list[tuple[str, list[Shown]]]
    open: bool


def _changed(event: Event, drawn: Draw) -> list[tuple[str, list[Shown]]]:
    """Return the changes that a draw was published despite, with the players concerned."""
    people = by_number(event)
    return [
        (str(CHANGED[code]), [people[number] for number in numbers if number in people])
        for code, numbers in drawn.despite.get("changed", {}).items()
    ]


@public
@require_safe
def proof(request: HttpRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Show the certificate of a published draw, the reasons for a table (``?table=``), and how to repeat it."""
    event = event_by_slug(slug)
    drawn = _published(event, stage, number)
    open_ = pages.shows_what_it_rests_on(drawn.round)
    table = whole(request.GET.get("table")) if open_ else None
    known = {t["number"] for t in drawn.tables}
    return show_event(
        request,
        event,
        ProofPage(
            draw=drawn,
            round=drawn.round,
            table=table,
            reasons=edits.why(drawn, table) if table is not None and table in known else [],
            lines=lines_of(drawn),
            movement=movement_name(drawn.movement),
            edits=edits_of(drawn, event),
            changed=_changed(event, drawn),
            open=open_,
        ),
    )


@public
@require_safe
def request_file(request: HttpRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Serve all inputs of a published draw: start numbers, clubs, wishes; no names.

    Refused while it depends on rounds that the director hides: it contains every player's score.
    """
    event = event_by_slug(slug)
    drawn = _published(event, stage, number)
    if not pages.shows_what_it_rests_on(drawn.round):
        raise Http404
    response = JsonResponse(drawn.first_request)
    response["Content-Disposition"] = f'attachment; filename="{slug}-{stage}-{number}.json"'
    return response
