"""A revoke at table 17, from the cards on the phone to the appeal that overturns the ruling.

The event is a parlée, whose penalty is 34 (source 000); the deal is entered card by card through
the table's own interface, the referee and the committee work on their pages.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.browser.conftest import Service, looking
from tests.browser.table import choose, hold
from tests.programs import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.long]

PASSWORD = "kaarten-op-tafel-9"

SETTING = (
    f"PASSWORD = {PASSWORD!r}"
    + """
import json, uuid
from datetime import date
from django.contrib.auth import get_user_model
from ledger.actors import Actor
from tests.tournament.build import grant, make_user
from tournament.tables.score_sheet import ScoreSheet
from tournament.tables.links import table_token
from tests.adjudication.build import SYSTEM, event_in_play, revoked_deal, sheet_at, sign, enter
event, part = event_in_play(players=72, deals=1, cut=32, name="Parlee dag", depth="cards")
for name, role in (("arbiter", "referee"), ("beroep", "appeals"), ("bijzit", "appeals")):
    user = make_user(name, password=PASSWORD)
    grant(user, role, event.pk)
for table in (1, 2, 3):
    for game in (1, 2, 3):
        sign(enter(sheet_at(part, table, game), 40 + table))
sheet = sheet_at(part, 17)
for seed in range(1, 50):
    entry, found = revoked_deal(sheet, seed=seed)
    guilty = "NS" if found["seat"] in "NS" else "EW"
    if ScoreSheet(sheet).score(entry).marks[guilty] > 9:  # the offence paid, until it was seen
        break
names = event.entrants.get(pk=sheet.seats["N"]).number
print("RESULT" + json.dumps({"slug": event.slug, "entry": entry, "found": found,
    "token": table_token(sheet.table), "number": names,
    "seats": {s: event.entrants.get(pk=e).number for s, e in sheet.seats.items()}}))
"""
)


def shell(service: Service, script: str) -> dict[str, Any]:
    """Run ``script`` in the installation. Return the JSON printed after ``RESULT``."""
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", script],
        cwd=ROOT,
        env=service.environment,
        check=True,
        capture_output=True,
        text=True,
    )
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    found: dict[str, Any] = json.loads(line.removeprefix("RESULT"))
    return found


def sign_in(page: Any, service: Service, name: str) -> None:
    page.goto(service.url + "/login/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(lambda address: "/login/" not in address)


def standings(page: Any, service: Service, slug: str) -> list[str]:
    page.goto(f"{service.url}/e/{slug}/standings/")
    rows: list[str] = page.locator("#standings tbody tr[data-entrant]").all_inner_texts()
    return rows


def at_the_table(page: Any, service: Service, told: dict[str, Any]) -> None:
    """Tap the cards as they were played, call the referee, and sign for both sides meanwhile."""
    record = told["entry"]["record"]
    page.goto(f"{service.url}/t/{told['token']}/")
    choose(page, "trump", record["trump"])
    rank = told["entry"]["turn_up"][:-1]
    choose(page, "turn_up", rank if rank in ("10", "A", "K", "Q", "J") else "-")
    for card in record["plays"]:
        page.locator(f".cardentry__pack button[data-card='{card}']").click()
    page.locator("[data-write]").click()
    page.locator("#sign").wait_for()
    page.locator("details.call summary").click()
    page.locator("button[value=referee]").click()
    page.locator(".call__waiting").wait_for()
    for side in ("NS", "EW"):
        form = page.locator(f"form:has(input[name=signing][value={side}])")
        hold(form.locator("button[name=signer]").first)
        form.wait_for(state="detached")
    page.locator(".state--finished").wait_for()


def shown(card: str) -> str:
    """Return a card as an English page shows it: ``7S`` is 7♠."""
    return card[:-1] + "♠♥♦♣"["SHDC".index(card[-1])]


def rule(page: Any, service: Service, told: dict[str, Any]) -> None:
    """Rule from the queue on: claim, evidence, facts, impact, issue."""
    found = told["found"]
    page.goto(f"{service.url}/referee/{told['slug']}/")
    assert "17" in page.inner_text(".queue .is-first .queue__table")
    page.click("form[action*='/take/'] button")
    page.wait_for_url("**/incidents/1/")
    evidence = page.inner_text("#evidence")
    evidence = evidence.replace("\ufe0e", "")  # a sign, drawn as text
    assert f"proved at trick 6 by {shown(found['provable']['card'])}" in evidence
    assert f"Trick {found['trick']}: {found['seat']} played {shown(found['card'])}" in evidence
    page.click("text=Rule under 000-P1")
    page.click("button[name=preview]")
    proposal = page.inner_text("#proposal")
    innocent = "E-W" if found["seat"] in "NS" else "N-S"
    assert f"{innocent} +34" in proposal
    assert "rank" in proposal
    assert page.locator(".impact tbody tr").count() > 3
    page.fill("[name=reason]", "The card thrown in trick 6 shows it.")
    page.click("button[value=issue]")
    page.wait_for_url("**/rulings/1/")
    assert "Provisional" in page.inner_text("main")


def appeal(page: Any, service: Service, told: dict[str, Any]) -> None:
    """Read the ruling on the table's own page and appeal."""
    page.goto(f"{service.url}/t/{told['token']}/?game=1")
    page.click(".ruling a")
    page.wait_for_url("**/rulings/**")
    assert "The card thrown in trick 6 shows it." in page.inner_text("main")
    page.click("text=Lodge an appeal")
    guilty = "NS" if told["found"]["seat"] in "NS" else "EW"
    page.check(f"[name=side][value={guilty}]")
    page.fill("[name=grounds]", "The cards were entered in the wrong order.")
    page.click("text=Lodge the appeal")
    page.locator("text=The cards were entered in the wrong order.").first.wait_for()


