"""What the referees' API shares: the caller, how a body is read, pages, the shape of a refusal.

Facts are an object by the field names of the article (``GET …/articles/<id>/`` lists them): seats
as the rules name them, yes and no as booleans. Every refusal is problem+json with code and field.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access
from adjudication.services.proposals import Stated
from adjudication.services.words import cleaned
from ledger.actors import Actor
from ledger.errors import Refused
from tournament.models import Event

READ: Final = Access("needs", "incidents.read")
RULE: Final = Access("needs", "incidents.rule")
FINAL: Final = Access("needs", "rulings.finalise")
CONFIRM: Final = Access("needs", "rulings.confirm")
HEAR: Final = Access("needs", "appeals.hear")

MOST: Final = 200
"""Rows of a page at most."""
PAGES: Final = [
    OpenApiParameter("page", OpenApiTypes.INT, description="From 1."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description="100 unless given; at most 200."),
]
SEEN_HELP = "What `propose` or the ruling said; a decision made in the meantime is then a 409."
STATED: Final[dict[str, serializers.Field[Any, Any, Any, Any]]] = {
    "proof": serializers.CharField(
        required=False, help_text="The id of a proof of this incident that the decision rests on."
    ),
    "against_record": serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="The fields of `facts` that the sheet states otherwise, as `propose` lists them: the referee "
        "holds to them.",
    ),
}
"""On what a decision rests besides its facts."""
_DECISION: Final[dict[str, serializers.Field[Any, Any, Any, Any]]] = {
    "article": serializers.CharField(),
    "facts": serializers.DictField(),
    "reason": serializers.CharField(required=False),
    "claimed": serializers.CharField(required=False),
    "next_round": serializers.CharField(required=False),
    **STATED,
}
PROPOSAL = inline_serializer("AskedProposal", dict(_DECISION))
DECISION = inline_serializer(
    "Decision",
    {**_DECISION, "seen": serializers.IntegerField(required=False, help_text=SEEN_HELP)},
)
REASON = inline_serializer(
    "Reason",
    {
        "reason": serializers.CharField(),
        "next_round": serializers.CharField(required=False),
        "seen": serializers.IntegerField(required=False, help_text=SEEN_HELP),
    },
)


def answers(status: int = 200) -> dict[int, Any]:
    """The answer of an operation for the schema, which adds the refusals itself."""
    return {status: OpenApiTypes.OBJECT}


def event_of(slug: str) -> Event:
    """The event; a 404 otherwise."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        raise Http404
    return event


def actor_of(request: Request) -> Actor:
    """The signed-in caller."""
    return Actor.user(request.user.pk)


def body_of(request: Request) -> dict[str, object]:
    """The body, an object."""
    if not isinstance(request.data, dict):
        raise Refused("an_object", _("An object is expected."))
    return request.data


def text_of(body: dict[str, object], name: str) -> str:
    """A text of the body; empty where it is left out."""
    value = body.get(name, "")
    if not isinstance(value, str):
        raise Refused("a_text", _("%(name)s must be text.") % {"name": name}, field=name)
    return value


def number_of(body: dict[str, object], name: str) -> int | None:
    """A whole number of the body; ``None`` where it is left out."""
    value = body.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise Refused(
            "a_number", _("%(name)s must be a whole number.") % {"name": name}, field=name
        )
    return value


def decision_of(body: dict[str, object]) -> Stated:
    """Article, facts and what else a decision is made from."""
    facts = body.get("facts", {})
    if not isinstance(facts, dict):
        raise Refused(
            "an_object", _("%(name)s must be an object.") % {"name": "facts"}, field="facts"
        )
    against = body.get("against_record", [])
    if not isinstance(against, list) or not all(isinstance(name, str) for name in against):
        raise Refused(
            "a_list",
            _("%(name)s must be a list of texts.") % {"name": "against_record"},
            field="facts",
        )
    return {
        "proof": text_of(body, "proof"),
        "against_record": against,
        "article": text_of(body, "article"),
        "facts": facts,
        "claimed": text_of(body, "claimed"),
        "next_round": text_of(body, "next_round"),
    }


def paged(request: Request, rows: Any, shape: Any) -> Response:
    """A page of rows, each as ``shape`` gives it."""
    size = min(_at_least_one(request, "page_size", 100), MOST)
    page = _at_least_one(request, "page", 1)
    count = rows.count()
    listed = rows[(page - 1) * size : page * size]
    return Response(
        {
            "count": count,
            "page": page,
            "pages": max(1, -(-count // size)),
            "rows": [shape(row) for row in listed],
        }
    )


def _at_least_one(request: Request, name: str, usual: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text)):
        raise Refused(
            "a_number", _("%(name)s must be a whole number.") % {"name": name}, field=name
        )
    return int(text)


def filtered(request: Request, rows: Any, filters: dict[str, tuple[str, type]]) -> Any:
    """``rows`` narrowed by the query's parameters; an unknown parameter is refused by name.

    ``filters``: parameter → the column it narrows and whether that is a text or a whole number.
    """
    for name, value in request.query_params.items():
        if name in ("page", "page_size"):
            continue
        if name not in filters:
            raise Refused(
                "unknown_filter",
                _("No such filter: %(name)s.") % {"name": name},
                field=name,
            )
        column, kind = filters[name]
        wanted: str | int = cleaned(str(value), 40)
        if kind is int:
            wanted = _at_least_one(request, name, 0)
        rows = rows.filter(**{column: wanted})
    return rows


def described(filters: dict[str, tuple[str, type]]) -> list[OpenApiParameter]:
    """The filters and pages of a list, for the schema."""
    kinds = {str: OpenApiTypes.STR, int: OpenApiTypes.INT}
    return [*PAGES, *(OpenApiParameter(name, kinds[kind]) for name, (_c, kind) in filters.items())]
