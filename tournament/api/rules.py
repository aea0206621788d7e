"""The engine's calls as REST: ``POST /api/v1/rules/<call>/`` with one object, the same answers.

An error is a 400 problem+json whose ``code``, ``detail`` and ``field`` are those of the engine's
error object. The double-dummy search is bounded: it answers proven bounds past the limit, and no more
than :data:`SEARCHES_AT_ONCE` run in a process, so that they never take all of its threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import ClassVar, Final, TypedDict, get_type_hints

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from accounts.limits import Limit, address
from ledger.errors import Busy, NotHere
from scoring.engine.calls import CALLS, answer, rulebooks
from scoring.engine.shapes import (
    AgreedTrickJson,
    AllegationJson,
    ContractJson,
    InfractionJson,
    RulebookJson,
)
from tournament.api.common import schema_of

MOST_NODES: Final = 400_000
"""Cards laid in one search for the public, a few seconds at the worst."""

SOLVES_BY_ADDRESS: Final = Limit("rules-solve", 120, 600, by_line=True)
"""Searches from one address: a referee team behind one NAT has room, a script has not."""

SEARCHES: Final = ("solve", "prove")
"""Calls that may search for seconds."""
SEARCHES_AT_ONCE: Final = 2
"""Parallel searches in one process; further requests are refused and may be repeated later."""
_room = BoundedSemaphore(SEARCHES_AT_ONCE)


_searching: set[str] = set()
_turn = Lock()


@contextmanager
def room_for(call: str, line: str) -> Iterator[None]:
    """Take one of the places for searches while ``call`` runs, one for each line; other calls need none.

    Raises:
        Busy: where all places are taken, or one by this line.
    """
    if call not in SEARCHES:
        yield
        return
    with _turn:
        taken = line not in _searching and _room.acquire(blocking=False)
        if taken:
            _searching.add(line)
    if not taken:
        raise Busy("busy", _("Other positions are being computed: try again in a few seconds."))
    try:
        yield
    finally:
        _searching.discard(line)
        _room.release()


class QuestionOfRules(TypedDict, total=False):
    """Position and question of the rules calls; docs/engine.md lists the fields that each call needs."""

    rulebook: str
    options: dict[str, object]
    trump: str
    leader: str
    dealer: str
    declarer: str
    hands: dict[str, list[str]]
    plays: list[str]
    player: str
    hand: list[str]
    contract: ContractJson
    points: dict[str, int]
    tricks: dict[str, int] | list[AgreedTrickJson]
    infractions: list[InfractionJson]
    allegation: AllegationJson


ANSWERS: Final = [
    schema_of(each)
    for each in dict.fromkeys(get_type_hints(call)["return"] for call in CALLS.values())
]


class RulebookList(APIView):
    """Every rulebook with its source, players and switches."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("public")}
    authentication_classes = []

    @extend_schema(
        responses={200: schema_of(list[RulebookJson])},
        operation_id="rules_rulebooks",
    )
    def get(self, request: Request) -> Response:
        """The list that ``python -m scoring rulebooks`` prints."""
        return Response(rulebooks())


class RuleCall(APIView):
    """One call of the engine."""

    access: ClassVar[dict[str, Access]] = {"POST": Access("public")}
    authentication_classes = []

    @extend_schema(
        request={"application/json": schema_of(QuestionOfRules)},
        responses={200: {"anyOf": ANSWERS}},
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
                _("No such call; allowed: %(calls)s.") % {"calls": ", ".join(CALLS)},
            )
        payload = request.data
        line = address(request)
        if call in SEARCHES:
            SOLVES_BY_ADDRESS.check(line)
        if call == "solve" and isinstance(payload, dict):
            payload = _bounded(payload)
        with room_for(call, line):
            return Response(answer(call, payload))


def _bounded(payload: dict[str, object]) -> dict[str, object]:
    """The request with a limit on the search, the caller's own where it is lower."""
    limit = payload.get("node_limit")
    if isinstance(limit, int) and not isinstance(limit, bool) and limit <= MOST_NODES:
        return payload
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
        return payload  # the engine says what is wrong with it
    return {**payload, "node_limit": MOST_NODES}
