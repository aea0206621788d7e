"""Time to check in 544 players, by their own phones and by three volunteers.

Taps, letters and decisions are counted in Chromium on the pages themselves (``tests/browser/door.py``)
and weighed by the keystroke-level model; what a person waits for is measured and added. One
in ten is not on the list. The baseline is the same door without phones: a volunteer finds every
name in the list of the desk.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.browser import door
from tests.browser.conftest import FLAGS
from tests.browser.serving import phone, server

PLAYERS, WALK_INS, VOLUNTEERS, MINUTES = 544, 54, 3, 20
TIMES = 8


def main() -> int:
    """Measure every way through the door and print the result."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        print("Chromium is not here: apt-get install chromium")
        return 1
    from playwright.sync_api import sync_playwright

    found: defaultdict[str, list[door.Person]] = defaultdict(list)
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        hall = site.python(door.prepare(PLAYERS))
        at, names = hall["door"], hall["names"]
        desk = phone(browser, site.url).new_page()
        door.sign_in(desk, hall["user"])
        for n in range(TIMES):
            own = phone(browser, site.url)
            page = own.new_page()
            found["own phone, by name"].append(door.check_in_by_name(page, at, names[40 + n]))
            page.locator("[name=undo]").tap()
            page.locator("#door-names .is-said").wait_for(state="detached")
            found["by name, field tapped"].append(
                door.check_in_by_name(page, at, names[40 + n], keyboard=False)
            )
            page.locator("[data-me]:visible").tap()
            found["own phone, known"].append(door.check_in_by_own_phone(page, at))
            new = f"Iemand Nieuw {n}"
            found["walk-in, own phone"].append(door.walk_in(page, at, new, "De Tien"))
            found["walk-in, volunteer"].append(door.confirm(desk, hall["slug"], new))
            own.close()
        desk.goto(f"/desk/{hall['slug']}/players/")
        for n in range(TIMES):
            found["badge at the desk"].append(door.scan(desk, hall["badges"][n]))
            found["list at the desk"].append(door.find_in_list(desk, names[100 + n]))
        browser.close()
    print(f"{'way':<24}{'taps':>6}{'letters':>9}{'person s':>10}{'wait s':>8}{'in all s':>10}")
    total: dict[str, float] = {}
    for way, walks in found.items():
        person = statistics.median(each.seconds for each in walks)
        wait = statistics.median(each.waited for each in walks)
        total[way] = person + wait
        touched = max(each.taps + each.swipes for each in walks)
        letters = max(each.letters for each in walks)
        print(f"{way:<24}{touched:>6}{letters:>9}{person:>10.2f}{wait:>8.2f}{total[way]:>10.2f}")
    known = PLAYERS - WALK_INS
    busy = WALK_INS * total["walk-in, volunteer"] / VOLUNTEERS / 60
    scanned = known * total["badge at the desk"] / VOLUNTEERS / 60 + busy
    listed = known * total["list at the desk"] / VOLUNTEERS / 60 + busy
    print(
        f"{PLAYERS} players, {WALK_INS} of them unknown, {VOLUNTEERS} volunteers: busy for {busy:.1f} minutes "
        f"where the known use their phones, {scanned:.1f} where their badges are scanned, "
        f"{listed:.1f} where their names are looked up."
    )
    walk_in = total["walk-in, own phone"] + total["walk-in, volunteer"]
    print(
        json.dumps(
            {
                "benchmark": "door",
                "known_seconds": round(total["own phone, known"], 2),
                "by_name_seconds": round(total["own phone, by name"], 2),
                "field_tapped_seconds": round(total["by name, field tapped"], 2),
                "walk_in_seconds": round(walk_in, 2),
                "minutes": round(busy, 1),
                "minutes_scanned": round(scanned, 1),
                "ratio_to_looking_up": round(busy / listed, 3),
            }
        )
    )
    return 0 if total["own phone, known"] <= 5 and walk_in <= 25 and scanned <= MINUTES else 1


if __name__ == "__main__":
    sys.exit(main())
