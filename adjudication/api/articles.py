"""The penal code of an event by program: its articles, searched and read, and what the event adds."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.penal import PenalCodeError, search
from adjudication.queries.codes import code_of, read
from adjudication.queries.shown import language
from adjudication.services import access, codes
from ledger.errors import Refused

from . import shapes
from .common import FINAL, READ, actor_of, answers, body_of, event_of, number_of, text_of


class Articles(APIView):
    """The penal code of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(
        operation_id="articles_list",
        responses=answers(),
        parameters=[OpenApiParameter("q", OpenApiTypes.STR, description="Words, in fr, nl or en.")],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Edition, policy and the articles in force; ``q`` searches."""
        event = event_of(slug)
        row = codes.pinned(event)
        code = read(event, row)
        matches = search(code, request.query_params.get("q", "")[:80], language())
        return Response(
            {
                "rulebook": code.rulebook,
                "edition": code.edition,
                "number": row.number,
                "policy": row.policy,
                "appeal_minutes": row.appeal_minutes,
                "fingerprint": row.fingerprint,
                "house": list(code.house),
                "articles": [shapes.article(each, code) for each in matches],
            }
        )


class ArticleDetail(APIView):
    """One article."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="articles_read", responses=answers())
    def get(self, request: Request, slug: str, name: str) -> Response:
        """The article with the facts it asks for."""
        try:
            code = code_of(event_of(slug))
            article = code.article(name)
        except PenalCodeError as error:
            raise Http404 from error
        return Response(shapes.article(article, code))


class PenalCodeView(APIView):
    """The event's own part of its penal code."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "PUT": FINAL}

    @extend_schema(operation_id="penal_code_read", responses=answers())
    def get(self, request: Request, slug: str) -> Response:
        """Event articles, changed penalty scales and adopted articles."""
        row = codes.pinned(event_of(slug))
        return Response(
            {
                "number": row.number,
                "edition": row.edition,
                "policy": row.policy,
                "appeal_minutes": row.appeal_minutes,
                "content": row.content,
            }
        )

    @extend_schema(
        operation_id="penal_code_change",
        responses=answers(),
        request=inline_serializer(
            "PenalCodeChange",
            {
                "reason": serializers.CharField(),
                "content": serializers.DictField(required=False),
                "policy": serializers.CharField(required=False),
                "appeal_minutes": serializers.IntegerField(required=False),
                "edition": serializers.CharField(
                    required=False, help_text="The current edition, instead of the one pinned."
                ),
            },
        ),
    )
    def put(self, request: Request, slug: str) -> Response:
        """Put a new number of the code in force; past rulings keep theirs."""
        event, body = event_of(slug), body_of(request)
        content = body.get("content")
        if content is not None and not isinstance(content, dict):
            raise Refused(
                "an_object", _("%(name)s must be an object.") % {"name": "content"}, field="content"
            )
        codes.change_code(
            event_id=event.pk,
            actor=actor_of(request),
            reason=text_of(body, "reason"),
            content=content,
            policy=text_of(body, "policy") or None,
            appeal_minutes=number_of(body, "appeal_minutes"),
            edition=text_of(body, "edition") or None,
        )
        return self.get(request, slug)


class PlaysAsk(serializers.Serializer[Any]):
    """The start number under which a member of staff plays; null: they do not play."""

    number = serializers.IntegerField(min_value=1, max_value=99999, allow_null=True)


class StaffPlays(APIView):
    """Which members of staff play, so that nobody rules at their own table."""

    access: ClassVar[dict[str, Access]] = {"PUT": FINAL}

    @extend_schema(operation_id="staff_plays", request=PlaysAsk, responses=PlaysAsk)
    def put(self, request: Request, slug: str, user: int) -> Response:
        """Set as which player this account plays in the event."""
        form = PlaysAsk(data=request.data)
        form.is_valid(raise_exception=True)
        number = form.validated_data["number"]
        access.link_player(
            event_id=event_of(slug).pk,
            user_id=user,
            entrant_number=number,
            actor=actor_of(request),
        )
        return Response({"number": number})
