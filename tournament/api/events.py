"""The event as a whole as REST: settings, copy, finish and reopen, hide and show, delete."""

from __future__ import annotations

from datetime import UTC
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from scoring.engine.rulebook import RULEBOOKS
from scoring.texts import LANGUAGES
from tournament.api.columns import ColumnsShape
from tournament.api.common import READ
from tournament.api.stage_shapes import StageShape
from tournament.api.verbs import ANSWERS, BODIES, SHAPES, Answer
from tournament.models import Event, Stage
from tournament.queries.rulebooks import choice
from tournament.services import event_life, events
from tournament.services.events import SETTINGS
from tournament.views.frame import event_by_slug


class SettingsShape(ColumnsShape[Event]):
    """The settings of an event; those in ``fixed`` cannot change any more."""

    language = serializers.ChoiceField(choices=LANGUAGES)
    house_rules = serializers.DictField(
        help_text="A club's own rules as they were when the event was opened; empty: a rulebook."
    )
    fixed = serializers.SerializerMethodField()

    class Meta:
        model = Event
        fields = (*SETTINGS, "logo", "state", "hidden", "fixed")
        read_only_fields = ("logo", "state", "hidden")
        extra_kwargs: ClassVar = {
            "colour": {"help_text": "Of the club; empty: none."},
            "logo": {"help_text": "SHA-256 of the club's picture; empty: none."},
            "options": {"help_text": "Switches of the rulebook, by name."},
            "registration_until": {"default_timezone": UTC},
        }

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_fixed(self, event: Event) -> list[str]:
        """Return the settings that cannot change any more."""
        return sorted(events.BEFORE_PLAY) if events.rules_are_fixed(event) else []

    def validate_options(self, value: object) -> object:
        """The switches must be an object."""
        if not isinstance(value, dict):
            raise serializers.ValidationError("Expected an object.")
        return value


class NewStageShape(StageShape):
    """A stage of a new event; the value of a bye is set with its ranking."""

    credit = None  # type: ignore[assignment]  # so a shape leaves out a field of its base

    class Meta(StageShape.Meta):
        fields = tuple(name for name in StageShape.Meta.fields if name != "credit")


class NewEventAsk(ColumnsShape[Event]):
    """A new event: its name and day, the game, its other settings, and its stages in their order."""

    usual = True
    language = serializers.ChoiceField(choices=LANGUAGES, default="nl")
    rulebook = serializers.ChoiceField(choices=sorted(RULEBOOKS), default="belgian")
    house_rules = serializers.UUIDField(
        required=False, help_text="A club's own rules, instead of `rulebook`."
    )
    options = serializers.DictField(default=dict, help_text="Switches of the rulebook, by name.")
    stages = NewStageShape(many=True, required=False, source="plan")

    class Meta:
        model = Event
        fields = (*SETTINGS, "stages")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Convert to the arguments of :func:`~tournament.services.events.create_event`."""
        attrs["plan"] = [Stage(**stage) for stage in attrs.get("plan", ())] or None
        if "house_rules" in attrs:
            by = choice(str(attrs["house_rules"]))
            options = by.options | attrs["options"]
            attrs |= {"rulebook": by.rulebook, "options": options, "house_rules": by.house_rules}
        return attrs


class NewEventShape(SettingsShape):
    """A new event: the name by which its addresses call it, and its settings."""

    class Meta(SettingsShape.Meta):
        fields = ("slug", *SettingsShape.Meta.fields)


class MatterShape(serializers.Serializer[object]):
    """Something of the event that is not settled; ``blocks``: it cannot be finished before."""

    code = serializers.CharField()
    text = serializers.CharField()
    blocks = serializers.BooleanField()


class StateShape(serializers.Serializer[object]):
    """State of an event."""

    slug = serializers.CharField()
    state = serializers.CharField()
    hidden = serializers.BooleanField()


class Settings(APIView):
    """The settings of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(responses=SettingsShape, operation_id="event_settings_read")
    def get(self, request: Request, slug: str) -> Response:
        """Return the settings, and the list of those that cannot change any more."""
        return Response(SettingsShape(event_by_slug(slug)).data)


class Open(APIView):
    """Open matters of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(responses=MatterShape(many=True), operation_id="event_open_matters")
    def get(self, request: Request, slug: str) -> Response:
        """Everything still open, what prevents the end of the event first."""
        matters = event_life.open_matters(event_by_slug(slug))
        return Response(MatterShape(matters, many=True).data)


SHAPES[Event] = StateShape
BODIES.update({"event_settings_change": SettingsShape, "events_open": NewEventAsk})
ANSWERS.update(
    {
        "events_open": Answer(NewEventShape),
        **dict.fromkeys(("event_settings_change", "event_logo_set"), Answer(SettingsShape)),
    }
)
