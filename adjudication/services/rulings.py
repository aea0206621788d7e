"""Rulings: proposed, issued, amended, annulled, made final; every step a version of its own.

A ruling always cites an article of the event's penal code. Its effects are applied by
:mod:`~adjudication.services.effects` in the same transaction, under the locks that
:mod:`~adjudication.services.codes` orders.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Annotated

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from adjudication.models import (
    UNRULED,
    AppealState,
    Cause,
    Incident,
    IncidentState,
    NextRound,
    Ruling,
    RulingState,
    RulingVersion,
)
from adjudication.penal import Rulers
from adjudication.queries.audience import readers
from adjudication.queries.effects import (
    is_damaged,
    later_rounds,
    next_round_kept,
    open_draws,
    stage_of,
)
from adjudication.queries.shown import WITH_INCIDENT
from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, NotAllowed, NotHere, Refused
from ledger.verbs import Inner, verb
from tournament.models import Draw, DrawState, Event, NoticeKind, Round, RoundState, Stage
from tournament.models.tables import RefereeCall
from tournament.queries.brackets import title_of
from tournament.services import draws
from tournament.services.notices import has_listeners, tell
from tournament.services.record import locked_sheet

from . import codes, effects
from .access import (
    made_as,
    may_confirm,
    require_may_annul,
    require_not_own_table,
    require_right_over,
    require_ruler,
)
from .contradictions import require_confirmed
from .incidents import call_to_join, close, join_call, lock_call, locked_incident
from .proofs import equity_of, proof_of
from .proposals import Proposed, Stated, propose
from .words import cleaned

audit.name_verbs(
    "ruling",
    amended=_("Ruling amended"),
    annulled=_("Ruling annulled"),
    changed=_("Ruling changed on appeal"),
    final=_("Ruling made final"),
    issued=_("Ruling issued"),
    overturned=_("Ruling overturned on appeal"),
    upheld=_("Ruling upheld on appeal"),
)

PREVIEW = Actor.system("preview")
"""Stands for the second person where a decision is only tried, to show what would follow."""


def check_next_round(incident: Incident, choice: str) -> list[Round]:
    """Refuse a missing or impossible answer on the next round; the rounds whose draw is put aside."""
    later = later_rounds(incident)
    if not later:
        return []
    if not choice and not open_draws(incident):
        return []
    if choice not in (NextRound.STANDS, NextRound.REDRAW):
        raise Refused(
            "next_round_missing",
            _("A later round has been drawn: choose what happens to its draw."),
            field="next_round",
        )
    if choice == NextRound.STANDS:
        return []
    published = [round_ for round_ in later if round_.state != RoundState.DRAWN]
    if published:
        raise Conflict(
            "round_published",
            _("%(round)s is published: keep its draw, or have the director unpublish it first."),
            field="next_round",
            params={"round": title_of(published[0])},
        )
    return later


def lock_effects(
    incident: Incident, redrawn: list[Round], call: RefereeCall | None = None
) -> list[Draw]:
    """Lock everything that effects will touch, in the order that every verb keeps.

    ``call``: one that is to be attached to the incident.
    """
    if incident.sheet_id is not None:
        incident.sheet = locked_sheet(incident.sheet_id).row
    lock_call(incident.call_id if call is None else call.pk)
    stage = stage_of(incident)
    if stage is not None:
        Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
    parts = sorted(round_.pk for round_ in redrawn)
    list(Round.objects.select_for_update(no_key=True).filter(pk__in=parts).order_by("pk"))
    return list(
        Draw.objects.select_for_update(of=("self",), no_key=True)
        .filter(round__in=parts, state=DrawState.CANDIDATE)
        .order_by("pk")
    )


def versions_on(incident: Incident) -> int:
    """Return the number of versions of rulings on the incident's deal (without a deal: on the incident).

    A decision states the number that its author has seen (:func:`require_seen`), so that no ruling
    issued in between is overruled unread.
    """
    rows = RulingVersion.objects.filter(ruling__incident=incident.pk)
    if incident.sheet_id is not None and incident.deal is not None:
        rows = RulingVersion.objects.filter(
            ruling__incident__sheet=incident.sheet_id, ruling__incident__deal=incident.deal
        )
    return rows.count()


def require_seen(incident: Incident, seen: int | None) -> None:
    """Refuse where another decision on the deal came after what the caller had seen."""
    if seen is not None and seen != versions_on(incident):
        raise Conflict(
            "ruled_meanwhile",
            _(
                "Another decision on this deal was made in the meantime. Look at it first, then decide."
            ),
        )


def require_issuable(proposed: Proposed, stated: Stated) -> None:
    """Refuse a decision whose choice is open, whose reason is missing, or that the sheet contradicts."""
    proposal = proposed.proposal
    require_confirmed(proposed.contradictions, stated.against_record)
    if proposed.contradictions:
        proposed.context["against_record"] = [each.field for each in proposed.contradictions]
    if proposal.choices:
        raise Refused(
            "choice_open",
            _("The opponents must still choose: ask them and enter their choice."),
            field=proposal.choices[0].fact,
        )
    if proposal.needs_reason and not cleaned(stated.reason, 1000):
        raise Refused(
            "reason_missing",
            _("This article leaves the penalty to you: give a reason."),
            field="reason",
        )


def _require_second(
    proposed: Proposed, event_id: uuid.UUID, actor: Actor, second: Actor | None
) -> None:
    """Refuse what needs two persons where only one stands behind it, or not the right two (C.8)."""
    if not proposed.proposal.needs_second:
        return
    if second is None or second == actor:
        raise Refused(
            "second_person",
            _("This takes effect only once a second person has confirmed it."),
            field="measure",
        )
    if not all(may_confirm(each, event_id) for each in (actor, second) if each != PREVIEW):
        raise NotAllowed(
            "needs_chief",
            _(
                "Only the chief referee or the director can propose this, and a second one must confirm it."
            ),
        )


def _keep_proof(proposed: Proposed, stated: Stated) -> None:
    """Note in the context of the decision what proves it and what the offence cost, if known."""
    proof = proof_of(proposed.case, proposed.proposal.article, stated.facts, stated.proof)
    if proof:
        proposed.context["proof"] = proof
    equity = equity_of(proposed.case, stated.facts, stated.proof)
    if equity:
        proposed.context["equity"] = equity


@change()
def issue(
    *, incident_id: uuid.UUID, stated: Stated, actor: Actor, second: Actor | None = None
) -> Ruling:
    """Issue a ruling on an incident: version 1, provisional, with immediate effect.

    ``second``: the confirming person, if required (:mod:`~adjudication.services.confirmations`).
    Refused for an article outside the event's code, missing facts, an open choice of the opponents, a
    missing reason for a discretionary measure, the referee's own table, or an outdated ``seen``
    (:func:`versions_on`), when another decision on the deal was issued meanwhile.
    """
    incident = locked_incident(incident_id)
    event, row = incident.event, codes.pinned(incident.event)
    require_not_own_table(actor, incident)
    if incident.state in UNRULED:
        raise Conflict("dismissed", _("This incident was closed without a ruling: open a new one."))
    require_seen(incident, stated.seen)
    redrawn = check_next_round(incident, stated.next_round)
    call, taken = call_to_join(incident)
    candidates = lock_effects(incident, redrawn, call)
    if call is not None:
        join_call(incident, call, taken, actor)
    proposed = propose(incident, stated.article, stated.facts, claimed=stated.claimed, row=row)
    _keep_proof(proposed, stated)
    require_issuable(proposed, stated)
    require_ruler(actor, incident.event_id, proposed.rulers)
    _require_second(proposed, event.pk, actor, second)
    last = Ruling.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    ruling = Ruling(
        event=event,
        number=last + 1,
        incident=incident,
        referee=str(actor),
        issued_at=now,
        appeal_until=now + timedelta(minutes=row.appeal_minutes),
    )
    _write(ruling, proposed, stated, Cause.ISSUED, actor=actor, second=second)
    _take_effect(ruling, candidates, actor)
    if incident.state != IncidentState.RULED:
        close(incident, IncidentState.RULED, "", actor)
    return ruling


@change()
def amend(
    *,
    ruling_id: uuid.UUID,
    stated: Stated,
    actor: Actor,
    cause: str = Cause.AMENDED,
    second: Actor | None = None,
) -> Ruling:
    """Put another decision in the place of a ruling's; the former version stays readable.

    The time for an appeal starts again, except when the change is the answer to an appeal.
    """
    ruling = locked_ruling(ruling_id)
    require_not_own_table(actor, ruling.incident)
    if not cleaned(stated.reason, 1000):
        raise Refused("reason_missing", _("Give a reason for the change."), field="reason")
    if ruling.state == RulingState.ANNULLED:
        if cause != Cause.CHANGED:
            raise Conflict("annulled", _("This ruling is annulled: issue a new one."))
        ruling.state = RulingState.PROVISIONAL  # in force again by the second instance
    require_seen(ruling.incident, stated.seen)
    if cause == Cause.AMENDED:
        require_right_over(actor, ruling)
        _require_not_final(ruling)
        _require_no_appeal(ruling)
    redrawn = check_next_round(ruling.incident, stated.next_round)
    candidates = lock_effects(ruling.incident, redrawn)
    row = codes.pinned(ruling.event)
    proposed = propose(
        ruling.incident,
        stated.article,
        stated.facts,
        claimed=stated.claimed,
        row=row,
        before=ruling.number,
    )
    _keep_proof(proposed, stated)
    require_issuable(proposed, stated)
    former = ruling.versions.latest("number").proposal
    if cause == Cause.AMENDED:
        require_ruler(actor, ruling.event_id, proposed.rulers)
    if cause == Cause.AMENDED or is_damaged(former) or not former.get("needs_second"):
        # The committee may change what two persons decided; it makes nothing that grave alone.
        _require_second(proposed, ruling.event_id, actor, second)
    if cause == Cause.AMENDED:
        ruling.appeal_until = timezone.now() + timedelta(minutes=row.appeal_minutes)
    _write(ruling, proposed, stated, cause, actor=actor, second=second)
    _take_effect(ruling, candidates, actor)
    return ruling


@verb(
    "rulings_annul",
    Ruling,
    "incidents.rule",
    done=_("The ruling has been annulled and its effect on the score undone."),
)
def annul(
    *,
    ruling_id: uuid.UUID,
    actor: Actor,
    reason: str,
    next_round: str = "",
    seen: int | None = None,
    cause: Annotated[Cause, Inner()] = Cause.ANNULLED,
) -> Ruling:
    """Take a ruling back with a reason; marks and standings are as if it had not been made.

    One that is final, or beyond one referee, only the chief referee or the director takes back.
    ``cause``: by a referee, or on appeal.
    """
    ruling = locked_ruling(ruling_id)
    require_not_own_table(actor, ruling.incident)
    if not cleaned(reason, 1000):
        raise Refused(
            "reason_missing", _("Give a reason for annulling the ruling."), field="reason"
        )
    if ruling.state == RulingState.ANNULLED:
        return ruling
    require_seen(ruling.incident, seen)
    if cause == Cause.ANNULLED:
        require_may_annul(actor, ruling)
        _require_no_appeal(ruling)
    redrawn = check_next_round(ruling.incident, next_round)
    candidates = lock_effects(ruling.incident, redrawn)
    former = ruling.versions.latest("number")
    ruling.state = RulingState.ANNULLED
    ruling.versions_made += 1
    ruling.save()
    RulingVersion.objects.create(
        ruling=ruling,
        number=ruling.versions_made,
        cause=cause,
        in_force=False,
        article=former.article,
        facts=former.facts,
        proposal=former.proposal,
        context=former.context,
        reason=cleaned(reason, 1000),
        next_round=next_round_kept(ruling.incident, next_round),
        rulers=former.rulers,
        made_as=made_as(actor, ruling.event_id, Cause(cause)),
        made_by=str(actor),
        made_at=timezone.now(),
    )
    _take_effect(ruling, candidates, actor)
    return ruling


def locked_ruling(ruling_id: uuid.UUID) -> Ruling:
    """Lock the ruling and its incident, after the event's penal code."""
    incident_id = Ruling.objects.filter(pk=ruling_id).values_list("incident", flat=True).first()
    if incident_id is None:
        raise NotHere("no_such_ruling", _("No such ruling in this event."))
    incident = locked_incident(incident_id)
    ruling = Ruling.objects.select_for_update(of=("self",), no_key=True).get(pk=ruling_id)
    ruling.incident, ruling.event = incident, incident.event
    return ruling


