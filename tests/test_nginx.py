"""The shipped nginx configuration, run by a real nginx before a stand-in of the application.

The stand-in answers as the application does (ETag, Vary, Cache-Control, X-Accel-Expires) and counts the requests that
reach it. What matters: a hall of phones is one request, and no reader gets another's page.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.views.looks import CHOICES
from tests.conftest import missing
from tests.programs import ROOT, nginx, nginx_program, wait_for
from tests.tournament.build import make_event, make_user
from tools.permissions_page import routes


class Application(BaseHTTPRequestHandler):
    """The stand-in application: only public pages may be cached; every page echoes its cookies and language."""

    protocol_version = "HTTP/1.1"
    asked: list[str] = []
    told: list[http.client.HTTPMessage] = []
    hold = threading.Event()

    def do_GET(self) -> None:
        """Answer like a page of the application."""
        Application.asked.append(self.path)
        Application.told.append(self.headers)
        Application.hold.wait(20)
        if "breaks-off" in self.path:
            self.close_connection = True
            return
        said = self.headers
        cookie, language = said.get("Cookie", ""), said.get("Accept-Language", "")
        session = "sessionid=" in cookie
        if "sessionid=signed-in" in cookie and said.get("X-Session-Node"):
            self.send_response(200)
            self.send_header("X-Accel-Redirect", said["X-Session-Node"])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = f"{self.path} {language} {cookie} {len(Application.asked)}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Request-ID", "0" * 32)
        if "/version/" in self.path:
            self.send_header("Cache-Control", "no-cache")
        elif session or not self.path.startswith("/e/"):
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

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    """Run the stand-in. Yield its port."""
    if nginx_program() is None:
        missing("nginx", "apt-get install nginx-light")
    application = ThreadingHTTPServer(("127.0.0.1", 0), Application)
    threading.Thread(target=application.serve_forever, daemon=True).start()
    yield application.server_port
    application.shutdown()
    application.server_close()


@pytest.fixture(scope="module")
def port(server: int) -> Iterator[int]:
    """Run nginx before the stand-in. Yield its port."""
    with nginx([server]) as port:
        yield port


@pytest.fixture(autouse=True)
def _quiet() -> None:
    Application.asked, Application.told = [], []
    Application.hold.set()


_page = iter(range(10_000))


@pytest.fixture
def path() -> str:
    """Return a page that no test has requested yet."""
    return f"/e/hall/standings/?n={next(_page)}"


def get(port: int, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", path, headers={n.replace("_", "-"): v for n, v in headers.items()})
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, answer.headers, body


@pytest.fixture
def vanished() -> Iterator[int]:
    """Yield the port of a node that neither accepts nor refuses connections, like a machine that is gone.

    Its queue is full, so further connections are dropped without an answer.
    """
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        queued: list[socket.socket] = []
        taken = True
        while taken:
            phone = socket.socket()
            phone.settimeout(1)
            queued.append(phone)
            taken = phone.connect_ex(listening.getsockname()) == 0
        yield listening.getsockname()[1]
        for phone in queued:
            phone.close()


@pytest.mark.long
def test_a_robot_s_questions_wait_and_the_hall_behind_its_address_does_not(port: int) -> None:
    def ask(path: str) -> tuple[int, float]:
        return get(port, path)[0], time.monotonic()

    began = time.monotonic()
    with ThreadPoolExecutor(40) as hands:
        robots = [hands.submit(ask, f"/e/hall/players/?q=robot{n}") for n in range(130)]
        hall = [hands.submit(ask, f"/e/hall/draw/?by=name&n={n}") for n in range(300)]
    assert {answer.result()[0] for answer in (*hall, *robots)} == {200}
    # A burst of a hundred is allowed, for a hall that looks for its names; later requests are served at twenty a
    # second.
    assert max(answer.result()[1] for answer in robots) - began > 1


@pytest.mark.guide("security#security")
@pytest.mark.long
@pytest.mark.parametrize(
    ("address", "slow"),
    [("2001:db8:a0a:2::{:x}", True), ("2001:db8:a0a:{:x}::1", False), ("192.0.2.{}", False)],
)
def test_a_robot_has_one_turn_however_many_addresses_of_its_line_it_uses(
    server: int, address: str, slow: bool
) -> None:
    with nginx([server], tls_proxy="127.0.0.1") as port:

        def ask(number: int) -> int:
            said = {"x_forwarded_for": address.format(number)}
            return get(port, "/e/hall/players/?q=robot", **said)[0]

        began = time.monotonic()
        with ThreadPoolExecutor(40) as hands:
            assert set(hands.map(ask, range(160))) == {200}
        assert (time.monotonic() - began > 2.5) is slow


@pytest.mark.guide("operator#more-processes-and-a-node-for-the-public")
@pytest.mark.long
def test_a_public_node_that_has_vanished_costs_one_reader_two_seconds(
    server: int, vanished: int
) -> None:
    with nginx([server], vanished) as port:
        begun = time.monotonic()
        assert get(port, "/e/hall/standings/?n=vanished")[0] == 200
        assert time.monotonic() - begun < 10
        # Later requests are not routed to the vanished node.
        begun = time.monotonic()
        for number in range(20):
            assert get(port, f"/e/hall/players/{number}/")[0] == 200
        assert time.monotonic() - begun < 2


@pytest.mark.long
def test_a_web_node_that_has_vanished_loses_no_entry(server: int, vanished: int) -> None:
    with nginx([vanished, server]) as port:
        for number in range(3):
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            line.request("POST", f"/t/table/send/?n={number}", b"", {"Content-Length": "0"})
            assert line.getresponse().status == 200
            line.close()
        # Each request was forwarded once, without a repetition.
        assert Application.asked == [f"/t/table/send/?n={number}" for number in range(3)]


def test_while_no_node_serves_a_page_says_when_to_come_back() -> None:
    with socket.socket() as gone:
        gone.bind(("127.0.0.1", 0))
        nobody = gone.getsockname()[1]
    with nginx([nobody]) as port:
        for path in ("/e/hall/standings/", "/desk/", "/t/table/"):
            status, headers, body = get(port, path)
            assert (status, headers["Retry-After"]) == (502, "10")
            assert headers["Cache-Control"] == "no-store"
            assert all(f'lang="{language}"' in body for language in ("en", "fr", "nl"))
        status, headers, body = get(port, "/api/v1/events/")
        assert (status, headers["Content-Type"]) == (502, "application/problem+json")
        assert json.loads(body)["code"] == "paused"
        # The pages themselves are at no address.
        assert get(port, "/-paused")[2].count("<h1>") == 1


def test_what_a_node_was_sent_is_sent_once_unless_it_only_reads(server: int, port: int) -> None:
    """The node ends without an answer: an entry may have been made, so only the page is requested again."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    line.request("POST", "/t/breaks-off/send/", b"verb=deal")
    assert line.getresponse().status == 502
    line.close()
    assert Application.asked == ["/t/breaks-off/send/"]
    assert get(port, "/t/breaks-off/")[0] == 502
    assert Application.asked.count("/t/breaks-off/") > 1


