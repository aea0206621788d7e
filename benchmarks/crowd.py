"""2,000 phones while a draw is released and 136 tables sign: waits, errors, computations, rightness.

Each phone keeps a connection and does what ``live.js`` does without a stream, twice as often: it
polls the event's marks every five seconds or so, and when the mark of its page has moved it asks
for the part that changed, spread as the page says. A third of them looks at the draw, a third at
the standings, a third at the own page. A few more phones keep streams: they tell how long after a
signature's commit its version was told, and how long until the standings that show it were there.

Meanwhile another process closes the round, draws and publishes the next, and enters and signs one
game at each of the 136 tables, evenly over ``BENCH_SIGNING`` seconds (30). The baseline is the same
crowd while nothing happens. The phones (one process, raw sockets) take their share of the same
processors. ``BENCH_PHONES`` sets how many.
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

from benchmarks.installed import ROOT, Installation, installations

PHONES = int(os.environ.get("BENCH_PHONES", "2000"))
POLL = 5.0
QUIET = float(os.environ.get("BENCH_QUIET", "10"))
SIGNING = float(os.environ.get("BENCH_SIGNING", "30"))
STREAMS = 5
SIGN = """
import sys, time
from tests.tournament.build import SYSTEM, chance
from tournament.demo.simulation import draw_and_publish, play_sheet
from tournament.models import Event, Round, TableGame
from tournament.services.rounds import close_round
first = Round.objects.get(stage__event__slug="bench", stage__order=1, number=1)
if first.state != "closed":
    close_round(round_id=first.pk, actor=SYSTEM)
part = draw_and_publish(Round.objects.get(stage__event__slug="bench", stage__order=1, number=2), SYSTEM)
luck = chance("crowd")
games = list(TableGame.objects.filter(table__round=part, number=1).select_related("sheet"))
began = time.time()
for place, game in enumerate(games):
    time.sleep(max(0.0, began + place * %(seconds)s / len(games) - time.time()))
    play_sheet(game.sheet, luck)
    print(time.time(), Event.objects.get(slug="bench").version, flush=True)
