"""Evidence by program: is it proved by what the table agrees on, and what did it cost. As jobs.

Both are asked by POST, which answers 202 with the job, and read by GET once ``state`` is ``done``;
a job that could not answer is ``failed`` and says why. The same question is one job.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.penal.evidence import KINDS
from adjudication.queries.cases import Case, case_of
from adjudication.services import evidence
from ledger.errors import NotHere
from ledger.models import Job
from tournament.api.verbs import ANSWERS, BODIES, Answer

from .common import READ
from .incidents import incident_of

AMOUNTS = ("as_played", "without_offence", "penalised", "damage", "difference", "margin")
"""What the cost states, each an exact number of points."""


def _card(**more: Any) -> serializers.CharField:
    return serializers.CharField(max_length=3, **more)


class AgreedTrick(serializers.Serializer[object]):
    """A trick as far as the table agrees on it."""

    n = serializers.IntegerField(min_value=1, max_value=32)
    leader = serializers.CharField(max_length=1)
    plays = serializers.ListField(
        child=_card(allow_null=True), max_length=7, help_text="`null`: nobody remembers the card."
    )


class Allegation(serializers.Serializer[object]):
    """An alleged breach: trick, seat and kind."""

    trick = serializers.IntegerField(min_value=1, max_value=32)
    seat = serializers.CharField(max_length=1)
    kind = serializers.ChoiceField(choices=sorted(KINDS))


class AskProof(serializers.Serializer[object]):
    """An alleged breach and the tricks that the table agrees on, as the engine's `prove` reads them."""

    trump = serializers.ChoiceField(choices=["S", "H", "D", "C", "NT"])
    tricks = AgreedTrick(many=True)
    allegation = Allegation()
    hands = serializers.DictField(
        child=serializers.ListField(child=_card(), max_length=32), required=False
    )


class AskCost(serializers.Serializer[object]):
    """The draw code by which the deals are drawn."""

    seed = serializers.IntegerField(min_value=1, max_value=evidence.MOST_SEED)


def _state(job: Job) -> dict[str, object]:
    return {"id": str(job.pk), "state": job.state, "failure": job.failure}


class ShowingCard(serializers.Serializer[object]):
    """The card that shows the breach."""

    trick = serializers.IntegerField()
    card = serializers.CharField()


class ProofVerdict(serializers.Serializer[Any]):
    """The verdict on an allegation."""

    id = serializers.UUIDField()
    state = serializers.CharField()
    failure = serializers.CharField()
    verdict = serializers.CharField(help_text="Empty until the job is done.")
    proof = ShowingCard(allow_null=True)
    reason = serializers.CharField()

    def to_representation(self, instance: Job) -> dict[str, object]:
        """Return the verdict, if the job is done."""
        result = instance.result or {}
        shown = result.get("proof")
        return {
            **_state(instance),
            "verdict": result.get("verdict", ""),
            "proof": {"trick": shown[0], "card": shown[1]} if shown else None,
            "reason": result.get("reason", ""),
        }


class OffenceAmounts(serializers.Serializer[object]):
    """Points for the side not at fault, less those of the other side, as exact numbers (`7/2`)."""

    side = serializers.CharField()
    as_played = serializers.CharField()
    without_offence = serializers.CharField(help_text="The mean of best play over the deals.")
    penalised = serializers.CharField()
    damage = serializers.CharField()
    difference = serializers.CharField()
    margin = serializers.CharField(help_text="Half of the interval of 95 %.")
    worlds = serializers.IntegerField(help_text="Deals drawn that fit what was seen.")
    different = serializers.IntegerField(help_text="How many of them differ.")


class OffenceCost(serializers.Serializer[Any]):
    """Cost of an offence, as a mean over the deals that fit the agreed tricks."""

    id = serializers.UUIDField()
    state = serializers.CharField()
    failure = serializers.CharField()
    seed = serializers.IntegerField()
    cost = OffenceAmounts(allow_null=True)

    def to_representation(self, instance: Job) -> dict[str, object]:
        """Return the amounts, if the job is done."""
        result = instance.result or {}
        return {
            **_state(instance),
            "seed": instance.parameters["seed"],
            "cost": {
                "side": result["side"],
                **{name: str(result[name]) for name in AMOUNTS},
                "worlds": result["worlds"],
                "different": result["different"],
            }
            if instance.state == "done"
            else None,
        }


class EquityJob(serializers.Serializer[object]):
    """The search for what an illegal play cost; the incident shows what came of it."""

    id = serializers.UUIDField()
    state = serializers.CharField()
    failure = serializers.CharField()


def _earlier_proof(case: Case, proof_id: uuid.UUID) -> Job:
    job = evidence.job_by_id(case, proof_id)
    if job is None:
        raise NotHere("no_such_proof", _("No such proof for this incident."))
    return job


class ProofDetail(APIView):
    """The verdict on an alleged breach."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="incidents_proof", responses=ProofVerdict)
    def get(self, request: Request, slug: str, number: int, proof_id: uuid.UUID) -> Response:
        """Return the verdict (guilty, innocent or undetermined) with the card that proves it."""
        case = case_of(incident_of(slug, number))
        return Response(ProofVerdict(_earlier_proof(case, proof_id)).data)


class ProofCost(APIView):
    """Cost of the alleged play when some cards are unknown."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(
        operation_id="incidents_cost",
        responses=OffenceCost,
        parameters=[
            OpenApiParameter(
                "seed", OpenApiTypes.INT, description="A draw code; the last one asked without it."
            )
        ],
    )
    def get(self, request: Request, slug: str, number: int, proof_id: uuid.UUID) -> Response:
        """Return the mean over the sample deals, with its interval of 95 %."""
        case = case_of(incident_of(slug, number))
        proof = _earlier_proof(case, proof_id)
        seed = None
        if request.query_params.get("seed"):
            form = AskCost(data=request.query_params)
            form.is_valid(raise_exception=True)
            seed = form.validated_data["seed"]
        job = evidence.worlds_job_of(case, proof, seed)
        if job is None:
            raise NotHere("cost_not_asked", _("This cost has not been requested yet."))
        return Response(OffenceCost(job).data)


ANSWERS.update(
    {
        "incidents_ask_equity": Answer(EquityJob),
        "incidents_prove": Answer(ProofVerdict),
        "incidents_ask_cost": Answer(OffenceCost),
    }
)
BODIES["incidents_prove"] = AskProof
