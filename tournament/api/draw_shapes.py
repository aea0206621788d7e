"""The shapes of the draws' API: what comes in is checked by them, what goes out is described."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ledger.models import Job
from tournament.models import Draw, Format, Stage
from tournament.selectors.certificates import lines_of, movement_name
from tournament.selectors.fields import numbers_of
from tournament.services.stage_plans import CREDITS, credit_of
from tournament.standings.presets import PRESETS

WHOLE = {"min_value": 1, "max_value": 99999}


class StageShape(serializers.Serializer[Any]):
    """One stage; every field may be left out when it is changed."""

    order = serializers.IntegerField(read_only=True)
    name = serializers.CharField(max_length=60)
    format = serializers.ChoiceField(choices=Format.choices)
    rounds = serializers.IntegerField(min_value=1, max_value=60)
    games_per_round = serializers.ChoiceField(choices=[1, 3], default=3)
    deals_per_game = serializers.IntegerField(min_value=1, max_value=60, allow_null=True, default=4)
    target = serializers.JSONField(
        allow_null=True, default=None, help_text="Points that end a game, or {\"deals\": n}.",
    )  # fmt: skip
    minutes = serializers.IntegerField(min_value=5, max_value=600, default=90)
    ranking = serializers.ChoiceField(choices=sorted(PRESETS), default="world_championship")
    credit = serializers.ChoiceField(choices=["", *CREDITS], default="")
    carries_over = serializers.BooleanField(default=False)
    cut = serializers.JSONField(
        default=dict,
        help_text='{"top": n, "winners": true, "per_table": k, "fill": "up_to | beside", '
        '"tie": "all_in | lots | play_off"}',
    )
    club_rounds = serializers.IntegerField(min_value=0, max_value=60, default=2)
    drawing = serializers.JSONField(
        default=dict, help_text="The choices inside the format; see the guide to formats."
    )

    def validate_cut(self, value: Any) -> Any:
        """The cut is an object."""
        return _object(value)

    def validate_drawing(self, value: Any) -> Any:
        """The choices are an object."""
        return _object(value)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise serializers.ValidationError("Expected an object.")
    return value


def stage_json(stage: Stage) -> dict[str, Any]:
    """A stage in the shape of :class:`StageShape`."""
    return {
        "order": stage.order, "name": stage.name, "format": stage.format,
        "rounds": stage.rounds_planned, "games_per_round": stage.games_per_round,
        "deals_per_game": stage.deals_per_game, "target": stage.target, "minutes": stage.minutes,
        "ranking": stage.ranking, "credit": credit_of(stage), "carries_over": stage.carries_over,
        "cut": stage.cut, "club_rounds": stage.club_rounds, "drawing": stage.drawing,
    }  # fmt: skip


class JobShape(serializers.Serializer[Any]):
    """A job and how far it is; ``result`` names what it made."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.CharField()
    percent = serializers.IntegerField()
    result = serializers.JSONField()
    failure = serializers.CharField()


def job_json(job: Job) -> dict[str, Any]:
    """A job in the shape of :class:`JobShape`."""
    return {
        "id": str(job.pk), "kind": job.kind, "state": job.state, "percent": job.percent,
        "result": job.result or {}, "failure": job.failure,
    }  # fmt: skip


class DrawAsk(serializers.Serializer[Any]):
    """What a draw is asked with; everything may be left out."""

    seed = serializers.CharField(max_length=60, default="", allow_blank=True)
    hold = serializers.BooleanField(default=False, help_text="Leave out tables still playing.")
    bye_first = serializers.ListField(
        child=serializers.IntegerField(**WHOLE), default=list, max_length=2000
    )
    keep_of = serializers.UUIDField(
        default=None, allow_null=True, help_text="The candidate of which `keep` tables stay."
    )
    keep = serializers.ListField(
        child=serializers.IntegerField(**WHOLE), default=list, max_length=2000
    )


class EditAsk(serializers.Serializer[Any]):
    """A change by hand. People are start numbers."""

    verb = serializers.ChoiceField(choices=["swap", "move", "seat"])
    one = serializers.IntegerField(min_value=0, max_value=99999, default=0)
    two = serializers.IntegerField(min_value=0, max_value=99999, default=0)
    table = serializers.IntegerField(min_value=0, max_value=9999, default=0)
    to = serializers.IntegerField(min_value=0, max_value=9999, default=0)
    players = serializers.ListField(
        child=serializers.IntegerField(**WHOLE), default=list, max_length=7
    )


