"""Decisions that need two persons, by program: listed, read, confirmed, refused."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.models import Confirmation
from adjudication.services import confirmations, rulings

from . import shapes
from .common import (
    CONFIRM,
    READ,
    REASON,
    actor_of,
    answers,
    body_of,
    described,
    event_of,
    filtered,
    paged,
    text_of,
)

FILTERS: Final[dict[str, tuple[str, type]]] = {
    "state": ("state", str),
    "article": ("article", str),
    "incident": ("incident__number", int),
}


class Confirmations(APIView):
    """The decisions of an event that need two people."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(
        operation_id="confirmations_list", responses=answers(), parameters=described(FILTERS)
    )
    def get(self, request: Request, slug: str) -> Response:
        """A page of them, oldest first; `state=waiting` those not in force yet."""
        rows = Confirmation.objects.filter(event=event_of(slug)).select_related(
            "incident", "amends", "ruling"
        )
        page = filtered(request, rows, FILTERS)
        return paged(request, page.order_by("proposed_at"), shapes.confirmation)


class ConfirmationDetail(APIView):
    """One decision that needs two people."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="confirmations_read", responses=answers())
    def get(self, request: Request, slug: str, confirmation_id: uuid.UUID) -> Response:
        """What was proposed, by whom, and whether it was confirmed."""
        confirmation = confirmations.confirmation_of(event_of(slug), confirmation_id)
        return Response(shapes.confirmation(confirmation))


class Confirm(APIView):
    """The second person puts it in force."""

    access: ClassVar[dict[str, Access]] = {"POST": CONFIRM}

    @extend_schema(
        operation_id="confirmations_confirm",
        responses=answers(201),
        request=inline_serializer(
            "Confirming", {"next_round": serializers.CharField(required=False)}
        ),
    )
    def post(self, request: Request, slug: str, confirmation_id: uuid.UUID) -> Response:
        """The ruling that it becomes; refused to the person who proposed it."""
        event = event_of(slug)
        waiting = confirmations.confirmation_of(event, confirmation_id)
        ruling = confirmations.confirm(
            confirmation_id=waiting.pk,
            actor=actor_of(request),
            next_round=text_of(body_of(request), "next_round"),
        )
        whole = rulings.ruling_by_number(event, ruling.number)
        return Response(shapes.ruling(whole, whole=True), status=201)


class Refuse(APIView):
    """Refuse or withdraw what was proposed."""

    access: ClassVar[dict[str, Access]] = {"POST": CONFIRM}

    @extend_schema(operation_id="confirmations_refuse", request=REASON, responses=answers())
    def post(self, request: Request, slug: str, confirmation_id: uuid.UUID) -> Response:
        """With a reason; the person who proposed it withdraws it."""
        event = event_of(slug)
        waiting = confirmations.confirmation_of(event, confirmation_id)
        confirmations.refuse(
            confirmation_id=waiting.pk,
            actor=actor_of(request),
            reason=text_of(body_of(request), "reason"),
        )
        return Response(shapes.confirmation(confirmations.confirmation_of(event, confirmation_id)))
