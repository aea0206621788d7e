"""Public pages answered before anything else runs: kept whole, as long as their mark stands.

A hall of phones asks for the same few pages. Every public page follows from the event's records,
and every change to them raises a mark (:mod:`tournament.kept`). So a finished answer (headers,
compression and all) is kept in the memory of the process with the mark it was made under, and is
served, or answered with 304, after one look at the marks; that look itself is shared by all who
ask within a quarter of a second. However many ask for a page that is not there, one computation
makes it (:class:`Flights`), and only a few are made at a time: the rest of the process belongs to
those who write.

What is kept is what :func:`kept_by_version` marks, for callers without a session. The key holds
everything that such a page may depend on: address, host, scheme, language, looks, compression.
"""

from __future__ import annotations

import asyncio
import re
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from types import SimpleNamespace
from typing import Any, Final, cast
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.cookie import parse_cookie
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, get_language_from_request

from ledger.middleware import Middleware, Passing
from tournament.kept import (
    MOST,
    Kept,
    Marks,
    is_own,
    made,
    mark_answer,
    marks_of,
    store,
    versions,
    with_own,
)
from tournament.models import Event

AT_ONCE: Final = 2
"""Pages of each :class:`Kind` that a process makes at the same time, but see below."""
ONE_OF_ALL: Final = 1
"""The same, of what is new to everybody: parts made for all players, games after a draw."""
GIVES_WAY: Final = 0.3
"""Seconds that these wait at most for the draw and the standings to be made first."""
FOR_ALL: Final = {"part=now": 0.0, "part=place": 0.1, "part=charts": 2.0}
"""Parts of a player's page that are made for all players at once: seconds between two makings.

While results pour in, each would make all of them new.
"""
_PERSONAL: Final = re.compile(r"/e/[-\w]{1,60}/players/(\d{1,7})/")
_DAY: Final = "part=day"
_PATHS: Final = re.compile(r"/(?:e|api/v1/events)/([-\w]{1,60})/(?!live/)")
_PRIVATE: Final = (settings.SESSION_COOKIE_NAME, "messages")
_IS_SHARED: Final = re.compile(r"(?:(?:by|part)=\w+&?)*")
"""Queries of which there are few, the same for everybody."""
_MEANT: Final[dict[str, re.Pattern[str]]] = {
    "by": re.compile(r"name|table"),
    "language": re.compile(r"[a-z]{2}"),
    "part": re.compile(r"1|charts|clock|day|live|main|now|place|tables"),
    "player": re.compile(r"\d{1,7}"),
    "q": re.compile(r".{1,60}", re.DOTALL),
    "table": re.compile(r"\d{1,7}"),
}
"""What public pages read of a query, and how it may read."""
FLIGHT: Final = "manille.flight"
"""The key of a request's scope under which its :class:`Flight` travels from the door to here."""
Topic = str | Callable[..., str]
"""What a page follows; a function of the request and its arguments where that varies."""


class Kind(StrEnum):
    """Who waits for whom.

    A draw makes every player's page new. Who waits for his keeps nobody from the draw and the
    standings, nor from the page of the game that he has just signed; and all kinds together leave
    connections to those who write.
    """

    SHARED = "shared"
    ALL = "all"
    """The parts of players' pages that are made for all of them at once."""
    OWN = "own"
    """A player's page as a whole."""
    SOON = "soon"
    """A player's games whose own table has news."""
    REST = "rest"
    """Everybody's games after a draw."""
    SEARCH = "search"
    """Pages of one caller's own question: however many a robot thinks up, the hall's come first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that may be answered from the store."""

    key: tuple[Any, ...]
    slug: str
    etags: str
    told: int
    """The version that the caller was told of by the stream; 0 when it says none."""
    soon: bool = False
    """Whether the caller's own table has news: his games do not wait behind everybody's."""
    player: int = 0
    """The start number whose page it is; 0 where it is nobody's."""

    @property
    def pause(self) -> float:
        """Seconds from one making to the next."""
        return FOR_ALL.get(self.key[1], 0.0) if self.player else 0.0

    @property
    def kind(self) -> Kind:
        """In which queue the caller waits where the page must be made."""
        query = self.key[1]
        if not self.player:
            return Kind.SHARED if _IS_SHARED.fullmatch(query) else Kind.SEARCH
        if query in FOR_ALL:
            return Kind.ALL
        if query != _DAY:
            return Kind.OWN
        return Kind.SOON if self.soon else Kind.REST

    def has(self, kept: Kept) -> bool:
        """Whether the caller has this answer already."""
        return bool(self.etags) and kept.etag.removeprefix("W/") in self.etags


def meant_query(path: str, query: str) -> str:
    """Return the part of a public page's query that says something to it, in one order.

    Anything else (a robot's random words, a tracker's mark on a link) makes no page of its own.
    Queries of other addresses, the API's included, are left as they are.
    """
    if not query or not path.startswith("/e/"):
        return query
    given = {name: value[:60] for name, value in parse_qsl(query) if name in _MEANT}
    return urlencode(
        [(name, given[name]) for name in sorted(given) if _MEANT[name].fullmatch(given[name])]
    )


