"""2,000 phones poll while a draw is released and 136 tables sign: errors and waits.

Each phone keeps a connection and asks every second or so for the draw, the standings or its own
seat with the ETag it has, as ``live.js`` does without a stream. Meanwhile another process publishes
the draw of the next round and plays and signs the first game of every table. Prints answers,
errors and the slowest waits; the baseline is the same crowd
while nothing happens.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

from benchmarks.pages import ROOT, Installation, installation

PHONES = int(os.environ.get("BENCH_PHONES", "2000"))
PAUSE = 1.0
SIGN = """
import sys
from tests.tournament.build import SYSTEM, chance
from tournament.demo.simulation import draw_and_publish, play_sheet
from tournament.models import Event, Round, TableGame
from tournament.services.rounds import close_round
first = Round.objects.get(stage__event__slug="bench", stage__order=1, number=1)
if first.state != "closed":
    close_round(round_id=first.pk, actor=SYSTEM)
part = draw_and_publish(Round.objects.get(stage__event__slug="bench", stage__order=1, number=2), SYSTEM)
luck = chance("crowd")
for game in TableGame.objects.filter(table__round=part, number=1).select_related("sheet"):
    play_sheet(game.sheet, luck)
print(Event.objects.get(slug="bench").version)
"""


@dataclass
class Seen:
    """What the phones saw."""

    waits: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    full: int = 0
    unchanged: int = 0


async def phone(place: Installation, number: int, end: float, seen: Seen) -> None:
    """One phone until ``end``."""
    chance = random.Random(number)
    player = number % 544 + 1
    path = ["/e/bench/draw/", "/e/bench/standings/", f"/e/bench/players/{player}/?part=now"][
        number % 3
    ]
    etag = ""
    await asyncio.sleep(chance.random() * PAUSE * 2)
    try:
        reader, writer = await asyncio.open_connection(place.host, place.port)
        while time.monotonic() < end:
            asked = f"GET {path} HTTP/1.1\r\nHost: {place.host}:{place.port}\r\nAccept-Encoding: gzip\r\nAccept-Language: nl\r\n"
            if etag:
                asked += f"If-None-Match: {etag}\r\n"
            began = time.monotonic()
            writer.write(f"{asked}\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            status = int(head.split()[1])
            fields = dict(
                line.split(": ", 1) for line in head.lower().splitlines()[1:] if ": " in line
            )
            if status == 200:
                await reader.readexactly(int(fields["content-length"]))
            seen.waits.append(time.monotonic() - began)
            if status not in (200, 304):
                seen.errors.append(str(status))
            seen.full += status == 200
            seen.unchanged += status == 304
            etag = next(
                (
                    line[6:].strip()
                    for line in head.splitlines()
                    if line.lower().startswith("etag:")
                ),
                "",
            )
            await asyncio.sleep(PAUSE * (0.75 + chance.random() / 2))
        writer.close()
    except (OSError, asyncio.IncompleteReadError, KeyError, ValueError) as error:
        seen.errors.append(repr(error))


async def crowd(place: Installation, seconds: float) -> Seen:
    """All phones for ``seconds``."""
    seen = Seen()
    end = time.monotonic() + seconds
    await asyncio.gather(*(phone(place, number, end, seen) for number in range(PHONES)))
    return seen


def said(name: str, seen: Seen) -> dict[str, float]:
    """One line for people, figures for machines."""
    waits = sorted(seen.waits)
    figures = {
        "answers": float(len(waits)), "errors": float(len(seen.errors)),
        "median": statistics.median(waits), "p99": waits[int(len(waits) * 0.99)], "most": waits[-1],
    }  # fmt: skip
    print(
        f"{name:22}{len(waits):8d} answers ({seen.unchanged} unchanged)  {len(seen.errors)} errors"
        f"  median {figures['median'] * 1000:.0f} ms  99 % {figures['p99'] * 1000:.0f} ms"
        f"  slowest {figures['most']:.2f} s  {sorted(set(seen.errors))[:3] or ''}",
        flush=True,
    )
    return figures


def main() -> int:
    """Quiet, then busy."""
    with tempfile.TemporaryDirectory() as folder, installation(folder) as place:
        quiet = said("nothing happens", asyncio.run(crowd(place, 10)))
        signing = subprocess.Popen(
            [sys.executable, "manage.py", "shell", "-c", SIGN], cwd=ROOT, env=place.environment,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        busy = said("draw and signatures", asyncio.run(crowd(place, 30)))
        out, _err = signing.communicate(timeout=300)
        print(f"the event's version afterwards: {out.split()[-1]}")
    print(json.dumps({"benchmark": "crowd", "phones": PHONES, "quiet": quiet, "busy": busy}))
    return 1 if busy["errors"] or signing.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
