"""A ruling: what it says, every version, its appeals; annul, finalise, appeal, hear."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.roles import capabilities_of
from adjudication.models import (
    Appeal,
    AppealState,
    Cause,
    Incident,
    NextRound,
    Ruling,
    RulingState,
)
from adjudication.queries.effects import later_rounds
from adjudication.queries.impact import impact_of
from adjudication.queries.shown import actor_names, show, side_label, when
from adjudication.services import appeals, incidents, rulings
from adjudication.services.access import is_reserved, plays_at
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event
from tournament.views.frame import event_by_slug, page

from .common import HEARING, actor_of, attempt, whole


@needs("incidents.read")
@require_safe
def ruling_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The ruling as it stands and as it came to be."""
    event = event_by_slug(slug)
    ruling = rulings.ruling_by_number(event, number)
    return _page(request, event, ruling, asks=request.GET.get("preview") == "undone")


def _page(
    request: HttpRequest, event: Event, ruling: Ruling, *, asks: bool, status: int = 200
) -> HttpResponse:
    """The page of a ruling, with what was typed in it, and what undoing it changes to who asks."""
    slug = event.slug
    shown = show(ruling, whole=True)
    rights = _rights(request, event, ruling)
    undone = (
        _undone(request, ruling) if asks and (rights["may_annul"] or rights["may_hear"]) else {}
    )
    return render(
        request,
        "referee/ruling.html",
        page(
            request,
            event,
            "referee-desk",
            ruling=shown,
            row=ruling,
            history=_history(ruling),
            appeals=_appeals(ruling, shown.case),
            sides=[
                {"code": side, "name": side_label(shown.case, side)}
                for side in appeals.sides_of(ruling)
            ],
            later=later_rounds(ruling.incident),
            seen=rulings.versions_on(ruling.incident),
            confirmed_by=_confirmed_by(ruling),
            next_rounds=[(c.value, c.label) for c in NextRound if c.value],
            typed=request.POST,
            **rights,
            **undone,
            crumbs=[
                {"url": reverse("referee-desk", args=[slug]), "label": _("Referee")},
                {
                    "url": reverse("referee-incident", args=[slug, ruling.incident.number]),
                    "label": _("Incident %(n)d") % {"n": ruling.incident.number},
                },
                {"label": _("Ruling %(n)d") % {"n": ruling.number}},
            ],
        ),
        status=status,
    )


def _undone(request: HttpRequest, ruling: Ruling) -> dict[str, object]:
    """What annulling the ruling, or overturning it on appeal, would change; or why it is refused."""
    incident = Incident.objects.select_related(*incidents.RELATED).get(pk=ruling.incident_id)
    appealed = ruling.appeals.filter(state=AppealState.OPEN).exists()

    def act() -> Ruling:
        return rulings.annul(
            ruling_id=ruling.pk,
            actor=actor_of(request),
            reason="preview",
            next_round=NextRound.STANDS.value if later_rounds(incident) else "",
            cause=Cause.OVERTURNED if appealed else Cause.ANNULLED,
        )

    try:
        return {"impact": impact_of(incident, act)}
    except Refused as refusal:
        return {"impact_refused": str(refusal)}


def _rights(request: HttpRequest, event: Event, ruling: Ruling) -> dict[str, object]:
    can = capabilities_of(request.user, event.pk)
    own = plays_at(actor_of(request), ruling.incident)
    provisional = ruling.state == RulingState.PROVISIONAL and not ruling.is_final
    appealed = ruling.appeals.filter(state=AppealState.OPEN).exists()
    rules = (
        "incidents.rule" in can
        and not own
        and (not is_reserved(ruling) or "rulings.confirm" in can)
    )
    final = "rulings.finalise" in can
    return {
        "own_table": own,
        "may_amend": rules and provisional and not appealed,
        "may_annul": not appealed
        and ruling.in_force
        and ((rules and provisional) or (final and not own)),
        "may_finalise": final and not own and provisional and not appealed,
        "may_appeal": "incidents.rule" in can
        and not own
        and provisional
        and not appealed
        and ruling.appeal_until > timezone.now(),
        "may_withdraw_appeal": appealed and not own and "incidents.rule" in can,
        "may_hear": appealed
        and not own
        and "appeals.hear" in can
        and appeals.may_hear(actor_of(request), ruling),
    }


def _confirmed_by(ruling: Ruling) -> str:
    """Who confirmed the ruling as it stands, where that was needed."""
    latest = ruling.versions.latest("number")
    decided = ruling.confirmations.filter(version=latest.number)
    # Versions of earlier releases do not name who confirmed them.
    second = latest.second or decided.values_list("decided_by", flat=True).first() or ""
    return actor_names([second]).get(second, "")


