"""The shapes of the tables' API, read by the schema and used to check what comes in."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from scoring.engine.articles import OF_PERSONS
from tournament.models.tables import DealVersion, RefereeCall, Sheet, Table
from tournament.queries.deals import next_dealer, series_deals, to_replay
from tournament.queries.table_people import seat_names
from tournament.tables.rules import counts, options_of, reason_shown, sides_of, spoken


class LineShape(serializers.Serializer[Any]):
    """One clause of a deal's score."""

    clause = serializers.CharField()
    side = serializers.CharField(allow_null=True)
    marks = serializers.IntegerField()
    text = serializers.CharField(help_text="Said in the language of the request.")


class DealShape(serializers.Serializer[Any]):
    """One version of one deal."""

    number = serializers.IntegerField()
    version = serializers.IntegerField()
    current = serializers.BooleanField()
    counts = serializers.BooleanField(help_text="Whether the deal is one of the match.")
    entry = serializers.JSONField(help_text="The `score` input of the rules API, by seats.")
    infractions = serializers.JSONField()
    marks = serializers.DictField(child=serializers.IntegerField())
    lines = LineShape(many=True)
    flagged = serializers.JSONField(help_text="Plays that the duties did not allow.")
    doubts = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    entered_at = serializers.DateTimeField()


class SignatureShape(serializers.Serializer[Any]):
    """A side that has signed the present version."""

    side = serializers.CharField()
    signed_at = serializers.DateTimeField()


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
    score = serializers.JSONField()
    next_deal = serializers.IntegerField()
    next_dealer = serializers.CharField()
    to_replay = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Deals that rulings have annulled after the signatures, to be played again.",
    )
    deals = DealShape(many=True)
    signatures = SignatureShape(many=True)


class SheetLine(serializers.Serializer[Any]):
    """A sheet in a list."""

    id = serializers.UUIDField()
    table = serializers.CharField()
    order = serializers.IntegerField()
    state = serializers.CharField()
    version = serializers.IntegerField()
    finished = serializers.BooleanField()
    score = serializers.JSONField()


def _object(value: object) -> None:
    """Refuse an entry that is no object."""
    if not isinstance(value, dict):
        raise serializers.ValidationError("An entry must be a JSON object.")


def _answers() -> serializers.CharField:
    """The questions of a `please_check` problem that are answered with yes: their codes, by commas."""
    return serializers.CharField(
        required=False,
        default="",
        max_length=200,
        allow_blank=True,
        help_text="Codes of the questions answered with yes, from a `please_check` problem.",
    )


class DealInput(serializers.Serializer[Any]):
    """A deal to append."""

    entry = serializers.JSONField(
        help_text="Dealer, contract, turn_up, points, tricks, trick_list or record, by seats.",
        validators=[_object],
    )
    number = serializers.IntegerField(required=False, min_value=1, max_value=999)
    version = serializers.IntegerField(required=False, min_value=0)
    key = serializers.CharField(
        required=False, max_length=40, help_text="Idempotency key: the same key records once."
    )
    sure = _answers()
    played = serializers.ChoiceField(
        choices=["before", "in_play"], required=False, help_text="After the bell."
    )
    series = serializers.ChoiceField(choices=["official"], required=False)


class CorrectionInput(serializers.Serializer[Any]):
    """A deal to supersede."""

    entry = serializers.JSONField(validators=[_object])
    reason = serializers.CharField(max_length=300)
    version = serializers.IntegerField(required=False, min_value=0)
    key = serializers.CharField(required=False, max_length=40)


class SignInput(serializers.Serializer[Any]):
    """A side's signature."""

    side = serializers.CharField(max_length=8)
    version = serializers.IntegerField(min_value=0)
    player = serializers.CharField(required=False, max_length=40, help_text="Who of that side.")


class VersionInput(serializers.Serializer[Any]):
    """The version of the sheet that the caller saw."""

    version = serializers.IntegerField(min_value=0)
    reason = serializers.CharField(required=False, max_length=300, default="", allow_blank=True)


class UndoBellInput(serializers.Serializer[Any]):
    """The version of the sheet that the caller saw, if they saw one."""

    version = serializers.IntegerField(required=False, min_value=0)


class ReasonInput(serializers.Serializer[Any]):
    """Why."""

    reason = serializers.CharField(max_length=300)


