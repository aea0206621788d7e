"""A request for a public page as it is stored: all that such a page depends on, and no more."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import BytesIO
from types import SimpleNamespace
from typing import Final, cast
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils.translation import get_language_from_request

from accounts.limits import one_line
from accounts.views.looks import CHOICES

from .bridge import Headers, Scope, ascii_query, environ
from .conditional import EACH, FOR_ALL

_PATH: Final = re.compile(r"/(?:e|api/v1/events)/([-\w]{1,60})/(?!live/|version/)")
_BELOW: Final = re.compile(r"/e/[-\w]{1,60}/(.*)", re.DOTALL)
_PLAYER: Final = re.compile(r"/e/[-\w]{1,60}/players/(\d{1,7})/")
_LANGUAGES: Final = "|".join(code for code, _name in settings.LANGUAGES)
_WHOLE: Final = {"part": "1"}
_SEARCHED: Final = {"q": r"(?s:.{1,60})"}
_SCREENS: Final = "|".join(f"{at}-{of}" for of in range(2, 10) for at in range(1, of + 1))
_READ: Final = [
    (re.compile(path), {name: re.compile(values) for name, values in read.items()})
    for path, read in (
        ("", {**_SEARCHED, **_WHOLE}),
        (r"draw/(?:\d{1,3}/\d{1,3}/)?", {"by": "name", **_WHOLE}),
        (r"draw/\d{1,3}/\d{1,3}/proof/", {"table": r"\d{1,7}"}),
        (r"standings/(?:overall/|\d{1,3}/)?", _WHOLE),
        (r"standings/\d{1,3}/clubs/", {}),
        (r"rulings/", _WHOLE),
        (r"players/", _SEARCHED),
        (r"players/\d{1,7}/", {"part": "charts|day|now|place"}),
        (r"wall/", {"part": "clock|main", "screen": _SCREENS}),
        (r"calendar\.ics", {"language": _LANGUAGES}),
    )
]
"""Each page of an event by its path below the event, and the parameters and values that it reads."""
_OWN_QUESTIONS: Final = ("q", "table")
"""Parameters whose values are a caller's own, not a choice of few."""


def is_secure(scope: Scope, header: Headers) -> bool:
    """As ``HttpRequest.is_secure``: the proxy's word where it is trusted, else the connection's."""
    trusted = settings.SECURE_PROXY_SSL_HEADER
    if trusted:
        proto = header(trusted[0].removeprefix("HTTP_").replace("_", "-").lower().encode())
        if proto:
            return bool(proto.split(",", 1)[0].strip() == trusted[1])
    return bool(scope.get("scheme") == "https")


def caller_of(scope: Scope, header: Headers) -> str:
    """Return the caller's network, through the trusted proxy where there is one."""
    forwarded = header(b"x-forwarded-for") if settings.TRUST_PROXY else ""
    if forwarded:
        return one_line(forwarded.rsplit(",", 1)[-1])
    return one_line(str((scope.get("client") or ("",))[0]))


@lru_cache(maxsize=64)
def _is_served(host: str) -> bool:
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def is_allowed(host: str, *, secure: bool) -> bool:
    """Whether Django would answer under this name and scheme, not refuse or redirect."""
    return (secure or not settings.SECURE_SSL_REDIRECT) and _is_served(host)


