"""Shared parts of the referees' API: permissions, the event, pagination and filters of lists.

Facts are an object keyed by the field names of the article (``GET …/articles/<id>/`` lists them): seats
as named in the rules, yes and no as booleans. Every refusal is problem+json with code and field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.db.models import Model, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from adjudication.services.words import cleaned
from ledger.errors import Refused
from tournament.api.verbs import Shape
from tournament.models import Event

READ: Final = Access("needs", "incidents.read")
RULE: Final = Access("needs", "incidents.rule")
FINAL: Final = Access("needs", "rulings.finalise")

MOST: Final = 200
"""Rows of a page at most."""
PAGES: Final = [
    OpenApiParameter("page", OpenApiTypes.INT, description="From 1."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description="100 unless given; at most 200."),
]


def page_of(shape: Shape) -> object:
    """Return the shape of a page of rows."""
    fields = {name: serializers.IntegerField() for name in ("count", "page", "pages")}
    name = f"{shape.__name__.removesuffix('Shape')}Page"
    return inline_serializer(name, {**fields, "rows": shape(many=True)})


def event_of(slug: str) -> Event:
    """Return the event; respond with 404 if there is none."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        raise Http404
    return event


def paged(request: Request, rows: Any, shape: Shape) -> Response:
    """Return a page of rows in their shape."""
    size = min(_at_least_one(request, "page_size", 100), MOST)
    page = _at_least_one(request, "page", 1)
    count = rows.count()
    listed = rows[(page - 1) * size : page * size]
    return Response(
        {
            "count": count,
            "page": page,
            "pages": max(1, -(-count // size)),
            "rows": shape(listed, many=True).data,
        }
    )


def _at_least_one(request: Request, name: str, usual: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text)):
        raise Refused(
            "a_number", _("%(name)s must be a whole number.") % {"name": name}, field=name
        )
    return int(text)


def filtered(request: Request, rows: Any, filters: dict[str, tuple[str, type]]) -> Any:
    """Filter ``rows`` by the query's parameters; refuse an unknown parameter by name.

    ``filters``: parameter → the column it narrows and whether that is a text or a whole number.
    """
    for name, value in request.query_params.items():
        if name in ("page", "page_size"):
            continue
        if name not in filters:
            raise Refused(
                "unknown_filter",
                _("No such filter: %(name)s.") % {"name": name},
                field=name,
            )
        column, kind = filters[name]
        wanted: str | int = cleaned(str(value), 40)
        if kind is int:
            wanted = _at_least_one(request, name, 0)
        rows = rows.filter(**{column: wanted})
    return rows


def described(filters: dict[str, tuple[str, type]]) -> list[OpenApiParameter]:
    """Return the filters and pages of a list, for the schema."""
    kinds = {str: OpenApiTypes.STR, int: OpenApiTypes.INT}
    return [*PAGES, *(OpenApiParameter(name, kinds[kind]) for name, (_c, kind) in filters.items())]


def listing(
    operation: str,
    says: str,
    rows: Callable[[Event], QuerySet[Any]],
    shape: Shape,
    filters: dict[str, tuple[str, type]],
    order: str,
) -> type[APIView]:
    """Return the view of an event's rows, a page at a time: filtered by query parameters, in ``order``."""

    class Listing(APIView):
        access: ClassVar[dict[str, Access]] = {"GET": READ}

        @extend_schema(
            operation_id=operation,
            description=says,
            responses=page_of(shape),
            parameters=described(filters),
        )
        def get(self, request: Request, slug: str) -> Response:
            """Return a page of rows."""
            matching = filtered(request, rows(event_of(slug)), filters)
            return paged(request, matching.order_by(order), shape)

    return Listing


def detail(operation: str, says: str, row: Callable[..., Model], shape: Shape) -> type[APIView]:
    """Return the view of one row, which ``row`` finds by its address."""

    class Detail(APIView):
        access: ClassVar[dict[str, Access]] = {"GET": READ}

        @extend_schema(operation_id=operation, description=says, responses=shape)
        def get(self, request: Request, **address: Any) -> Response:
            """Return the row."""
            return Response(shape(row(**address)).data)

    return Detail
