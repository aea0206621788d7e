"""What is kept in the memory of a process of public pages, and the marks that say how long it is true.

Every change to an event's records raises its version in the same transaction. What a page shows
follows one of three marks, its *topic*:

``event``      anything at all: standings, clubs, results;
``draw``       all but results: draws, seats, clocks, names, rulings (``Event.frame_version``);
``own:N``      the draw, and what has been written about player N alone: deals at his tables that
               nobody has signed, results, rulings;
``player:N``   the event and ``own:N``.

One look at the database tells all marks of an event; whoever asks meanwhile shares it.
"""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.db import connections
from django.db.models import Count, ExpressionWrapper, F, OuterRef, Subquery, Sum, TextField
from django.http import HttpResponse, HttpResponseBase

from ledger.models import AuditHead
from tournament.models import Event, Seat, TableGame

WINDOW: Final = 0.25
"""Seconds for which a look at the marks counts for everybody (asynchronous server only)."""
MOST: Final = 4000
"""Answers kept by a process; a page of 544 rows takes about 20 kB."""
_LOOKS_ALIKE: Final = ("ETag", "Cache-Control", "Vary")
"""The headers of a 200 that a 304 repeats (RFC 9110, 15.4.5)."""

made: Counter[str] = Counter()
"""How often this process has made a page, or computed standings or their rows."""


@dataclass(frozen=True, slots=True)
class Marks:
    """How far an event's records have come: nothing that a page shows changes without its mark.

    ``entries`` counts the official changes (the audit chain), ``own`` what was written about each
    player, by start number; ``None`` where nobody has asked for it.
    """

    event: uuid.UUID
    version: int
    frame: int = 0
    entries: int = 0
    own: dict[int, int] | None = field(default=None, compare=False, repr=False)

    def of(self, topic: str) -> str:
        """The mark of a topic, as ETags carry it."""
        if topic == "draw":
            return f"d{self.frame}"
        if is_own(topic):
            kind, _colon, number = topic.partition(":")
            of_all = f"d{self.frame}" if kind == "own" else f"v{self.version}"
            return f"{of_all}.{(self.own or {}).get(int(number), 0)}"
        return f"v{self.version}"


def is_own(topic: str) -> bool:
    """Whether a topic follows what is written about one player, and so needs :func:`with_own`."""
    return topic.startswith(("own:", "player:"))


def marks_of(slug: str) -> Marks | None:
    """The marks of the event of that slug, without those of its players; one query."""
    found = (
        Event.objects.filter(slug=slug)
        .annotate(
            entries=Subquery(AuditHead.objects.filter(scope=OuterRef("pk")).values("sequence")[:1])
        )
        .values_list("pk", "version", "frame_version", "entries")
        .first()
    )
    return Marks(found[0], found[1], found[2], found[3] or 0) if found else None


Told = Callable[[uuid.UUID], dict[int, int]]
"""``told(event id)``: start number → how much has been said about that player; it only grows."""
_tellers: list[Told] = []


def told_about_players(teller: Told) -> Told:
    """Register a room above that says things about players; used as a decorator at start-up.

    Whatever it says must raise the mark of the draw as well.
    """
    if teller not in _tellers:
        _tellers.append(teller)
    return teller


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the marks of players are made from and changes with the draw's mark only."""

    seats: list[tuple[int, Any]]
    said: dict[int, int]


_owned: OrderedDict[uuid.UUID, Marks] = OrderedDict()
_frames: OrderedDict[tuple[uuid.UUID, int], _Frame] = OrderedDict()
_counting = threading.Lock()


def with_own(marks: Marks) -> Marks:
    """The same marks with those of the players; a few queries, none while nothing changed.

    A player's mark is how often the sheets of his tables were written, how many results they were
    given, and how much was said about him (:func:`told_about_players`).
    """
    with _counting:
        known = _owned.get(marks.event)
    if known is not None and known == marks:
        return known
    # Who sits where changes with the frame only; how far the sheets are, with every entry.
    key = (marks.event, marks.frame)
    frame = _frames.get(key)
    if frame is None:
        frame = _frame_of(marks.event)
    games = TableGame.objects.filter(
        table__round__stage__event=marks.event, table__round__published_at__isnull=False
    ).order_by()
    versions = dict(games.values_list(_TABLE).annotate(Sum("sheet__version")))
    results = dict(games.values_list(_TABLE).annotate(Count("sheet__results")))
    own = dict(frame.said)
    for number, table in frame.seats:
        own[number] = own.get(number, 0) + versions.get(table, 0) + results.get(table, 0)
    found = Marks(marks.event, marks.version, marks.frame, marks.entries, own)
    with _counting:
        _owned[marks.event] = found
        _frames[key] = frame
        for memory in (_owned, _frames):
            while len(memory) > 16:
                memory.popitem(last=False)
    return found


def _frame_of(event: uuid.UUID) -> _Frame:
    seats = Seat.objects.filter(round__stage__event=event, round__published_at__isnull=False)
    said: Counter[int] = Counter()
    for teller in _tellers:
        said.update(teller(event))
    return _Frame(list(seats.values_list("entrant__number", _TABLE)), dict(said))


