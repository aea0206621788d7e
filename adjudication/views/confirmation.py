"""A decision that needs two persons: what was proposed, what it would change, confirm or refuse."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.roles import capabilities_of
from adjudication.models import Confirmation, ConfirmationState, NextRound
from adjudication.queries.confirmations import show_confirmation
from adjudication.queries.effects import later_rounds
from adjudication.services import confirmations
from adjudication.services.access import plays_at
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from tournament.access import needs
from tournament.views.frame import event_by_slug, page

from .common import actor_of, attempt, in_words


@needs("incidents.read")
@require_safe
def confirmation_page(request: HttpRequest, slug: str, confirmation_id: uuid.UUID) -> HttpResponse:
    """What was proposed and by whom; the second person confirms or refuses it here."""
    event = event_by_slug(slug)
    waiting = confirmations.confirmation_of(event, confirmation_id)
    return render(
        request,
        "referee/confirmation.html",
        page(
            request,
            event,
            "referee-desk",
            shown=show_confirmation(waiting),
            row=waiting,
            **_rights(request, waiting),
            **_looked_ahead(waiting),
            crumbs=[
                {"url": reverse("referee-desk", args=[slug]), "label": _("Referee")},
                {
                    "url": reverse("referee-incident", args=[slug, waiting.incident.number]),
                    "label": _("Incident %(n)d") % {"n": waiting.incident.number},
                },
                {"label": _("Second person")},
            ],
        ),
    )


def _rights(request: HttpRequest, waiting: Confirmation) -> dict[str, object]:
    actor = actor_of(request)
    can = capabilities_of(request.user, waiting.event_id)
    own_table = plays_at(actor, waiting.incident)
    is_open = waiting.state == ConfirmationState.WAITING
    own = str(actor) == waiting.proposed_by
    may = is_open and "rulings.confirm" in can and not own_table
    return {
        "own": own and is_open,
        "own_table": own_table,
        "may_confirm": may and not own,
        "may_refuse": may,
        "may_not": is_open and "rulings.confirm" not in can,
    }


def _looked_ahead(waiting: Confirmation) -> dict[str, object]:
    """What would change if it were confirmed now, and what has to be answered for that."""
    if waiting.state != ConfirmationState.WAITING:
        return {}
    context: dict[str, object] = {
        "later": later_rounds(waiting.incident),
        "next_rounds": [(choice.value, choice.label) for choice in NextRound if choice.value],
    }
    try:
        context["impact"] = confirmations.impact_if_confirmed(waiting)
    except Refused as refusal:
        context["impact_refused"] = str(refusal)
    except EngineError as error:
        context["impact_refused"] = in_words(error)
    return context


@needs("rulings.confirm")
@require_POST
def confirm(request: HttpRequest, slug: str, confirmation_id: uuid.UUID) -> HttpResponse:
    """The second person puts it in force."""
    waiting = confirmations.confirmation_of(event_by_slug(slug), confirmation_id)
    ruling = attempt(
        request,
        lambda: confirmations.confirm(
            confirmation_id=waiting.pk,
            actor=actor_of(request),
            next_round=request.POST.get("next_round", ""),
        ),
    )
    if ruling is None:
        return redirect("referee-confirmation", slug, waiting.pk)
    messages.success(
        request, _("Ruling %(n)d is in force. The table can see it now.") % {"n": ruling.number}
    )
    return redirect("referee-ruling", slug, ruling.number)


@needs("rulings.confirm")
@require_POST
def refuse(request: HttpRequest, slug: str, confirmation_id: uuid.UUID) -> HttpResponse:
    """Drop it with a reason; the person who proposed it withdraws it."""
    waiting = confirmations.confirmation_of(event_by_slug(slug), confirmation_id)
    done = attempt(
        request,
        lambda: confirmations.refuse(
            confirmation_id=waiting.pk,
            actor=actor_of(request),
            reason=request.POST.get("reason", ""),
        ),
        _("Refused. Nothing has changed."),
    )
    if done is None:
        return redirect("referee-confirmation", slug, waiting.pk)
    return redirect("referee-incident", slug, waiting.incident.number)
