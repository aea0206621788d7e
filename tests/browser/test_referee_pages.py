"""Every referee page meets WCAG 2.2 AA (axe) in three languages, light and dark, on phone and desk.

No page is wider than its window, every control reaches 24 px and those of the queue 48 px, and the headings of French
and Dutch pages have no English.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Service, looking
from tests.browser.test_referee import PASSWORD, shell, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.long]

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

SETTING = (
    f"PASSWORD = {PASSWORD!r}"
    + """
import json
from django.contrib.auth import get_user_model
from adjudication.models import Incident
from adjudication.services import appeals, confirmations, evidence, rulings
from ledger.actors import Actor
from ledger.jobs import work_on
from tests.tournament.build import grant, make_user
from tournament.services import sheets, tables
from tournament.tables.links import table_token
from tests.adjudication.build import *
from tournament.tables.links import entrant_token
event, part = event_in_play(players=8, deals=4, cut=4, name="Parlee dag", depth="cards")
staff = {"hoofd": ["chief_referee"], "leiding": ["director"], "beroep": ["appeals"]}
for name, roles in staff.items():
    user = make_user(name, password=PASSWORD)
    for role in roles:
        grant(user, role, event.pk)
sheet = sheet_at(part)
entry, found = revoked_deal(sheet)
sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
enter(sheet_at(part, 2), 40, 30)
tables.call_referee(table_id=sheet_at(part, 2).table_id, sheet_id=None, actor=SYSTEM,
                    reason="Renonce? Le joueur en Est aurait encore eu un coeur au pli six.")
seen = incident_at(event, part)
job = evidence.ask_equity(incident_id=seen.pk, index=0, actor=REFEREE)
work_on(str(job.pk))
revoke = {"offender": found["seat"], "trick": found["trick"], "noticed": "after_deal"}
made = stating(rulings.issue, incident_id=seen.pk, article="000-P1", facts=revoke, actor=REFEREE,
                     reason="La carte du pli six le montre.")
appeals.lodge(ruling_id=made.pk, side="NS", grounds="Les cartes sont mal notees.", actor=SYSTEM)
second = incident_at(event, part, table=2)
warned = stating(rulings.issue, incident_id=second.pk, article="T-PHONE", facts={"offender": "N"},
                       actor=REFEREE, reason="Il sonnait.")
rulings.annul(ruling_id=warned.pk, actor=REFEREE, reason="C'etait l'horloge.")
last = incident_at(event, part, table=2, deal=2)
insulted = incident_at(event, part, table=2, deal=None)
director = get_user_model().objects.get(username="leiding")
waiting = stating(confirmations.rule, incident_id=insulted.pk, article="T-UNSP",
                             facts={"offender": "E", "measure": "disqualified"},
                             actor=Actor.user(director.pk), reason="Il a injurie la table.")
print("RESULT" + json.dumps({"slug": event.slug, "token": table_token(sheet.table),
    "badge": entrant_token(event.entrants.get(pk=sheet.seats["E"])), "ruling": str(made.pk),
    "waiting": str(waiting.pk), "insulted": insulted.number,
    "query": "article=000-P1&f-offender=N&f-trick=3&f-noticed=after_deal&f-claimed=in_time"
             "&preview=1"}))
"""
)


@pytest.fixture(scope="module")
def told(service: Service) -> dict[str, Any]:
    """Create an event with a waiting call, an open appeal, an annulled ruling and an incident to rule on."""
    return shell(service, SETTING)


def pages(told: dict[str, Any]) -> dict[str, str]:
    """Return every page of the referee's desk, by a name for the report."""
    desk = f"/referee/{told['slug']}/"
    return {
        "queue": desk,
        "new incident": f"{desk}new/",
        "incident with evidence": f"{desk}incidents/1/",
        "search": f"{desk}incidents/3/?q=renonce",
        "facts": f"{desk}incidents/3/?article=000-P1",
        "proposal and impact": f"{desk}incidents/3/?{told['query']}",
        "discretion": f"{desk}incidents/3/?article=GEN-DISC",
        "decision for two": f"{desk}confirmations/{told['waiting']}/",
        "incident that waits": f"{desk}incidents/{told['insulted']}/",
        "proof": f"{desk}incidents/1/prove/",
        "ruling appealed": f"{desk}rulings/1/",
        "ruling annulled": f"{desk}rulings/2/",
        "articles": f"{desk}articles/?q=trump",
        "article": f"{desk}articles/T-LATE/",
        "edition": f"{desk}code/",
        "report": f"{desk}report/",
        "ruling at the table": f"/t/{told['token']}/rulings/{told['ruling']}/",
        "ruling by badge": f"/p/{told['badge']}/rulings/{told['ruling']}/",
    }


def faults(page: Any) -> list[str]:
    """Return the violations found by axe, and the controls that are too small to hit."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES
    )
    wrong = [
        f"{each['id']}: {each['nodes'][0]['html'][:120]} ({each['nodes'][0]['failureSummary'][:160]})"
        for each in found["violations"]
    ]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        wrong.append("wider than the window")
    small = page.evaluate(
        "() => [...document.querySelectorAll('main button, main .button, .queue a')]"
        ".filter(e => e.offsetParent && e.getBoundingClientRect().height < 40)"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    return wrong + [f"small: {each}" for each in small]


@pytest.mark.guide("referee#from-call-to-ruling")
@pytest.mark.parametrize(
    ("language", "width"), [("fr", 360), ("nl", 360), ("en", 360), ("fr", 1280)]
)
def test_every_page_is_readable_by_all(
    chromium: Any, service: Service, told: dict[str, Any], language: str, width: int
) -> None:
    wrong: dict[str, list[str]] = {}
    with looking(chromium, width, language) as page:
        page.context.add_cookies(
            [{"name": "django_language", "value": language, "url": service.url}]
        )
        sign_in(page, service, "hoofd")
        for name, address in pages(told).items():
            answer = page.goto(service.url + address)
            assert answer.status == 200, name
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                found = faults(page)
                if found:
                    wrong[f"{name} {scheme}"] = found
    assert wrong == {}
