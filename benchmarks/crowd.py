"""2,000 phones while a draw is released and 136 tables sign: waits, errors, computations, correctness.

Each phone keeps a connection open and does what ``live.js`` does without a stream, twice as often: it polls the event's
change counters about every five seconds, and when the counter of its page has changed it fetches the changed part,
spread over time as on the page. A third of the phones shows the draw, a third the standings, a third the player's own
page. Phones with streams (:mod:`benchmarks.listeners`, a separate process) measure the delay from a signature's commit
to its announcement and display.

Meanwhile another process closes the round, has the next one drawn, publishes it, and enters and signs one game at each
of the 136 tables, evenly over ``BENCH_SIGNING`` seconds (30). The baseline is the same crowd while nothing happens. All
processes share the same processors, so the processor seconds of each are printed with the waits, and also the delay of
the phones' own event loop, which every wait contains. ``BENCH_PHONES`` sets the number of phones.

``BENCH_ROBOTS`` (0) adds robots, each with its own address, that send a new search once a second.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.installed import Installation, installations, processor
from benchmarks.listeners import Line, header
from tests.programs import ROOT

PHONES = int(os.environ.get("BENCH_PHONES", "2000"))
ROBOTS = int(os.environ.get("BENCH_ROBOTS", "0"))
POLL = 5.0
QUIET = float(os.environ.get("BENCH_QUIET", "10"))
SIGNING = float(os.environ.get("BENCH_SIGNING", "30"))
BEAT = 0.05
SIGN = """
import json, resource, time
from tests.tournament.build import SYSTEM, chance
from tournament.demo.simulation import play_sheet
from tournament.models import DrawState, Event, Round, Seat
from tournament.services.draws import request_draw
from tournament.services.publication import publish_draw
from tournament.services.clock import start_round
from tournament.services.rounds import close_round
rounds = Round.objects.filter(stage__event__slug="bench", stage__order=1)
first = rounds.get(number=1)
if first.state != "closed":
    close_round(round_id=first.pk, actor=SYSTEM)
part = rounds.get(number=2)
job = request_draw(round_id=part.pk, actor=SYSTEM)
end = time.time() + 120
while job.state in ("queued", "running") and time.time() < end:
    time.sleep(0.1)
    job.refresh_from_db()
publish_draw(draw_id=part.draws.get(state=DrawState.CANDIDATE).pk, actor=SYSTEM)
start_round(round_id=part.pk, actor=SYSTEM)
luck = chance("crowd")
games = list(Sheet.objects.filter(table__round=part, order=1))
seats = {}
for table, number in Seat.objects.filter(round=part).values_list("table_id", "entrant__number"):
    seats.setdefault(table, []).append(number)
began = time.time()
for place, game in enumerate(games):
    time.sleep(max(0.0, began + place * %(seconds)s / len(games) - time.time()))
    play_sheet(game, luck)
    version = Event.objects.get(slug="bench").version
    print(json.dumps([time.time(), version, seats[game.table_id]]), flush=True)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"processor": used.ru_utime + used.ru_stime}), flush=True)
