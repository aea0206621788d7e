"""The logs of events and of the organisation, and proofs, by program."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.api.common import PAGES, actor_of, answers, body_of, event_of, paged, text_of
from ledger.models import ORGANISATION, AuditEntry, Job

from .audit_log import entries
from .proofs import Proof, last_proofs, request_proof

READ: Final = Access("needs", "audit.read")


def entry_json(entry: AuditEntry) -> dict[str, object]:
    """An entry as the chain holds it: ids, never names."""
    return {
        "sequence": entry.sequence,
        "at": entry.at.isoformat(),
        "actor": entry.actor,
        "verb": entry.verb,
        "object": f"{entry.object_type}:{entry.object_id}",
        "before": entry.before,
        "after": entry.after,
        "hash": entry.hash,
    }


def proof_json(proof: str, job: Job | None) -> dict[str, object]:
    """A proof and what came of it last."""
    return {
        "proof": proof,
        "state": job.state if job else "",
        "finished_at": job.finished_at.isoformat() if job and job.finished_at else None,
        "result": job.result if job else {},
        "failure": job.failure if job else "",
    }


_FILTERS: Final = [
    *PAGES,
    OpenApiParameter("who", OpenApiTypes.STR, description="An actor, or a kind of actor."),
    OpenApiParameter("what", OpenApiTypes.STR, description="A verb, or its first half."),
]


class Log(APIView):
    """The audit log of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="events_log", responses=answers(), parameters=_FILTERS)
    def get(self, request: Request, slug: str) -> Response:
        """A page of entries, newest first; ``who`` and ``what`` filter."""
        return _page_of(request, event_of(slug).pk)


class OrganisationLog(APIView):
    """The audit log of the organisation: accounts, tokens, members."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "organisation.manage")}

    @extend_schema(operation_id="organisation_log", responses=answers(), parameters=_FILTERS)
    def get(self, request: Request) -> Response:
        """A page of entries, newest first; ``who`` and ``what`` filter."""
        return _page_of(request, ORGANISATION)


def _page_of(request: Request, scope: uuid.UUID) -> Response:
    given = request.query_params
    rows = entries(scope, who=given.get("who", ""), what=given.get("what", ""))
    return paged(request, rows, entry_json)


class Proofs(APIView):
    """The proofs of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "POST": READ}

    @extend_schema(operation_id="events_proofs", responses=answers())
    def get(self, request: Request, slug: str) -> Response:
        """Every proof with its last result."""
        return Response({"proofs": [proof_json(*each) for each in last_proofs(event_of(slug).pk)]})

    @extend_schema(
        operation_id="events_prove",
        responses=answers(202),
        request=inline_serializer("ProofAsk", {"proof": serializers.ChoiceField(Proof.choices)}),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start ``record``, ``standings`` or ``draws``; while it runs, the same job answers."""
        job = request_proof(
            event_id=event_of(slug).pk,
            proof=text_of(body_of(request), "proof"),
            actor=actor_of(request),
        )
        answer = proof_json(job.parameters["proof"], job)
        return Response(answer, status=status.HTTP_202_ACCEPTED)