def overturn(page: Any, service: Service, told: dict[str, Any]) -> None:
    """Hear the appeal as a committee without the referee."""
    page.goto(f"{service.url}/referee/{told['slug']}/")
    page.click("a[href$='/rulings/1/#appeals']")
    page.check("[name=outcome][value=overturned]", force=True)
    page.locator("[name=members]").first.check()
    page.fill("[name=decision]", "The referee's own notes bear it out.")
    page.click("form[action*='/appeals/'] button:not([name])")
    page.locator("text=overturned on appeal").first.wait_for()
    assert page.locator(".timeline li").count() == 2


def marks_now(service: Service) -> dict[str, Any]:
    """Return the official result of table 17's first game."""
    return shell(
        service,
        "import json\n"
        "from tournament.models.tables import Sheet\n"
        "sheet = Sheet.objects.get(table__number=17, order=1)\n"
        "print('RESULT' + json.dumps(sheet.results.get(current=True).result))",
    )


def test_a_revoke_is_proved_ruled_appealed_and_overturned(chromium: Any, service: Service) -> None:
    told = shell(service, SETTING)
    with looking(chromium, 360, has_touch=True) as phone:
        at_the_table(phone, service, told)
        before, marks = standings(phone, service, told["slug"]), marks_now(service)
        assert len(before) == 72
    with looking(chromium, 1280) as desk:
        sign_in(desk, service, "arbiter")
        rule(desk, service, told)
    innocent = "EW" if told["found"]["seat"] in "NS" else "NS"
    after = marks_now(service)
    assert after["marks"][innocent] - marks["marks"][innocent] != 0
    assert after["winner"] == innocent
    with looking(chromium, 360, has_touch=True) as phone:
        assert standings(phone, service, told["slug"]) != before
        phone.goto(f"{service.url}/e/{told['slug']}/players/{told['number']}/")
        assert "000-P1" not in phone.inner_text("main"), "the public reads it once it is final"
        appeal(phone, service, told)
    with looking(chromium, 1280) as desk:
        sign_in(desk, service, "beroep")
        overturn(desk, service, told)
    assert marks_now(service) == marks
    with looking(chromium, 360) as phone:
        assert standings(phone, service, told["slug"]) == before
