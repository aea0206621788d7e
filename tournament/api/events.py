"""The event as a whole as REST: settings, copy, finish and reopen, hide and show, delete."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.actors import Actor
from ledger.errors import Refused
from scoring.engine.rulebook import RULEBOOKS
from scoring.texts import LANGUAGES
from tournament.api.common import EVENT, READ, Verb, actor_of, read_body
from tournament.api.stage_shapes import StageShape
from tournament.models import Event
from tournament.models.tables import BellRule, Depth, Protocol
from tournament.services import event_copy, event_life, events, logos
from tournament.views.frame import event_by_slug


class SettingsShape(serializers.Serializer[Any]):
    """The settings of an event; those in ``fixed`` can no longer change."""

    name = serializers.CharField(max_length=120)
    place = serializers.CharField(max_length=120, allow_blank=True)
    day = serializers.DateField()
    language = serializers.ChoiceField(choices=LANGUAGES)
    short_names = serializers.BooleanField()
    hide_last_rounds = serializers.IntegerField(min_value=0, max_value=60)
    sponsors = serializers.CharField(
        max_length=2000, allow_blank=True, help_text="One a line, for the hall screen."
    )
    colour = serializers.RegexField(
        r"^#[0-9a-f]{6}\Z", max_length=7, allow_blank=True, help_text="Of the club; empty: none."
    )
    logo = serializers.CharField(
        read_only=True, help_text="SHA-256 of the club's picture; empty: none."
    )
    registration = serializers.BooleanField(help_text="Players register on a public page.")
    registration_until = serializers.DateTimeField(allow_null=True)
    places = serializers.IntegerField(allow_null=True, min_value=1, max_value=5000)
    tell_illegal = serializers.BooleanField(
        default=True, help_text="The table is told at once of a card that was not allowed."
    )
    publish_conduct = serializers.BooleanField(
        default=False, help_text="Final rulings on conduct are public."
    )
    rulebook = serializers.CharField(max_length=30)
    options = serializers.JSONField(help_text="Switches of the rulebook, by name.")
    protocol = serializers.ChoiceField(choices=Protocol.choices)
    bell_rule = serializers.ChoiceField(choices=BellRule.choices)
    depth = serializers.ChoiceField(choices=Depth.choices)
    state = serializers.CharField(read_only=True)
    hidden = serializers.BooleanField(read_only=True)
    fixed = serializers.ListField(child=serializers.CharField(), read_only=True)

    def validate_options(self, value: Any) -> Any:
        """The switches must be an object."""
        if not isinstance(value, dict):
            raise serializers.ValidationError("Expected an object.")
        return value


class LogoAsk(serializers.Serializer[Any]):
    """The picture of a club: PNG or JPEG, at most 1 MB."""

    logo = serializers.FileField()


class NewStageShape(StageShape):
    """A stage of a new event; what a bye is worth is set with its ranking."""

    credit = None  # type: ignore[assignment]  # so a shape leaves out a field of its base


class NewEventAsk(serializers.Serializer[Any]):
    """A new event: its name and day, the game, and its stages in their order."""

    name = serializers.CharField(max_length=120)
    day = serializers.DateField()
    place = serializers.CharField(max_length=120, allow_blank=True, default="")
    language = serializers.ChoiceField(choices=LANGUAGES, default="nl")
    rulebook = serializers.ChoiceField(choices=sorted(RULEBOOKS), default="belgian")
    options = serializers.DictField(default=dict, help_text="Switches of the rulebook, by name.")
    protocol = serializers.ChoiceField(choices=Protocol.choices, default=Protocol.CONFIRM)
    bell_rule = serializers.ChoiceField(choices=BellRule.choices, default=BellRule.FINISH)
    depth = serializers.ChoiceField(choices=Depth.choices, default=Depth.POINTS)
    stages = NewStageShape(many=True, required=False)


def plan_of(stages: list[dict[str, Any]]) -> list[events.StagePlan]:
    """The stages of a new event as the service takes them."""
    return [events.StagePlan(**stage) for stage in stages]


class MatterShape(serializers.Serializer[Any]):
    """Something of the event that is not settled; ``blocks``: it cannot be finished before."""

    code = serializers.CharField()
    text = serializers.CharField()
    blocks = serializers.BooleanField()


class StateShape(serializers.Serializer[Any]):
    """Where an event is in its life."""

    slug = serializers.CharField()
    state = serializers.CharField()
    hidden = serializers.BooleanField()


class FinishAsk(serializers.Serializer[Any]):
    """Whether to finish although something is open (a round in play always refuses it)."""

    despite_open = serializers.BooleanField(default=False)


class CopyAsk(serializers.Serializer[Any]):
    """The copy's name and day, and what comes with it."""

    name = serializers.CharField(max_length=120)
    day = serializers.DateField()
    players = serializers.BooleanField(default=False)
    staff = serializers.BooleanField(default=False)