def test_a_hall_of_phones_is_one_request(port: int, path: str) -> None:
    Application.hold.clear()
    phones = [http.client.HTTPConnection("127.0.0.1", port, timeout=20) for _phone in range(40)]
    for phone in phones:
        phone.request("GET", path)
    Application.hold.set()
    bodies = {phone.getresponse().read() for phone in phones}
    for phone in phones:
        phone.close()
    # One, or two where the second ends before the last phones were let in.
    assert len(Application.asked) <= 2
    assert len(bodies) == len(Application.asked)


@pytest.mark.long
def test_a_hall_that_asks_on_and_on_is_one_request_a_second(port: int, path: str) -> None:
    seconds = 4

    def phone() -> int:
        line, asked = http.client.HTTPConnection("127.0.0.1", port, timeout=30), 0
        while time.monotonic() < end:
            line.request("GET", path, headers={"Accept-Language": "nl"})
            line.getresponse().read()
            asked += 1
        line.close()
        return asked

    end = time.monotonic() + seconds
    with ThreadPoolExecutor(16) as phones:
        asked = sum(each.result() for each in [phones.submit(phone) for _phone in range(16)])
    assert asked > 50 * seconds
    # While one request refreshes the page, the others receive the cached page.
    assert len(Application.asked) <= seconds + 1


def test_who_waits_for_a_new_page_does_not_wait_long(port: int, path: str) -> None:
    # The first request has to wait; the others go to the application, which shares its work.
    Application.hold.clear()
    with ThreadPoolExecutor(8) as phones:
        asked = [phones.submit(get, port, path) for _phone in range(8)]
        wait_for("all to have come in", lambda: len(Application.asked) == 8, 20)
        Application.hold.set()
        assert {answer.result()[0] for answer in asked} == {200}


