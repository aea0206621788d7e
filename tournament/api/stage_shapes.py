"""The shapes of the stages' API: the stage, its cut, what its verbs take and answer."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournament.api.people_shapes import start_number
from tournament.models import Format, Stage, StandingsState
from tournament.ranking.presets import PRESETS
from tournament.services.stage_plans import CREDITS, credit_of


class StageShape(serializers.Serializer[Any]):
    """One stage; every field may be left out when it is changed."""

    order = serializers.IntegerField(read_only=True)
    name = serializers.CharField(max_length=60)
    format = serializers.ChoiceField(choices=Format.choices)
    rounds = serializers.IntegerField(min_value=1, max_value=60)
    games_per_round = serializers.ChoiceField(choices=[1, 3], default=3)
    deals_per_game = serializers.IntegerField(min_value=1, max_value=60, allow_null=True, default=4)
    target = serializers.JSONField(
        allow_null=True,
        default=None,
        help_text='Points that end a game, or {"deals": n}.',
    )
    minutes = serializers.IntegerField(min_value=5, max_value=600, default=90)
    ranking = serializers.ChoiceField(choices=sorted(PRESETS), default="world_championship")
    credit = serializers.ChoiceField(choices=["", *CREDITS], default="")
    carries_over = serializers.BooleanField(default=False)
    cut = serializers.JSONField(
        default=dict,
        help_text='{"top": n, "half": true, "winners": true, "per_table": k, '
        '"fill": "up_to | beside | seconds", '
        '"whole": true, "tie": "all_in | lots | play_off"}',
    )
    club_rounds = serializers.IntegerField(min_value=0, max_value=60, default=2)
    drawing = serializers.JSONField(
        default=dict, help_text="The choices inside the format; see the guide to formats."
    )

    def validate_cut(self, value: Any) -> Any:
        """The cut must be an object."""
        return _object(value)

    def validate_drawing(self, value: Any) -> Any:
        """The choices must be an object."""
        return _object(value)


def _object(value: Any) -> dict[str, object]:
    if not isinstance(value, dict):
        raise serializers.ValidationError("Expected an object.")
    return value


def stage_json(stage: Stage) -> dict[str, object]:
    """A stage in the shape of :class:`StageShape`."""
    return {
        "order": stage.order,
        "name": stage.name,
        "format": stage.format,
        "rounds": stage.rounds_planned,
        "games_per_round": stage.games_per_round,
        "deals_per_game": stage.deals_per_game,
        "target": stage.target,
        "minutes": stage.minutes,
        "ranking": stage.ranking,
        "credit": credit_of(stage),
        "carries_over": stage.carries_over,
        "cut": stage.cut,
        "club_rounds": stage.club_rounds,
        "drawing": stage.drawing,
    }


class RankingShape(serializers.Serializer[Any]):
    """The ranking of a stage: its rule, how clubs are ranked, and both in words."""

    preset = serializers.CharField(help_text="The preset that the stage names.")
    own = serializers.BooleanField(help_text="Whether the stage has its own rule instead.")
    fixed = serializers.BooleanField(
        help_text="Whether a round is published: the rule can no longer change."
    )
    rule = serializers.JSONField(help_text="The rule in force; see the guide to ranking.")
    clubs = serializers.JSONField(help_text='{"by": "percentage | sum | average", "best", "least"}')
    words = serializers.ListField(child=serializers.CharField())


class RankingAsk(serializers.Serializer[Any]):
    """Your own rule, or a preset; and how clubs are ranked. What is left out does not change."""

    rule = serializers.DictField(required=False, help_text="See the guide to ranking.")
    preset = serializers.CharField(max_length=40, required=False)
    clubs = serializers.DictField(
        required=False, help_text='{"by": "percentage | sum | average", "best", "least"}'
    )


class OrderAsk(serializers.Serializer[Any]):
    """Those tied at the cut in the order of the play-off, the winner first."""

    numbers = serializers.ListField(child=start_number(), min_length=2, max_length=2000)


class ThroughShape(serializers.Serializer[Any]):
    """A participant who qualifies: by rank, or as ``winner:<table>``."""

    number = serializers.IntegerField()
    rank = serializers.IntegerField()
    origin = serializers.CharField()


class TiedShape(serializers.Serializer[Any]):
    """Participants tied for fewer places than they are."""

    numbers = serializers.ListField(child=serializers.IntegerField())
    places = serializers.IntegerField()
    by = serializers.CharField(help_text="lots or play_off: what decides.")
    table = serializers.IntegerField(allow_null=True)


class CutShape(serializers.Serializer[Any]):
    """Who qualifies from a stage, who is tied at the cut, and the first reserves below it."""

    through = ThroughShape(many=True)
    undecided = TiedShape(many=True)
    reserves = serializers.ListField(child=serializers.IntegerField())


class StandingsStateAsk(serializers.Serializer[Any]):
    """The status that the standings are to have."""

    state = serializers.ChoiceField(choices=StandingsState.choices)


class StandingsStateShape(StandingsStateAsk):
    """Their status, and the check code of their rows."""

    hash = serializers.CharField()


class OpenedShape(serializers.Serializer[Any]):
    """The stage that was opened, and how many play in it."""

    stage = serializers.IntegerField()
    players = serializers.IntegerField()


class OrderShape(serializers.Serializer[Any]):
    """Start numbers in the order drawn or played off."""

    order = serializers.ListField(child=serializers.IntegerField())
