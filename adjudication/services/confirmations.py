"""Decisions that need two persons: proposed by the first, in force once the second confirms.

An exclusion from a round, a disqualification and a discretionary penalty above *P* are proposed by
the chief referee or the director and confirmed by another of them (rules specification C.8). Until
then no ruling exists, and the proposal has no effect.
"""

from __future__ import annotations

import uuid
from typing import Annotated, Final

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adjudication.models import (
    UNRULED,
    Confirmation,
    ConfirmationState,
    Incident,
    IncidentState,
    Ruling,
    RulingState,
)
from adjudication.penal import Rulers
from adjudication.queries.effects import is_damaged, next_round_kept
from adjudication.queries.impact import Impact, impact_of
from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, NotAllowed, NotHere, Refused
from ledger.official import digest
from ledger.verbs import Longest, Says, Spread, verb
from tournament.models import Event

from . import rulings
from .access import (
    is_reserved,
    may_confirm,
    require_not_own_table,
    require_right_over,
    require_ruler,
)
from .incidents import RELATED, locked_incident
from .proofs import proof_of, reason_wanted
from .proposals import Proposed, Stated, propose
from .words import cleaned

audit.name_verbs(
    "confirmation",
    asked=_("Decision proposed, waiting for a second person"),
    confirmed=_("Decision confirmed by a second person"),
    refused=_("Decision refused by the second person"),
    withdrawn=_("Proposed decision withdrawn"),
)

_SAME: Final = ("article", "side", "measure", "offence", "marks", "needs_second")
"""What of a proposal has to be as it was shown when it is confirmed."""


@verb("incidents_rule", Incident, "incidents.rule", statuses={Ruling: 201, Confirmation: 202})
def rule(
    *, incident_id: uuid.UUID, stated: Annotated[Stated, Spread()], actor: Actor
) -> Ruling | Confirmation:
    """Issue a ruling: in force immediately, provisional until the deadline for appeals.

    A decision that needs two persons waits for the second. A reason is required for an unproved
    illegal card, and in a closed round.
    """
    return _rule(locked_incident(incident_id), None, stated, actor)


@verb(
    "incidents_hand_over",
    Incident,
    "incidents.rule",
    done=_("Handed over to the chief referee, with the facts."),
)
def hand_over(
    *,
    incident_id: uuid.UUID,
    stated: Annotated[Stated, Spread()],
    actor: Actor,
    ruling: Annotated[int | None, Says("The number of the ruling to amend.")] = None,
) -> Incident:
    """Hand an open incident, or the amendment of its ruling, over to the chief referee, with article and facts.

    For a decision beyond the caller's right. Nothing is decided; the chief referee finds article and facts
    filled in.
    """
    incident = locked_incident(incident_id)
    require_not_own_table(actor, incident)
    amended = None
    if ruling is not None:
        amended = Ruling.objects.filter(
            incident=incident, number=ruling, state=RulingState.PROVISIONAL
        ).first()
    if amended is None and (ruling is not None or incident.state != IncidentState.OPEN):
        raise Conflict("incident_closed", _("This incident is already closed."))
    proposed = propose(
        incident, stated.article, stated.facts, claimed=stated.claimed, before=ruling
    )
    reserved = (
        proposed.proposal.needs_second
        or proposed.rulers is not Rulers.REFEREE
        or (amended is not None and is_reserved(amended))
    )
    handed: dict[str, object] = {
        "article": stated.article,
        "facts": dict(stated.facts),
        "claimed": stated.claimed,
    }
    if amended is not None:
        handed["ruling"] = amended.number
    _hand_over(incident, handed, reserved=reserved, actor=actor)
    return incident


@verb(
    "rulings_hand_over",
    Ruling,
    "incidents.rule",
    done=_("Handed over to the chief referee."),
)
def hand_over_ruling(
    *, ruling_id: uuid.UUID, reason: Annotated[str, Longest(500)], actor: Actor
) -> Ruling:
    """Ask the chief referee to annul or amend a ruling that is beyond the caller's right, with a reason."""
    incident = locked_incident(Incident.objects.get(rulings=ruling_id).pk)
    require_not_own_table(actor, incident)
    ruling = rulings.locked_ruling(ruling_id)
    why = cleaned(reason, 500)
    if not why:
        raise Refused("reason_missing", _("Give a reason for the change."), field="reason")
    if not ruling.in_force:
        raise Conflict("annulled", _("This ruling is annulled: issue a new one."))
    handed: dict[str, object] = {
        "ruling": ruling.number,
        "article": ruling.article,
        "reason": why,
    }
    _hand_over(incident, handed, reserved=is_reserved(ruling) or ruling.is_final, actor=actor)
    return ruling


