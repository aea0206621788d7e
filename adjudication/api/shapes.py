"""Incidents, rulings, appeals and articles as the API gives them: ids, numbers and codes, no names."""

from __future__ import annotations

from typing import Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from adjudication.models import Appeal, Confirmation, Incident, Ruling, RulingVersion, Sanction
from adjudication.penal import Article, Code, Proposal, to_json
from adjudication.queries.audience import Audience, audience_of, parties_of
from adjudication.queries.shown import RulingShown, localized, show
from adjudication.services.rulings import versions_on
from scoring.texts import Message, Text, Translated
from tournament.api.verbs import FIELDS, SHAPES, shape_of

from .impact import ImpactShape

SEEN_HELP: Final = (
    "What `propose` or the ruling said; a decision made in the meantime is then a 409."
)


@extend_schema_field(
    {"type": "object", "additionalProperties": {"type": "string"}, "description": "By language."}
)
class Words(serializers.Field[object, object, object, object]):
    """A text in every language."""


FIELDS.update({Text: Words, Message: Words, Translated: Words})


@extend_schema_field(shape_of(Proposal))
class ProposalField(serializers.Field[object, object, object, object]):
    """A stored proposal."""

    def to_representation(self, value: object) -> object:
        """Return the value unchanged."""
        return value


class IncidentShape(serializers.ModelSerializer[Incident]):
    """An incident with the numbers of its rulings."""

    call = serializers.UUIDField(source="call_id", allow_null=True)
    round = serializers.UUIDField(source="round_id", allow_null=True)
    table = serializers.IntegerField(source="table_number", allow_null=True)
    sheet = serializers.UUIDField(source="sheet_id", allow_null=True)
    seats = serializers.DictField(child=serializers.IntegerField())
    handed = serializers.DictField()
    rulings = serializers.SerializerMethodField()

    class Meta:
        model = Incident
        fields = (
            "number",
            "state",
            "told",
            "call",
            "round",
            "table",
            "sheet",
            "deal",
            "seats",
            "second_at",
            "opened_at",
            "taken_by",
            "handed_by",
            "handed_at",
            "handed",
            "closed_at",
            "closed_by",
            "closed_reason",
            "rulings",
        )

    def get_rulings(self, row: Incident) -> list[int]:
        """Return the numbers of the rulings, in order."""
        return sorted(ruling.number for ruling in row.rulings.all())


class VersionShape(serializers.ModelSerializer[RulingVersion]):
    """One version of a ruling, with the proposal it was made from."""

    facts = serializers.DictField()
    proposal = ProposalField()
    code = serializers.IntegerField(source="context.code")
    edition = serializers.CharField(source="context.edition")
    policy = serializers.CharField(source="context.policy")

    class Meta:
        model = RulingVersion
        fields = (
            "number",
            "cause",
            "in_force",
            "article",
            "facts",
            "proposal",
            "code",
            "edition",
            "policy",
            "reason",
            "next_round",
            "rulers",
            "second",
            "made_as",
            "made_by",
            "made_at",
        )


class AppealShape(serializers.ModelSerializer[Appeal]):
    """An appeal of a side, and what the committee made of it."""

    ruling = serializers.IntegerField(source="ruling.number")

    class Meta:
        model = Appeal
        fields = (
            "id",
            "ruling",
            "instance",
            "side",
            "state",
            "grounds",
            "lodged_at",
            "heard_at",
            "heard_by",
            "members",
            "hearing_at",
            "heard",
            "votes_for",
            "votes_against",
            "tie",
            "decision",
        )


class RulingShape(serializers.ModelSerializer[Ruling]):
    """A ruling as it is now."""

    incident = serializers.IntegerField(source="incident.number")
    title = serializers.SerializerMethodField()
    decision = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField()
    offender = serializers.IntegerField(source="offender.number", allow_null=True, default=None)
    table = serializers.IntegerField(source="incident.table_number", allow_null=True)
    deal = serializers.IntegerField(source="incident.deal", allow_null=True)
    version = serializers.IntegerField(source="versions_made")

    class Meta:
        model = Ruling
        fields: tuple[str, ...] = (
            "number",
            "incident",
            "state",
            "article",
            "title",
            "decision",
            "reason",
            "side",
            "measure",
            "offender",
            "table",
            "deal",
            "issued_at",
            "appeal_until",
            "final_at",
            "version",
        )

    def to_representation(self, instance: Ruling) -> dict[str, object]:
        """Serialize the ruling in the reader's language, looked up once."""
        self.shown: RulingShown = show(instance)
        return super().to_representation(instance)

    def get_title(self, _row: Ruling) -> str:
        """Return the title of the article, in the reader's language."""
        return self.shown.title

    def get_decision(self, _row: Ruling) -> str:
        """Return the decision in words."""
        return self.shown.penalty

    def get_reason(self, _row: Ruling) -> str:
        """Return the referee's reason."""
        return self.shown.reason


