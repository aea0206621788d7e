"""Verbs as operations of the API: body, answer and address follow from the service.

A body is made from what the service takes, an answer from what it returns: a dataclass describes
itself, a model has its shape in :data:`SHAPES`. What is wrong with a body is a 400 that names its fields; a text
that is left out is empty, and the service says what is missing.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from types import NoneType
from typing import Any, ClassVar, Final, get_args, get_origin

from django.conf import settings
from django.db.models import Model
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework_dataclasses.field_utils import TypeInfo
from rest_framework_dataclasses.serializers import DataclassSerializer

from accounts.access import Access, actor_of
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.verbs import VERBS, Argument, Verb

from .common import Shape as Shape
from .common import UnknownVerb, read_body

SHAPES: Final[dict[type, Shape]] = {}
"""Shape of a model's row in the API."""
BODIES: Final[dict[str, Shape]] = {}
"""Bodies that are columns of a row, by the name of the verb."""


class Text(serializers.CharField):
    """A text; empty when left out, so that the service names what is missing."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"allow_blank": True, "trim_whitespace": False, **kwargs})

    def validate_empty_values(self, data: object) -> tuple[bool, object]:
        """Take nothing for an empty text."""
        return (
            (True, "") if data is empty and self.required else super().validate_empty_values(data)
        )


@extend_schema_field(
    {"oneOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?\d+(/\d+)?$"}]}
)
class Exact(serializers.Field[Any, Any, Any, Any]):
    """An exact number: a whole one, or a fraction as text (``7/2``)."""

    def to_representation(self, value: Fraction | int) -> int | str:
        """A whole number where it is one."""
        exact = Fraction(value)
        return exact.numerator if exact.denominator == 1 else str(exact)


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "boolean"}]})
class TextOrYes(serializers.ReadOnlyField):
    """A text, or yes and no; read alone."""


class Content(serializers.FileField):
    """The content of a file that is sent; refused where it is longer than ``lists`` lists may be."""

    def __init__(self, lists: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.lists = lists

    def to_internal_value(self, data: Any) -> Any:
        """Its bytes."""
        sent = super().to_internal_value(data)
        if sent.size > settings.IMPORT_MAX_BYTES * self.lists:
            raise Refused(
                "file_too_large", _("This file is too large."), field=self.field_name or ""
            )
        return sent.read()


FIELDS: Final[dict[Any, type[serializers.Field[Any, Any, Any, Any]]]] = {
    int | Fraction: Exact,
    Fraction: Exact,
    str | bool: TextOrYes,
    bytes: Content,
}
"""The fields of types that are read and written in a way of their own."""


class Typed(DataclassSerializer[Any]):
    """The shape of a dataclass, read from its types."""

    serializer_field_mapping = {**DataclassSerializer.serializer_field_mapping, str: Text}

    @property
    def serializer_dataclass_field(self) -> type[serializers.Field[object, object, object, object]]:
        """Dataclasses inside are read alike."""
        return Typed

    def build_typed_field(
        self, field_name: str, type_info: TypeInfo, extra_kwargs: dict[str, object]
    ) -> tuple[type[serializers.Field[Any, Any, Any, Any]], dict[str, Any]]:
        """As the library has it, with the types of :data:`FIELDS`."""
        if type_info.is_many and get_origin(type_info.base_type) is tuple:
            return serializers.ListField, {"child": serializers.ListField()}
        own = None if type_info.is_many else FIELDS.get(type_info.base_type)
        if type_info.is_mapping:
            own = serializers.DictField if type_info.base_type is object else None
        if own is None:
            return super().build_typed_field(field_name, type_info, extra_kwargs)
        described = self.dataclass_definition.fields[field_name]
        defaults = {described.default, described.default_factory}
        more = {"required": False} if defaults != {dataclasses.MISSING} else {}
        return own, {**more, "allow_null": True} if type_info.is_nullable else more


def shape_of(kind: type) -> Shape:
    """Return the shape of a service's result: a row's by its model, a dataclass's own."""
    if kind in SHAPES or not dataclasses.is_dataclass(kind):
        return SHAPES[kind]
    meta = type("Meta", (), {"dataclass": kind})
    shape: Shape = type(kind.__name__, (Typed,), {"Meta": meta, "__doc__": kind.__doc__})
    return SHAPES.setdefault(kind, shape)


