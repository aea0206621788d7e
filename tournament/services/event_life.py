"""End of an event: open matters, finish and reopen, hide and show, delete."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

from django.db.models import Model
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import ApiToken, RoleGrant
from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict
from ledger.sealed import below, sealing
from ledger.verbs import verb
from tournament.drawing.spec import Plan
from tournament.models import (
    Draw,
    DrawState,
    Event,
    EventState,
    Notice,
    Person,
    PrintedDocument,
    RenderedStandings,
    Round,
    RoundState,
    Stage,
)
from tournament.models.tables import RefereeCall, Sheet, Table
from tournament.queries.after_final import late_rulings
from tournament.queries.brackets import ShownOvertaken, overtaken_shown, stage_and_round
from tournament.queries.left_open import left_open
from tournament.queries.matches import require_uncontested, undecided_tables
from tournament.queries.rounds import tables_waiting, unsigned_tables
from tournament.queries.standings import fresh
from tournament.signals import answers, matters_requested, records_requested

from .events import lock_plan, locked_event, locked_plan

audit.name_verbs(
    "event",
    deleted=gettext_lazy("Event deleted"),
    finished=gettext_lazy("Event finished"),
    hidden=gettext_lazy("Event hidden"),
    reopened=gettext_lazy("Event reopened"),
    shown=gettext_lazy("Event shown again"),
)

SHEET_OPEN: Final = "sheet_open"


@dataclass(frozen=True, slots=True)
class OpenMatter:
    """Something of an event that is not settled, in the reader's language.

    ``page`` is the name of the page (of this event) where it is settled, unless an ``address`` says more; ``blocks``:
    the event cannot be finished before.
    """

    code: str
    text: str
    page: str
    blocks: bool = False
    address: str = ""


def open_matters(event: Event, stage: Stage | None = None) -> list[OpenMatter]:
    """Return everything still open in an event, obstacles to its end first.

    ``stage``: only what may still change the standings of that stage.
    """
    open_now = [matter for round_ in _rounds(event, stage) for matter in _of_round(round_)]
    open_now += [
        OpenMatter(
            SHEET_OPEN,
            each.text,
            "desk-rounds",
            blocks=True,
            address=reverse("staff-sheet", args=[each.sheet]),
        )
        for each in left_open(event)
        if stage is None or each.round.stage_id == stage.pk
    ]
    if stage is not None:
        open_now += _of_standings(stage)
    else:
        open_now += [_after_final(each) for each in event.stages.all() if late_rulings(each)]
    waiting = RefereeCall.objects.filter(table__scope=event.pk, closed_at__isnull=True)
    if stage is not None:
        waiting = waiting.filter(table__round__stage=stage)
    if calls := waiting.count():
        open_now.append(
            OpenMatter(
                "calls_open",
                ngettext(
                    "%(count)d call for the referee is waiting.",
                    "%(count)d calls for the referee are waiting.",
                    calls,
                )
                % {"count": calls},
                "referee-desk",
            )
        )
    for matters in answers(matters_requested, event=event, stage=stage):
        open_now += matters
    return sorted(open_now, key=lambda matter: not matter.blocks)


def _rounds(event: Event, stage: Stage | None) -> list[Round]:
    """Return the rounds of an event, or those of a stage whose results its standings count."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event")
    if stage is not None:
        rounds = rounds.filter(stage=stage, published_at__isnull=False)
    return list(rounds.order_by("stage__order", "number"))


def _after_final(stage: Stage) -> OpenMatter:
    return OpenMatter(
        "rulings_after_final",
        _("%(stage)s: a ruling was made after the final list.") % {"stage": stage.title},
        "desk-rounds",
        address=reverse("desk-standings-state", args=[stage.event.slug, stage.order]),
    )


def _of_standings(stage: Stage) -> list[OpenMatter]:
    """Return the stage's tables unplayed after a forfeit, and several champions of the event."""
    matters = []
    if not stage.played_as.bracket:
        for round_ in stage.rounds.filter(state=RoundState.CLOSED).order_by("number"):
            matters += [
                OpenMatter(
                    "table_forfeited",
                    _("%(round)s, table %(table)d: a player forfeited, the games were not played.")
                    % {"round": stage_and_round(round_), "table": number},
                    "desk-rounds",
                )
                for number in tables_waiting(round_)[1]
            ]
    if stage == Stage.objects.filter(event=stage.event_id).order_by("order").last():
        first = sum(row["rank"] == 1 for row in fresh(stage).rows)
        if first > 1:
            matters.append(
                OpenMatter(
                    "champions_joint",
                    ngettext(
                        "%(count)d participant shares first place.",
                        "%(count)d participants share first place.",
                        first,
                    )
                    % {"count": first},
                    "desk-rounds",
                    address=reverse("event-standings-stage", args=[stage.event.slug, stage.order]),
                )
            )
    return matters


