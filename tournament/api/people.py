"""People as REST for the director: who comes late, leaves, returns, replaces, must not meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.actors import Actor
from ledger.errors import Refused
from tournament.api import people_shapes as shapes
from tournament.api.common import DOOR, EVENT, PEOPLE, UnknownVerb, Verb, actor_of, read_body
from tournament.models import Ban, Entrant, Person
from tournament.services import bans_and_wishes, entrant_edits, entrants, privacy, reseating
from tournament.tables.links import entrant_token
from tournament.views.frame import event_by_slug

WHO: Final = OpenApiParameter(
    "who", OpenApiTypes.STR, enum=["partner"], description="The second of a pair."
)


class Bans(APIView):
    """Players to keep apart: never drawn at the same table."""

    access: ClassVar[dict[str, Access]] = {"GET": PEOPLE, "POST": PEOPLE}

    @extend_schema(responses=shapes.BanShape(many=True), operation_id="bans_list")
    def get(self, request: Request, slug: str) -> Response:
        """All players to keep apart, by start numbers."""
        listed = Ban.objects.filter(event__slug=slug).values_list(
            "pk", "one__number", "two__number"
        )
        return Response([{"id": pk, "one": one, "two": two} for pk, one, two in listed])

    @extend_schema(
        request=shapes.PairAsk, responses={201: shapes.BanShape}, operation_id="bans_add"
    )
    def post(self, request: Request, slug: str) -> Response:
        """Keep two players apart; repeating it changes nothing."""
        body = read_body(shapes.PairAsk, request)
        ban = bans_and_wishes.ban(event_id=event_by_slug(slug).pk, actor=actor_of(request), **body)
        return Response({"id": ban.pk, **body}, status=status.HTTP_201_CREATED)


class OneBan(APIView):
    """One pair of players to keep apart."""

    access: ClassVar[dict[str, Access]] = {"DELETE": PEOPLE}

    @extend_schema(responses={204: None}, operation_id="bans_lift")
    def delete(self, request: Request, slug: str, ban: int) -> Response:
        """Remove it: they may meet again."""
        bans_and_wishes.lift_ban(
            event_id=event_by_slug(slug).pk, ban_id=ban, actor=actor_of(request)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class EntrantWish(APIView):
    """The seating requests of one participant."""

    access: ClassVar[dict[str, Access]] = {"PATCH": PEOPLE}

    @extend_schema(request=shapes.WishAsk, responses=shapes.WishAsk, operation_id="entrants_wish")
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Set the requests given."""
        body = read_body(shapes.WishAsk, request)
        if not body:
            raise Refused("nothing_asked", _("Give at least one wish."))
        entrant = bans_and_wishes.wish(
            event_id=event_by_slug(slug).pk, number=number, actor=actor_of(request), **body
        )
        return Response({name: getattr(entrant, name) for name in bans_and_wishes.WISHES})


