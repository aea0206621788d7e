"""Rulings, confirmations and appeals by program: listed and read; their verbs follow from the services."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.models import Appeal, Confirmation, Ruling, Sanction
from adjudication.queries.codes import code_of
from adjudication.queries.discipline import register, sanctions_of
from adjudication.queries.precedents import Precedent, precedents
from adjudication.queries.shown import rulings_with
from adjudication.services import confirmations, rulings
from tournament.api.verbs import shape_of

from . import shapes
from .common import READ, detail, event_of, listing

FILTERS: Final[dict[str, tuple[str, type]]] = {
    "article": ("article", str),
    "state": ("state", str),
    "measure": ("measure", str),
    "table": ("incident__table_number", int),
    "round": ("incident__round__number", int),
    "offender": ("offender__number", int),
}
CONFIRMATIONS: Final[dict[str, tuple[str, type]]] = {
    "state": ("state", str),
    "article": ("article", str),
    "incident": ("incident__number", int),
}
APPEALS: Final[dict[str, tuple[str, type]]] = {
    "state": ("state", str),
    "side": ("side", str),
    "ruling": ("ruling__number", int),
}


def ruling_of(slug: str, number: int) -> Ruling:
    """Return the ruling of an address."""
    return rulings.ruling_by_number(event_of(slug), number)


def confirmation_of(slug: str, confirmation_id: uuid.UUID) -> Confirmation:
    """Return the decision of an address."""
    return confirmations.confirmation_of(event_of(slug), confirmation_id)


def appeal_of(slug: str, appeal_id: uuid.UUID) -> Appeal:
    """Return the appeal of an address."""
    return get_object_or_404(Appeal, pk=appeal_id, ruling__event=event_of(slug))


Rulings = listing(
    "rulings_list",
    "Return a page of rulings, oldest first, filtered by query parameters.",
    rulings_with,
    shapes.RulingShape,
    FILTERS,
    "number",
)
RulingDetail = detail(
    "rulings_read", "Return the ruling with every version.", ruling_of, shapes.WholeRulingShape
)
Confirmations = listing(
    "confirmations_list",
    "Return a page of decisions, oldest first; `state=waiting` selects those not yet in force.",
    lambda event: Confirmation.objects.filter(event=event).select_related(
        "incident", "amends", "ruling"
    ),
    shapes.ConfirmationShape,
    CONFIRMATIONS,
    "proposed_at",
)
ConfirmationDetail = detail(
    "confirmations_read",
    "Return a proposed decision with its proposer and its state.",
    confirmation_of,
    shapes.ConfirmationShape,
)
Appeals = listing(
    "appeals_list",
    "Return a page of appeals, oldest first; ``state``, ``side`` and ``ruling`` filter.",
    lambda event: Appeal.objects.filter(ruling__event=event).select_related("ruling"),
    shapes.AppealShape,
    APPEALS,
    "lodged_at",
)


class Precedents(APIView):
    """Final rulings of every event, without names."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(
        operation_id="precedents_list",
        responses=shape_of(Precedent)(many=True),
        parameters=[
            OpenApiParameter("article", OpenApiTypes.STR, description="The id of an article."),
            OpenApiParameter("q", OpenApiTypes.STR, description="Words, in fr, nl or en."),
        ],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the newest precedents, without names, event and day; ``article`` and ``q`` select."""
        given = request.query_params
        listed = precedents(
            code_of(event_of(slug)), given.get("q", "")[:80], given.get("article", "")[:24]
        )
        return Response(shape_of(Precedent)(listed, many=True).data)


def sanction_of(slug: str, sanction_id: uuid.UUID) -> Sanction:
    """Return the entry of the register of an address; of a ruling of the event."""
    return get_object_or_404(register(), pk=sanction_id, ruling__event=event_of(slug))


class Discipline(APIView):
    """The discipline register, as far as it concerns an event."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "discipline.read")}

    @extend_schema(operation_id="sanctions_list", responses=shapes.SanctionShape(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the entries from the event's rulings, and those in force on its players' names."""
        listed = {each.id for each in sanctions_of(event_of(slug))}
        return Response(shapes.SanctionShape(register().filter(pk__in=listed), many=True).data)