def _of_round(round_: Round) -> list[OpenMatter]:
    """Return the open matters of one round: unsigned tables, a draft draw, tied matches, no play at all."""
    where = {"round": stage_and_round(round_)}
    if round_.state == RoundState.PLANNED:
        return [
            OpenMatter(
                "round_not_played",
                _("%(round)s has not been drawn.") % where,
                "desk-rounds",
            )
        ]
    if round_.state == RoundState.DRAWN:
        return [
            OpenMatter(
                "draw_not_published",
                _("%(round)s is drawn but not published.") % where,
                "desk-rounds",
            )
        ]
    matters = []
    if round_.state != RoundState.CLOSED:
        matters.append(_in_play(round_, where))
    if "knockout_from" in _plan(round_):
        matters += [
            OpenMatter(
                "match_undecided",
                _("%(round)s: the match at table %(table)d has no winner.")
                % {**where, "table": table.number},
                "desk-rounds",
            )
            for table in undecided_tables(round_.stage, round_.number)
        ]
        matters += [_overtaken(match, where) for match in overtaken_shown(round_)]
    return matters


def _overtaken(match: ShownOvertaken, where: dict[str, str]) -> OpenMatter:
    """Return the matches that changed after the next round was drawn, until the director settles them."""
    values = {**where, "plays_on": match.plays_on.name}
    if match.winner is not None:
        values["winner"] = match.winner.name
        text = _("%(round)s: %(winner)s has now won, but the next draw has %(plays_on)s.")
    else:
        text = _(
            "%(round)s: %(plays_on)s forfeited the round after the next draw, which still has them."
        )
    return OpenMatter("match_overtaken", text % values, "desk-rounds")


def _in_play(round_: Round, where: dict[str, str]) -> OpenMatter:
    waiting = unsigned_tables(round_)
    if not waiting:
        text = _("%(round)s is still open: close it.") % where
        return OpenMatter("round_open", text, "desk-rounds", blocks=True)
    listed = ", ".join(map(str, waiting[:12])) + ("…" if len(waiting) > 12 else "")
    text = _("%(round)s: these tables have not signed: %(tables)s.") % {
        **where,
        "tables": listed,
    }
    return OpenMatter("tables_not_signed", text, "desk-room", blocks=True)


def _plan(round_: Round) -> Plan:
    plan = round_.draws.filter(state=DrawState.PUBLISHED).values_list("plan", flat=True).first()
    return plan or {}


@verb("event_finish", Event, "event.manage", done=gettext_lazy("The event is finished."))
def finish_event(*, event_id: uuid.UUID, actor: Actor, despite_open: bool = False) -> Event:
    """Declare the event finished: its pages state it, and hidden rounds become public.

    Raises :class:`Conflict` while a round is in play or a sheet of a closed one is open, and for
    any other open matter unless ``despite_open``.
    """
    event = locked_plan(event_id)
    if event.state == EventState.FINISHED:
        return event
    require_uncontested(event.pk)
    matters = open_matters(event)
    blocking = [matter for matter in matters if matter.blocks]
    if blocking and all(matter.code == SHEET_OPEN for matter in blocking):
        raise Conflict(
            "sheet_open",
            gettext_lazy("Not everything is settled: %(matters)s"),
            params={"matters": " ".join(matter.text for matter in blocking[:5])},
        )
    if blocking:
        raise Conflict("round_in_play", gettext_lazy("A round is still in play: close it first."))
    if matters and not despite_open:
        raise Conflict(
            "matters_open",
            gettext_lazy("Not everything is settled: %(matters)s"),
            params={"matters": " ".join(matter.text for matter in matters[:5])},
        )
    before = event.state
    event.state = EventState.FINISHED
    event.save(update_fields=["state"])
    audit.append(
        event,
        "event.finished",
        actor,
        before={"state": before},
        after={"state": event.state, "open": [matter.code for matter in matters]},
    )
    return event