def ruling_by_number(event: Event, number: int) -> Ruling:
    """Return the ruling of an event; raise :class:`NotHere` if there is none."""
    ruling = (
        Ruling.objects.filter(event=event, number=number)
        .select_related(*WITH_INCIDENT, "offender")
        .first()
    )
    if ruling is None:
        raise NotHere("no_such_ruling", _("No such ruling in this event."))
    return ruling


def require_amendable(ruling: Ruling, reason: str) -> None:
    """Refuse to put another decision in the place of one that is over or before the committee."""
    if not cleaned(reason, 1000):
        raise Refused("reason_missing", _("Give a reason for the change."), field="reason")
    if ruling.state == RulingState.ANNULLED:
        raise Conflict("annulled", _("This ruling is annulled: issue a new one."))
    _require_not_final(ruling)
    _require_no_appeal(ruling)


def _require_not_final(ruling: Ruling) -> None:
    if ruling.is_final:
        raise Conflict(
            "ruling_final",
            _("This ruling is final. It can only be annulled, by the chief referee or director."),
        )


def _require_no_appeal(ruling: Ruling) -> None:
    if ruling.appeals.filter(state=AppealState.OPEN).exists():
        raise Conflict(
            "appeal_open", _("An appeal against this ruling is open: the committee decides.")
        )


