"""The live stream of an event: one line whenever its version changes.

However many phones listen, one coroutine per process looks at the database, twice a second, for
all events that anybody listens to.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.db import DatabaseError
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from ledger.access import public
from tournament.models import Event

PAUSE = 0.4
"""Seconds between two looks at the database."""
HEARTBEAT = 20.0
"""Seconds after which an idle stream sends a comment, so that proxies keep it open."""


def _versions(slugs: list[str]) -> dict[str, int]:
    return dict(Event.objects.filter(slug__in=slugs).values_list("slug", "version"))


class Watch:
    """The one watcher of a process: who listens to which event, and what they last saw."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[asyncio.Queue[int]]] = {}
        self.known: dict[str, int] = {}
        self.task: asyncio.Task[None] | None = None

    def join(self, slug: str) -> asyncio.Queue[int]:
        """Begin to listen; the watcher runs as long as anybody listens."""
        queue: asyncio.Queue[int] = asyncio.Queue(maxsize=1)
        self.listeners.setdefault(slug, set()).add(queue)
        if self.task is None or self.task.done():
            self.task = asyncio.get_running_loop().create_task(self.run())
        return queue

    def leave(self, slug: str, queue: asyncio.Queue[int]) -> None:
        """Stop listening."""
        heard = self.listeners.get(slug, set())
        heard.discard(queue)
        if not heard:
            self.listeners.pop(slug, None)
            self.known.pop(slug, None)

    async def run(self) -> None:
        """Look, tell, sleep, until nobody listens."""
        look = sync_to_async(_versions, thread_sensitive=False)
        while self.listeners:
            try:
                seen = await look(list(self.listeners))
            except DatabaseError:
                # The database is away: say nothing now, tell the change once it is back.
                await asyncio.sleep(2)
                continue
            for slug, version in seen.items():
                if self.known.get(slug) == version:
                    continue
                self.known[slug] = version
                for queue in self.listeners.get(slug, ()):
                    if queue.full():
                        queue.get_nowait()
                    queue.put_nowait(version)
            await asyncio.sleep(PAUSE)


watch = Watch()


def _told(version: int) -> bytes:
    """One message of the stream: topic → version."""
    return f'id: {version}\ndata: {{"event": {version}}}\n\n'.encode()


async def _lines(slug: str, version: int) -> AsyncIterator[bytes]:
    queue = watch.join(slug)
    try:
        yield b"retry: 2000\n" + _told(version)
        while True:
            try:
                told = await asyncio.wait_for(queue.get(), HEARTBEAT)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            if told != version:
                version = told
                yield _told(version)
    finally:
        watch.leave(slug, queue)


@public
@require_safe
async def stream(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Server-sent events with the event's version as data."""
    version = await Event.objects.filter(slug=slug).values_list("version", flat=True).afirst()
    if version is None:
        raise Http404
    response = StreamingHttpResponse(_lines(slug, version), content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response