"""


@dataclass
class Seen:
    """Measurements of the simulated phones, in seconds. ``late`` is the delay of the event loop's wake-ups.

    ``shared``: draw and standings; of a player's page ``seats``, ``ranks``, ``charts`` and ``games``.
    """

    polls: list[float] = field(default_factory=list)
    shared: list[float] = field(default_factory=list)
    seats: list[float] = field(default_factory=list)
    ranks: list[float] = field(default_factory=list)
    charts: list[float] = field(default_factory=list)
    games: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    robots: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass
class Part:
    """A part of a page: the change counter it follows, and the seconds over which its requests are spread."""

    topic: str
    spread: float
    path: str
    seen: str = "shared"
    mark: object = None
    etag: str = ""
    asking: asyncio.Task[None] | None = None


def parts_of(number: int) -> list[Part]:
    """Return the parts of a phone's page: the draw, the standings, or a player's own page."""
    page = f"/e/bench/players/{number % 544 + 1}/?part="
    return (
        [Part("draw", 0.25, "/e/bench/draw/?part=1")],
        [Part("event", 0.25, "/e/bench/standings/1/?part=1")],
        [
            Part("draw", 0.25, page + "now", "seats"),
            Part("event", 0.25, page + "place", "ranks"),
            Part("draw", 27.0, page + "day", "games"),
            Part("event", 0.25, page + "charts", "charts"),
        ],
    )[number % 3]


async def phone(place: Installation, number: int, ended: asyncio.Event, seen: Seen) -> None:
    """Simulate a phone until the crowd has ``ended``: polls, and fetches of changed parts."""
    luck = random.Random(number)
    parts, line, busy = parts_of(number), Line(place.host, place.port), asyncio.Lock()
    await asyncio.sleep(luck.random() * POLL)
    try:
        await line.open()
        while not ended.is_set():
            async with busy:
                began = time.monotonic()
                status, _head, body = await line.ask(f"/e/bench/version/?player={number % 544 + 1}")
                seen.polls.append(time.monotonic() - began)
            if status != 200:
                seen.errors.append(f"poll {status}")
                continue
            marks = json.loads(body)
            for part in parts:
                if part.mark not in (None, marks[part.topic]) and part.asking is None:
                    wait = luck.random() * part.spread
                    part.asking = asyncio.ensure_future(fetch(line, busy, part, marks, wait, seen))
                part.mark = marks[part.topic]
            await asyncio.sleep(POLL * (0.75 + luck.random() / 2))
        for part in parts:
            if part.asking is not None:
                part.asking.cancel()
        line.writer.close()
    except (OSError, asyncio.IncompleteReadError, ValueError) as error:
        seen.errors.append(repr(error))


async def fetch(
    line: Line, busy: asyncio.Lock, part: Part, marks: dict[str, int], wait: float, seen: Seen
) -> None:
    """Fetch a changed part of the page, after a random wait."""
    await asyncio.sleep(wait)
    async with busy:
        began = time.monotonic()
        known = f"If-None-Match: {part.etag}\r\n" if part.etag else ""
        status, head, _body = await line.ask(
            part.path, f"X-Live-Version: {marks['event']}\r\n{known}"
        )
        getattr(seen, part.seen).append(time.monotonic() - began)
    part.etag, part.asking = header(head, "etag"), None
    if status not in (200, 304):
        seen.errors.append(f"{part.path} {status}")


async def robot(place: Installation, number: int, ended: asyncio.Event, seen: Seen) -> None:
    """Simulate a robot that sends a new search once a second, whatever the answers."""
    luck = random.Random(f"robot {number}")
    line = Line(place.host, place.port, f"127.0.1.{number + 1}")
    try:
        await line.open()
        while not ended.is_set():
            began = time.monotonic()
            await line.ask(f"/e/bench/players/?q={luck.getrandbits(40):x}")
            seen.robots.append(time.monotonic() - began)
            await asyncio.sleep(max(0.0, began + 1 - time.monotonic()))
        line.writer.close()
    except (OSError, asyncio.IncompleteReadError, ValueError) as error:
        seen.errors.append(f"robot {error!r}")


async def beat(ended: asyncio.Event, seen: Seen) -> None:
    """Measure the delay of this process's own wake-ups, which is not the service's."""
    while not ended.is_set():
        began = time.monotonic()
        await asyncio.sleep(BEAT)
        seen.late.append(time.monotonic() - began - BEAT)


async def crowd(
    place: Installation, seconds: float, meanwhile: subprocess.Popen[str] | None = None
) -> Seen:
    """Run all phones for ``seconds``, or until another process has ended and a little longer."""
    seen = Seen()
    ended = asyncio.Event()

    async def end() -> None:
        while meanwhile is not None and meanwhile.poll() is None:
            await asyncio.sleep(0.2)
        await asyncio.sleep(seconds)
        ended.set()

    phones = (phone(place, number, ended, seen) for number in range(PHONES))
    robots = (robot(place, number, ended, seen) for number in range(ROBOTS))
    await asyncio.gather(end(), beat(ended, seen), *phones, *robots)
    return seen


def spread(values: Iterable[float]) -> dict[str, float]:
    """Return the number of values, then their median, 95th and 99th percentile and maximum in milliseconds."""
    found = sorted(values)
    if not found:
        return dict.fromkeys(("count", "p50", "p95", "p99", "most"), 0.0)
    at = {
        name: round(found[min(len(found) - 1, int(len(found) * share))] * 1000, 1)
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    return {"count": float(len(found)), **at, "most": round(found[-1] * 1000, 1)}


def shown(words: str, found: dict[str, float]) -> None:
    """Print one line of the table."""
    print(
        f"  {words:38}{found['count']:8.0f}   p50 {found['p50']:7.0f}   p95 {found['p95']:7.0f}"
        f"   p99 {found['p99']:7.0f}   most {found['most']:7.0f} ms",
        flush=True,
    )


def delays(signed: list[list[Any]], at: dict[str, float]) -> list[float]:
    """Return the seconds from each commit to the first sight of its version or a later one."""
    found = []
    for moment, version, _players in signed:
        seen = [when for number, when in at.items() if int(number) >= version]
        if seen:
            found.append(max(0.0, min(seen) - moment))
    return found


def delays_of_all(signed: list[list[Any]], at: dict[str, dict[str, float]]) -> list[float]:
    """Return :func:`delays` for all phones, whichever table signed."""
    return [delay for moments in at.values() for delay in delays(signed, moments)]


def own_delays(signed: list[list[Any]], own: dict[str, dict[str, float]]) -> list[float]:
    """Return the same delays for the games of players whose table signed."""
    return [
        delay
        for line in signed
        for player in line[2]
        if str(player) in own
        for delay in delays([line], own[str(player)])
    ]


def computed(place: Installation) -> dict[str, float]:
    """Return the server's counters of computed standings and rendered pages."""
    return {
        name: value
        for name, value in place.figures().items()
        if name.startswith("manille_rendered")
    }


