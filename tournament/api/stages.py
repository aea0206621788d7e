"""Stages as REST: list, add, change, take away; the cut between them and what decides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.actors import Actor
from tournament.api import stage_shapes as shapes
from tournament.api.common import EVENT, READ, ROUNDS, UnknownVerb, Verb, actor_of, read_body
from tournament.api.draw_shapes import ReasonAsk
from tournament.models import Stage
from tournament.queries.standings import club_rule_of, rule_of
from tournament.ranking.rule_words import clubs_in_words, in_words
from tournament.ranking.rulejson import club_rule_as_json, rule_as_json
from tournament.services import ranking_rules, stage_plans, stages, standings
from tournament.views.frame import event_by_slug


class Stages(APIView):
    """The stages of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "POST": EVENT}

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
            event_id=event_by_slug(slug).pk,
            actor=actor_of(request),
            **read_body(shapes.StageShape, request),
        )
        return Response(shapes.stage_json(stage), status=status.HTTP_201_CREATED)


class OneStage(APIView):
    """One stage."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "PATCH": EVENT, "DELETE": EVENT}

    @extend_schema(responses=shapes.StageShape, operation_id="stages_read")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """The stage as it is."""
        return Response(shapes.stage_json(_stage(slug, order)))

    @extend_schema(
        request=shapes.StageShape, responses=shapes.StageShape, operation_id="stages_change"
    )
    def patch(self, request: Request, slug: str, order: int) -> Response:
        """Change the fields given."""
        values = read_body(shapes.StageShape, request, partial=True)
        stage = stage_plans.save_stage(
            event_id=event_by_slug(slug).pk, actor=actor_of(request), order=order, **values
        )
        return Response(shapes.stage_json(stage))

    @extend_schema(responses={204: None}, operation_id="stages_remove")
    def delete(self, request: Request, slug: str, order: int) -> Response:
        """Delete a stage that has no draw."""
        stage_plans.remove_stage(
            event_id=event_by_slug(slug).pk, order=order, actor=actor_of(request)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class StageRanking(APIView):
    """The ranking rule of a stage."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "PUT": EVENT}

    @extend_schema(responses=shapes.RankingShape, operation_id="stages_ranking")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """The rule in force, as values and in words."""
        return Response(_ranking_json(_stage(slug, order)))

    @extend_schema(
        request=shapes.RankingAsk,
        responses=shapes.RankingShape,
        operation_id="stages_set-ranking",
    )
    def put(self, request: Request, slug: str, order: int) -> Response:
        """Set the rule, or go back to a preset; refused once a round of the stage is published."""
        stage = ranking_rules.set_ranking(
            event_id=event_by_slug(slug).pk,
            order=order,
            actor=actor_of(request),
            **read_body(shapes.RankingAsk, request),
        )
        return Response(_ranking_json(stage))


def _ranking_json(stage: Stage) -> dict[str, object]:
    rule, clubs = rule_of(stage), club_rule_of(stage)
    language = get_language() or "en"
    words = [*in_words(rule), clubs_in_words(clubs)]
    return {
        "preset": stage.ranking,
        "own": bool(stage.ranking_rule),
        "fixed": ranking_rules.ranking_is_fixed(stage),
        "rule": rule_as_json(rule),
        "clubs": club_rule_as_json(clubs),
        "words": [each.render(language) for each in words],
    }


class StageCut(APIView):
    """Who qualifies from a stage."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.CutShape, operation_id="stages_cut")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """``through``: qualified, best first; ``undecided``: tied at the cut; ``reserves`` below it."""
        stage = _stage(slug, order)
        return Response(
            {
                "through": stages.qualifiers(stage),
                "undecided": stages.undecided(stage),
                "reserves": stages.reserves(stage),
            }
        )


def _stage(slug: str, order: int) -> Stage:
    return get_object_or_404(Stage, event=event_by_slug(slug), order=order)


def _open(actor: Actor, slug: str, order: int) -> dict[str, int]:
    following = stages.open_next_stage(stage_id=_stage(slug, order).pk, actor=actor)
    return {"stage": following.order, "players": following.field.count()}


def _lots(actor: Actor, slug: str, order: int) -> dict[str, object]:
    return {"order": stages.draw_lots(stage_id=_stage(slug, order).pk, actor=actor)}


def _play_off(actor: Actor, slug: str, order: int, numbers: Sequence[int]) -> dict[str, object]:
    stages.settle_play_off(stage_id=_stage(slug, order).pk, order=numbers, actor=actor)
    return {"order": list(numbers)}


def _take_back(actor: Actor, slug: str, order: int, reason: str) -> dict[str, object]:
    pk = _stage(slug, order).pk
    return {"order": stages.take_back_order(stage_id=pk, actor=actor, reason=reason)}


def _let_stand(actor: Actor, slug: str, order: int, reason: str) -> dict[str, object]:
    stage = _stage(slug, order)
    stages.let_field_stand(stage_id=stage.pk, reason=reason, actor=actor)
    return shapes.stage_json(stage)


def _set_state(actor: Actor, slug: str, order: int, state: str) -> dict[str, object]:
    ranked = standings.set_state(stage_id=_stage(slug, order).pk, state=state, actor=actor)
    return {"state": str(ranked.state), "hash": ranked.hash}


VERBS: Final[dict[str, Verb]] = {
    "let-stand": Verb(
        _let_stand,
        "Keep the field of the next stage although the ranking before it has changed.",
        shapes.StageShape,
        ReasonAsk,
    ),
    "standings": Verb(
        _set_state,
        "Make the standings provisional, frozen or final; final needs every round closed.",
        shapes.StandingsStateShape,
        shapes.StandingsStateAsk,
    ),
    "open": Verb(
        _open,
        "Add the qualifiers of a stage, all of whose rounds are closed, to the next.",
        shapes.OpenedShape,
    ),
    "lots": Verb(
        _lots,
        "Draw lots among those tied at the cut, from the event's public draw code; once drawn, they stand.",
        shapes.OrderShape,
    ),
    "play-off": Verb(
        _play_off,
        "Enter the order in which a play-off put those tied at the cut.",
        shapes.OrderShape,
        shapes.OrderAsk,
    ),
    "take-back-order": Verb(
        _take_back,
        "Undo lots and play-offs of a stage, until the next stage is drawn.",
        shapes.OrderShape,
        ReasonAsk,
    ),
}


class UnknownStageVerb(UnknownVerb):
    """No such action on a stage."""

    names = tuple(VERBS)