_TABLE: Final = ExpressionWrapper(F("table_id"), output_field=TextField())
"""A table as the database names it: made into UUIDs, a day's tables cost more than the counting."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished answer, what it follows, and the mark that it was made under.

    ``parts``: one body for each player, by start number, where one making serves all of them.
    """

    event: uuid.UUID
    topic: str
    mark: str
    version: int
    etag: str
    body: bytes
    headers: tuple[tuple[str, str], ...]
    parts: Mapping[int, bytes] | None = None

    def of(self, player: int) -> Kept | None:
        """The answer for one player; ``None`` where there is none for him."""
        if self.parts is None:
            return self
        body = self.parts.get(player)
        if body is None:
            return None
        headers = (*self.headers, ("Content-Length", str(len(body))))
        return replace(self, body=body, headers=headers, parts=None)

    def unchanged(self) -> tuple[tuple[str, str], ...]:
        """The headers of a 304."""
        return tuple(pair for pair in self.headers if pair[0] in _LOOKS_ALIKE)


def mark_answer(response: HttpResponseBase, marks: Marks, topic: str) -> None:
    """Allow an answer to be kept as long as the mark of its topic stands."""
    response.__dict__["kept_under"] = (marks, topic)


def serves_all(response: HttpResponseBase, parts: Mapping[int, bytes]) -> None:
    """Say that an answer was made together with those of all other players, by start number."""
    response.__dict__["kept_parts"] = parts
    # Compressed here, only this player's would be; each is small.
    response.headers["Content-Encoding"] = "identity"


_OF_ONE: Final = ("Content-Length", "Content-Encoding")
"""Headers of one player's part that are not those of the others."""


@dataclass
class Store:
    """Answers by key, least recently used first."""

    kept: OrderedDict[tuple[Any, ...], Kept] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    hits: int = 0

    def get(self, key: tuple[Any, ...], marks: Marks) -> Kept | None:
        """What is kept under ``key`` if its mark still stands."""
        with self.lock:
            found = self.kept.get(key)
            if (
                found is None or found.event != marks.event or found.mark != marks.of(found.topic)
            ):  # fmt: skip
                return None
            self.hits += 1
            self.kept.move_to_end(key)
            return found

    def put(self, key: tuple[Any, ...], response: HttpResponseBase) -> Kept | None:
        """Keep an answer that its view allows to be kept; ``None`` where it does not."""
        under = response.__dict__.get("kept_under")
        if (
            under is None or response.status_code != 200 or response.streaming or response.cookies
            or not isinstance(response, HttpResponse)
        ):  # fmt: skip
            return None
        marks, topic = under
        parts = response.__dict__.get("kept_parts")
        headers = tuple(response.headers.items())
        if parts is not None:
            headers = tuple(pair for pair in headers if pair[0] not in _OF_ONE)
        with self.lock:
            kept = self.kept[key] = Kept(
                marks.event, topic, marks.of(topic), marks.version, response.headers["ETag"],
                response.content if parts is None else b"", headers, parts,
            )  # fmt: skip
            self.kept.move_to_end(key)
            while len(self.kept) > MOST:
                self.kept.popitem(last=False)
        return kept

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            self.kept.clear()


store = Store()


class Versions:
    """The marks of events as last looked up, each look shared by all who ask meanwhile."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[float, Marks | None]] = {}
        self.looking: dict[str, asyncio.Future[Marks | None]] = {}

    def recent(self, slug: str, at_least: int) -> tuple[bool, Marks | None]:
        """Whether a look still counts, and what it saw."""
        seen = self.seen.get(slug)
        if seen is None or time.monotonic() - seen[0] >= WINDOW:
            return False, None
        marks = seen[1]
        return marks is None or marks.version >= at_least, marks

    async def of(self, slug: str, at_least: int = 0) -> Marks | None:
        """The event's marks, at most :data:`WINDOW` old, and not below version ``at_least``."""
        counts, marks = self.recent(slug, at_least)
        return marks if counts else await self.look(slug)

    async def look(self, slug: str) -> Marks | None:
        """Look now, or wait for the look that somebody else has begun."""
        running = self.looking.get(slug)
        if running is None:
            running = asyncio.ensure_future(self._look(slug))
            self.looking[slug] = running
            running.add_done_callback(lambda _done: self.looking.pop(slug, None))
        return await asyncio.shield(running)

    async def _look(self, slug: str) -> Marks | None:
        began = time.monotonic()
        marks = await sync_to_async(_look_up, thread_sensitive=False)(slug)
        if len(self.seen) > MOST:
            self.seen.clear()
        self.seen[slug] = (began, marks)
        return marks


def _look_up(slug: str) -> Marks | None:
    try:
        marks = marks_of(slug)
        return with_own(marks) if marks is not None else None
    finally:
        # This thread belongs to no request: its connection goes back at once.
        connections.close_all()


versions = Versions()
