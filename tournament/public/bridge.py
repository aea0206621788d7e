"""Django's WSGI handler behind an ASGI server: a request comes in whole, a thread answers it."""

from __future__ import annotations

import asyncio
import re
import string
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final
from urllib.parse import quote

from django.conf import settings

from ledger.requests import WAITS

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
WSGIApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
THREADS: Final = 16
"""Requests that Django answers at the same time."""
SIGNING_IN: Final = 2
"""Forms of signing in among them, which have threads of their own: each may wait for others' hashes."""
_SIGN_IN: Final = re.compile(r"/(?:login|setup)/")
IN_MEMORY: Final = 1_000_000
"""Bytes of a request's body from which it waits on disk."""
ALL_STRANGERS: Final = 64_000_000
"""Bytes of all bodies that strangers are sending at a time."""
STRANGER_SECONDS: Final = 30.0
"""Seconds in which a stranger's body comes whole."""
KNOWN_SECONDS: Final = 600.0
"""Seconds for that of a caller who has a session or a token: 50 MB on a slow line."""
_UPLOADS: Final = re.compile(r"/(?:desk|api/v1)/")
"""Below these addresses files are sent, by staff and their programs."""
NO_PREFIX: Final = (b"content-length", b"content-type")
"""Headers that WSGI names without ``HTTP_``."""


class Headers:
    """The headers of a request by their names (lower case), repeated ones joined as Django does."""

    def __init__(self, pairs: Sequence[tuple[bytes, bytes]]) -> None:
        self.sent = dict(pairs)
        if len(self.sent) < len(pairs):
            self.sent = {}
            for name, value in pairs:
                before = self.sent.get(name)
                between = b"; " if name == b"cookie" else b","
                self.sent[name] = value if before is None else before + between + value

    def __call__(self, name: bytes) -> str:
        """Return the header's text, empty where there is none."""
        value = self.sent.get(name)
        return value.decode("latin-1") if value else ""


def ascii_query(query: bytes) -> str:
    """Quote the bytes of a query that no address should hold, as other servers do."""
    return query.decode() if query.isascii() else quote(query, safe=string.punctuation)


def encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI sends them."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def start(status: int, headers: Iterable[tuple[bytes, bytes]]) -> Message:
    """Build the message that begins an answer."""
    return {"type": "http.response.start", "status": status, "headers": headers}


def environ(method: str, path: str, query: str, scheme: str, body: IO[bytes]) -> dict[str, object]:
    """Build the WSGI environment that all requests share."""
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": scheme,
        "wsgi.version": (1, 0),
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


IsKnown = Callable[[Headers], Awaitable[bool]]
_REFUSED: Final = [(b"Content-Length", b"0"), (b"Retry-After", b"5"), (b"Connection", b"close")]


@dataclass(slots=True)
class Body:
    """A request's body while it comes."""

    file: IO[bytes]
    size: int = 0
    is_whole: bool = False


class Bridge:
    """Hand requests to Django in a bounded pool of threads.

    A slow sender holds no thread; an answer is sent in one piece unless it is a stream.
    """

    def __init__(self, django: WSGIApplication, is_known: IsKnown | None = None) -> None:
        self.django, self.is_known = django, is_known
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="django")
        self.signing_in = ThreadPoolExecutor(SIGNING_IN, thread_name_prefix="sign-in")
        self.of_strangers = 0

    async def __call__(self, scope: Scope, header: Headers, receive: Receive, send: Send) -> None:
        """Answer one request; not at all where its sender left before all of it had come."""
        if scope["method"] in ("GET", "HEAD") and not header(b"content-length"):
            await self._pass_on(BytesIO(), scope, header, send)
            return
        known = await self._may_send_long(scope, header)
        body = Body(SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115 (closed with the answer)
        try:
            refusal = await self._receive(body, receive, known=known)
            if body.is_whole:
                await self._pass_on(body.file, scope, header, send)
                return
            body.file.close()
            if refusal:
                await send(start(refusal, _REFUSED))
                await send({"type": "http.response.body", "body": b""})
        finally:
            self.of_strangers -= 0 if known else body.size

    async def _may_send_long(self, scope: Scope, header: Headers) -> bool:
        """Whether more is read of a body than forms hold: of staff and programs, where files are sent."""
        length = header(b"content-length")
        is_short = length.isdigit() and int(length) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if is_short or self.is_known is None or not _UPLOADS.match(scope["path"]):
            return False
        return await self.is_known(header)

    async def _receive(self, body: Body, receive: Receive, *, known: bool) -> int:
        """Read a body as far as any page reads it; returns the status of a refusal, or 0."""
        most = 5 * settings.IMPORT_MAX_BYTES if known else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        try:
            async with asyncio.timeout(KNOWN_SECONDS if known else STRANGER_SECONDS):
                while body.size <= most and not body.is_whole:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return 0
                    sent = message.get("body", b"")[: most + 1 - body.size]
                    body.size += len(sent)
                    if not known:
                        self.of_strangers += len(sent)
                        if self.of_strangers > ALL_STRANGERS:
                            return 503
                    body.file.write(sent)
                    body.is_whole = not message.get("more_body", False)
        except TimeoutError:
            return 408
        body.is_whole = True
        body.file.seek(0)
        return 0

    async def _pass_on(self, body: IO[bytes], scope: Scope, header: Headers, send: Send) -> None:
        loop = asyncio.get_running_loop()

        def push(message: Message) -> None:
            asyncio.run_coroutine_threadsafe(_send(send, message), loop).result()

        waits: list[float] = []
        given = _environ(scope, header, body) | {WAITS: waits}
        signs_in = scope["method"] == "POST" and _SIGN_IN.match(scope["path"])
        threads = self.signing_in if signs_in else self.pool
        messages = await loop.run_in_executor(threads, self._answer, given, push)
        if waits:
            await asyncio.sleep(sum(waits))
        for message in messages:
            await send(message)

    def _answer(self, given: dict[str, Any], push: Callable[[Message], None]) -> list[Message]:
        begun: list[Message] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], _error: object = None
        ) -> None:
            begun.append(start(int(status[:3]), encoded(headers)))

        chunks = self.django(given, start_response)
        try:
            if not getattr(chunks, "streaming", False):
                return [*begun, {"type": "http.response.body", "body": b"".join(chunks)}]
            push(begun[0])
            for chunk in chunks:
                push({"type": "http.response.body", "body": chunk, "more_body": True})
            return [{"type": "http.response.body", "body": b""}]
        finally:
            getattr(chunks, "close", lambda: None)()
            given["wsgi.input"].close()


async def _send(send: Send, message: Message) -> None:
    await send(message)


def _environ(scope: Scope, header: Headers, body: IO[bytes]) -> dict[str, object]:
    query = ascii_query(scope["query_string"])
    given = environ(scope["method"], scope["path"], query, scope.get("scheme", "http"), body)
    host, port = scope.get("server") or ("localhost", 80)
    given["SERVER_NAME"], given["SERVER_PORT"] = host, str(port or 0)
    if scope.get("client"):
        given["REMOTE_ADDR"], given["REMOTE_PORT"] = scope["client"][0], str(scope["client"][1])
    for name, value in header.sent.items():
        if b"_" in name:
            # As WSGI names it, it could pass for another one.
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        given[key if name in NO_PREFIX else f"HTTP_{key}"] = value.decode("latin-1")
    return given
