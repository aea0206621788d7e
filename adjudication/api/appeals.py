"""Appeals by program: listed, lodged for a side, withdrawn, heard by the committee."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from django.http import Http404
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.models import Appeal
from adjudication.services import appeals, rulings

from . import shapes
from .common import (
    HEAR,
    READ,
    RULE,
    STATED,
    actor_of,
    answers,
    body_of,
    decision_of,
    described,
    event_of,
    filtered,
    paged,
    text_of,
)

FILTERS: Final[dict[str, tuple[str, type]]] = {
    "state": ("state", str),
    "side": ("side", str),
    "ruling": ("ruling__number", int),
}


class Appeals(APIView):
    """The appeals of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="appeals_list", responses=answers(), parameters=described(FILTERS))
    def get(self, request: Request, slug: str) -> Response:
        """A page of appeals, oldest first; ``state``, ``side`` and ``ruling`` filter."""
        rows = Appeal.objects.filter(ruling__event=event_of(slug)).select_related("ruling")
        return paged(request, filtered(request, rows, FILTERS).order_by("lodged_at"), shapes.appeal)


class AppealHearing(APIView):
    """The committee's answer to an appeal."""

    access: ClassVar[dict[str, Access]] = {"POST": HEAR}

    @extend_schema(
        operation_id="appeals_hear",
        responses=answers(),
        request=inline_serializer(
            "Hearing",
            {
                "outcome": serializers.ChoiceField(["upheld", "changed", "overturned"]),
                "decision": serializers.CharField(),
                "article": serializers.CharField(required=False),
                "facts": serializers.DictField(required=False),
                "claimed": serializers.CharField(required=False),
                "next_round": serializers.CharField(required=False),
                **STATED,
            },
        ),
    )
    def post(self, request: Request, slug: str, appeal_id: uuid.UUID) -> Response:
        """``upheld``, ``changed`` (with article and facts) or ``overturned``."""
        event, body = event_of(slug), body_of(request)
        appeal = Appeal.objects.filter(pk=appeal_id, ruling__event=event).first()
        if appeal is None:
            raise Http404
        heard = appeals.hear(
            appeal_id=appeal.pk,
            outcome=text_of(body, "outcome"),
            decision=text_of(body, "decision"),
            actor=actor_of(request),
            **decision_of(body),
        )
        return Response(shapes.appeal(heard))


class LodgeAppeal(APIView):
    """Record the appeal of a side."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="rulings_appeal",
        responses=answers(),
        request=inline_serializer(
            "LodgedAppeal", {"side": serializers.CharField(), "grounds": serializers.CharField()}
        ),
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Before the deadline, once per side, none while another is open."""
        event, body = event_of(slug), body_of(request)
        ruling = rulings.ruling_by_number(event, number)
        appeals.lodge(
            ruling_id=ruling.pk,
            side=text_of(body, "side"),
            grounds=text_of(body, "grounds"),
            actor=actor_of(request),
        )
        return Response(shapes.ruling(rulings.ruling_by_number(event, number), whole=True))


class WithdrawAppeal(APIView):
    """Record that a side withdrew its appeal."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(operation_id="appeals_withdraw", request=None, responses=answers())
    def post(self, request: Request, slug: str, appeal_id: uuid.UUID) -> Response:
        """Before it was heard."""
        appeal = Appeal.objects.filter(pk=appeal_id, ruling__event=event_of(slug)).first()
        if appeal is None:
            raise Http404
        return Response(
            shapes.appeal(appeals.withdraw(appeal_id=appeal.pk, actor=actor_of(request)))
        )
