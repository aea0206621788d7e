"""Stages, draws and rounds as REST: the verbs of the director's desk, for programs.

Every verb is the service that the desk calls; a refusal is problem+json with the same code and
sentence. A draw is a job: ask for it, look at the job until it is done, read the candidate it made.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ledger.access import Access
from ledger.actors import Actor
from ledger.errors import NotHere, Refused
from ledger.models import Job
from tournament.api import draw_shapes as shapes
from tournament.models import Ban, Draw, Round, Stage
from tournament.selectors.certificates import side_by_side
from tournament.services import (
    draws,
    edits,
    publication,
    reseating,
    rounds,
    stage_plans,
    stages,
    wishes,
)
from tournament.services.edits import Edit
from tournament.views.frame import event_by_slug

ROUNDS = Access("needs", "rounds.manage")
EVENT = Access("needs", "event.manage")
PEOPLE = Access("needs", "entrants.manage")

Shape = type[serializers.Serializer[Any]]


def actor_of(request: Request) -> Actor:
    """The signed-in caller."""
    return Actor.user(request.user.pk)


def asked(shape: Shape, request: Request, **more: Any) -> dict[str, Any]:
    """The body of a request, checked; a wrong one is a 400 naming its fields."""
    form = shape(data=request.data, **more)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


class Stages(APIView):
    """The stages of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "event.read"), "POST": EVENT}

    @extend_schema(responses=shapes.StageShape(many=True), operation_id="stages_list")
    def get(self, request: Request, slug: str) -> Response:
        """Every stage in order."""
        return Response([shapes.stage_json(s) for s in event_by_slug(slug).stages.all()])

    @extend_schema(
        request=shapes.StageShape, responses={201: shapes.StageShape}, operation_id="stages_add"
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a stage at the end."""
        stage = stage_plans.save_stage(
            event_id=event_by_slug(slug).pk, actor=actor_of(request),
            **asked(shapes.StageShape, request),
        )  # fmt: skip
        return Response(shapes.stage_json(stage), status=status.HTTP_201_CREATED)


class OneStage(APIView):
    """One stage."""

    access: ClassVar[dict[str, Access]] = {
        "GET": Access("needs", "event.read"), "PATCH": EVENT, "DELETE": EVENT,
    }  # fmt: skip

    @extend_schema(responses=shapes.StageShape, operation_id="stages_read")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """The stage as it is."""
        stage = get_object_or_404(Stage, event=event_by_slug(slug), order=order)
        return Response(shapes.stage_json(stage))

    @extend_schema(
        request=shapes.StageShape, responses=shapes.StageShape, operation_id="stages_change"
    )
    def patch(self, request: Request, slug: str, order: int) -> Response:
        """Change the fields given."""
        values = asked(shapes.StageShape, request, partial=True)
        stage = stage_plans.save_stage(
            event_id=event_by_slug(slug).pk, actor=actor_of(request), order=order, **values
        )
        return Response(shapes.stage_json(stage))

    @extend_schema(responses={204: None}, operation_id="stages_remove")
    def delete(self, request: Request, slug: str, order: int) -> Response:
        """Take away a stage of which nothing was drawn."""
        stage_plans.remove_stage(
            event_id=event_by_slug(slug).pk, order=order, actor=actor_of(request)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class StageCut(APIView):
    """Who goes on from a stage."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="stages_cut")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """``through``, best first; ``undecided``: those level at the cut; ``reserves`` below it."""
        stage = get_object_or_404(Stage, event=event_by_slug(slug), order=order)
        return Response(
            {
                "through": stages.qualifiers(stage), "undecided": stages.undecided(stage),
                "reserves": stages.reserves(stage),
            }
        )  # fmt: skip


class StageVerb(APIView):
    """``open`` the next stage, draw ``lots``, or enter a ``play-off``."""

    access: ClassVar[dict[str, Access]] = {"POST": ROUNDS}

    @extend_schema(
        request=shapes.OrderAsk, responses=OpenApiTypes.OBJECT, operation_id="stages_verb"
    )
    def post(self, request: Request, slug: str, order: int, verb: str) -> Response:
        """Do it; a play-off takes ``order``, the others nothing."""
        stage = get_object_or_404(Stage, event=event_by_slug(slug), order=order)
        actor = actor_of(request)
        if verb == "open":
            following = stages.open_next_stage(stage_id=stage.pk, actor=actor)
            return Response({"stage": following.order, "players": following.field.count()})
        if verb == "lots":
            return Response({"order": stages.draw_lots(stage_id=stage.pk, actor=actor)})
        if verb == "play-off":
            chosen = asked(shapes.OrderAsk, request)["order"]
            stages.settle_play_off(stage_id=stage.pk, order=chosen, actor=actor)
            return Response({"order": chosen})
        raise NotHere(
            "unknown_verb", _("Possible here: %(names)s.") % {"names": "open, lots, play-off"}
        )


class RoundDraws(APIView):
    """The draws of a round."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS, "POST": ROUNDS}

    @extend_schema(responses=shapes.DrawShape(many=True), operation_id="rounds_draws")
    def get(self, request: Request, round_id: uuid.UUID) -> Response:
        """Every draw made for the round, put aside or not."""
        listed = Draw.objects.filter(round=round_id).select_related("round__stage__event")
        return Response([shapes.draw_json(draw) for draw in listed])

    @extend_schema(
        request=shapes.DrawAsk, responses={202: shapes.JobShape}, operation_id="rounds_draw"
    )
    def post(self, request: Request, round_id: uuid.UUID) -> Response:
        """Ask for a draw; while one is being made, that job is answered."""
        job = draws.request_draw(
            round_id=round_id, actor=actor_of(request), **asked(shapes.DrawAsk, request)
        )
        return Response(shapes.job_json(job), status=status.HTTP_202_ACCEPTED)


class RoundVerb(APIView):
    """``start``, ``extend``, ``close``, ``reopen``, ``unpublish``, ``unschedule``, ``exchange``, ``seat``, ``decide``."""

    access: ClassVar[dict[str, Access]] = {"POST": ROUNDS}

    @extend_schema(
        request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT, operation_id="rounds_verb",
        description="extend takes `minutes`; reopen and unpublish `reason`; exchange `one`, `two`; "
        "seat `players`, `table`; decide `table`, `winner`, `reason`; the others nothing.",
    )  # fmt: skip
    def post(self, request: Request, round_id: uuid.UUID, verb: str) -> Response:
        """Do it and answer the round's state."""
        who: dict[str, Any] = {"round_id": round_id, "actor": actor_of(request)}

        def with_body(act: Callable[..., Any], shape: Shape) -> Callable[[], Any]:
            return lambda: act(**who, **asked(shape, request))

        def seat() -> Any:
            body = asked(shapes.SeatAsk, request)
            return reseating.seat_late(players=body["players"], number=body["table"], **who)

        acts: dict[str, Callable[[], Any]] = {
            "start": lambda: rounds.start_round(**who),
            "close": lambda: rounds.close_round(**who),
            "unschedule": lambda: publication.cancel_publication(**who),
            "extend": with_body(rounds.extend_round, shapes.MinutesAsk),
            "reopen": with_body(rounds.reopen_round, shapes.ReasonAsk),
            "unpublish": with_body(publication.unpublish, shapes.ReasonAsk),
            "exchange": with_body(reseating.exchange, shapes.PairAsk),
            "decide": with_body(reseating.decide_match, shapes.DecideAsk),
            "seat": seat,
        }
        if verb not in acts:
            raise NotHere(
                "unknown_verb", _("Possible here: %(names)s.") % {"names": ", ".join(sorted(acts))}
            )
        acts[verb]()
        part = Round.objects.get(pk=round_id)
        return Response(
            {
                "id": str(part.pk), "number": part.number, "state": part.state,
                "publish_at": part.publish_at, "ends_at": part.ends_at,
            }
        )  # fmt: skip


def _draw(draw_id: uuid.UUID) -> Draw:
    return get_object_or_404(Draw.objects.select_related("round__stage__event"), pk=draw_id)


class OneDraw(APIView):
    """One draw."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.DrawShape, operation_id="draws_read")
    def get(self, request: Request, draw_id: uuid.UUID) -> Response:
        """Tables, byes, certificate."""
        return Response(shapes.draw_json(_draw(draw_id)))


class DrawRequest(APIView):
    """What a draw was made from."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="draws_request")
    def get(self, request: Request, draw_id: uuid.UUID) -> Response:
        """Everything needed to make the same draw again."""
        return Response(_draw(draw_id).request)


class DrawWhy(APIView):
    """Why a table is as it is."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="draws_why")
    def get(self, request: Request, draw_id: uuid.UUID, table: int) -> Response:
        """The reasons, counted from the facts."""
        return Response({"table": table, "reasons": edits.why(_draw(draw_id), table)})


class DrawCompare(APIView):
    """Two draws of a round side by side."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="draws_compare")
    def get(self, request: Request, draw_id: uuid.UUID, other: uuid.UUID) -> Response:
        """Every line of the certificates with both values."""
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


class DrawVerb(APIView):
    """``weigh``, ``change``, ``undo``, ``publish``, ``schedule``, ``discard``."""

    access: ClassVar[dict[str, Access]] = {"POST": ROUNDS}

    @extend_schema(
        request=shapes.ChangeAsk, responses=OpenApiTypes.OBJECT, operation_id="draws_verb",
        description="weigh takes a change and answers what it costs; change takes it with `after`, "
        "the number of changes the draw had; schedule takes `at`; the others nothing.",
    )  # fmt: skip
    def post(self, request: Request, draw_id: uuid.UUID, verb: str) -> Response:
        """Do it and answer the draw, or the cost."""
        candidate, actor = _draw(draw_id), actor_of(request)
        if verb == "weigh":
            change = edits.weigh(candidate, _edit(asked(shapes.EditAsk, request)))
            return Response({"delta": dict(change.delta), "worse": list(change.worse)})
        if verb == "change":
            body = asked(shapes.ChangeAsk, request)
            edits.make(draw_id=draw_id, edit=_edit(body), after=body["after"], actor=actor)
        elif verb == "undo":
            edits.undo(draw_id=draw_id, actor=actor)
        elif verb == "publish":
            publication.publish_draw(draw_id=draw_id, actor=actor)
        elif verb == "schedule":
            at = asked(shapes.AtAsk, request)["at"]
            publication.publish_later(draw_id=draw_id, at=at, actor=actor)
        elif verb == "discard":
            draws.discard_draw(draw_id=draw_id, actor=actor)
        else:
            raise NotHere(
                "unknown_verb",
                _("Possible here: %(names)s.")
                % {"names": "weigh, change, undo, publish, schedule, discard"},
            )
        return Response(shapes.draw_json(_draw(draw_id)))


class OneJob(APIView):
    """One job of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "jobs.read")}

    @extend_schema(responses=shapes.JobShape, operation_id="jobs_read")
    def get(self, request: Request, slug: str, job_id: uuid.UUID) -> Response:
        """How far it is, and what it made."""
        job = get_object_or_404(Job, pk=job_id, scope=event_by_slug(slug).pk)
        return Response(shapes.job_json(job))


class Bans(APIView):
    """Entrants who are never drawn to one table."""

    access: ClassVar[dict[str, Access]] = {"GET": PEOPLE, "POST": PEOPLE}

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="bans_list")
    def get(self, request: Request, slug: str) -> Response:
        """Every ban, by start numbers."""
        listed = Ban.objects.filter(event__slug=slug).values_list(
            "pk", "one__number", "two__number"
        )
        return Response([{"id": pk, "one": one, "two": two} for pk, one, two in listed])

    @extend_schema(
        request=shapes.PairAsk, responses={201: OpenApiTypes.OBJECT}, operation_id="bans_add"
    )
    def post(self, request: Request, slug: str) -> Response:
        """Keep two apart."""
        body = asked(shapes.PairAsk, request)
        made = wishes.ban(event_id=event_by_slug(slug).pk, actor=actor_of(request), **body)
        return Response({"id": made.pk, **body}, status=status.HTTP_201_CREATED)


class OneBan(APIView):
    """One ban."""

    access: ClassVar[dict[str, Access]] = {"DELETE": PEOPLE}

    @extend_schema(responses={204: None}, operation_id="bans_lift")
    def delete(self, request: Request, slug: str, ban: int) -> Response:
        """Lift it."""
        wishes.lift_ban(event_id=event_by_slug(slug).pk, ban_id=ban, actor=actor_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class EntrantWish(APIView):
    """What the draw must respect of one entrant."""

    access: ClassVar[dict[str, Access]] = {"PATCH": PEOPLE}

    @extend_schema(request=shapes.WishAsk, responses=shapes.WishAsk, operation_id="entrants_wish")
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Set the wishes given."""
        body = asked(shapes.WishAsk, request)
        if not body:
            raise Refused("nothing_asked", _("Give at least one wish."))
        entrant = wishes.wish(
            event_id=event_by_slug(slug).pk, number=number, actor=actor_of(request), **body
        )
        return Response({name: getattr(entrant, name) for name in wishes.WISHES})


class Replace(APIView):
    """A replacement."""

    access: ClassVar[dict[str, Access]] = {"POST": PEOPLE}

    @extend_schema(
        request=shapes.ReplaceAsk, responses=OpenApiTypes.OBJECT, operation_id="entrants_replace"
    )
    def post(self, request: Request, slug: str) -> Response:
        """One leaves, another takes his place."""
        body = asked(shapes.ReplaceAsk, request)
        coming = reseating.replace_player(
            event_id=event_by_slug(slug).pk, actor=actor_of(request), **body
        )
        return Response({"number": coming.number, "state": coming.state})
