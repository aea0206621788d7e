"""Public pages under load from many phones, compared with a trivial view of the same server in the same run.

The server is the one that ``config.serve`` starts, with 544 players who have played one round, in
each shape of :mod:`benchmarks.installed`. Baselines, in the same run: ``hello``
(``/health/live/``, through the whole stack, no database), also in a ``web`` process under WSGI,
``bare`` (:mod:`benchmarks.bare`, one process of the same server without Django), ``django``
(:mod:`benchmarks.bare_django`, Django with its standard middlewares under WSGI) and ``naive`` (the same standings page
with rows read through the ORM and written by a template, in this process). The load comes from
``wrk`` where it is installed, else from threads of Python, which count in the ratios as well.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from django.http import HttpResponse

from benchmarks.installed import Installation, installations
from tests.programs import ROOT, answers, free_port, wait_for

SECONDS = float(os.environ.get("BENCH_SECONDS", "2"))
CONNECTIONS = 16
ROUNDS = 3


def rate(place: Installation, path: str, headers: dict[str, str], expect: int) -> float:
    """Return the requests per second over persistent connections, measured from a separate process."""
    if shutil.which("wrk"):
        return _wrk(f"http://{place.host}:{place.port}{path}", headers)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "benchmarks.pages",
            "ask",
            place.host,
            str(place.port),
            path,
            json.dumps(headers),
            str(expect),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        env=place.environment,
    )
    return float(done.stdout)


def _wrk(url: str, headers: dict[str, str]) -> float:
    named = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
    said = subprocess.run(
        ["wrk", "-t", "1", "-c", str(CONNECTIONS), "-d", f"{SECONDS:.0f}s", *named, url],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)", said)
    found = re.search(r"Requests/sec:\s+([\d.]+)", said)
    if failed or not found:
        raise RuntimeError(f"{url}: {failed[0] if failed else said}")
    return float(found[1])


def ask(host: str, port: int, path: str, headers: dict[str, str], expect: int) -> float:
    """Count answered requests for :func:`rate`: raw sockets that send the next request after each answer."""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n"
        + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        + "\r\n"
    ).encode()
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
    """Return the page's ETag and its size as transferred."""
    line = http.client.HTTPConnection(place.host, place.port)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    return answer.headers["ETag"], len(answer.read())


def in_process(environment: dict[str, str]) -> dict[str, float]:
    """Measure in another process: seconds of the uncached page and of the naive page, and the queries of each."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.pages", "inside"],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def inside() -> dict[str, float]:
    """Compare the uncached page with a naive implementation, both without middleware."""
    import django

    django.setup()

    from django.contrib.auth.models import AnonymousUser
    from django.db import connection
    from django.test import RequestFactory
    from django.test.utils import CaptureQueriesContext
    from django.utils import translation

    from tournament.views.public import player, standings

    def ask_for(
        view: Callable[..., HttpResponse], path: str, *words: object
    ) -> Callable[[], object]:
        def asked() -> object:
            request = RequestFactory().get(path)
            request.user = AnonymousUser()
            with translation.override("nl"):
                answer = view(request, "bench", *words)
            if answer.status_code != 200:
                raise RuntimeError("no page")
            return answer

        return asked

    works = {
        "own": ask_for(standings, "/e/bench/standings/"),
        "day": ask_for(player, "/e/bench/players/17/", 17),
        "naive": naive_page(),
    }
    figures: dict[str, float] = {}
    for name, work in works.items():
        work()
        with CaptureQueriesContext(connection) as queries:
            work()
        figures[f"{name}_queries"] = float(len(queries))
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for _round in range(9):
        for name, work in works.items():
            took[name].append(timed(work))
    for name, times in took.items():
        figures[name] = statistics.median(wall for wall, _cpu in times)
        figures[f"{name}_cpu"] = statistics.median(cpu for _wall, cpu in times)
    return figures


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Run the work once. Return its elapsed seconds and its processor seconds."""
    began, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - used


