"""The shapes of the API of people: who is entered, present, gone, replaced, kept apart."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournament.models import Entrant


def start_number(**more: Any) -> serializers.IntegerField:
    """Return the field of a start number."""
    return serializers.IntegerField(min_value=1, max_value=99999, **more)


class PairAsk(serializers.Serializer[Any]):
    """Two start numbers."""

    one = start_number()
    two = start_number()


class ExchangeAsk(PairAsk):
    """Two start numbers, and why, where deals were entered at their tables."""

    reason = serializers.CharField(default="", allow_blank=True, max_length=300)


class ReplaceAsk(serializers.Serializer[Any]):
    """Who leaves and who comes in."""

    old = start_number()
    new = start_number()


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
    number = start_number(default=None, allow_null=True, help_text="Left out: the next free one.")
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
    number = start_number()
    email = serializers.EmailField(allow_blank=True)


class MergeAsk(serializers.Serializer[Any]):
    """The number that stays, and the one that goes."""

    keep = start_number()
    double = start_number()


class EntrantShape(serializers.Serializer[Any]):
    """An entrant: where they are, and from which round they play."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    from_round = serializers.IntegerField()
    withdrawn_after = serializers.IntegerField(allow_null=True)


class LinkAsk(serializers.Serializer[Any]):
    """Why a new link is made, for the record; no names."""

    reason = serializers.CharField(max_length=300, default="", allow_blank=True)


class LinkShape(serializers.Serializer[Any]):
    """The personal link of an entrant, without the host: anyone who has it reads their own page."""

    number = serializers.IntegerField()
    path = serializers.CharField()


def entrant_json(entrant: Entrant) -> dict[str, Any]:
    """An entrant in the shape of :class:`EntrantShape`; no name, which the caller knows."""
    return {
        "number": entrant.number,
        "state": str(entrant.state),
        "from_round": entrant.from_round,
        "withdrawn_after": entrant.withdrawn_after,
    }