def test_who_has_the_page_is_told_so(port: int, path: str) -> None:
    get(port, path)
    status, headers, body = get(port, path, If_None_Match='W/"v1"')
    assert (status, body) == (304, "")
    assert headers["X-Request-ID"]


@pytest.mark.guide("operator#health-and-metrics")
def test_a_request_has_one_id_in_the_answer_the_log_and_the_application(
    server: int, tmp_path: Path
) -> None:
    given = "chosen-by-a-caller-7"
    with nginx([server], log=tmp_path / "access.log") as port:
        first = get(port, "/e/hall/standings/?n=id")[1]["X-Request-ID"]
        told = Application.told[-1]["X-Request-ID"]
        kept = get(port, "/e/hall/standings/?n=id")[1]["X-Request-ID"]
        get(port, "/login/", X_Request_ID=given)
        own = Application.told[-1]["X-Request-ID"]
        assert re.fullmatch(r"[0-9a-f]{32}", own)
    lines = [json.loads(line) for line in (tmp_path / "access.log").read_text().splitlines()]
    assert told == first
    assert kept != first
    assert [line["request_id"] for line in lines[:3]] == [first, kept, own]
    assert lines[0]["path"] == "/e/hall/standings/?n=id"
    assert (lines[0]["status"], lines[0]["cache"], lines[1]["cache"]) == (200, "MISS", "HIT")


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


def test_who_has_a_session_is_handed_back_to_a_web_node(port: int, path: str) -> None:
    """The public node detects the session; a client's own header about the node is not forwarded."""
    page = get(port, path, Cookie="sessionid=signed-in")
    assert "sessionid=signed-in" in page[2]
    assert page[1]["Cache-Control"] == "private, no-cache"
    assert [said.get("X-Session-Node") for said in Application.told] == ["@session", None]
    get(port, path, X_Session_Node="@web")
    get(port, "/desk/", Cookie="sessionid=signed-in", X_Session_Node="@web")
    assert [said.get("X-Session-Node") for said in Application.told[2:]] == [None, None]


@pytest.mark.guide("security#security")
def test_forms_of_signing_in_hold_few_threads_of_the_web_nodes(port: int) -> None:
    Application.hold.clear()
    answers: list[int] = []

    def sign_in(_number: int) -> None:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        line.request("POST", "/login/")
        answers.append(line.getresponse().status)
        line.close()

    with ThreadPoolExecutor(101) as threads:
        robots = [threads.submit(sign_in, number) for number in range(100)]
        wait_for("the refusals", lambda: len(answers) >= 92)
        assert Application.asked == ["/login/"] * 8
        table = threads.submit(get, port, "/t/token/state/")
        wait_for("the table", lambda: len(Application.asked) == 9)
        Application.hold.set()
        assert table.result()[0] == 200
        for robot in robots:
            robot.result()
    assert (answers.count(429), answers.count(200)) == (92, 8)


@pytest.mark.guide("security#security")
def test_long_bodies_are_few_at_a_time_and_only_where_files_are_sent(port: int) -> None:
    """Twelve half requests that announce 50 MB, each with its first megabytes: three per network proceed."""
    half = b"POST /desk/take-up/ HTTP/1.1\r\nHost: hall\r\nContent-Length: 50000000\r\n\r\n"
    lines = [socket.create_connection(("127.0.0.1", port), 30) for _robot in range(12)]
    for line in lines:
        line.sendall(half)
        line.settimeout(0.5)
    answers = []
    for line in lines:
        try:
            answers.append(line.recv(100).split()[1])
        except TimeoutError:
            answers.append(b"goes on")
    assert (answers.count(b"goes on"), answers.count(b"429")) == (3, 9)
    # A table's deal is a short body, and is accepted meanwhile.
    assert get(port, "/t/token/state/")[0] == 200
    for line in lines:
        line.close()
    for path, length, status in (
        ("/t/token/send/", 3_200_000, 413),
        ("/desk/hall/import/", 13_000_000, 413),
        ("/api/v1/archives/", 55_000_000, 413),
    ):
        with socket.create_connection(("127.0.0.1", port), 30) as line:
            head = f"POST {path} HTTP/1.1\r\nHost: hall\r\nContent-Length: {length}\r\n\r\n"
            line.sendall(head.encode())
            assert int(line.recv(100).split()[1]) == status, path
    assert Application.asked == ["/t/token/state/"]


def test_a_cookie_that_only_looks_like_a_session_is_none(port: int, path: str) -> None:
    assert get(port, path, Cookie="notsessionid=1")[1]["X-Cache"] == "MISS"


