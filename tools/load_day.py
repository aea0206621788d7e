"""A championship day over HTTP: every table writes and signs while a hall of phones reads.

The load is real work: deals played card by card, handed in through the table's own address with a
key, signed by both sides; referees called; phones asking for standings and draw as the pages do,
with what they have (``If-None-Match``). The staff work through HTTP too (:mod:`tools.load_staff`):
the director signs in, has rounds drawn by the workers, publishes, closes, takes out who leaves and
enters who comes late; the referee rules, one side appeals, the committee hears it. At the end the
event is rebuilt from its record and its standings are compared with those that are served.
"""

from __future__ import annotations

import gzip
import http.client
import json
import random
import threading
import time
import urllib.parse
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from django.db import close_old_connections

from ledger.actors import Actor
from ledger.canonical import canonical_json
from tournament.demo.play import deal_and_play, plain
from tournament.demo.simulation import Say, next_round
from tournament.models import Event, Round
from tournament.models.tables import Sheet
from tournament.queries.rounds import unsigned_tables
from tournament.tables.entry import typed_of
from tournament.tables.links import table_token
from tournament.tables.score_sheet import ScoreSheet

ACTOR = Actor.system("load")


@dataclass
class Measures:
    """Response times in milliseconds by kind of request, and counts of unexpected responses."""

    times: dict[str, list[float]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str, milliseconds: float, status: int) -> None:
        """Record one response; any status but success, 302 and 304 is a fault."""
        with self.lock:
            self.times.setdefault(what, []).append(milliseconds)
            if not 200 <= status < 300 and status not in (302, 304):
                self.faults[f"{what} {status}"] += 1

    def rows(self) -> list[tuple[str, int, float, float, float]]:
        """Return ``(what, count, p50, p95, p99)``, times in milliseconds."""
        return [
            (what, len(times), _part(times, 0.50), _part(times, 0.95), _part(times, 0.99))
            for what, times in sorted(self.times.items())
        ]


