"""Shapes of the API of rounds and draws: validation of requests, description of responses."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from ledger.canonical import JsonObject
from ledger.models import Job
from tournament.api.people_shapes import start_number
from tournament.api.verbs import BODIES, SHAPES, Typed
from tournament.models import Draw, Round
from tournament.queries.certificates import CertificateLine, lines_of, movement_name
from tournament.queries.fields import numbers_of
from tournament.queries.left_out import left_out
from tournament.queries.sheet_rules import is_filling


class JobShape(serializers.Serializer[object]):
    """A job and how far it is; ``result`` names what it made."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.CharField()
    percent = serializers.IntegerField()
    step = serializers.CharField()
    result = serializers.JSONField()
    failure = serializers.CharField()


class DrawAsk(serializers.Serializer[object]):
    """Options of a draw; all may be left out."""

    seed = serializers.CharField(max_length=60, default="", allow_blank=True)
    hold = serializers.BooleanField(default=False, help_text="Leave out tables still playing.")
    bye_first = serializers.ListField(child=start_number(), default=list, max_length=2000)
    keep_of = serializers.UUIDField(
        default=None,
        allow_null=True,
        help_text="The draft draw of which the tables in `keep` stay.",
    )
    keep = serializers.ListField(child=start_number(), default=list, max_length=2000)


class DrawTableShape(serializers.Serializer[object]):
    """One table: start numbers in order of seat."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    players = serializers.ListField(child=serializers.IntegerField())
    scorekeeper = serializers.IntegerField(allow_null=True)
    dealer = serializers.IntegerField(allow_null=True)
    classified = serializers.BooleanField(
        help_text="False at a table of three that fills up a round: credited as a bye."
    )


@extend_schema_serializer(component_name="LineOut")
class LineOut(Typed):
    """One line of a draw report."""

    class Meta:
        dataclass = CertificateLine
        extra_kwargs = {"proven": {"help_text": "Whether the bound is proven, or the best known."}}


class LeftOutShape(serializers.Serializer[object]):
    """Players without a seat in a draw, for one reason."""

    reason = serializers.CharField(
        help_text="registered, arrived, out, held, later, reserve or withdrawn."
    )
    title = serializers.CharField()
    numbers = serializers.ListField(child=serializers.IntegerField())


class DrawShape(serializers.Serializer[Any]):
    """A draw with its report; people are start numbers."""

    id = serializers.UUIDField()
    round = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.CharField()
    seed = serializers.CharField()
    movement = serializers.CharField()
    tables = DrawTableShape(many=True)
    byes = serializers.ListField(child=serializers.IntegerField())
    held = serializers.ListField(child=serializers.IntegerField())
    left_out = LeftOutShape(many=True)
    certificate = LineOut(many=True)
    changes = serializers.IntegerField()

    def to_representation(self, instance: Draw) -> JsonObject:
        """The draw in the reader's language."""
        numbers = numbers_of(instance.round.stage.event)

        def who(key: int | None) -> int | None:
            return None if key is None else numbers[key]

        return {
            "id": str(instance.pk),
            "round": str(instance.round_id),
            "number": instance.number,
            "state": instance.state,
            "seed": instance.seed,
            "movement": movement_name(instance.movement),
            "tables": [
                {
                    "number": t["number"],
                    "kind": t["kind"],
                    "players": [numbers[p] for p in t["players"]],
                    "scorekeeper": who(t["scorekeeper"]),
                    "dealer": who(t["dealer"]),
                    "classified": not is_filling(instance, t),
                }
                for t in instance.tables
            ],
            "byes": [numbers[b] for b in instance.byes],
            "held": [numbers[h] for h in instance.held],
            "left_out": [
                {
                    "reason": group.reason,
                    "title": group.title,
                    "numbers": [person.number for person in group.people],
                }
                for group in left_out(instance.round, instance)
            ],
            "certificate": [asdict(line) for line in lines_of(instance)],
            "changes": len(instance.edits),
        }


class RoundShape(serializers.Serializer[object]):
    """A round: its state, when it will be published automatically, when its clock ends."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.CharField()
    publish_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    paused_left = serializers.IntegerField(
        allow_null=True, help_text="Seconds left on a paused clock."
    )


class CostShape(serializers.Serializer[object]):
    """By how much each line of the draw report changes, and which lines get worse."""

    delta = serializers.DictField(child=serializers.IntegerField())
    worse = serializers.ListField(child=serializers.CharField())


class ProposalShape(serializers.Serializer[object]):
    """A swap that could be made, and the repeated meetings it adds."""

    number = serializers.IntegerField()
    cost = serializers.IntegerField()


class WhyShape(serializers.Serializer[object]):
    """The reasons of a table, in the caller's language."""

    table = serializers.IntegerField()
    reasons = serializers.ListField(child=serializers.CharField())


class ComparedShape(serializers.Serializer[object]):
    """One line of two draw reports; ``by``: the difference, positive when the second is worse."""

    label = serializers.CharField()  # type: ignore[assignment]  # also an attribute of Field
    one = serializers.IntegerField(allow_null=True)
    two = serializers.IntegerField(allow_null=True)
    by = serializers.IntegerField()


SHAPES.update({Draw: DrawShape, Round: RoundShape, Job: JobShape})
BODIES["rounds_draw"] = DrawAsk
