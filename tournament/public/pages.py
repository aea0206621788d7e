"""The finished public pages of a process: made when their event changes, handed out until then.

A hall of phones requests the same few pages. Each recently requested page is rendered by Django as
soon as the marks of its event move, once; then the new marks are announced, to the streams too.
Rendering delays the announcement by :data:`HEAD_START` at most: the most requested pages come
first, no more than :data:`MADE_AGAIN` of them, and the unfinished ones follow. So a phone that
receives a change rarely waits for a shared page, and a robot with many requests delays no change.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID
from weakref import WeakValueDictionary

import structlog
from django.db import DatabaseError, InterfaceError

from ledger.requests import RENDERED_FOR, current_request_id

from .bridge import WSGIApplication, encoded
from .conditional import EACH, PART, Part
from .marks import Marks, look_up
from .requests import PageRequest

log = structlog.get_logger(__name__)
INTERVAL: Final = 0.1
"""Seconds between two look-ups of the marks of an event with readers."""
FORGOTTEN: Final = 600.0
"""Seconds without a request after which an event is not followed any more, and a page not rendered again."""
OUT_OF_DATE: Final = 5.0
"""Seconds of failing looks at the marks after which phones hear that nothing is known any more."""
DEAD: Final = 30.0
"""Seconds after which a look at the marks that does not come back counts as a failing one."""
HEAD_START: Final = 0.5
"""Seconds for rendering shared pages before a change is announced, finished or not."""
MADE_AGAIN: Final = 120
"""Number of shared pages rendered again when an event changes, the most requested first."""
PATIENCE: Final = 5.0
"""Seconds that a request waits for a version it has seen elsewhere."""
CHARTS: Final = "part=charts"
INTERVALS: Final = {"part=place": 0.8, CHARTS: 4.0}
"""Seconds from one rendering of all players' ranks, or charts, to the next: every result changes all."""
BATCH: Final = 64
"""Players whose games are made together with those of the one who asks."""
ROOM: Final = 4000
"""Answers in memory; a page of 544 rows takes about 20 kB packed, 200 kB otherwise."""
ROOM_BYTES: Final = 96_000_000
"""Bytes of all answers in memory."""
_OF_ONE: Final = (b"content-length", b"content-encoding")
"""Headers of one player's part that are not those of the others."""
_UNCHANGED: Final = (b"etag", b"cache-control", b"vary")
"""The headers of a 200 that a 304 repeats (RFC 9110, 15.4.5)."""
Header = tuple[bytes, bytes]
"""A header as it is sent: an answer that is handed out a thousand times is encoded once."""


@dataclass(slots=True)
class Answer:
    """An answer of Django's, and the mark that it was made under; without a topic it is not stored."""

    status: int
    headers: list[Header]
    body: bytes
    event: UUID | None = None
    topic: str = ""
    mark: str = ""
    version: int = 0
    etag: str = ""
    bodies: Mapping[int, bytes] = field(default_factory=dict)
    made_at: float = 0.0
    asked_at: float = 0.0
    requests: int = 0
    unchanged: list[Header] = field(init=False)

    def __post_init__(self) -> None:
        self.unchanged = [pair for pair in self.headers if pair[0].lower() in _UNCHANGED]

    @property
    def size(self) -> int:
        """Bytes of the bodies."""
        return len(self.body) + sum(map(len, self.bodies.values()))

    def is_true(self, marks: Marks) -> bool:
        """Whether what it shows is what the records say."""
        return self.event == marks.event and self.mark == marks.of(self.topic)

    def to(
        self, request: PageRequest, if_none_match: str
    ) -> tuple[int, list[Header], bytes] | None:
        """Status, headers and body for a caller; ``None`` where there is none for that player."""
        if self.topic and if_none_match and self.etag.removeprefix("W/") in if_none_match:
            return 304, self.unchanged, b""
        headers, body = self.headers, self.body
        if self.bodies:
            part = self.bodies.get(request.player)
            if part is None:
                return None
            headers, body = [*headers, _length(part)], part
        return self.status, headers, body


def _length(body: bytes) -> Header:
    return b"Content-Length", str(len(body)).encode()


class FollowedEvent:
    """An event with current readers: its last announced marks, and the streams that follow them."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.marks: Marks | None = None
        self.ready = asyncio.Event()
        self.moved = asyncio.Event()
        self.listeners: set[asyncio.Queue[Marks]] = set()
        self.asked_at = time.monotonic()
        self.unseen_since: float | None = None
        self.is_failing = False

    @property
    def is_late(self) -> bool:
        """Whether the records cannot be reached: a look fails for long, or one never comes back.

        A busy process is not late: it hands out what it knows until there is more to hand out.
        """
        allowed = OUT_OF_DATE if self.is_failing else DEAD
        return self.unseen_since is not None and time.monotonic() - self.unseen_since > allowed

    def announce(self, marks: Marks) -> None:
        """Send the marks to all listeners; a message not read yet is replaced."""
        self.marks = marks
        self.ready.set()
        moved, self.moved = self.moved, asyncio.Event()
        moved.set()
        for queue in self.listeners:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(marks)

    async def reach(self, version: int) -> Marks | None:
        """Wait until the marks reach the caller's version, and return them."""
        if self.marks is None or self.marks.version >= version:
            return self.marks
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self.marks is not None and self.marks.version < version:
                    await self.moved.wait()
        return self.marks


