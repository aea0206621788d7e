"""The phones of a simulated day: they send their cached ETags, and end with the day."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import pytest

from accounts.models import Role, User
from tests.tables.build import a_table
from tests.tournament.build import make_event
from tools.load_day import Measures, Staffed, play_day, read_pages
from tools.load_staff import Director, Staff, Unanswered
from tournament.models import Event


def test_a_phone_keeps_what_it_has_over_a_failure() -> None:
    """The second answer of every page is a failure, so the third request sends the same ETag as the second."""
    asked: defaultdict[str, list[str | None]] = defaultdict(list)
    stop = threading.Event()

    class Service(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked[self.path].append(self.headers["If-None-Match"])
            turn = len(asked[self.path])
            if turn == 3 and self.path == "/e/cup/":
                stop.set()
            self.send_response({1: 200, 2: 503}.get(turn, 304))
            if turn != 2:
                self.send_header("ETag", '"a"')
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            return

    measures = Measures()
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        read_pages(f"http://127.0.0.1:{server.server_port}", "cup", measures, stop, 0)
        server.shutdown()
    assert set(asked) == {"/e/cup/standings/", "/e/cup/draw/", "/e/cup/"}
    assert all(tags == [None, '"a"', '"a"'] for tags in asked.values()), asked
    assert measures.faults == {"public page 503": 3}


def test_a_day_without_a_round_ends_with_its_phones() -> None:
    before, measures = threading.active_count(), Measures()
    nobody = cast(Staffed, None)
    play_day(
        Event(slug="cup"),
        "http://127.0.0.1:9",
        nobody,
        measures,
        most_rounds=0,
        phones=2,
        every=60,
        seed="test",
        report=print,
    )
    assert measures.times == {}
    assert threading.active_count() == before


@contextmanager
def desk(
    drawn: list[tuple[str, str]], job: str = "done", login: int = 302, publish: int = 200
) -> Iterator[tuple[str, list[str]]]:
    """Run a stand-in service with one round. Yield its address and the addresses of its POST requests."""
    posted: list[str] = []

    class Service(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path.endswith("/draws/"):
                self.answer(200, [{"id": key, "state": state} for key, state in drawn])
            elif "/jobs/" in self.path:
                self.answer(200, {"id": "7", "state": job, "failure": "nobody is there"})
            else:
                self.answer(200)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            posted.append(self.path)
            if self.path == "/login/":
                self.answer(login)
            elif self.path.endswith("/draws/"):
                self.answer(202, {"id": "7", "state": "queued"})
            else:
                found = {"number": len(posted), "appeals": [{"id": "9"}]}
                self.answer(publish if self.path.endswith("/publish/") else 200, found)

        def answer(self, status: int, body: object = None) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Set-Cookie", "csrftoken=t; Path=/")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", posted
        server.shutdown()


@pytest.mark.parametrize(
    ("drawn", "published"),
    [
        ([("a", "candidate")], "a"),
        ([("a", "candidate"), ("b", "candidate")], "b"),
        ([("a", "discarded"), ("b", "candidate"), ("c", "discarded")], "b"),
        ([("a", "published"), ("b", "candidate")], "b"),
    ],
)
def test_a_simulated_director_publishes_the_newest_draft(
    db: None, drawn: list[tuple[str, str]], published: str
) -> None:
    measures = Measures()
    with desk(drawn) as (url, posted):
        director = Director(url, Event(slug="cup"), Role.DIRECTOR, measures)
        director.begin(3)
    assert posted == [
        "/login/",
        "/api/v1/rounds/3/draws/",
        f"/api/v1/draws/{published}/publish/",
        "/api/v1/rounds/3/start/",
    ]
    assert len(measures.times["draw, whole job"]) == 1
    assert not measures.faults
    assert director.user.is_active
    director.leave()
    assert not User.objects.get(pk=director.user.pk).is_active


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"job": "failed"}, "the round could not be drawn: nobody is there"),
        ({"login": 200}, "director could not sign in: 200"),
        ({"publish": 409}, "/api/v1/draws/a/publish/: 409"),
    ],
)
def test_a_simulated_day_is_given_up_where_its_director_cannot_go_on(
    db: None, fault: dict[str, Any], words: str
) -> None:
    with (
        desk([("a", "candidate")], **fault) as (url, posted),
        pytest.raises(Unanswered, match=words),
    ):
        Director(url, Event(slug="cup"), Role.DIRECTOR, Measures()).begin(3)
    assert "/api/v1/rounds/3/start/" not in posted


@pytest.mark.parametrize(("tables", "ruled"), [(1, 1), (39, 1), (41, 2)])
def test_between_two_rounds_there_is_a_ruling_at_one_table_in_twenty_and_one_appeal(
    db: None, tables: int, ruled: int
) -> None:
    event = make_event(0)
    round_ = event.stages.get(order=1).rounds.get(number=1)
    for number in range(1, tables + 1):
        a_table(event.pk, f"1/{number}", round=round_, number=number)
    with desk([]) as (url, posted):
        Staff(url, event, Measures(), "test").between(round_, last=True)
    base = f"/api/v1/events/{event.slug}"
    assert posted.count(f"{base}/incidents/") == ruled
    assert posted[-2:] == [f"{base}/appeals/9/", f"/api/v1/rounds/{round_.pk}/close/"]