class SlipInput(serializers.Serializer[Any]):
    """A game as it stands on paper: its missing deals in order, and where the paper came from.

    ``totals``: the points of each side alone, in place of deals.
    """

    entries = serializers.ListField(
        child=serializers.DictField(), max_length=200, required=False, default=list
    )
    totals = serializers.DictField(child=serializers.IntegerField(), required=False)
    version = serializers.IntegerField(min_value=0)
    ended_by_bell = serializers.BooleanField(default=False)
    reason = serializers.CharField(max_length=300)
    sure = _answers()


class BellInput(serializers.Serializer[Any]):
    """The bell ends the match."""

    version = serializers.IntegerField(required=False, min_value=0)
    in_play = serializers.ChoiceField(
        choices=["none", "finished", "cancelled"], required=False, default="none"
    )


class PenInput(serializers.Serializer[Any]):
    """Keep score on this device."""

    knowingly = serializers.BooleanField(default=False)
    side = serializers.ChoiceField(choices=["NS", "EW", *"1234567"], required=False)


class PenShape(serializers.Serializer[Any]):
    """Whether the device keeps score."""

    allowed = serializers.BooleanField()
    epoch = serializers.IntegerField()
    taken_over = serializers.BooleanField()
    side = serializers.CharField()


class CallInput(serializers.Serializer[Any]):
    """Why the referee is called."""

    reason = serializers.CharField(max_length=200)
    deal = serializers.IntegerField(required=False, min_value=1, max_value=999)


class CallShape(serializers.Serializer[Any]):
    """A call to the referee."""

    id = serializers.UUIDField()
    table = serializers.CharField()
    reason = serializers.CharField()
    called_at = serializers.DateTimeField()
    claimed = serializers.BooleanField()


class ProblemShape(serializers.Serializer[Any]):
    """An error (problem+json, RFC 9457) with a stable code."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    field = serializers.CharField()


def deal_json(deal: DealVersion, language: str, *, at_table: bool = False) -> dict[str, object]:
    """A deal as :class:`DealShape`; ``at_table`` without infractions of conduct (C.8)."""
    return {
        "number": deal.number,
        "version": deal.version,
        "current": deal.current,
        "counts": counts(deal),
        "entry": deal.entry,
        "infractions": [
            entry
            for entry in deal.infractions
            if not at_table or entry["article"] not in OF_PERSONS
        ],
        "marks": deal.marks,
        "lines": [
            {
                "clause": line["clause"],
                "side": line["side"],
                "marks": line["marks"],
                "text": spoken(line, language),
            }
            for line in deal.lines
        ],
        "flagged": deal.flagged,
        "doubts": deal.doubts,
        "reason": reason_shown(deal.reason),
        "entered_at": deal.entered_at,
    }


def sheet_json(
    sheet: Sheet, language: str, series: str = "official", *, at_table: bool = False
) -> dict[str, object]:
    """A sheet as :class:`SheetShape`."""
    deals = series_deals(sheet, series)
    return {
        "id": sheet.pk,
        "table": sheet.table.label,
        "order": sheet.order,
        "rulebook": sheet.rulebook,
        "edition": sheet.edition,
        "options": options_of(sheet),
        "seats": seat_names(sheet),
        "sides": list(sides_of(sheet)),
        "protocol": sheet.protocol,
        "depth": sheet.depth,
        "state": sheet.state,
        "version": sheet.version,
        "finished": sheet.finished,
        "ended_by": sheet.ended_by,
        "score": sheet.score,
        "next_deal": len(deals) + 1,
        "next_dealer": next_dealer(sheet, deals),
        "to_replay": [deal.number for deal in to_replay(sheet, deals)],
        "deals": [deal_json(deal, language, at_table=at_table) for deal in deals],
        "signatures": [
            {"side": each.side, "signed_at": each.signed_at}
            for each in sheet.signatures.filter(standing=True).order_by("side")
        ],
    }


def line_json(sheet: Sheet) -> dict[str, object]:
    """A sheet as :class:`SheetLine`."""
    return {
        "id": sheet.pk,
        "table": sheet.table.label,
        "order": sheet.order,
        "state": sheet.state,
        "version": sheet.version,
        "finished": sheet.finished,
        "score": sheet.score,
    }


def call_json(call: RefereeCall, table: Table) -> dict[str, object]:
    """A call as :class:`CallShape`."""
    return {
        "id": call.pk,
        "table": table.label,
        "reason": call.subject,
        "called_at": call.called_at,
        "claimed": bool(call.claimed_by),
    }
