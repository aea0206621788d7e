"""The referee's desk: the calls, the open incidents, the last rulings, the appeals."""

from __future__ import annotations

import uuid
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.access import actor_of, signed_in
from accounts.pages import Crumb, Page, show_page
from accounts.roles import capabilities_of, scopes_of
from adjudication.models import Appeal, Incident
from adjudication.penal import Fault, common_faults, find_fault
from adjudication.queries import desk as queries
from adjudication.queries.codes import code_of
from adjudication.queries.confirmations import ConfirmationShown, waiting_decisions
from adjudication.queries.known import minutes_since_start
from adjudication.queries.shown import RulingShown, localized
from adjudication.services import incidents
from tournament.access import needs
from tournament.models import Event, Round, Table
from tournament.models.tables import RefereeCall
from tournament.queries.brackets import stage_and_round
from tournament.queries.rounds import current_round
from tournament.views.doing import do
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole

from .common import attempt, crumbs


class HomePage(Page, template="referee/home.html"):
    events: list[Event]
    may_see_season: bool


@signed_in
@require_safe
def referee_home(request: HttpRequest) -> HttpResponse:
    """List the events whose incidents the caller may read; redirect to the desk of the only one."""
    scopes = scopes_of(request.user)
    mine = Event.objects.all()
    if "incidents.read" not in capabilities_of(request.user, None):
        mine = mine.filter(pk__in=scopes)
    events = [e for e in mine[:100] if "incidents.read" in capabilities_of(request.user, e.pk)]
    if len(events) == 1:
        return redirect("referee-desk", events[0].slug)
    may_see = "season.read" in capabilities_of(request.user, None)
    return show_page(request, HomePage(events=events, may_see_season=may_see))


class DeskPage(
    Page, template="referee/desk.html", further=("referee/desk_live.html",), here="referee-desk"
):
    calls: list[queries.WaitingCall]
    waiting: list[ConfirmationShown]
    incidents: list[queries.OpenIncident]
    appeals: list[Appeal]
    rulings: list[RulingShown]
    warned: list[queries.Warned]
    closed: list[queries.ClosedIncident]
    may_rule: bool
    may_manage: bool
    may_see_season: bool
    may_read_register: bool
    round: Round | None
    late: int | None
    faults: list[tuple[str, str]]


@needs("incidents.read")
@require_safe
def referee_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the referee's open work, the longest wait first."""
    event = event_by_slug(slug)
    can = capabilities_of(request.user, event.pk)
    round_ = current_round(event)
    return show_event(
        request,
        event,
        DeskPage(
            calls=queries.waiting(event, may_rule="incidents.rule" in can),
            waiting=waiting_decisions(event),
            incidents=queries.open_incidents(event),
            appeals=queries.open_appeals(event),
            rulings=queries.latest_rulings(event, 6),
            warned=queries.warned(event)[:12],
            closed=queries.closed_incidents(event),
            may_rule="incidents.rule" in can,
            may_manage="rulings.finalise" in can,
            may_see_season="season.read" in capabilities_of(request.user, None),
            may_read_register="discipline.read" in can,
            round=round_,
            late=minutes_since_start(round_) if round_ is not None else None,
            faults=[
                (fault.name, localized(fault.label)) for fault in common_faults(code_of(event))
            ],
        ),
        template="referee/desk_live.html" if request.GET.get("part") == "live" else "",
    )


@needs("incidents.rule")
@require_POST
def take_call(request: HttpRequest, slug: str, call_id: uuid.UUID) -> HttpResponse:
    """Claim a call and open its incident."""
    event = event_by_slug(slug)
    get_object_or_404(RefereeCall, pk=call_id, table__scope=event.pk)
    incident = do(request, incidents.open_at, event, call=call_id)
    if incident is None:
        return redirect("referee-desk", slug)
    return redirect("referee-incident", slug, incident.number)


def _round(event: Event, typed: QueryDict) -> Round | None:
    """Return the chosen published round, or the current round where none was chosen."""
    chosen = typed.get("round", "")[:40]
    if not chosen:
        return current_round(event)
    try:
        published = Round.objects.filter(stage__event=event, published_at__isnull=False)
        return published.filter(pk=uuid.UUID(chosen)).first()
    except ValueError:
        return None


def _seated(event: Event, typed: QueryDict) -> Table | None:
    """Return the typed table, or the table of a player's number, in the chosen round."""
    round_ = _round(event, typed)
    if round_ is None:
        return None
    number, player = whole(typed.get("table")), whole(typed.get("player"))
    table = round_.tables.filter(number=number).first() if number is not None else None
    if table is None and player is not None:
        seat = round_.seats.select_related("table").filter(entrant__number=player).first()
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
    return attempt(
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


class NewIncidentPage(Page, template="referee/incident_new.html", here="referee-desk"):
    """``fault``: name and label of the one that was tapped; ``tables``: numbers of those to tap."""

    typed: QueryDict
    refused: str
    fault: tuple[str, str] | None
    tables: list[int]
    rounds: list[tuple[uuid.UUID, str]]
    in_round: str | uuid.UUID | None
    crumbs: list[Crumb]


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
    return show_event(
        request,
        event,
        NewIncidentPage(
            typed=typed,
            refused=refused,
            fault=(fault.name, localized(fault.label)) if fault else None,
            tables=list(now.tables.order_by("number").values_list("number", flat=True))
            if now is not None and now.published_at is not None
            else [],
            rounds=[
                (round_.pk, stage_and_round(round_))
                for round_ in Round.objects.filter(stage__event=event, published_at__isnull=False)
                .select_related("stage__event")
                .order_by("-stage__order", "-number")
            ],
            in_round=typed.get("round") or (now.pk if now else None),
            crumbs=crumbs(slug, Crumb(localized(fault.label) if fault else _("New incident"))),
        ),
        status=422 if refused else 200,
    )
