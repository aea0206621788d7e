"""The ASGI application: streams, marks and finished public pages; all else is Django's, in threads."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final

from django.conf import settings

from ledger.middleware import request_id
from ledger.requests import current_request_id

from .bridge import Bridge, Headers, Receive, Scope, Send, WSGIApplication, encoded, start
from .marks import Marks, topics
from .pages import FollowedEvent, Pages
from .requests import caller_of, is_allowed, is_secure, page_request, player_in
from .sessions import Sessions

Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Note = Callable[[int, float], None]
"""Takes the status and the seconds of every answer that was given without Django."""
HEARTBEAT: Final = 20.0
"""Seconds after which an idle stream sends a comment, so that proxies keep it open."""
_MARKS: Final = re.compile(r"/e/([-\w]{1,60})/(live|version)/")
_ALL_BEAR: Final = [
    ("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Robots-Tag", "noindex"),
]
"""Headers of Django's own answers."""
STREAM: Final = encoded(
    [
        ("Content-Type", "text/event-stream"),
        ("Cache-Control", "no-store"),
        ("X-Accel-Buffering", "no"),
        # Compressed, a message would wait in the compressor for the next one.
        ("Content-Encoding", "identity"),
        *_ALL_BEAR,
    ]
)
_AWAY: Final = encoded(
    [
        ("Retry-After", "5"),
        ("Cache-Control", "no-store"),
        ("Content-Length", "0"),
        *_ALL_BEAR,
    ]
)
"""Phones that follow an event say themselves that they hear nothing and since when."""
_POLL: Final = encoded(
    [
        ("Content-Type", "application/json"),
        ("Cache-Control", "no-cache"),
        *_ALL_BEAR,
    ]
)


def application(django: WSGIApplication, note: Note) -> Application:
    """Build the ASGI application before Django's WSGI handler."""
    pages = Pages(django)
    sessions = Sessions()
    inside = Bridge(django, sessions.is_known)

    async def refuse(number: tuple[bytes, bytes], send: Send) -> None:
        await _send(send, 503, [*_AWAY, number], b"")
        note(503, 0.0)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.monotonic()
        header = Headers(scope["headers"])
        called = request_id(header(b"x-request-id"))
        number = (b"X-Request-ID", called.encode())
        marks = _MARKS.fullmatch(scope["path"]) if scope["method"] == "GET" else None
        if marks is not None and is_allowed(header(b"host"), secure=is_secure(scope, header)):
            event = await pages.event(marks[1])
            if event is not None and event.is_late:
                await refuse(number, send)
                return
            if event is not None and event.marks is not None:
                player = player_in(scope["query_string"].decode("latin-1"))
                if marks[2] == "live":
                    await _stream(event, player, number, receive, send)
                else:
                    body = json.dumps(topics(event.marks, player)).encode()
                    length = (b"Content-Length", str(len(body)).encode())
                    await _send(send, 200, [*_POLL, length, number], body)
                    note(200, time.monotonic() - began)
                return
        request = page_request(scope, header) if marks is None else None
        if request is not None and sessions.names_one(header) and await sessions.is_private(header):
            request = None
            if place := header(b"x-session-node"):
                # The proxy in front asks a web node; this one may be unable to write.
                back = encoded([("X-Accel-Redirect", place), ("Content-Length", "0")])
                await _send(send, 200, [*back, number], b"")
                return
        finished = None
        if request is not None:
            version = _version(header(b"x-live-version"))
            page = pages.finished(request, version)
            if page is None:
                if header(b"x-requested-with") == "live" and pages.is_late(request.slug):
                    await refuse(number, send)
                    return
                # A page requested for the first time is rendered under this request's id.
                current_request_id.set(called)
                page = await pages.get(request, version, caller_of(scope, header))
            finished = page.to(request, header(b"if-none-match")) if page is not None else None
        if finished is not None:
            status, headers, body = finished
            await _send(send, status, [*headers, number], body)
            note(status, time.monotonic() - began)
            return
        await inside(scope, header, receive, send)

    return answer


def _version(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


async def _send(
    send: Send, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes
) -> None:
    await send(start(status, headers))
    await send({"type": "http.response.body", "body": body})


def message(marks: Marks, player: int | None) -> bytes:
    """Write a message of the stream: the changed topics, with the version as its id."""
    return b"id: %d\ndata: %s\n\n" % (
        marks.version,
        json.dumps(topics(marks, player)).encode(),
    )


async def messages(event: FollowedEvent, player: int | None) -> AsyncIterator[bytes]:
    """Yield a message whenever the event's marks have moved, and signs of life between."""
    queue: asyncio.Queue[Marks] = asyncio.Queue(maxsize=1)
    if event.marks is not None:
        # A new listener receives the current marks immediately: the page may be older.
        queue.put_nowait(event.marks)
    event.listeners.add(queue)
    last: dict[str, int] = {}
    try:
        yield b"retry: 2000\n\n"
        while True:
            try:
                marks = await asyncio.wait_for(queue.get(), HEARTBEAT)
            except TimeoutError:
                if event.is_late:
                    # A phone whose stream ends polls, receives a refusal, and shows that it is
                    # offline.
                    return
                yield b": still here\n\n"
                continue
            # A deal at another table is no news for this one.
            if topics(marks, player) != last:
                last = topics(marks, player)
                yield message(marks, player)
    finally:
        event.listeners.discard(queue)


async def _stream(
    event: FollowedEvent,
    player: int | None,
    number: tuple[bytes, bytes],
    receive: Receive,
    send: Send,
) -> None:
    """Send an event's messages until the caller leaves."""
    await send(start(200, [*STREAM, number]))

    async def pump() -> None:
        async for text in messages(event, player):
            await send({"type": "http.response.body", "body": text, "more_body": True})

    async def leave() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    tasks = [asyncio.ensure_future(pump()), asyncio.ensure_future(leave())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