def begun(words: list[str], place: Installation, **more: Any) -> subprocess.Popen[str]:
    """Start another process of this benchmark in the installation's environment."""
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        env=place.environment,
        stdout=subprocess.PIPE,
        text=True,
        **more,
    )


def run(place: Installation) -> dict[str, object]:
    """Measure a quiet phase, then a busy phase."""
    quiet = asyncio.run(crowd(place, QUIET))
    before, server, own = computed(place), place.processor(), time.process_time()
    listening = begun(
        ["-m", "benchmarks.listeners", place.host, str(place.port)], place, stdin=subprocess.PIPE
    )
    signing = begun(["manage.py", "shell", "-v", "0", "-c", SIGN % {"seconds": SIGNING}], place)
    busy = asyncio.run(crowd(place, 3, signing))
    out, _err = signing.communicate(timeout=600)
    took = {
        "service": place.processor() - server,
        "phones": time.process_time() - own,
        "listeners": processor(listening.pid),
    }
    heard = json.loads(listening.communicate("end\n", timeout=60)[0] or "{}")
    after = computed(place)
    lines = [json.loads(line) for line in out.splitlines() if line[:1] in "[{"]
    signed = [line for line in lines if isinstance(line, list)]
    took["drawing and signing"] = sum(line["processor"] for line in lines if isinstance(line, dict))
    found: dict[str, Any] = {
        "quiet_polls": spread(quiet.polls),
        "polls": spread(busy.polls),
        "shared": spread(busy.shared),
        "seats": spread(busy.seats),
        "ranks": spread(busy.ranks),
        "charts": spread(busy.charts),
        "games": spread(busy.games),
        "late": spread(busy.late),
        "robots": spread(busy.robots),
        "told": spread(delays(signed, heard["told"])),
        "shown": spread(delays(signed, heard["shown"])),
        "rank": spread(delays_of_all(signed, heard["ranks"])),
        "own": spread(own_delays(signed, heard["games"])),
    }
    print(f"{place.shape}: {PHONES} phones, {len(signed)} tables signed")
    for name, words in (
        ("quiet_polls", "polls while nothing happens"),
        ("polls", "polls, draw and signatures"),
        ("shared", "draw and standings, once changed"),
        ("seats", "own seat in the new draw"),
        ("ranks", "own rank, moved by others"),
        ("charts", "own charts, moved by others"),
        ("games", "own games, after the draw"),
        ("late", "in all these: phones' process late"),
        ("robots", "robots' own questions"),
        ("told", "from a signature until told"),
        ("shown", "until the standings were there"),
        ("rank", "until a player's rank was"),
        ("own", "until their own game was"),
    ):
        shown(words, found[name])
    errors = quiet.errors + busy.errors + heard["errors"]
    counts = {name: after[name] - before.get(name, 0) for name in after}
    print(f"  errors: {len(errors)} {sorted(set(errors))[:3] or ''}   computed: {counts}")
    print("  processor: " + ", ".join(f"{name} {value:.1f} s" for name, value in took.items()))
    failed = bool(errors) or signing.returncode != 0 or len(signed) != 136
    return found | {
        "errors": len(errors),
        "computed": counts,
        "processor": took,
        "failed": failed,
    }


def main() -> int:
    """Run the benchmark on each installation. Return 1 when one of them failed."""
    failed = False
    for place in installations():
        found = run(place)
        print(
            json.dumps({"benchmark": "crowd", "shape": place.shape, "phones": PHONES, **found}),
            flush=True,
        )
        failed = failed or bool(found["failed"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
