"""The penal code of an event by program: its articles, searched and read, and what the event adds."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.models import PenalCode
from adjudication.penal import PenalCodeError, search
from adjudication.queries.codes import code_of, read
from adjudication.queries.shown import language
from adjudication.services import codes
from tournament.api.verbs import SHAPES

from . import shapes
from .common import READ, event_of


class PenalCodeShape(serializers.ModelSerializer[PenalCode]):
    """The event's own part of its penal code: event articles, changed scales, adopted articles."""

    content = serializers.DictField()

    class Meta:
        model = PenalCode
        fields = ("number", "edition", "policy", "appeal_minutes", "content")


class CodeShape(serializers.ModelSerializer[Any]):
    """The penal code of an event with its articles in force."""

    rulebook = serializers.CharField()
    house = serializers.ListField(child=serializers.CharField())
    articles = shapes.ArticleShape(many=True)

    class Meta:
        model = PenalCode
        fields = (
            "rulebook",
            "edition",
            "number",
            "policy",
            "appeal_minutes",
            "fingerprint",
            "house",
            "articles",
        )


class Articles(APIView):
    """The penal code of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(
        operation_id="articles_list",
        responses=CodeShape,
        parameters=[OpenApiParameter("q", OpenApiTypes.STR, description="Words, in fr, nl or en.")],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return edition, policy and the articles in force; ``q`` searches."""
        event = event_of(slug)
        row = codes.pinned(event)
        code = read(event, row)
        matches = search(code, request.query_params.get("q", "")[:80], language())
        more = {"rulebook": code.rulebook, "house": list(code.house), "articles": matches}
        pinned = ("number", "policy", "appeal_minutes", "fingerprint")
        shown = {**{name: getattr(row, name) for name in pinned}, "edition": code.edition, **more}
        return Response(CodeShape(shown, context={"code": code}).data)


class ArticleDetail(APIView):
    """One article."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="articles_read", responses=shapes.ArticleShape)
    def get(self, request: Request, slug: str, name: str) -> Response:
        """Return the article with its facts."""
        try:
            code = code_of(event_of(slug))
            article = code.article(name)
        except PenalCodeError as error:
            raise Http404 from error
        return Response(shapes.ArticleShape(article, context={"code": code}).data)


class PenalCodeView(APIView):
    """The event's own part of its penal code."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="penal_code_read", responses=PenalCodeShape)
    def get(self, request: Request, slug: str) -> Response:
        """Return house articles, changed penalty scales and adopted articles."""
        return Response(PenalCodeShape(codes.pinned(event_of(slug))).data)


SHAPES[PenalCode] = PenalCodeShape
