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
from adjudication.models import Incident
from adjudication.penal.evidence import KINDS
from adjudication.queries.cases import Case, case_of
from adjudication.services import evidence, incidents
from ledger.errors import NotHere
from ledger.models import Job
from scoring.engine.shapes import QuestionJson
from tournament.api.common import read_body

from .common import READ, RULE, actor_of, event_of

AMOUNTS = ("as_played", "without_offence", "penalised", "damage", "difference", "margin")
"""What the cost states, each an exact number of points."""


def _card(**more: Any) -> serializers.CharField:
    return serializers.CharField(max_length=3, **more)


class AgreedTrick(serializers.Serializer[Any]):
    """A trick as far as the table agrees on it."""

    n = serializers.IntegerField(min_value=1, max_value=32)
    leader = serializers.CharField(max_length=1)
    plays = serializers.ListField(
        child=_card(allow_null=True), max_length=7, help_text="`null`: nobody remembers the card."
    )


class Allegation(serializers.Serializer[Any]):
    """Who is said to have played what against the rules."""

    trick = serializers.IntegerField(min_value=1, max_value=32)
    seat = serializers.CharField(max_length=1)
    kind = serializers.ChoiceField(choices=sorted(KINDS))


class AskProof(serializers.Serializer[Any]):
    """An alleged breach and the tricks that the table agrees on, as the engine's `prove` reads them."""

    trump = serializers.ChoiceField(choices=["S", "H", "D", "C", "NT"])
    tricks = AgreedTrick(many=True)
    allegation = Allegation()
    hands = serializers.DictField(
        child=serializers.ListField(child=_card(), max_length=32), required=False
    )


class ShowingCard(serializers.Serializer[Any]):
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


class AskCost(serializers.Serializer[Any]):
    """The draw code by which the deals are drawn."""

    seed = serializers.IntegerField(min_value=1, max_value=evidence.MOST_SEED)


class OffenceAmounts(serializers.Serializer[Any]):
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
    """What an offence cost, as a mean over the deals that fit the agreed tricks."""

    id = serializers.UUIDField()
    state = serializers.CharField()
    failure = serializers.CharField()
    seed = serializers.IntegerField()
    cost = OffenceAmounts(allow_null=True)


def _proof(job: Job) -> dict[str, object]:
    result = job.result or {}
    shown = result.get("proof")
    return {
        "id": str(job.pk),
        "state": job.state,
        "failure": job.failure,
        "verdict": result.get("verdict", ""),
        "proof": {"trick": shown[0], "card": shown[1]} if shown else None,
        "reason": result.get("reason", ""),
    }


def _cost(job: Job) -> dict[str, object]:
    result = job.result or {}
    return {
        "id": str(job.pk),
        "state": job.state,
        "failure": job.failure,
        "seed": job.parameters["seed"],
        "cost": {
            "side": result["side"],
            **{name: str(result[name]) for name in AMOUNTS},
            "worlds": result["worlds"],
            "different": result["different"],
        }
        if job.state == "done"
        else None,
    }


def _incident(slug: str, number: int) -> Incident:
    return incidents.incident_by_number(event_of(slug), number)


def _earlier_proof(case: Case, proof_id: uuid.UUID) -> Job:
    job = evidence.job_by_id(case, str(proof_id))
    if job is None:
        raise NotHere("no_such_proof", _("No such proof for this incident."))
    return job


class Proofs(APIView):
    """Ask whether an alleged breach is proved."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(operation_id="incidents_prove", request=AskProof, responses={202: ProofVerdict})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Start the job; a record that cannot be read is refused with the engine's code and field."""
        incident = _incident(slug, number)
        wanted: QuestionJson = read_body(AskProof, request)
        evidence.require_readable(case_of(incident), wanted)
        job = evidence.ask_proof(incident_id=incident.pk, question=wanted, actor=actor_of(request))
        return Response(_proof(job), status=202)


class AskEquity(serializers.Serializer[Any]):
    """Which illegal play of the record, from 0."""

    index = serializers.IntegerField(min_value=0, max_value=99, default=0)


class EquityJob(serializers.Serializer[Any]):
    """The search for what an illegal play cost; the incident shows what came of it."""

    id = serializers.UUIDField()
    state = serializers.CharField()
    failure = serializers.CharField()


class Equity(APIView):
    """What an illegal play cost where the record has every card."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(
        operation_id="incidents_ask_equity", request=AskEquity, responses={202: EquityJob}
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Start the search; asked again, the same one is answered."""
        job = evidence.ask_equity(
            incident_id=_incident(slug, number).pk,
            actor=actor_of(request),
            **read_body(AskEquity, request),
        )
        answer = {"id": str(job.pk), "state": job.state, "failure": job.failure}
        return Response(answer, status=202)


class ProofDetail(APIView):
    """The verdict on an alleged breach."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="incidents_proof", responses=ProofVerdict)
    def get(self, request: Request, slug: str, number: int, proof_id: uuid.UUID) -> Response:
        """Guilty, innocent or undetermined, with the card that shows it."""
        return Response(_proof(_earlier_proof(case_of(_incident(slug, number)), proof_id)))


class ProofCost(APIView):
    """What the alleged play cost where not all cards are known."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "POST": RULE}

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
        """The mean over the deals drawn, with its interval of 95 %."""
        case = case_of(_incident(slug, number))
        proof = _earlier_proof(case, proof_id)
        seed = None
        if request.query_params.get("seed"):
            form = AskCost(data=request.query_params)
            form.is_valid(raise_exception=True)
            seed = form.validated_data["seed"]
        job = evidence.worlds_job_of(case, proof, seed)
        if job is None:
            raise NotHere("cost_not_asked", _("This cost has not been requested yet."))
        return Response(_cost(job))

    @extend_schema(operation_id="incidents_ask_cost", request=AskCost, responses={202: OffenceCost})
    def post(self, request: Request, slug: str, number: int, proof_id: uuid.UUID) -> Response:
        """Start the job over 200 deals by the draw code; the same code draws the same deals."""
        job = evidence.ask_worlds(
            incident_id=_incident(slug, number).pk,
            proof=str(proof_id),
            actor=actor_of(request),
            **read_body(AskCost, request),
        )
        return Response(_cost(job), status=202)
