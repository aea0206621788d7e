"""Rounds as REST: ask for a draw, see the draws made, the clock, changes at published tables.

A draw is a job: ask for it, look at the job until it is done, read the candidate it made.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.actors import Actor
from ledger.models import Job
from tournament.api import draw_shapes as shapes
from tournament.api.common import ROUNDS, Shape, UnknownVerb, Verb, actor_of, read_body
from tournament.api.people_shapes import ExchangeAsk
from tournament.models import Draw, Round, Table
from tournament.services import clock, draws, publication, reseating, rounds, tables
from tournament.views.frame import event_by_slug


class RoundDraws(APIView):
    """The draws of a round."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS, "POST": ROUNDS}

    @extend_schema(responses=shapes.DrawShape(many=True), operation_id="rounds_draws")
    def get(self, request: Request, round_id: uuid.UUID) -> Response:
        """Every draw made for the round, discarded or not."""
        listed = Draw.objects.filter(round=round_id).select_related("round__stage__event")
        return Response([shapes.draw_json(draw) for draw in listed])

    @extend_schema(
        request=shapes.DrawAsk, responses={202: shapes.JobShape}, operation_id="rounds_draw"
    )
    def post(self, request: Request, round_id: uuid.UUID) -> Response:
        """Request a draw; while one is being made, that job is answered."""
        job = draws.request_draw(
            round_id=round_id, actor=actor_of(request), **read_body(shapes.DrawAsk, request)
        )
        return Response(shapes.job_json(job), status=status.HTTP_202_ACCEPTED)


class OneRound(APIView):
    """One round."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.RoundShape, operation_id="rounds_read")
    def get(self, request: Request, round_id: uuid.UUID) -> Response:
        """Its state, when it will be published automatically, when its clock ends."""
        return Response(shapes.round_json(get_object_or_404(Round, pk=round_id)))


class EventRounds(APIView):
    """The rounds of a stage, by whose ids they are drawn."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.RoundShape(many=True), operation_id="stages_rounds")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """Every round of the stage in order."""
        listed = Round.objects.filter(stage__event__slug=slug, stage__order=order)
        return Response([shapes.round_json(part) for part in listed.order_by("number")])


class OneJob(APIView):
    """One job of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "jobs.read")}

    @extend_schema(responses=shapes.JobShape, operation_id="jobs_read")
    def get(self, request: Request, slug: str, job_id: uuid.UUID) -> Response:
        """How far it is, and what it made."""
        job = get_object_or_404(Job, pk=job_id, scope=event_by_slug(slug).pk)
        return Response(shapes.job_json(job))


def _verb(act: Callable[..., Any], says: str, shape: Shape | None = None) -> Verb:
    """An action on a round; it answers the round as it then is."""

    def do(actor: Actor, round_id: uuid.UUID, **body: Any) -> dict[str, object]:
        act(round_id=round_id, actor=actor, **body)
        return shapes.round_json(Round.objects.get(pk=round_id))

    return Verb(do, says, shapes.RoundShape, shape)


def _seat(*, table: int, **more: Any) -> Draw:
    return reseating.seat_late(number=table, **more)


def _table(round_id: uuid.UUID, number: int) -> Table:
    return get_object_or_404(Table, round=round_id, number=number)


def _give_time(*, round_id: uuid.UUID, table: int, minutes: int, actor: Actor) -> Table:
    return clock.give_table_time(table_id=_table(round_id, table).pk, minutes=minutes, actor=actor)


def _new_link(*, round_id: uuid.UUID, table: int, reason: str, actor: Actor) -> Table:
    return tables.revoke_link(table_id=_table(round_id, table).pk, reason=reason, actor=actor)


VERBS: Final[dict[str, Verb]] = {
    "give-time": _verb(
        _give_time, "Give one table more minutes after the bell.", shapes.TableMinutesAsk
    ),
    "new-link": _verb(
        _new_link,
        "Stop every slip printed so far for a table; a new slip has a new link.",
        shapes.TableReasonAsk,
    ),
    "start": _verb(clock.start_round, "Start the round's clock; starting twice changes nothing."),
    "extend": _verb(
        clock.extend_round, "Give the whole round more, or less, time.", shapes.MinutesAsk
    ),
    "pause": _verb(clock.pause_round, "Pause the clock with the time that is left."),
    "resume": _verb(clock.resume_round, "Resume a paused clock."),
    "clock": _verb(
        clock.set_clock, "Set how many minutes are left on the clock.", shapes.MinutesLeftAsk
    ),
    "close": _verb(
        rounds.close_round,
        "Close a round once every table has signed; `forfeits` says yes to `tables_forfeited`.",
        shapes.CloseAsk,
    ),
    "reopen": _verb(rounds.reopen_round, "Reopen a closed round.", shapes.ReasonAsk),
    "unpublish": _verb(
        publication.unpublish,
        "Unpublish a draw as long as no deal has been recorded; `entries_exist` names the tables with deals.",
        shapes.ReasonAsk,
    ),
    "unschedule": _verb(
        publication.cancel_publication, "Cancel a scheduled publication that has not happened yet."
    ),
    "exchange": _verb(
        reseating.exchange,
        "Swap two players of a published round; with a reason also where deals have been recorded.",
        ExchangeAsk,
    ),
    "seat": _verb(
        _seat,
        "Seat together, at a new table, players who were still playing or have a bye.",
        shapes.SeatAsk,
    ),
    "decide": _verb(
        reseating.decide_match,
        "Decide the winner of a match that ended tied or was not played, with a reason.",
        shapes.DecideAsk,
    ),
    "undecide": _verb(
        reseating.withdraw_decision,
        "Take back the decision on a match: its games count again, and may be recorded.",
        shapes.TableReasonAsk,
    ),
}


class UnknownRoundVerb(UnknownVerb):
    """No such action on a round."""

    names = tuple(VERBS)
