"""The first visit of a slow phone: bytes, requests, time until the page is painted and works.

Chromium with its processor slowed down four times, on the slow 4G of its own tools (1.6 Mbit/s,
150 ms a round trip), an empty cache and 360 pixels of width. The baseline, in the same run, is the
login page: the same frame without rows. Times are of this machine, with whatever else it does.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
from typing import Any, Final

from benchmarks.installed import installations

LINE: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 200_000,
    "uploadThroughput": 93_750,
}
SLOWER: Final = 4
VISITS = 3
FIGURES = """() => {
  const page = performance.getEntriesByType("navigation")[0];
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return {
    interactive: page.domInteractive, loaded: page.loadEventEnd, painted: paint ? paint.startTime : null,
    blocking: performance.getEntriesByType("resource")
      .filter(one => one.initiatorType === "script" && one.renderBlockingStatus === "blocking")
      .map(one => one.name),
  };
}"""


def visit(browser: Any, url: str) -> dict[str, Any]:
    """Measure a first visit: ``bytes`` and ``requests`` until the page is complete, milliseconds, blocking resources.

    ``type``: the bytes of the fonts, which no text waits for and which every later page has; they are
    counted apart.
    """
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="nl")
    try:
        page = context.new_page()
        line = context.new_cdp_session(page)
        kinds: dict[str, str] = {}
        received: dict[str, float] = {}

        def finish(one: dict[str, Any]) -> None:
            received[one["requestId"]] = one["encodedDataLength"]

        line.on(
            "Network.responseReceived", lambda one: kinds.update({one["requestId"]: one["type"]})
        )
        line.on("Network.loadingFinished", finish)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", LINE)
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(url, wait_until="load", timeout=120_000)
        page.wait_for_function(
            "performance.getEntriesByType('navigation')[0].loadEventEnd > 0", timeout=120_000
        )
        found: dict[str, Any] = page.evaluate(FIGURES)
        fonts = [size for one, size in received.items() if kinds.get(one) == "Font"]
        return found | {
            "bytes": sum(received.values()) - sum(fonts),
            "requests": len(received) - len(fonts),
            "type": sum(fonts),
        }
    finally:
        context.close()


def main() -> int:
    """Print a table and one JSON line; without Chromium, print the reason."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("Left out: chromium is not installed.")
        return 0
    from playwright.sync_api import sync_playwright

    os.environ.setdefault("BENCH_SHAPES", "embedded")
    figures: dict[str, Any] = {}
    for place in installations():
        with sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
            )
            root = f"http://{place.host}:{place.port}"
            for name, path in (
                ("login page, the frame alone", "/login/"),
                ("standings of 544", "/e/bench/standings/"),
                ("draw of 136 tables", "/e/bench/draw/"),
                ("a player's page", "/e/bench/players/17/"),
            ):
                seen = [visit(browser, root + path) for _visit in range(VISITS)]
                found = {
                    key: statistics.median(one[key] or 0.0 for one in seen)
                    for key in ("bytes", "requests", "type", "painted", "interactive", "loaded")
                }
                figures[name] = found
                print(
                    f"{name:30}{found['bytes'] / 1000:7.1f} kB {found['requests']:4.0f} requests"
                    f" + type {found['type'] / 1000:5.1f} kB"
                    f"   painted {found['painted']:6.0f}   interactive {found['interactive']:6.0f}"
                    f"   loaded {found['loaded']:6.0f} ms",
                    flush=True,
                )
            browser.close()
    print(json.dumps({"benchmark": "phones", **figures}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
