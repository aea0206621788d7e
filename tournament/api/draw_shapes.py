"""The shapes of the API of rounds and draws: what comes in is checked, what goes out described."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ledger.models import Job
from tournament.api.people_shapes import start_number
from tournament.models import Draw, Round
from tournament.queries.certificates import lines_of, movement_name
from tournament.queries.fields import numbers_of
from tournament.queries.left_out import left_out
from tournament.queries.sheet_rules import is_filling


class JobShape(serializers.Serializer[Any]):
    """A job and how far it is; ``result`` names what it made."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.CharField()
    percent = serializers.IntegerField()
    step = serializers.CharField()
    result = serializers.JSONField()
    failure = serializers.CharField()


def job_json(job: Job) -> dict[str, object]:
    """A job in the shape of :class:`JobShape`."""
    return {
        "id": str(job.pk),
        "kind": job.kind,
        "state": job.state,
        "percent": job.percent,
        "step": job.step,
        "result": job.result or {},
        "failure": job.failure,
    }


class DrawAsk(serializers.Serializer[Any]):
    """What a draw is requested with; everything may be left out."""

    seed = serializers.CharField(max_length=60, default="", allow_blank=True)
    hold = serializers.BooleanField(default=False, help_text="Leave out tables still playing.")
    bye_first = serializers.ListField(child=start_number(), default=list, max_length=2000)
    keep_of = serializers.UUIDField(
        default=None,
        allow_null=True,
        help_text="The draft draw of which the tables in `keep` stay.",
    )
    keep = serializers.ListField(child=start_number(), default=list, max_length=2000)


class EditAsk(serializers.Serializer[Any]):
    """A change by hand. People are start numbers."""

    verb = serializers.ChoiceField(choices=["swap", "move", "seat"])
    one = serializers.IntegerField(min_value=0, max_value=99999, default=0)
    two = serializers.IntegerField(min_value=0, max_value=99999, default=0)
    table = serializers.IntegerField(min_value=0, max_value=9999, default=0)
    to = serializers.IntegerField(min_value=0, max_value=9999, default=0)
    players = serializers.ListField(child=start_number(), default=list, max_length=7)


class ChangeAsk(EditAsk):
    """The change to make, and how many changes the draw had when its effect was shown."""

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


class MinutesLeftAsk(serializers.Serializer[Any]):
    """How many minutes are left."""

    minutes = serializers.IntegerField(min_value=0, max_value=600)


class CloseAsk(serializers.Serializer[Any]):
    """Whether the round closes without the games that a forfeit kept from being played."""

    forfeits = serializers.BooleanField(required=False)


class SeatAsk(serializers.Serializer[Any]):
    """The players to seat together, and at which free table."""

    players = serializers.ListField(child=start_number(), min_length=2, max_length=7)
    table = serializers.IntegerField(min_value=1, max_value=9999)


class TableMinutesAsk(serializers.Serializer[Any]):
    """A table of the round, and how many minutes more."""

    table = serializers.IntegerField(min_value=1, max_value=9999)
    minutes = serializers.IntegerField(min_value=1, max_value=60)


class TableReasonAsk(serializers.Serializer[Any]):
    """A table of the round, and why."""

    table = serializers.IntegerField(min_value=1, max_value=9999)
    reason = serializers.CharField(max_length=300, default="", allow_blank=True)


class DecideAsk(serializers.Serializer[Any]):
    """The winner of a match that ended tied or was not played."""

    table = serializers.IntegerField(min_value=1, max_value=9999)
    winner = start_number()
    reason = serializers.CharField(max_length=300)


class DrawTableShape(serializers.Serializer[Any]):
    """One table: start numbers in order of seat."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    players = serializers.ListField(child=serializers.IntegerField())
    scorekeeper = serializers.IntegerField(allow_null=True)
    dealer = serializers.IntegerField(allow_null=True)
    classified = serializers.BooleanField(
        help_text="False at a table of three that fills up a round: credited as a bye."
    )


class LineOut(serializers.Serializer[Any]):
    """One line of a draw report."""

    code = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # also an attribute of Field
    value = serializers.IntegerField()
    bound = serializers.IntegerField()
    proven = serializers.BooleanField(help_text="Whether the bound is proven, or the best known.")
    optimal = serializers.BooleanField()
    sentence = serializers.CharField()
    why = serializers.CharField()


class LeftOutShape(serializers.Serializer[Any]):
    """Players whom a draw does not seat, for one reason."""

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


def draw_json(candidate: Draw) -> dict[str, object]:
    """A draw in the shape of :class:`DrawShape`, in the reader's language."""
    numbers = numbers_of(candidate.round.stage.event)

    def who(key: int | None) -> int | None:
        return None if key is None else numbers[key]

    return {
        "id": str(candidate.pk),
        "round": str(candidate.round_id),
        "number": candidate.number,
        "state": candidate.state,
        "seed": candidate.seed,
        "movement": movement_name(candidate.movement),
        "tables": [
            {
                "number": t["number"],
                "kind": t["kind"],
                "players": [numbers[p] for p in t["players"]],
                "scorekeeper": who(t["scorekeeper"]),
                "dealer": who(t["dealer"]),
                "classified": not is_filling(candidate.round.stage.event, t),
            }
            for t in candidate.tables
        ],
        "byes": [numbers[b] for b in candidate.byes],
        "held": [numbers[h] for h in candidate.held],
        "left_out": [
            {
                "reason": group.reason,
                "title": group.title,
                "numbers": [person.number for person in group.people],
            }
            for group in left_out(candidate.round, candidate)
        ],
        "certificate": [
            {
                "code": line.code,
                "label": line.label,
                "value": line.value,
                "bound": line.bound,
                "proven": line.proven,
                "optimal": line.optimal,
                "sentence": line.sentence,
                "why": line.why,
            }
            for line in lines_of(candidate)
        ],
        "changes": len(candidate.edits),
    }


class RoundShape(serializers.Serializer[Any]):
    """A round: its state, when it will be published automatically, when its clock ends."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.CharField()
    publish_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    paused_left = serializers.IntegerField(
        allow_null=True, help_text="Seconds left on a paused clock."
    )


def round_json(part: Round) -> dict[str, object]:
    """A round in the shape of :class:`RoundShape`."""
    return {
        "id": str(part.pk),
        "number": part.number,
        "state": part.state,
        "publish_at": part.publish_at,
        "ends_at": part.ends_at,
        "paused_left": part.paused_left,
    }


class CostShape(serializers.Serializer[Any]):
    """By how much each line of the draw report changes, and which lines get worse."""

    delta = serializers.DictField(child=serializers.IntegerField())
    worse = serializers.ListField(child=serializers.CharField())


class ProposalShape(serializers.Serializer[Any]):
    """A swap that could be made, and the repeated meetings it adds."""

    number = serializers.IntegerField()
    cost = serializers.IntegerField()


class WhyShape(serializers.Serializer[Any]):
    """The reasons of a table, in the caller's language."""

    table = serializers.IntegerField()
    reasons = serializers.ListField(child=serializers.CharField())


class ComparedShape(serializers.Serializer[Any]):
    """One line of two draw reports; ``by``: how much worse the second is."""

    label = serializers.CharField()  # type: ignore[assignment]  # also an attribute of Field
    one = serializers.IntegerField(allow_null=True)
    two = serializers.IntegerField(allow_null=True)
    by = serializers.IntegerField()
