"""The engine's calls as REST: ``POST /api/v1/rules/<call>/`` with one object, the same answers.

An error is a 400 problem+json whose ``code``, ``detail`` and ``field`` are those of the engine's
error object. The double-dummy search is bounded: it answers proven bounds past the limit.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ledger.access import Access
from ledger.errors import NotHere
from ledger.limits import Limit, address
from scoring.engine.calls import CALLS, answer, rulebooks

MOST_NODES: Final = 400_000
"""Cards laid in one search for the public, a few seconds at the worst."""

SOLVES_BY_ADDRESS: Final = Limit("rules-solve", 120, 600)
"""Searches from one address: a referee team behind one NAT has room, a script has not."""


class RulebookList(APIView):
    """Every rulebook with its source, players and switches."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("public")}
    authentication_classes: ClassVar[list[Any]] = []

    @extend_schema(
        responses={200: {"type": "array", "items": {"type": "object"}}},
        operation_id="rules_rulebooks",
    )
    def get(self, request: Request) -> Response:
        """The list that ``python -m scoring rulebooks`` prints."""
        return Response(rulebooks())


class RuleCall(APIView):
    """One call of the engine."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("public")}
    authentication_classes: ClassVar[list[Any]] = []

    @extend_schema(
        request=OpenApiTypes.OBJECT,
        responses=OpenApiTypes.OBJECT,
        operation_id="rules_call",
        parameters=[
            OpenApiParameter("call", OpenApiTypes.STR, OpenApiParameter.PATH, enum=sorted(CALLS))
        ],
    )
    def post(self, request: Request, call: str) -> Response:
        """The engine's answer to one object."""
        if call not in CALLS:
            raise NotHere(
                "unknown_call",
                _("There is no call of this name: %(calls)s.") % {"calls": ", ".join(CALLS)},
            )
        payload = request.data
        if call == "solve" and isinstance(payload, dict):
            who = address(request._request)
            SOLVES_BY_ADDRESS.check(who)
            payload = _bounded(payload)
        return Response(answer(call, payload))


def _bounded(payload: dict[str, Any]) -> dict[str, Any]:
    """The request with a limit on the search, the caller's own where it is lower."""
    asked = payload.get("node_limit")
    if isinstance(asked, int) and not isinstance(asked, bool) and asked <= MOST_NODES:
        return payload
    if asked is not None and (isinstance(asked, bool) or not isinstance(asked, int)):
        return payload  # the engine says what is wrong with it
    return {**payload, "node_limit": MOST_NODES}
