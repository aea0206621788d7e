"""Constraints of a draw on single people: bans, families, fixed seats, no scorekeeping."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from ledger.verbs import verb
from tournament.models import Ban, Entrant, EntrantState, Event
from tournament.models.players import BY_KEY, Value

from .entrants import unknown_number
from .events import locked_event

audit.name_verbs("ban", lifted=_("Two players may meet again"), made=_("Two players kept apart"))
audit.name_verbs("entrant", wishes=_("Seating requests changed"))

WISHES: Final = ("family", "fixed_seat", "keeps_score")
NO_WISHES: Final[dict[str, Value]] = {name: BY_KEY[name].usual for name in WISHES}
"""Of somebody whom the draw may seat anywhere and let keep the score."""


def _entrant(event_id: uuid.UUID, number: int, field: str) -> Entrant:
    entrant = (
        Entrant.objects.filter(event=event_id, number=number)
        .exclude(state=EntrantState.MERGED)
        .first()
    )
    if entrant is None:
        raise unknown_number(number, field)
    return entrant


@verb(
    "bans_add",
    Event,
    "entrants.manage",
    at="bans/",
    statuses={Ban: 201},
    done=_("They will not be drawn at the same table."),
)
def ban(*, event_id: uuid.UUID, one: int, two: int, actor: Actor) -> Ban:
    """Never draw two start numbers to one table; asking twice changes nothing."""
    first, second = _entrant(event_id, one, "one"), _entrant(event_id, two, "two")
    if first.pk == second.pk:
        raise Refused("same_player", _("Name two different players."), field="two")
    if first.pk > second.pk:
        first, second = second, first
    ban, new = Ban.objects.get_or_create(
        event_id=event_id, one=first, two=second, defaults={"made_by": str(actor)}
    )
    if new:
        audit.append(ban, "ban.made", actor, after={"one": first.pk, "two": second.pk})
    return ban


@verb(
    "bans_lift",
    Event,
    "entrants.manage",
    at="bans/<int:ban>/",
    method="DELETE",
    done=_("They may meet again."),
)
def lift_ban(*, event_id: uuid.UUID, ban: int, actor: Actor) -> None:
    """Allow two players at one table again; what is gone stays gone."""
    bans = Ban.objects.select_for_update(of=("self",), no_key=True)
    lifted = bans.filter(pk=ban, event=event_id).first()
    if lifted is None:
        return
    audit.append(lifted, "ban.lifted", actor, before={"one": lifted.one_id, "two": lifted.two_id})
    lifted.delete()


@verb("entrants_wish", Event, "entrants.manage", at="wishes/<int:number>/", method="PATCH")
def wish(*, event_id: uuid.UUID, number: int, actor: Actor, **wishes: Any) -> Entrant:
    """Set the seating requests given: ``family`` is a word shared by its members."""
    unknown = set(wishes) - set(WISHES)
    if unknown:
        raise Refused("unknown_field", _("This cannot be changed."), field=min(unknown))
    locked_event(event_id)
    entrant = _entrant(event_id, number, "number")
    before = {name: getattr(entrant, name) for name in wishes}
    for name, value in wishes.items():
        setattr(entrant, name, value.strip()[:40] if name == "family" else bool(value))
    after = {name: getattr(entrant, name) for name in wishes}
    if before != after:
        entrant.save(update_fields=list(wishes))
        # A family's word may be a name: the chain records that it changed, not the word.
        audit.append(
            entrant,
            "entrant.wishes",
            actor,
            after={name: value for name, value in after.items() if name != "family"},
        )
    return entrant


@change()
def wish_for_all(
    *, event_id: uuid.UUID, numbers: Iterable[int], actor: Actor, **wishes: object
) -> list[Entrant]:
    """Set the same wishes of several start numbers, or of none where one of these is unknown."""
    return [
        wish(event_id=event_id, number=number, actor=actor, **wishes)
        for number in dict.fromkeys(numbers)
    ]
