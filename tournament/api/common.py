"""What the director's API shares: who calls, how a body is read, and verbs as tables of their own.

Every verb is the service that the desk calls; a refusal is problem+json with the same code and
sentence. A verb that takes no body takes none; one that takes a body names its shape.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.actors import Actor
from ledger.errors import NotHere, Refused

READ: Final = Access("needs", "event.read")
ROUNDS: Final = Access("needs", "rounds.manage")
EVENT: Final = Access("needs", "event.manage")
PEOPLE: Final = Access("needs", "entrants.manage")
DOOR: Final = Access("needs", "entrants.check_in")

Shape = type[serializers.Serializer[Any]]


def actor_of(request: Request) -> Actor:
    """The signed-in caller."""
    return Actor.user(request.user.pk)


def read_body(shape: Shape, request: Request, **more: Any) -> Any:
    """The body of a request as ``shape`` describes it; a wrong one is a 400 naming its fields."""
    form = shape(data=request.data, **more)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


class AnyAccept(DefaultContentNegotiation):
    """For files: whatever the caller accepts, the answer is the file, and a refusal is JSON."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        """The first renderer."""
        return renderers[0], renderers[0].media_type


def read_file(shape: Shape, request: Request, most: int = 0) -> bytes:
    """The content of the field ``file`` of a form; refused where it is longer than ``most`` bytes."""
    most = most or settings.IMPORT_MAX_BYTES
    sent = read_body(shape, request)["file"]
    if sent.size > most:
        raise Refused("file_too_large", _("This file is too large."), field="file")
    content: bytes = sent.read()
    return content


@dataclass(frozen=True, slots=True)
class Verb:
    """One thing that can be done to a draw, a round, a stage or a participant.

    ``act`` is given the caller, what the address names, and the checked body (``shape``); ``answer`` is
    the shape of what it returns, ``says`` the sentence of the schema.
    """

    act: Callable[..., Any]
    says: str
    answer: Shape
    shape: Shape | None = None
    access: Access = ROUNDS
    status: int = 200


def view_of(operation: str, verb: Verb) -> type[APIView]:
    """The view of one verb, described in the schema as ``operation``."""

    @extend_schema(
        operation_id=operation,
        description=verb.says,
        request=verb.shape,
        responses={verb.status: verb.answer},
    )
    def post(_self: APIView, request: Request, **place: Any) -> Response:
        body = read_body(verb.shape, request) if verb.shape else {}
        return Response(verb.act(actor_of(request), **place, **body), status=verb.status)

    name = "".join(part.title() for part in operation.replace("-", "_").split("_"))
    return type(
        name, (APIView,), {"post": post, "access": {"POST": verb.access}, "__doc__": verb.says}
    )


class UnknownVerb(APIView):
    """An address below a draw, round or stage that names no action: says which there are."""

    access: ClassVar[dict[str, Access]] = {"POST": ROUNDS}
    names: ClassVar[tuple[str, ...]] = ()

    @extend_schema(exclude=True)
    def post(self, request: Request, **_place: Any) -> Response:
        """Refuse, naming the actions."""
        raise NotHere(
            "unknown_verb", _("Possible here: %(names)s.") % {"names": ", ".join(self.names)}
        )