def naive_page() -> Callable[[], str]:
    """Build the page naively: rows read through the ORM and looped over in the template."""
    from types import SimpleNamespace

    from django.contrib.auth.models import AnonymousUser
    from django.template.loader import render_to_string
    from django.test import RequestFactory
    from django.utils import translation

    from tournament.models import Stage
    from tournament.queries.pages import shown_standings
    from tournament.queries.standings import fresh
    from tournament.services.rendering import head, row_contexts
    from tournament.views.frame import Frame

    stage = Stage.objects.select_related("event").get(event__slug="bench", order=1)

    def page() -> str:
        with translation.override("nl"):
            shown = shown_standings(fresh(stage), stage, language="nl")
            rows = "".join(
                render_to_string("parts/standings/row.html", {"row": row})
                for row in row_contexts(shown)
            )
            request = RequestFactory().get("/e/bench/standings/")
            request.user = AnonymousUser()
            table = SimpleNamespace(rows=rows, version=1)
            return render_to_string(
                "public/standings.html",
                dict(
                    **vars(Frame(request, stage.event, "event-standings")),
                    stage=stage,
                    table=table,
                    head=head(shown, hidden=False),
                    stages=list(stage.event.stages.all()),
                ),
                request,
            )

    return page


PATH = "/e/bench/standings/"
HEADERS = {"Accept-Encoding": "gzip", "Accept-Language": "nl"}
LINES = (
    ("304", "standings of 544, unchanged (304)", PATH, 304),
    ("full", "standings of 544, kept", PATH, 200),
    ("player", "a player's page, kept", "/e/bench/players/17/", 200),
    ("poll", "the poll of the marks", "/e/bench/version/?player=17", 200),
)


@contextmanager
def served(place: Installation, interface: str, application: str) -> Iterator[Installation]:
    """Run another application under the same application server, in one process."""
    port = free_port()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "granian",
            "--interface",
            interface,
            application,
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--log-level",
            "error",
            *(("--blocking-threads", "16") if interface == "wsgi" else ()),
        ],
        cwd=ROOT,
        env=place.environment,
    )
    try:
        wait_for("the server to answer", lambda: answers(port), process=process)
        yield replace(place, host="127.0.0.1", port=port)
    finally:
        process.terminate()
        process.wait(20)


def measured(place: Installation) -> dict[str, float]:
    """Measure all figures of one installation."""
    with (
        served(place, "asginl", "benchmarks.bare:application") as bare,
        served(place, "wsgi", "benchmarks.bare_django:application") as django,
        served(place, "wsgi", "config.wsgi:application") as web,
    ):
        return _measured(place, bare, {"django": (django, "/"), "web": (web, "/health/live/")})


def _measured(
    place: Installation, server: Installation, others: dict[str, tuple[Installation, str]]
) -> dict[str, float]:
    tag, size = etag(place, PATH, HEADERS)
    runs: dict[str, list[float]] = {}
    for _round in range(ROUNDS):
        runs.setdefault("bare", []).append(rate(server, "/", HEADERS, 200))
        for name, (other, path) in others.items():
            runs.setdefault(name, []).append(rate(other, path, HEADERS, 200))
        runs.setdefault("hello", []).append(rate(place, "/health/live/", HEADERS, 200))
        for name, _words, path, expect in LINES:
            more = {"If-None-Match": tag} if expect == 304 else {}
            runs.setdefault(name, []).append(rate(place, path, {**HEADERS, **more}, expect))
    figures = {name: statistics.median(rates) for name, rates in runs.items()}
    return figures | {"bytes": float(size)} | in_process(place.environment)


def main() -> int:
    """Print a table and one JSON line for each installation."""
    for place in installations(proxied=True):
        found = measured(place)
        print(f"{place.shape}")
        print(f"  {'the server without Django':34}{found['bare']:10.0f} requests/s")
        print(f"  {'bare Django under WSGI':34}{found['django']:10.0f} requests/s")
        for name, words in (("hello", "hello (health/live)"), ("web", "hello, web process (WSGI)")):
            print(
                f"  {words:34}{found[name]:10.0f} requests/s"
                f"  {found[name] / found['django']:6.2f} x bare Django"
            )
        for name, words, _path, _expect in LINES:
            print(
                f"  {words:34}{found[name]:10.0f} requests/s"
                f"  {found[name] / found['hello']:6.2f} x hello"
                f"  {found[name] / found['bare']:6.2f} x the bare server"
            )
        print(f"  {'page as transferred':34}{found['bytes'] / 1000:10.1f} kB")
        for name, words in (("own", "page not kept"), ("day", "a player's page, not kept")):
            print(
                f"  {words:34}{found[name] * 1000:10.1f} ms, {found[name + '_cpu'] * 1000:.1f} ms of"
                f" processor, {found[name + '_queries']:.0f} queries"
            )
        print(
            f"  {'naive page (ORM and template)':34}{found['naive'] * 1000:10.1f} ms,"
            f" {found['naive_queries']:.0f} queries: {found['naive'] / found['own']:.1f} x slower"
            " than the page not kept"
        )
        print(json.dumps({"benchmark": "pages", "shape": place.shape, **found}), flush=True)
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
