"""Stages as REST: list, add, change, take away; the cut between them and what decides it."""

from __future__ import annotations

from typing import ClassVar

from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from tournament.api import stage_shapes as shapes
from tournament.api.common import READ, ROUNDS
from tournament.api.verbs import ANSWERS, Answer
from tournament.models import Stage
from tournament.queries.stage_rule import bye_of
from tournament.queries.standings import club_rule_of, rule_of
from tournament.ranking.rule_words import clubs_in_words, in_words
from tournament.ranking.rulejson import club_rule_as_json, rule_as_json
from tournament.services import stage_plans, stages
from tournament.views.frame import event_by_slug


class Stages(APIView):
    """The stages of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(responses=shapes.StageShape(many=True), operation_id="stages_list")
    def get(self, request: Request, slug: str) -> Response:
        """Every stage in order."""
        return Response(shapes.StageShape(event_by_slug(slug).stages.all(), many=True).data)


class OneStage(APIView):
    """One stage."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(responses=shapes.StageShape, operation_id="stages_read")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """The stage as it is."""
        return Response(shapes.StageShape(stage_of(slug, order)).data)


class StageRanking(APIView):
    """The ranking rule of a stage."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(responses=shapes.RankingShape, operation_id="stages_ranking")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """The rule in force, as values and in words."""
        return Response(_ranking_json(stage_of(slug, order)))


def _ranking_json(stage: Stage) -> dict[str, object]:
    rule, clubs = rule_of(stage), club_rule_of(stage)
    language = get_language() or "en"
    words = [*in_words(rule, bye_of(stage, rule)), clubs_in_words(clubs)]
    return {
        "preset": stage.ranking,
        "own": bool(stage.ranking_rule),
        "fixed": stage_plans.ranking_is_fixed(stage),
        "rule": rule_as_json(rule),
        "clubs": club_rule_as_json(clubs),
        "words": [each.render(language) for each in words],
    }


class StageCut(APIView):
    """The qualified players of a stage."""

    access: ClassVar[dict[str, Access]] = {"GET": ROUNDS}

    @extend_schema(responses=shapes.CutShape, operation_id="stages_cut")
    def get(self, request: Request, slug: str, order: int) -> Response:
        """``through``: qualified, best first; ``undecided``: tied at the cut; ``reserves`` below it."""
        stage = stage_of(slug, order)
        return Response(
            {
                "through": stages.qualifiers(stage),
                "undecided": stages.undecided(stage),
                "reserves": stages.reserves(stage),
            }
        )


def stage_of(slug: str, order: int) -> Stage:
    """The stage that an address names."""
    return get_object_or_404(Stage, event=event_by_slug(slug), order=order)


ANSWERS.update(
    {
        "stages_set-ranking": Answer(shapes.RankingShape, _ranking_json),
        "stages_open": Answer(
            shapes.OpenedShape,
            lambda following: {"stage": following.order, "players": following.field.count()},
        ),
        **{
            name: Answer(
                shapes.StandingsStateShape,
                lambda ranked: {"state": ranked.state, "hash": ranked.hash},
            )
            for name in ("stages_standings", "stages_after-final")
        },
        **{
            name: Answer(shapes.OrderShape, lambda order: {"order": order})
            for name in ("stages_lots", "stages_play-off", "stages_take-back-order")
        },
    }
)
