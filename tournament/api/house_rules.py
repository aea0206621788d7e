"""A club's own rules as REST, stored for its next events."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from scoring.engine.rulebook import RULEBOOKS
from scoring.engine.rulebooks import house_options
from tournament.api.verbs import ANSWERS, BODIES, Answer
from tournament.models import HouseRules

OPENS: Final = Access("needs", "event.create")


class HouseRulesShape(serializers.Serializer[Any]):
    """A published rulebook under a name, with switches and penalties of its own."""

    id = serializers.UUIDField(read_only=True)
    name = serializers.CharField(max_length=80)
    base = serializers.ChoiceField(choices=sorted(RULEBOOKS), help_text="Key of the rulebook.")
    switches = serializers.DictField(
        default=dict, help_text="Values by name; the others are the rulebook's own."
    )
    penalties = serializers.DictField(
        default=dict,
        help_text="What an event's penal code has in `content`: articles, ladders, adopted, rulers.",
    )


def rules_json(rules: HouseRules) -> dict[str, object]:
    """Rules in the shape of :class:`HouseRulesShape`."""
    return {
        "id": str(rules.pk),
        "name": rules.name,
        "base": rules.stated["base"],
        "switches": house_options(rules.whole),
        "penalties": rules.stated["penalties"],
    }


class AllHouseRules(APIView):
    """The stored rules of all clubs."""

    access: ClassVar[dict[str, Access]] = {"GET": OPENS}

    @extend_schema(responses=HouseRulesShape(many=True), operation_id="house-rules_list")
    def get(self, request: Request) -> Response:
        """Every club's rules, by name."""
        return Response([rules_json(rules) for rules in HouseRules.objects.all()])


BODIES.update(dict.fromkeys(("house-rules_add", "house-rules_change"), HouseRulesShape))
ANSWERS.update(
    dict.fromkeys(("house-rules_add", "house-rules_change"), Answer(HouseRulesShape, rules_json))
)
