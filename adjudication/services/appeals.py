"""Appeals: lodged by a side before the deadline, heard by a committee without the referee.

The committee upholds the ruling, changes it (another article or other facts) or overturns it; each
decision is stored as a version of the ruling, which is then final. A side may appeal against that
decision too: this second instance is heard after the event is finished, by other persons.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import RoleGrant, User
from adjudication.models import (
    Appeal,
    AppealState,
    Cause,
    Heard,
    MadeAs,
    RefereePlays,
    Ruling,
    RulingState,
    RulingVersion,
    Tie,
)
from adjudication.penal import Facts
from adjudication.queries.cases import case_of
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.errors import Conflict, NotAllowed, NotHere, Refused
from ledger.models import ORGANISATION
from ledger.verbs import Between, Says, verb
from tournament.models import Entrant, EventState

from . import rulings
from .access import plays_at, require_not_own_table
from .proposals import AgainstRecord, Proof, Stated
from .words import cleaned

audit.name_verbs(
    "appeal",
    again=_("Appeal lodged against the committee’s decision"),
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


@verb(
    "appeals_again",
    Appeal,
    "incidents.rule",
    done=_("The appeal has been lodged: it is heard after the event."),
)
def lodge_again(*, appeal_id: uuid.UUID, side: str, grounds: str, actor: Actor) -> Appeal:
    """Lodge a side's appeal against a committee's decision, heard once the event is finished.

    Refused before that decision, against a decision of the second instance, a second time for the
    same side, while another appeal is open, and once the players' data are erased.
    """
    first = _locked(appeal_id)
    ruling = first.ruling
    require_not_own_table(actor, ruling.incident)
    case = case_of(ruling.incident)
    if side not in case.game().all_sides:
        raise Refused("unknown_side", _("Choose the side that appeals."), field="side")
    if not cleaned(grounds, 1000):
        raise Refused("grounds_missing", _("Enter what the appeal is about."), field="grounds")
    if first.state in (AppealState.OPEN, AppealState.WITHDRAWN):
        raise Conflict("not_heard", _("No committee has decided this appeal yet."))
    if first.instance != 1:
        raise Conflict(
            "last_instance", _("The second instance has decided: no further appeal is possible.")
        )
    if ruling.appeals.filter(state=AppealState.OPEN).exists():
        raise Conflict(
            "appeal_open", _("An appeal against this ruling is open: the committee decides.")
        )
    if ruling.appeals.filter(side=side, instance=2).exists():
        raise Conflict("appealed_before", _("This side has already appealed against this ruling."))
    _require_register(ruling, side)
    appeal = Appeal.objects.create(
        ruling=ruling,
        side=side,
        instance=2,
        grounds=cleaned(grounds, 1000),
        lodged_by=str(actor),
        lodged_at=timezone.now(),
    )
    audit.append(
        appeal,
        "appeal.again",
        actor,
        scope=ruling.event_id,
        after={"ruling": ruling.number, "side": side},
    )
    return appeal


def _require_register(ruling: Ruling, side: str) -> None:
    """Refuse to hear a side whose players' data were all erased: they can no longer be heard."""
    people = Entrant.objects.filter(pk__in=case_of(ruling.incident).entrants_of(side))
    if people.exists() and not people.filter(person__erased_at__isnull=True).exists():
        raise Conflict(
            "register_erased",
            _("The data of these players have been erased: this appeal can no longer be heard."),
        )


def why_not(actor: Actor, ruling: Ruling) -> tuple[str, Promise] | None:
    """Return code and sentence of the reason that keeps a person out of the committee; else ``None``.

    They had a hand in the ruling or in an earlier decision on it, or they are a party.
    """
    hands = {
        ruling.referee,
        *ruling.versions.values_list("made_by", flat=True),
        *ruling.confirmations.values_list("decided_by", flat=True),
    }
    for members in ruling.appeals.values_list("members", flat=True):
        hands.update(members)
    if str(actor) in hands:
        return "own_ruling", _("You made this ruling: someone else must hear the appeal.")
    if plays_at(actor, ruling.incident) or _is_offender(actor, ruling):
        return "own_table", _("You play at this table: another member of staff rules here.")
    return None


def _is_offender(actor: Actor, ruling: Ruling) -> bool:
    return (
        actor.kind == ActorKind.USER
        and RefereePlays.objects.filter(
            event=ruling.event_id, user=int(actor.id), entrant=ruling.offender_id
        ).exists()
    )


def may_hear(actor: Actor, ruling: Ruling) -> bool:
    """Whether ``actor`` had no hand in the ruling and is no party."""
    return why_not(actor, ruling) is None


BARRED: Final = {
    "own_ruling": _("ruled or decided on it"),
    "own_table": _("plays at this table"),
}
"""The reasons of :func:`why_not` in a list of persons."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A member of staff who may sit on a committee; ``barred``: why they may not, or empty."""

    user: int
    name: str
    barred: Promise | str


def candidates(ruling: Ruling, chair: Actor) -> list[Candidate]:
    """Return the active staff of the ruling's event besides the chair, in the order of their names."""
    listed = []
    for user in _staff(ruling).order_by("username"):
        if str(Actor.user(user.pk)) == str(chair):
            continue
        barred = why_not(Actor.user(user.pk), ruling)
        listed.append(Candidate(user.pk, user.get_username(), BARRED[barred[0]] if barred else ""))
    return listed


def _staff(ruling: Ruling) -> QuerySet[User]:
    scopes = RoleGrant.objects.filter(Q(scope=ruling.event_id) | Q(scope=ORGANISATION))
    return User.objects.filter(pk__in=scopes.values("user"), is_active=True)


