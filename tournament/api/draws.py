"""One draw as REST: its tables and certificate, why a table, what a change costs, publication."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.actors import Actor
from tournament.api import draw_shapes as shapes
from tournament.api.common import ROUNDS, UnknownVerb, Verb
from tournament.models import Draw
from tournament.queries.certificates import side_by_side
from tournament.services import draws, edits, publication
from tournament.services.edits import Edit


def _draw(draw_id: uuid.UUID) -> Draw:
    return get_object_or_404(Draw.objects.select_related("round__stage__event"), pk=draw_id)


class OneDraw(APIView):
    """One draw."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.DrawShape, operation_id="draws_read")
    def get(self, request: Request, draw_id: uuid.UUID) -> Response:
        """Tables, byes, draw report."""
        return Response(shapes.draw_json(_draw(draw_id)))


class DrawRequest(APIView):
    """What a draw was made from."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="draws_request")
    def get(self, request: Request, draw_id: uuid.UUID) -> Response:
        """Everything needed to repeat the same draw: start numbers, clubs, requests, the draw code."""
        return Response(_draw(draw_id).request)


class DrawWhy(APIView):
    """Why a table is as it is."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.WhyShape, operation_id="draws_why")
    def get(self, request: Request, draw_id: uuid.UUID, table: int) -> Response:
        """The reasons, counted from the facts."""
        return Response({"table": table, "reasons": edits.why(_draw(draw_id), table)})


class DrawProposals(APIView):
    """The players with whom somebody would best swap places."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.ProposalShape(many=True), operation_id="draws_proposals")
    def get(self, request: Request, draw_id: uuid.UUID, number: int) -> Response:
        """The best swaps of a start number, each with the repeated meetings it adds."""
        proposals = edits.proposals(_draw(draw_id), number)
        return Response([{"number": who, "cost": cost} for who, cost in proposals])


class DrawCompare(APIView):
    """Two draws of a round side by side."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.ComparedShape(many=True), operation_id="draws_compare")
    def get(self, request: Request, draw_id: uuid.UUID, other: uuid.UUID) -> Response:
        """Every line of the draw reports with both values."""
        one = _draw(draw_id)
        two = get_object_or_404(Draw, pk=other, round=one.round_id)
        lines = side_by_side(one.certificate.get("lines", []), two.certificate.get("lines", []))
        return Response(
            [{"label": m.label, "one": m.before, "two": m.after, "by": m.by} for m in lines]
        )


def _edit(body: dict[str, Any]) -> Edit:
    return Edit(
        body["verb"], body["one"], body["two"], body["table"], body["to"], tuple(body["players"])
    )


def _weigh(_actor: Actor, draw_id: uuid.UUID, **body: Any) -> dict[str, object]:
    change = edits.weigh(_draw(draw_id), _edit(body))
    return {"delta": dict(change.delta), "worse": list(change.worse)}


def _change(actor: Actor, draw_id: uuid.UUID, after: int, **body: Any) -> dict[str, object]:
    edits.make(draw_id=draw_id, edit=_edit(body), after=after, actor=actor)
    return shapes.draw_json(_draw(draw_id))


def _undo(actor: Actor, draw_id: uuid.UUID) -> dict[str, object]:
    edits.undo(draw_id=draw_id, actor=actor)
    return shapes.draw_json(_draw(draw_id))


def _publish(actor: Actor, draw_id: uuid.UUID) -> dict[str, object]:
    publication.publish_draw(draw_id=draw_id, actor=actor)
    return shapes.draw_json(_draw(draw_id))


def _schedule(actor: Actor, draw_id: uuid.UUID, at: datetime) -> dict[str, object]:
    return shapes.round_json(publication.publish_later(draw_id=draw_id, at=at, actor=actor))


def _discard(actor: Actor, draw_id: uuid.UUID) -> dict[str, object]:
    draws.discard_draw(draw_id=draw_id, actor=actor)
    return shapes.draw_json(_draw(draw_id))


VERBS: Final[dict[str, Verb]] = {
    "weigh": Verb(
        _weigh,
        "The effect of a change, line by line of the draw report; changes nothing.",
        shapes.CostShape,
        shapes.EditAsk,
    ),
    "change": Verb(
        _change,
        "Make a change whose effect was seen; `after` is how many changes the draw had then. `draw_changed` when somebody else was quicker.",
        shapes.DrawShape,
        shapes.ChangeAsk,
    ),
    "undo": Verb(_undo, "Undo the last change.", shapes.DrawShape),
    "publish": Verb(
        _publish,
        "Publish now; publishing the published draw again changes nothing. Refused when players present, earlier rounds or players to keep apart changed since the draw was made.",
        shapes.DrawShape,
    ),
    "schedule": Verb(
        _schedule,
        "Schedule publication; another time or draft draw replaces the one set.",
        shapes.RoundShape,
        shapes.AtAsk,
    ),
    "discard": Verb(_discard, "Discard a draft draw; it stays readable.", shapes.DrawShape),
}


class UnknownDrawVerb(UnknownVerb):
    """No such action on a draw."""

    names = tuple(VERBS)
