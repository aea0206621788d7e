"""The phones of a simulated day: they ask with what they have, and end with the day."""

from __future__ import annotations

import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from operations.load import Measures, Staffed, play_day, read_pages
from tournament.models import Event


def test_a_phone_keeps_what_it_has_over_a_failure() -> None:
    """The second answer of every page is a failure: the third is asked for as the second was."""
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
