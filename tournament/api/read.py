"""The public records of an event as REST: players, draws, results, standings, rounds.

Read only, without account, the same bytes for everybody: ETag and 304 by the event's version. What
the director hides on the pages is hidden here. Lists are paged (``page``, ``page_size`` up to 200)
and filtered by their own columns (``?stage=1&round=2``); ``q`` finds part of a name.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ledger.access import Access
from ledger.errors import Refused
from tournament import exports
from tournament.models import Event
from tournament.selectors import rounds
from tournament.views.frame import event_by_slug

SIZE: Final = 100
MOST: Final = 200
_PAGING: Final = [
    OpenApiParameter("page", OpenApiTypes.INT, description="From 1."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description=f"1 to {MOST}, default {SIZE}."),
    OpenApiParameter(
        "If-None-Match", OpenApiTypes.STR, OpenApiParameter.HEADER,
        description="The ETag of the answer one has: 304 while it stands.",
    ),
]  # fmt: skip
COLUMNS: Final = {
    "players": {"number": int, "name": str, "club": str, "state": str},
    "draws": {"stage": int, "round": int, "table": int, "seat": str, "number": int},
    "results": {"stage": int, "round": int, "table": int, "game": int, "outcome": str},
    "standings": {"rank": int, "number": int, "club": str},
}
"""Columns that filter a list."""


def _whole(request: Request, name: str, default: int, most: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= most):
        raise Refused(
            "not_a_number",
            _("%(name)s is a whole number from 1 to %(most)d.") % {"name": name, "most": most},
            field=name,
        )
    return int(text[:9])


def _page(request: Request, rows: list[Any]) -> dict[str, Any]:
    size = _whole(request, "page_size", SIZE, MOST)
    number = _whole(request, "page", 1, 1_000_000)
    pages = max(1, -(-len(rows) // size))
    return {
        "count": len(rows), "page": number, "pages": pages,
        "rows": rows[(number - 1) * size : number * size],
    }  # fmt: skip


def _filtered(request: Request, kind: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    known = COLUMNS[kind]
    for name in request.query_params:
        if name in ("page", "page_size", "q") or (kind == "standings" and name == "stage"):
            continue
        if name not in known:
            raise Refused(
                "unknown_filter",
                _("There is no filter %(name)s here.") % {"name": name},
                field=name,
            )
        wanted: int | str = request.query_params[name]
        if known[name] is int:
            wanted = _whole(request, name, 0, 10**9)
        rows = [row for row in rows if row[name] == wanted]
    words = request.query_params.get("q", "").casefold().split()
    if words:
        rows = [r for r in rows if all(w in str(r.get("name", "")).casefold() for w in words)]
    return rows


def _described(name: str, **fields: serializers.Field[Any, Any, Any, Any]) -> Any:
    return inline_serializer(name, fields)


def _event(event: Event) -> dict[str, Any]:
    return {
        "slug": event.slug, "name": event.name, "place": event.place, "day": event.day.isoformat(),
        "state": event.state, "rulebook": event.rulebook, "edition": event.edition,
        "version": event.version,
    }  # fmt: skip


class Events(APIView):
    """The events of this installation, newest first."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("public")}
    authentication_classes: ClassVar[list[Any]] = []

    @extend_schema(
        responses=OpenApiTypes.OBJECT, operation_id="events_list", parameters=_PAGING[:2]
    )
    def get(self, request: Request) -> Response:
        """A page of events."""
        return Response(_page(request, [_event(event) for event in Event.objects.all()[:1000]]))


class EventDetail(APIView):
    """One event with its stages and rounds."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("public")}
    authentication_classes: ClassVar[list[Any]] = []

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="event_read", parameters=_PAGING[2:])
    def get(self, request: Request, slug: str) -> Response:
        """The event; rounds as far as they are published."""
        event = event_by_slug(slug)
        published = rounds.published_rounds(event)
        return Response(
            {
                **_event(event),
                "stages": [
                    {
                        "order": stage.order, "name": stage.name, "format": stage.format,
                        "rounds_planned": stage.rounds_planned, "cut": stage.cut,
                        "rounds": [
                            {
                                "number": part.number, "state": part.state,
                                "published_at": part.published_at, "ends_at": part.ends_at,
                            }
                            for part in published if part.stage_id == stage.pk
                        ],
                    }
                    for stage in event.stages.all()
                ],
            }
        )  # fmt: skip


class Listed(APIView):
    """One kind of record of an event, paged and filtered."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("public")}
    authentication_classes: ClassVar[list[Any]] = []
    kind: str = ""

    def get(self, request: Request, slug: str) -> Response:
        """A page of rows, with the facts that hold for all of them."""
        event = event_by_slug(slug)
        more: dict[str, Any] = {}
        if self.kind == "standings":
            orders = list(event.stages.values_list("order", flat=True))
            if request.query_params.get("stage"):
                more["stage"] = _whole(request, "stage", 1, 10_000)
                if more["stage"] not in orders:
                    raise Http404
            elif not orders:
                raise Http404
        table = exports.KINDS[self.kind](event, public=True, **more)
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        return Response({**table.facts, **_page(request, _filtered(request, self.kind, rows))})


def listed(kind: str) -> type[Listed]:
    """The view of one kind, described for the schema."""
    numbers = {int: OpenApiTypes.INT, str: OpenApiTypes.STR}
    filters = [OpenApiParameter(name, numbers[of]) for name, of in COLUMNS[kind].items()]
    if kind == "standings":
        filters.append(
            OpenApiParameter("stage", OpenApiTypes.INT, description="Order of the stage.")
        )
    row = serializers.DictField(child=serializers.JSONField())
    answer = _described(
        f"{kind.title()}Page", event=serializers.CharField(), version=serializers.IntegerField(),
        count=serializers.IntegerField(), page=serializers.IntegerField(),
        pages=serializers.IntegerField(), rows=serializers.ListField(child=row),
    )  # fmt: skip

    class View(Listed):
        @extend_schema(
            operation_id=f"{kind}_list",
            responses=answer,
            parameters=[
                *filters,
                OpenApiParameter("q", OpenApiTypes.STR, description="Part of a name."),
                *_PAGING,
            ],
        )
        def get(self, request: Request, slug: str) -> Response:
            """A page of rows, with the facts that hold for all of them."""
            return super().get(request, slug)

    View.kind = kind
    View.__name__ = View.__qualname__ = f"{kind.title()}List"
    View.__doc__ = f"The {kind} of an event."
    return View
