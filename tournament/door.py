"""The way in for a hall of phones: kept pages leave at the server's door, before Django is entered.

Wraps the ASGI application. A request that :mod:`tournament.front` would answer from its store is
answered here for a tenth of the work, with the same bytes and headers; so is the poll of an
event's marks. Of those who ask for a page that must be made, one goes in, and the others wait here
for what he brings. Everything else goes in as it came.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qs

from django.conf import settings
from django.db import DatabaseError
from django.http.request import split_domain_port, validate_host

from ledger.middleware import request_id
from tournament.front import FLIGHT, Asked, Flight, Flights, asked_of
from tournament.kept import Kept, Marks, versions
from tournament.views.live import number_in, topics

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Note = Callable[[int, float], None]
"""Told the status and the seconds of every answer given at the door."""
Answer = tuple[int, list[tuple[str, str]], bytes]
"""Status, headers and body."""
_POLL: Final = re.compile(r"/e/[-\w]{1,60}/version/")


class Headers:
    """The headers of a request by their lower-case names, repeated ones joined as Django does."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self.known: dict[str, str] = {}
        for raw, value in pairs:
            name = raw.decode("latin-1").lower()
            text = value.decode("latin-1")
            if name in self.known:
                text = self.known[name] + ("; " if name == "cookie" else ",") + text
            self.known[name] = text

    def __call__(self, name: str) -> str:
        """The header's text, empty where there is none."""
        return self.known.get(name, "")


def is_secure(scope: Scope, header: Headers) -> bool:
    """As ``HttpRequest.is_secure``: the proxy's word where it is trusted, else the connection's."""
    trusted = settings.SECURE_PROXY_SSL_HEADER
    if trusted:
        said = header(trusted[0].removeprefix("HTTP_").replace("_", "-").lower())
        if said:
            return bool(said.split(",", 1)[0].strip() == trusted[1])
    return bool(scope.get("scheme") == "https")


@lru_cache(maxsize=64)
def _welcome(host: str) -> bool:
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _poll(marks: Marks, query: str) -> Answer:
    player = number_in(parse_qs(query).get("player", [""])[-1])
    body = json.dumps(topics(marks, player)).encode()
    return 200, [
        ("Content-Type", "application/json"), ("Cache-Control", "no-cache"),
        ("Content-Length", str(len(body))), ("X-Content-Type-Options", "nosniff"),
    ], body  # fmt: skip


def _hit(asked: Asked, kept: Kept) -> Answer:
    if asked.has(kept):
        return 304, list(kept.unchanged()), b""
    return 200, list(kept.headers), kept.body


def door(application: Application, note: Note) -> Application:
    """The application behind its door."""
    flights = Flights()

    async def found_of(
        scope: Scope, header: Headers, asked: Asked, secure: bool
    ) -> Answer | Flight | None:
        """What can be answered at the door, or a flight to go in with; else the way is free."""
        if _POLL.fullmatch(scope["path"]):
            if not (_welcome(header("host")) and (secure or not settings.SECURE_SSL_REDIRECT)):
                return None
            marks = await versions.of(asked.slug, asked.told)
            return None if marks is None else _poll(marks, str(asked.key[1]))
        found = await flights.board(asked)
        return _hit(asked, found) if isinstance(found, Kept) else found

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        began = time.monotonic()
        header = Headers(scope["headers"])
        secure = is_secure(scope, header)
        query = scope["query_string"].decode("latin-1")
        asked = asked_of(scope["method"], scope["path"], query, secure=secure, header=header)
        found = None
        try:
            if asked is not None:
                found = await found_of(scope, header, asked, secure)
        except DatabaseError:
            # Inside, the same look fails with the page that says so.
            found = None
        if asked is None or found is None:
            await application(scope, receive, send)
            return
        if isinstance(found, Flight):
            entering = {**scope, FLIGHT: found}
            brought = await flights.fly(asked, found, lambda: application(entering, receive, send))
            if brought is None:
                return
            found = _hit(asked, brought)
        status, headers, body = found
        headers.append(("X-Request-ID", request_id(header("x-request-id"))))
        await send(
            {
                "type": "http.response.start", "status": status,
                "headers": [(n.encode("latin-1"), v.encode("latin-1")) for n, v in headers],
            }
        )  # fmt: skip
        await send({"type": "http.response.body", "body": body})
        note(status, time.monotonic() - began)

    return answer
