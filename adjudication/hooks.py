"""What this room hangs into the registries of the rooms below, at start-up."""

from __future__ import annotations

import uuid
from collections import Counter
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from adjudication.models import AppealState, Incident, Ruling, RulingState
from ledger.jobs import on_tick
from scoring.models import Sheet
from scoring.rulings import ruling_teller
from scoring.services.sheets import on_result
from tournament.kept import told_about_players
from tournament.models import Entrant, Event, Seat, Standings
from tournament.selectors.pages import shows_round
from tournament.selectors.papers import BUILDERS
from tournament.selectors.rulings import ShownRuling, tells_rulings
from tournament.services.archive import archive_part
from tournament.services.publication import before_withdrawal
from tournament.views.frame import staff_item

from .selectors.papers import report_pdf
from .selectors.shown import RulingShown, listed, related, show
from .services import archiving, codes, effects
from .services import evidence as _jobs  # noqa: F401 registers the kinds of job
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
        if any(ruling.event.hide_last_rounds for ruling in found) else ()
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
    if part is None or not ruling.event.hide_last_rounds:
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
