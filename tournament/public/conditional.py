"""Answer public pages conditionally: an ETag by the mark that a page follows, 304 while it stands."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from tournament.models import Event

from .marks import Marks, count_rendered, is_own, marks_of, with_own

PART: Final = "manille.part"
"""The key of a request's environment under which it takes a :class:`Part` along."""
FOR_ALL: Final = ("part=now", "part=place", "part=charts")
"""Queries of a player's page with one rendering for all players."""
EACH: Final = "part=day"
"""Query of a player's page with one rendering for many players, each under their own mark."""
Topic = str | Callable[..., str]
"""Topic that a page follows; a function of the request and its arguments where that varies."""


@dataclass(slots=True)
class Part:
    """Caching hints of a view for its answer; without marks the answer is not cached.

    Attributes:
        bodies: the answers for players by start number, where one rendering serves many of them.
        etags: their ETags, where each has one of its own.
        wanted: the players whose answers expire together with the requested one.
    """

    marks: Marks | None = None
    topic: str = ""
    bodies: Mapping[int, bytes] = field(default_factory=dict)
    etags: Mapping[int, str] = field(default_factory=dict)
    wanted: tuple[int, ...] = ()


def follows(topic: Topic) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Answer a public page with ETag and 304 by the mark of its topic, and let it be stored.

    Staff see more than the public: their answers are private.
    """
    return lambda view: _conditional(view, topic)


def _conditional(view: Callable[..., Any], topic: Topic) -> Callable[..., Any]:
    @wraps(view)
    def answer(request: HttpRequest, slug: str, *args: object, **kwargs: object) -> HttpResponse:
        event = next(iter(Event.objects.filter(slug=slug)), None)
        if event is not None:
            request.__dict__["event_seen"] = event
        response: HttpResponse
        if event is None or request.user.is_authenticated:
            response = view(request, slug, *args, **kwargs)
            response.headers.setdefault("Cache-Control", "private, no-cache")
            return response
        name = topic if isinstance(topic, str) else topic(request, *args, **kwargs)
        # The marks are read before the page: what it shows can only be newer than they say.
        marks = Marks(event.pk, event.version, event.frame_version)
        if is_own(name):
            marks = with_own(marks_of(slug) or marks)
        etag = _etag(request, marks, name)
        if etag.removeprefix("W/") in request.headers.get("If-None-Match", ""):
            response = HttpResponseNotModified()
        else:
            response = view(request, slug, *args, **kwargs)
            count_rendered("page")
            part = request.META.get(PART)
            if isinstance(part, Part):
                part.marks, part.topic = marks, name
                if request.META.get("QUERY_STRING", "") == EACH:
                    part.etags = {n: _etag(request, marks, f"own:{n}") for n in part.bodies}
            if response.status_code == 200:
                # One second in nginx, where it stands before the service (docker/nginx.conf).
                response.headers["X-Accel-Expires"] = "1"
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-cache"
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return answer


def _etag(request: HttpRequest, marks: Marks, topic: str) -> str:
    looks = request.COOKIES.get("theme", "") + request.COOKIES.get("suits", "")
    path = request.get_full_path()
    if request.META.get("QUERY_STRING", "") in (*FOR_ALL, EACH):
        looks, path = "", request.META["QUERY_STRING"]
    crc = zlib.crc32(f"{marks.event} {path} {looks}".encode())
    return f'W/"{marks.of(topic)}.{get_language()}.{crc:x}.{settings.VERSION}"'


def wanted_with(request: HttpRequest, number: int) -> list[int]:
    """Return the requested player, and those whose answers expire with theirs."""
    part = request.META.get(PART)
    return [number, *(part.wanted if isinstance(part, Part) else ())]


def serve_all(request: HttpRequest, response: HttpResponse, bodies: Mapping[int, bytes]) -> None:
    """Say that an answer was made together with those of other players, by start number."""
    part = request.META.get(PART)
    if isinstance(part, Part):
        part.bodies = bodies
        # Compressed here, only this player's would be; each is small.
        response.headers["Content-Encoding"] = "identity"
