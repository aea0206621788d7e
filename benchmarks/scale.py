"""Throughput of an installation with tables that write and phones that read, by processes and database.

Each shape is the service as an operator runs it, with 544 players after one round. Sixteen clients
(threads of this process, a kept connection each) ask as fast as they are answered: the hello view
(``/health/live/``), the standings as a phone has them unchanged and in full, and then real entry:
deals with their keys, signatures, the table's state between them. Every figure is a ratio to the
hello view of the same run, since the clients use a share of the same processors. The processes of a
shape share them too: on two processors a second web process shows its cost, and not its gain on four.
Memory is what each process holds for itself (its proportional share of pages, read at the end);
connections are those that the database counts while tables write.

``BENCH_SECONDS`` (5) is the time of each measure.
"""

from __future__ import annotations

import http.client
import json
import os
import queue
import statistics
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.installed import Installation, installation, production
from tests.programs import nginx, nginx_program

CLIENTS = 16
SECONDS = float(os.environ.get("BENCH_SECONDS", "5"))
PAGE = "/e/bench/standings/"
HEADERS = {"Accept-Encoding": "gzip", "Accept-Language": "nl"}
JOBS = """
import json, random, time
from tools.load_day import prepare_table
from tournament.tables.links import table_token
from tools.load_day import prepare_table
from tests.tournament.build import SYSTEM
from tournament.models import Round
from tournament.services.draws import request_draw
from tournament.services.publication import publish_draw
from tournament.services.clock import start_round
from tournament.services.rounds import close_round
first = Round.objects.get(stage__event__slug="bench", stage__order=1, number=1)
if first.state != "closed":
    close_round(round_id=first.pk, actor=SYSTEM)
    second = Round.objects.get(stage__event__slug="bench", stage__order=1, number=2)
    job = request_draw(round_id=second.pk, actor=SYSTEM)
    while job.state not in ("done", "failed"):  # the installation's worker draws
        time.sleep(0.05)
        job.refresh_from_db()
    publish_draw(draw_id=second.draws.get(state="candidate").pk, actor=SYSTEM)
    start_round(round_id=second.pk, actor=SYSTEM)
part = Round.objects.get(stage__event__slug="bench", stage__order=1, number=2)
luck = random.Random("scale")
jobs = []
for table in part.tables.order_by("number")[:120]:
    sheets = list(table.sheets.order_by("order"))
    made = prepare_table(sheets, table_token(table), luck)
    jobs.append([made.token, made.sheets])
print("\\n" + json.dumps(jobs))
"""


@dataclass(frozen=True)
class Measured:
    """Answers a second, the 95th percentile of their times, and the web's processor time for each, in milliseconds."""

    rate: float
    p95: float
    faults: int = 0
    processor: float = 0.0


Ask = Callable[[http.client.HTTPConnection], Iterator[int]]
"""The requests of a client over its connection, yielding the status of each answer."""


def measured(place: Installation, ask: Ask, clients: int = CLIENTS) -> Measured:
    """Run parallel clients until their time is over or they have no request left."""
    used = processor(place)
    times: list[float] = []
    faults: list[int] = []
    start = threading.Barrier(clients + 1)

    def client() -> float:
        line = http.client.HTTPConnection(place.host, place.port, timeout=60)
        start.wait()
        end = time.monotonic() + SECONDS
        answers = ask(line)
        last = time.monotonic()
        while last < end:
            status = next(answers, None)
            if status is None:
                break
            now = time.monotonic()
            times.append(now - last)
            last = now
            if status >= 400:
                faults.append(status)
        line.close()
        return last

    with ThreadPoolExecutor(clients) as hands:
        asked = [hands.submit(client) for _client in range(clients)]
        start.wait()
        began = time.monotonic()
        ended = max(each.result() for each in asked)
    spent = (processor(place) - used) / max(1, len(times))
    return Measured(len(times) / (ended - began), _p95(times), len(faults), spent * 1000)


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))] * 1000 if times else 0.0


