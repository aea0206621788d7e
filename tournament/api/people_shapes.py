"""The shapes of the API of people: who is entered, present, gone, replaced, kept apart."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from tournament.models import Entrant

NUMBER: Final[dict[str, int]] = {"min_value": 1, "max_value": 99999}
"""The bounds of a start number."""


class PairAsk(serializers.Serializer[Any]):
    """Two start numbers."""

    one = serializers.IntegerField(**NUMBER)
    two = serializers.IntegerField(**NUMBER)


class ReplaceAsk(serializers.Serializer[Any]):
    """Who leaves and who comes in."""

    old = serializers.IntegerField(**NUMBER)
    new = serializers.IntegerField(**NUMBER)


class WishAsk(serializers.Serializer[Any]):
    """What the draw must respect of one entrant."""

    family = serializers.CharField(max_length=40, allow_blank=True, required=False)
    fixed_seat = serializers.BooleanField(required=False)
    keeps_score = serializers.BooleanField(required=False)


class BanShape(PairAsk):
    """A ban, with the id by which it is lifted."""

    id = serializers.IntegerField()


class EnterAsk(serializers.Serializer[Any]):
    """Somebody who comes late, or is entered by a program; only the name is needed."""

    name = serializers.CharField(max_length=100)
    partner = serializers.CharField(max_length=100, default="", allow_blank=True)
    club = serializers.CharField(max_length=80, default="", allow_blank=True)
    number = serializers.IntegerField(
        **NUMBER, default=None, allow_null=True, help_text="Left out: the next free one."
    )
    email = serializers.EmailField(default="", allow_blank=True)
    family = serializers.CharField(max_length=40, default="", allow_blank=True)
    fixed_seat = serializers.BooleanField(default=False)
    present = serializers.BooleanField(default=True)
    reserve = serializers.BooleanField(
        default=False, help_text="In no stage, until they take the place of somebody who leaves."
    )


class CorrectAsk(serializers.Serializer[Any]):
    """What is corrected of an entrant; an empty partner or club takes it away."""

    name = serializers.CharField(max_length=100)
    partner = serializers.CharField(max_length=100, allow_blank=True)
    club = serializers.CharField(max_length=80, allow_blank=True)
    number = serializers.IntegerField(**NUMBER)
    email = serializers.EmailField(allow_blank=True)


class MergeAsk(serializers.Serializer[Any]):
    """The number that stays, and the one that goes."""

    keep = serializers.IntegerField(**NUMBER)
    double = serializers.IntegerField(**NUMBER)


class EntrantShape(serializers.Serializer[Any]):
    """An entrant: where he is, and from which round he plays."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    from_round = serializers.IntegerField()
    withdrawn_after = serializers.IntegerField(allow_null=True)


class LinkAsk(serializers.Serializer[Any]):
    """Why a new link is made, for the record; no names."""

    reason = serializers.CharField(max_length=300, default="", allow_blank=True)


class LinkShape(serializers.Serializer[Any]):
    """The personal link of an entrant, without the host: whoever has it reads his own page."""

    number = serializers.IntegerField()
    path = serializers.CharField()


def entrant_json(entrant: Entrant) -> dict[str, Any]:
    """An entrant in the shape of :class:`EntrantShape`; no name, which the caller knows."""
    return {
        "number": entrant.number, "state": str(entrant.state), "from_round": entrant.from_round,
        "withdrawn_after": entrant.withdrawn_after,
    }  # fmt: skip
