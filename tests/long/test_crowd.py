"""Phones and robots while tables sign and others write: requests and computations are counted, not timed."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from tests.programs import PATIENCE

from .installation import FIGURES, Installation
from .test_faults import everything_once, keeps_score

pytestmark = pytest.mark.long
PHONES = 200
ROBOTS = 10
DEALS = 2
LANGUAGES = ("en", "nl")
Answer = tuple[int, bytes]


async def ask(port: int, path: str, address: str, body: bytes | None = None, **more: str) -> Answer:
    """Send a request over its own connection. Return status and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = {"Host": "127.0.0.1", "X-Forwarded-For": address, "Connection": "close"} | {
        name.replace("_", "-"): value for name, value in more.items()
    }
    if body is not None:
        head |= {"Content-Type": "application/x-www-form-urlencoded"}
        head |= {"Content-Length": str(len(body))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    verb = "GET" if body is None else "POST"
    writer.write(f"{verb} {path} HTTP/1.1\r\n{lines}\r\n".encode() + (body or b""))
    first, _gap, content = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(first.split(b" ", 2)[1]), content


@dataclass
class Crowd:
    """Phones that follow an event and robots that request uncached addresses, with the answers to both."""

    port: int
    slug: str
    over: asyncio.Event = field(default_factory=asyncio.Event)
    pages: Counter[int] = field(default_factory=Counter)
    robots: dict[str, Counter[int]] = field(default_factory=dict)
    shown: dict[int, bytes] = field(default_factory=dict)
    told: dict[int, int] = field(default_factory=dict)

    async def look(self, number: int) -> None:
        """Request the standings at the version that was last announced to this phone."""
        status, body = await ask(
            self.port,
            f"/e/{self.slug}/standings/1/?part=1",
            "192.0.2.1",
            Accept_Language=LANGUAGES[number % 2],
            X_Live_Version=str(self.told.get(number, 0)),
        )
        self.pages[status] += 1
        self.shown[number] = body

    async def phone(self, number: int) -> None:
        """Follow the event's stream and request the standings after each announcement."""
        await self.look(number)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        path = f"/e/{self.slug}/live/"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        while not self.over.is_set():
            try:
                line = await asyncio.wait_for(reader.readline(), 0.5)
            except TimeoutError:
                continue
            assert not reader.at_eof(), "a phone's stream ended"
            if line.startswith(b"data: "):
                self.told[number] = json.loads(line[6:])["event"]
                await self.look(number)
        writer.close()

    async def robot(self, number: int) -> None:
        """Request without pause: searches, marks on links, players, events and names that do not exist."""
        page, address = f"/e/{self.slug}", f"198.51.100.{number}"
        token = "".join(chr(ord("a") + number) for _sign in range(32))
        for turn in count():
            word = f"{number}-{turn}"
            form = f"csrfmiddlewaretoken={token}&username={word}&password=guess".encode()
            asked = {
                "search": (f"{page}/players/?q={word}", None),
                "mark": (f"{page}/standings/1/?part=1&fbclid={word}", None),
                "player": (f"{page}/players/{1000 + turn}/", None),
                "event": (f"/e/no-{word}/", None),
                "name": ("/login/", form),
            }
            for kind, (path, body) in asked.items():
                if self.over.is_set():
                    return
                more = {"Accept_Language": "en", "Cookie": f"csrftoken={token}"}
                status, _body = await ask(self.port, path, address, body, **more)
                self.robots.setdefault(kind, Counter())[status] += 1


def figures(here: Installation) -> dict[str, float]:
    """Return the pages rendered by the web process, and the finished pages served."""
    status, text = here.get("/metrics/", Authorization=f"Bearer {FIGURES}")
    assert status == 200
    made = re.search(r'^manille_rendered_total\{what="page"\} (\S+)', text, re.M)
    hits = re.findall(
        r'^manille_request_seconds_count\{route="\(finished page\)",status="200"\} (\S+)',
        text,
        re.M,
    )
    return {"made": float(made[1]) if made else 0.0, "hits": sum(map(float, hits))}


def version(here: Installation, event: str) -> int:
    """Return the event's version in the records."""
    return int(here.inside("facts", event=event)["version"])


@pytest.mark.guide("security#security")
def test_a_hall_of_phones_is_served_beside_robots(attacked: Installation) -> None:
    hall = attacked.inside("hall", players=32, deals=DEALS)
    writing = attacked.inside("hall", players=32, deals=DEALS)
    acknowledged: list[str] = []

    async def play() -> tuple[Crowd, dict[str, list[int]]]:
        crowd = Crowd(attacked.port, hall["slug"])
        phones = [asyncio.ensure_future(crowd.phone(number)) for number in range(PHONES)]
        while sum(crowd.pages.values()) < PHONES or len(crowd.told) < PHONES:
            await asyncio.sleep(0.1)
        robots = [asyncio.ensure_future(crowd.robot(number)) for number in range(ROBOTS)]
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(len(writing["tables"])) as hands:
            tables: dict[str, Any] = {
                table["sheet"]: loop.run_in_executor(
                    hands, keeps_score, attacked, table, DEALS, acknowledged
                )
                for table in writing["tables"]
            }
            await loop.run_in_executor(
                None, lambda: attacked.inside("play", event=hall["event"], rounds=1)
            )
            sent = {sheet: await future for sheet, future in tables.items()}
        last = await loop.run_in_executor(None, version, attacked, hall["event"])
        while min(crowd.told.values()) < last:
            await asyncio.sleep(0.1)
        crowd.over.set()
        await asyncio.gather(*phones, *robots)
        return crowd, sent

    assert attacked.get(f"/e/{hall['slug']}/standings/1/?part=1")[0] == 200
    before, began = figures(attacked), version(attacked, hall["event"])
    crowd, sent = asyncio.run(asyncio.wait_for(play(), 4 * PATIENCE))
    after, ended = figures(attacked), version(attacked, hall["event"])
    # Every phone was served, and all show the last page, the same as a new phone gets.
    assert set(crowd.pages) == {200}
    for number, language in enumerate(LANGUAGES):
        headers = {"Accept-Language": language}
        _status, page = attacked.get(f"/e/{hall['slug']}/standings/1/?part=1", **headers)
        assert {crowd.shown[each] for each in range(number, PHONES, 2)} == {page.encode()}
    everything_once(attacked, writing, sent)
    # Each robot had its answer to each kind of request: 404 for unknown names, the hall's own page for a link with
    # a tracking mark, and for a search its results or a refusal by the limit.
    assert crowd.robots.keys() == {"search", "mark", "player", "event", "name"}
    assert set(crowd.robots["mark"]) == {200}
    assert set(crowd.robots["player"]) == set(crowd.robots["event"]) == {404}
    assert set(crowd.robots["search"]) <= {200, 429, 503}
    assert set(crowd.robots["name"]) == {200}
    # A page is rendered once for each change and language, however many phones request it; other renderings are the
    # robots' searches, each its own page.
    changes = ended - began
    made = after["made"] - before["made"]
    assert made <= len(LANGUAGES) * (changes + 1) + crowd.robots["search"][200]
    asked = sum(crowd.pages.values()) + crowd.robots["mark"][200]
    assert after["hits"] - before["hits"] >= asked - len(LANGUAGES) * (changes + 1)
