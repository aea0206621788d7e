"""Public pages under many phones, against a trivial view of the same server in the same run.

The server is the one that ``config.serve`` starts, with 544 players who have played one round.
Baselines, in the same run: ``hello`` (``/health/live/``, through the whole stack, no database) and
``naive`` (the same standings page with rows read through the ORM and written by a template, in this
process). Prints requests per second and ratios; ``BENCH_DATABASE_URL``, ``BENCH_BROKER_URL`` and
``BENCH_CACHE_URL`` measure another installation (PostgreSQL and Redis) in the same way.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = float(os.environ.get("BENCH_SECONDS", "2.5"))
CONNECTIONS = 16
ROUNDS = 3


@dataclass(frozen=True)
class Installation:
    """A running server and how to reach it."""

    host: str
    port: int
    environment: dict[str, str]

    def manage(self, *words: str) -> str:
        """Run a management command there; its output."""
        return subprocess.run(
            [sys.executable, "manage.py", *words], cwd=ROOT, env=self.environment, check=True,
            capture_output=True, text=True,
        ).stdout  # fmt: skip


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def installation(folder: str) -> Iterator[Installation]:
    """``config.serve`` with the field of 544 in ``folder``."""
    port = free_port()
    environment = {
        **os.environ, "MANILLE_VAR": folder, "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": os.environ.get("BENCH_DATABASE_URL", ""),
        "BROKER_URL": os.environ.get("BENCH_BROKER_URL", ""),
        "CACHE_URL": os.environ.get("BENCH_CACHE_URL", ""), "LOG_LEVEL": "ERROR",
    }  # fmt: skip
    place = Installation("127.0.0.1", port, environment)
    place.manage("migrate", "--verbosity", "0")
    place.manage("shell", "-c", FIELD)
    process = subprocess.Popen(
        [sys.executable, "-m", "config.serve", "--port", str(port)], cwd=ROOT, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready/", timeout=2)
                break
            except OSError:
                time.sleep(0.2)
        yield place
    finally:
        process.terminate()
        process.wait(20)


FIELD = """
from tests.tournament.build import make_event, SYSTEM, chance
from tournament.models import Event, Round
if not Event.objects.filter(slug="bench").exists():
    from tournament.demo.simulation import draw_and_publish
    from benchmarks.pages import signed
    event = make_event(544, deals=2, cut=128, name="bench", slug="bench")
    part = draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)
    signed(part)
"""


def signed(part: object) -> None:
    """Give every sheet of a round an official result, without the deals that led to it."""
    from django.utils import timezone

    from scoring.models import OfficialResult, Sheet, SheetState
    from tests.tournament.build import chance
    from tournament.services.events import bump

    luck = chance("bench")
    sheets = list(Sheet.objects.filter(game__table__round=part))
    for sheet in sheets:
        us, them = luck.randrange(80), luck.randrange(80)
        OfficialResult.objects.create(
            sheet=sheet, number=1, sheet_version=1, made_by="bench", made_at=timezone.now(),
            result={
                "marks": {"NS": us, "EW": them}, "deals": 4, "best_deal": {"NS": us, "EW": them},
                "winner": "NS" if us > them else "EW" if them > us else None,
            },
        )  # fmt: skip
    Sheet.objects.filter(pk__in=[sheet.pk for sheet in sheets]).update(
        state=SheetState.OFFICIAL, finished=True
    )
    bump(sheets[0].scope)


def rate(place: Installation, path: str, headers: dict[str, str], expect: int) -> float:
    """Requests per second over kept connections, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.pages", "ask", place.host, str(place.port), path,
         json.dumps(headers), str(expect)],
        cwd=ROOT, check=True, capture_output=True, text=True, env=place.environment,
    )  # fmt: skip
    return float(done.stdout)


