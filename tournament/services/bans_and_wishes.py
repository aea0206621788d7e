"""What the draw must respect of single people: bans, families, fixed seats, no scorekeeping."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from tournament.models import Ban, Entrant, EntrantState

from .events import locked_event

NO_WISHES: Final[dict[str, Any]] = {"family": "", "fixed_seat": False, "keeps_score": True}
"""Of somebody whom the draw may seat anywhere and let keep the score."""
WISHES: Final = tuple(NO_WISHES)


def _entrant(event_id: uuid.UUID, number: int, field: str) -> Entrant:
    entrant = (
        Entrant.objects.filter(event=event_id, number=number)
        .exclude(state=EntrantState.MERGED)
        .first()
    )
    if entrant is None:
        raise Refused(
            "unknown",
            _("There is no number %(number)d in this event."),
            field=field,
            params={"number": number},
        )
    return entrant


@change()
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


@change()
def lift_ban(*, event_id: uuid.UUID, ban_id: int, actor: Actor) -> None:
    """Allow two entrants at one table again; a ban that is gone stays gone."""
    ban = (
        Ban.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk=ban_id, event=event_id)
        .first()
    )
    if ban is None:
        return
    audit.append(ban, "ban.lifted", actor, before={"one": ban.one_id, "two": ban.two_id})
    ban.delete()


@change()
def wish(*, event_id: uuid.UUID, number: int, actor: Actor, **wishes: Any) -> Entrant:
    """Set an entrant's ``family`` (a word shared by its members), ``fixed_seat``, ``keeps_score``."""
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
        # A family's word may be a name: the chain learns that it changed, not what it says.
        audit.append(
            entrant,
            "entrant.wishes",
            actor,
            after={name: value for name, value in after.items() if name != "family"},
        )
    return entrant


@change()
def wish_for_all(
    *, event_id: uuid.UUID, numbers: Iterable[int], actor: Actor, **wishes: Any
) -> list[Entrant]:
    """Set the same wishes of several start numbers, or of none where one of these is unknown."""
    return [
        wish(event_id=event_id, number=number, actor=actor, **wishes)
        for number in dict.fromkeys(numbers)
    ]
