"""The logs of events and of the organisation, and proofs, by program."""

from __future__ import annotations

import uuid
from typing import ClassVar, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.api.common import PAGES, event_of, page_of, paged
from ledger.models import ORGANISATION, AuditEntry, Job
from tournament.api.verbs import ANSWERS, Answer

from .audit_log import entries
from .proofs import last_proofs

READ: Final = Access("needs", "audit.read")


class EntryShape(serializers.ModelSerializer[AuditEntry]):
    """An entry as the chain holds it: ids, never names."""

    object = serializers.SerializerMethodField()
    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)

    class Meta:
        model = AuditEntry
        fields = ("sequence", "at", "actor", "verb", "object", "before", "after", "hash")

    def get_object(self, entry: AuditEntry) -> str:
        """Return type and id of the object."""
        return f"{entry.object_type}:{entry.object_id}"


ENTRIES: Final = page_of(EntryShape)


class ProofResultShape(serializers.Serializer[object]):
    """Number of compared items, and the differences found."""

    compared = serializers.IntegerField(required=False)
    wrong = serializers.IntegerField(required=False)
    differences = serializers.ListField(child=serializers.CharField(), required=False)


class ProofShape(serializers.Serializer[object]):
    """A proof and what came of it last; ``state`` is empty where it was never asked for."""

    proof = serializers.CharField()
    state = serializers.CharField()
    finished_at = serializers.DateTimeField(allow_null=True)
    result = ProofResultShape()
    failure = serializers.CharField()


class ProofsShape(serializers.Serializer[object]):
    """Every proof of an event."""

    proofs = ProofShape(many=True)


def proof_json(proof: str, job: Job | None) -> dict[str, object]:
    """Return a proof in the shape of :class:`ProofShape`."""
    return {
        "proof": proof,
        "state": job.state if job else "",
        "finished_at": job.finished_at if job else None,
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

    @extend_schema(operation_id="events_log", responses=ENTRIES, parameters=_FILTERS)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of entries, newest first; ``who`` and ``what`` filter."""
        return _page(request, event_of(slug).pk)


class OrganisationLog(APIView):
    """The audit log of the organisation: accounts, tokens, members."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "organisation.manage")}

    @extend_schema(operation_id="organisation_log", responses=ENTRIES, parameters=_FILTERS)
    def get(self, request: Request) -> Response:
        """Return a page of entries, newest first; ``who`` and ``what`` filter."""
        return _page(request, ORGANISATION)


def _page(request: Request, scope: uuid.UUID) -> Response:
    given = request.query_params
    rows = entries(scope, who=given.get("who", ""), what=given.get("what", ""))
    return paged(request, rows, EntryShape)


class Proofs(APIView):
    """The proofs of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="events_proofs", responses=ProofsShape)
    def get(self, request: Request, slug: str) -> Response:
        """Return every proof with its last result."""
        listed = [proof_json(*each) for each in last_proofs(event_of(slug).pk)]
        return Response(ProofsShape({"proofs": listed}).data)


ANSWERS["events_prove"] = Answer(ProofShape, lambda job: proof_json(job.parameters["proof"], job))
