"""The public records of an event as REST: players, draws, results, standings, rounds.

Read only, without account, the same bytes for everybody: ETag and 304 by the event's version. What
the director hides on the pages is hidden here. Lists are paged (``page``, ``page_size`` up to 200)
and filtered by their own columns (``?stage=1&round=2``); ``q`` finds part of a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.canonical import JsonObject
from ledger.errors import Refused
from tournament import exports
from tournament.api import read_shapes
from tournament.models import EntrantState, Event
from tournament.queries import rounds
from tournament.queries.search import matching
from tournament.views.frame import event_by_slug

SIZE: Final = 100
MOST: Final = 200
MOST_PAGE: Final = 1_000_000
MOST_NUMBER: Final = 1_000_000_000
MOST_STAGE: Final = 10_000


def _number(name: str, most: int, help_text: str = "") -> OpenApiParameter:
    """A whole number from 1 in the question, as :func:`_whole` reads it."""
    return OpenApiParameter(
        name, {"type": "integer", "minimum": 1, "maximum": most}, description=help_text
    )


_PAGING: Final = [
    _number("page", MOST_PAGE, "From 1."),
    _number("page_size", MOST, f"1 to {MOST}, default {SIZE}."),
    OpenApiParameter(
        "If-None-Match",
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        description="The ETag of the answer you have: 304 as long as it is still valid.",
    ),
]
COLUMNS: Final = {
    "players": {"number": int, "name": str, "club": str, "state": str},
    "draws": {"stage": int, "round": int, "table": int, "seat": str, "number": int},
    "results": {"stage": int, "round": int, "table": int, "game": int, "outcome": str},
    "standings": {"rank": int, "number": int, "club": str},
    "overall": {"rank": int, "number": int, "club": str, "stage": int},
}
"""Columns that filter a list."""
_KNOWN: Final = {"state": [str(state) for state in EntrantState], "outcome": read_shapes.OUTCOMES}
"""The words that a column may hold, where they are few."""


def _whole(request: Request, name: str, default: int, most: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return default
    # Longer than any limit is not read as a number at all: Python refuses thousands of digits.
    if not (text.isascii() and text.isdigit() and len(text) < 16 and 1 <= int(text) <= most):
        raise Refused(
            "not_a_number",
            _("%(name)s must be a whole number from 1 to %(most)d.") % {"name": name, "most": most},
            field=name,
        )
    return int(text)


def _page(request: Request, rows: Sequence[object]) -> dict[str, object]:
    size = _whole(request, "page_size", SIZE, MOST)
    number = _whole(request, "page", 1, MOST_PAGE)
    pages = max(1, -(-len(rows) // size))
    return {
        "count": len(rows),
        "page": number,
        "pages": pages,
        "rows": rows[(number - 1) * size : number * size],
    }


def _filtered(request: Request, kind: str, rows: list[JsonObject]) -> list[dict[str, object]]:
    known = COLUMNS[kind]
    for name in request.query_params:
        if name in ("page", "page_size", "q") or (kind == "standings" and name == "stage"):
            continue
        if name not in known:
            raise Refused(
                "unknown_filter",
                _("No such filter: %(name)s.") % {"name": name},
                field=name,
            )
        wanted: int | str = request.query_params[name]
        if known[name] is int:
            wanted = _whole(request, name, 0, MOST_NUMBER)
        elif wanted not in _KNOWN.get(name, [wanted]):
            raise Refused(
                "unknown_word",
                _("%(name)s must be one of these: %(words)s.")
                % {"name": name, "words": ", ".join(_KNOWN[name])},
                field=name,
            )
        rows = [row for row in rows if row[name] == wanted]
    words = request.query_params.get("q", "")[:60]
    return matching(words, ((r, str(r.get("name", ""))) for r in rows)) if words.strip() else rows


def _event(event: Event) -> dict[str, object]:
    return {
        "slug": event.slug,
        "name": event.name,
        "place": event.place,
        "day": event.day.isoformat(),
        "state": event.state,
        "rulebook": event.rulebook,
        "edition": event.edition,
        "version": event.version,
    }


class Events(APIView):
    """The events of this installation, newest first."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("public")}

    def get_authenticators(self) -> list[Any]:
        """Reading the list needs no authentication."""
        reads = self.request is None or self.request.method in ("GET", "HEAD")
        return [] if reads else super().get_authenticators()

    @extend_schema(
        responses=read_shapes.EventsPage, operation_id="events_list", parameters=_PAGING[:2]
    )
    def get(self, request: Request) -> Response:
        """A page of events; hidden events are left out."""
        listed = Event.objects.filter(hidden=False)[:1000]
        return Response(_page(request, [_event(event) for event in listed]))


class EventDetail(APIView):
    """One event with its stages and rounds."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("public")}
    authentication_classes = []

    @extend_schema(
        responses=read_shapes.WholeEvent, operation_id="event_read", parameters=_PAGING[2:]
    )
    def get(self, request: Request, slug: str) -> Response:
        """The event; rounds as far as they are published."""
        event = event_by_slug(slug)
        published = rounds.published_rounds(event)
        return Response(
            {
                **_event(event),
                "stages": [
                    {
                        "order": stage.order,
                        "name": stage.name,
                        "format": stage.format,
                        "rounds_planned": stage.rounds_planned,
                        "cut": stage.cut,
                        "rounds": [
                            {
                                "number": round_.number,
                                "state": round_.state,
                                "published_at": round_.published_at,
                                "ends_at": round_.ends_at,
                            }
                            for round_ in published
                            if round_.stage_id == stage.pk
                        ],
                    }
                    for stage in event.stages.all()
                ],
            }
        )


class Listed(APIView):
    """One kind of record of an event, paged and filtered."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("public")}
    authentication_classes = []
    kind: str = ""

    def get(self, request: Request, slug: str) -> Response:
        """A page of rows, with the facts that hold for all of them."""
        event = event_by_slug(slug)
        more: dict[str, object] = {}
        if self.kind == "standings":
            orders = list(event.stages.values_list("order", flat=True))
            if request.query_params.get("stage"):
                more["stage"] = _whole(request, "stage", 1, MOST_STAGE)
                if more["stage"] not in orders:
                    raise Http404
            elif not orders:
                raise Http404
        table = exports.KINDS[self.kind](event, public=True, **more)
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        return Response({**table.facts, **_page(request, _filtered(request, self.kind, rows))})


def listed(kind: str) -> type[Listed]:
    """The view of one kind, described for the schema."""
    filters = [
        _number(name, MOST_NUMBER)
        if of is int
        else OpenApiParameter(name, OpenApiTypes.STR, enum=_KNOWN.get(name))
        for name, of in COLUMNS[kind].items()
    ]
    if kind == "standings":
        filters.append(
            _number("stage", MOST_STAGE, "Order of the stage; the current stage by default.")
        )

    class View(Listed):
        @extend_schema(
            operation_id=f"{kind}_list",
            responses=read_shapes.PAGES[kind],
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
