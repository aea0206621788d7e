"""Public pages answered before anything else runs: kept whole, as long as the event's version stands.

A hall of phones asks for the same few pages. Every public page follows from the event's records, and
every change to them raises the event's version. So a finished answer (headers, compression and
all) is kept in the memory of the process with the version it was made under, and is served, or
answered with 304, after one look at the version; that look itself is shared by all who ask within
a quarter of a second. However many ask for a page that is not there, one computation makes it.

What is kept is what :func:`kept_by_version` marks, for callers without a session. The key holds
everything that such a page may depend on: address, host, scheme, language, looks, compression.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
import uuid
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, Final

from asgiref.sync import markcoroutinefunction, sync_to_async
from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, get_language_from_request

from tournament.models import Event

WINDOW: Final = 0.25
"""Seconds for which a look at the version counts for everybody (asynchronous server only)."""
MOST: Final = 4000
"""Answers kept by a process; a page of 544 rows takes about 25 kB."""
_PATHS: Final = re.compile(r"/(?:e|api/v1/events)/([-\w]{1,60})/(?!live/)")
_PRIVATE: Final = (settings.SESSION_COOKIE_NAME, "messages")
Tag = tuple[uuid.UUID, int]
"""An event and its version."""


def tag_of(slug: str) -> Tag | None:
    """The event of that slug and its version; one query."""
    return Event.objects.filter(slug=slug).values_list("pk", "version").first()


def _etag(request: HttpRequest, tag: Tag) -> str:
    looks = request.COOKIES.get("theme", "") + request.COOKIES.get("suits", "")
    asked = f"{tag[0]} {request.get_full_path()} {looks}"
    return f'W/"{tag[1]}.{get_language()}.{zlib.crc32(asked.encode()):x}.{settings.VERSION}"'


def _matches(request: HttpRequest, etag: str) -> bool:
    asked = request.META.get("HTTP_IF_NONE_MATCH", "")
    return bool(asked) and etag.removeprefix("W/") in asked


def kept_by_version(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer a public page with ETag and 304 by the event's version, and let it be kept.

    Staff see more than the public and get no kept answer.
    """

    @wraps(view)
    def checked(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
        event = Event.objects.filter(slug=slug).first()
        if event is not None:
            request.__dict__["event_seen"] = event
        if event is None or request.user.is_authenticated:
            response = view(request, slug, *args, **kwargs)
            response.headers.setdefault("Cache-Control", "private, no-cache")
            return response
        tag = (event.pk, event.version)
        etag = _etag(request, tag)
        if _matches(request, etag):
            response = HttpResponseNotModified()
        else:
            response = view(request, slug, *args, **kwargs)
            response.__dict__["kept_under"] = tag
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-cache"
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return checked


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished answer and the version it was made under."""

    tag: Tag
    etag: str
    body: bytes
    headers: tuple[tuple[str, str], ...]

    def answer(self, request: HttpRequest) -> HttpResponse:
        """The answer again, or 304 for who has it."""
        response: HttpResponse
        if _matches(request, self.etag):
            response = HttpResponseNotModified()
        else:
            response = HttpResponse(self.body)
        for name, value in self.headers:
            if response.status_code == 200 or name in ("ETag", "Cache-Control", "Vary"):
                response.headers[name] = value
        return response


@dataclass
class Store:
    """Answers by key, least recently used first."""

    kept: OrderedDict[tuple[Any, ...], Kept] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: tuple[Any, ...], tag: Tag) -> Kept | None:
        """What is kept under ``key`` if it is of this version."""
        with self.lock:
            found = self.kept.get(key)
            if found is None or found.tag != tag:
                return None
            self.kept.move_to_end(key)
            return found

    def put(self, key: tuple[Any, ...], response: HttpResponseBase) -> None:
        """Keep an answer that its view allows to be kept."""
        tag = getattr(response, "kept_under", None)
        if (
            tag is None or response.status_code != 200 or response.streaming or response.cookies
            or not isinstance(response, HttpResponse)
        ):  # fmt: skip
            return
        with self.lock:
            self.kept[key] = Kept(
                tag, response.headers["ETag"], response.content, tuple(response.headers.items())
            )
            self.kept.move_to_end(key)
            while len(self.kept) > MOST:
                self.kept.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            self.kept.clear()


store = Store()


class Versions:
    """The versions of events as last looked up, each look shared by all who ask meanwhile."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[float, Tag | None]] = {}
        self.looking: dict[str, asyncio.Future[Tag | None]] = {}

    def heard(self, slug: str, tag: Tag) -> None:
        """The stream has just seen this version."""
        self.seen[slug] = (time.monotonic(), tag)

    async def of(self, slug: str, at_least: int) -> Tag | None:
        """The event and its version, at most :data:`WINDOW` old, and not below ``at_least``."""
        seen = self.seen.get(slug)
        if seen is not None and time.monotonic() - seen[0] < WINDOW:
            tag = seen[1]
            if tag is None or tag[1] >= at_least:
                return tag
        running = self.looking.get(slug)
        if running is None:
            running = asyncio.ensure_future(self._look(slug))
            self.looking[slug] = running
            running.add_done_callback(lambda _done: self.looking.pop(slug, None))
        return await asyncio.shield(running)

    async def _look(self, slug: str) -> Tag | None:
        began = time.monotonic()
        tag = await sync_to_async(_look_up, thread_sensitive=False)(slug)
        if len(self.seen) > MOST:
            self.seen.clear()
        self.seen[slug] = (began, tag)
        return tag


def _look_up(slug: str) -> Tag | None:
    try:
        return tag_of(slug)
    finally:
        # This thread belongs to no request: its connection goes back at once.
        connections.close_all()


versions = Versions()


def _key(request: HttpRequest) -> tuple[tuple[Any, ...], str] | None:
    """The key of a request that may be answered from the store, and the event's slug."""
    if request.method != "GET" or any(name in request.COOKIES for name in _PRIVATE):
        return None
    found = _PATHS.match(request.path_info)
    if found is None:
        return None
    meta = request.META
    return (
        request.path_info, meta.get("QUERY_STRING", ""), meta.get("HTTP_HOST", ""),
        request.is_secure(), get_language_from_request(request),
        request.COOKIES.get("theme", ""), request.COOKIES.get("suits", ""),
        "gzip" in meta.get("HTTP_ACCEPT_ENCODING", ""), meta.get("HTTP_ACCEPT", "")
        if request.path_info.startswith("/api/") else "",
    ), found[1]  # fmt: skip


def _wanted(request: HttpRequest) -> int:
    """The version that the caller was told of by the stream; 0 when it says none."""
    text = request.META.get("HTTP_X_LIVE_VERSION", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


class Front:
    """Middleware for both kinds of handler; first after the one that gives a request its id."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        self.flights: dict[tuple[Any, ...], asyncio.Event] = {}
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self._answer_async(request)
        asked = _key(request)
        response: HttpResponseBase
        if asked is None:
            response = self.get_response(request)
            return response
        key, slug = asked
        tag = tag_of(slug)
        kept = store.get(key, tag) if tag else None
        if kept is not None:
            return kept.answer(request)
        response = self.get_response(request)
        store.put(key, response)
        return response

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        asked = _key(request)
        response: HttpResponseBase
        if asked is None:
            response = await self.get_response(request)
            return response
        key, slug = asked
        tag = await versions.of(slug, _wanted(request))
        if tag is None:
            response = await self.get_response(request)
            return response
        # What turns out not to be kept (a redirect, a failure) is made for each in the end.
        for _attempt in range(4):
            kept = store.get(key, tag)
            if kept is not None:
                return kept.answer(request)
            flight = self.flights.get((key, tag))
            if flight is None:
                return await self._fly(request, key, tag)
            await flight.wait()
        response = await self.get_response(request)
        return response

    async def _fly(self, request: HttpRequest, key: tuple[Any, ...], tag: Tag) -> HttpResponseBase:
        """Make the answer while the others wait for it."""
        flight = self.flights[(key, tag)] = asyncio.Event()
        try:
            response: HttpResponseBase = await self.get_response(request)
            store.put(key, response)
        finally:
            self.flights.pop((key, tag), None)
            flight.set()
        return response
