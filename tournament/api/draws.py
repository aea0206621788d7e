"""One draw as REST: its tables and certificate, why a table, what a change costs, publication."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from tournament.api import draw_shapes as shapes
from tournament.api.common import ROUNDS, schema_of
from tournament.api.verbs import ANSWERS, Answer
from tournament.drawing.spec import SpecJson
from tournament.models import Draw
from tournament.queries.certificates import side_by_side
from tournament.services import edits


def draw_of(draw_id: uuid.UUID) -> Draw:
    """The draw that an address names."""
    return get_object_or_404(Draw.objects.select_related("round__stage__event"), pk=draw_id)


class OneDraw(APIView):
    """One draw."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.DrawShape, operation_id="draws_read")
    def get(self, request: Request, draw_id: uuid.UUID) -> Response:
        """Tables, byes, draw report."""
        return Response(shapes.DrawShape(draw_of(draw_id)).data)


class DrawRequest(APIView):
    """The request that a draw was made from."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses={200: schema_of(SpecJson)}, operation_id="draws_request")
    def get(self, request: Request, draw_id: uuid.UUID) -> Response:
        """Everything needed to repeat the same draw: start numbers, clubs, requests, the draw code."""
        return Response(draw_of(draw_id).request)


class DrawWhy(APIView):
    """Why a table is as it is."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.WhyShape, operation_id="draws_why")
    def get(self, request: Request, draw_id: uuid.UUID, table: int) -> Response:
        """The reasons, counted from the facts."""
        return Response({"table": table, "reasons": edits.why(draw_of(draw_id), table)})


class DrawProposals(APIView):
    """The best swaps of a player's place."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.ProposalShape(many=True), operation_id="draws_proposals")
    def get(self, request: Request, draw_id: uuid.UUID, number: int) -> Response:
        """The best swaps of a start number, each with the repeated meetings it adds."""
        proposals = edits.proposals(draw_of(draw_id), number)
        return Response([{"number": who, "cost": cost} for who, cost in proposals])


class DrawCompare(APIView):
    """Two draws of a round side by side."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.ComparedShape(many=True), operation_id="draws_compare")
    def get(self, request: Request, draw_id: uuid.UUID, other: uuid.UUID) -> Response:
        """Every line of the draw reports with both values."""
        one = draw_of(draw_id)
        two = get_object_or_404(Draw, pk=other, round=one.round_id)
        lines = side_by_side(one.certificate.get("lines", []), two.certificate.get("lines", []))
        return Response(
            [{"label": m.label, "one": m.before, "two": m.after, "by": m.by} for m in lines]
        )


ANSWERS.update(
    {
        "draws_weigh": Answer(
            shapes.CostShape, lambda cost: {"delta": dict(cost.delta), "worse": list(cost.worse)}
        )
    }
)
