"""The shapes of the stages' API: the stage, its cut, what its verbs take and answer."""

from __future__ import annotations

from typing import Final

from rest_framework import serializers

from ledger.canonical import JsonObject
from tournament.api.columns import ColumnsShape
from tournament.api.verbs import BODIES, SHAPES
from tournament.models import Stage, StandingsState
from tournament.models.columns import To, names
from tournament.ranking.presets import PRESETS
from tournament.services.stage_plans import CREDITS, credit_of

_NAMES: Final = tuple(
    "rounds" if name == "rounds_planned" else name for name in names(Stage, To.API)
)


class StageShape(ColumnsShape[Stage]):
    """One stage; every field may be left out when it is changed."""

    usual = True
    rounds = serializers.IntegerField(source="rounds_planned", min_value=1, max_value=60)
    target = serializers.JSONField(
        allow_null=True,
        default=None,
        help_text='Points that end a game, or {"deals": n}.',
    )
    ranking = serializers.ChoiceField(choices=sorted(PRESETS), default="world_championship")
    credit = serializers.ChoiceField(choices=["", *CREDITS], default="")
    cut = serializers.JSONField(
        default=dict,
        help_text='{"top": n, "half": true, "winners": true, "per_table": k, '
        '"fill": "up_to | beside | seconds", '
        '"whole": true, "tie": "all_in | lots | play_off"}',
    )
    drawing = serializers.JSONField(
        default=dict, help_text="The choices inside the format; see the guide to formats."
    )

    class Meta:
        model = Stage
        fields = ("order", *_NAMES, "credit")
        read_only_fields = ("order",)

    def to_representation(self, instance: Stage) -> JsonObject:
        """The stage with what sitting out is worth."""
        return {**super().to_representation(instance), "credit": credit_of(instance)}

    def validate_cut(self, value: object) -> object:
        """The cut must be an object."""
        return _object(value)

    def validate_drawing(self, value: object) -> object:
        """The choices must be an object."""
        return _object(value)


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise serializers.ValidationError("Expected an object.")
    return value


class RankingShape(serializers.Serializer[object]):
    """The ranking of a stage: its rule, how clubs are ranked, and both in words."""

    preset = serializers.CharField(help_text="The preset that the stage names.")
    own = serializers.BooleanField(help_text="Whether the stage has its own rule instead.")
    fixed = serializers.BooleanField(
        help_text="Whether a round is published: the rule can no longer change."
    )
    rule = serializers.JSONField(help_text="The rule in force; see the guide to ranking.")
    clubs = serializers.JSONField(help_text='{"by": "percentage | sum | average", "best", "least"}')
    words = serializers.ListField(child=serializers.CharField())


class RankingAsk(serializers.Serializer[object]):
    """Your own rule, or a preset; and how clubs are ranked. What is left out does not change."""

    rule = serializers.DictField(required=False, help_text="See the guide to ranking.")
    preset = serializers.CharField(max_length=40, required=False)
    clubs = serializers.DictField(
        required=False, help_text='{"by": "percentage | sum | average", "best", "least"}'
    )


class ThroughShape(serializers.Serializer[object]):
    """A participant who qualifies: by rank, or as ``winner:<table>``."""

    number = serializers.IntegerField()
    rank = serializers.IntegerField()
    origin = serializers.CharField()


class TiedShape(serializers.Serializer[object]):
    """Participants tied for fewer places than they are."""

    numbers = serializers.ListField(child=serializers.IntegerField())
    places = serializers.IntegerField()
    by = serializers.CharField(help_text="lots or play_off: what decides.")
    table = serializers.IntegerField(allow_null=True)


class CutShape(serializers.Serializer[object]):
    """Qualified players of a stage, those tied at the cut, and the first reserves below it."""

    through = ThroughShape(many=True)
    undecided = TiedShape(many=True)
    reserves = serializers.ListField(child=serializers.IntegerField())


class StandingsStateShape(serializers.Serializer[object]):
    """The status of standings, and the check code of their rows."""

    state = serializers.ChoiceField(choices=StandingsState.choices)
    hash = serializers.CharField()


class OpenedShape(serializers.Serializer[object]):
    """The stage that was opened, and how many play in it."""

    stage = serializers.IntegerField()
    players = serializers.IntegerField()


class OrderShape(serializers.Serializer[object]):
    """Start numbers in the order drawn or played off."""

    order = serializers.ListField(child=serializers.IntegerField())


SHAPES[Stage] = StageShape
BODIES.update(
    {
        **dict.fromkeys(("stages_add", "stages_change"), StageShape),
        "stages_set-ranking": RankingAsk,
    }
)
