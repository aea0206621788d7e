"""Cost of an offence when some cards are unknown: requested on a page, shown next to the amount, and stored."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.models import Incident, Ruling
from adjudication.penal import mean_equity
from adjudication.queries.cases import case_of
from adjudication.services import evidence
from ledger.errors import Refused
from ledger.jobs import work_on
from ledger.models import Job
from scoring.engine.calls import answer
from scoring.engine.speech import card_name
from tests.tournament.build import make_user
from tournament.services import sheets

from .build import REFEREE, SYSTEM, enter, event_in_play, incident_at, revoked_deal, sheet_at

pytestmark = pytest.mark.django_db


def asked_tricks(sheet: Any, entry: Any, found: Any, *, until: int = 8) -> dict[str, Any]:
    """Return the tricks up to ``until`` and the trick that proves the revoke, with the allegation."""
    rules = {"rulebook": sheet.rulebook, "options": sheet.options}
    replayed: Any = answer("replay", {**rules, **entry["record"]})
    return {
        "trump": entry["record"]["trump"],
        "tricks": [
            {"n": t["n"], "leader": t["leader"], "plays": [card for _seat, card in t["plays"]]}
            for t in replayed["tricks"]
            if t["n"] <= until or t["n"] == 6
        ],
        "allegation": {key: found[key] for key in ("trick", "seat", "kind")},
    }


def proved(incident: Incident, asked: dict[str, Any]) -> Job:
    job = evidence.ask_proof(incident_id=incident.pk, question=asked, actor=REFEREE)
    work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == "done"
    return job


def cost(incident: Incident, proof: Job, seed: int = 7) -> Job:
    job = evidence.ask_worlds(
        incident_id=incident.pk, proof_id=str(proof.pk), seed=seed, actor=REFEREE
    )
    work_on(str(job.pk))
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("rulebook", ["parlee", "boussac", "chaloupee", "coinchee", "muette"])
def test_with_every_trick_known_it_is_the_value_with_open_cards(rulebook: str) -> None:
    event, round_ = event_in_play(rulebook, deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    incident = Incident.objects.get(pk=incident_at(event, round_).pk)
    proof = proved(incident, asked_tricks(sheet, entry, found))
    open_cards = evidence.equity_of(case_of(incident), 0)
    job = cost(incident, proof)
    assert job.state == "done", job.failure
    names = ("side", "as_played", "penalised")
    assert [job.result[n] for n in names] == [open_cards[n] for n in names]
    for name in ("without_offence", "damage", "difference"):
        assert Fraction(job.result[name]) == Fraction(open_cards[name]), name
    assert job.result["worlds"] == 200
    assert Fraction(job.result["margin"]) == 0


@pytest.mark.guide("referee#look-at-the-evidence")
def test_the_mean_comes_by_its_draw_code() -> None:
    event, round_ = event_in_play("coinchee", deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    enter(sheet, 40)
    incident = Incident.objects.get(pk=incident_at(event, round_).pk)
    proof = proved(incident, asked_tricks(sheet, entry, found, until=found["trick"]))
    first = cost(incident, proof, 7)
    assert first.state == "done", first.failure
    assert first.result["worlds"] >= 200
    assert first.result["seed"] == 7
    assert first.result["different"] > 1
    assert Fraction(first.result["margin"]) > 0
    asked = proof.parameters["asked"]
    assert evidence.worlds_equity(case_of(incident), asked, 7) == first.result
    other = evidence.worlds_equity(case_of(incident), asked, 8)
    assert other != first.result
    apart = abs(Fraction(other["damage"]) - Fraction(first.result["damage"]))
    assert apart <= 2 * (Fraction(other["margin"]) + Fraction(first.result["margin"]))
    same = evidence.ask_worlds(
        incident_id=incident.pk, proof_id=str(proof.pk), seed=7, actor=REFEREE
    )
    assert same == first, "asked once"


@pytest.mark.guide("referee#look-at-the-evidence")
def test_too_many_cards_left_is_said_and_no_mean_given(monkeypatch: pytest.MonkeyPatch) -> None:
    event, round_ = event_in_play("coinchee", deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    enter(sheet, 40)
    incident = Incident.objects.get(pk=incident_at(event, round_).pk)
    proof = proved(incident, asked_tricks(sheet, entry, found, until=found["trick"]))
    monkeypatch.setattr(evidence, "MOST_NODES_OF_WORLDS", 500)
    job = cost(incident, proof)
    assert job.state == "failed"
    assert "of 200 deals could be played out in time" in job.failure


@pytest.mark.guide("referee#look-at-the-evidence")
def test_too_few_tricks_are_said_and_more_of_them_give_a_mean() -> None:
    event, round_ = event_in_play("belgian", deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    enter(sheet, 40)
    incident = Incident.objects.get(pk=incident_at(event, round_).pk)
    all_before = asked_tricks(sheet, entry, found, until=found["trick"])
    remembered = {**all_before, "tricks": all_before["tricks"][-2:]}
    assert [trick["n"] for trick in remembered["tricks"]] == [found["trick"], 6]
    job = cost(incident, proved(incident, remembered))
    assert job.state == "failed"
    assert "too few tricks are known to draw deals" in job.failure
    assert cost(incident, proved(incident, all_before)).result["worlds"] == 200


def test_it_is_refused_without_a_deal_or_a_verdict() -> None:
    event, round_ = event_in_play(deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    incident = incident_at(event, round_)
    proof = proved(incident, asked_tricks(sheet, entry, found))
    with pytest.raises(Refused, match="not recorded"):
        cost(incident, proof)
    enter(sheet, 40)
    with pytest.raises(Refused, match="from 1 to 999999"):
        cost(incident, proof, 0)
    with pytest.raises(Refused, match="Check the tricks") as refused:
        evidence.ask_worlds(incident_id=incident.pk, proof_id="no", seed=1, actor=REFEREE)
    assert refused.value.code == "no_proof"


def test_it_is_for_games_of_two_pairs() -> None:
    event, round_ = event_in_play("three-player", players=6, deals=3)
    sheet = sheet_at(round_)
    alone = sheet.first_dealer
    others = "".join(seat for seat in "123" if seat != alone)
    entry = {
        "dealer": alone,
        "contract": {"declarer": alone, "trump": "H"},
        "points": {alone: 36, others: 24},
    }
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    incident = incident_at(event, round_)
    asked = {
        "trump": "H",
        "tricks": [{"n": 1, "leader": "1", "plays": ["7S", "8S", "9D"]}],
        "allegation": {"trick": 1, "seat": "3", "kind": "revoke"},
    }
    proof = proved(incident, asked)
    with pytest.raises(Refused, match="games of two pairs") as refused:
        cost(incident, proof)
    assert refused.value.code == "pairs_only"


@pytest.mark.guide("referee#the-same-by-program")
def test_it_is_asked_and_read_by_program(client: Client) -> None:
    event, round_ = event_in_play("coinchee", deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    enter(sheet, 40)
    incident_at(event, round_)
    client.force_login(make_user("arbitre", event, "referee"))

    def post(name: str, *place: str, **body: Any) -> Any:
        address = reverse(name, args=[event.slug, 1, *place])
        return client.post(address, body, content_type="application/json")

    def get(name: str, *place: str, **query: Any) -> Any:
        return client.get(reverse(name, args=[event.slug, 1, *place]), query)

    tricks = asked_tricks(sheet, entry, found, until=found["trick"])
    # Proofs have no list: the address accepts POST only.
    none = get("api-incident-proofs")
    assert (none.status_code, none["Allow"]) == (405, "POST, OPTIONS")
    assert none.json()["code"] == "method_not_allowed"
    asked = post("api-incident-proofs", **tricks)
    assert (asked.status_code, asked.json()["verdict"]) == (202, "")
    proof = asked.json()["id"]
    assert post("api-incident-proofs-cost", proof, seed=7).json()["code"] == "no_proof"
    work_on(proof)
    verdict = get("api-incident-proofs", proof).json()
    assert (verdict["state"], verdict["verdict"]) == ("done", "guilty")
    assert verdict["proof"]["trick"] == 6
    assert get("api-incident-proofs-cost", proof).json()["code"] == "cost_not_asked"
    assert post("api-incident-proofs-cost", proof, seed=0).status_code == 400
    started = post("api-incident-proofs-cost", proof, seed=7)
    assert (started.status_code, started.json()["cost"]) == (202, None)
    work_on(started.json()["id"])
    for query in ({}, {"seed": 7}):
        read = get("api-incident-proofs-cost", proof, **query).json()
        assert (read["state"], read["seed"], read["cost"]["worlds"]) == ("done", 7, 200)
        without, played = (Fraction(read["cost"][n]) for n in ("without_offence", "as_played"))
        assert Fraction(read["cost"]["damage"]) == without - played
        assert Fraction(read["cost"]["margin"]) > 0
    assert get("api-incident-proofs-cost", proof, seed=8).status_code == 404
    assert post("api-incident-proofs-cost", proof, seed=7).json() == read, "asked once"
    wrong = {**tricks, "trump": "S", "tricks": [{"n": 1, "leader": "Q", "plays": ["7S"]}]}
    refused = post("api-incident-proofs", **wrong)
    assert refused.status_code == 400
    assert refused.json()["field"] == "tricks[0].leader"
    client.force_login(make_user("table", event, "scorekeeper"))
    assert post("api-incident-proofs", **tricks).status_code == 403
    assert get("api-incident-proofs-cost", proof).status_code == 403


@pytest.mark.guide("referee#look-at-the-evidence")
def test_it_stands_beside_the_amount_and_is_kept_with_the_ruling(client: Client) -> None:
    event, round_ = event_in_play(deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    enter(sheet, 40)
    incident = Incident.objects.get(pk=incident_at(event, round_).pk)
    proof = proved(incident, asked_tricks(sheet, entry, found, until=found["trick"]))
    client.force_login(make_user("arbitre", event, "referee"))
    address = reverse("referee-prove", args=[event.slug, 1])
    page = client.get(f"{address}?job={proof.pk}")
    assert page.context["cost"].may_ask
    client.post(
        reverse("desk-do", args=[event.slug, "incidents_ask_cost", incident.pk]),
        {"proof_id": str(proof.pk), "seed": "42"},
    )
    job = Job.objects.get(kind=evidence.WORLDS)
    assert "being computed" in client.get(f"{address}?job={proof.pk}").content.decode()
    work_on(str(job.pk))
    page = client.get(f"{address}?job={proof.pk}")
    for shown in (
        "200 deals that fit what was seen, draw code 42",
        "95 %:",
        "For information only",
    ):
        assert shown in page.content.decode()
    leads = page.context["rule_url"].partition("#")[0]
    preview = client.get(f"{leads}&preview=1&f-claimed=in_time")
    text = preview.content.decode()
    assert preview.context["proposal"].penalty in text
    assert "200 deals that fit what was seen, draw code 42" in text
    posted = {
        "article": "000-P1",
        "f-offender": found["seat"],
        "f-trick": str(found["trick"]),
        "f-card": found["card"],
        "f-noticed": "after_deal",
        "f-proved": "yes",
        "f-claimed": "in_time",
        "proof": str(proof.pk),
        "reason": "",
    }
    client.post(reverse("referee-incident", args=[event.slug, 1]), posted)
    kept = Ruling.objects.get().versions.get().context["equity"]
    job.refresh_from_db()
    assert kept == job.result
    for language, words in (
        ("en", "draw code 42"),
        ("fr", "code du tirage 42"),
        ("nl", "lotcode 42"),
    ):
        shown = client.get(
            reverse("referee-ruling", args=[event.slug, 1]), headers={"accept-language": language}
        ).content.decode()
        assert words in shown


def test_a_hand_that_is_known_is_taken_into_account(client: Client) -> None:
    event, round_ = event_in_play(deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    enter(sheet, 40)
    incident_at(event, round_)
    rules = {"rulebook": sheet.rulebook, "options": sheet.options}
    replayed: Any = answer("replay", {**rules, **entry["record"]})
    hand = [card for t in replayed["tricks"] for seat, card in t["plays"] if seat == found["seat"]]
    client.force_login(make_user("arbitre", event, "referee"))
    tricks = asked_tricks(sheet, entry, found, until=found["trick"])["tricks"]
    typed = {
        "trump": entry["record"]["trump"],
        **{key: str(found[key]) for key in ("trick", "seat", "kind")},
        f"h{found['seat']}": " ".join(hand),
    }
    for trick in tricks:
        typed[f"l{trick['n']}"] = trick["leader"]
        typed[f"t{trick['n']}"] = " ".join(trick["plays"])
    asked = client.post(reverse("referee-prove", args=[event.slug, 1]), typed)
    job = Job.objects.get(kind=evidence.PROVE)
    assert job.parameters["asked"]["hands"] == {found["seat"]: hand}
    shown = " ".join(card_name(card, "en") for card in hand)
    assert shown in client.get(asked["Location"]).content.decode()


def test_the_interval_is_that_of_a_mean() -> None:
    """1.96 standard errors: 100 times 0 and 100 times 10 have a spread of 5.0125, 0.6947 in all."""
    statement = mean_equity("NS", 4, [0, 10] * 100, 34)
    assert statement.without_offence == 5
    assert (statement.damage, statement.difference) == (1, 29)
    assert statement.margin == Fraction(70, 100)
    assert mean_equity("NS", 4, [3] * 200, 34).margin == 0