class EntrantData(APIView):
    """Everything that is stored of a player."""

    access: ClassVar[dict[str, Access]] = {"GET": EVENT, "DELETE": EVENT}

    @extend_schema(parameters=[WHO], responses=OpenApiTypes.OBJECT, operation_id="entrants_data")
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Their data and where it was used, to hand over."""
        return Response(privacy.export_person(_person(request, slug, number)))

    @extend_schema(parameters=[WHO], responses={204: None}, operation_id="entrants_erase")
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Erase name and address for good; what they played stands under their number."""
        person = _person(request, slug, number)
        privacy.require_own(person, event_by_slug(slug), request.user)
        privacy.forget_person(person_id=person.pk, actor=actor_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _person(request: Request, slug: str, number: int) -> Person:
    entrant = get_object_or_404(Entrant, event=event_by_slug(slug), number=number)
    person = entrant.partner if request.query_params.get("who") == "partner" else entrant.person
    if person is None:
        raise Http404
    return person


class OneEntrant(APIView):
    """One participant: corrected, or removed before the first draw."""

    access: ClassVar[dict[str, Access]] = {"PATCH": PEOPLE, "DELETE": PEOPLE}

    @extend_schema(
        request=shapes.CorrectAsk, responses=shapes.EntrantShape, operation_id="entrants_correct"
    )
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Correct the fields given; a number only as long as the participant has not been drawn."""
        body = read_body(shapes.CorrectAsk, request, partial=True)
        if not body:
            raise Refused("nothing_asked", _("Give at least one field to correct."))
        entrant = entrant_edits.correct_entrant(
            event_id=event_by_slug(slug).pk, number=number, actor=actor_of(request), changes=body
        )
        return Response(shapes.entrant_json(entrant))

    @extend_schema(responses={204: None}, operation_id="entrants_remove")
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Remove a participant who has not been drawn, with name and address."""
        entrant_edits.remove_entrant(
            event_id=event_by_slug(slug).pk, number=number, actor=actor_of(request)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def _merge(actor: Actor, slug: str, keep: int, double: int) -> dict[str, object]:
    merged = entrant_edits.merge_entrants(
        event_id=event_by_slug(slug).pk, keep=keep, double=double, actor=actor
    )
    return shapes.entrant_json(merged)


def _unmerge(actor: Actor, slug: str, number: int) -> dict[str, object]:
    back = entrant_edits.unmerge_entrants(
        event_id=event_by_slug(slug).pk, double=number, actor=actor
    )
    return shapes.entrant_json(back)


def _replace(actor: Actor, slug: str, old: int, new: int) -> dict[str, object]:
    coming = reseating.replace_player(
        event_id=event_by_slug(slug).pk, old=old, new=new, actor=actor
    )
    return shapes.entrant_json(coming)


def _enter(actor: Actor, slug: str, **body: Any) -> dict[str, object]:
    entrant = entrants.enter_player(event_id=event_by_slug(slug).pk, actor=actor, **body)
    return shapes.entrant_json(entrant)


def _new_link(actor: Actor, slug: str, number: int, reason: str) -> dict[str, object]:
    entrant = get_object_or_404(Entrant, event=event_by_slug(slug), number=number)
    link = entrants.renew_link(entrant_id=entrant.pk, actor=actor, reason=reason)
    return {
        "number": number,
        "path": reverse("personal", args=[entrant_token(link)]),
    }


REPLACE: Final = Verb(
    _replace,
    "One player leaves, another takes their place: in the stage, in draft draws and, as long as no deal has been recorded, at their table.",
    shapes.EntrantShape,
    shapes.ReplaceAsk,
    PEOPLE,
)
MERGE: Final = Verb(
    _merge,
    "Merge a player who was registered twice: seats and results of `double` pass to `keep`; refused with the reason where they cannot.",
    shapes.EntrantShape,
    shapes.MergeAsk,
    PEOPLE,
)
ENTER: Final = Verb(
    _enter,
    "Register a player, late or early: they play from the next round that is not published.",
    shapes.EntrantShape,
    shapes.EnterAsk,
    PEOPLE,
    status.HTTP_201_CREATED,
)


def _state(act: Callable[..., Entrant], says: str, access: Access, **fixed: Any) -> Verb:
    """An action that changes the state of a participant."""

    def do(actor: Actor, slug: str, number: int) -> dict[str, object]:
        entrant = get_object_or_404(Entrant, event=event_by_slug(slug), number=number)
        return shapes.entrant_json(act(entrant_id=entrant.pk, actor=actor, **fixed))

    return Verb(do, says, shapes.EntrantShape, None, access)


VERBS: Final[dict[str, Verb]] = {
    "check-in": _state(entrants.check_in, "Mark present.", DOOR),
    "check-out": _state(
        entrants.check_in,
        "Mark absent; refused once they have played.",
        DOOR,
        present=False,
    ),
    "withdraw": _state(
        entrants.withdraw, "Withdraw: no longer drawn, results so far stand.", PEOPLE
    ),
    "return": _state(entrants.take_back, "Return: drawn again from the next round.", PEOPLE),
    "paid": _state(entrants.mark_paid, "Mark the entry fee as paid.", DOOR),
    "unpaid": _state(entrants.mark_paid, "Mark the entry fee as not paid.", DOOR, paid=False),
    "unmerge": Verb(
        _unmerge,
        "Undo the merger of this number into another; refused with the reason once something was built on it.",
        shapes.EntrantShape,
        None,
        PEOPLE,
    ),
    "new-link": Verb(
        _new_link,
        "Create a new personal link; the one on their badge stops working.",
        shapes.LinkShape,
        shapes.LinkAsk,
        PEOPLE,
    ),
}


class UnknownEntrantVerb(UnknownVerb):
    """No such action on a participant."""

    access: ClassVar[dict[str, Access]] = {"POST": PEOPLE}
    names = tuple(VERBS)
