"""Time to enter a deal at the plainest depth: taps and swipes of a thumb, plus the machine's response time.

A scripted thumb writes deals on a phone of 360 by 640 in Chromium. Its taps are counted, and a swipe
before each of them whose target is out of sight (it costs what a tap costs); what a person needs is the keystroke-level model's time (Card, Moran and Newell, "The keystroke-level
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


class Thumb:
    """A thumb on a page, with counts of its taps and of the swipes that bring targets into view."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps, self.swipes = page, 0, 0

    def tap(self, selector: str) -> None:
        """Tap the element; swipe first where it is not completely on the screen."""
        target = self.page.locator(selector)
        box, screen = target.bounding_box(), self.page.viewport_size
        self.swipes += box["y"] < 0 or box["y"] + box["height"] > screen["height"]
        self.taps += 1
        target.tap()


def seconds(taps: int, minds: int) -> float:
    """Return the seconds that a person needs by the keystroke-level model."""
    return taps * (POINT + PRESS) + minds * MIND


def until_next(page: Any, number: int) -> None:
    """Wait until the page shows the form of the deal after ``number``."""
    page.locator(f"[data-deal-form][data-number='{number + 1}']").wait_for(state="attached")


TRUMP = "[data-deal-form] label.choice:has(input[value=H])"


def with_script(thumb: Thumb, number: int, points: int) -> float:
    """Choose the trump, tap the digits and write. Return the machine's seconds."""
    thumb.tap(TRUMP)
    for digit in str(points):
        thumb.tap(f"[data-numpad] button[data-key='{digit}']")
    begin = time.perf_counter()
    thumb.tap("[data-write]")
    until_next(thumb.page, number)
    return time.perf_counter() - begin


def without(thumb: Thumb, number: int, points: int) -> float:
    """Use the same form without script: the field, the phone's keyboard, and its key that closes it."""
    thumb.tap(TRUMP)
    thumb.tap("[name=points]")
    thumb.page.locator("[name=points]").fill(str(points))
    thumb.taps += len(str(points)) + 1
    begin = time.perf_counter()
    thumb.tap("[data-write]")
    until_next(thumb.page, number)
    return time.perf_counter() - begin


WAYS = {"with script": (with_script, True, 3), "plain form": (without, False, 4)}
"""Entry function, use of scripts, and number of decisions (reaching the field is one), by name."""


def measure(site: Server, browser: Any, name: str) -> dict[str, float]:
    """Return the most taps and swipes and the modelled and measured seconds of a deal, median of :data:`DEALS`."""
    act, script, minds = WAYS[name]
    context = phone(browser, site.url, java_script_enabled=script)
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(site.ask("sheet", target=5000)["page"])
    chance = random.Random(10)
    thumbs, waits = [], []
    for number in range(1, DEALS + 1):
        thumbs.append(Thumb(page))
        waits.append(act(thumbs[-1], number, chance.randint(30, 44)))
    context.close()
    taps, swipes = (max(getattr(each, what) for each in thumbs) for what in ("taps", "swipes"))
    return {
        "taps": taps,
        "swipes": swipes,
        "thumb": seconds(taps + swipes, minds),
        "wait": statistics.median(waits),
    }


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
    print(f"{'way':<14}{'taps':>6}{'swipes':>8}{'thumb s':>10}{'wait s':>9}{'deal s':>9}")
    for name, row in found.items():
        total = row["thumb"] + row["wait"]
        touched = f"{row['taps']:>6.0f}{row['swipes']:>8.0f}"
        print(f"{name:<14}{touched}{row['thumb']:>10.2f}{row['wait']:>9.2f}{total:>9.2f}")
    ours, plain = (row["thumb"] + row["wait"] for row in found.values())
    print(
        json.dumps(
            {
                "benchmark": "table",
                "taps": found["with script"]["taps"],
                "swipes": found["with script"]["swipes"],
                "deal_seconds": round(ours, 2),
                "ratio_to_plain_form": round(ours / plain, 3),
            }
        )
    )
    # The wait depends on the machine; the number of taps does not.
    return 0 if found["with script"]["thumb"] < 10 else 1


if __name__ == "__main__":
    sys.exit(main())