def _hand_over(
    incident: Incident, handed: dict[str, object], *, reserved: bool, actor: Actor
) -> None:
    """Store what is handed over; refuse it from a caller within whose right it is."""
    if not reserved or may_confirm(actor, incident.event_id):
        raise Conflict("own_right", _("This decision is within your right: rule, or propose it."))
    incident.handed_by, incident.handed_at, incident.handed = str(actor), timezone.now(), handed
    incident.save(update_fields=["handed_by", "handed_at", "handed"])
    digests = {"reason": digest(str(handed["reason"]))} if "reason" in handed else {}
    audit.append(
        incident,
        "incident.handed_over",
        actor,
        after={"number": incident.number, **handed, **digests},
    )


@verb("rulings_amend", Ruling, "incidents.rule", statuses={Confirmation: 202})
def amend(
    *, ruling_id: uuid.UUID, stated: Annotated[Stated, Spread()], actor: Actor
) -> Ruling | Confirmation:
    """Amend a ruling with a reason; the former version stays readable, the time to appeal restarts.

    A decision that needs two persons waits for the second.
    """
    incident = locked_incident(Incident.objects.get(rulings=ruling_id).pk)
    ruling = rulings.locked_ruling(ruling_id)
    require_right_over(actor, ruling)
    return _rule(incident, ruling, stated, actor)


def _rule(
    incident: Incident, ruling: Ruling | None, stated: Stated, actor: Actor
) -> Ruling | Confirmation:
    before = ruling.number if ruling is not None else None
    require_not_own_table(actor, incident)
    proposed = propose(
        incident, stated.article, stated.facts, claimed=stated.claimed, before=before
    )
    known = proof_of(proposed.case, proposed.proposal.article, stated.facts, stated.proof)
    wanted = reason_wanted(incident, proposed, known)
    if wanted is not None and not cleaned(stated.reason, 1000):
        raise Refused("reason_missing", wanted, field="reason")
    require_ruler(actor, incident.event_id, proposed.rulers)
    if proposed.proposal.needs_second:
        return _keep(incident, ruling, proposed, stated, actor)
    if ruling is not None:
        return rulings.amend(ruling_id=ruling.pk, stated=stated, actor=actor)
    return rulings.issue(incident_id=incident.pk, stated=stated, actor=actor)


def _keep(
    incident: Incident, ruling: Ruling | None, proposed: Proposed, stated: Stated, actor: Actor
) -> Confirmation:
    require_not_own_table(actor, incident)
    if not may_confirm(actor, incident.event_id):
        raise NotAllowed(
            "needs_chief",
            _(
                "Only the chief referee or the director can propose this, and a second one must confirm it."
            ),
        )
    if incident.state in UNRULED:
        raise Conflict("dismissed", _("This incident was closed without a ruling: open a new one."))
    if incident.confirmations.filter(state=ConfirmationState.WAITING).exists():
        raise Conflict(
            "confirmation_waits",
            _(
                "A decision on this incident is waiting for a second person: have it confirmed or refused first."
            ),
        )
    now_seen = rulings.versions_on(incident)
    rulings.require_seen(incident, stated.seen)
    rulings.require_issuable(proposed, stated)
    if ruling is not None:
        rulings.require_amendable(ruling, stated.reason)
    rulings.check_next_round(incident, stated.next_round)
    waiting = Confirmation.objects.create(
        event=incident.event,
        incident=incident,
        amends=ruling,
        article=stated.article,
        facts=stated.facts,
        claimed=stated.claimed,
        next_round=next_round_kept(incident, stated.next_round),
        reason=cleaned(stated.reason, 1000),
        seen=now_seen,
        proposal=proposed.proposal.as_json(),
        context={**proposed.context, "proof_job": stated.proof},
        proposed_by=str(actor),
        proposed_at=timezone.now(),
    )
    audit.append(
        waiting,
        "confirmation.asked",
        actor,
        scope=incident.event_id,
        after={
            "incident": incident.pk,
            "article": waiting.proposal["article"],
            "facts": stated.facts,
            "measure": waiting.proposal["measure"],
            "marks": waiting.proposal["marks"],
            "amends": ruling.number if ruling else None,
        },
    )
    return waiting


@verb(
    "confirmations_confirm",
    Confirmation,
    "rulings.confirm",
    statuses={Ruling: 201},
    done=_("Ruling %(number)d is in force."),
)
def confirm(*, confirmation_id: uuid.UUID, actor: Actor, next_round: str = "") -> Ruling:
    """Put in force what another person proposed; the ruling is theirs, confirmed by ``actor``.

    Refused to the person who proposed it, and where the facts would now lead to another decision.
    """
    waiting = _locked(confirmation_id)
    _require_may_decide(waiting, actor)
    if str(actor) == waiting.proposed_by:
        raise NotAllowed(
            "own_proposal", _("You proposed this yourself: a second person must confirm it.")
        )
    amended = waiting.amends
    now = propose(
        waiting.incident,
        waiting.article,
        waiting.facts,
        claimed=waiting.claimed,
        before=amended.number if amended is not None else None,
    ).proposal.as_json()
    if is_damaged(waiting.proposal) or any(
        now.get(name) != waiting.proposal.get(name) for name in _SAME
    ):
        raise Conflict(
            "changed_meanwhile",
            _(
                "Something has changed since this was proposed: refuse it and have it proposed again."
            ),
        )
    ruling = _enact(waiting, next_round or waiting.next_round, actor, waiting.seen)
    _decide(
        waiting, ConfirmationState.CONFIRMED, actor, ruling=ruling, version=ruling.versions_made
    )
    return ruling


