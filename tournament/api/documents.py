"""Documents and archives as REST: ask for one, look at the job, fetch the file; take an archive up."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from accounts.roles import may
from ledger.actors import Actor
from ledger.errors import Refused
from scoring.texts import LANGUAGES
from tournament.api.common import (
    EVENT,
    AnyAccept,
    Verb,
    actor_of,
    read_body,
    read_file,
)
from tournament.api.draw_shapes import JobShape, job_json
from tournament.api.events import StateShape, state_json
from tournament.documents import DocumentError
from tournament.models import Event, PrintedDocument
from tournament.queries.papers import WITH_LINKS
from tournament.ranking.prizes import Remainder
from tournament.services import archive, documents, notices
from tournament.views.addresses import address_for_phones
from tournament.views.documents import document_answer
from tournament.views.frame import event_by_slug

PRINT: Final = Access("needs", "documents.print")


class DocumentAsk(serializers.Serializer[Any]):
    """Which document, and of what; what a kind does not need may be left out."""

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


class DocumentShape(serializers.Serializer[Any]):
    """A document that was created; `path` downloads it."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    language = serializers.CharField()
    state = serializers.CharField()
    fingerprint = serializers.CharField()
    path = serializers.CharField()


class ArchiveAsk(serializers.Serializer[Any]):
    """An archive of an event, as itself or as a copy with a `name` of its own, and its address here."""

    file = serializers.FileField()
    copy = serializers.BooleanField(required=False, default=False)
    name = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    slug = serializers.SlugField(max_length=60, required=False, default="", allow_blank=True)


def _readable(request: Request, event: Event) -> frozenset[str]:
    """The kinds of documents that the caller may not have."""
    barred: frozenset[str] = frozenset()
    if not may(request.user, "documents.print_links", event.pk):
        barred |= WITH_LINKS
    if not may(request.user, "event.manage", event.pk):
        barred |= {documents.ARCHIVE}
    return barred


class Documents(APIView):
    """The documents of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": PRINT, "POST": PRINT}

    @extend_schema(responses=DocumentShape(many=True), operation_id="documents_list")
    def get(self, request: Request, slug: str) -> Response:
        """Documents created, newest first; those with links only for callers who may print links."""
        event = event_by_slug(slug)
        printed = event.documents.exclude(kind__in=_readable(request, event)).defer("content")
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

    @extend_schema(request=DocumentAsk, responses={202: JobShape}, operation_id="documents_ask")
    def post(self, request: Request, slug: str) -> Response:
        """Ask for a document; the job's result names it."""
        event = event_by_slug(slug)
        body = read_body(DocumentAsk, request)
        kind, paper = body.pop("kind"), body.pop("paper")
        language = body.pop("language", event.language)
        if kind in _readable(request, event):
            raise PermissionDenied("documents.print_links")
        body.setdefault("base", address_for_phones(request))
        if "round" in body:
            body["round"] = str(body["round"])
        job = documents.request_document(
            event_id=event.pk,
            kind=kind,
            language=language,
            paper=paper,
            parameters=body,
            actor=actor_of(request),
        )
        return Response(job_json(job), status=status.HTTP_202_ACCEPTED)


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
        if document.kind in _readable(request, event):
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


class Archives(APIView):
    """Archives of events from elsewhere."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("needs", "event.create")}
    parser_classes = (MultiPartParser,)

    @extend_schema(
        request={"multipart/form-data": ArchiveAsk},
        responses={201: StateShape},
        operation_id="archives_take-up",
    )
    def post(self, request: Request) -> Response:
        """Import the event of an archive; refused when its standings come out differently.

        One that is here already is refused with `event_exists`, unless `copy` is set.
        """
        form = read_body(ArchiveAsk, request)
        event = archive.take_up(
            file=read_file(ArchiveAsk, request, settings.IMPORT_MAX_BYTES * 5),
            actor=actor_of(request),
            slug=form["slug"],
            name=form["name"],
            copy=form["copy"],
        )
        return Response(state_json(event), status=status.HTTP_201_CREATED)


def _archive(actor: Actor, slug: str) -> dict[str, object]:
    return job_json(documents.request_archive(event_id=event_by_slug(slug).pk, actor=actor))


def _mail_links(actor: Actor, slug: str) -> dict[str, object]:
    return job_json(notices.mail_links(event_id=event_by_slug(slug).pk, actor=actor))


EVENT_VERBS: Final[dict[str, Verb]] = {
    "archive": Verb(
        _archive,
        "Ask for the whole event as one file; the job's result names it as a document.",
        JobShape,
        None,
        EVENT,
        status.HTTP_202_ACCEPTED,
    ),
    "mail-links": Verb(
        _mail_links,
        "Send the link of their badge to everybody who asked for e-mail.",
        JobShape,
        None,
        Access("needs", "links.mail"),
        status.HTTP_202_ACCEPTED,
    ),
}
"""Path below the event → what it does."""
