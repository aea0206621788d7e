"""Everything that is stored of a person, as they are given it."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django.db.models import Case, Prefetch, Q, QuerySet, Value, When
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ledger.canonical import JsonObject
from ledger.models import AuditEntry
from tournament.api.columns import AnyField, ColumnsShape
from tournament.models import Entrant, MailConsent, Merger, Person, Seat
from tournament.models.columns import To, names
from tournament.models.players import GIVEN
from tournament.services.banned import Sanctioned
from tournament.signals import answers, sanctions_requested

DATA = names(Person, To.API)


class SeatShape(serializers.ModelSerializer[Seat]):
    """A seat in an earlier round."""

    stage = serializers.IntegerField(source="round.stage.order")
    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="table.number")
    seat = serializers.CharField(source="position")

    class Meta:
        model = Seat
        fields = ("stage", "round", "table", "seat")


class PersonEntryShape(ColumnsShape[Entrant]):
    """Data that an event holds about a person."""

    event = serializers.CharField(source="event.name")
    day = serializers.DateField(source="event.day")
    club = serializers.CharField(source="club.name", default="")
    state = serializers.CharField()
    devices_told = serializers.IntegerField(source="subscriptions.count")
    e_mail = serializers.SerializerMethodField()
    seats = SeatShape(many=True)
    audit_entries = serializers.SerializerMethodField()

    class Meta:
        model = Entrant
        columns = tuple(each.key for each in GIVEN if not each.part)
        fields = (
            "event",
            "day",
            "club",
            *columns,
            "devices_told",
            "e_mail",
            "seats",
            "audit_entries",
        )

    def get_fields(self) -> dict[str, AnyField]:
        """Add whether the person is entered as the player or as the partner."""
        return super().get_fields() | {
            "as": serializers.ChoiceField(["player", "partner"], source="entered_as")
        }

    def get_e_mail(self, entry: Entrant) -> str:
        """Whether they want e-mail, and what their address answered."""
        consent = MailConsent.objects.filter(entrant=entry).first()
        if consent is None:
            return "not wanted"
        return f"refused: {consent.refused}" if consent.refused else "wanted"

    def get_audit_entries(self, entry: Entrant) -> int:
        """Count the entries of the log that name their number."""
        return AuditEntry.objects.filter(
            scope=entry.event_id, object_type="entrant", object_id=str(entry.pk)
        ).count()


class MergedShape(serializers.ModelSerializer[Merger]):
    """A number that was merged into another, with its person's data."""

    event = serializers.CharField(source="event.name")

    class Meta:
        model = Merger
        fields = ("event", "number")

    def get_fields(self) -> dict[str, AnyField]:
        """The fields, and the data of the person."""
        return super().get_fields() | {
            name: serializers.CharField(source=f"person.{name}") for name in DATA
        }


class SanctionedShape(serializers.Serializer[list[Sanctioned]]):
    """An entry of the discipline register; ``lifted``: the reason, where it was lifted."""

    kind = serializers.CharField()
    article = serializers.CharField()
    reason = serializers.CharField()
    since = serializers.DateField()
    until = serializers.DateField(allow_null=True)
    lifted = serializers.CharField()


class PersonShape(ColumnsShape[Person]):
    """Everything that is stored of a person."""

    person = serializers.UUIDField(source="pk")
    entries = serializers.SerializerMethodField()
    merged_numbers = serializers.SerializerMethodField()
    sanctions = serializers.SerializerMethodField()

    class Meta:
        model = Person
        fields = ("person", *DATA, "erased_at", "entries", "merged_numbers", "sanctions")
        extra_kwargs = {"erased_at": {"default_timezone": UTC}}

    @extend_schema_field(PersonEntryShape(many=True))
    def get_entries(self, person: Person) -> Any:
        """Return the data that each event holds about the person."""
        seats = Seat.objects.select_related("round__stage", "table")
        entries = _entries(person).prefetch_related(
            Prefetch("seats", seats.order_by("round__stage__order", "round__number"))
        )
        own = Case(When(person=person, then=Value("player")), default=Value("partner"))
        listed = entries.annotate(entered_as=own).select_related("event", "club")
        return PersonEntryShape(listed.order_by("event__day", "number"), many=True).data

    @extend_schema_field(MergedShape(many=True))
    def get_merged_numbers(self, person: Person) -> Any:
        """The numbers that were merged into theirs, or theirs into another."""
        mergers = Merger.objects.filter(
            Q(into__in=_entries(person)) | Q(person=person) | Q(partner=person)
        )
        return MergedShape(mergers.select_related("event", "person"), many=True).data

    @extend_schema_field(SanctionedShape(many=True))
    def get_sanctions(self, person: Person) -> Any:
        """The entries of the discipline register about the person."""
        listed = [each for rows in answers(sanctions_requested, person=person) for each in rows]
        return SanctionedShape(listed, many=True).data


def _entries(person: Person) -> QuerySet[Entrant]:
    return Entrant.objects.filter(Q(person=person) | Q(partner=person))


def export_person(person: Person) -> JsonObject:
    """Everything that is stored of a person, as JSON."""
    data: JsonObject = PersonShape(person).data
    return data
