"""Memory after 2,000 event streams opened, received news and closed, three times over."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.programs import wait_for

from .installation import Installation

pytestmark = pytest.mark.long
LISTENERS = 2000
TIMES = 3
MOST = 150.0
"""Limit of memory for a hall of listeners, with the pages rendered for it, in MB; 80 as measured."""
LEFT = 2 / 3
"""Limit of the share of that memory still in use after the hall has gone; 0.4 to 0.55 as measured."""
AGAIN = 1.05
"""Limit of the third hall's memory relative to the second's; 1.00 to 1.02 as measured."""
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def descriptors(here: Installation) -> int:
    """Return the number of open files and connections of the web process and its children."""
    return sum(len(os.listdir(f"/proc/{number}/fd")) for number in here.web.processes())


async def listen(port: int, path: str) -> Stream:
    """Open a phone's stream and wait for its first message."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
    await hear(reader)
    return reader, writer


async def hear(reader: asyncio.StreamReader) -> None:
    """Read until the next announcement."""
    while not (await reader.readline()).startswith(b"data: "):
        assert not reader.at_eof()


async def a_hall(here: Installation, event: str, slug: str) -> float:
    """Open all streams, deliver news, close half and abort half. Return the memory meanwhile, in MB."""
    streams: list[Stream] = []
    for _hundred in range(LISTENERS // 100):
        streams += await asyncio.gather(
            *(listen(here.port, f"/e/{slug}/live/") for _phone in range(100))
        )
    loop = asyncio.get_running_loop()
    news = loop.run_in_executor(None, lambda: here.inside("play", event=event, rounds=1))
    await asyncio.wait_for(asyncio.gather(*(hear(reader) for reader, _writer in streams)), 120)
    await news
    meanwhile = here.web.memory()
    for number, (_reader, writer) in enumerate(streams):
        if number % 2:
            writer.transport.abort()
        else:
            writer.close()
    return meanwhile


@pytest.mark.guide("security#security")
def test_memory_after_two_thousand_listeners_comes_back(attacked: Installation) -> None:
    """Most of the memory of each hall is freed, and the last hall takes no more than the one before."""
    hall = attacked.inside("hall", players=16, deals=1)
    assert attacked.get(f"/e/{hall['slug']}/standings/")[0] == 200
    before, quiet = attacked.web.memory(), descriptors(attacked)
    peaks = []
    for _time in range(TIMES):
        peak = asyncio.run(a_hall(attacked, hall["event"], hall["slug"]))
        peaks.append(peak)
        assert peak - before < MOST
        wait_for("the connections to be gone", lambda: descriptors(attacked) <= quiet + 20)
        wait_for(
            "the memory to come back",
            lambda peak=peak: attacked.web.memory() - before < LEFT * (peak - before),
        )
    assert peaks[-1] < AGAIN * peaks[-2], peaks
