"""Incidents by program: listed, opened, placed, proposed upon, ruled on, dismissed, withdrawn, merged."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.models import Confirmation, Incident
from adjudication.penal import Rulers
from adjudication.queries.impact import impact_json, impact_of
from adjudication.services import confirmations, incidents, rulings
from adjudication.services.access import may_confirm
from adjudication.services.proposals import propose
from ledger.errors import Refused
from tournament.models import Event, Round, Table
from tournament.models.tables import RefereeCall

from . import shapes
from .common import (
    DECISION,
    PROPOSAL,
    READ,
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
    "state": ("state", str),
    "table": ("table_number", int),
    "round": ("round__number", int),
}


class Incidents(APIView):
    """The incidents of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "POST": RULE}

    @extend_schema(
        operation_id="incidents_list",
        responses=answers(),
        parameters=described(FILTERS),
    )
    def get(self, request: Request, slug: str) -> Response:
        """A page of incidents, oldest first; ``state``, ``table`` and ``round`` filter."""
        rows = Incident.objects.filter(event=event_of(slug)).prefetch_related("rulings")
        return paged(request, filtered(request, rows, FILTERS).order_by("number"), shapes.incident)

    @extend_schema(
        operation_id="incidents_open",
        responses=answers(201),
        request=inline_serializer(
            "OpenIncident",
            {
                "call": serializers.UUIDField(required=False),
                "round": serializers.UUIDField(required=False),
                "table": serializers.IntegerField(required=False),
                "game": serializers.IntegerField(
                    required=False, help_text="Without it the game that the table is playing."
                ),
                "deal": serializers.IntegerField(required=False),
                "told": serializers.CharField(required=False),
            },
        ),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take a waiting ``call``, or open an incident at a ``table`` of a ``round``."""
        event, body = event_of(slug), body_of(request)
        if body.get("call"):
            call = self._call(event, text_of(body, "call"))
            incident = incidents.take_call(call_id=call, actor=actor_of(request))
        else:
            incident = incidents.open_incident(
                event_id=event.pk,
                table_id=self._table(event, body),
                description=text_of(body, "told"),
                actor=actor_of(request),
                game=number_of(body, "game"),
                deal=number_of(body, "deal"),
            )
        return Response(shapes.incident(incident), status=201)

    def _call(self, event: Event, text: str) -> uuid.UUID:
        try:
            wanted = uuid.UUID(text)
        except ValueError as error:
            raise Refused("no_such_call", _("No such call."), field="call") from error
        if not RefereeCall.objects.filter(pk=wanted, table__scope=event.pk).exists():
            raise Refused("no_such_call", _("No such call."), field="call")
        return wanted

    def _table(self, event: Event, body: dict[str, Any]) -> uuid.UUID | None:
        number = number_of(body, "table")
        if number is None:
            return None
        rounds = Round.objects.filter(stage__event=event, published_at__isnull=False)
        if body.get("round"):
            try:
                rounds = rounds.filter(pk=uuid.UUID(text_of(body, "round")))
            except ValueError as error:
                raise Refused(
                    "no_such_round", _("This event has no such round."), field="round"
                ) from error
        part = rounds.order_by("-stage__order", "-number").first()
        table = Table.objects.filter(round=part, number=number).first() if part else None
        if table is None:
            raise Refused("no_such_table", _("This round has no such table."), field="table")
        return table.pk


class IncidentDetail(APIView):
    """One incident."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="incidents_read", responses=answers())
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The incident with the numbers of its rulings."""
        return Response(shapes.incident(incidents.incident_by_number(event_of(slug), number)))


class Propose(APIView):
    """What the penal code proposes, and what it would change."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(operation_id="incidents_propose", request=PROPOSAL, responses=answers())
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Proposal, impact and ``seen``; leaves nothing.

        No impact while a choice is open, nor for a decision that the caller could not make.
        """
        event, body, actor = event_of(slug), body_of(request), actor_of(request)
        incident = incidents.incident_by_number(event, number)
        decision = decision_of(body)
        proposed = propose(
            incident, decision["article"], decision["facts"], claimed=decision["claimed"]
        )
        answer: dict[str, Any] = {
            "proposal": proposed.proposal.as_json(),
            "impact": None,
            "against_record": [
                {"field": each.field, "question": str(each.question), "sheet": each.sheet}
                for each in proposed.contradictions
            ],
            "seen": rulings.versions_on(incident),
        }
        decision["against_record"] = [each.field for each in proposed.contradictions]
        two = proposed.proposal.needs_second or proposed.rulers is not Rulers.REFEREE
        if not proposed.proposal.choices and not (two and not may_confirm(actor, event.pk)):
            reason = text_of(body, "reason") or "preview"
            answer["impact"] = impact_json(
                impact_of(
                    incident,
                    lambda: rulings.issue(
                        incident_id=incident.pk,
                        actor=actor,
                        reason=reason,
                        second=rulings.PREVIEW,
                        **decision,
                    ),
                )
            )
        return Response(answer)


class Rule(APIView):
    """Issue a ruling on an incident."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="incidents_rule", request=DECISION, responses={**answers(201), **answers(202)}
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """In force at once, provisional until the deadline for appeals.

        What needs two people is a 202 and waits in `confirmations/`.
        """
        event, body = event_of(slug), body_of(request)
        incident = incidents.incident_by_number(event, number)
        ruling = confirmations.rule(
            incident_id=incident.pk,
            actor=actor_of(request),
            reason=text_of(body, "reason"),
            seen=number_of(body, "seen"),
            **decision_of(body),
        )
        if isinstance(ruling, Confirmation):
            return Response(shapes.confirmation(ruling), status=202)
        whole = rulings.ruling_by_number(event, ruling.number)
        return Response(shapes.ruling(whole, whole=True), status=201)


class Place(APIView):
    """Say in which game and deal it happened."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="incidents_place",
        responses=answers(),
        request=inline_serializer(
            "Place",
            {
                "game": serializers.IntegerField(required=False),
                "deal": serializers.IntegerField(required=False),
            },
        ),
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Refused once a ruling was made."""
        body = body_of(request)
        incident = incidents.incident_by_number(event_of(slug), number)
        placed = incidents.place_incident(
            incident_id=incident.pk,
            actor=actor_of(request),
            game=number_of(body, "game"),
            deal=number_of(body, "deal"),
        )
        return Response(shapes.incident(placed))


class Dismiss(APIView):
    """Close an incident without a ruling."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="incidents_dismiss",
        responses=answers(),
        request=inline_serializer("Dismissal", {"reason": serializers.CharField()}),
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """With the reason; the table's call is settled."""
        body = body_of(request)
        incident = incidents.incident_by_number(event_of(slug), number)
        closed = incidents.dismiss(
            incident_id=incident.pk, actor=actor_of(request), reason=text_of(body, "reason")
        )
        return Response(shapes.incident(closed))


class Withdraw(APIView):
    """Withdraw an incident that was opened by mistake."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="incidents_withdraw",
        responses=answers(),
        request=inline_serializer("Withdrawal", {"reason": serializers.CharField()}),
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """With the reason; a call of the table that it came from waits again."""
        body = body_of(request)
        incident = incidents.incident_by_number(event_of(slug), number)
        taken_back = incidents.withdraw(
            incident_id=incident.pk, actor=actor_of(request), reason=text_of(body, "reason")
        )
        return Response(shapes.incident(taken_back))


class Merge(APIView):
    """Close an incident as the same matter as another one of its table."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="incidents_merge",
        responses=answers(),
        request=inline_serializer("Merger", {"into": serializers.IntegerField()}),
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Both open; the table's call goes along."""
        incident = incidents.incident_by_number(event_of(slug), number)
        into = number_of(body_of(request), "into")
        merged = incidents.merge(incident_id=incident.pk, into=into or 0, actor=actor_of(request))
        return Response(shapes.incident(merged))
