"""The discipline register: warnings, conditional sanctions and bans from final rulings on conduct."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import date
from typing import Annotated, Literal

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adjudication.models import Admission, Ruling, RulingState, Sanction, SanctionKind
from adjudication.queries.audience import is_of_persons
from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, NotHere, Refused
from ledger.models import ORGANISATION
from ledger.official import digest
from ledger.verbs import Longest, Says, verb
from tournament.models import Entrant

from .access import require_not_own_table
from .rulings import locked_ruling
from .words import cleaned

audit.name_verbs(
    "sanction",
    enforced=_("Conditional sanction enforced"),
    erased=_("Entry of the discipline register erased"),
    lifted=_("Sanction lifted"),
    recorded=_("Entry made in the discipline register"),
)
audit.name_verbs("admission", made=_("Player admitted despite a suspension"))

Reason = Annotated[str, Longest(300)]


@verb(
    "rulings_sanction",
    Ruling,
    "discipline.manage",
    done=_("Entered in the discipline register."),
)
def record(
    *,
    ruling_id: uuid.UUID,
    kind: Literal["warning", "suspended", "ban"],
    reason: Reason,
    actor: Actor,
    until: Annotated[date | None, Says("The last day; a warning needs none.")] = None,
    partner: Annotated[bool, Says("The second of a pair.")] = False,
) -> Sanction:
    """Enter the player at fault of a final ruling on conduct in the discipline register.

    Refused before the ruling is final, for an article that is not on conduct, without a player at fault,
    for a last day that is past, and once the player's data are erased.
    """
    ruling = locked_ruling(ruling_id)
    require_not_own_table(actor, ruling.incident)
    if ruling.state != RulingState.FINAL:
        raise Conflict("ruling_not_final", _("Only a final ruling leads into the register."))
    if not is_of_persons(ruling):
        raise Conflict("not_conduct", _("Only rulings on conduct lead into the register."))
    entrant = ruling.offender
    person = None
    if entrant is not None:
        person = entrant.partner if partner else entrant.person
    if person is None:
        raise Conflict("no_offender", _("This ruling names no player at fault."))
    if person.erased_at is not None:
        raise Conflict(
            "register_erased", _("The data of this player have been erased: nothing is entered.")
        )
    if kind not in SanctionKind.values:
        raise Refused("kind", _("Choose what is entered."), field="kind")
    if not cleaned(reason, 300):
        raise Refused("reason_missing", _("Give a reason."), field="reason")
    _require_last_day(kind, until)
    sanction = Sanction.objects.create(
        kind=kind,
        person=person,
        member_id=person.member_id,
        ruling=ruling,
        article=ruling.article,
        reason=cleaned(reason, 300),
        since=timezone.localdate(),
        until=until,
        made_by=str(actor),
        made_at=timezone.now(),
    )
    audit.append(
        sanction,
        "sanction.recorded",
        actor,
        scope=ruling.event_id,
        after={"ruling": ruling.number, "kind": kind, "until": str(until or "")},
    )
    return sanction


def _require_last_day(kind: str, until: date | None) -> None:
    if kind == SanctionKind.WARNING:
        return
    if until is None or until < timezone.localdate():
        raise Refused("until", _("Give the last day, today or later."), field="until")


def _locked(sanction_id: uuid.UUID) -> Sanction:
    sanction = (
        Sanction.objects.select_for_update(of=("self",), no_key=True).filter(pk=sanction_id).first()
    )
    if sanction is None:
        raise NotHere("no_such_sanction", _("No such entry in the register."))
    if not sanction.in_force:
        raise Conflict("not_in_force", _("This entry is no longer in force."))
    return sanction


def _scope(sanction: Sanction) -> uuid.UUID:
    return sanction.ruling.event_id if sanction.ruling is not None else ORGANISATION


@verb("sanctions_lift", Sanction, "discipline.manage", done=_("The sanction is lifted."))
def lift(*, sanction_id: uuid.UUID, reason: Reason, actor: Actor) -> Sanction:
    """Lift an entry that is in force, with a reason; it stays readable."""
    sanction = _locked(sanction_id)
    if not cleaned(reason, 300):
        raise Refused("reason_missing", _("Give a reason."), field="reason")
    sanction.lifted_at, sanction.lifted_by = timezone.now(), str(actor)
    sanction.lifted_reason = cleaned(reason, 300)
    sanction.save(update_fields=["lifted_at", "lifted_by", "lifted_reason"])
    audit.append(sanction, "sanction.lifted", actor, scope=_scope(sanction))
    return sanction


@verb("sanctions_enforce", Sanction, "discipline.manage", done=_("The suspension is in force."))
def enforce(*, sanction_id: uuid.UUID, until: date, actor: Actor) -> Sanction:
    """Turn a conditional sanction that is in force into a suspension."""
    sanction = _locked(sanction_id)
    if sanction.kind != SanctionKind.SUSPENDED:
        raise Conflict("not_suspended", _("Only a conditional sanction is enforced."))
    _require_last_day(SanctionKind.BAN, until)
    before = {"kind": sanction.kind, "until": str(sanction.until)}
    sanction.kind, sanction.until = SanctionKind.BAN, until
    sanction.save(update_fields=["kind", "until"])
    audit.append(
        sanction,
        "sanction.enforced",
        actor,
        scope=_scope(sanction),
        before=before,
        after={"kind": sanction.kind, "until": str(until)},
    )
    return sanction


def admit(entrant: Entrant, bans: Collection[uuid.UUID], reason: str, actor: Actor) -> None:
    """Record that an entrant is admitted although bans on their name are in force."""
    for sanction in Sanction.objects.filter(pk__in=bans).order_by("pk"):
        Admission.objects.get_or_create(
            entrant=entrant,
            sanction=sanction,
            defaults={"reason": reason, "made_by": str(actor), "made_at": timezone.now()},
        )
        audit.append(
            entrant,
            "admission.made",
            actor,
            after={"sanction": sanction.pk, "reason": digest(reason)},
        )


def forget(person_id: uuid.UUID | None, member_id: uuid.UUID | None, actor: Actor) -> None:
    """Delete the entries of an erased person or member, unless the other of the two still names them."""
    if person_id is not None:
        rows = Sanction.objects.filter(person=person_id)
        gone, stays = rows.filter(member__isnull=True), {"person": None}
    else:
        rows = Sanction.objects.filter(member=member_id)
        gone = rows.filter(person__isnull=True) | rows.filter(person__erased_at__isnull=False)
        stays = {"member": None}
    for sanction in gone.order_by("pk"):
        audit.append(sanction, "sanction.erased", actor, scope=_scope(sanction))
        sanction.delete()
    rows.update(**stays)
