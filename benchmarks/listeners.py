"""Simulated phones with event streams, in their own process: when each signature was announced and shown.

``python -m benchmarks.listeners HOST PORT`` listens as ``live.js`` does until its input sends a line or ends, then
prints JSON. For each version it gives the moment (seconds since 1970) at which the first phone received the
announcement, the moment at which it had the standings that include it, and the moments at which each followed player
had their place and, for their own games, the games. Every fetch first waits a random part of a quarter of a second, as
the page does.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from dataclasses import asdict, dataclass, field

STREAMS = 5
"""Number of phones that follow the standings."""
PLAYERS = range(7, 544, 11)
"""Start numbers of the players whose own pages are followed."""
SPREAD = 0.25


Moments = dict[int, float]
"""Moments in seconds since 1970, by version."""


@dataclass
class Heard:
    """Moments at which each version was announced and shown; ``ranks`` and ``games`` by player."""

    told: Moments = field(default_factory=dict)
    shown: Moments = field(default_factory=dict)
    ranks: dict[int, Moments] = field(default_factory=dict)
    games: dict[int, Moments] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


class Line:
    """Persistent HTTP connection, optionally from a local address of its own."""

    def __init__(self, host: str, port: int, address: str = "") -> None:
        self.host, self.port, self.address = host, port, address
        self.head = (
            f"HTTP/1.1\r\nHost: {host}:{port}\r\nAccept-Encoding: gzip\r\nAccept-Language: nl\r\n"
        )

    async def open(self) -> None:
        own = (self.address, 0) if self.address else None
        self.reader, self.writer = await asyncio.open_connection(
            self.host, self.port, local_addr=own
        )

    async def ask(self, path: str, more: str = "") -> tuple[int, str, bytes]:
        """Send a GET. Return status, head and body."""
        self.writer.write(f"GET {path} {self.head}{more}\r\n".encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(head[9:12])
        if status == 304:
            return status, head, b""
        return status, head, await self.reader.readexactly(int(header(head, "content-length")))


def header(head: str, name: str) -> str:
    """Return a header of an answer, or an empty string."""
    for line in head.split("\r\n"):
        if line[: len(name) + 1].lower() == f"{name}:":
            return line[len(name) + 1 :].strip()
    return ""


class Part:
    """A part of a page, fetched whenever its change counter has changed."""

    def __init__(self, phone: Phone, topic: str, path: str, at: Moments) -> None:
        self.phone, self.topic, self.path, self.at = phone, topic, path, at
        self.mark: object = None
        self.news = asyncio.Event()
        self.line = Line(phone.line.host, phone.line.port)

    def hear(self, marks: dict[str, int]) -> None:
        """Read the new change counters."""
        if self.mark not in (None, marks[self.topic]):
            self.news.set()
        self.mark = marks[self.topic]

    async def look(self) -> None:
        """Fetch the part with the last announced version over its own connection, as a browser does."""
        await self.line.open()
        while True:
            await self.news.wait()
            await asyncio.sleep(random.random() * SPREAD)
            self.news.clear()
            version = self.phone.version
            told = f"X-Live-Version: {version}\r\n"
            status, _head, _body = await self.line.ask(self.path, told)
            if status != 200:
                self.phone.heard.errors.append(f"{self.path} {status}")
            self.at.setdefault(version, time.time())


class Phone:
    """A phone with a stream; ``player`` 0 follows the standings."""

    def __init__(self, host: str, port: int, heard: Heard, player: int = 0) -> None:
        self.line = Line(host, port)
        self.heard, self.player = heard, player
        self.version = 0
        own = f"/e/bench/players/{player}/?part="
        self.parts = (
            [
                Part(self, "event", own + "place", heard.ranks.setdefault(player, {})),
                Part(self, "mine", own + "day", heard.games.setdefault(player, {})),
            ]
            if player
            else [Part(self, "event", "/e/bench/standings/1/?part=1", heard.shown)]
        )

    async def listen(self) -> None:
        """Follow the stream until it ends."""
        await self.line.open()
        query = f"?player={self.player}" if self.player else ""
        self.line.writer.write(f"GET /e/bench/live/{query} {self.line.head}\r\n".encode())
        if b" 200 " not in await self.line.reader.readuntil(b"\r\n\r\n"):
            raise RuntimeError("no stream")
        while True:
            text = await self.line.reader.readline()
            if not text:
                raise RuntimeError("the stream ended")
            if not text.startswith(b"data: "):
                continue
            marks = json.loads(text[6:])
            self.version = marks["event"]
            self.heard.told.setdefault(self.version, time.time())
            for part in self.parts:
                part.hear(marks)


async def listen(host: str, port: int) -> Heard:
    """Run all phones until standard input sends a line."""
    heard = Heard()
    phones = [Phone(host, port, heard) for _number in range(STREAMS)]
    phones += [Phone(host, port, heard, player) for player in PLAYERS]
    works = [
        asyncio.ensure_future(work)
        for each in phones
        for work in (each.listen(), *(part.look() for part in each.parts))
    ]
    await asyncio.to_thread(sys.stdin.readline)
    for work in works:
        work.cancel()
    ended = await asyncio.gather(*works, return_exceptions=True)
    heard.errors += [repr(e) for e in ended if not isinstance(e, asyncio.CancelledError)]
    return heard


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(listen(sys.argv[1], int(sys.argv[2]))))))