def ask(host: str, port: int, path: str, headers: dict[str, str], expect: int) -> float:
    """What :func:`rate` runs: raw sockets, each asking again as soon as it is answered."""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n"
        + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
    ).encode()  # fmt: skip
    counts: list[int] = []
    end = time.monotonic() + SECONDS

    def work() -> None:
        count = 0
        with socket.create_connection((host, port)) as line:
            stream = line.makefile("rb")
            while time.monotonic() < end:
                line.sendall(request)
                status = int(stream.readline().split()[1])
                length = 0
                while (header := stream.readline().strip().lower()) != b"":
                    if header.startswith(b"content-length:"):
                        length = int(header.split(b":")[1])
                if length and status != 304:
                    stream.read(length)
                if status != expect:
                    raise RuntimeError(f"{path} answered {status} instead of {expect}")
                count += 1
        counts.append(count)

    workers = [threading.Thread(target=work) for _number in range(CONNECTIONS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if len(counts) != CONNECTIONS:
        raise RuntimeError("a connection failed")
    return sum(counts) / SECONDS


def etag(place: Installation, path: str, headers: dict[str, str]) -> tuple[str, int]:
    """The page's ETag and its size as transferred."""
    line = http.client.HTTPConnection(place.host, place.port)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    return answer.headers["ETag"], len(answer.read())


def in_process(environment: dict[str, str]) -> dict[str, float]:
    """Seconds of the page without the store, of the naive page, and the queries of each."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.pages", "inside"], cwd=ROOT, env=environment, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return dict(json.loads(done.stdout.splitlines()[-1]))


def inside() -> dict[str, float]:
    """Measure the page that is not kept against the naive one, both without middleware."""
    import django

    django.setup()
    from types import SimpleNamespace

    from django.db import connection
    from django.test import RequestFactory
    from django.test.utils import CaptureQueriesContext
    from django.utils import translation

    from tournament.views.public import standings

    def ours() -> None:
        request = RequestFactory().get("/e/bench/standings/")
        request.user = SimpleNamespace(is_authenticated=False)
        with translation.override("nl"):
            if standings(request, "bench").status_code != 200:
                raise RuntimeError("no page")

    ours()
    naive = naive_page()
    with CaptureQueriesContext(connection) as queries:
        ours()
    own_queries = len(queries)
    with CaptureQueriesContext(connection) as queries:
        naive()
    figures = {"own_queries": float(own_queries), "naive_queries": float(len(queries))}
    own, plain = [], []
    for _round in range(9):
        own.append(timed(ours))
        plain.append(timed(naive))
    return figures | {"own": statistics.median(own), "naive": statistics.median(plain)}


def timed(work: Callable[[], object]) -> float:
    """Seconds of one run."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def naive_page() -> Callable[[], str]:
    """The same page as usually written: rows read through the ORM, looped over in the template."""
    from types import SimpleNamespace

    from django.template.loader import render_to_string
    from django.test import RequestFactory
    from django.utils import translation

    from tournament.models import Stage
    from tournament.selectors.pages import shown_standings
    from tournament.services.rendering import head, row_contexts
    from tournament.services.standings import fresh
    from tournament.views.frame import page as framed

    stage = Stage.objects.select_related("event").get(event__slug="bench", order=1)

    def page() -> str:
        with translation.override("nl"):
            shown = shown_standings(fresh(stage), stage, language="nl")
            rows = "".join(
                render_to_string("parts/standings_row.html", {"row": row})
                for row in row_contexts(shown)
            )
            request = RequestFactory().get("/e/bench/standings/")
            request.user = SimpleNamespace(is_authenticated=False)
            table = SimpleNamespace(head=head(shown, hidden=False), rows=rows, version=1)
            return render_to_string(
                "public/standings.html",
                framed(
                    request, stage.event, "event-standings", stage=stage, table=table,
                    stages=list(stage.event.stages.all()),
                ),
                request,
            )  # fmt: skip

    return page


def main() -> int:
    """Print the table and one JSON line."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, installation(folder) as place:
        path = "/e/bench/standings/"
        headers = {"Accept-Encoding": "gzip", "Accept-Language": "nl"}
        tag, size = etag(place, path, headers)
        runs: dict[str, list[float]] = {"hello": [], "304": [], "full": [], "player": []}
        for _round in range(ROUNDS):
            runs["hello"].append(rate(place, "/health/live/", headers, 200))
            runs["304"].append(rate(place, path, {**headers, "If-None-Match": tag}, 304))
            runs["full"].append(rate(place, path, headers, 200))
            runs["player"].append(rate(place, "/e/bench/players/17/", headers, 200))
        for name, measured in runs.items():
            figures[name] = statistics.median(measured)
        figures["bytes"] = float(size)
        figures |= in_process(place.environment)
    hello = figures["hello"]
    print(f"{'hello (health/live)':34}{hello:10.0f} requests/s")
    for name, words in (
        ("304", "standings of 544, unchanged (304)"), ("full", "standings of 544, kept"),
        ("player", "a player's page, kept"),
    ):  # fmt: skip
        print(f"{words:34}{figures[name]:10.0f} requests/s  {figures[name] / hello:6.2f} x hello")
    print(f"{'page as transferred':34}{figures['bytes'] / 1000:10.1f} kB")
    print(
        f"{'page not kept':34}{figures['own'] * 1000:10.1f} ms, {figures['own_queries']:.0f} queries"
        f"   naive {figures['naive'] * 1000:.1f} ms: {figures['naive'] / figures['own']:.1f} x faster"
    )
    print(json.dumps({"benchmark": "pages", **figures}))
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["ask"]:
        print(
            ask(
                sys.argv[2],
                int(sys.argv[3]),
                sys.argv[4],
                json.loads(sys.argv[5]),
                int(sys.argv[6]),
            )
        )
    elif sys.argv[1:2] == ["inside"]:
        print(json.dumps(inside()))
    else:
        sys.exit(main())