def _write(
    ruling: Ruling,
    proposed: Proposed,
    stated: Stated,
    cause: str,
    *,
    actor: Actor,
    second: Actor | None,
) -> RulingVersion:
    proposal = proposed.proposal
    rulers = Rulers.TWO if proposal.needs_second else proposed.rulers
    ruling.article = proposal.article
    ruling.side = proposal.side or ""
    ruling.measure = proposal.measure.value
    ruling.offender_id = proposed.offender
    ruling.versions_made += 1
    ruling.save()
    return RulingVersion.objects.create(
        ruling=ruling,
        number=ruling.versions_made,
        cause=cause,
        in_force=True,
        article=proposal.article,
        facts=stated.facts,
        proposal=proposal.as_json(),
        context=proposed.context,
        reason=cleaned(stated.reason, 1000),
        next_round=next_round_kept(ruling.incident, stated.next_round),
        rulers=rulers.value,
        second=str(second) if second is not None and rulers is Rulers.TWO else "",
        made_as=made_as(actor, ruling.event_id, Cause(cause)),
        made_by=str(actor),
        made_at=timezone.now(),
    )


def take_from_chief(incident: Incident) -> None:
    """Take an incident that was handed over off the chief referee's list: it is decided."""
    if incident.handed_at is not None:
        incident.handed_by, incident.handed_at, incident.handed = "", None, {}
        incident.save(update_fields=["handed_by", "handed_at", "handed"])


