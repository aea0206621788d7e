"""REST of the referees: the same verbs as the pages, with the session of a member of staff.

Facts are an object by the field names of the article (``GET …/articles/<id>/`` lists them): seats
as the rules name them, yes and no as booleans. Every refusal is problem+json with code and field.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from adjudication.models import Appeal, Incident
from adjudication.penal import PenalCodeError, search
from adjudication.selectors.impact import impact_json, impact_of
from adjudication.selectors.shown import language, rulings_with
from adjudication.services import appeals, codes, incidents, rulings
from adjudication.services.words import kept
from ledger.access import Access, may
from ledger.actors import Actor
from ledger.errors import NotAllowed, Refused
from tournament.models import Event, Round, Table

from . import shapes

READ = Access("needs", "incidents.read")
RULE = Access("needs", "incidents.rule")
FINAL = Access("needs", "rulings.finalise")
HEAR = Access("needs", "appeals.hear")

DECISION = inline_serializer(
    "Decision",
    {
        "article": serializers.CharField(),
        "facts": serializers.DictField(),
        "reason": serializers.CharField(required=False),
        "claimed": serializers.CharField(required=False),
        "next_round": serializers.CharField(required=False),
    },
)
REASON = inline_serializer(
    "Reason",
    {
        "reason": serializers.CharField(),
        "next_round": serializers.CharField(required=False),
    },
)


def _event(slug: str) -> Event:
    found = Event.objects.filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def _actor(request: Request) -> Actor:
    return Actor.user(request.user.pk)


def _body(request: Request) -> dict[str, Any]:
    if not isinstance(request.data, dict):
        raise Refused("an_object", _("An object is expected."))
    return request.data


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise Refused("a_text", _("%(name)s is a text.") % {"name": name}, field=name)
    return value


def _number(body: dict[str, Any], name: str) -> int | None:
    value = body.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise Refused("a_number", _("%(name)s is a whole number.") % {"name": name}, field=name)
    return value


def _decision(body: dict[str, Any]) -> dict[str, Any]:
    facts = body.get("facts", {})
    if not isinstance(facts, dict):
        raise Refused("an_object", _("%(name)s is an object.") % {"name": "facts"}, field="facts")
    return {
        "article": _text(body, "article"), "facts": facts, "claimed": _text(body, "claimed"),
        "next_round": _text(body, "next_round"),
    }  # fmt: skip


def _paged(request: Request, rows: Any, shape: Any) -> Response:
    size, number = 100, request.query_params.get("page", "1")
    page = int(number[:6]) if number.isascii() and number.isdigit() else 1
    page = max(page, 1)
    count = rows.count()
    listed = rows[(page - 1) * size : page * size]
    return Response(
        {"count": count, "page": page, "pages": max(1, -(-count // size)),
         "rows": [shape(row) for row in listed]}
    )  # fmt: skip


PAGE = OpenApiParameter("page", OpenApiTypes.INT, description="From 1; 100 a page.")


class Incidents(APIView):
    """The incidents of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "POST": RULE}

    @extend_schema(
        operation_id="incidents_list", responses=OpenApiTypes.OBJECT,
        parameters=[PAGE, OpenApiParameter("state", OpenApiTypes.STR)],
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """A page of incidents, oldest first; ``state`` filters."""
        rows = Incident.objects.filter(event=_event(slug)).prefetch_related("rulings")
        if request.query_params.get("state"):
            rows = rows.filter(state=kept(request.query_params["state"], 20))
        return _paged(request, rows.order_by("number"), shapes.incident)

    @extend_schema(
        operation_id="incidents_open", responses=OpenApiTypes.OBJECT,
        request=inline_serializer(
            "OpenIncident",
            {
                "call": serializers.UUIDField(required=False),
                "round": serializers.UUIDField(required=False),
                "table": serializers.IntegerField(required=False),
                "game": serializers.IntegerField(required=False),
                "deal": serializers.IntegerField(required=False),
                "told": serializers.CharField(required=False),
            },
        ),
    )  # fmt: skip
    def post(self, request: Request, slug: str) -> Response:
        """Take a waiting ``call``, or open an incident at a ``table`` of a ``round``."""
        event, body = _event(slug), _body(request)
        if body.get("call"):
            call = self._call(event, _text(body, "call"))
            made = incidents.take_call(call_id=call, actor=_actor(request))
        else:
            made = incidents.open_incident(
                event_id=event.pk, table_id=self._table(event, body), told=_text(body, "told"),
                actor=_actor(request), game=_number(body, "game"), deal=_number(body, "deal"),
            )  # fmt: skip
        return Response(shapes.incident(made), status=201)

    def _call(self, event: Event, text: str) -> uuid.UUID:
        from scoring.models import RefereeCall

        try:
            wanted = uuid.UUID(text)
        except ValueError as error:
            raise Refused("no_such_call", _("There is no such call."), field="call") from error
        if not RefereeCall.objects.filter(pk=wanted, table__scope=event.pk).exists():
            raise Refused("no_such_call", _("There is no such call."), field="call")
        return wanted

    def _table(self, event: Event, body: dict[str, Any]) -> uuid.UUID | None:
        number = _number(body, "table")
        if number is None:
            return None
        rounds = Round.objects.filter(stage__event=event, published_at__isnull=False)
        if body.get("round"):
            try:
                rounds = rounds.filter(pk=uuid.UUID(_text(body, "round")))
            except ValueError as error:
                raise Refused(
                    "no_such_round", _("The event has no such round."), field="round"
                ) from error
        part = rounds.order_by("-stage__order", "-number").first()
        table = Table.objects.filter(round=part, number=number).first() if part else None
        if table is None:
            raise Refused("no_such_table", _("The round has no such table."), field="table")
        return table.pk


class IncidentDetail(APIView):
    """One incident."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="incidents_read", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The incident with the numbers of its rulings."""
        return Response(shapes.incident(incidents.incident_by_number(_event(slug), number)))


class IncidentVerb(APIView):
    """``propose`` (with impact, leaves nothing), ``rule``, ``place`` or ``dismiss``."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(operation_id="incidents_act", request=DECISION, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, number: int, verb: str) -> Response:
        """Do one thing with the incident."""
        event, body, actor = _event(slug), _body(request), _actor(request)
        incident = incidents.incident_by_number(event, number)
        if verb == "dismiss":
            done = incidents.dismiss(
                incident_id=incident.pk, actor=actor, reason=_text(body, "reason")
            )
            return Response(shapes.incident(done))
        if verb == "place":
            done = incidents.place_incident(
                incident_id=incident.pk, actor=actor, game=_number(body, "game"),
                deal=_number(body, "deal"),
            )  # fmt: skip
            return Response(shapes.incident(done))
        asked = _decision(body)
        if verb == "rule":
            made = rulings.issue(
                incident_id=incident.pk, actor=actor, reason=_text(body, "reason"), **asked
            )
            return Response(
                shapes.ruling(rulings.ruling_by_number(event, made.number), whole=True), status=201
            )
        if verb != "propose":
            raise Http404
        proposed = rulings.propose(
            incident, asked["article"], asked["facts"], claimed=asked["claimed"]
        )
        found: dict[str, Any] = {"proposal": proposed.proposal.as_json(), "impact": None}
        if not proposed.proposal.choices:
            reason = _text(body, "reason") or "preview"
            found["impact"] = impact_json(
                impact_of(
                    incident,
                    lambda: rulings.issue(
                        incident_id=incident.pk, actor=actor, reason=reason, **asked
                    ),
                )
            )
        return Response(found)


class Rulings(APIView):
    """The rulings of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(
        operation_id="rulings_list", responses=OpenApiTypes.OBJECT,
        parameters=[PAGE, OpenApiParameter("article", OpenApiTypes.STR),
                    OpenApiParameter("state", OpenApiTypes.STR)],
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """A page of rulings, oldest first; ``article`` and ``state`` filter."""
        rows = rulings_with(_event(slug)).order_by("number")
        for name in ("article", "state"):
            if request.query_params.get(name):
                rows = rows.filter(**{name: kept(request.query_params[name], 24)})
        return _paged(request, rows, shapes.ruling)


class RulingDetail(APIView):
    """One ruling with all its versions and appeals."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="rulings_read", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The ruling, every version readable."""
        return Response(shapes.ruling(rulings.ruling_by_number(_event(slug), number), whole=True))


class RulingVerb(APIView):
    """``amend``, ``annul`` or ``appeal``."""

    access: ClassVar[dict[str, Access]] = {"POST": RULE}

    @extend_schema(operation_id="rulings_act", request=DECISION, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, number: int, verb: str) -> Response:
        """Do one thing with the ruling."""
        event, body, actor = _event(slug), _body(request), _actor(request)
        ruling = rulings.ruling_by_number(event, number)
        if verb == "amend":
            rulings.amend(
                ruling_id=ruling.pk, actor=actor, reason=_text(body, "reason"), **_decision(body)
            )
        elif verb == "annul":
            if ruling.state == "final" and not may(request.user, "rulings.finalise", event.pk):
                raise NotAllowed("ruling_final", _("The chief referee annuls a final ruling."))
            rulings.annul(
                ruling_id=ruling.pk, actor=actor, reason=_text(body, "reason"),
                next_round=_text(body, "next_round"),
            )  # fmt: skip
        elif verb == "appeal":
            appeals.lodge(
                ruling_id=ruling.pk, side=_text(body, "side"), grounds=_text(body, "grounds"),
                actor=actor,
            )  # fmt: skip
        else:
            raise Http404
        return Response(shapes.ruling(rulings.ruling_by_number(event, number), whole=True))


class RulingFinal(APIView):
    """Make a ruling final before its deadline."""

    access: ClassVar[dict[str, Access]] = {"POST": FINAL}

    @extend_schema(operation_id="rulings_finalise", request=None, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Final from now on; a final ruling stays as it is."""
        event = _event(slug)
        ruling = rulings.ruling_by_number(event, number)
        rulings.finalise(ruling_id=ruling.pk, actor=_actor(request))
        return Response(shapes.ruling(rulings.ruling_by_number(event, number), whole=True))


class Appeals(APIView):
    """The appeals of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(
        operation_id="appeals_list", responses=OpenApiTypes.OBJECT,
        parameters=[PAGE, OpenApiParameter("state", OpenApiTypes.STR)],
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """A page of appeals, oldest first; ``state`` filters."""
        rows = Appeal.objects.filter(ruling__event=_event(slug)).select_related("ruling")
        if request.query_params.get("state"):
            rows = rows.filter(state=kept(request.query_params["state"], 20))
        return _paged(request, rows.order_by("lodged_at"), shapes.appeal)


class AppealHearing(APIView):
    """The committee's answer to an appeal."""

    access: ClassVar[dict[str, Access]] = {"POST": HEAR}

    @extend_schema(
        operation_id="appeals_hear", responses=OpenApiTypes.OBJECT,
        request=inline_serializer(
            "Hearing",
            {
                "outcome": serializers.ChoiceField(["upheld", "changed", "overturned"]),
                "decision": serializers.CharField(),
                "article": serializers.CharField(required=False),
                "facts": serializers.DictField(required=False),
                "claimed": serializers.CharField(required=False),
                "next_round": serializers.CharField(required=False),
            },
        ),
    )  # fmt: skip
    def post(self, request: Request, slug: str, appeal_id: uuid.UUID) -> Response:
        """``upheld``, ``changed`` (with article and facts) or ``overturned``."""
        event, body = _event(slug), _body(request)
        found = Appeal.objects.filter(pk=appeal_id, ruling__event=event).first()
        if found is None:
            raise Http404
        heard = appeals.hear(
            appeal_id=found.pk, outcome=_text(body, "outcome"), decision=_text(body, "decision"),
            actor=_actor(request), **_decision(body),
        )  # fmt: skip
        return Response(shapes.appeal(heard))


class Articles(APIView):
    """The penal code of an event."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(
        operation_id="articles_list", responses=OpenApiTypes.OBJECT,
        parameters=[OpenApiParameter("q", OpenApiTypes.STR, description="Words, in fr, nl or en.")],
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """Edition, policy and the articles in force; ``q`` searches."""
        event = _event(slug)
        row = codes.pinned(event)
        code = codes.read(event, row)
        found = search(code, request.query_params.get("q", "")[:80], language())
        return Response(
            {
                "rulebook": code.rulebook, "edition": code.edition, "number": row.number,
                "policy": row.policy, "appeal_minutes": row.appeal_minutes,
                "fingerprint": row.fingerprint, "house": list(code.house),
                "articles": [shapes.article(each) for each in found],
            }
        )  # fmt: skip


class ArticleDetail(APIView):
    """One article."""

    access: ClassVar[dict[str, Access]] = {"GET": READ}

    @extend_schema(operation_id="articles_read", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, name: str) -> Response:
        """The article with the facts it asks for."""
        try:
            found = codes.code_of(_event(slug)).article(name)
        except PenalCodeError as error:
            raise Http404 from error
        return Response(shapes.article(found))


class PenalCodeView(APIView):
    """The event's own part of its penal code."""

    access: ClassVar[dict[str, Access]] = {"GET": READ, "PUT": FINAL}

    @extend_schema(operation_id="penal_code_read", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> Response:
        """House articles, changed ladders and adopted articles."""
        row = codes.pinned(_event(slug))
        return Response(
            {"number": row.number, "edition": row.edition, "policy": row.policy,
             "appeal_minutes": row.appeal_minutes, "content": row.content}
        )  # fmt: skip

    @extend_schema(
        operation_id="penal_code_change", responses=OpenApiTypes.OBJECT,
        request=inline_serializer(
            "PenalCodeChange",
            {
                "reason": serializers.CharField(),
                "content": serializers.DictField(required=False),
                "policy": serializers.CharField(required=False),
                "appeal_minutes": serializers.IntegerField(required=False),
            },
        ),
    )  # fmt: skip
    def put(self, request: Request, slug: str) -> Response:
        """Put a new number of the code in force; rulings made keep theirs."""
        event, body = _event(slug), _body(request)
        content = body.get("content")
        if content is not None and not isinstance(content, dict):
            raise Refused(
                "an_object", _("%(name)s is an object.") % {"name": "content"}, field="content"
            )
        codes.change_code(
            event_id=event.pk, actor=_actor(request), reason=_text(body, "reason"),
            content=content, policy=_text(body, "policy") or None,
            appeal_minutes=_number(body, "appeal_minutes"),
        )  # fmt: skip
        return self.get(request, slug)