def asked_of(
    method: str, path: str, query: str, *, secure: bool, header: Callable[[str], str]
) -> Asked | None:
    """The request as the store knows it; ``None`` where it must not be answered from there."""
    if method != "GET":
        return None
    found = _PATHS.match(path)
    if found is None:
        return None
    sent = header("cookie")
    cookies = parse_cookie(sent) if sent else {}
    if any(name in cookies for name in _PRIVATE):
        return None
    speaks = SimpleNamespace(
        COOKIES=cookies, META={"HTTP_ACCEPT_LANGUAGE": header("accept-language")}
    )
    told = header("x-live-version")
    query = meant_query(path, query)
    language = get_language_from_request(cast(HttpRequest, speaks))
    key: tuple[Any, ...] = (path, query, header("host"), secure, language)
    personal = _PERSONAL.fullmatch(path)
    if personal is not None and query in FOR_ALL:
        # The same for every player, whose looks it does not depend on.
        key = (path[: personal.start(1)], query, "", secure, language)
    else:
        key += (
            cookies.get("theme", ""), cookies.get("suits", ""),
            "gzip" in header("accept-encoding"),
            header("accept") if path.startswith("/api/") else "",
        )  # fmt: skip
    return Asked(
        key, found[1], header("if-none-match"),
        int(told) if told.isascii() and told.isdigit() and len(told) < 16 else 0,
        header("x-live-soon") == "1", int(personal[1]) if personal is not None else 0,
    )  # fmt: skip


def asked_by(request: HttpRequest) -> Asked | None:
    """:func:`asked_of` for a request of Django's."""
    return asked_of(
        request.method or "", request.path_info, request.META.get("QUERY_STRING", ""),
        secure=request.is_secure(), header=lambda name: request.headers.get(name, ""),
    )  # fmt: skip


def _etag(request: HttpRequest, marks: Marks, topic: str) -> str:
    looks = request.COOKIES.get("theme", "") + request.COOKIES.get("suits", "")
    path = request.get_full_path()
    personal = _PERSONAL.fullmatch(request.path_info)
    if personal is not None and request.META.get("QUERY_STRING", "") in FOR_ALL:
        looks, path = "", request.META["QUERY_STRING"]
    asked = f"{marks.event} {path} {looks}"
    crc = zlib.crc32(asked.encode())
    return f'W/"{marks.of(topic)}.{get_language()}.{crc:x}.{settings.VERSION}"'