def _history(ruling: Ruling) -> list[dict[str, object]]:
    versions = list(ruling.versions.order_by("-number"))
    names = actor_names(version.made_by for version in versions)
    items = []
    for place, version in enumerate(versions):
        shown = show(ruling, version, whole=True)
        items.append(
            {
                "when": when(version.made_at),
                "who": names[version.made_by],
                "what": f"{version.number}. {version.get_cause_display()}{_(':')} "
                + f"{shown.article} · {shown.penalty}",
                "why": version.reason,
                "in_force": place == 0 and version.in_force,
                "superseded": place > 0,
                "shown": shown,
            }
        )
    return items


def _appeals(ruling: Ruling, case: Any) -> list[dict[str, object]]:
    appeals = list(ruling.appeals.order_by("lodged_at"))
    names = actor_names([a.lodged_by for a in appeals] + [a.heard_by for a in appeals])
    return [
        {
            "id": appeal.pk,
            "side": side_label(case, appeal.side),
            "grounds": appeal.grounds,
            "state": appeal.state,
            "state_label": appeal.get_state_display(),
            "lodged": when(appeal.lodged_at),
            "by": names.get(appeal.lodged_by, ""),
            "heard": when(appeal.heard_at) if appeal.heard_at else "",
            "heard_by": names.get(appeal.heard_by, ""),
            "decision": appeal.decision,
            "open": appeal.state == AppealState.OPEN,
        }
        for appeal in appeals
    ]


@needs("incidents.rule")
@require_http_methods(["GET", "HEAD", "POST"])
def annul(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take the ruling back, or look first; a final one only by who may finalise."""
    event = event_by_slug(slug)
    ruling = rulings.ruling_by_number(event, number)
    if request.method != "POST":
        return redirect("referee-ruling", slug, number)
    if "look" in request.POST:
        return _page(request, event, ruling, asks=True)
    annulled = attempt(
        request,
        lambda: rulings.annul(
            ruling_id=ruling.pk,
            actor=actor_of(request),
            reason=request.POST.get("reason", ""),
            next_round=request.POST.get("next_round", ""),
            seen=whole(request.POST.get("seen")),
        ),
        _("The ruling has been annulled and its effect on the score undone."),
    )
    if annulled is None:
        return _page(request, event, ruling, asks=False, status=422)
    return redirect("referee-ruling", slug, number)


@needs("rulings.finalise")
@require_POST
def finalise(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Make the ruling final before its deadline."""
    ruling = rulings.ruling_by_number(event_by_slug(slug), number)
    attempt(
        request,
        lambda: rulings.finalise(ruling_id=ruling.pk, actor=actor_of(request)),
        _("The ruling is final."),
    )
    return redirect("referee-ruling", slug, number)


@needs("incidents.rule")
@require_POST
def appeal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Write down a side's appeal."""
    ruling = rulings.ruling_by_number(event_by_slug(slug), number)
    attempt(
        request,
        lambda: appeals.lodge(
            ruling_id=ruling.pk,
            side=request.POST.get("side", ""),
            grounds=request.POST.get("grounds", ""),
            actor=actor_of(request),
        ),
        _("The appeal has been lodged."),
    )
    return redirect("referee-ruling", slug, number)


@needs("incidents.rule")
@require_POST
def withdraw_appeal(
    request: HttpRequest, slug: str, number: int, appeal_id: uuid.UUID
) -> HttpResponse:
    """Write down that a side withdrew its appeal before it was heard."""
    ruling = rulings.ruling_by_number(event_by_slug(slug), number)
    lodged = get_object_or_404(Appeal, pk=appeal_id, ruling=ruling)
    attempt(
        request,
        lambda: appeals.withdraw(appeal_id=lodged.pk, actor=actor_of(request)),
        _("The appeal is withdrawn."),
    )
    return redirect("referee-ruling", slug, number)


@needs("appeals.hear")
@require_http_methods(["GET", "HEAD", "POST"])
def hear(request: HttpRequest, slug: str, number: int, appeal_id: uuid.UUID) -> HttpResponse:
    """Uphold or overturn, or look first; a change goes through the incident's page."""
    event = event_by_slug(slug)
    ruling = rulings.ruling_by_number(event, number)
    heard = get_object_or_404(Appeal, pk=appeal_id, ruling=ruling)
    if request.method != "POST":
        return redirect("referee-ruling", slug, number)
    if "look" in request.POST:
        return _page(request, event, ruling, asks=True)
    outcome = request.POST.get("outcome", "")
    if outcome == "changed":
        request.session[HEARING] = {str(heard.pk): request.POST.get("decision", "")[:1000]}
        address = reverse("referee-incident", args=[slug, ruling.incident.number])
        return redirect(f"{address}?appeal={heard.pk}#article")
    decided = attempt(
        request,
        lambda: appeals.hear(
            appeal_id=heard.pk,
            outcome=outcome,
            decision=request.POST.get("decision", ""),
            actor=actor_of(request),
            next_round=request.POST.get("next_round", ""),
        ),
        _("The appeal has been decided."),
    )
    if decided is None:
        return _page(request, event, ruling, asks=False, status=422)
    return redirect("referee-ruling", slug, number)