def test_a_cookie_that_is_nothing_to_the_page_makes_no_page_of_its_own(
    port: int, path: str
) -> None:
    first = get(port, path, Cookie="csrftoken=one; theme=dark")
    assert get(port, path, Cookie="theme=dark; csrftoken=two")[2] == first[2]
    assert "csrftoken" not in first[2]


def test_a_header_said_twice_gives_nobody_a_page_of_another_language(port: int, path: str) -> None:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.putrequest("GET", path)
    line.putheader("Cookie", "django_language=fr; django_language=nl")
    line.endheaders()
    line.getresponse().read()
    line.close()
    # The cache key contains "fr", so the application may receive only that language.
    assert SimpleCookie(Application.told[-1]["Cookie"])["django_language"].value == "fr"
    assert "nl" not in Application.told[-1]["Cookie"]


def test_the_key_holds_every_cookie_that_a_public_page_depends_on() -> None:
    text = (ROOT / "docker" / "nginx.conf").read_text()
    keys = re.findall(r"proxy_cache_key (.*);", text)
    told = re.search(r'0 /e/" "(.*)";', text)
    assert told is not None
    for name in (settings.LANGUAGE_COOKIE_NAME, *CHOICES):
        assert f"$cookie_{name}" in keys[-1]
        assert f"{name}=$cookie_{name}" in told[1]


def test_the_poll_of_the_marks_is_one_request_a_second(port: int) -> None:
    polls = {get(port, "/e/poll/version/", Accept_Language=each)[2] for each in ("fr", "nl", "en")}
    assert (len(polls), len(Application.asked)) == (1, 1)
    assert get(port, "/e/poll/version/?player=7")[2] not in polls
    assert get(port, "/e/poll/version/", X_Live_Version="3")[2] not in polls
    assert get(port, "/e/poll/version/", Cookie="sessionid=one")[1]["X-Cache"] == "BYPASS"


@pytest.mark.guide("operator#production", "security#security")
def test_the_log_shows_no_key_of_a_table_or_player(server: int, tmp_path: Path) -> None:
    with nginx([server], log=tmp_path / "access.log") as port:
        for path in (
            "/t/SECRET-one/",
            "/t/SECRET-two/state/?game=1",
            "/p/SECRET-three/",
            "/sign/SECRET-four/",
            "/e/hall/standings/?n=log",
        ):
            get(port, path)
    log = (tmp_path / "access.log").read_text()
    assert "SECRET" not in log
    assert [json.loads(line)["path"] for line in log.splitlines()].count("/t/...") == 2
    assert "/e/hall/standings/?n=log" in log


@pytest.mark.guide("operator#production")
def test_only_the_proxy_that_ends_tls_says_for_whom_it_asks(server: int) -> None:
    for tls_proxy, believed in (("127.0.0.1", "203.0.113.9"), ("192.0.2.1", "127.0.0.1")):
        with nginx([server], tls_proxy=tls_proxy) as port:
            get(port, "/login/", X_Forwarded_For="203.0.113.9")
        assert Application.told[-1]["X-Forwarded-For"] == believed


@pytest.mark.guide("security#security")
def test_every_link_that_is_a_key_is_hidden_from_the_log() -> None:
    text = (ROOT / "docker" / "nginx.conf").read_text()
    rooms = re.search(r"\^/\(\?<room>(.*?)\)/", text)
    assert rooms is not None
    keys = {
        route.pattern.split("/")[0]
        for route in routes()
        if re.match(r"\w+/<(str:\w*token|uuid:consent_id)>/", route.pattern)
    }
    assert keys == set(rooms[1].split("|"))


def test_languages_and_looks_are_kept_apart(port: int, path: str) -> None:
    seen = [
        get(port, path, **headers)[2]
        for headers in (
            {"Accept_Language": "fr"},
            {"Accept_Language": "nl"},
            {"Cookie": "theme=dark"},
            {"Cookie": "django_language=fr"},
        )
    ]
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
        # The page varies only by the parts of nginx's cache key, which replaces Vary there.
        varies = set(re.split(r", ?", answer["Vary"]))
        assert {"Cookie", "Accept-Language"} <= varies
        assert varies <= {"Cookie", "Accept-Language", "Accept-Encoding"}
    assert "X-Accel-Expires" not in client.get("/e/hall/players/999/")
    assert "X-Accel-Expires" not in client.get("/login/")
    client.force_login(make_user("director", event, "director"))
    assert "X-Accel-Expires" not in client.get("/e/hall/standings/")
