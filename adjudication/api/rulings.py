"""Rulings by program: listed, read with every version, amended, annulled, made final."""

from __future__ import annotations

from typing import ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.models import Confirmation
from adjudication.queries.shown import rulings_with
from adjudication.services import confirmations, rulings
from tournament.models import Event

from . import shapes
from .common import (
    DECISION,
    FINAL,
    READ,
    REASON,
    RULE,
    actor_of,
    answers,
    body_of,
    decision_of,
    described,
    event_of,
    filtered,
    number_of,
    paged,
    text_of,
)

FILTERS: Final[dict[str, tuple[str, type]]] = {
    "article": ("article", str),
    "state": ("state", str),
    "measure": ("measure", str),
    "table": ("incident__table_number", int),
    "round": ("incident__round__number", int),
    "offender": ("offender__number", int),
}


def as_it_is(event: Event, number: int) -> Response:
    """The ruling as it is now, every version readable."""
    return Response(shapes.ruling(rulings.ruling_by_number(event, number), whole=True))


class Rulings(APIView):
    """The rulings of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="rulings_list", responses=answers(), parameters=described(FILTERS))
    def get(self, request: Request, slug: str) -> Response:
        """A page of rulings, oldest first, filtered by the columns named."""
        rows = filtered(request, rulings_with(event_of(slug)), FILTERS)
        return paged(request, rows.order_by("number"), shapes.ruling)


class RulingDetail(APIView):
    """One ruling with all its versions and appeals."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="rulings_read", responses=answers())
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The ruling, every version readable."""
        return as_it_is(event_of(slug), number)


class Amend(APIView):
    """Amend a ruling."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="rulings_amend", request=DECISION, responses={**answers(), **answers(202)}
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """With a reason; the former version stays readable, the time for an appeal begins anew.

        What needs two people is a 202 and waits in `confirmations/`.
        """
        event, body = event_of(slug), body_of(request)
        ruling = rulings.ruling_by_number(event, number)
        amended = confirmations.rule(
            incident_id=ruling.incident_id,
            amends=ruling.pk,
            actor=actor_of(request),
            reason=text_of(body, "reason"),
            seen=number_of(body, "seen"),
            **decision_of(body),
        )
        if isinstance(amended, Confirmation):
            return Response(shapes.confirmation(amended), status=202)
        return as_it_is(event, number)


class Annul(APIView):
    """Annul a ruling."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(operation_id="rulings_annul", request=REASON, responses=answers())
    def post(self, request: Request, slug: str, number: int) -> Response:
        """With a reason; one that is final or beyond one referee only by the chief referee."""
        event, body = event_of(slug), body_of(request)
        ruling = rulings.ruling_by_number(event, number)
        rulings.annul(
            ruling_id=ruling.pk,
            actor=actor_of(request),
            reason=text_of(body, "reason"),
            next_round=text_of(body, "next_round"),
            seen=number_of(body, "seen"),
        )
        return as_it_is(event, number)


class RulingFinal(APIView):
    """Make a ruling final before its deadline."""

    access: ClassVar[dict[str, Access]] = {"POST": FINAL}

    @extend_schema(operation_id="rulings_finalise", request=None, responses=answers())
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Final from now on; a final ruling stays as it is."""
        event = event_of(slug)
        ruling = rulings.ruling_by_number(event, number)
        rulings.finalise(ruling_id=ruling.pk, actor=actor_of(request))
        return as_it_is(event, number)