def _committee(members: Collection[int], ruling: Ruling, chair: Actor) -> list[str]:
    """Return the other members as actors; refuse a committee of one, and persons who may not sit."""
    others = {each for each in members if str(Actor.user(each)) != str(chair)}
    if not others:
        raise Refused(
            "committee_of_one",
            _("A committee has at least two members: name the others."),
            field="members",
        )
    known = dict(_staff(ruling).filter(pk__in=others).values_list("pk", "username"))
    if known.keys() != others:
        raise Refused("not_staff", _("Choose a member of staff of this event."), field="members")
    for user, name in sorted(known.items()):
        barred = why_not(Actor.user(user), ruling)
        if barred is not None:
            raise NotAllowed(
                barred[0],
                _("%(name)s cannot sit on this committee: %(why)s."),
                field="members",
                params={"name": name, "why": BARRED[barred[0]]},
            )
    return sorted(str(Actor.user(each)) for each in others)


Votes = Annotated[
    int | None,
    Between(0, 99),
    Says("Without both counts the committee was unanimous."),
]


def _require_vote(members: int, votes: tuple[int, int], tie: str, *, stands: bool) -> None:
    """Refuse counts that exceed the committee, and an outcome that its majority did not vote for."""
    given, against = votes
    if not 2 <= given + against <= members:
        raise Refused(
            "votes",
            _("A committee of %(count)d has from 2 to %(count)d votes."),
            field="votes_for",
            params={"count": members},
        )
    if given == against:
        if tie not in Tie.values:
            raise Refused("tie", _("The votes are equal: choose what decides then."), field="tie")
        if tie == Tie.STANDS and not stands:
            raise Refused(
                "tie_stands",
                _("The votes are equal and the ruling stands then: uphold it."),
                field="outcome",
            )
    elif (given > against) != stands:
        raise Refused("majority", _("The majority voted for the other outcome."), field="outcome")


def _held(appeal: Appeal, moment: datetime | None) -> datetime:
    """Return the time of the hearing, by default now; refuse one before the appeal or to come."""
    now = timezone.now()
    if moment is None:
        return now
    if not appeal.lodged_at - timedelta(minutes=1) <= moment <= now:
        raise Refused(
            "hearing_at",
            _("The hearing was held after the appeal was lodged, and before now."),
            field="hearing_at",
        )
    return moment


@verb("appeals_hear", Appeal, "appeals.hear", at="", done=_("The appeal has been decided."))
def hear(
    *,
    appeal_id: uuid.UUID,
    outcome: Literal["upheld", "changed", "overturned"],
    decision: str,
    actor: Actor,
    members: Annotated[
        Sequence[int], Says("The accounts of the other members: the caller chairs.")
    ] = (),
    hearing_at: Annotated[datetime | None, Says("The time of the hearing; by default now.")] = None,
    heard: Annotated[
        Sequence[str], Says("The persons heard: appellant, others, referee, witnesses.")
    ] = (),
    votes_for: Votes = None,
    votes_against: Votes = None,
    tie: Annotated[str, Says("For equal votes: stands, or chair.")] = "",
    article: str = "",
    facts: Facts | None = None,
    next_round: str = "",
    claimed: str = "",
    proof: Proof = "",
    against_record: AgainstRecord = (),
) -> Appeal:
    """Decide an appeal: ``upheld``, ``changed`` (with article and facts) or ``overturned``.

    ``decision`` is the committee's reason; ``votes_for`` are those for the decision appealed against. The
    ruling is final afterwards, or annulled. Refused for a committee of one, for members who ruled or
    play at the table, for an outcome without its majority, in the second instance before the event is
    finished, and once the data of the side that appeals are erased.
    """
    appeal = _locked(appeal_id)
    ruling = appeal.ruling
    if appeal.state != AppealState.OPEN:
        raise Conflict("appeal_heard", _("This appeal has already been heard."))
    if (barred := why_not(actor, ruling)) is not None:
        raise NotAllowed(*barred)
    if appeal.instance == 2 and ruling.event.state != EventState.FINISHED:
        raise Conflict(
            "event_not_finished", _("The second instance hears once the event is finished.")
        )
    _require_register(ruling, appeal.side)
    if not cleaned(decision, 1000):
        raise Refused("reason_missing", _("Enter the committee’s reasons."), field="decision")
    if outcome not in (AppealState.UPHELD, AppealState.CHANGED, AppealState.OVERTURNED):
        raise Refused("outcome", _("Choose what the committee decided."), field="outcome")
    state = AppealState(outcome)
    if state is AppealState.OVERTURNED and not ruling.in_force:
        raise Refused(
            "outcome",
            _("The ruling is annulled already: uphold that decision, or change it."),
            field="outcome",
        )
    if not set(heard) <= set(Heard.values):
        raise Refused("heard", _("Choose who was heard."), field="heard")
    appeal.members = _committee(members, ruling, actor)
    seats = 1 + len(appeal.members)
    if votes_for is None and votes_against is None:
        unanimous = (seats, 0) if state is AppealState.UPHELD else (0, seats)
        votes_for, votes_against = unanimous
    votes = votes_for or 0, votes_against or 0
    _require_vote(seats, votes, tie, stands=state is AppealState.UPHELD)
    appeal.votes_for, appeal.votes_against = votes
    appeal.tie = tie if votes[0] == votes[1] else ""
    appeal.hearing_at = _held(appeal, hearing_at)
    appeal.heard = [each for each in Heard.values if each in heard]
    appeal.state = state
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
        after={
            "ruling": ruling.number,
            "version": ruling.versions_made,
            "side": appeal.side,
            "members": appeal.members,
            "votes": list(votes),
        },
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
        in_force=former.in_force,
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
