"""Headers of every page: no inline script or style, the policy that forbids them, and the others."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client

from accounts.models import Role
from tests.sampled import one_in
from tests.security.hall import Hall
from tools.permissions_page import Route, routes

pytestmark = pytest.mark.django_db
STREAMS = frozenset({"event-live"})
"""Answers without an end; tests/tournament/test_live.py tests their view."""


class Inline(HTMLParser):
    """Collects what a content security policy without 'unsafe-inline' would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found += [f"<{tag} {name}>" for name in given if re.match(r"on[a-z]+$", name)]
        if "style" in given:
            self.found.append(f"<{tag} style>")
        if tag == "style":
            self.found.append("<style>")
        for name in ("href", "src", "action", "formaction", "data"):
            where = (given.get(name) or "").strip().lower()
            if where.startswith(("javascript:", "data:text", "vbscript:")):
                self.found.append(f"<{tag} {name}={where[:20]}>")
            if tag in ("script", "link", "img", "iframe") and re.match(r"(https?:)?//", where):
                self.found.append(f"<{tag} {name}={where}>")
        if tag in ("iframe", "object", "embed", "base"):
            self.found.append(f"<{tag}>")
        self.inside = tag if tag == "script" and "src" not in given else ""

    def handle_data(self, data: str) -> None:
        if self.inside and data.strip():
            self.found.append(f"script text {data.strip()[:30]!r}")


def inline_in(page: str) -> list[str]:
    reader = Inline()
    reader.feed(page)
    return reader.found


@pytest.mark.parametrize(
    ("page", "count"),
    [
        ("<p onclick='x()'>", 1),
        ("<p style='a'>", 1),
        ("<style>a</style>", 1),
        ("<script>x()</script>", 1),
        ("<script src='/a.js'></script>", 0),
        ("<a href='javascript:x'>", 1),
        ("<script src='//evil/a.js'></script>", 1),
        ("<p>on</p>", 0),
    ],
)
def test_the_reader_sees_what_it_must(page: str, count: int) -> None:
    assert len(inline_in(page)) == count


def pages_of(hall: Hall) -> list[tuple[Route, str]]:
    return [
        (route, hall.fill(route.pattern))
        for route in routes()
        if route.verb == "*" and route.name not in STREAMS | {"logout"}
    ]


def directives(policy: str) -> dict[str, set[str]]:
    parts = [part.split() for part in policy.split(";") if part.strip()]
    return {name: set(values) for name, *values in parts}


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("who", one_in(3, ["admin", "referee", "nobody"]))
def test_no_page_has_script_or_style_in_it(who: str, undone_hall: Hall) -> None:
    client, seen, wrong = Client(), 0, []
    if who != "nobody":
        client.force_login(undone_hall.staff[Role(who)])
    for route, where in pages_of(undone_hall):
        for posted in (False, True):
            if posted and (who == "referee" or route.name == "set_language"):
                continue
            answer: Any = client.post(where, {}) if posted else client.get(where)
            if posted and who != "nobody" and SESSION_KEY not in client.session:
                client.force_login(undone_hall.staff[Role(who)])
            policy = directives(answer.headers.get("Content-Security-Policy", ""))
            if policy.get("script-src") != {"'self'"} or policy.get("style-src") != {"'self'"}:
                wrong.append(f"{where}: policy {policy}")
            if policy.get("frame-ancestors") != {"'none'"} or policy.get("default-src") != {
                "'none'"
            }:
                wrong.append(f"{where}: policy {policy}")
            if answer.headers.get("X-Content-Type-Options") != "nosniff":
                wrong.append(f"{where}: no nosniff")
            if answer.headers.get("X-Frame-Options") != "DENY":
                wrong.append(f"{where}: may be framed")
            if "X-Request-ID" not in answer.headers:
                wrong.append(f"{where}: no request id")
            if (
                answer.headers.get("Content-Type", "").startswith("text/html")
                and not answer.streaming
            ):
                seen += 1
                wrong += [f"{where}: {what}" for what in inline_in(answer.content.decode())]
    assert wrong == []
    assert seen > 30


