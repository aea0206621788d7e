"""The shipped nginx configuration, run by a real nginx before a stand-in of the application.

The stand-in answers as the application does (ETag, Vary, Cache-Control, X-Accel-Expires) and counts
what reaches it. What matters: a hall of phones is one request, and nobody gets another's page.
"""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.test import Client

from tests.conftest import missing
from tests.programs import ROOT, nginx, nginx_program
from tests.tournament.build import make_event, make_user


class Application(BaseHTTPRequestHandler):
    """The stand-in: public pages may be kept, all else may not; every page names its reader."""

    protocol_version = "HTTP/1.1"
    asked: list[str] = []
    hold = threading.Event()

    def do_GET(self) -> None:
        """Answer like a page of the application."""
        Application.asked.append(self.path)
        Application.hold.wait(20)
        said = self.headers
        cookie, language = said.get("Cookie", ""), said.get("Accept-Language", "")
        session = "sessionid=" in cookie
        body = f"{self.path} {language} {cookie} {len(Application.asked)}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Request-ID", "0" * 32)
        if session or not self.path.startswith("/e/"):
            self.send_header("Cache-Control", "private, no-cache")
        else:
            self.send_header("Cache-Control", "no-cache")
            self.send_header("X-Accel-Expires", "1")
            self.send_header("ETag", 'W/"v1"')
            self.send_header("Vary", "Accept-Language, Cookie, Accept-Encoding")
        if "cookie-setting" in self.path:
            self.send_header("Set-Cookie", "a=b")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """nginx before the stand-in."""
    if nginx_program() is None:
        missing("nginx", "apt-get install nginx-light")
    application = ThreadingHTTPServer(("127.0.0.1", 0), Application)
    threading.Thread(target=application.serve_forever, daemon=True).start()
    with nginx([application.server_port]) as port:
        yield port
    application.shutdown()
    application.server_close()


@pytest.fixture(autouse=True)
def _quiet() -> None:
    Application.asked = []
    Application.hold.set()


_page = iter(range(10_000))


@pytest.fixture
def path() -> str:
    """A page that no test has asked for yet."""
    return f"/e/hall/standings/?n={next(_page)}"


def get(port: int, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", path, headers={n.replace("_", "-"): v for n, v in headers.items()})
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, answer.headers, body


def test_a_hall_of_phones_is_one_request(port: int, path: str) -> None:
    Application.hold.clear()
    with ThreadPoolExecutor(40) as phones:
        asked = [phones.submit(get, port, path) for _phone in range(40)]
        Application.hold.set()
        bodies = {answer.result()[2] for answer in asked}
    # One, or one more where the second is over while the last phones still come in.
    assert len(Application.asked) <= 2
    assert len(bodies) == len(Application.asked)


def test_who_has_the_page_is_told_so(port: int, path: str) -> None:
    get(port, path)
    status, headers, body = get(port, path, If_None_Match='W/"v1"')
    assert (status, body) == (304, "")
    assert "X-Request-ID" not in headers


@pytest.mark.parametrize("name", ["sessionid", "messages"])
def test_whoever_has_a_session_is_served_past_the_cache(port: int, path: str, name: str) -> None:
    public = get(port, path)[2]
    one = get(port, path, Cookie=f"theme=dark; {name}=one")
    two = get(port, path, Cookie=f"{name}=two")
    assert f"{name}=one" in one[2]
    assert f"{name}=two" in two[2]
    assert one[1]["X-Cache"] == two[1]["X-Cache"] == "BYPASS"
    assert "=one" not in public
    assert "=one" not in get(port, path)[2]


def test_a_cookie_that_only_looks_like_a_session_is_none(port: int, path: str) -> None:
    assert get(port, path, Cookie="notsessionid=1")[1]["X-Cache"] == "MISS"


def test_languages_and_looks_are_kept_apart(port: int, path: str) -> None:
    seen = [
        get(port, path, **headers)[2]
        for headers in (
            {"Accept_Language": "fr"}, {"Accept_Language": "nl"}, {"Cookie": "theme=dark"},
            {"Cookie": "django_language=fr"},
        )
    ]  # fmt: skip
    assert "fr" in seen[0]
    assert "nl" in seen[1]
    assert "theme=dark" in seen[2]
    assert "django_language=fr" in seen[3]
    assert len(Application.asked) == 4


def test_who_was_told_of_a_version_is_not_given_the_page_before_it(port: int, path: str) -> None:
    get(port, path)
    get(port, path, X_Live_Version="7")
    assert len(Application.asked) == 2


@pytest.mark.parametrize(
    "path", ["/p/secret-of-one/", "/t/table/", "/desk/hall/", "/api/v1/events/"]
)
def test_personal_and_staff_pages_are_never_kept(port: int, path: str) -> None:
    first, second = get(port, path), get(port, path)
    assert first[2] != second[2]
    assert "X-Cache" not in first[1]


def test_an_answer_that_sets_a_cookie_is_never_kept(port: int) -> None:
    path = "/e/hall/cookie-setting/"
    assert get(port, path)[2] != get(port, path)[2]


def test_the_stream_is_neither_kept_nor_held_back() -> None:
    text = (ROOT / "docker" / "nginx.conf").read_text()
    live = re.search(r"location ~ \^/e/\[\^/\]\+/live/\$ \{(.*?)\}", text, re.DOTALL)
    assert live is not None
    assert "proxy_buffering off" in live[1]
    assert "proxy_cache" not in live[1]


@pytest.mark.django_db
def test_only_public_pages_without_a_session_allow_nginx_to_keep_them(client: Client) -> None:
    event = make_event(8, slug="hall")
    for path in ("", "draw/", "standings/", "players/3/", "wall/"):
        answer = client.get(f"/e/hall/{path}")
        assert answer["X-Accel-Expires"] == "1"
        assert {"Cookie", "Accept-Language"} <= set(re.split(r", ?", answer["Vary"]))
    assert "X-Accel-Expires" not in client.get("/e/hall/players/999/")
    assert "X-Accel-Expires" not in client.get("/login/")
    client.force_login(make_user("director", event, "director"))
    assert "X-Accel-Expires" not in client.get("/e/hall/standings/")
