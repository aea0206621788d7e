"""People as REST for the director: who comes late, leaves, returns, replaces, must not meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from ledger.actors import Actor
from ledger.errors import Refused
from tournament.api import people_shapes as shapes
from tournament.api.common import DOOR, PEOPLE, UnknownVerb, Verb, actor_of, read_body
from tournament.models import Ban, Entrant
from tournament.services import bans_and_wishes, entrant_edits, entrants, reseating
from tournament.tables.links import entrant_token
from tournament.views.frame import event_by_slug


class Bans(APIView):
    """Entrants who are never drawn to one table."""

    access: ClassVar[dict[str, Access]] = {"GET": PEOPLE, "POST": PEOPLE}

    @extend_schema(responses=shapes.BanShape(many=True), operation_id="bans_list")
    def get(self, request: Request, slug: str) -> Response:
        """Every ban, by start numbers."""
        listed = Ban.objects.filter(event__slug=slug).values_list(
            "pk", "one__number", "two__number"
        )
        return Response([{"id": pk, "one": one, "two": two} for pk, one, two in listed])

    @extend_schema(
        request=shapes.PairAsk, responses={201: shapes.BanShape}, operation_id="bans_add"
    )
    def post(self, request: Request, slug: str) -> Response:
        """Keep two apart; asking twice changes nothing."""
        body = read_body(shapes.PairAsk, request)
        ban = bans_and_wishes.ban(event_id=event_by_slug(slug).pk, actor=actor_of(request), **body)
        return Response({"id": ban.pk, **body}, status=status.HTTP_201_CREATED)


class OneBan(APIView):
    """One ban."""

    access: ClassVar[dict[str, Access]] = {"DELETE": PEOPLE}

    @extend_schema(responses={204: None}, operation_id="bans_lift")
    def delete(self, request: Request, slug: str, ban: int) -> Response:
        """Lift it."""
        bans_and_wishes.lift_ban(
            event_id=event_by_slug(slug).pk, ban_id=ban, actor=actor_of(request)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class EntrantWish(APIView):
    """What the draw must respect of one entrant."""

    access: ClassVar[dict[str, Access]] = {"PATCH": PEOPLE}

    @extend_schema(request=shapes.WishAsk, responses=shapes.WishAsk, operation_id="entrants_wish")
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Set the wishes given."""
        body = read_body(shapes.WishAsk, request)
        if not body:
            raise Refused("nothing_asked", _("Give at least one wish."))
        entrant = bans_and_wishes.wish(
            event_id=event_by_slug(slug).pk, number=number, actor=actor_of(request), **body
        )
        return Response({name: getattr(entrant, name) for name in bans_and_wishes.WISHES})


class OneEntrant(APIView):
    """One entrant: corrected, or removed before the first draw."""

    access: ClassVar[dict[str, Access]] = {"PATCH": PEOPLE, "DELETE": PEOPLE}

    @extend_schema(
        request=shapes.CorrectAsk, responses=shapes.EntrantShape, operation_id="entrants_correct"
    )
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Correct the fields given; a number only while the entrant has not been drawn."""
        body = read_body(shapes.CorrectAsk, request, partial=True)
        if not body:
            raise Refused("nothing_asked", _("Give at least one field to correct."))
        entrant = entrant_edits.correct_entrant(
            event_id=event_by_slug(slug).pk, number=number, actor=actor_of(request), changes=body
        )
        return Response(shapes.entrant_json(entrant))

    @extend_schema(responses={204: None}, operation_id="entrants_remove")
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Remove an entrant who has not been drawn, with name and address."""
        entrant_edits.remove_entrant(
            event_id=event_by_slug(slug).pk, number=number, actor=actor_of(request)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def _merge(actor: Actor, slug: str, keep: int, double: int) -> dict[str, Any]:
    merged = entrant_edits.merge_entrants(
        event_id=event_by_slug(slug).pk, keep=keep, double=double, actor=actor
    )
    return shapes.entrant_json(merged)


def _replace(actor: Actor, slug: str, old: int, new: int) -> dict[str, Any]:
    coming = reseating.replace_player(
        event_id=event_by_slug(slug).pk, old=old, new=new, actor=actor
    )
    return shapes.entrant_json(coming)


def _enter(actor: Actor, slug: str, **body: Any) -> dict[str, Any]:
    entrant = entrants.enter_player(event_id=event_by_slug(slug).pk, actor=actor, **body)
    return shapes.entrant_json(entrant)


def _new_link(actor: Actor, slug: str, number: int, reason: str) -> dict[str, Any]:
    entrant = get_object_or_404(Entrant, event=event_by_slug(slug), number=number)
    link = entrants.renew_link(entrant_id=entrant.pk, actor=actor, reason=reason)
    return {
        "number": number,
        "path": reverse("personal", args=[entrant_token(link)]),
    }


REPLACE: Final = Verb(
    _replace,
    "One leaves, another takes their place: in the stage, in candidate draws, at their table "
    "while nothing is entered there.",
    shapes.EntrantShape,
    shapes.ReplaceAsk,
    PEOPLE,
)
MERGE: Final = Verb(
    _merge,
    "Make one entrant of somebody entered twice: seats and results of `double` pass to "
    "`keep`; refused with the reason where they cannot.",
    shapes.EntrantShape,
    shapes.MergeAsk,
    PEOPLE,
)
ENTER: Final = Verb(
    _enter,
    "Enter somebody, late or early: they play from the next round that is not published.",
    shapes.EntrantShape,
    shapes.EnterAsk,
    PEOPLE,
    status.HTTP_201_CREATED,
)


def _state(act: Callable[..., Entrant], says: str, access: Access, **fixed: Any) -> Verb:
    """A verb that changes where an entrant is."""

    def do(actor: Actor, slug: str, number: int) -> dict[str, Any]:
        entrant = get_object_or_404(Entrant, event=event_by_slug(slug), number=number)
        return shapes.entrant_json(act(entrant_id=entrant.pk, actor=actor, **fixed))

    return Verb(do, says, shapes.EntrantShape, None, access)


VERBS: Final[dict[str, Verb]] = {
    "check-in": _state(entrants.check_in, "They are here.", DOOR),
    "check-out": _state(
        entrants.check_in,
        "They are not here after all; refused once they have played.",
        DOOR,
        present=False,
    ),
    "withdraw": _state(
        entrants.withdraw, "They leave: drawn no more, what they played stands.", PEOPLE
    ),
    "return": _state(
        entrants.take_back, "They are back, and drawn again from the next round.", PEOPLE
    ),
    "paid": _state(entrants.mark_paid, "They have paid the entry fee.", DOOR),
    "unpaid": _state(entrants.mark_paid, "They have not paid after all.", DOOR, paid=False),
    "new-link": Verb(
        _new_link,
        "Give them a new personal link; the one on their badge is refused from then on.",
        shapes.LinkShape,
        shapes.LinkAsk,
        PEOPLE,
    ),
}


class UnknownEntrantVerb(UnknownVerb):
    """No such verb of an entrant."""

    access: ClassVar[dict[str, Access]] = {"POST": PEOPLE}
    names = tuple(VERBS)
