"""Shapes of the API of people: entry, presence, withdrawal, substitution, separation."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournament.api.columns import ColumnsShape, GivenAsk
from tournament.api.verbs import BODIES, SHAPES
from tournament.models import Ban, Entrant
from tournament.services.bans_and_wishes import WISHES


def start_number(**more: Any) -> serializers.IntegerField:
    """Return the field of a start number."""
    return serializers.IntegerField(min_value=1, max_value=99999, **more)


class WishAsk(ColumnsShape[Entrant]):
    """The seating requests of one participant."""

    class Meta:
        model = Entrant
        fields = WISHES


class BanShape(serializers.ModelSerializer[Ban]):
    """Two players to keep apart, with the id by which this is removed."""

    one = serializers.IntegerField(source="one.number")
    two = serializers.IntegerField(source="two.number")

    class Meta:
        model = Ban
        fields = ("id", "one", "two")


class EnterAsk(GivenAsk):
    """A player who comes late, or is registered by a program; only the name is needed."""

    usual = True
    present = serializers.BooleanField(default=True)
    reserve = serializers.BooleanField(
        default=False, help_text="In no stage, until they take the place of somebody who leaves."
    )
    despite = serializers.CharField(
        max_length=300,
        allow_blank=True,
        default="",
        help_text="The reason to enter them although a suspension is in force on their name.",
    )


class CorrectAsk(GivenAsk):
    """Corrections of a participant; an empty partner or club removes it."""

    leave_out = WISHES
    whole_club = serializers.BooleanField(
        help_text="The same club for all players of the one before: two clubs become one."
    )


class EntrantShape(serializers.Serializer[object]):
    """A participant: their state, and from which round they play."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    from_round = serializers.IntegerField()
    withdrawn_after = serializers.IntegerField(allow_null=True)


class LinkShape(serializers.Serializer[object]):
    """The personal link of a participant, without the host: anyone who has it can read their page."""

    number = serializers.IntegerField()
    path = serializers.CharField()


SHAPES.update({Ban: BanShape, Entrant: EntrantShape})
BODIES.update(
    {"entrants_enter": EnterAsk, "entrants_correct": CorrectAsk, "entrants_wish": WishAsk}
)