def asked_of(verb: Verb) -> list[Argument]:
    """The arguments that a body gives, not the address."""
    return [each for each in verb.takes if f":{each.name}>" not in verb.at]


@cache
def body_of(verb: Verb) -> Shape | None:
    """The shape of a verb's body; ``None`` where it takes none."""
    if verb.name in BODIES:
        return BODIES[verb.name]
    takes = [part for each in asked_of(verb) for part in each.parts or (each,)]
    if not takes:
        return None
    name = f"{_camel(verb.name)}Ask"
    typed = dataclasses.make_dataclass(name, [_field(each) for each in takes], kw_only=True)
    return type(
        name, (Typed,), {"Meta": type("Meta", (), {"dataclass": typed}), "__doc__": verb.says}
    )


def _field(argument: Argument) -> tuple[str, object, object]:
    wanted: dict[str, object] = {"help_text": argument.help} if argument.help else {}
    if argument.bounds is not None:
        wanted |= argument.bounds.limits
    more: dict[str, Any] = {"metadata": {"serializer_kwargs": wanted}}
    if not argument.required:
        more["default_factory"] = lambda: argument.default
    return argument.name, argument.type, dataclasses.field(**more)


def _camel(name: str) -> str:
    return "".join(part.title() for part in name.replace("-", "_").split("_"))


def given_of(verb: Verb, request: Request) -> dict[str, Any]:
    """Return the arguments for a verb from a request; a wrong body is a 400 that names its fields."""
    shape = body_of(verb)
    if shape is None:
        return {}
    if verb.name in BODIES:
        given: dict[str, Any] = read_body(shape, request, partial=verb.method == "PATCH")
        if not given and verb.method == "PATCH":
            raise Refused("nothing_asked", _("Give at least one field."))
        return {verb.columns: given} if verb.columns else given
    form = shape(data=request.query_params if verb.method == "DELETE" else request.data)
    form.is_valid(raise_exception=True)
    return {
        each.name: each.type(
            **{part.name: getattr(form.validated_data, part.name) for part in each.parts}
        )
        if each.parts
        else getattr(form.validated_data, each.name)
        for each in asked_of(verb)
    }


Find = Callable[..., Model]
"""Finds the row that an address names; a 404 otherwise."""


class VerbView(APIView):
    """A view of verbs."""

    refusals: ClassVar[Mapping[int, Shape]] = {}
    """What its operations answer besides."""

    def row_of(self, request: Request, find: Find, place: dict[str, Any]) -> Model:
        """The row that the address names."""
        return find(**place)

    def sender(self, request: Request, row: Any) -> Actor:
        """Return the actor on the row of the address."""
        return actor_of(request)


@dataclasses.dataclass(frozen=True, slots=True)
class Answer:
    """An answer that is not a row or a dataclass: its shape, and its conversion from a verb's result."""

    shape: Shape
    of: Callable[[Any], object] = lambda answer: answer


ANSWERS: Final[dict[str, Answer]] = {}
"""Answers that are told from what a verb returns, by its name."""


