"""Permission to rule: beyond roles, staff cannot rule or hear appeals at a table where they play."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from accounts.models import RoleGrant, User
from accounts.roles import may
from adjudication.models import (
    COMMITTEE_CAUSES,
    Cause,
    Incident,
    MadeAs,
    RefereePlays,
    Ruling,
)
from adjudication.penal import Rulers
from adjudication.queries.effects import is_damaged
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.errors import NotAllowed, Refused
from ledger.verbs import verb
from tournament.models import Entrant, Event

audit.name_verbs(
    "staff", no_player=_("Staff member no longer playing"), plays=_("Staff member playing")
)


def plays_at(actor: Actor, incident: Incident) -> bool:
    """Whether the member of staff sits at the table of the incident."""
    if actor.kind != ActorKind.USER:
        return False
    entrant = (
        RefereePlays.objects.filter(event=incident.event_id, user=int(actor.id))
        .values_list("entrant", flat=True)
        .first()
    )
    if entrant is None:
        return False
    if entrant in [int(seated) for seated in incident.seats.values()]:
        return True
    table = incident.table
    return table is not None and table.seats.filter(entrant=entrant).exists()


def require_not_own_table(actor: Actor, incident: Incident) -> None:
    """Refuse a member of staff who plays at the table concerned."""
    if plays_at(actor, incident):
        raise NotAllowed(
            "own_table", _("You play at this table: another member of staff rules here.")
        )


def may_confirm(actor: Actor, event_id: uuid.UUID) -> bool:
    """Whether the member of staff may propose and confirm what needs two persons (C.8)."""
    return _may(actor, "rulings.confirm", event_id)


def made_as(actor: Actor, event_id: uuid.UUID, cause: Cause) -> MadeAs:
    """Return the right under which a version of a ruling is made, for storage in the version."""
    if cause in COMMITTEE_CAUSES:
        return MadeAs.COMMITTEE
    return MadeAs.CHIEF if may_confirm(actor, event_id) else MadeAs.REFEREE


def _may(actor: Actor, capability: str, event_id: uuid.UUID) -> bool:
    if actor.kind != ActorKind.USER:
        return False
    user = User.objects.filter(pk=actor.id).first()
    return user is not None and may(user, capability, event_id)


def is_reserved(ruling: Ruling) -> bool:
    """Whether a ruling in force is one that not every referee could have made.

    One whose decision cannot be read may have been.
    """
    if not ruling.in_force:
        return False
    latest = ruling.versions.latest("number")
    return (
        is_damaged(latest.proposal)
        or bool(latest.proposal.get("needs_second"))
        or bool(latest.context.get("rulers"))
    )


def require_right_over(actor: Actor, ruling: Ruling) -> None:
    """Refuse to undo a ruling that is beyond one referee to anybody who may not confirm one."""
    if is_reserved(ruling) and not may_confirm(actor, ruling.event_id):
        raise NotAllowed(
            "needs_chief",
            _("Only the chief referee or the director can change this ruling."),
        )


def require_may_annul(actor: Actor, ruling: Ruling) -> None:
    """Refuse to annul a ruling that is final or beyond one referee to anybody but the chief."""
    if ruling.is_final and not _may(actor, "rulings.finalise", ruling.event_id):
        raise NotAllowed(
            "ruling_final",
            _("This ruling is final: only the chief referee or the director can annul it."),
        )
    require_right_over(actor, ruling)


def require_ruler(actor: Actor, event_id: uuid.UUID, rulers: Rulers) -> None:
    """Refuse an article that the event leaves to the chief referee or director to anybody else."""
    if rulers is not Rulers.REFEREE and not may_confirm(actor, event_id):
        raise NotAllowed(
            "needs_chief",
            _("In this event only the chief referee or the director can rule under this article."),
        )


@dataclass(frozen=True, slots=True)
class Plays:
    """The start number under which a member of staff plays; null: they do not play."""

    number: int | None


@verb(
    "staff_plays",
    Event,
    "rulings.finalise",
    at="staff/<int:user>/plays/",
    method="PUT",
    done=_("Saved."),
)
def link_player(*, event_id: uuid.UUID, user: int, number: int | None, actor: Actor) -> Plays:
    """Link a staff account to its player in the event, so that they cannot rule at their own table."""
    if not RoleGrant.objects.filter(user=user, scope=event_id).exists():
        raise Refused("not_staff", _("Choose a member of staff of this event."), field="user")
    before = RefereePlays.objects.filter(event=event_id, user=user).first()
    if number is None:
        if before is not None:
            audit.append(
                before,
                "staff.no_player",
                actor,
                scope=event_id,
                before={"user": user, "entrant": before.entrant_id},
            )
            before.delete()
        return Plays(None)
    entrant = Entrant.objects.filter(event=event_id, number=number).first()
    if entrant is None:
        raise Refused("no_such_player", _("There is no player with this number."), field="number")
    link, _created = RefereePlays.objects.update_or_create(
        event_id=event_id, user_id=user, defaults={"entrant": entrant}
    )
    audit.append(
        link,
        "staff.plays",
        actor,
        scope=event_id,
        before={"entrant": before.entrant_id} if before else None,
        after={"user": user, "entrant": entrant.pk},
    )
    return Plays(number)
