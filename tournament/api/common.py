"""Shared parts of the director's API: authentication, and reading a body."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from django.utils.translation import gettext as _
from drf_spectacular.plumbing import build_basic_type
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.errors import NotHere

READ: Final = Access("needs", "event.read")
ROUNDS: Final = Access("needs", "rounds.manage")
EVENT: Final = Access("needs", "event.manage")
PEOPLE: Final = Access("needs", "entrants.manage")

Shape = type[serializers.BaseSerializer[Any]]


def read_body(shape: Shape, request: Request, **more: Any) -> Any:
    """The body of a request as ``shape`` describes it; a wrong one is a 400 naming its fields."""
    form = shape(data=request.data, context={"request": request}, **more)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


def schema_of(hint: Any) -> dict[str, Any]:
    """The schema of a value as its type describes it: plain values, lists, and :class:`TypedDict`."""
    kind, inner = get_origin(hint), get_args(hint)
    if hint is object:
        return {}
    if kind is list:
        return {"type": "array", "items": schema_of(inner[0])}
    if kind is dict:
        return {"type": "object", "additionalProperties": schema_of(inner[1])}
    if kind is Literal:
        return {"type": "string", "enum": list(inner)}
    if kind in (NotRequired, Required):
        return schema_of(inner[0])
    if kind in (Union, UnionType):
        several = [schema_of(each) for each in inner if each is not NoneType]
        one = several[0] if len(several) == 1 else {"oneOf": several}
        return {**one, "nullable": True} if NoneType in inner else one
    if not is_typeddict(hint):
        return dict(build_basic_type(hint) or {})
    fields = get_type_hints(hint, include_extras=True)
    required = [
        name
        for name, each in fields.items()
        if name in hint.__required_keys__ and get_origin(each) is not NotRequired
    ]
    return {
        "type": "object",
        "description": " ".join((hint.__doc__ or "").replace("``", "`").split()),
        "properties": {name: schema_of(each) for name, each in fields.items()},
        **({"required": required} if required else {}),
    }


class AnyAccept(DefaultContentNegotiation):
    """For files: whatever the caller accepts, the answer is the file, and a refusal is JSON."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        """The first renderer."""
        return renderers[0], renderers[0].media_type


class UnknownVerb(APIView):
    """An address below a draw, round or stage that names no action; the refusal lists the actions."""

    access: ClassVar[dict[str, Access]] = {"POST": ROUNDS}
    names: ClassVar[tuple[str, ...]] = ()

    @extend_schema(exclude=True)
    def post(self, request: Request, **_place: object) -> Response:
        """Refuse, naming the actions."""
        raise NotHere(
            "unknown_verb", _("Possible here: %(names)s.") % {"names": ", ".join(self.names)}
        )