@verb("event_reopen", Event, "event.manage", done=gettext_lazy("The event is open again."))
def reopen_event(*, event_id: uuid.UUID, actor: Actor) -> Event:
    """Take a finished event back: last rounds that are to be hidden are hidden again."""
    event = locked_event(event_id)
    if event.state != EventState.FINISHED:
        return event
    began = Round.objects.filter(stage__event=event, published_at__isnull=False).exists()
    event.state = EventState.RUNNING if began else EventState.OPEN
    event.save(update_fields=["state"])
    audit.append(
        event,
        "event.reopened",
        actor,
        before={"state": EventState.FINISHED},
        after={"state": event.state},
    )
    return event


@verb(
    "event_hide",
    Event,
    "event.manage",
    done=gettext_lazy("The event is hidden from the public lists."),
)
def hide_event(*, event_id: uuid.UUID, actor: Actor) -> Event:
    """Leave the event out of the public lists; its addresses go on working."""
    return _set_hidden(event_id, actor, "event.hidden", hidden=True)


@verb("event_show", Event, "event.manage", done=gettext_lazy("The event is listed again."))
def show_event(*, event_id: uuid.UUID, actor: Actor) -> Event:
    """List a hidden event again."""
    return _set_hidden(event_id, actor, "event.shown", hidden=False)


def _set_hidden(event_id: uuid.UUID, actor: Actor, entry: str, *, hidden: bool) -> Event:
    event = locked_event(event_id)
    if event.hidden != hidden:
        event.hidden = hidden
        event.save(update_fields=["hidden"])
        audit.append(event, entry, actor)
    return event


def has_records(event: Event) -> bool:
    """Whether anything official is written: a published round, a sheet, a call, an incident."""
    return (
        Round.objects.filter(stage__event=event, published_at__isnull=False).exists()
        or Sheet.objects.filter(scope=event.pk).exists()
        or RefereeCall.objects.filter(table__scope=event.pk).exists()
        or any(answers(records_requested, event=event, entrant=None))
    )


@verb(
    "event_delete",
    Event,
    "event.manage",
    at="settings/",
    method="DELETE",
    done=gettext_lazy("The event is deleted. For a week this can be undone."),
)
def delete_event(*, event_id: uuid.UUID, actor: Actor) -> None:
    """Delete an event of which nothing official is recorded, with its players' data.

    Its audit chain stays, and ends with the deletion. For a week it can be undone.

    Raises :class:`Conflict` when anything is recorded.
    """
    lock_plan(event_id)
    drafts = Draw.objects.filter(round__stage__event=event_id).order_by("pk")
    list(drafts.select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True))
    event = locked_event(event_id)
    if has_records(event):
        raise Conflict(
            "event_has_records",
            gettext_lazy("This event has official records and cannot be deleted. Hide it instead."),
        )
    audit.append(
        event,
        "event.deleted",
        actor,
        before={"slug": event.slug, "day": event.day, "entrants": event.entrants.count()},
    )
    named = (*event.entrants.values_list("person", "partner"),)
    named += (*event.mergers.values_list("person", "partner"),)
    people = {pk for pair in named for pk in pair if pk}
    with sealing(
        "event.deleted",
        event,
        actor,
        scope=event.pk,
        rows=_rows(event, people),
        label=event.name,
    ):
        # Entrants are protected by their places in stages: the stages go first.
        for stage in event.stages.all():
            stage.delete()
        Table.objects.filter(scope=event_id).delete()
        RoleGrant.objects.filter(scope=event_id).delete()
        ApiToken.objects.filter(scope=event_id).delete()
        event.delete()
        unused = Person.objects.filter(
            entries__isnull=True,
            partner_entries__isnull=True,
            mergers__isnull=True,
            partner_mergers__isnull=True,
        )
        unused.filter(pk__in=people).delete()


def _rows(event: Event, people: set[uuid.UUID]) -> list[Model]:
    """Return the rows that go with an event, except papers and lists made from them."""
    derived = (Notice, PrintedDocument, RenderedStandings)
    persons = below(Person.objects.filter(pk__in=people), depth=1)
    tables = Table.objects.filter(scope=event.pk)
    of_event = below([event, *tables], without=derived)
    grants = RoleGrant.objects.filter(scope=event.pk)
    tokens = ApiToken.objects.filter(scope=event.pk)
    there = {(type(row), row.pk) for row in of_event}
    return [
        *(row for row in persons if (type(row), row.pk) not in there),
        *of_event,
        *grants,
        *tokens,
    ]
