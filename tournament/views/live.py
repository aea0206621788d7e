"""The live stream of an event: one line whenever it has changed, with what has changed.

A message is JSON, topic → mark: ``event`` (the version: anything), ``draw`` (tables, rounds,
clocks, names, rulings: all but results) and, for who names a player (``?player=17``), ``mine``:
the sheets of the tables where he sat, deals that nobody has signed yet included.

However many phones listen, one coroutine per process looks at the database, for all events that
anybody listens to. Who cannot keep a stream polls :func:`version`, which says the same.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from django.db import DatabaseError
from django.http import Http404, HttpRequest, JsonResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from ledger.access import public
from tournament.kept import Marks, marks_of, versions, with_own

PAUSE = 0.2
"""Seconds between two looks at the database."""
HEARTBEAT = 20.0
"""Seconds after which an idle stream sends a comment, so that proxies keep it open."""


class Watch:
    """The one watcher of a process: who listens to which event, and what they last saw."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[asyncio.Queue[Marks]]] = {}
        self.known: dict[str, Marks] = {}
        self.task: asyncio.Task[None] | None = None

    def join(self, slug: str) -> asyncio.Queue[Marks]:
        """Begin to listen; the watcher runs as long as anybody listens."""
        queue: asyncio.Queue[Marks] = asyncio.Queue(maxsize=1)
        if slug in self.known:
            # Whoever joins is told at once where things stand: his page may be older.
            queue.put_nowait(self.known[slug])
        self.listeners.setdefault(slug, set()).add(queue)
        if self.task is None or self.task.done():
            self.task = asyncio.get_running_loop().create_task(self.run())
        return queue

    def leave(self, slug: str, queue: asyncio.Queue[Marks]) -> None:
        """Stop listening."""
        heard = self.listeners.get(slug, set())
        heard.discard(queue)
        if not heard:
            self.listeners.pop(slug, None)
            self.known.pop(slug, None)

    async def run(self) -> None:
        """Look, tell, sleep, until nobody listens."""
        while self.listeners:
            try:
                for slug in list(self.listeners):
                    marks = await versions.look(slug)
                    if marks and slug in self.listeners and marks != self.known.get(slug):
                        self.tell(slug, marks)
            except DatabaseError:
                # The database is away: say nothing now, tell the change once it is back.
                await asyncio.sleep(2)
                continue
            await asyncio.sleep(PAUSE)

    def tell(self, slug: str, marks: Marks) -> None:
        """Tell all who listen; whoever has not yet read the last message reads this one instead."""
        self.known[slug] = marks
        for queue in self.listeners.get(slug, ()):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(marks)


watch = Watch()


def number_in(text: str) -> int | None:
    """A start number as an address names it; ``None`` for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


def player_of(request: HttpRequest) -> int | None:
    """The player that the caller follows, by start number."""
    return number_in(request.GET.get("player", ""))


def topics(marks: Marks, player: int | None) -> dict[str, Any]:
    """Topic → mark, as the stream and the poll say it."""
    told = {"event": marks.version, "draw": marks.frame}
    if player is not None:
        told["mine"] = (marks.own or {}).get(player, 0)
    return told


async def _lines(slug: str, player: int | None) -> AsyncIterator[bytes]:
    queue = watch.join(slug)
    last = b""
    try:
        yield b"retry: 2000\n\n"
        while True:
            try:
                marks = await asyncio.wait_for(queue.get(), HEARTBEAT)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            said = f"data: {json.dumps(topics(marks, player))}\n\n".encode()
            # A deal at another table is no news for this one.
            if said != last:
                last = said
                yield f"id: {marks.version}\n".encode() + said
    finally:
        watch.leave(slug, queue)


@public
@require_safe
async def stream(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Server-sent events with the event's marks as data."""
    if await versions.of(slug) is None:
        raise Http404
    response = StreamingHttpResponse(
        _lines(slug, player_of(request)), content_type="text/event-stream"
    )
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    # Compressed, a message would wait in the compressor for the next one.
    response["Content-Encoding"] = "identity"
    return response


@public
@require_safe
def version(request: HttpRequest, slug: str) -> JsonResponse:
    """The event's marks, as the stream tells them: what a phone polls where it has no stream."""
    marks = marks_of(slug)
    if marks is None:
        raise Http404
    player = player_of(request)
    answer = JsonResponse(topics(marks if player is None else with_own(marks), player))
    answer["Cache-Control"] = "no-cache"
    return answer