def number_in(text: str) -> int | None:
    """Parse a start number in an address; ``None`` for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


def player_in(query: str) -> int | None:
    """Return the player that a caller of the stream or the marks follows."""
    return number_in(parse_qs(query).get("player", [""])[-1])


def _read_by(path: str) -> dict[str, re.Pattern[str]] | None:
    """Return the parameters that the page at a path reads; ``None`` where there is no such page."""
    below = _BELOW.fullmatch(path)
    if below is None:
        return None
    return next((read for page, read in _READ if page.fullmatch(below[1])), None)


def public_query(path: str, query: str) -> str:
    """Return the part of a public page's query that the page reads, in one order.

    Anything else (a robot's random words, another page's parameter, a tracker's mark on a link) makes
    no page of its own. Queries of other addresses, the API's included, are left as they are.
    """
    if not query or not path.startswith("/e/"):
        return query
    read = _read_by(path) or {}
    given = {name: value[:60] for name, value in parse_qsl(query) if name in read}
    return urlencode(
        [(name, given[name]) for name in sorted(given) if read[name].fullmatch(given[name])]
    )


@lru_cache(maxsize=64)
def _canonical(public_url: str, *allowed: str) -> str:
    """Return the host name under which pages are stored: they are equal under every name."""
    named = urlsplit(public_url).netloc
    if named and validate_host(split_domain_port(named)[0], list(allowed)):
        return named
    name = allowed[0] if allowed else "localhost"
    return "localhost" if name == "*" else name.removeprefix(".")


@lru_cache(maxsize=256)
def _language(chosen: str, accepted: str) -> str:
    """Return the language of Django's answer, by the cookie and the browser's header."""
    speaks = SimpleNamespace(
        COOKIES={settings.LANGUAGE_COOKIE_NAME: chosen} if chosen else {},
        META={"HTTP_ACCEPT_LANGUAGE": accepted},
    )
    return get_language_from_request(cast(HttpRequest, speaks))


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request for a public page: equal ones have the same answer.

    Attributes:
        path: without the player's number where the answer is made for all players at once.
        host: the canonical one, except where the answer repeats it.
        player: the start number whose page it is, 0 where it is nobody's.
    """

    slug: str
    path: str
    query: str
    host: str
    secure: bool
    language: str
    theme: str = ""
    suits: str = ""
    packed: bool = False
    accept: str = ""
    player: int = field(default=0, compare=False)

    @property
    def is_for_all(self) -> bool:
        """Whether one rendering makes the answers for all players."""
        return self.player > 0 and self.query in FOR_ALL

    @property
    def is_shared(self) -> bool:
        """Whether all readers share the page, so that it is rendered as soon as the event changes."""
        return self.is_for_all or self.is_everybodys

    @property
    def is_everybodys(self) -> bool:
        """Whether it is a page of the event itself, without a player and without a search of the caller's own."""
        return not self.player and "." not in self.path and self.is_listed

    @property
    def is_listed(self) -> bool:
        """Whether it is one of few pages: no caller's own question, and no path of a robot's."""
        if _repeats_host(self.path) or any(f"{name}=" in self.query for name in _OWN_QUESTIONS):
            return False
        return self.player > 0 or _read_by(self.path) is not None

    def of_player(self, number: int) -> PageRequest:
        """Return the same request for another player's page."""
        path = self.path.removesuffix(f"{self.player}/")
        return replace(self, path=f"{path}{number}/", player=number)

    def environ(self) -> dict[str, object]:
        """Return the request in the form of Django's WSGI handler."""
        path = f"{self.path}{self.player}/" if self.is_for_all else self.path
        scheme = "https" if self.secure else "http"
        server, _colon, port = self.host.partition(":")
        return {
            **environ("GET", path, self.query, scheme, BytesIO()),
            "SERVER_NAME": server,
            "SERVER_PORT": port or "80",
            "HTTP_HOST": self.host,
            "HTTP_ACCEPT": self.accept or "*/*",
            "HTTP_ACCEPT_LANGUAGE": self.language,
            "HTTP_ACCEPT_ENCODING": "gzip" if self.packed else "",
            "HTTP_COOKIE": f"theme={self.theme}; suits={self.suits}",
            "HTTP_X_FORWARDED_PROTO": scheme,
        }


def _repeats_host(path: str) -> bool:
    """Whether the answer holds the address by which it was asked for: a calendar, the API."""
    return not path.startswith("/e/") or path.endswith(".ics")


def _accepted(header: str) -> str:
    """Reduce the caller's Accept header to what changes the answer: JSON, or something else."""
    kinds = {each.partition(";")[0].strip().lower() for each in header.split(",")}
    return "" if kinds & {"", "*/*", "application/*", "application/json"} else header[:200]


def _look(name: str, cookies: dict[str, str]) -> str:
    chosen = cookies.get(name, "")
    return chosen if chosen in CHOICES[name] else ""


def page_request(scope: Scope, header: Headers) -> PageRequest | None:
    """Return the request for a page that may be stored; ``None`` for any other, or with a program's token."""
    path: str = scope["path"]
    match = _PATH.match(path)
    if scope["method"] != "GET" or match is None or header(b"authorization"):
        return None
    host, secure = header(b"host"), is_secure(scope, header)
    if not is_allowed(host, secure=secure):
        return None
    sent = header(b"cookie")
    cookies = parse_cookie(sent) if sent else {}
    query = public_query(path, ascii_query(scope["query_string"]))
    chosen = cookies.get(settings.LANGUAGE_COOKIE_NAME, "") if cookies else ""
    language = _language(chosen, header(b"accept-language"))
    personal = _PLAYER.fullmatch(path)
    player = int(personal[1]) if personal is not None else 0
    theme = suits = ""
    packed = False
    if personal is not None and query in FOR_ALL:
        # The same for every player, whose looks it does not depend on.
        path = path[: personal.start(1)]
    elif personal is None or query != EACH:
        theme, suits = _look("theme", cookies), _look("suits", cookies)
        packed = "gzip" in header(b"accept-encoding")
    return PageRequest(
        match[1],
        path,
        query,
        host if _repeats_host(path) else _canonical(settings.PUBLIC_URL, *settings.ALLOWED_HOSTS),
        secure,
        language,
        theme,
        suits,
        packed,
        _accepted(header(b"accept")) if path.startswith("/api/") else "",
        player,
    )
