"""Who may rule where: beyond roles, nobody rules or hears at a table at which he plays."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from adjudication.models import Incident, RefereePlays, Ruling
from ledger import audit
from ledger.access import may
from ledger.actors import Actor, ActorKind
from ledger.errors import NotAllowed, Refused
from ledger.models import RoleGrant, User
from tournament.models import Entrant


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
    if actor.kind != ActorKind.USER:
        return False
    user = User.objects.filter(pk=actor.id).first()
    return user is not None and may(user, "rulings.confirm", event_id)


def require_right_over(actor: Actor, ruling: Ruling) -> None:
    """Refuse to undo a ruling behind which two persons stand to anybody who may not confirm one."""
    grave = ruling.in_force and ruling.versions.latest("number").proposal.get("needs_second")
    if grave and not may_confirm(actor, ruling.event_id):
        raise NotAllowed(
            "needs_chief",
            _("Two persons confirmed this ruling: the chief referee or the director changes it."),
        )


@transaction.atomic
def link_player(
    *, event_id: uuid.UUID, user_id: int, entrant_number: int | None, actor: Actor
) -> RefereePlays | None:
    """Say as which entrant a member of staff plays in the event; ``None``: he does not play."""
    user = User.objects.filter(pk=user_id).first()
    if user is None or not RoleGrant.objects.filter(user=user, scope=event_id).exists():
        raise Refused("not_staff", _("Choose a member of staff of this event."), field="user")
    before = RefereePlays.objects.filter(event=event_id, user=user).first()
    if entrant_number is None:
        if before is not None:
            audit.append(
                scope=event_id, actor=actor, verb="staff.no_player", subject=before,
                before={"user": user_id, "entrant": before.entrant_id},
            )  # fmt: skip
            before.delete()
        return None
    entrant = Entrant.objects.filter(event=event_id, number=entrant_number).first()
    if entrant is None:
        raise Refused("no_such_player", _("There is no player with this number."), field="number")
    link, _made = RefereePlays.objects.update_or_create(
        event_id=event_id, user=user, defaults={"entrant": entrant}
    )
    audit.append(
        scope=event_id, actor=actor, verb="staff.plays", subject=link,
        before={"entrant": before.entrant_id} if before else None,
        after={"user": user_id, "entrant": entrant.pk},
    )  # fmt: skip
    return link