class Pages:
    """Finished answers of a process, for all events with current readers."""

    def __init__(self, django: WSGIApplication) -> None:
        self.django = django
        self.answers: OrderedDict[PageRequest, Answer] = OrderedDict()
        self.bytes = 0
        self.renders: dict[PageRequest, asyncio.Future[Answer]] = {}
        self.events: dict[str, FollowedEvent] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        # Looking up marks and rendering shared pages never waits for one player's page. There are
        # no more threads than these: one that reads row by row would wait at every row for those
        # that render.
        self.looks = ThreadPoolExecutor(2, thread_name_prefix="marks")
        self.first = ThreadPoolExecutor(1, thread_name_prefix="pages-of-all")
        self.executor = ThreadPoolExecutor(1, thread_name_prefix="pages")
        self.searches = asyncio.Semaphore(1)
        self.callers: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.batches = asyncio.Lock()

    async def event(self, slug: str) -> FollowedEvent | None:
        """Return the event with its marks, which may be late; ``None`` for an unknown event."""
        event = self.events.get(slug)
        if event is None:
            event = self.events[slug] = FollowedEvent(slug)
            # Its renderings do not carry the id of the first request.
            task = asyncio.get_running_loop().create_task(self._follow(event), context=Context())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        event.asked_at = time.monotonic()
        await event.ready.wait()
        return None if event.marks is None else event

    def is_late(self, slug: str) -> bool:
        """Return whether the known marks of the event may be out of date."""
        event = self.events.get(slug)
        return event is not None and event.is_late

    def finished(self, request: PageRequest, version: int) -> Answer | None:
        """Return the stored answer if it is valid, and not older than the caller's version."""
        event, answer = self.events.get(request.slug), self.answers.get(request)
        if event is None or answer is None or event.marks is None or event.is_late:
            return None
        if event.marks.version < version or not answer.is_true(event.marks):
            return None
        event.asked_at = answer.asked_at = time.monotonic()
        answer.requests += 1
        self.answers.move_to_end(request)
        return answer

    async def get(self, request: PageRequest, version: int = 0, caller: str = "") -> Answer | None:
        """Return the answer to a request, not older than the ``version`` that its ``caller`` has
        seen.

        While the records cannot be reached, return the last known answer of a page.
        """
        event = await self.event(request.slug)
        if event is not None and event.is_late:
            return self.answers.get(request) if request.path.startswith("/e/") else None
        marks = await event.reach(version) if event is not None else None
        if marks is None:
            return None
        answer = self.finished(request, version)
        if answer is not None:
            return answer
        if request.player or request in self.renders:
            return await self.update(request, marks)
        # However many pages and questions of their own robots think up, the hall's pages come first; of
        # those of one address one waits with the others'.
        kind = "page" if request.is_listed else "question"
        async with self.callers.setdefault(f"{kind} {caller}", asyncio.Lock()):
            if request.is_listed:
                return await self.update(request, marks)
            async with self.searches:
                return await self.update(request, marks)

    async def update(self, request: PageRequest, marks: Marks) -> Answer:
        """Return the answer under these marks or later ones; render it unless another request has."""
        while True:
            answer = self.answers.get(request)
            if answer is not None and (answer.is_true(marks) or answer.version >= marks.version):
                return answer
            render = self.renders.get(request)
            mine = render is None
            if render is None:
                render = self.renders[request] = asyncio.ensure_future(self._make_once(request))
            answer = await asyncio.shield(render)
            # A number without a player does not prove that the others are missing.
            if not answer.topic and (mine or not request.is_for_all):
                return answer

    async def _make_once(self, request: PageRequest) -> Answer:
        # Removed by itself: one who needs later marks would wait for the ended one again and again,
        # and never give way to what removes it.
        try:
            return await self._make(request)
        finally:
            del self.renders[request]

    async def _make(self, request: PageRequest) -> Answer:
        before = self.answers.get(request)
        if request.query in INTERVALS and before is not None:
            await asyncio.sleep(before.made_at + INTERVALS[request.query] - time.monotonic())
        if request.query != EACH:
            return await self._render_in_thread(request)
        # One rendering serves many of those who wait for their turn.
        async with self.batches:
            event, answer = self.events.get(request.slug), self.answers.get(request)
            marks = event.marks if event is not None else None
            if marks is None or answer is None or not answer.is_true(marks):
                answer = await self._render_in_thread(request, marks)
            return answer

    async def _render_in_thread(self, request: PageRequest, marks: Marks | None = None) -> Answer:
        loop = asyncio.get_running_loop()
        wanted = self._wanted(request, marks) if marks is not None else ()
        threads = self.first if request.is_everybodys else self.executor
        number = current_request_id.get()
        answers = await loop.run_in_executor(threads, self._render, request, wanted, number)
        for asked_for, answer in answers.items():
            if answer.topic:
                self._store(asked_for, answer)
        while len(self.answers) > ROOM or (self.bytes > ROOM_BYTES and len(self.answers) > 1):
            _request, least = self.answers.popitem(last=False)
            self.bytes -= least.size
        return answers[request]

    def _store(self, request: PageRequest, answer: Answer) -> None:
        before = self.answers.pop(request, None)
        if before is not None:
            self.bytes -= before.size
            # Earlier requests count less and less.
            answer.asked_at, answer.requests = before.asked_at, before.requests // 2
        else:
            answer.asked_at = time.monotonic()
        # The request comes first by whose number the answer was made: that player is there.
        self.answers[request] = answer
        self.bytes += answer.size

    def _wanted(self, request: PageRequest, marks: Marks) -> tuple[int, ...]:
        """Further players whose answers are out of date, the next ones by number first."""
        numbers = sorted(marks.own or (), key=lambda number: (number < request.player, number))
        wanted: list[int] = []
        for number in numbers:
            answer = self.answers.get(request.of_player(number))
            if number != request.player and (answer is None or not answer.is_true(marks)):
                wanted.append(number)
            if len(wanted) == BATCH:
                break
        return tuple(wanted)

    def _render(
        self, request: PageRequest, wanted: tuple[int, ...] = (), number: str = ""
    ) -> dict[PageRequest, Answer]:
        part = Part(wanted=wanted)
        started: list[Any] = []
        made_at = time.monotonic()
        given = {**request.environ(), PART: part, RENDERED_FOR: number}
        chunks = self.django(given, lambda *words: started.extend(words[:2]))
        try:
            body = b"".join(chunks)
        finally:
            getattr(chunks, "close", lambda: None)()
        status, headers = int(started[0].split(" ", 1)[0]), list(started[1])
        names = {name.lower(): value for name, value in headers}
        sent = [pair for pair in encoded(headers) if pair[0].lower() != b"x-request-id"]
        if status != 200 or part.marks is None or "set-cookie" in names:
            return {request: Answer(status, sent, body)}
        marks = part.marks

        def answer(topic: str, etag: str, headers: list[Header], body: bytes) -> Answer:
            mark, version = marks.of(topic), marks.version
            return Answer(
                status, headers, body, marks.event, topic, mark, version, etag, made_at=made_at
            )

        if not part.bodies:
            return {request: answer(part.topic, names["etag"], sent, body)}
        shared = [pair for pair in sent if pair[0].lower() not in _OF_ONE]
        if not part.etags:
            for_all = answer(part.topic, names["etag"], shared, b"")
            for_all.bodies = part.bodies
            return {request: for_all}
        own = [pair for pair in shared if pair[0].lower() != b"etag"]
        return {
            request.of_player(number): answer(
                f"own:{number}",
                etag,
                [*own, (b"ETag", etag.encode("latin-1")), _length(part.bodies[number])],
                part.bodies[number],
            )
            for number, etag in part.etags.items()
        }

    async def _follow(self, event: FollowedEvent) -> None:
        """Make the pages of an event whenever its marks have moved, then announce them."""
        loop = asyncio.get_running_loop()
        ranks: asyncio.Future[None] | None = None
        shared: asyncio.Future[None] | None = None
        try:
            while event.listeners or time.monotonic() - event.asked_at < FORGOTTEN:
                if event.unseen_since is None:
                    event.unseen_since = time.monotonic()
                try:
                    marks = await loop.run_in_executor(self.looks, look_up, event.slug)
                except (DatabaseError, InterfaceError) as error:
                    log.warning("marks_without_database", slug=event.slug, error=str(error))
                    event.is_failing = True
                    event.ready.set()
                    await asyncio.sleep(1)
                    continue
                event.unseen_since, event.is_failing = None, False
                if marks is None:
                    break
                if marks != event.marks:
                    # Shared pages first; the parts of players' pages meanwhile.
                    if shared is not None:
                        shared.cancel()
                    shared = asyncio.ensure_future(self._make_again(event, marks, for_all=False))
                    await asyncio.wait([shared], timeout=HEAD_START)
                    if shared.done():
                        shared.result()
                    event.announce(marks)
                if ranks is None or ranks.done():
                    ranks = asyncio.ensure_future(self._make_again(event, marks, for_all=True))
                await asyncio.sleep(INTERVAL)
        finally:
            if shared is not None:
                shared.cancel()
            self.events.pop(event.slug, None)
            event.marks = None
            event.ready.set()
            event.moved.set()

    async def _make_again(self, event: FollowedEvent, marks: Marks, *, for_all: bool) -> None:
        """Make what was asked for lately, the most asked for first; charts come with the next question for them."""
        now = time.monotonic()
        lately = [
            (answer.requests, request)
            for request, answer in self.answers.items()
            if request.slug == event.slug
            and request.is_shared
            and request.is_for_all is for_all
            and request.query != CHARTS
            and now - answer.asked_at < FORGOTTEN
            and now - answer.made_at >= INTERVALS.get(request.query, 0.0)
            and not answer.is_true(marks)
        ]
        lately.sort(key=lambda each: -each[0])
        for _requests, request in lately[:MADE_AGAIN]:
            await self.update(request, marks)
