"""Appeals: lodged by a side before the deadline, heard by a person other than the referee.

The committee upholds the ruling, changes it (another article or other facts) or overturns it; each
decision is stored as a version of the ruling, which is then final.
"""

from __future__ import annotations

import uuid
from typing import Literal

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adjudication.models import (
    Appeal,
    AppealState,
    Cause,
    MadeAs,
    Ruling,
    RulingState,
    RulingVersion,
)
from adjudication.penal import Facts
from adjudication.queries.cases import case_of
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.errors import Conflict, NotAllowed, NotHere, Refused
from ledger.verbs import verb

from . import rulings
from .access import require_not_own_table
from .proposals import AgainstRecord, Proof, Stated
from .words import cleaned

audit.name_verbs(
    "appeal",
    changed=_("Appeal heard: ruling changed"),
    lodged=_("Appeal lodged"),
    overturned=_("Appeal heard: ruling overturned"),
    upheld=_("Appeal heard: ruling upheld"),
    withdrawn=_("Appeal withdrawn"),
)


def sides_of(ruling: Ruling) -> tuple[str, ...]:
    """Return the sides concerned by a ruling, by the rules' names."""
    return case_of(ruling.incident).game().all_sides


def side_of(ruling: Ruling, entrant: int) -> str | None:
    """Return an entrant's side of the deal (or table); ``None`` for a side not concerned by the ruling."""
    case = case_of(ruling.incident)
    sides = case.game().all_sides
    return next((side for side in sides if entrant in case.entrants_of(side)), None)


@verb(
    "rulings_appeal",
    Ruling,
    "incidents.rule",
    shows_row=True,
    done=_("The appeal has been lodged."),
)
def lodge(*, ruling_id: uuid.UUID, side: str, grounds: str, actor: Actor) -> Appeal:
    """Lodge an appeal of a side: at the table, by a player's own link, or entered by staff.

    Refused after the deadline, for a ruling that is final or annulled, a second time for the same
    side, and while another appeal against it is open.
    """
    ruling = rulings.locked_ruling(ruling_id)
    case = case_of(ruling.incident)
    if side not in case.game().all_sides:
        raise Refused("unknown_side", _("Choose the side that appeals."), field="side")
    if not cleaned(grounds, 1000):
        raise Refused("grounds_missing", _("Enter what the appeal is about."), field="grounds")
    if actor.kind == ActorKind.PLAYER and int(actor.id) not in case.entrants_of(side):
        raise NotAllowed("not_your_side", _("Only the side concerned can appeal."))
    if ruling.state == RulingState.ANNULLED:
        raise Conflict("annulled", _("This ruling has already been annulled."))
    now = timezone.now()
    if ruling.state == RulingState.FINAL or ruling.appeal_until <= now:
        raise Conflict("appeal_too_late", _("The time to appeal against this ruling has passed."))
    if ruling.appeals.filter(side=side).exists():
        raise Conflict("appealed_before", _("This side has already appealed against this ruling."))
    if ruling.appeals.filter(state=AppealState.OPEN).exists():
        raise Conflict(
            "appeal_open", _("An appeal against this ruling is open: the committee decides.")
        )
    appeal = Appeal.objects.create(
        ruling=ruling,
        side=side,
        grounds=cleaned(grounds, 1000),
        lodged_by=str(actor),
        lodged_at=now,
    )
    audit.append(
        appeal,
        "appeal.lodged",
        actor,
        scope=ruling.event_id,
        after={"ruling": ruling.number, "side": side},
    )
    return appeal


@verb("appeals_withdraw", Appeal, "incidents.rule", done=_("The appeal is withdrawn."))
def withdraw(*, appeal_id: uuid.UUID, actor: Actor) -> Appeal:
    """Withdraw a side's appeal before its hearing."""
    appeal = _locked(appeal_id)
    require_not_own_table(actor, appeal.ruling.incident)
    if appeal.state != AppealState.OPEN:
        raise Conflict("appeal_heard", _("This appeal has already been heard."))
    appeal.state = AppealState.WITHDRAWN
    appeal.save(update_fields=["state"])
    audit.append(appeal, "appeal.withdrawn", actor, after={"ruling": appeal.ruling.number})
    return appeal