@verb(
    "confirmations_refuse",
    Confirmation,
    "rulings.confirm",
    done=_("Refused. Nothing has changed."),
)
def refuse(*, confirmation_id: uuid.UUID, actor: Actor, reason: str) -> Confirmation:
    """Drop what was proposed, with the reason; the person who proposed it withdraws it."""
    waiting = _locked(confirmation_id)
    _require_may_decide(waiting, actor)
    if not cleaned(reason, 1000):
        raise Refused("reason_missing", _("Give a reason for the refusal."), field="reason")
    own = str(actor) == waiting.proposed_by
    state = ConfirmationState.WITHDRAWN if own else ConfirmationState.REFUSED
    return _decide(waiting, state, actor, answer=cleaned(reason, 1000))


def impact_if_confirmed(waiting: Confirmation) -> Impact:
    """Return the impact of confirming now, without storing it; refusals propagate."""
    incident = Incident.objects.select_related(*RELATED).get(pk=waiting.incident_id)
    answered = next_round_kept(incident, waiting.next_round)
    return impact_of(incident, lambda: _enact(waiting, answered, rulings.PREVIEW))


def _enact(
    waiting: Confirmation, next_round: str, second: Actor, seen: int | None = None
) -> Ruling:
    """Put in force what was proposed, confirmed by ``second``."""
    stated = Stated(
        article=waiting.article,
        facts=waiting.facts,
        reason=waiting.reason,
        next_round=next_round,
        claimed=waiting.claimed,
        seen=seen,
        proof=waiting.context.get("proof_job", ""),
        against_record=waiting.context.get("against_record", ()),
    )
    first = Actor.parse(waiting.proposed_by)
    if waiting.amends_id is not None:
        return rulings.amend(ruling_id=waiting.amends_id, stated=stated, actor=first, second=second)
    return rulings.issue(incident_id=waiting.incident_id, stated=stated, actor=first, second=second)


def confirmation_of(event: Event, confirmation_id: uuid.UUID) -> Confirmation:
    """Return a decision of the event that needed two persons; raise :class:`NotHere` if there is none."""
    confirmation = (
        Confirmation.objects.filter(event=event, pk=confirmation_id)
        .select_related(
            "event",
            "amends",
            "ruling",
            "incident__event",
            "incident__round__stage",
            "incident__sheet",
            "incident__table",
            "incident__call",
        )
        .first()
    )
    if confirmation is None:
        raise NotHere("no_such_confirmation", _("No such decision in this event."))
    return confirmation


def _locked(confirmation_id: uuid.UUID) -> Confirmation:
    """Lock the waiting decision and its incident, after the event's penal code."""
    incident_ids = Confirmation.objects.filter(pk=confirmation_id).values_list(
        "incident", flat=True
    )
    incident_id = incident_ids.first()
    if incident_id is None:
        raise NotHere("no_such_confirmation", _("No such decision in this event."))
    incident = locked_incident(incident_id)
    waiting = Confirmation.objects.select_for_update(of=("self",), no_key=True).get(
        pk=confirmation_id
    )
    waiting.incident = incident
    return waiting


def _require_may_decide(waiting: Confirmation, actor: Actor) -> None:
    if not may_confirm(actor, waiting.event_id):
        raise NotAllowed(
            "needs_chief", _("Only the chief referee or the director can confirm or refuse this.")
        )
    require_not_own_table(actor, waiting.incident)
    if waiting.state != ConfirmationState.WAITING:
        raise Conflict("decided_already", _("This has already been confirmed or refused."))


def _decide(
    waiting: Confirmation,
    state: ConfirmationState,
    actor: Actor,
    *,
    answer: str = "",
    ruling: Ruling | None = None,
    version: int | None = None,
) -> Confirmation:
    waiting.state, waiting.decided_by, waiting.decided_at = state, str(actor), timezone.now()
    waiting.answer, waiting.ruling, waiting.version = answer, ruling, version
    waiting.save()
    audit.append(
        waiting,
        f"confirmation.{state.value}",
        actor,
        after={
            "proposed_by": waiting.proposed_by,
            "ruling": ruling.number if ruling else None,
            "version": version,
        },
    )
    return waiting