def test_the_pages_of_links_are_told_to_nobody(undone_hall: Hall) -> None:
    for token in (
        f"/t/{undone_hall.table_token}/",
        f"/p/{undone_hall.player_token}/",
        f"/sign/{undone_hall.player_token}/",
    ):
        answer = Client().get(token)
        assert answer.status_code == 200
        assert answer["Referrer-Policy"] in ("no-referrer", "same-origin")
        assert "no-store" in answer.get("Cache-Control", "") or "private" in answer.get(
            "Cache-Control", ""
        ), token


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("https", [True, False])
def test_cookies_are_locked(https: bool, settings: Any, undone_hall: Hall) -> None:
    """Every cookie of the service, and no other; scripts may read only the looks."""
    settings.HTTPS = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = https
    settings.LANGUAGE_COOKIE_SECURE = https
    settings.MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
    client = Client()
    client.get("/login/")
    client.post("/login/", {"username": "admin", "password": "not-a-secret-1"})
    client.post("/language/", {"language": "nl"})
    client.post("/looks/", {"theme": "dark", "suits": "four"})
    client.get(f"/t/{undone_hall.table_token}/?depth=cards")
    client.post("/system/accounts/", {"verb": "make", "name": "nieuw", "role": ""})
    client.post("/system/accounts/", {"verb": "close", "user": undone_hall.staff[Role.READER].pk})
    named = {"sessionid", "csrftoken", "known", "messages", "django_language", "theme", "suits"}
    assert set(client.cookies) == named | {"device", "depth"}
    for name, cookie in client.cookies.items():
        assert bool(cookie["httponly"]) is (name not in ("theme", "suits")), name
        assert cookie["samesite"] == "Lax", name
        assert bool(cookie["secure"]) is https, name


@pytest.mark.guide("security#security")
def test_https_is_asked_for_and_remembered_by_setting(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 31_536_000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    client = Client()
    led = client.get("/login/")
    assert (led.status_code, led["Location"]) == (301, "https://testserver/login/")
    safe = client.get("/setup/", secure=True)
    assert safe["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    settings.SECURE_HSTS_SECONDS = 0
    assert "Strict-Transport-Security" not in Client().get("/setup/", secure=True).headers


def test_a_form_from_elsewhere_is_refused(undone_hall: Hall) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(undone_hall.staff[Role.ADMIN])
    answer = client.post("/system/accounts/", {"verb": "make", "name": "x"})
    assert answer.status_code == 403
    assert "Reload the page" in answer.content.decode()
    api = client.post(
        f"/api/v1/events/{undone_hall.event.slug}/bans/",
        {"one": 1, "two": 2},
        content_type="application/json",
    )
    assert (api.status_code, api["Content-Type"]) == (403, "application/problem+json")


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("behind", [False, True])
def test_a_caller_without_a_proxy_does_not_choose_the_id_of_the_journal(
    behind: bool, settings: Any, client: Client
) -> None:
    settings.TRUST_PROXY = behind
    given = "chosen-by-somebody"
    answer = client.get("/login/", headers={"X-Request-ID": given})
    assert (answer["X-Request-ID"] == given) is behind


@pytest.mark.guide("security#security")
def test_refused_addresses_bear_the_headers_too(client: Client) -> None:
    for where, host, status in (
        ("/login/", "elsewhere.example", 400),
        ("/login/", "no host!", 400),
        ("/nowhere/", "testserver", 404),
    ):
        answer = client.get(where, headers={"Host": host})
        assert answer.status_code == status
        assert answer["X-Content-Type-Options"] == "nosniff", host
        assert answer["X-Frame-Options"] == "DENY", host
        assert answer["Content-Security-Policy"], host
        assert answer["X-Robots-Tag"] == "noindex", host
