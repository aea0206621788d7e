"""The referee's desk: who waits longest, which incidents are open, what can still be appealed."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from adjudication.models import (
    UNRULED,
    Appeal,
    AppealState,
    Incident,
    IncidentState,
    RulingState,
)
from adjudication.penal import Measure
from tournament.models import Event, Seat
from tournament.models.tables import CallTopic, RefereeCall
from tournament.queries.brackets import stage_and_round
from tournament.queries.matches import contested_game
from tournament.queries.names import Name, directory

from .effects import COSTING, is_damaged, number_of
from .shown import (
    RulingShown,
    actor_names,
    article_of,
    description_of,
    finding_of,
    game_number,
    listed,
    localized,
    rulings_with,
    show,
)

LONG_WAIT = 300
"""Seconds after which a call waits long."""


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """An open call of a table."""

    id: uuid.UUID
    table: int
    where: str
    reason: str
    wait: str
    long: bool
    claimed_by: str
    players: str
    claim_url: str
    url: str


def waiting(event: Event, *, may_rule: bool) -> list[WaitingCall]:
    """Return the open calls, the longest wait first, for ``parts/referee/call_queue.html``.

    Only who may rule is offered to take one.
    """
    calls = list(
        RefereeCall.objects.filter(table__scope=event.pk, closed_at__isnull=True)
        .select_related("table__round__stage", "sheet", "incident")
        .order_by("called_at")
    )
    names = actor_names(call.claimed_by for call in calls)
    at: dict[object, list[str]] = {}
    people = directory(event)
    for at_table, entrant in (
        Seat.objects.filter(table__in=[call.table_id for call in calls])
        .order_by("position")
        .values_list("table_id", "entrant_id")
    ):
        at.setdefault(at_table, []).append(people[entrant].name)
    now = timezone.now()
    rows = []
    for call in calls:
        seconds = int((now - call.called_at).total_seconds())
        incident: Incident | None = getattr(call, "incident", None)
        rows.append(
            WaitingCall(
                id=call.pk,
                table=call.table.number,
                where=_where(call),
                reason=call.subject,
                wait=wait_text(seconds),
                long=seconds >= LONG_WAIT,
                claimed_by=names.get(call.claimed_by, ""),
                players=Name(", ".join(at.get(call.table_id, []))),
                claim_url=reverse("referee-take", args=[event.slug, call.pk]) if may_rule else "",
                url=_url(event, incident) if incident else "",
            )
        )
    return rows


def _where(call: RefereeCall) -> str:
    """Return round and game of a contested result; empty for other calls, which concern the current game."""
    round_ = call.table.round
    if call.topic != CallTopic.RESULT or round_ is None:
        return ""
    game = contested_game(call)
    return " · ".join(
        filter(None, (stage_and_round(round_), _("game %(n)s") % {"n": game} if game else ""))
    )


def wait_text(seconds: int) -> str:
    """Return a waiting time in whole minutes, in words."""
    minutes = max(seconds, 0) // 60
    return _("%(n)d min") % {"n": minutes} if minutes else _("less than a minute")


@dataclass(frozen=True, slots=True)
class Warned:
    """Counts of an entrant's warnings and penalties by rulings in force."""

    name: str
    number: int
    warnings: int
    penalties: int


def warned(event: Event) -> list[Warned]:
    """Return the entrants with a ruling in force against them, most warnings first."""
    counts: dict[int, list[int]] = {}
    in_force = rulings_with(event).exclude(state=RulingState.ANNULLED)
    for ruling in in_force:
        if ruling.offender_id is None:
            continue
        count = counts.setdefault(ruling.offender_id, [0, 0])
        proposal = list(ruling.versions.all())[-1].proposal
        if ruling.measure == Measure.WARNING:
            count[0] += 1
        elif ruling.measure in COSTING or (
            not is_damaged(proposal) and number_of(proposal["deal"].get("charge", 0))
        ):
            count[1] += 1
    people = directory(event, counts)
    warned_players = [
        Warned(people[pk].name, people[pk].number, warnings, penalties)
        for pk, (warnings, penalties) in counts.items()
        if warnings or penalties
    ]
    return sorted(warned_players, key=lambda each: (-each.warnings - each.penalties, each.number))


