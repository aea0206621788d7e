"""A revoke proved by the tricks that the table agrees on, and the notice that the table sees before a deal ends."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.models import Incident, Ruling
from ledger.jobs import work_on
from ledger.models import Job
from scoring.engine.calls import answer
from tests.tournament.build import make_user
from tournament.models.tables import Sheet
from tournament.services import sheets
from tournament.services.events import update_event
from tournament.tables.links import table_token

from .build import SYSTEM, enter, event_in_play, incident_at, revoked_deal, sheet_at

pytestmark = pytest.mark.django_db


def replayed(sheet: Sheet, entry: dict[str, Any]) -> Any:
    rules = {"rulebook": sheet.rulebook, "options": sheet.options}
    return answer("replay", {**rules, **entry["record"]})


@pytest.mark.guide("referee#look-at-the-evidence")
def test_agreed_tricks_lead_to_the_ruling_and_their_proof_is_kept(client: Client) -> None:
    """000-P1 “ne pas fournir de la couleur demandée quand on en a”; tricks “placés en croix afin de
    pouvoir opérer une vérification levée par levée”."""
    event, round_ = event_in_play(deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    enter(sheet, 40)
    incident_at(event, round_)
    client.force_login(make_user("arbitre", event, "referee"))
    alleged = {"trick": found["trick"], "seat": found["seat"], "kind": found["kind"]}
    typed = {"trump": entry["record"]["trump"], **{k: str(v) for k, v in alleged.items()}}
    for trick in replayed(sheet, entry)["tricks"]:
        typed[f"l{trick['n']}"] = trick["leader"]
        typed[f"t{trick['n']}"] = " ".join(card for _seat, card in trick["plays"])
    asked = client.post(reverse("referee-prove", args=[event.slug, 1]), typed)
    assert asked.status_code == 302
    job = Job.objects.get(kind="adjudication.prove")
    work_on(str(job.pk))
    page = client.get(asked["Location"])
    leads = page.context["rule_url"]
    assert leads, page.context["job"].result
    form = client.get(leads.partition("#")[0]).context["form"]
    assert (form["offender"].value(), str(form["trick"].value())) == (
        found["seat"],
        str(found["trick"]),
    )
    posted = {
        "article": "000-P1",
        "f-offender": found["seat"],
        "f-trick": str(found["trick"]),
        "f-card": found["card"],
        "f-noticed": "after_deal",
        "f-proved": "yes",
        "f-claimed": "in_time",
        "proof": str(job.pk),
        "reason": "",
    }
    client.post(reverse("referee-incident", args=[event.slug, 1]), posted)
    version = Ruling.objects.get().versions.get()
    proof = version.context["proof"]
    assert (proof["by"], proof["job"]) == ("tricks", str(job.pk))
    assert proof["asked"]["allegation"] == alleged
    shown = client.get(reverse("referee-ruling", args=[event.slug, 1])).content.decode()
    assert found["card"][:-1] in shown


@pytest.mark.guide("referee#what-to-keep-in-mind")
@pytest.mark.parametrize("told", [True, False])
def test_an_event_says_whether_the_table_is_told_before_the_deal_ends(
    client: Client, django_capture_on_commit_callbacks: Any, *, told: bool
) -> None:
    event, round_ = event_in_play(deals=4)
    update_event(event_id=event.pk, actor=SYSTEM, changes={"tell_illegal": told})
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    record = entry["record"]
    answered = client.post(
        reverse("table-tricks", args=[table_token(sheet.table)]),
        {
            "dealer": entry["dealer"],
            "trump": record["trump"],
            "leader": record["leader"],
            "plays": " ".join(record["plays"]),
        },
    ).json()
    assert answered["ok"], answered
    named = [(flag["trick"], flag["card"]) for flag in answered["flags"]]
    assert named == ([(found["trick"], found["card"])] if told else [])
    with django_capture_on_commit_callbacks(execute=True):
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    incident = Incident.objects.get()
    assert incident.violation["card"] == found["card"], "the referee is told in either case"
