"""The referee's desk: the calls, the open incidents, the last rulings, the appeals."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from adjudication.selectors import desk as selectors
from adjudication.selectors.confirmations import waiting_decisions
from adjudication.services import incidents
from ledger.access import capabilities_of, needs, signed_in
from ledger.models import RoleGrant
from scoring.models import RefereeCall
from tournament.models import Event, Round, Table
from tournament.selectors.rounds import current_round
from tournament.views.frame import event_by_slug, page

from .common import actor_of, attempt, whole


@signed_in
@require_safe
def referee_home(request: HttpRequest) -> HttpResponse:
    """The events whose incidents the caller may read; straight to the desk where it is one."""
    scopes = set(RoleGrant.objects.filter(user=request.user).values_list("scope", flat=True))
    mine = Event.objects.all()
    if "incidents.read" not in capabilities_of(request.user, None):
        mine = mine.filter(pk__in=scopes)
    events = [e for e in mine[:100] if "incidents.read" in capabilities_of(request.user, e.pk)]
    if len(events) == 1:
        return redirect("referee-desk", events[0].slug)
    return render(request, "referee/home.html", {"events": events})


@needs("incidents.read")
@require_safe
def referee_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """What the referee needs now: who waits longest first."""
    event = event_by_slug(slug)
    can = capabilities_of(request.user, event.pk)
    template = (
        "referee/desk_live.html" if request.GET.get("part") == "live" else "referee/desk.html"
    )
    return render(
        request, template,
        page(
            request, event, "referee-desk", calls=selectors.waiting(event),
            waiting=waiting_decisions(event),
            incidents=selectors.open_incidents(event), appeals=selectors.open_appeals(event),
            rulings=selectors.latest_rulings(event, 6), warned=selectors.warned(event)[:12],
            may_rule="incidents.rule" in can, may_hear="appeals.hear" in can,
            may_manage="rulings.finalise" in can, round=current_round(event),
        ),
    )  # fmt: skip


@needs("incidents.rule")
@require_POST
def take_call(request: HttpRequest, slug: str, call_id: uuid.UUID) -> HttpResponse:
    """I'm going: claim the call and open its incident."""
    event = event_by_slug(slug)
    get_object_or_404(RefereeCall, pk=call_id, table__scope=event.pk)
    incident = attempt(
        request, lambda: incidents.take_call(call_id=call_id, actor=actor_of(request))
    )
    if incident is None:
        return redirect("referee-desk", slug)
    return redirect("referee-incident", slug, incident.number)


def _table(event: Event, number: int | None, round_id: str) -> Table | None:
    rounds = Round.objects.filter(stage__event=event, published_at__isnull=False)
    try:
        part = rounds.filter(pk=uuid.UUID(round_id)).first() if round_id else current_round(event)
    except ValueError:
        return None
    if part is None or number is None:
        return None
    return part.tables.filter(number=number).first()


@needs("incidents.rule")
def open_incident(request: HttpRequest, slug: str) -> HttpResponse:
    """Open an incident that no table called for: by table or by a player's number."""
    event = event_by_slug(slug)
    refused = ""
    if request.method == "POST":
        typed = request.POST
        table = _table(event, whole(typed.get("table")), typed.get("round", "")[:40])
        player = whole(typed.get("player"))
        part = current_round(event)
        if table is None and player is not None and part is not None:
            seat = part.seats.select_related("table").filter(entrant__number=player).first()
            table = seat.table if seat else None
        if table is None:
            refused = _("There is no such table or player in this round.")
        else:
            chosen = table
            incident = attempt(
                request,
                lambda: incidents.open_incident(
                    event_id=event.pk, table_id=chosen.pk, told=typed.get("told", ""),
                    actor=actor_of(request), game=whole(typed.get("game")) or 1,
                    deal=whole(typed.get("deal")),
                ),
            )  # fmt: skip
            if incident is not None:
                return redirect("referee-incident", slug, incident.number)
    return render(
        request, "referee/incident_new.html",
        page(
            request, event, "referee-desk", typed=request.POST, refused=refused,
            rounds=Round.objects.filter(
                stage__event=event, published_at__isnull=False
            ).select_related("stage").order_by("-stage__order", "-number"),
            now=current_round(event),
            crumbs=[
                {"url": reverse("referee-desk", args=[slug]), "label": _("Referee")},
                {"label": _("New incident")},
            ],
        ),
        status=422 if refused else 200,
    )  # fmt: skip
