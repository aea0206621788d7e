"""The live stream of an event: one line whenever its version changes, with what has changed.

A message is JSON, topic → version: ``event`` (anything), ``draw`` (tables, rounds, clocks).

However many phones listen, one coroutine per process looks at the database, twice a second, for
all events that anybody listens to.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass

from asgiref.sync import sync_to_async
from django.db import DatabaseError, connections
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from ledger.access import public
from tournament.front import versions
from tournament.models import Event
from tournament.selectors.rounds import draw_marks

PAUSE = 0.4
"""Seconds between two looks at the database."""
HEARTBEAT = 20.0
"""Seconds after which an idle stream sends a comment, so that proxies keep it open."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was last seen of an event."""

    pk: uuid.UUID
    version: int
    draw: int


def _versions(slugs: list[str]) -> dict[str, tuple[uuid.UUID, int]]:
    try:
        return {
            slug: (pk, version)
            for slug, pk, version in Event.objects.filter(slug__in=slugs).values_list(
                "slug", "pk", "version"
            )
        }
    finally:
        connections.close_all()


def _draws(slugs: list[str]) -> dict[str, int]:
    try:
        return draw_marks(slugs)
    finally:
        connections.close_all()


class Watch:
    """The one watcher of a process: who listens to which event, and what they last saw."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[asyncio.Queue[Seen]]] = {}
        self.known: dict[str, Seen] = {}
        self.task: asyncio.Task[None] | None = None

    def join(self, slug: str) -> asyncio.Queue[Seen]:
        """Begin to listen; the watcher runs as long as anybody listens."""
        queue: asyncio.Queue[Seen] = asyncio.Queue(maxsize=1)
        if slug in self.known:
            # Whoever joins is told at once where things stand: his page may be older.
            queue.put_nowait(self.known[slug])
        self.listeners.setdefault(slug, set()).add(queue)
        if self.task is None or self.task.done():
            self.task = asyncio.get_running_loop().create_task(self.run())
        return queue

    def leave(self, slug: str, queue: asyncio.Queue[Seen]) -> None:
        """Stop listening."""
        heard = self.listeners.get(slug, set())
        heard.discard(queue)
        if not heard:
            self.listeners.pop(slug, None)
            self.known.pop(slug, None)

    async def run(self) -> None:
        """Look, tell, sleep, until nobody listens."""
        look = sync_to_async(_versions, thread_sensitive=False)
        look_at_draws = sync_to_async(_draws, thread_sensitive=False)
        while self.listeners:
            try:
                seen = await look(list(self.listeners))
                new = {
                    slug: tag for slug, tag in seen.items()
                    if slug not in self.known or self.known[slug].version != tag[1]
                }  # fmt: skip
                marks = await look_at_draws(list(new)) if new else {}
            except DatabaseError:
                # The database is away: say nothing now, tell the change once it is back.
                await asyncio.sleep(2)
                continue
            for slug, tag in new.items():
                self.tell(slug, Seen(*tag, marks[slug]))
            await asyncio.sleep(PAUSE)

    def tell(self, slug: str, seen: Seen) -> None:
        """Tell all who listen; whoever has not yet read the last message reads this one instead."""
        self.known[slug] = seen
        versions.heard(slug, (seen.pk, seen.version))
        for queue in self.listeners.get(slug, ()):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(seen)


watch = Watch()


def _told(seen: Seen) -> bytes:
    """One message of the stream: topic → version."""
    return (
        f'id: {seen.version}\ndata: {{"event": {seen.version}, "draw": {seen.draw}}}\n\n'.encode()
    )


async def _lines(slug: str) -> AsyncIterator[bytes]:
    queue = watch.join(slug)
    try:
        yield b"retry: 2000\n\n"
        while True:
            try:
                told = await asyncio.wait_for(queue.get(), HEARTBEAT)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            yield _told(told)
    finally:
        watch.leave(slug, queue)


@public
@require_safe
async def stream(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Server-sent events with the event's version as data."""
    if await versions.of(slug, 0) is None:
        raise Http404
    response = StreamingHttpResponse(_lines(slug), content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    # Compressed, a message would wait in the compressor for the next one.
    response["Content-Encoding"] = "identity"
    return response
