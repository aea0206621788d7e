"""Figures of a season: revokes per 1,000 deals, time to a ruling, share overturned, by event and in all."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import starmap
from statistics import median

from django.db.models import Count
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from accounts.pages import Labelled
from adjudication.models import Cause, Ruling, RulingState, RulingVersion
from adjudication.penal import Domain
from adjudication.penal.decision import NO_OFFENCE
from adjudication.queries.papers import safe
from adjudication.queries.shown import article_of
from tournament.models import Event
from tournament.models.tables import DealVersion, Series


@dataclass(slots=True)
class Figures:
    """Figures of one event, or of all of them.

    ``revokes``: rulings in force on a breach of card play; ``waits``: seconds from each call (or the
    opening of its incident) to the first ruling on it; ``overturned``: rulings that a committee
    overturned or changed.
    """

    name: str
    day: date | None = None
    slug: str = ""
    deals: int = 0
    rulings: int = 0
    revokes: int = 0
    overturned: int = 0
    waits: list[float] = field(default_factory=list)

    @property
    def per_thousand(self) -> float | None:
        """Revokes per 1,000 deals; ``None`` without a deal."""
        return 1000 * self.revokes / self.deals if self.deals else None

    @property
    def minutes(self) -> float | None:
        """The median time from call to ruling, in minutes."""
        return median(self.waits) / 60 if self.waits else None

    @property
    def share(self) -> float | None:
        """Percentage of the rulings that were overturned or changed."""
        return 100 * self.overturned / self.rulings if self.rulings else None

    @property
    def shown(self) -> list[str]:
        """Deals, rulings, revokes, and the three figures to one decimal; a dash where there is none."""
        counts = [number_format(each) for each in (self.deals, self.rulings, self.revokes)]
        return [*counts, *map(_decimal, (self.per_thousand, self.minutes, self.share))]

    @property
    def labelled(self) -> list[Labelled]:
        """:attr:`shown` with their headings, for the cards of a phone."""
        return list(starmap(Labelled, zip(headings(), self.shown, strict=True)))


def _decimal(value: float | None) -> str:
    return "–" if value is None else str(number_format(round(value, 1), 1))


def headings() -> list[str]:
    """Return the headings of :attr:`Figures.shown`."""
    return [
        _("Deals"),
        _("Rulings"),
        _("Revokes"),
        _("Per 1,000 deals"),
        _("Minutes to a ruling (median)"),
        _("Overturned (%)"),
    ]


def season(since: date, until: date) -> tuple[list[Figures], Figures]:
    """Return the figures of each event from day ``since`` to ``until``, by day, and their total."""
    events = list(Event.objects.filter(day__range=(since, until)).order_by("day", "name"))
    rows = {event.pk: Figures(event.name, event.day, event.slug) for event in events}
    deals = DealVersion.objects.filter(
        sheet__scope__in=rows, series=Series.OFFICIAL, current=True, annulled=False
    ).order_by()
    for scope, count in deals.values_list("sheet__scope").annotate(Count("pk")):
        rows[scope].deals = count
    heard = set(
        RulingVersion.objects.filter(
            ruling__event__in=rows, cause__in=[Cause.OVERTURNED, Cause.CHANGED]
        ).values_list("ruling", flat=True)
    )
    ruled: set[object] = set()
    plays = _of_play(events)
    listed = Ruling.objects.filter(event__in=rows).order_by("issued_at")
    for pk, scope, state, article, measure, issued, incident, opened, called in listed.values_list(
        "pk",
        "event",
        "state",
        "article",
        "measure",
        "issued_at",
        "incident",
        "incident__opened_at",
        "incident__call__called_at",
    ):
        row = rows[scope]
        row.rulings += 1
        row.overturned += pk in heard
        in_force = state != RulingState.ANNULLED and measure not in NO_OFFENCE
        row.revokes += in_force and article in plays[scope]
        if incident not in ruled:
            ruled.add(incident)
            row.waits.append(_seconds(issued, opened, called))
    listed_rows = [rows[event.pk] for event in events]
    return listed_rows, _total(listed_rows)


def _seconds(issued: datetime, opened: datetime, called: datetime | None) -> float:
    return max(0.0, (issued - min(opened, called or opened)).total_seconds())


def _of_play(events: Iterable[Event]) -> dict[object, frozenset[str]]:
    """Return the applied articles on card play, by event."""
    plays: dict[object, frozenset[str]] = {}
    for event in events:
        applied = set(event.rulings.values_list("article", flat=True))
        known = [article_of(event, each) for each in sorted(applied)]
        plays[event.pk] = frozenset(
            each.id for each in known if each is not None and each.kind is Domain.CARD_PLAY
        )
    return plays


def _total(rows: list[Figures]) -> Figures:
    return Figures(
        _("Total"),
        deals=sum(each.deals for each in rows),
        rulings=sum(each.rulings for each in rows),
        revokes=sum(each.revokes for each in rows),
        overturned=sum(each.overturned for each in rows),
        waits=[seconds for each in rows for seconds in each.waits],
    )


def season_csv(since: date, until: date) -> str:
    """Write the figures of a season as CSV, a line for each event and one for the total."""
    rows, total = season(since, until)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([_("Event"), _("Day"), *headings()])
    for row in [*rows, total]:
        day = row.day.isoformat() if row.day else ""
        writer.writerow([safe(each) for each in (row.name, day, *row.shown)])
    return "\ufeff" + out.getvalue()