def settings_json(event: Event) -> dict[str, object]:
    """An event in the shape of :class:`SettingsShape`."""
    names = sorted(events.ANYTIME | events.BEFORE_PLAY)
    fixed = sorted(events.BEFORE_PLAY) if events.rules_are_fixed(event) else []
    return {
        **{name: getattr(event, name) for name in names},
        "day": event.day.isoformat(),
        "logo": event.logo,
        "state": str(event.state),
        "hidden": event.hidden,
        "fixed": fixed,
    }


def state_json(event: Event) -> dict[str, object]:
    """An event in the shape of :class:`StateShape`."""
    return {"slug": event.slug, "state": str(event.state), "hidden": event.hidden}


class Settings(APIView):
    """What may change in an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "PATCH": EVENT, "DELETE": EVENT}

    @extend_schema(responses=SettingsShape, operation_id="event_settings_read")
    def get(self, request: Request, slug: str) -> Response:
        """The settings, and which of them can no longer change."""
        return Response(settings_json(event_by_slug(slug)))

    @extend_schema(
        request=SettingsShape, responses=SettingsShape, operation_id="event_settings_change"
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the settings given; minutes are changed with the stages."""
        changes = read_body(SettingsShape, request, partial=True)
        if not changes:
            raise Refused("nothing_asked", _("Give at least one setting."))
        event = events.update_event(
            event_id=event_by_slug(slug).pk, actor=actor_of(request), changes=changes
        )
        return Response(settings_json(event))

    @extend_schema(responses={204: None}, operation_id="event_delete")
    def delete(self, request: Request, slug: str) -> Response:
        """Delete the event, as long as nothing official has been recorded."""
        event_life.delete_event(event_id=event_by_slug(slug).pk, actor=actor_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Logo(APIView):
    """The picture of the event's club."""

    access: ClassVar[dict[str, Access]] = {"PUT": EVENT, "DELETE": EVENT}
    parser_classes = (MultiPartParser,)

    @extend_schema(
        request={"multipart/form-data": LogoAsk},
        responses=SettingsShape,
        operation_id="event_logo_set",
    )
    def put(self, request: Request, slug: str) -> Response:
        """Show this picture on pages and papers, in the place of the one before."""
        sent = read_body(LogoAsk, request)["logo"]
        event = logos.set_logo(
            event_id=event_by_slug(slug).pk,
            content=sent.read(logos.MOST_BYTES + 1),
            actor=actor_of(request),
        )
        return Response(settings_json(event))

    @extend_schema(responses={204: None}, operation_id="event_logo_remove")
    def delete(self, request: Request, slug: str) -> Response:
        """Show no picture."""
        logos.remove_logo(event_id=event_by_slug(slug).pk, actor=actor_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Open(APIView):
    """What is still open in an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(responses=MatterShape(many=True), operation_id="event_open_matters")
    def get(self, request: Request, slug: str) -> Response:
        """Everything still open, what prevents the end of the event first."""
        return Response(
            [
                {"code": matter.code, "text": matter.text, "blocks": matter.blocks}
                for matter in event_life.open_matters(event_by_slug(slug))
            ]
        )


def _finish(actor: Actor, slug: str, despite_open: bool) -> dict[str, object]:
    event = event_by_slug(slug)
    return state_json(
        event_life.finish_event(event_id=event.pk, actor=actor, despite_open=despite_open)
    )


def _reopen(actor: Actor, slug: str) -> dict[str, object]:
    return state_json(event_life.reopen_event(event_id=event_by_slug(slug).pk, actor=actor))


def _hide(actor: Actor, slug: str) -> dict[str, object]:
    event = event_by_slug(slug)
    return state_json(event_life.set_hidden(event_id=event.pk, actor=actor, hidden=True))


def _show(actor: Actor, slug: str) -> dict[str, object]:
    event = event_by_slug(slug)
    return state_json(event_life.set_hidden(event_id=event.pk, actor=actor, hidden=False))


def _copy(actor: Actor, slug: str, **body: Any) -> dict[str, object]:
    event = event_by_slug(slug)
    return state_json(event_copy.copy_event(event_id=event.pk, actor=actor, **body))


VERBS: Final[dict[str, Verb]] = {
    "finish": Verb(
        _finish,
        "Declare the event finished; refused while a round is in play, and while "
        "anything else is open unless `despite_open`.",
        StateShape,
        FinishAsk,
        EVENT,
    ),
    "reopen": Verb(_reopen, "Reopen a finished event.", StateShape, None, EVENT),
    "hide": Verb(
        _hide,
        "Hide the event from the public lists; its addresses keep working.",
        StateShape,
        None,
        EVENT,
    ),
    "show": Verb(_show, "List a hidden event again.", StateShape, None, EVENT),
    "copy": Verb(
        _copy,
        "Create an event with the same settings and stages and, if asked, the same players and staff.",
        StateShape,
        CopyAsk,
        EVENT,
        status.HTTP_201_CREATED,
    ),
}
