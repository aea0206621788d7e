"""Phones in front of the ASGI application, in one event loop with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from django.core.handlers.wsgi import WSGIHandler

from tournament.public.asgi import application
from tournament.public.bridge import WSGIApplication

Reply = tuple[int, dict[str, str], bytes]


class Service:
    """The ASGI application under test; ``django`` replaces Django's WSGI handler."""

    def __init__(self, django: WSGIApplication | None = None) -> None:
        self.noted: list[int] = []
        self.application = application(
            django or WSGIHandler(), lambda status, _seconds: self.noted.append(status)
        )

    async def get(
        self,
        path: str,
        *,
        method: str = "GET",
        scheme: str = "http",
        body: bytes = b"",
        until: bytes = b"",
        **headers: str,
    ) -> Reply:
        """Return status, headers and body; for a stream, all that arrived ``until`` the phone left."""
        address, _mark, query = path.partition("?")
        given = {"host": "testserver", **{n.replace("_", "-"): v for n, v in headers.items()}}
        sent: list[dict[str, Any]] = []
        left = asyncio.Event()
        asked: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if asked and not until:
                return asked.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)
            if until and until in message.get("body", b""):
                left.set()

        scope = {
            "type": "http",
            "method": method,
            "path": address,
            "query_string": query.encode("latin-1"),
            "http_version": "1.1",
            "scheme": scheme,
            "server": ("testserver", 80),
            "client": ("127.0.0.1", 9),
            "headers": [(n.encode(), v.encode()) for n, v in given.items()],
        }
        await self.application(scope, receive, send)
        start, *rest = sent
        found = {n.decode().lower(): v.decode() for n, v in start["headers"]}
        return start["status"], found, b"".join(m.get("body", b"") for m in rest)


def visit(work: Callable[[], Awaitable[Any]]) -> Any:
    """Run the phones' coroutine in its own event loop."""

    async def run() -> Any:
        async with asyncio.timeout(60):
            return await work()

    return asyncio.run(run())