class PartiesShape(serializers.Serializer[object]):
    """Start numbers concerned by a ruling, each in exactly one role."""

    offender = serializers.IntegerField(allow_null=True)
    gain = serializers.ListField(child=serializers.IntegerField())
    affected = serializers.ListField(child=serializers.IntegerField())


class WholeRulingShape(RulingShape):
    """A ruling with its parties, who reads its offence, and all its versions and appeals."""

    parties = serializers.SerializerMethodField()
    audience = serializers.SerializerMethodField()
    seen = serializers.SerializerMethodField(help_text=SEEN_HELP)
    versions = VersionShape(many=True)
    appeals = AppealShape(many=True)

    class Meta(RulingShape.Meta):
        fields = (*RulingShape.Meta.fields, "parties", "audience", "seen", "versions", "appeals")

    @extend_schema_field(PartiesShape)
    def get_parties(self, row: Ruling) -> object:
        """Return the start numbers of the offender, the beneficiaries and the other affected entrants."""
        parties = parties_of(self.shown)
        numbers = dict(row.event.entrants.values_list("pk", "number"))
        return {
            "offender": None if parties.offender is None else numbers[parties.offender],
            "gain": sorted(numbers[pk] for pk in parties.gain),
            "affected": sorted(numbers[pk] for pk in parties.affected),
        }

    def get_audience(self, row: Ruling) -> Audience:
        """Return the readers of the offence at this moment, besides the staff."""
        return audience_of(row)

    def get_seen(self, row: Ruling) -> int:
        """Return the number of versions of all rulings on the same deal."""
        return versions_on(row.incident)


class ConfirmationShape(serializers.ModelSerializer[Confirmation]):
    """A decision that needs two people."""

    incident = serializers.IntegerField(source="incident.number")
    amends = serializers.IntegerField(source="amends.number", allow_null=True, default=None)
    facts = serializers.DictField()
    proposal = ProposalField()
    ruling = serializers.IntegerField(source="ruling.number", allow_null=True, default=None)

    class Meta:
        model = Confirmation
        fields = (
            "id",
            "incident",
            "state",
            "amends",
            "article",
            "facts",
            "reason",
            "proposal",
            "proposed_by",
            "proposed_at",
            "decided_by",
            "decided_at",
            "answer",
            "ruling",
            "version",
        )


class ArticleShape(serializers.Serializer[Article]):
    """An article in the reader's language and in full, and who may rule under it at the event."""

    id = serializers.CharField()
    title = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()
    rulers = serializers.SerializerMethodField()
    article = serializers.SerializerMethodField()

    def get_title(self, row: Article) -> str:
        """Return the title in the reader's language."""
        return localized(row.title)

    def get_text(self, row: Article) -> str:
        """Return the text in the reader's language."""
        return localized(row.text)

    def get_rulers(self, row: Article) -> str:
        """Return the rank of staff required to rule under the article."""
        code: Code = self.context["code"]
        return code.rulers_of(row.id).value

    @extend_schema_field(shape_of(Article))
    def get_article(self, row: Article) -> object:
        """Return the article of the penal code, in every language."""
        return to_json(row)


class SanctionShape(serializers.ModelSerializer[Sanction]):
    """An entry of the discipline register."""

    name = serializers.CharField(read_only=True)
    in_force = serializers.BooleanField(read_only=True)

    class Meta:
        model = Sanction
        fields = (
            "id",
            "name",
            "kind",
            "article",
            "reason",
            "since",
            "until",
            "in_force",
            "lifted_reason",
        )


class AgainstShape(serializers.Serializer[object]):
    """A fact that the sheet states otherwise."""

    field = serializers.CharField()
    question = serializers.CharField()
    sheet = serializers.CharField()


class ProposedShape(serializers.Serializer[object]):
    """The penal code's proposal and its impact."""

    proposal = ProposalField()
    impact = ImpactShape(allow_null=True)
    against_record = AgainstShape(many=True)
    seen = serializers.IntegerField(help_text=SEEN_HELP)


SHAPES.update(
    {
        Incident: IncidentShape,
        Ruling: WholeRulingShape,
        Appeal: AppealShape,
        Confirmation: ConfirmationShape,
        Sanction: SanctionShape,
    }
)