def page(path: str, **more: str) -> Ask:
    """Return a client that requests the same page repeatedly."""

    def ask(line: http.client.HTTPConnection) -> Iterator[int]:
        while True:
            line.request("GET", path, headers={**HEADERS, **more})
            answer = line.getresponse()
            answer.read()
            yield answer.status

    return ask


def etag(place: Installation) -> str:
    """Return the ETag of the current standings."""
    line = http.client.HTTPConnection(place.host, place.port, timeout=60)
    line.request("GET", PAGE, headers=HEADERS)
    answer = line.getresponse()
    answer.read()
    return answer.headers["ETag"] or ""


class Phone:
    """A table's phone: an open connection and the cookies that the server set."""

    def __init__(self, line: http.client.HTTPConnection, token: str) -> None:
        self.line, self.path = line, f"/t/{token}/"
        self.cookies: dict[str, str] = {}

    def ask(self, below: str, fields: dict[str, object] | None = None) -> tuple[int, bytes]:
        """Request a page of the table, or post a form to it. Return status and body."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            body = urllib.parse.urlencode(fields)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.line.request("GET" if body is None else "POST", self.path + below, body, headers)
        answer = self.line.getresponse()
        content = answer.read()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _equals, value = line.split(";", 1)[0].partition("=")
            self.cookies[name] = value
        return answer.status, content

    def enter(self, order: int, fields: dict[str, object]) -> int:
        """Enter a deal of that game, with a confirmation where the service requests one. Return the status."""
        sent = {**fields, "game": order, "key": f"{order}-{fields['number']}"}
        status, content = self.ask("send/", sent)
        if status == 409 and b"please_check" in content:
            sent["sure"] = json.loads(content)["sure"]
            status, _content = self.ask("send/", sent)
        return status


def deals(jobs: list[Any]) -> Ask:
    """Return a client that enters the deals of one table after another without signatures."""

    def ask(line: http.client.HTTPConnection) -> Iterator[int]:
        for token, sheets in jobs:
            phone = Phone(line, token)
            for order, fields_of_deals in sheets:
                for fields in fields_of_deals:
                    yield phone.enter(order, fields)

    return ask


def entry(jobs: list[Any]) -> Ask:
    """Return a client that enters and signs the deals of the tables in a shared queue."""
    left: queue.SimpleQueue[Any] = queue.SimpleQueue()
    for job in jobs:
        left.put(job)

    def ask(line: http.client.HTTPConnection) -> Iterator[int]:
        while True:
            try:
                token, sheets = left.get_nowait()
            except queue.Empty:
                return
            phone = Phone(line, token)
            yield phone.ask("")[0]
            for order, deals in sheets:
                for fields in deals:
                    yield phone.enter(order, fields)
                for side in ("NS", "EW"):
                    status, told = phone.ask(f"state/?game={order}")
                    yield status
                    version = json.loads(told)["version"]
                    signed = {"verb": "sign", "game": order, "signing": side, "version": version}
                    yield phone.ask("send/", signed)[0]

    return ask


def processes(place: Installation, name: str) -> Iterator[tuple[str, str]]:
    """Yield the kind (``web`` or ``worker``) of each process of the installation, with the text of one of its ``/proc``
    files.
    """
    mine = f"MANILLE_VAR={place.environment['MANILLE_VAR']}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mine not in (folder / "environ").read_bytes().split(b"\0"):
                continue
            words = (folder / "cmdline").read_text()
            kind = "web" if "granian" in words else "worker" if "celery" in words else ""
            if kind:
                yield kind, (folder / name).read_text()
        except OSError:
            continue


def memory(place: Installation) -> dict[str, list[float]]:
    """Return the megabytes of memory of each process, by its kind."""
    found: dict[str, list[float]] = {"web": [], "worker": []}
    for kind, shared in processes(place, "smaps_rollup"):
        held = next(int(row.split()[1]) for row in shared.splitlines() if row.startswith("Pss:"))
        found[kind].append(round(held / 1000, 0))
    return {kind: sorted(held, reverse=True) for kind, held in found.items()}


def processor(place: Installation) -> float:
    """Return the processor seconds used by the web processes since their start."""
    ticks = 0
    for kind, line in processes(place, "stat"):
        if kind == "web":
            # The name in brackets may contain spaces; user and system time are fields 14 and 15.
            fields = line.rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def connections(place: Installation) -> Iterator[list[int]]:
    """Count the database's connections while the block runs. The list stays empty on SQLite."""
    counts: list[int] = []
    url = place.environment["DATABASE_URL"]
    if not url:
        yield counts
        return
    import psycopg

    over = threading.Event()

    def count() -> None:
        with psycopg.connect(url, autocommit=True) as line:
            while not over.wait(0.1):
                row = line.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    " AND pid <> pg_backend_pid()"
                ).fetchone()
                counts.append(int(row[0]) if row else 0)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        yield counts
    finally:
        over.set()
        counter.join()


