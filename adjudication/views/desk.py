"""The referee's desk: the calls, the open incidents, the last rulings, the appeals."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.access import signed_in
from accounts.roles import capabilities_of, scopes_of
from adjudication.models import Incident
from adjudication.penal import Fault, common_faults, find_fault
from adjudication.queries import desk as queries
from adjudication.queries.codes import code_of
from adjudication.queries.confirmations import waiting_decisions
from adjudication.queries.known import minutes_since_start
from adjudication.queries.shown import localized
from adjudication.services import incidents
from tournament.access import needs
from tournament.models import Event, Round, Table
from tournament.models.tables import RefereeCall
from tournament.queries.rounds import current_round
from tournament.views.frame import event_by_slug, page

from .common import actor_of, attempt, whole


@signed_in
@require_safe
def referee_home(request: HttpRequest) -> HttpResponse:
    """The events whose incidents the caller may read; straight to the desk where it is one."""
    scopes = scopes_of(request.user)
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
    part = current_round(event)
    template = (
        "referee/desk_live.html" if request.GET.get("part") == "live" else "referee/desk.html"
    )
    return render(
        request,
        template,
        page(
            request,
            event,
            "referee-desk",
            calls=queries.waiting(event, may_rule="incidents.rule" in can),
            waiting=waiting_decisions(event),
            incidents=queries.open_incidents(event),
            appeals=queries.open_appeals(event),
            rulings=queries.latest_rulings(event, 6),
            warned=queries.warned(event)[:12],
            closed=queries.closed_incidents(event),
            may_rule="incidents.rule" in can,
            may_hear="appeals.hear" in can,
            may_manage="rulings.finalise" in can,
            round=part,
            late=minutes_since_start(part) if part is not None else None,
            faults=[
                {"name": fault.name, "label": localized(fault.label)}
                for fault in common_faults(code_of(event))
            ],
        ),
    )


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


def _seated(event: Event, typed: Any) -> Table | None:
    """The table that was typed, or that of a player's number in the current round."""
    table = _table(event, whole(typed.get("table")), typed.get("round", "")[:40])
    player, part = whole(typed.get("player")), current_round(event)
    if table is None and player is not None and part is not None:
        seat = part.seats.select_related("table").filter(entrant__number=player).first()
        return seat.table if seat else None
    return table


def _open_at(
    request: HttpRequest, event: Event, table: Table, fault: Fault | None
) -> Incident | None:
    """Open the incident: at the deal that is played, unless another is named; in the fault's words.

    A deal without its game is one of the game that is played, a game without deal no deal of another.
    """
    typed = request.POST
    playing, in_play = incidents.in_play(table)
    game, deal = whole(typed.get("game")), whole(typed.get("deal"))
    if deal is None and game in (None, playing):
        deal = in_play
    description = typed.get("told", "").strip() or (
        localized(fault.label) if fault is not None else ""
    )
    opened: Incident | None = attempt(
        request,
        lambda: incidents.open_incident(
            event_id=event.pk,
            table_id=table.pk,
            description=description,
            actor=actor_of(request),
            game=game,
            deal=deal,
        ),
    )
    return opened


@needs("incidents.rule")
def open_incident(request: HttpRequest, slug: str) -> HttpResponse:
    """Open an incident that no table called for: by table or by a player's number."""
    event = event_by_slug(slug)
    refused = ""
    typed = request.POST if request.method == "POST" else request.GET
    fault = find_fault(code_of(event), typed.get("fault", ""))
    if request.method == "POST":
        table = _seated(event, typed)
        if table is None:
            refused = _("No such table or player in this round.")
        else:
            incident = _open_at(request, event, table, fault)
            if incident is not None:
                address = reverse("referee-incident", args=[slug, incident.number])
                if fault is not None:
                    query = {"article": fault.article.id, "fault": fault.name}
                    return redirect(f"{address}?{urlencode(query)}#article")
                return redirect(address)
    now = current_round(event)
    return render(
        request,
        "referee/incident_new.html",
        page(
            request,
            event,
            "referee-desk",
            typed=typed,
            refused=refused,
            fault={"name": fault.name, "label": localized(fault.label)} if fault else None,
            tables=now.tables.order_by("number").values_list("number", flat=True)
            if now is not None and now.published_at is not None
            else [],
            rounds=Round.objects.filter(stage__event=event, published_at__isnull=False)
            .select_related("stage__event")
            .order_by("-stage__order", "-number"),
            now=now,
            crumbs=[
                {"url": reverse("referee-desk", args=[slug]), "label": _("Referee")},
                {"label": (fault and localized(fault.label)) or _("New incident")},
            ],
        ),
        status=422 if refused else 200,
    )
