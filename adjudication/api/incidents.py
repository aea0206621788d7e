"""Incidents by program: listed, opened, read, proposed upon; the other verbs follow from their services."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, actor_of
from adjudication.models import Incident
from adjudication.penal import Rulers
from adjudication.queries.impact import impact_of
from adjudication.services import confirmations, incidents, rulings
from adjudication.services.access import may_confirm
from adjudication.services.proposals import propose
from ledger.verbs import verb_of
from tournament.api.verbs import body_of, given_of

from . import shapes
from .common import RULE, detail, event_of, listing

FILTERS: Final[dict[str, tuple[str, type]]] = {
    "state": ("state", str),
    "table": ("table_number", int),
    "round": ("round__number", int),
}


def incident_of(slug: str, number: int) -> Incident:
    """Return the incident of an address."""
    return incidents.incident_by_number(event_of(slug), number)


Incidents = listing(
    "incidents_list",
    "Return a page of incidents, oldest first; ``state``, ``table`` and ``round`` filter.",
    lambda event: Incident.objects.filter(event=event).prefetch_related("rulings"),
    shapes.IncidentShape,
    FILTERS,
    "number",
)
IncidentDetail = detail(
    "incidents_read",
    "Return the incident with the numbers of its rulings.",
    incident_of,
    shapes.IncidentShape,
)


class Propose(APIView):
    """Preview of a ruling: the penal code's proposal and its impact."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="incidents_propose",
        request=body_of(verb_of(confirmations.rule)),
        responses=shapes.ProposedShape,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Return proposal, impact and ``seen``; store nothing.

        No impact while a choice is open, nor for a decision that the caller could not make.
        """
        event, actor = event_of(slug), actor_of(request)
        incident = incidents.incident_by_number(event, number)
        stated = given_of(verb_of(confirmations.rule), request)["stated"]
        proposed = propose(incident, stated.article, stated.facts, claimed=stated.claimed)
        answer: dict[str, Any] = {
            "proposal": proposed.proposal.as_json(),
            "impact": None,
            "against_record": [
                {"field": each.field, "question": str(each.question), "sheet": each.sheet}
                for each in proposed.contradictions
            ],
            "seen": rulings.versions_on(incident),
        }
        tried = replace(
            stated,
            reason=stated.reason or "preview",
            seen=None,
            against_record=[each.field for each in proposed.contradictions],
        )
        two = proposed.proposal.needs_second or proposed.rulers is not Rulers.REFEREE
        if not proposed.proposal.choices and not (two and not may_confirm(actor, event.pk)):
            answer["impact"] = impact_of(
                incident,
                lambda: rulings.issue(
                    incident_id=incident.pk,
                    stated=tried,
                    actor=actor,
                    second=rulings.PREVIEW,
                ),
            )
        return Response(shapes.ProposedShape(answer).data)
