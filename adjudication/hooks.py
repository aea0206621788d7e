"""What this room hangs into the registries of the rooms below, at start-up."""

from __future__ import annotations

import uuid
from collections import Counter
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adjudication.models import (
    Appeal,
    AppealState,
    Incident,
    IncidentState,
    PenalCode,
    Ruling,
    RulingState,
)
from ledger.actors import Actor
from ledger.jobs import on_tick
from scoring.models import DealVersion, Series, Sheet
from scoring.rulings import ruling_teller
from scoring.services.record import on_deal
from scoring.services.sheets import on_result
from tournament.kept import told_about_players
from tournament.models import Entrant, Event, Seat, Standings
from tournament.selectors.pages import hidden_rounds, shows_round
from tournament.selectors.papers import BUILDERS
from tournament.selectors.rulings import ShownRuling, tells_rulings
from tournament.services.archive import archive_part
from tournament.services.entrant_edits import names_entrants
from tournament.services.event_copy import copies_with
from tournament.services.event_life import OpenMatter, holds_records, tells_open_matters
from tournament.services.publication import before_withdrawal
from tournament.views.frame import staff_item

from .selectors.papers import report_pdf
from .selectors.shown import RulingShown, listed, related, show
from .services import archiving, codes, effects
from .services import evidence as _jobs  # noqa: F401 registers the kinds of job
from .services.incidents import follow_record, follow_records
from .services.rulings import finalise_due


@on_result
def result_changed(sheet: Sheet) -> None:
    """A result came or went: forfeits of its players follow it."""
    effects.follow_result(sheet)


@before_withdrawal
def lock_incidents(round_id: uuid.UUID) -> None:
    """Nobody rules at the tables of a round while it is withdrawn: they are taken from its incidents."""
    codes.locked(Event.objects.get(stages__rounds=round_id))
    incidents = Incident.objects.select_for_update(of=("self",), no_key=True).filter(
        table__round=round_id
    )
    list(incidents.order_by("pk").values_list("pk", flat=True))


@on_deal
def proven_in_the_record(sheet: Sheet, deal: DealVersion, before: DealVersion | None) -> None:
    """A violation that the record proves comes before a referee, once the deal is committed.

    Incidents are locked before sheets: hence a transaction of its own, which the timer repeats
    should it fail.
    """
    if deal.series == Series.OFFICIAL and (deal.flagged or (before and before.flagged)):
        transaction.on_commit(
            partial(follow_record, sheet_id=sheet.pk, number=deal.number), robust=True
        )


@on_tick
def missed_in_the_record() -> int:
    """Violations of open rounds that are not before a referee yet."""
    return follow_records()


@ruling_teller
def on_the_table(sheet: Sheet, token: str) -> list[dict[str, Any]]:
    """The rulings of a sheet's table in this round, newest first, for the table's page."""
    rows = listed(
        related(Ruling.objects.filter(incident__table__scoring_table=sheet.table_id))
        .order_by("-number")[:10]
    )  # fmt: skip
    return [
        {**_plain(show(ruling)), "url": reverse("table-ruling", args=[token, ruling.pk])}
        for ruling in rows
    ]


@tells_rulings
def of_the_event(event_id: uuid.UUID, entrant: int | None, most: int) -> list[ShownRuling]:
    """The last rulings of an event, or those at the tables of one entrant."""
    rulings = Ruling.objects.filter(event=event_id)
    if entrant is not None:
        at_his_tables = Q(incident__table__seats__entrant=entrant)
        his = rulings.filter(Q(offender=entrant) | at_his_tables)
        mine = set(his.order_by().values_list("pk", flat=True))
        if not mine:
            return []  # most players: whoever reads their games after a draw asks for all of them
        rulings = Ruling.objects.filter(pk__in=mine)
    found = listed(related(rulings).order_by("-number")[:most])
    states = dict(
        Standings.objects.filter(stage__event=event_id).values_list("stage_id", "state")
        if any(hidden_rounds(ruling.event) for ruling in found) else ()
    )  # fmt: skip
    wanted = {int(pk) for ruling in found for pk in ruling.incident.seats.values()}
    numbers = dict(Entrant.objects.filter(pk__in=wanted).values_list("pk", "number"))
    return [
        ShownRuling(
            **_plain(show(ruling)),
            below=f"rulings/{ruling.pk}/",
            hidden=_hidden(ruling, states),
            entrants=tuple(
                numbers[int(pk)] for pk in ruling.incident.seats.values() if int(pk) in numbers
            ),
        )
        for ruling in found
    ]


