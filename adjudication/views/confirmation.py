"""A decision that needs two persons: what was proposed, what it would change, confirm or refuse."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.access import actor_of
from accounts.pages import Crumb, Page
from accounts.roles import capabilities_of
from adjudication.models import Confirmation, ConfirmationState
from adjudication.queries.confirmations import ConfirmationShown, show_confirmation
from adjudication.queries.effects import is_damaged, open_draws
from adjudication.queries.impact import Impact
from adjudication.services import confirmations
from adjudication.services.access import plays_at
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from tournament.access import needs
from tournament.models import Round
from tournament.views.doing import do
from tournament.views.frame import event_by_slug, show_event

from .common import NEXT_ROUNDS, Answers, in_words, incident_crumbs


class ConfirmationPage(Page, template="referee/confirmation.html", here="referee-desk"):
    shown: ConfirmationShown
    row: Confirmation
    own: bool
    own_table: bool
    may_confirm: bool
    may_refuse: bool
    may_not: bool
    later: list[Round]
    next_rounds: Answers = NEXT_ROUNDS
    next_round: str = ""
    impact: Impact | None
    impact_refused: str
    crumbs: list[Crumb]


@needs("incidents.read")
@require_safe
def confirmation_page(request: HttpRequest, slug: str, confirmation_id: uuid.UUID) -> HttpResponse:
    """Show a proposed decision with its proposer; the second person confirms or refuses it here."""
    event = event_by_slug(slug)
    waiting = confirmations.confirmation_of(event, confirmation_id)
    is_open = waiting.state == ConfirmationState.WAITING
    impact, refused = _looked_ahead(waiting) if is_open else (None, "")
    shown, sound = show_confirmation(waiting), not is_damaged(waiting.proposal)
    if sound and impact is not None and impact.ruling is not None:
        # The text matches the later sheet, with the other rulings on the deal included.
        shown.penalty, shown.because = impact.ruling.penalty, impact.ruling.because
    actor = actor_of(request)
    can = capabilities_of(request.user, event.pk)
    own_table = plays_at(actor, waiting.incident)
    own = str(actor) == waiting.proposed_by
    may = is_open and "rulings.confirm" in can and not own_table
    return show_event(
        request,
        event,
        ConfirmationPage(
            shown=shown,
            row=waiting,
            own=own and is_open,
            own_table=own_table,
            may_confirm=may and not own,
            may_refuse=may,
            may_not=is_open and "rulings.confirm" not in can,
            later=open_draws(waiting.incident) if is_open else [],
            impact=impact,
            impact_refused=refused,
            crumbs=incident_crumbs(waiting.incident, Crumb(_("Second person"))),
        ),
    )


def _looked_ahead(waiting: Confirmation) -> tuple[Impact | None, str]:
    """Return the impact of confirming now, or the reason of the refusal."""
    try:
        return confirmations.impact_if_confirmed(waiting), ""
    except Refused as refusal:
        return None, str(refusal)
    except EngineError as error:
        return None, in_words(error)


@needs("rulings.confirm")
@require_POST
def confirm(request: HttpRequest, slug: str, confirmation_id: uuid.UUID) -> HttpResponse:
    """Put a proposed decision in force, as the second person."""
    waiting = confirmations.confirmation_of(event_by_slug(slug), confirmation_id)
    ruling = do(request, confirmations.confirm, waiting)
    if ruling is None:
        return redirect("referee-confirmation", slug, waiting.pk)
    return redirect("referee-ruling", slug, ruling.number)


@needs("rulings.confirm")
@require_POST
def refuse(request: HttpRequest, slug: str, confirmation_id: uuid.UUID) -> HttpResponse:
    """Drop it with a reason; the person who proposed it withdraws it."""
    waiting = confirmations.confirmation_of(event_by_slug(slug), confirmation_id)
    if do(request, confirmations.refuse, waiting) is None:
        return redirect("referee-confirmation", slug, waiting.pk)
    return redirect("referee-incident", slug, waiting.incident.number)