def _locked(appeal_id: uuid.UUID) -> Appeal:
    ruling_id = Appeal.objects.filter(pk=appeal_id).values_list("ruling", flat=True).first()
    if ruling_id is None:
        raise NotHere("no_such_appeal", _("No such appeal."))
    ruling = rulings.locked_ruling(ruling_id)
    appeal = Appeal.objects.select_for_update(of=("self",), no_key=True).get(pk=appeal_id)
    appeal.ruling = ruling
    return appeal


def may_hear(actor: Actor, ruling: Ruling) -> bool:
    """Whether ``actor`` had no hand in the ruling."""
    hands = {
        ruling.referee,
        *ruling.versions.values_list("made_by", flat=True),
        *ruling.confirmations.values_list("decided_by", flat=True),
    }
    return str(actor) not in hands


@verb("appeals_hear", Appeal, "appeals.hear", at="", done=_("The appeal has been decided."))
def hear(
    *,
    appeal_id: uuid.UUID,
    outcome: Literal["upheld", "changed", "overturned"],
    decision: str,
    actor: Actor,
    article: str = "",
    facts: Facts | None = None,
    next_round: str = "",
    claimed: str = "",
    proof: Proof = "",
    against_record: AgainstRecord = (),
) -> Appeal:
    """Decide an appeal: ``upheld``, ``changed`` (with article and facts) or ``overturned``.

    ``decision`` is the committee's reason. The ruling is final afterwards, or annulled.
    """
    appeal = _locked(appeal_id)
    ruling = appeal.ruling
    if appeal.state != AppealState.OPEN:
        raise Conflict("appeal_heard", _("This appeal has already been heard."))
    if not may_hear(actor, ruling):
        raise NotAllowed(
            "own_ruling", _("You made this ruling: someone else must hear the appeal.")
        )
    require_not_own_table(actor, ruling.incident)
    if not cleaned(decision, 1000):
        raise Refused("reason_missing", _("Enter the committee’s reasons."), field="decision")
    if outcome not in (AppealState.UPHELD, AppealState.CHANGED, AppealState.OVERTURNED):
        raise Refused("outcome", _("Choose what the committee decided."), field="outcome")
    state = appeal.state = AppealState(outcome)
    appeal.heard_by, appeal.heard_at = str(actor), timezone.now()
    appeal.decision = cleaned(decision, 1000)
    appeal.save()
    if state is AppealState.OVERTURNED:
        ruling = rulings.annul(
            ruling_id=ruling.pk,
            actor=actor,
            reason=decision,
            next_round=next_round,
            cause=Cause.OVERTURNED,
        )
    elif state is AppealState.CHANGED:
        ruling = rulings.amend(
            ruling_id=ruling.pk,
            stated=Stated(
                article=article,
                facts=facts or {},
                reason=decision,
                next_round=next_round,
                claimed=claimed,
                proof=proof,
                against_record=against_record,
            ),
            actor=actor,
            cause=Cause.CHANGED,
        )
    else:
        _uphold(ruling, appeal.decision, actor)
    audit.append(
        appeal,
        f"appeal.{outcome}",
        actor,
        scope=ruling.event_id,
        after={"ruling": ruling.number, "version": ruling.versions_made, "side": appeal.side},
    )
    if ruling.state == RulingState.PROVISIONAL:
        rulings.settle(ruling, actor)
    appeal.ruling = ruling
    return appeal


def _uphold(ruling: Ruling, reason: str, actor: Actor) -> None:
    """Write the ruling's next version: the content of the latest, with the committee's reason."""
    former = ruling.versions.latest("number")
    ruling.versions_made += 1
    ruling.save(update_fields=["versions_made"])
    RulingVersion.objects.create(
        ruling=ruling,
        number=ruling.versions_made,
        cause=Cause.UPHELD,
        in_force=True,
        article=former.article,
        facts=former.facts,
        proposal=former.proposal,
        context=former.context,
        reason=reason,
        rulers=former.rulers,
        second=former.second,
        made_as=MadeAs.COMMITTEE,
        made_by=str(actor),
        made_at=timezone.now(),
    )
