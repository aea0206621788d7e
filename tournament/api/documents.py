"""Documents and archives as REST: ask for one, look at the job, fetch the file; take an archive up."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, actor_of
from ledger.errors import Refused
from scoring.texts import LANGUAGES
from tournament.api.common import AnyAccept
from tournament.api.verbs import BODIES, Content
from tournament.documents import DocumentError
from tournament.models import PrintedDocument
from tournament.queries.papers import WITH_LINKS
from tournament.ranking.prizes import Remainder
from tournament.services import documents
from tournament.services.documents import barred_kinds
from tournament.views.addresses import address_for_phones
from tournament.views.documents import document_answer
from tournament.views.frame import event_by_slug

PRINT: Final = Access("needs", "documents.print")


class DocumentAsk(serializers.Serializer[object]):
    """Kind and options of a document; options that the kind does not need may be left out."""

    kind = serializers.ChoiceField(choices=sorted(documents.BUILDERS))
    language = serializers.ChoiceField(choices=LANGUAGES, required=False)
    paper = serializers.ChoiceField(choices=["a4", "letter"], default="a4")
    stage = serializers.IntegerField(
        required=False, min_value=0, max_value=999, help_text="0: the whole event."
    )
    round = serializers.UUIDField(required=False)
    table = serializers.IntegerField(required=False, min_value=1, max_value=99999)
    top = serializers.IntegerField(required=False, min_value=1, max_value=99999)
    by_club = serializers.BooleanField(required=False)
    prizes = serializers.CharField(required=False, max_length=4000, help_text="One a line.")
    everyone = serializers.CharField(required=False, max_length=80)
    remainder = serializers.ChoiceField(required=False, choices=[str(one) for one in Remainder])
    fee = serializers.CharField(required=False, max_length=10)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Convert to the arguments of :func:`~tournament.services.documents.request_document`."""
        base = address_for_phones(self.context["request"])
        head: dict[str, Any] = {
            name: attrs.pop(name) for name in ("kind", "language", "paper") if name in attrs
        }
        if "round" in attrs:
            attrs["round"] = str(attrs["round"])
        return {**head, "parameters": {"base": base, **attrs}}


class DocumentShape(serializers.Serializer[object]):
    """A document that was created; `path` downloads it."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    language = serializers.CharField()
    state = serializers.CharField()
    fingerprint = serializers.CharField()
    path = serializers.CharField()


class ArchiveAsk(serializers.Serializer[object]):
    """An archive of an event, as itself or as a copy with a `name` of its own, and its address here."""

    file = Content(5)
    copy = serializers.BooleanField(required=False, default=False)
    name = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    slug = serializers.SlugField(max_length=60, required=False, default="", allow_blank=True)


class Documents(APIView):
    """The documents of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": PRINT}

    @extend_schema(responses=DocumentShape(many=True), operation_id="documents_list")
    def get(self, request: Request, slug: str) -> Response:
        """Documents created, newest first; those with links only for callers who may print links."""
        event = event_by_slug(slug)
        printed = event.documents.exclude(kind__in=barred_kinds(request.user, event.pk)).defer(
            "content"
        )
        return Response(
            [
                {
                    "id": str(one.pk),
                    "kind": one.kind,
                    "language": one.language,
                    "state": one.state,
                    "fingerprint": one.fingerprint,
                    "path": f"/api/v1/events/{slug}/documents/{one.pk}/",
                }
                for one in printed
            ]
        )


class OneDocument(APIView):
    """One document; one with links is asked for by ``POST``, since its opening is recorded."""

    access: ClassVar[dict[str, Access]] = {
        "GET": PRINT,
        "POST": Access("needs", "documents.print_links"),
    }
    content_negotiation_class = AnyAccept

    @extend_schema(
        responses={
            (200, "application/pdf"): OpenApiTypes.BINARY,
            (200, "application/gzip"): OpenApiTypes.BINARY,
        },
        operation_id="documents_read",
    )
    def get(self, request: Request, slug: str, document_id: uuid.UUID) -> HttpResponse:
        """A PDF or the event's archive as it was made; 405 for a document with links."""
        event = event_by_slug(slug)
        document = get_object_or_404(PrintedDocument, pk=document_id, event=event)
        if document.kind in barred_kinds(request.user, event.pk):
            raise PermissionDenied("documents.print_links")
        if document.kind in WITH_LINKS:
            raise MethodNotAllowed("GET")
        return document_answer(document, bytes(document.content), slug)

    @extend_schema(
        request=None,
        responses={(200, "application/pdf"): OpenApiTypes.BINARY},
        operation_id="documents_open",
    )
    def post(self, request: Request, slug: str, document_id: uuid.UUID) -> HttpResponse:
        """A document with the links of tables or players, as the records are now; it is recorded."""
        document = get_object_or_404(
            PrintedDocument, pk=document_id, event=event_by_slug(slug), kind__in=WITH_LINKS
        )
        try:
            content = documents.open_with_links(document=document, actor=actor_of(request))
        except DocumentError as error:
            raise Refused("wrong_value", str(error)) from error
        return document_answer(document, content, slug)


BODIES.update({"documents_ask": DocumentAsk, "archives_take-up": ArchiveAsk})