"""


@dataclass
class Seen:
    """What the phones saw; seconds."""

    polls: list[float] = field(default_factory=list)
    parts: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    told: dict[int, float] = field(default_factory=dict)
    shown: dict[int, float] = field(default_factory=dict)


class Line:
    """One kept connection."""

    def __init__(self, place: Installation) -> None:
        self.place = place
        self.head = f"HTTP/1.1\r\nHost: {place.host}:{place.port}\r\nAccept-Encoding: gzip\r\nAccept-Language: nl\r\n"

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.place.host, self.place.port)

    async def ask(self, path: str, more: str = "") -> tuple[int, str, bytes]:
        """Status, head and body of one GET."""
        self.writer.write(f"GET {path} {self.head}{more}\r\n".encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(head[9:12])
        if status == 304:
            return status, head, b""
        return status, head, await self.reader.readexactly(int(header(head, "content-length")))


def header(head: str, name: str) -> str:
    """A header of an answer; empty where it has none."""
    for line in head.split("\r\n"):
        if line[: len(name) + 1].lower() == f"{name}:":
            return line[len(name) + 1 :].strip()
    return ""


async def phone(place: Installation, number: int, ended: asyncio.Event, seen: Seen) -> None:
    """One phone until the crowd has ``ended``."""
    luck = random.Random(number)
    player = number % 544 + 1
    topic, spread, parts = (
        ("draw", 0.25, ["/e/bench/draw/?part=1"]),
        ("event", 0.25, ["/e/bench/standings/1/?part=1"]),
        ("draw", 5.0, [f"/e/bench/players/{player}/?part=now"]),
    )[number % 3]
    etags: dict[str, str] = {}
    mark, line = None, Line(place)
    await asyncio.sleep(luck.random() * POLL)
    try:
        await line.open()
        while not ended.is_set():
            began = time.monotonic()
            status, _head, body = await line.ask(f"/e/bench/version/?player={player}")
            seen.polls.append(time.monotonic() - began)
            if status != 200:
                seen.errors.append(f"poll {status}")
            else:
                marks = json.loads(body)
                if mark is not None and marks[topic] != mark:
                    await asyncio.sleep(luck.random() * spread)
                    more = f"X-Live-Version: {marks['event']}\r\n"
                    for path in parts:
                        await part(line, path, more, etags, seen)
                mark = marks[topic]
            await asyncio.sleep(POLL * (0.75 + luck.random() / 2))
        line.writer.close()
    except (OSError, asyncio.IncompleteReadError, ValueError) as error:
        seen.errors.append(repr(error))


async def part(line: Line, path: str, more: str, etags: dict[str, str], seen: Seen) -> None:
    """Ask for what has changed."""
    began = time.monotonic()
    known = f"If-None-Match: {etags[path]}\r\n" if path in etags else ""
    status, head, _body = await line.ask(path, more + known)
    seen.parts.append(time.monotonic() - began)
    etags[path] = header(head, "etag")
    if status not in (200, 304):
        seen.errors.append(f"{path} {status}")


async def listener(place: Installation, seen: Seen) -> None:
    """A phone with a stream: when it is told of a version, and when it has what it shows."""
    stream = Line(place)
    await stream.open()
    stream.writer.write(f"GET /e/bench/live/ {stream.head}\r\n".encode())
    if b" 200 " not in await stream.reader.readuntil(b"\r\n\r\n"):
        raise RuntimeError("no stream")
    asked: list[asyncio.Future[None]] = []
    while True:
        text = await stream.reader.readline()
        if not text.startswith(b"data: "):
            continue
        version = json.loads(text[6:])["event"]
        seen.told.setdefault(version, time.time())
        asked.append(asyncio.ensure_future(look(place, version, seen)))


async def look(place: Installation, version: int, seen: Seen) -> None:
    """Ask for the standings of a version that the stream has told."""
    line = Line(place)
    await line.open()
    status, _head, _body = await line.ask(
        "/e/bench/standings/1/?part=1", f"X-Live-Version: {version}\r\n"
    )
    line.writer.close()
    if status == 200:
        seen.shown.setdefault(version, time.time())
    else:
        seen.errors.append(f"standings {status}")


async def crowd(
    place: Installation, seconds: float, meanwhile: subprocess.Popen[str] | None = None
) -> Seen:
    """All phones for ``seconds``, or until another process has ended and a little longer."""
    seen = Seen()
    ended = asyncio.Event()

    async def end() -> None:
        while meanwhile is not None and meanwhile.poll() is None:
            await asyncio.sleep(0.2)
        await asyncio.sleep(seconds)
        ended.set()

    streams = [asyncio.ensure_future(listener(place, seen)) for _number in range(STREAMS)]
    await asyncio.gather(end(), *(phone(place, number, ended, seen) for number in range(PHONES)))
    for stream in streams:
        stream.cancel()
    ended = await asyncio.gather(*streams, return_exceptions=True)
    seen.errors += [repr(e) for e in ended if not isinstance(e, asyncio.CancelledError)]
    return seen


def spread(values: Iterable[float]) -> dict[str, float]:
    """How many, and the waits that half, 95 and 99 of a hundred stay under, in milliseconds."""
    found = sorted(values)
    if not found:
        return dict.fromkeys(("count", "p50", "p95", "p99", "most"), 0.0)
    at = {
        name: round(found[min(len(found) - 1, int(len(found) * share))] * 1000, 1)
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    return {"count": float(len(found)), **at, "most": round(found[-1] * 1000, 1)}


def shown(words: str, found: dict[str, float]) -> None:
    """One line for people."""
    print(
        f"  {words:38}{found['count']:8.0f}   p50 {found['p50']:7.0f}   p95 {found['p95']:7.0f}"
        f"   p99 {found['p99']:7.0f}   most {found['most']:7.0f} ms",
        flush=True,
    )


def delays(signed: list[tuple[float, int]], at: dict[int, float]) -> list[float]:
    """Seconds from each commit to the first sight of its version or a later one."""
    found = []
    for moment, version in signed:
        seen = [when for number, when in at.items() if number >= version]
        if seen:
            found.append(max(0.0, min(seen) - moment))
    return found


def computed(place: Installation) -> dict[str, float]:
    """How often the server has computed standings and made pages."""
    return {
        name: value for name, value in place.figures().items() if name.startswith("manille_made")
    }


def run(place: Installation) -> dict[str, object]:
    """Quiet, then busy."""
    quiet = asyncio.run(crowd(place, QUIET))
    before = computed(place)
    signing = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", SIGN % {"seconds": SIGNING}],
        cwd=ROOT, env=place.environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    busy = asyncio.run(crowd(place, 3, signing))
    out, _err = signing.communicate(timeout=600)
    after = computed(place)
    signed = [
        (float(words[0]), int(words[1]))
        for words in (line.split() for line in out.splitlines())
        if len(words) == 2
    ]
    found: dict[str, object] = {
        "quiet_polls": spread(quiet.polls), "polls": spread(busy.polls),
        "parts": spread(busy.parts), "told": spread(delays(signed, busy.told)),
        "shown": spread(delays(signed, busy.shown)),
    }  # fmt: skip
    print(f"{place.shape}: {PHONES} phones, {len(signed)} tables signed")
    for name, words in (
        ("quiet_polls", "polls while nothing happens"), ("polls", "polls, draw and signatures"),
        ("parts", "pages that changed, draw and signatures"),
        ("told", "from a signature until told"), ("shown", "from a signature until shown"),
    ):  # fmt: skip
        shown(words, found[name])  # type: ignore[arg-type]
    errors = quiet.errors + busy.errors
    counts = {name: after[name] - before.get(name, 0) for name in after}
    print(f"  errors: {len(errors)} {sorted(set(errors))[:3] or ''}   computed: {counts}")
    failed = bool(errors) or signing.returncode != 0 or len(signed) != 136
    return found | {"errors": len(errors), "computed": counts, "failed": failed}


def main() -> int:
    """Each installation in turn."""
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
