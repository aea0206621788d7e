"""The shapes of the API of people: who is entered, present, gone, replaced, kept apart."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from tournament.models import Entrant
from tournament.services.mail import is_offered


class AddressField(serializers.EmailField):
    """An e-mail address, taken only where this installation sends e-mail."""

    def to_internal_value(self, data: Any) -> str:
        """The address; without a mail server only an empty one."""
        address: str = super().to_internal_value(data)
        if address and not is_offered():
            raise serializers.ValidationError(_("This installation sends no e-mail."))
        return address


def start_number(**more: Any) -> serializers.IntegerField:
    """Return the field of a start number."""
    return serializers.IntegerField(min_value=1, max_value=99999, **more)


class PairAsk(serializers.Serializer[Any]):
    """Two start numbers."""

    one = start_number()
    two = start_number()


class ExchangeAsk(PairAsk):
    """Two start numbers, and a reason where deals have been recorded at their tables."""

    reason = serializers.CharField(default="", allow_blank=True, max_length=300)


class ReplaceAsk(serializers.Serializer[Any]):
    """The player who leaves and the one who takes their place."""

    old = start_number()
    new = start_number()


class WishAsk(serializers.Serializer[Any]):
    """The seating requests of one participant."""

    family = serializers.CharField(max_length=40, allow_blank=True, required=False)
    fixed_seat = serializers.BooleanField(required=False)
    keeps_score = serializers.BooleanField(required=False)


class BanShape(PairAsk):
    """Two players to keep apart, with the id by which this is removed."""

    id = serializers.IntegerField()


class EnterAsk(serializers.Serializer[Any]):
    """A player who comes late, or is registered by a program; only the name is needed."""

    name = serializers.CharField(max_length=100)
    partner = serializers.CharField(max_length=100, default="", allow_blank=True)
    club = serializers.CharField(max_length=80, default="", allow_blank=True)
    number = start_number(default=None, allow_null=True, help_text="Left out: the next free one.")
    email = AddressField(default="", allow_blank=True)
    family = serializers.CharField(max_length=40, default="", allow_blank=True)
    fixed_seat = serializers.BooleanField(default=False)
    present = serializers.BooleanField(default=True)
    reserve = serializers.BooleanField(
        default=False, help_text="In no stage, until they take the place of somebody who leaves."
    )


class CorrectAsk(serializers.Serializer[Any]):
    """What is corrected of a participant; an empty partner or club removes it."""

    name = serializers.CharField(max_length=100)
    partner = serializers.CharField(max_length=100, allow_blank=True)
    club = serializers.CharField(max_length=80, allow_blank=True)
    whole_club = serializers.BooleanField(
        help_text="The same club for all players of the one before: two clubs become one."
    )
    category = serializers.CharField(max_length=30, allow_blank=True)
    number = start_number()
    email = AddressField(allow_blank=True)
    phone = serializers.CharField(max_length=30, allow_blank=True)


class MergeAsk(serializers.Serializer[Any]):
    """The number that stays, and the one that is removed."""

    keep = start_number()
    double = start_number()


class EntrantShape(serializers.Serializer[Any]):
    """A participant: their state, and from which round they play."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    from_round = serializers.IntegerField()
    withdrawn_after = serializers.IntegerField(allow_null=True)


class LinkAsk(serializers.Serializer[Any]):
    """Why a new link is made, for the record; no names."""

    reason = serializers.CharField(max_length=300, default="", allow_blank=True)


class LinkShape(serializers.Serializer[Any]):
    """The personal link of a participant, without the host: anyone who has it can read their page."""

    number = serializers.IntegerField()
    path = serializers.CharField()


def entrant_json(entrant: Entrant) -> dict[str, object]:
    """A participant in the shape of :class:`EntrantShape`; no name, which the caller knows."""
    return {
        "number": entrant.number,
        "state": str(entrant.state),
        "from_round": entrant.from_round,
        "withdrawn_after": entrant.withdrawn_after,
    }