class ChangeAsk(EditAsk):
    """The change to make, and how many changes the draw had when its cost was shown."""

    after = serializers.IntegerField(min_value=0)


class AtAsk(serializers.Serializer[Any]):
    """When."""

    at = serializers.DateTimeField()


class ReasonAsk(serializers.Serializer[Any]):
    """Why; the history keeps it."""

    reason = serializers.CharField(max_length=300)


class MinutesAsk(serializers.Serializer[Any]):
    """How many minutes more, or less."""

    minutes = serializers.IntegerField(min_value=-60, max_value=120)


class PairAsk(serializers.Serializer[Any]):
    """Two start numbers."""

    one = serializers.IntegerField(**WHOLE)
    two = serializers.IntegerField(**WHOLE)


class SeatAsk(serializers.Serializer[Any]):
    """Who sits together at which free table."""

    players = serializers.ListField(
        child=serializers.IntegerField(**WHOLE), min_length=2, max_length=7
    )
    table = serializers.IntegerField(min_value=1, max_value=9999)


class DecideAsk(serializers.Serializer[Any]):
    """Who goes on from a match that ended level."""

    table = serializers.IntegerField(min_value=1, max_value=9999)
    winner = serializers.IntegerField(**WHOLE)
    reason = serializers.CharField(max_length=300)


class OrderAsk(serializers.Serializer[Any]):
    """Those level at the cut in the order of the play-off."""

    order = serializers.ListField(
        child=serializers.IntegerField(**WHOLE), min_length=2, max_length=2000
    )


class ReplaceAsk(serializers.Serializer[Any]):
    """Who leaves and who comes in."""

    old = serializers.IntegerField(**WHOLE)
    new = serializers.IntegerField(**WHOLE)


class WishAsk(serializers.Serializer[Any]):
    """What the draw must respect of one entrant."""

    family = serializers.CharField(max_length=40, allow_blank=True, required=False)
    fixed_seat = serializers.BooleanField(required=False)
    keeps_score = serializers.BooleanField(required=False)


class DrawTableShape(serializers.Serializer[Any]):
    """One table: start numbers in order of seat."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    players = serializers.ListField(child=serializers.IntegerField())
    scorekeeper = serializers.IntegerField(allow_null=True)
    dealer = serializers.IntegerField(allow_null=True)


class LineOut(serializers.Serializer[Any]):
    """One line of a certificate."""

    code = serializers.CharField()
    label = serializers.CharField()
    value = serializers.IntegerField()
    bound = serializers.IntegerField()
    optimal = serializers.BooleanField()
    sentence = serializers.CharField()
    why = serializers.CharField()


class DrawShape(serializers.Serializer[Any]):
    """A draw with its certificate; people are start numbers."""

    id = serializers.UUIDField()
    round = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.CharField()
    seed = serializers.CharField()
    movement = serializers.CharField()
    tables = DrawTableShape(many=True)
    byes = serializers.ListField(child=serializers.IntegerField())
    held = serializers.ListField(child=serializers.IntegerField())
    certificate = LineOut(many=True)
    changes = serializers.IntegerField()


def draw_json(candidate: Draw) -> dict[str, Any]:
    """A draw in the shape of :class:`DrawShape`, in the reader's language."""
    numbers = numbers_of(candidate.round.stage.event)

    def who(key: int | None) -> int | None:
        return None if key is None else numbers[key]

    return {
        "id": str(candidate.pk), "round": str(candidate.round_id), "number": candidate.number,
        "state": candidate.state, "seed": candidate.seed,
        "movement": movement_name(candidate.movement),
        "tables": [
            {
                "number": t["number"], "kind": t["kind"],
                "players": [numbers[p] for p in t["players"]],
                "scorekeeper": who(t["scorekeeper"]), "dealer": who(t["dealer"]),
            }
            for t in candidate.tables
        ],
        "byes": [numbers[b] for b in candidate.byes],
        "held": [numbers[h] for h in candidate.held],
        "certificate": [
            {
                "code": line.code, "label": line.label, "value": line.value, "bound": line.bound,
                "optimal": line.optimal, "sentence": line.sentence, "why": line.why,
            }
            for line in lines_of(candidate.certificate.get("lines", []))
        ],
        "changes": len(candidate.edits),
    }  # fmt: skip
