"""People as REST for the director: late players, withdrawals, returns, replacements, separation."""

from __future__ import annotations

from typing import ClassVar, Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from tournament.api import people_shapes as shapes
from tournament.api.common import EVENT, PEOPLE
from tournament.api.person_data import PersonShape, export_person
from tournament.api.verbs import ANSWERS, Answer
from tournament.models import Ban, Entrant, Merger, Person
from tournament.services import entrant_edits
from tournament.tables.links import entrant_token
from tournament.views.frame import event_by_slug

WHO: Final = OpenApiParameter(
    "who", OpenApiTypes.STR, enum=["partner"], description="The second of a pair."
)


def entrant_of(slug: str, number: int) -> Entrant:
    """The participant that an address names."""
    return get_object_or_404(Entrant, event=event_by_slug(slug), number=number)


def merger_of(slug: str, number: int) -> Merger:
    """The merger of the number that an address names."""
    return entrant_edits.merger_of(event_by_slug(slug), number)


class Bans(APIView):
    """Players to keep apart: never drawn at the same table."""

    access: ClassVar[dict[str, Access]] = {"GET": PEOPLE}

    @extend_schema(responses=shapes.BanShape(many=True), operation_id="bans_list")
    def get(self, request: Request, slug: str) -> Response:
        """All players to keep apart, by start numbers."""
        listed = Ban.objects.filter(event__slug=slug).select_related("one", "two")
        return Response(shapes.BanShape(listed, many=True).data)


class EntrantData(APIView):
    """Everything that is stored of a player."""

    access: ClassVar[dict[str, Access]] = {"GET": EVENT}

    @extend_schema(
        parameters=[WHO],
        responses=PersonShape,
        operation_id="entrants_data",
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Their data and where it was used, to hand over."""
        return Response(export_person(_person(request, slug, number)))


def _person(request: Request, slug: str, number: int) -> Person:
    entrant = get_object_or_404(Entrant, event=event_by_slug(slug), number=number)
    person = entrant.partner if request.query_params.get("who") == "partner" else entrant.person
    if person is None:
        raise Http404
    return person


ANSWERS.update(
    {
        "entrants_wish": Answer(shapes.WishAsk),
        "entrants_new-link": Answer(
            shapes.LinkShape,
            lambda entrant: {
                "number": entrant.number,
                "path": reverse("personal", args=[entrant_token(entrant)]),
            },
        ),
    }
)
