"""The shapes of the tables' API, read by the schema and used to check what comes in."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Model
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from scoring.engine.articles import OF_PERSONS
from scoring.engine.shapes import EntryJson, InfractionJson, ViolationJson
from tournament.api.common import schema_of
from tournament.api.sheet_access import TableUser
from tournament.api.verbs import FIELDS, SHAPES
from tournament.models.tables import (
    DealVersion,
    Protocol,
    RefereeCall,
    Series,
    Sheet,
    SheetScore,
)
from tournament.queries.double_entry import side_of_device
from tournament.queries.table_people import seat_names
from tournament.tables.entry import FormEntry
from tournament.tables.rules import options_of, reason_shown, spoken
from tournament.tables.score_sheet import ScoreSheet, counts


@extend_schema_field(schema_of(EntryJson))
class EntryField(serializers.JSONField):
    """A deal as it is entered, by seats; the engine refuses what the rulebook does not know."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the entry without its ``null`` values."""
        if not isinstance(data, dict):
            raise serializers.ValidationError("An entry must be a JSON object.")
        return _without_null(super().to_internal_value(data))


def _without_null(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {name: _without_null(each) for name, each in value.items() if each is not None}


@extend_schema_field(schema_of(list[InfractionJson]))
class InfractionsField(serializers.JSONField):
    """The infractions that rulings found in a deal."""


@extend_schema_field(schema_of(list[ViolationJson]))
class ViolationsField(serializers.JSONField):
    """The illegal plays that the record of a deal shows."""


@extend_schema_field(schema_of(SheetScore))
class ScoreField(serializers.JSONField):
    """Score of a sheet's match."""


class LineShape(serializers.Serializer[object]):
    """One clause of a deal's score."""

    clause = serializers.CharField()
    side = serializers.CharField(allow_null=True)
    marks = serializers.IntegerField()
    text = serializers.CharField(help_text="Said in the language of the request.")


class DealShape(serializers.Serializer[object]):
    """One version of one deal."""

    number = serializers.IntegerField()
    version = serializers.IntegerField()
    current = serializers.BooleanField()
    counts = serializers.BooleanField(help_text="Whether the deal is one of the match.")
    entry = EntryField(help_text="The `score` input of the rules API, by seats.")
    infractions = InfractionsField()
    marks = serializers.DictField(child=serializers.IntegerField())
    lines = LineShape(many=True)
    flagged = ViolationsField(help_text="Plays that the duties did not allow.")
    doubts = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    entered_at = serializers.DateTimeField()


class SignatureShape(serializers.Serializer[object]):
    """A side that has signed the present version."""

    side = serializers.CharField()
    signed_at = serializers.DateTimeField()


def computed_or_stored(
    shape: serializers.Serializer[Any], row: Model, computed: dict[str, object]
) -> dict[str, object]:
    """Return the fields of a shape: the computed ones, the others as the row has them."""
    return {
        name: computed[name] if name in computed else getattr(row, name)
        for name in shape.fields.fields
    }


def series_seen(request: Request, sheet: Sheet) -> str:
    """The series of deals that a caller may see: of blind double entry a device sees its own."""
    user: object = request.user
    if isinstance(user, TableUser) and sheet.protocol == Protocol.DOUBLE and user.device:
        return side_of_device(sheet.table, user.device) or Series.OFFICIAL.value
    return Series.OFFICIAL.value


class SheetShape(serializers.Serializer[Any]):
    """A score sheet."""

    id = serializers.UUIDField()
    table = serializers.CharField()
    order = serializers.IntegerField()
    rulebook = serializers.CharField()
    edition = serializers.CharField()
    options = serializers.JSONField()
    seats = serializers.DictField(child=serializers.CharField())
    sides = serializers.ListField(child=serializers.CharField())
    protocol = serializers.ChoiceField(choices=["confirm", "double", "referee"])
    depth = serializers.CharField()
    state = serializers.ChoiceField(choices=["open", "claimed", "disputed", "official", "void"])
    version = serializers.IntegerField(help_text="Send it back with every change.")
    finished = serializers.BooleanField()
    ended_by = serializers.CharField()
    score = ScoreField()
    next_deal = serializers.IntegerField()
    next_dealer = serializers.CharField()
    to_replay = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Earlier deals that rulings have annulled, to be dealt next.",
    )
    deals = DealShape(many=True)
    signatures = SignatureShape(many=True)

    def to_representation(self, instance: Sheet) -> dict[str, object]:
        """The sheet as its caller may see it: blind double entry shows a device its own."""
        request, language = self.context["request"], get_language() or "en"
        at_table, sheet = isinstance(request.user, TableUser), ScoreSheet(instance)
        deals = sheet.known(series_seen(request, instance))
        computed: dict[str, object] = {
            "table": instance.table.label,
            "options": options_of(instance),
            "seats": seat_names(instance),
            "sides": list(sheet.sides),
            "next_deal": len(deals) + 1,
            "next_dealer": sheet.next_dealer(deals),
            "to_replay": sheet.to_deal_again(deals),
            "deals": [deal_json(deal, language, at_table=at_table) for deal in deals],
            "signatures": [
                {"side": each.side, "signed_at": each.signed_at}
                for each in instance.signatures.filter(standing=True).order_by("side")
            ],
        }
        return computed_or_stored(self, instance, computed)


class SheetLine(serializers.Serializer[object]):
    """A sheet in a list."""

    id = serializers.UUIDField()
    table = serializers.CharField(source="table.label")
    order = serializers.IntegerField()
    state = serializers.CharField()
    version = serializers.IntegerField()
    finished = serializers.BooleanField()
    score = ScoreField()


class CallShape(serializers.Serializer[object]):
    """A call to the referee."""

    id = serializers.UUIDField()
    table = serializers.CharField(source="table.label")
    reason = serializers.CharField(source="subject")
    called_at = serializers.DateTimeField()
    claimed = serializers.BooleanField(source="claimed_by")


class ProblemShape(serializers.Serializer[object]):
    """An error (problem+json, RFC 9457) with a stable code."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    field = serializers.CharField()


def deal_json(deal: DealVersion, language: str, *, at_table: bool = False) -> dict[str, object]:
    """A deal as :class:`DealShape`; ``at_table`` without infractions of conduct (C.8)."""
    computed: dict[str, object] = {
        "counts": counts(deal),
        "infractions": [
            entry
            for entry in deal.infractions
            if not at_table or entry["article"] not in OF_PERSONS
        ],
        "lines": [
            {
                "clause": line["clause"],
                "side": line["side"],
                "marks": line["marks"],
                "text": spoken(line, language),
            }
            for line in deal.lines
        ],
        "reason": reason_shown(deal.reason),
    }
    return computed_or_stored(_DEAL, deal, computed)


_DEAL: Final = DealShape()


SHAPES.update({Sheet: SheetShape, RefereeCall: CallShape})
FIELDS.update({EntryJson: EntryField, EntryJson | FormEntry: EntryField})