def _hidden(ruling: Ruling, states: dict[int, str]) -> bool:
    """Whether it was given in a round whose results the public may not see yet."""
    part = ruling.incident.round
    if part is None or not hidden_rounds(ruling.event):
        return False
    part.stage.event = ruling.event
    return not shows_round(part.stage, part.number, states.get(part.stage_id, ""))


@told_about_players
def said_of(event_id: uuid.UUID) -> dict[int, int]:
    """Start number → versions, appeals and ends of the rulings that concern a player."""
    said: Counter[int] = Counter()
    rulings = Ruling.objects.filter(event=event_id).annotate(
        lodged=Count("appeals", distinct=True),
        heard=Count("appeals", filter=~Q(appeals__state=AppealState.OPEN), distinct=True),
    )
    seats: dict[Any, list[int]] = {}
    for table, number in Seat.objects.filter(
        table__incidents__rulings__event=event_id
    ).values_list("table_id", "entrant__number").distinct():  # fmt: skip
        seats.setdefault(table, []).append(number)
    for state, versions, lodged, heard, offender, table in rulings.values_list(
        "state", "versions_made", "lodged", "heard", "offender__number", "incident__table_id"
    ):
        told = versions + lodged + heard + (state == RulingState.FINAL)
        for number in {offender, *seats.get(table, ())} - {None}:
            said[number] += told
    return dict(said)


def _plain(shown: RulingShown) -> dict[str, Any]:
    """What ``parts/ruling.html`` shows to everybody: no names, no staff."""
    return {
        "article": shown.article, "title": shown.title, "penalty": shown.penalty,
        "reason": shown.reason, "state": shown.state, "state_label": shown.state_label,
        "table": shown.table, "round": shown.round, "when": shown.when, "who": "", "url": "",
    }  # fmt: skip


@tells_open_matters
def open_in(event: Event) -> list[OpenMatter]:
    """Incidents without a ruling, appeals to hear and rulings that are not final."""
    incidents = Incident.objects.filter(event=event, state=IncidentState.OPEN).count()
    appeals = Appeal.objects.filter(ruling__event=event, state=AppealState.OPEN).count()
    rulings = Ruling.objects.filter(event=event, state=RulingState.PROVISIONAL).count()
    told = [
        (
            "incidents_open", incidents,
            ngettext(
                "%(count)d incident has no ruling yet.",
                "%(count)d incidents have no ruling yet.", incidents,
            ),
        ),
        (
            "appeals_open", appeals,
            ngettext(
                "%(count)d appeal is to be heard.", "%(count)d appeals are to be heard.", appeals
            ),
        ),
        (
            "rulings_provisional", rulings,
            ngettext(
                "%(count)d ruling is not final.", "%(count)d rulings are not final.", rulings
            ),
        ),
    ]  # fmt: skip
    return [
        OpenMatter(code, text % {"count": count}, "referee-desk")
        for code, count, text in told
        if count
    ]


@holds_records
def has_incidents(event: Event) -> bool:
    """Whether the referees of an event have anything on record."""
    return Incident.objects.filter(event=event).exists()


@names_entrants
def named_in_incidents(entrant: Entrant) -> str:
    """The sentence that an incident or a ruling names the entrant, ``""`` where none does."""
    seated = Incident.objects.filter(event=entrant.event_id).values_list("seats", flat=True)
    named = Ruling.objects.filter(offender=entrant).exists() or any(
        int(key) == entrant.pk for seats in seated for key in seats.values()
    )
    if not named:
        return ""
    return _("An incident at the referees’ desk names number %(number)d.") % {
        "number": entrant.number
    }


@copies_with
def copy_penal_code(source: Event, made: Event, actor: Actor) -> None:
    """The copy of an event is played under the same articles and correction policy."""
    code = PenalCode.objects.filter(event=source, current=True).first()
    if code is not None and (code.number > 1 or code.content):
        codes.copy_code(code, made, actor)


@on_tick
def deadlines() -> int:
    """Rulings whose time for an appeal has passed become final."""
    return finalise_due()


@staff_item
def in_the_staff_bar() -> tuple[str, str, str]:
    """The referee's desk in the staff navigation."""
    return ("referee-desk", _("Referee"), "incidents.read")


BUILDERS.setdefault("adjudication-report", report_pdf)
archive_part("adjudication", archiving.save, archiving.load)
