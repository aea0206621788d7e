"""Rounds as REST: ask for a draw, see the draws made, the clock, changes at published tables.

A draw is a job: ask for it, look at the job until it is done, read the candidate it made.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.models import Job
from tournament.api import draw_shapes as shapes
from tournament.api.common import ROUNDS
from tournament.models import Draw, Round
from tournament.views.frame import event_by_slug


def round_of(round_id: uuid.UUID) -> Round:
    """The round that an address names."""
    return get_object_or_404(Round, pk=round_id)


class RoundDraws(APIView):
    """The draws of a round."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.DrawShape(many=True), operation_id="rounds_draws")
    def get(self, request: Request, round_id: uuid.UUID) -> Response:
        """Every draw made for the round, discarded or not."""
        listed = Draw.objects.filter(round=round_id).select_related("round__stage__event")
        return Response(shapes.DrawShape(listed, many=True).data)


class OneRound(APIView):
    """One round."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.RoundShape, operation_id="rounds_read")
    def get(self, request: Request, round_id: uuid.UUID) -> Response:
        """Its state, when it will be published automatically, when its clock ends."""
        return Response(shapes.RoundShape(round_of(round_id)).data)


class EventRounds(APIView):
    """The rounds of a stage, by whose ids they are drawn."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.RoundShape(many=True), operation_id="stages_rounds")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """Every round of the stage in order."""
        listed = Round.objects.filter(stage__event__slug=slug, stage__order=order)
        return Response(shapes.RoundShape(listed.order_by("number"), many=True).data)


class OneJob(APIView):
    """One job of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "jobs.read")}

    @extend_schema(responses=shapes.JobShape, operation_id="jobs_read")
    def get(self, request: Request, slug: str, job_id: uuid.UUID) -> Response:
        """Return the progress of a job, and its result."""
        job = get_object_or_404(Job, pk=job_id, scope=event_by_slug(slug).pk)
        return Response(shapes.JobShape(job).data)
