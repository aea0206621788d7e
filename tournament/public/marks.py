"""Marks of an event's records, which decide how long a public page is valid.

Every change to an event's records raises its version in the same transaction. The content of a page
follows one of three marks, its *topic*:

``event``      anything at all: standings, clubs, results;
``draw``       all but results: draws, seats, clocks, names, rulings (``Event.frame_version``);
``own:N``      the draw, and what has been written about player N alone: deals at the tables of N
               that nobody has signed, results, rulings;
``player:N``   the event and ``own:N``.

One look at the database gives all marks of an event.
"""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import prometheus_client
from django.db import connections
from django.db.models import Count, ExpressionWrapper, F, OuterRef, Subquery, Sum, TextField

from ledger.models import AuditHead
from tournament.cache import cached
from tournament.models import Event, Seat
from tournament.models.tables import Sheet
from tournament.signals import answers, rulings_counted

RENDERED: Final = prometheus_client.Counter(
    "manille_rendered", "Pages, standings and their rows computed.", ("what",), registry=None
)
"""How often a page was rendered, or standings or their rows were computed (``what``)."""
FORMERLY: Final = prometheus_client.Counter(
    "manille_made",
    "manille_rendered, by its name up to 1.0: for one release.",
    ("what",),
    registry=None,
)


def count_rendered(what: str) -> None:
    """Count one page, standing or list of rows that was rendered."""
    for counter in (RENDERED, FORMERLY):
        counter.labels(what).inc()


@dataclass(frozen=True, slots=True)
class Marks:
    """Versions of an event's records: every change to a page's content changes its mark.

    ``entries`` counts the official changes (the audit chain), ``own`` the writes about each player,
    by start number; ``None`` until it is looked up.
    """

    event: uuid.UUID
    version: int
    frame: int = 0
    entries: int = 0
    own: dict[int, int] | None = field(default=None, compare=False, repr=False)

    def of(self, topic: str) -> str:
        """Return the mark of a topic, as ETags contain it."""
        if topic == "draw":
            return f"d{self.frame}"
        if is_own(topic):
            kind, _colon, number = topic.partition(":")
            of_all = f"d{self.frame}" if kind == "own" else f"v{self.version}"
            return f"{of_all}.{(self.own or {}).get(int(number), 0)}"
        return f"v{self.version}"


def is_own(topic: str) -> bool:
    """Return whether a topic depends on the records of one player, and so needs :func:`with_own`."""
    return topic.startswith(("own:", "player:"))


def marks_of(slug: str) -> Marks | None:
    """Read the marks of the event of that slug, without those of its players; one query."""
    row = (
        Event.objects.filter(slug=slug)
        .annotate(
            entries=Subquery(AuditHead.objects.filter(scope=OuterRef("pk")).values("sequence")[:1])
        )
        .values_list("pk", "version", "frame_version", "entries")
        .first()
    )
    return Marks(row[0], row[1], row[2], row[3] or 0) if row else None


@dataclass(frozen=True, slots=True)
class _Frame:
    """Part of the players' marks that changes with the draw's mark only."""

    seats: list[tuple[int, datetime]]
    rulings: dict[int, int]


def look_up(slug: str) -> Marks | None:
    """Read the marks of an event and of its players, from a thread that belongs to no request."""
    try:
        marks = marks_of(slug)
        return with_own(marks) if marks is not None else None
    finally:
        connections.close_all()


def with_own(marks: Marks) -> Marks:
    """Add the marks of the players; a few queries, none while nothing changed.

    A player's mark is how often the sheets of their tables were written, how many results they were
    given, and how far the rulings about them have come.
    """
    return cached(
        ("own marks", marks.event), lambda: _count(marks), fits=lambda known: known == marks
    )


def _count(marks: Marks) -> Marks:
    # The seats change with the frame only, the versions of the sheets with every entry.
    frame = _frame(marks.event, marks.frame)
    sheets = Sheet.objects.filter(
        table__round__stage__event=marks.event, table__round__published_at__isnull=False
    ).order_by()
    versions = dict(sheets.values_list(_TABLE).annotate(Sum("version")))
    results = dict(sheets.values_list(_TABLE).annotate(Count("results")))
    own = dict(frame.rulings)
    for number, table in frame.seats:
        own[number] = own.get(number, 0) + versions.get(table, 0) + results.get(table, 0)
    return Marks(marks.event, marks.version, marks.frame, marks.entries, own)


def _frame(event: uuid.UUID, mark: int) -> _Frame:
    return cached(("frame", event, mark), lambda: _frame_of(event))


def rulings_about_players(event: Event) -> dict[int, int]:
    """Start number → how far the rulings about that player have come; none of the others."""
    return _frame(event.pk, event.frame_version).rulings


def _frame_of(event: uuid.UUID) -> _Frame:
    seats = Seat.objects.filter(round__stage__event=event, round__published_at__isnull=False)
    rulings: Counter[int] = Counter()
    for counts in answers(rulings_counted, event_id=event):
        rulings.update(counts)
    return _Frame(list(seats.values_list("entrant__number", _TABLE)), dict(rulings))


_TABLE: Final = ExpressionWrapper(F("table_id"), output_field=TextField())
"""A table as the database names it: made into UUIDs, a day's tables cost more than the counting."""


def topics(marks: Marks, player: int | None) -> dict[str, int]:
    """Topic → mark, as the stream and the poll say it."""
    by_topic = {"event": marks.version, "draw": marks.frame}
    if player is not None:
        by_topic["mine"] = (marks.own or {}).get(player, 0)
    return by_topic