def handler(
    verb: Verb, find: Find | None, refusals: Mapping[int, Shape] | None = None
) -> Callable[..., Response]:
    """The operation of one verb at an address whose row ``find`` finds; a method of its view."""
    own, body = ANSWERS.get(verb.name), body_of(verb)
    in_address: list[type[serializers.Serializer[Any]]] = []
    if verb.method == "DELETE" and body and issubclass(body, serializers.Serializer):
        in_address = [body]
    shapes = {
        get_origin(kind) or kind: (_shape(kind, own), status) for kind, status in verb.answers
    }
    named = {each.name for each in verb.takes} - {each.name for each in asked_of(verb)}

    @extend_schema(
        operation_id=verb.name,
        description=verb.says,
        parameters=in_address,
        request=None
        if in_address
        else {"multipart/form-data": body}
        if _takes_file(verb)
        else body,
        responses={
            **{status: shape and shape() for shape, status in shapes.values()},
            **(refusals or {}),
        },
    )
    def operation(self: VerbView, request: Request, **place: Any) -> Response:
        given = {name: place.pop(name) for name in named}
        row = self.row_of(request, find, place) if find is not None else None
        if row is not None:
            given[verb.key] = row.pk
        given |= given_of(verb, request)
        if verb.by:
            given["actor"] = self.sender(request, row)
        answer = verb.act(**given)
        if verb.shows_row and find is not None:
            answer = find(**place)
        shape, status = next(iter(shapes.values())) if own else shapes[type(answer)]
        if shape is None:
            return Response(status=status)
        shown = shape(own.of(answer) if own else answer, context={"request": request})
        return Response(shown.data, status=status)

    return operation


def _shape(kind: Any, own: Answer | None) -> Callable[..., serializers.BaseSerializer[Any]] | None:
    """Return the serializer of an answer's kind, or its description; ``None`` for no answer."""
    if own is not None:
        return own.shape
    if get_origin(kind) is list:
        return partial(shape_of(get_args(kind)[0]), many=True)
    return None if kind is NoneType else shape_of(kind)


def _takes_file(verb: Verb) -> bool:
    return any(each.type is bytes for each in verb.takes)


def view_of(
    verbs: Sequence[Verb],
    find: Find | None,
    reads: type[APIView] | None = None,
    base: type[VerbView] = VerbView,
) -> type[APIView]:
    """The view of an address: its verbs, and what it reads."""
    access = {
        each.method: Access("needs", each.needs) if each.needs else Access("link", "table")
        for each in verbs
    }
    methods = {each.method.lower(): handler(each, find, base.refusals) for each in verbs}
    more: dict[str, object] = {**methods, "access": getattr(reads, "access", {}) | access}
    more["by_link"] = ("GET", "HEAD", "OPTIONS", *(each.method for each in verbs if each.by_link))
    if any(map(_takes_file, verbs)):
        more["parser_classes"] = (MultiPartParser,)
    bases = (reads, base) if reads is not None else (base,)
    return type(_camel(verbs[0].name), bases, {"__doc__": verbs[0].says, **more})


def urls_of(
    model: type[Model],
    find: Find | None,
    *others: str,
    reads: Mapping[str, type[APIView]] | None = None,
    unknown: bool = True,
    base: type[VerbView] = VerbView,
    room: str = "tournament",
    group: str = "",
) -> list[URLPattern]:
    """The addresses of every verb of a model, below that of its row.

    Without ``find``, of those that make a row. ``reads``: views that only read, by the ends of their
    addresses; ``base``: what every view is; ``room``: whose verbs; ``group``: how their names begin; ``others``: what else is possible there, by addresses of its own. ``unknown``: with an address that says what is possible, for whatever else stands there.
    """
    verbs = [
        each
        for each in VERBS.values()
        if each.of is model
        and bool(each.key) == bool(find)
        and each.act.__module__.startswith(room)
        and each.name.startswith(group)
    ]
    there: dict[str, type[APIView]] = {**(reads or {})}
    for at in dict.fromkeys(each.at for each in verbs):
        mine = [each for each in verbs if each.at == at]
        there[at] = view_of(mine, find, there.get(at), base)
    label = str(model._meta.model_name)
    listed = [
        path(at, view.as_view(), name="-".join(["api", label, *re.findall(r"[\w-]+(?=/)", at)]))
        for at, view in there.items()
    ]
    if not unknown:
        return listed
    names = sorted({*others, *(each.at.rstrip("/") for each in verbs if each.at.count("/") == 1)})
    access = {"POST": Access("needs", verbs[0].needs)}
    other: type[UnknownVerb] = type(
        "Unknown", (UnknownVerb,), {"names": tuple(names), "access": access}
    )
    return [*listed, path("<slug:verb>/", other.as_view(), name=f"api-{label}-verb")]