def shapes() -> Iterator[Installation]:
    """Yield the shapes: embedded with one process and two; PostgreSQL and Redis with one, two, and two behind nginx."""
    wanted = os.environ.get("BENCH_SHAPES", "embedded,production").split(",")
    if "embedded" in wanted:
        for web in (1, 2):
            with installation(f"embedded, {web} web", {}, web=web) as place:
                yield place
    if "production" not in wanted:
        return
    for web, proxied in ((1, False), (2, False), (2, True)):
        # A database for each shape, because entry leaves a played round.
        with production() as found:
            if isinstance(found, str):
                print(f"PostgreSQL + Redis left out: {found}")
                return
            with installation(f"PostgreSQL + Redis, {web} web", found, web=web) as place:
                if not proxied:
                    yield place
                elif nginx_program() is None:
                    print("nginx left out: it is not installed")
                else:
                    with nginx([place.port], limited=False) as port:
                        yield replace(place, shape=f"{place.shape}, nginx", port=port)


def run(place: Installation) -> dict[str, object]:
    """Measure all figures of one shape."""
    jobs: list[Any] = json.loads(
        place.manage("shell", "-v", "0", "-c", JOBS).strip().splitlines()[-1]
    )
    # Before any phone follows the standings, since each entry would then render their page too.
    one_by_one = measured(place, deals(jobs[:30]), clients=1)
    tag = etag(place)
    hello = measured(place, page("/health/live/"))
    found = {
        "hello": hello,
        "standings unchanged (304)": measured(place, page(PAGE, **{"If-None-Match": tag})),
        "standings in full": measured(place, page(PAGE)),
        "deals, one after the other": one_by_one,
    }
    with connections(place) as counts:
        found["entry: deals and signatures"] = measured(place, entry(jobs[30:]))
    print(place.shape)
    for what, each in found.items():
        print(
            f"  {what:32}{each.rate:9.0f} /s  p95 {each.p95:7.1f} ms  {each.rate / hello.rate:6.3f} x hello"
            f"  {each.processor:6.2f} ms of processor"
            + (f"  {each.faults} FAULTS" if each.faults else "")
        )
    held = memory(place)
    print(f"  memory, MB: web {held['web']}, worker {held['worker']}")
    if counts:
        print(
            f"  connections while tables write: {statistics.median(counts):.0f}, most {max(counts)}"
        )
    return {
        "benchmark": "scale",
        "shape": place.shape,
        "memory": held,
        "connections": max(counts, default=0),
        **{
            what: [round(each.rate, 1), round(each.p95, 1), each.faults, round(each.processor, 2)]
            for what, each in found.items()
        },
    }


def main() -> int:
    """Measure each shape in turn. Return 1 after any fault."""
    failed = False
    for place in shapes():
        found = run(place)
        print(json.dumps(found), flush=True)
        failed = failed or any(
            isinstance(each, list) and len(each) == 3 and each[2] for each in found.values()
        )
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