def _take_effect(ruling: Ruling, candidates: list[Draw], actor: Actor) -> None:
    """Deal, entrants, draws put aside; then the log, and every page of the event out of date."""
    version = ruling.versions.latest("number")
    why = f"{version.article} ({ruling.number}.{version.number})"
    effects.apply_to_deal(ruling.incident, actor=actor, reason=why)
    effects.apply_to_entrants(ruling, actor=actor, reason=why)
    for candidate in candidates:
        draws.discard_draw(draw_id=candidate.pk, actor=actor)
    take_from_chief(ruling.incident)
    decided = {}
    if not is_damaged(version.proposal):
        decided = {
            "verdict": version.proposal["verdict"],
            "marks": version.proposal["marks"],
            "deal": version.proposal["deal"]["outcome"],
        }
    audit.append(
        ruling,
        f"ruling.{version.cause}",
        actor,
        after={
            "number": ruling.number,
            "version": version.number,
            "incident": ruling.incident_id,
            "article": version.article,
            "facts": version.facts,
            "measure": ruling.measure,
            **decided,
            "in_force": version.in_force,
            "code": version.context["code"],
            "next_round": version.next_round,
        },
    )
    if has_listeners(ruling.event_id):
        tell(
            event_id=ruling.event_id,
            kind=NoticeKind.RULING,
            subject=ruling.incident.round_id,
            entrants=readers(ruling),
        )


@verb("rulings_finalise", Ruling, "rulings.finalise", at="final/", done=_("The ruling is final."))
def finalise(*, ruling_id: uuid.UUID, actor: Actor) -> Ruling:
    """Make a ruling final: at its deadline, or earlier when both sides accept it."""
    ruling = locked_ruling(ruling_id)
    require_not_own_table(actor, ruling.incident)
    if ruling.state != RulingState.PROVISIONAL:
        return ruling
    _require_no_appeal(ruling)
    settle(ruling, actor)
    take_from_chief(ruling.incident)
    return ruling


def settle(ruling: Ruling, actor: Actor) -> None:
    """Make the ruling final: no appeal is possible any more."""
    ruling.state = RulingState.FINAL
    ruling.final_at = timezone.now()
    ruling.save(update_fields=["state", "final_at"])
    audit.append(
        ruling,
        "ruling.final",
        actor,
        after={"number": ruling.number, "version": ruling.versions_made},
    )


def finalise_due(now: datetime | None = None) -> int:
    """Make final what no side appealed against before the deadline; returns how many."""
    now = now or timezone.now()
    due = (
        Ruling.objects.filter(state=RulingState.PROVISIONAL, appeal_until__lte=now)
        .exclude(appeals__state=AppealState.OPEN)
        .values_list("pk", flat=True)
    )
    done = 0
    for ruling_id in list(due):
        ruling = finalise_one(ruling_id, now)
        done += ruling is not None
    return done


@change()
def finalise_one(ruling_id: uuid.UUID, now: datetime) -> Ruling | None:
    """Finalise one ruling past its deadline, unless it changed meanwhile."""
    ruling = locked_ruling(ruling_id)
    open_appeal = ruling.appeals.filter(state=AppealState.OPEN).exists()
    if ruling.state != RulingState.PROVISIONAL or ruling.appeal_until > now or open_appeal:
        return None
    settle(ruling, Actor.system("deadline"))
    return ruling