def _part(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


class Link:
    """Persistent HTTP connection of one phone, with its cookies."""

    def __init__(self, url: str, measures: Measures) -> None:
        parts = urllib.parse.urlsplit(url)
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or 80
        self.measures = measures
        self.cookies: dict[str, str] = {}
        self.connection = http.client.HTTPConnection(self.host, self.port, timeout=60)

    def ask(
        self,
        what: str,
        path: str,
        fields: dict[str, object] | None = None,
        etag: str = "",
        json: dict[str, object] | None = None,
    ) -> tuple[int, bytes, str]:
        """Send a request; return status, body and ETag. Status 0: broken connection (a fault, and retried).

        ``fields`` are sent as a form, ``json`` as a body of the API with the session's token.
        """
        headers = {"Cookie": "; ".join(f"{n}={v}" for n, v in self.cookies.items())}
        if json is None and fields is None and not path.startswith("/api/"):
            headers["Accept-Encoding"] = "gzip"
        if etag:
            headers["If-None-Match"] = etag
        body = None
        if json is not None:
            body = canonical_json(json)
            headers["Content-Type"] = "application/json"
            headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        elif fields is not None:
            body = urllib.parse.urlencode(fields)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        began = time.monotonic()
        try:
            self.connection.request("GET" if body is None else "POST", path, body, headers)
            response = self.connection.getresponse()
            content, status = response.read(), response.status
            if response.headers.get("Content-Encoding") == "gzip":
                content = gzip.decompress(content)
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.measures.note(what, (time.monotonic() - began) * 1000, 0)
            return 0, b"", ""
        self.measures.note(what, (time.monotonic() - began) * 1000, status)
        for line in response.headers.get_all("Set-Cookie") or []:
            name, _equals, value = line.split(";", 1)[0].partition("=")
            self.cookies[name] = value
        return status, content, response.headers.get("ETag", "")


@dataclass(frozen=True)
class Job:
    """Deals that one table will submit: its link, and for each sheet the deals' fields."""

    token: str
    sheets: list[tuple[int, list[dict[str, object]]]]


def prepare_table(sheets: list[Sheet], token: str, chance: random.Random) -> Job:
    """Play a table's games beforehand, so that the measured time holds no play."""
    writers = []
    for sheet in sheets:
        game = ScoreSheet(sheet).game
        deals = []
        for number in range(1, int(sheet.options["target"]["deals"]) + 1):
            entry = plain(*deal_and_play(game, ScoreSheet(sheet).dealer_in_turn(number), chance))
            if "tricks" in entry:
                side = next(iter(entry["points"]))
                entry["tricks"] = {side: entry["tricks"][side]}
            deals.append({"verb": "deal", "number": number, **typed_of(game, entry)})
        writers.append((sheet.order, deals))
    return Job(token, writers)


def write_table(url: str, job: Job, measures: Measures, chance: random.Random, pace: float) -> None:
    """Play a scorekeeper: submit every deal with its key, confirm doubts, then sign for both sides.

    ``pace``: seconds that a deal is played, on average (half to one and a half times as many); with
    0 every table writes as fast as it is answered, which no hall does.
    """
    phone = Link(url, measures)
    path = f"/t/{job.token}/"
    _playing.wait(pace * chance.random())
    phone.ask("table page", path)
    for order, deals in job.sheets:
        for fields in deals:
            _playing.wait(pace * (0.5 + chance.random()))
            key = f"{order}-{fields['number']}-{chance.getrandbits(40):x}"
            _insist(phone, "deal", path, {**fields, "game": order, "key": key})
        for side in ("NS", "EW"):
            state = phone.ask("state", f"{path}state/?game={order}")[1]
            version = json.loads(state)["version"] if state[:1] == b"{" else 0
            _insist(
                phone,
                "signature",
                path,
                {"verb": "sign", "game": order, "signing": side, "version": version},
            )
    if chance.random() < 0.1:
        phone.ask("referee call", f"{path}send/", {"verb": "referee", "reason": "score"})


_playing = threading.Event()


def _insist(phone: Link, what: str, path: str, fields: dict[str, object]) -> None:
    for _attempt in range(5):
        status, content, _etag = phone.ask(what, f"{path}send/", fields)
        if status == 409 and b"please_check" in content:
            phone.measures.faults[f"{what} 409"] -= 1
            fields["sure"] = json.loads(content)["sure"]
        elif status not in (0, 503):
            return


def read_pages(
    url: str, slug: str, measures: Measures, stop: threading.Event, every: float
) -> None:
    """Play a player's phone: load standings, draw and event in turn, with the ETags it has."""
    phone, etags = Link(url, measures), dict[str, str]()
    pages = [f"/e/{slug}/standings/", f"/e/{slug}/draw/", f"/e/{slug}/"]
    turn = 0
    while not stop.wait(every):
        path = pages[turn % len(pages)]
        status, _content, etag = phone.ask("public page", path, etag=etags.get(path, ""))
        if status == 200:
            etags[path] = etag
        turn += 1


class Staffed(Protocol):
    """Staff that leads the day: that of :mod:`tools.load_staff`, or a test's own."""

    def begin(self, round_: Round) -> None:
        """Draw, publish and start a round."""

    def between(self, round_: Round, last: bool) -> None:
        """Rule on incidents, close the round, withdraw leaving players and enter latecomers."""


def play_day(
    event: Event,
    url: str,
    staff: Staffed,
    measures: Measures,
    *,
    most_rounds: int,
    phones: int,
    every: float,
    seed: str,
    report: Say,
    pace: float = 0.0,
) -> None:
    """Play rounds of ``event`` against the service at ``url`` and record the times in ``measures``."""
    chance = random.Random(seed)
    stop = threading.Event()
    readers = [
        threading.Thread(
            target=read_pages, args=(url, event.slug, measures, stop, every), daemon=True
        )
        for _phone in range(phones)
    ]
    for reader in readers:
        reader.start()
    try:
        for turn in range(most_rounds):
            round_ = next_round(event)
            if round_ is None:
                break
            staff.begin(round_)
            _play_round(round_, url, measures, chance, report, pace)
            staff.between(round_, last=turn + 1 == most_rounds)
    finally:
        stop.set()
        for reader in readers:
            reader.join(60)


def _play_round(
    round_: Round, url: str, measures: Measures, chance: random.Random, report: Say, pace: float
) -> None:
    tables = list(round_.tables.order_by("number"))
    jobs = [
        prepare_table(
            list(table.sheets.order_by("order")),
            table_token(table),
            chance,
        )
        for table in tables
    ]
    began = time.monotonic()
    with ThreadPoolExecutor(len(jobs)) as hands:
        for done in [
            hands.submit(write_table, url, job, measures, random.Random(chance.random()), pace)
            for job in jobs
        ]:
            done.result()
    close_old_connections()
    waiting = unsigned_tables(round_)
    report(f"round {round_.number}: {len(tables)} tables in {time.monotonic() - began:.0f} s")
    if waiting:
        raise RuntimeError(f"tables that could not sign: {waiting[:20]}; {dict(measures.faults)}")
