"""Decisions that need two persons, in words."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.urls import reverse

from accounts.pages import Labelled
from adjudication.models import Confirmation, ConfirmationState, Incident
from adjudication.queries.cases import case_of
from adjudication.queries.effects import is_damaged
from tournament.models import Event

from .shown import (
    WITH_INCIDENT,
    actor_names,
    article_of,
    damaged_text,
    facts_shown,
    localized,
    penalty_text,
    people_of,
    rationale,
    when,
    where,
)


@dataclass(slots=True)
class ConfirmationShown:
    """A decision that needs two persons, for pages."""

    article: str
    title: str
    penalty: str
    reason: str
    offender: str
    table: str
    round: str
    deal: int | None
    proposed_by: str
    proposed_at: str
    decided_by: str
    decided_at: str
    answer: str
    state: str
    state_label: str
    url: str
    facts: list[Labelled] = field(default_factory=list)
    because: list[str] = field(default_factory=list)


def show_confirmation(waiting: Confirmation) -> ConfirmationShown:
    """Return one decision as shown, with all its parts."""
    incident = waiting.incident
    case = case_of(incident)
    article = article_of(waiting.event, waiting.article, waiting.context.get("code"))
    damaged = is_damaged(waiting.proposal)
    names = actor_names([waiting.proposed_by, waiting.decided_by])
    return ConfirmationShown(
        article=waiting.article,
        title=localized(article.title) if article else waiting.article,
        penalty=damaged_text() if damaged else penalty_text(case, waiting.proposal),
        reason=waiting.reason,
        offender=people_of(case).get(str(waiting.context.get("player")), ""),
        table=str(incident.table_number or ""),
        round=where(incident),
        deal=incident.deal,
        proposed_by=names.get(waiting.proposed_by, ""),
        proposed_at=when(waiting.proposed_at),
        decided_by=names.get(waiting.decided_by, ""),
        decided_at=when(waiting.decided_at) if waiting.decided_at else "",
        answer=waiting.answer,
        state=str(waiting.state),
        state_label=str(waiting.get_state_display()),
        url=reverse("referee-confirmation", args=[waiting.event.slug, waiting.pk]),
        facts=facts_shown(case, article, waiting.facts),
        because=[] if damaged else rationale(waiting.proposal, case=case),
    )


def waiting_decisions(event: Event, incident: Incident | None = None) -> list[ConfirmationShown]:
    """Return the decisions that wait for a second person, the longest wait first."""
    rows = Confirmation.objects.filter(event=event, state=ConfirmationState.WAITING)
    if incident is not None:
        rows = rows.filter(incident=incident)
    return _shown(rows)


def decisions_not_confirmed(incident: Incident) -> list[ConfirmationShown]:
    """Return the incident's refused and withdrawn decisions, in the order of their proposal."""
    dropped = (ConfirmationState.REFUSED, ConfirmationState.WITHDRAWN)
    return _shown(Confirmation.objects.filter(incident=incident, state__in=dropped))


def _shown(rows: QuerySet[Confirmation]) -> list[ConfirmationShown]:
    related = rows.select_related(*WITH_INCIDENT)
    return [show_confirmation(each) for each in related.order_by("proposed_at")]