def _url(event: Event, incident: Incident) -> str:
    return reverse("referee-incident", args=[event.slug, incident.number])


@dataclass(frozen=True, slots=True)
class OpenIncident:
    """An incident that waits for a ruling; ``article``: what its record proves."""

    number: int
    table: int | None
    game: int | None
    deal: int | None
    description: str
    article: str
    vanished: bool
    who: str
    at: datetime
    url: str
    handed_by: str = ""
    """The referee who handed it over to the chief referee."""
    proposed: str = ""
    """The article that they proposed."""


def open_incidents(event: Event) -> list[OpenIncident]:
    """Return the incidents that wait for a ruling, or for its change: those handed over first, then the oldest."""
    waits = Q(state=IncidentState.OPEN) | Q(state=IncidentState.RULED, handed_at__isnull=False)
    listed = list(
        Incident.objects.filter(waits, event=event)
        .select_related("event", "round__stage__event", "sheet", "call")
        .order_by("number")
    )
    listed.sort(key=lambda incident: incident.handed_at is None)
    names = actor_names(
        who for incident in listed for who in (incident.taken_by, incident.handed_by)
    )
    return [
        OpenIncident(
            number=i.number,
            table=i.table_number,
            game=game_number(i),
            deal=i.deal,
            description=description_of(i),
            article=suggested(event, i),
            vanished=i.vanished_at is not None,
            who=names.get(i.taken_by, ""),
            at=i.opened_at,
            url=_handed_url(event, i) or _url(event, i),
            handed_by=names.get(i.handed_by, ""),
            proposed=": ".join(
                filter(None, [i.handed.get("article", ""), i.handed.get("reason", "")])
            ),
        )
        for i in listed
    ]


@dataclass(frozen=True, slots=True)
class ClosedIncident:
    """An incident that was closed without a ruling or withdrawn."""

    number: int
    table: int | None
    description: str
    state: str
    reason: str
    who: str
    at: datetime | None
    url: str


def closed_incidents(event: Event, most: int | None = 20) -> list[ClosedIncident]:
    """Return the last incidents (``None``: all) closed without a ruling or withdrawn, newest first."""
    listed = list(
        Incident.objects.filter(event=event, state__in=UNRULED)
        .select_related("event", "round__stage__event", "sheet", "call")
        .order_by("-closed_at", "-number")[:most]
    )
    names = actor_names(incident.closed_by for incident in listed)
    return [
        ClosedIncident(
            number=i.number,
            table=i.table_number,
            description=description_of(i),
            state=i.get_state_display(),
            reason=i.closed_reason,
            who=names.get(i.closed_by, ""),
            at=i.closed_at,
            url=_url(event, i),
        )
        for i in listed
    ]


def _handed_url(event: Event, incident: Incident) -> str:
    """Return the page of the ruling that the chief referee is asked to change; empty for a new one."""
    number = incident.handed.get("ruling")
    if number is None:
        return ""
    if "reason" in incident.handed:
        return reverse("referee-ruling", args=[event.slug, number])
    return f"{_url(event, incident)}?ruling={number}"


def suggested(event: Event, incident: Incident) -> str:
    """Return the article for the breach that the record proves, with its title; empty without one."""
    finding = finding_of(incident)
    article = article_of(event, finding.articles[0]) if finding and finding.articles else None
    return f"{article.id} · {localized(article.title)}" if article else ""


def latest_rulings(event: Event, most: int | None = 20) -> list[RulingShown]:
    """Return the last rulings (``None``: all), newest first."""
    return [
        show(ruling, url=reverse("referee-ruling", args=[event.slug, ruling.number]))
        for ruling in listed(rulings_with(event).order_by("-number")[:most])
    ]


def open_appeals(event: Event) -> list[Appeal]:
    """Return the appeals to be heard, oldest first."""
    return list(
        Appeal.objects.filter(ruling__event=event, state=AppealState.OPEN)
        .select_related("ruling__incident")
        .order_by("lodged_at")
    )
