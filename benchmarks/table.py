"""How long a deal takes at the plainest depth: taps of a thumb, and the machine's share of the wait.

A scripted thumb writes deals on a 360 px phone in Chromium. Its taps are counted; what a person
needs for them is the keystroke-level model's time (Card, Moran and Newell, "The keystroke-level
model for user performance time with interactive systems", Communications of the ACM 23/7, 1980):
1.10 s to point (P), 0.20 s to press and lift (B), 1.35 s to make up one's mind (M) before the
trump, the points and the button. The time from the last tap until the form of the next deal stands
is measured and added. Baseline in the same run: the same page without script, where the points are
typed in a field (one tap more to reach it, one to send the phone's keyboard away).
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.browser.conftest import FLAGS
from tests.browser.serving import Server, phone, server

POINT, PRESS, MIND = 1.10, 0.20, 1.35
DEALS = 12


def thumb(taps: int, minds: int) -> float:
    """Seconds that a person needs by the keystroke-level model."""
    return taps * (POINT + PRESS) + minds * MIND


def until_next(page: Any, number: int) -> None:
    """Until the page asks for the deal after ``number``."""
    page.locator(f"[data-deal-form][data-number='{number + 1}']").wait_for(state="attached")


def with_script(page: Any, number: int, points: int) -> tuple[int, float]:
    """Trump, digits, write: taps and the seconds of the machine."""
    page.locator("[data-deal-form] label.choice:has(input[value=H])").tap()
    for digit in str(points):
        page.locator(f"[data-numpad] button[data-key='{digit}']").tap()
    begin = time.perf_counter()
    page.locator("[data-write]").tap()
    until_next(page, number)
    return 1 + len(str(points)) + 1, time.perf_counter() - begin


def without(page: Any, number: int, points: int) -> tuple[int, float]:
    """The same form without script: the field, the phone's keyboard and its key to go away."""
    page.locator("[data-deal-form] label.choice:has(input[value=H])").tap()
    page.locator("[name=points]").tap()
    page.locator("[name=points]").fill(str(points))
    begin = time.perf_counter()
    page.locator("[data-write]").tap()
    until_next(page, number)
    return 1 + 1 + len(str(points)) + 1 + 1, time.perf_counter() - begin


WAYS = {"with script": (with_script, True, 3), "plain form": (without, False, 4)}
"""name → how it is done, whether scripts run, decisions (reaching the field is one)."""


def measure(site: Server, browser: Any, name: str) -> dict[str, float]:
    """Taps, modelled and measured seconds of a deal, the median of :data:`DEALS`."""
    act, script, minds = WAYS[name]
    context = phone(browser, site.url, java_script_enabled=script)
    page = context.new_page()
    page.goto(site.ask("sheet", target=5000)["page"])
    chance = random.Random(10)
    taps, waits = [], []
    for number in range(1, DEALS + 1):
        count, wait = act(page, number, chance.randint(30, 44))
        taps.append(count)
        waits.append(wait)
    context.close()
    most = max(taps)
    return {"taps": most, "thumb": thumb(most, minds), "wait": statistics.median(waits)}


def main() -> int:
    """Measure both ways and print them."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        print("Chromium is not here: apt-get install chromium")
        return 1
    from playwright.sync_api import sync_playwright

    found: dict[str, dict[str, float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name in WAYS:
            found[name] = measure(site, browser, name)
        browser.close()
    print(f"{'way':<14}{'taps':>6}{'thumb s':>10}{'wait s':>9}{'deal s':>9}")
    for name, row in found.items():
        total = row["thumb"] + row["wait"]
        print(f"{name:<14}{row['taps']:>6.0f}{row['thumb']:>10.2f}{row['wait']:>9.2f}{total:>9.2f}")
    ours, plain = (row["thumb"] + row["wait"] for row in found.values())
    print(
        json.dumps(
            {"benchmark": "table", "taps": found["with script"]["taps"],
             "deal_seconds": round(ours, 2), "ratio_to_plain_form": round(ours / plain, 3)}
        )
    )  # fmt: skip
    # The wait depends on the machine; what a thumb needs does not.
    return 0 if found["with script"]["thumb"] < 10 else 1


if __name__ == "__main__":
    sys.exit(main())