def kept_by_version(view: Callable[..., Any], *, follows: Topic = "event") -> Callable[..., Any]:
    """Answer a public page with ETag and 304 by the mark it follows, and let it be kept.

    Staff see more than the public and get no kept answer.
    """

    @wraps(view)
    def checked(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
        event = Event.objects.filter(slug=slug).first()
        if event is not None:
            request.__dict__["event_seen"] = event
        response: HttpResponse
        if event is None or request.user.is_authenticated:
            response = view(request, slug, *args, **kwargs)
            response.headers.setdefault("Cache-Control", "private, no-cache")
            return response
        topic = follows if isinstance(follows, str) else follows(request, *args, **kwargs)
        # The marks are read before the page: what it shows can only be newer than they say.
        marks = Marks(event.pk, event.version, event.frame_version)
        if is_own(topic):
            marks = with_own(marks_of(slug) or marks)
        etag = _etag(request, marks, topic)
        asked = request.META.get("HTTP_IF_NONE_MATCH", "")
        if asked and etag.removeprefix("W/") in asked:
            response = HttpResponseNotModified()
        else:
            response = view(request, slug, *args, **kwargs)
            mark_answer(response, marks, topic)
            made["page"] += 1
            if response.status_code == 200:
                # One second in nginx, where it stands before the service (docker/nginx.conf).
                response.headers["X-Accel-Expires"] = "1"
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-cache"
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return checked


def follows(topic: Topic) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """:func:`kept_by_version` for a page that follows less, or more, than the event's version."""
    return lambda view: kept_by_version(view, follows=topic)


def again(asked: Asked, kept: Kept) -> HttpResponse:
    """A kept answer once more, or 304 for who has it."""
    response: HttpResponse
    headers = kept.headers
    if asked.has(kept):
        response, headers = HttpResponseNotModified(), kept.unchanged()
    else:
        response = HttpResponse(kept.body)
    for name, value in headers:
        response.headers[name] = value
    return response


class Flight:
    """A page that is being made: what came of it, or that it is nothing to share."""

    def __init__(self, under_way: dict[tuple[Any, ...], Flight], key: tuple[Any, ...]) -> None:
        self.under_way, self.key = under_way, key
        self.done = asyncio.Event()
        self.kept: Kept | None = None
        self.refused = self.begun = False
        under_way[key] = self

    def land(self, kept: Kept | None) -> None:
        """Tell all who wait; ``None``: this answer (a redirect, a refusal) is made for each."""
        self.kept, self.refused = kept, kept is None
        self.end()

    def end(self) -> None:
        """Nobody boards any more; who waits and was told nothing begins anew."""
        if self.under_way.get(self.key) is self:
            del self.under_way[self.key]
        self.done.set()


class Flights:
    """The pages being made by a process: whoever asks for one of them waits without entering.

    One who waits is a coroutine at the server's door (:mod:`tournament.door`); inside, he would
    hold a thread.
    """

    def __init__(self) -> None:
        self.under_way: dict[tuple[Any, ...], Flight] = {}
        self.few: dict[Kind, asyncio.Semaphore] = {}
        self.begun: dict[tuple[Any, ...], float] = {}
        self.shared = 0
        self.calm = asyncio.Event()
        self.calm.set()

    async def board(self, asked: Asked) -> Kept | Flight | None:
        """The kept answer, once it is there; or the flight with which the caller must make it.

        ``None`` where he asks for nothing that is kept, or that is kept for him.
        """
        while True:
            marks = await versions.of(asked.slug, asked.told)
            if marks is None:
                return None
            kept = store.get(asked.key, marks)
            if kept is not None:
                return kept.of(asked.player)
            flight = self.under_way.get(asked.key)
            if flight is None or (asked.kind is Kind.SOON and not flight.begun):
                return Flight(self.under_way, asked.key)
            await flight.done.wait()
            if flight.refused and asked.kind is not Kind.ALL:
                return None
            # While results pour in, a page may be out of date when it is done: it is what stood
            # when it was asked for, unless the caller was told of more.
            if flight.kept is not None and flight.kept.version >= min(asked.told, marks.version):
                return flight.kept.of(asked.player)

    async def fly(
        self, asked: Asked, flight: Flight, enter: Callable[[], Awaitable[None]]
    ) -> Kept | None:
        """Let the one who has the flight ``enter``; after a failure another takes his place.

        Where somebody else has brought the page by the time it is his turn, he gets it as kept.
        """
        kind = asked.kind
        one = kind in (Kind.ALL, Kind.REST, Kind.SEARCH)
        few = self.few.setdefault(kind, asyncio.Semaphore(ONE_OF_ALL if one else AT_ONCE))
        try:
            await self._rest(asked)
            async with few, self._order(asked):
                counts, marks = versions.recent(asked.slug, asked.told)
                kept = store.get(asked.key, marks) if counts and marks is not None else None
                if kept is not None:
                    flight.land(kept)
                    own = kept.of(asked.player)
                    if own is not None:
                        return own
                flight.begun = True
                # The turn ends with the page, not with a slow reader's last byte of it.
                work = asyncio.ensure_future(enter())
                landed = asyncio.ensure_future(flight.done.wait())
                try:
                    await asyncio.wait((work, landed), return_when=asyncio.FIRST_COMPLETED)
                except asyncio.CancelledError:
                    work.cancel()
                    raise
                finally:
                    landed.cancel()
            await work
            return None
        finally:
            flight.end()
            if flight.refused:
                self.begun.pop(asked.key, None)

    @asynccontextmanager
    async def _order(self, asked: Asked) -> AsyncIterator[None]:
        """What is everybody's comes first: two makings at a time take both of them twice as long."""
        if asked.kind is not Kind.SHARED:
            if asked.pause or asked.kind in (Kind.REST, Kind.SEARCH):
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.calm.wait(), GIVES_WAY)
            yield
            return
        self.shared += 1
        self.calm.clear()
        try:
            yield
        finally:
            self.shared -= 1
            if not self.shared:
                self.calm.set()

    async def _rest(self, asked: Asked) -> None:
        """Wait until so much time has passed since this was made last."""
        if not asked.pause:
            return
        now = time.monotonic()
        turn = max(now, self.begun.get(asked.key, 0.0) + asked.pause)
        if len(self.begun) > MOST:
            self.begun.clear()
        self.begun[asked.key] = turn
        await asyncio.sleep(turn - now)


class Front(Middleware):
    """Keeps what may be kept and tells the flight it came with; first after the request's id.

    A synchronous server, which has no door, is answered from the store here.
    """

    def passing(self, request: HttpRequest) -> Passing:
        """Past the store: into it on the way out, and without a door from it on the way in."""
        request.META["QUERY_STRING"] = meant_query(
            request.path_info, request.META.get("QUERY_STRING", "")
        )
        if self.is_async:
            response = yield
            flight = getattr(request, "scope", {}).get(FLIGHT)
            if flight is not None:
                flight.land(store.put(flight.key, response))
            return response
        asked = asked_by(request)
        own = _standing(asked)
        if asked is not None and own is not None:
            return again(asked, own)
        response = yield
        if asked is not None:
            store.put(asked.key, response)
        return response


def _standing(asked: Asked | None) -> Kept | None:
    """What is kept for a request and still stands."""
    marks = marks_of(asked.slug) if asked is not None else None
    if asked is None or marks is None:
        return None
    found = store.kept.get(asked.key)
    if found is not None and is_own(found.topic):
        marks = with_own(marks)
    kept = store.get(asked.key, marks)
    return kept.of(asked.player) if kept is not None else None
