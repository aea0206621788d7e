"""Questions before a ruling: facts that contradict the sheet (rules C.8), proof, the reason for a closed round."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.models import Incident, Ruling
from adjudication.queries.shown import show
from adjudication.services import confirmations, incidents, rulings
from ledger.errors import Refused
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    SECOND,
    SYSTEM,
    enter,
    event_in_play,
    incident_at,
    revoked_deal,
    ruled_revoke,
    sheet_at,
    sign,
    stating,
)
from tests.tournament.build import chance, make_user
from tests.tournament.desk import agree
from tournament.demo.simulation import play_round
from tournament.models import Event, Round
from tournament.models.tables import OfficialResult, RefereeCall, Sheet
from tournament.services import rounds, sheets, standings, tables
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db

Hall = tuple[Event, Round, Sheet]


@pytest.fixture(scope="module")
def built(module_database: None) -> Hall:
    event, round_ = event_in_play("boussac", deals=4)
    sheet = sheet_at(round_)
    sheets.enter_deal(
        sheet_id=sheet.pk,
        entry={
            "dealer": sheet.first_dealer,
            "turn_up": "KH",
            "contract": {"trump": "H"},
            "points": {"NS": 40},
        },
        actor=SYSTEM,
    )
    sheet.refresh_from_db()
    return event, round_, sheet


@pytest.fixture
def hall(built: Hall) -> Hall:
    return copy.deepcopy(built)


def misdeal(dealer: str, **more: Any) -> dict[str, Any]:
    return {
        "dealer": dealer,
        "peeked": False,
        "turned_up": True,
        "ill_served": "W",
        "ill_served_played": True,
        **more,
    }


def other_than(seat: str) -> str:
    return "E" if seat in "NS" else "N"


@pytest.mark.guide("referee#state-the-facts")
def test_another_dealer_than_the_sheets_is_asked_about(hall: Hall) -> None:
    """A wrong dealer would give the 34 to the wrong side."""
    event, round_, sheet = hall
    incident = incident_at(event, round_)
    asked: dict[str, Any] = {
        "incident_id": incident.pk,
        "article": "001-R8",
        "facts": misdeal(other_than(sheet.first_dealer), ill_served_played=True),
        "actor": REFEREE,
    }
    with pytest.raises(Refused, match="another player dealt") as refused:
        stating(rulings.issue, **asked)
    assert (refused.value.code, refused.value.field) == ("against_record", "dealer")
    made = stating(rulings.issue, **asked, against_record=["dealer"])
    assert made.versions.get().context["against_record"] == ["dealer"]


def test_what_only_the_dealer_can_do_is_asked_about_of_another(hall: Hall) -> None:
    """C.8 GEN-UP: only the dealer takes the turn-up, and the sheet records the dealer."""
    event, round_, sheet = hall
    asked: dict[str, Any] = {
        "incident_id": incident_at(event, round_).pk,
        "article": "GEN-UP",
        "facts": {"offender": other_than(sheet.first_dealer)},
        "actor": REFEREE,
    }
    with pytest.raises(Refused, match="another player dealt") as refused:
        stating(rulings.issue, **asked)
    assert refused.value.field == "offender"
    stating(rulings.issue, **{**asked, "facts": {"offender": sheet.first_dealer}})


@pytest.mark.guide("referee#state-the-facts")
def test_before_the_turn_up_with_a_turn_up_written_is_asked_about(hall: Hall) -> None:
    event, round_, sheet = hall
    with pytest.raises(Refused, match="turn-up") as refused:
        stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="001-R6a",
            facts=misdeal(sheet.first_dealer, turned_up=False),
            actor=REFEREE,
        )
    assert refused.value.field == "turned_up"


@pytest.mark.guide("referee#state-the-facts")
def test_a_misdeal_noticed_in_time_in_a_whole_deal_is_asked_about(hall: Hall) -> None:
    event, round_, sheet = hall
    for article, facts in (
        ("001-R8", misdeal(sheet.first_dealer, ill_served_played=False)),
        ("T-MISD", {"dealer": sheet.first_dealer, "deliberate": False}),
        ("001-R1", {"dealer": sheet.first_dealer}),
    ):
        with pytest.raises(Refused, match="full result"):
            stating(
                rulings.issue,
                incident_id=incident_at(event, round_).pk,
                article=article,
                facts=facts,
                actor=REFEREE,
            )


def test_a_no_show_who_signed_games_is_asked_about(hall: Hall) -> None:
    event, round_, sheet = hall
    asked: dict[str, Any] = {
        "incident_id": incident_at(event, round_, deal=None).pk,
        "article": "T-ABS",
        "facts": {"offender": "N", "what": "no_show"},
        "actor": REFEREE,
    }
    sign(enter(sheet, *[40] * 3))
    with pytest.raises(Refused, match="They have 1 signed game") as refused:
        stating(rulings.issue, **asked)
    assert (refused.value.code, refused.value.field) == ("against_record", "what")
    assert stating(rulings.issue, **asked, against_record=["what"]).measure == "round_forfeited"


def test_a_call_that_the_clock_puts_later_keeps_both(hall: Hall) -> None:
    event, round_, sheet = hall
    sign(enter(sheet, *[40] * 3))
    revoke = {"offender": "N", "noticed": "after_deal"}
    asked = {"article": "001-R9a", "facts": revoke, "actor": REFEREE, "reason": "They called me."}
    made = stating(
        rulings.issue, incident_id=incident_at(event, round_).pk, claimed="in_time", **asked
    )
    told = dict(show(made, whole=True).facts)
    assert told["Referee called"] == (
        "in time, as the referee found; by the clock after both sides had signed"
    )
    kept = made.versions.get()
    assert (kept.context["clock"], kept.made_by, kept.reason) == (
        "after_signatures",
        str(REFEREE),
        "They called me.",
    )


def test_a_misdeal_by_another_dealer_is_asked_about_too(hall: Hall) -> None:
    event, round_, sheet = hall
    with pytest.raises(Refused, match="another player dealt"):
        stating(
            rulings.issue,
            incident_id=incident_at(event, round_).pk,
            article="T-MISD",
            facts={"dealer": other_than(sheet.first_dealer), "deliberate": False},
            actor=REFEREE,
        )


@pytest.mark.guide("referee#state-the-facts")
def test_the_page_asks_which_is_right_and_takes_either(client: Client, hall: Hall) -> None:
    event, round_, sheet = hall
    incident_at(event, round_)
    client.force_login(make_user("arbitre", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, 1])
    stated = {
        f"f-{name}": {True: "yes", False: "no"}.get(value, value)
        for name, value in misdeal(other_than(sheet.first_dealer)).items()
    }
    shown = client.get(address, {"article": "001-R7", **stated, "preview": "1"})
    assert "which is right?" in shown.content.decode()
    (doubt,) = shown.context["proposal"].doubts
    assert 'value="issue"' not in shown.content.decode()
    settled = client.get(address + doubt.sheet_url.partition("#")[0])
    assert settled.context["proposal"].doubts == []
    assert settled.context["form"]["dealer"].value() == sheet.first_dealer
    held = client.get(address + doubt.stated_url.partition("#")[0])
    assert held.context["proposal"].doubts == []
    assert 'name="against" value="dealer"' in held.content.decode()


@pytest.mark.guide("referee#issue-the-ruling", "referee#what-to-keep-in-mind")
def test_the_same_offence_of_one_player_on_one_deal_is_asked_about() -> None:
    """Two referees, or one referee twice, would count one revoke as two."""
    event, round_ = event_in_play()
    enter(sheet_at(round_), 40)
    first = ruled_revoke(event, round_)
    asked: dict[str, Any] = {
        "incident_id": incident_at(event, round_).pk,
        "article": "000-P1",
        "facts": {**REVOKE, "trick": 4},
        "actor": SECOND,
        "reason": "seen",
        "against_record": [],
    }
    with pytest.raises(Refused, match=f"Ruling {first.number} has already decided") as refused:
        stating(rulings.issue, **asked)
    assert (refused.value.code, refused.value.field) == ("against_record", "again")
    # Another player's revoke needs no question; a second one of the same player is confirmed.
    stating(rulings.issue, **{**asked, "facts": {**REVOKE, "offender": "E"}})
    asked["incident_id"] = incident_at(event, round_).pk
    second = stating(rulings.issue, **{**asked, "against_record": ["again"]})
    assert second.in_force
    # Amending it compares it with the first, not with itself; the first annulled, nothing is asked.
    rulings.annul(ruling_id=first.pk, actor=REFEREE, reason="seen wrong")
    amended = {key: value for key, value in asked.items() if key != "incident_id"}
    stating(rulings.amend, ruling_id=second.pk, **amended)


def test_an_illegal_card_without_proof_asks_why() -> None:
    event, round_ = event_in_play(deals=4)
    enter(sheet_at(round_), 40)
    asked: dict[str, Any] = {
        "incident_id": incident_at(event, round_).pk,
        "article": "000-P1",
        "facts": REVOKE,
        "actor": REFEREE,
    }
    with pytest.raises(Refused, match="No record proves this card"):
        stating(confirmations.rule, **asked)
    assert stating(confirmations.rule, **asked, reason="East showed the heart.") is not None


def test_what_the_record_proves_is_kept_with_the_ruling(client: Client) -> None:
    event, round_ = event_in_play(deals=4)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    facts = {"offender": found["seat"], "trick": found["trick"], "noticed": "after_deal"}
    made = stating(
        confirmations.rule,
        incident_id=incident_at(event, round_).pk,
        article="000-P1",
        facts=facts,
        actor=REFEREE,
    )
    proof = rulings.ruling_by_number(event, made.number).versions.get().context["proof"]
    assert proof == {"by": "record", **found["provable"]}
    client.force_login(make_user("arbitre", event, "referee"))
    page = client.get(reverse("referee-ruling", args=[event.slug, made.number])).content.decode()
    assert "Proof" in page


@pytest.mark.guide("referee#issue-the-ruling")
def test_a_ruling_on_a_closed_round_needs_its_reason() -> None:
    event, round_ = event_in_play(deals=4)
    incident = incident_at(event, round_, deal=None)
    play_round(round_, chance())
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    asked: dict[str, Any] = {
        "incident_id": incident.pk,
        "article": "T-PHONE",
        "facts": {"offender": "N"},
        "actor": REFEREE,
    }
    with pytest.raises(Refused, match="The round is closed"):
        stating(confirmations.rule, **asked)
    stating(confirmations.rule, **asked, reason="It rang in the last deal.")


@pytest.mark.guide("referee#close-an-incident-without-a-ruling")
def test_two_incidents_of_a_table_are_joined_and_the_call_goes_along(hall: Hall) -> None:
    event, round_, sheet = hall
    tables.call_referee(table_id=sheet.table_id, sheet_id=sheet.pk, reason="?", actor=SYSTEM)
    called = incidents.take_call(call_id=RefereeCall.objects.get().pk, actor=REFEREE)
    kept = incident_at(event, round_)
    elsewhere = incident_at(event, round_, table=2)
    with pytest.raises(Refused, match="of one table"):
        incidents.merge(incident_id=called.pk, into=elsewhere.number, actor=REFEREE)
    incidents.merge(incident_id=called.pk, into=kept.number, actor=REFEREE)
    called, kept = (Incident.objects.get(pk=each.pk) for each in (called, kept))
    assert (called.state, called.closed_reason) == ("dismissed", "The same as incident 2.")
    assert kept.call is not None
    assert kept.call.closed_at is None, "somebody still waits for a ruling"


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_annulling_is_looked_at_first(client: Client) -> None:
    event, round_ = event_in_play(deals=2)
    sheet = enter(sheet_at(round_), 40, 30)
    ruling = ruled_revoke(event, round_)
    sheet.refresh_from_db()
    sign(sheet)
    client.force_login(make_user("chef", event, "chief_referee"))
    address = reverse("referee-ruling", args=[event.slug, ruling.number])
    impact = client.get(address, {"preview": "undone"}).context["impact"]
    assert impact.before.deal == {"NS": 0, "EW": 34}
    assert impact.after.deal == {"NS": 6, "EW": 0}
    ruling.refresh_from_db()
    assert ruling.state == "provisional"


@pytest.mark.guide("referee#after-the-ruling")
def test_a_wrong_score_leads_to_the_correction_of_its_deal(client: Client) -> None:
    event, round_ = event_in_play(deals=4)
    sheet = enter(sheet_at(round_), 40)
    incident_at(event, round_)
    client.force_login(make_user("arbitre", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, 1])
    posted = {"article": "GEN-SCORE", "f-when": "round_open", "f-claimed": "in_time"}
    done = client.post(address, {**posted, "preview": "1", "reason": ""})
    assert done.status_code == 302
    page = reverse("staff-sheet", args=[sheet.pk])
    assert done["Location"].startswith(f"{page}?deal=1&why=Ruling")
    assert 'value="Ruling 1"' in client.get(done["Location"].partition("#")[0]).content.decode()


@pytest.mark.guide("referee#after-the-ruling")
@pytest.mark.parametrize(
    ("article", "facts"),
    [
        ("GEN-SCORE", {"f-when": "round_open"}),
        (
            "GEN-CLAIM",
            {"f-offender": "N", "f-opponents_can_win": "yes", "f-opponents_choice": "tricks"},
        ),
    ],
)
def test_a_signed_score_is_corrected_in_one_go_and_names_its_ruling(
    client: Client, article: str, facts: dict[str, str]
) -> None:
    """C.8: "corrected from the cards or the sheet while the round is open"; "tricks … go to the other side"."""
    event, round_ = event_in_play("belgian", deals=1)
    sheet = sign(enter(sheet_at(round_), 40))
    incident_at(event, round_)
    client.force_login(make_user("arbitre", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, 1])
    done = client.post(address, {"article": article, **facts, "f-claimed": "in_time", "reason": ""})
    page = done["Location"].partition("#")[0]
    form = client.get(page).content.decode()
    assert 'value="Ruling 1"' in form
    sheet.refresh_from_db()
    corrected = agree(
        client,
        page.partition("?")[0],
        {
            "verb": "correct",
            "number": "1",
            "version": sheet.version,
            "trump": "H",
            "declarer": "NS",
            "doubling": "0",
            "side": "NS",
            "points": "24",
            "depth": "points",
            "reason": "Ruling 1",
        },
    )
    assert corrected.status_code == 302, corrected.content.decode()[-2000:]
    result = OfficialResult.objects.get(sheet=sheet, current=True)
    assert result.result["marks"] == {"NS": 0, "EW": 6}
    assert ScoreSheet(sheet).current()[0].reason == "Ruling 1"


class TestAWrongScoreOfARoundThatIsOver:
    """C.8, GEN-SCORE: "corrected … while the round is open, afterwards by the director until the
    standings are final"."""

    def over(self) -> tuple[Any, Any, Any]:
        event, round_ = event_in_play("belgian", deals=1)
        for table in round_.tables.all():
            for sheet in table.sheets.all():
                sign(enter(sheet, 40))
        rounds.close_round(round_id=round_.pk, actor=SYSTEM)
        incident_at(event, round_)
        return event, round_, sheet_at(round_)

    def corrected(self, client: Client, sheet: Any) -> Any:
        sheet.refresh_from_db()
        return agree(
            client,
            reverse("staff-sheet", args=[sheet.pk]),
            {
                "verb": "correct",
                "number": "1",
                "version": sheet.version,
                "trump": "H",
                "declarer": "NS",
                "doubling": "0",
                "side": "NS",
                "points": "50",
                "reason": "Ruling 1",
            },
        )

    def rule(self, client: Client, event: Any, when: str = "round_closed") -> Any:
        address = reverse("referee-incident", args=[event.slug, 1])
        posted = {"article": "GEN-SCORE", "f-when": when, "f-claimed": "in_time"}
        return client.post(address, {**posted, "reason": "the cards were counted"})

    def test_the_director_corrects_it_and_a_referee_does_not(self, client: Client) -> None:
        event, _part, sheet = self.over()
        client.force_login(make_user("arbitre", event, "referee"))
        ruled = self.rule(client, event)
        assert ruled["Location"] == reverse("referee-ruling", args=[event.slug, 1])
        told = client.get(ruled["Location"]).content.decode()
        assert "the director corrects the score" in told
        page = client.get(reverse("staff-sheet", args=[sheet.pk]) + "?deal=1").content.decode()
        assert "the director corrects the score" in page
        assert 'value="correct"' not in page
        assert self.corrected(client, sheet).status_code == 403
        client.force_login(make_user("dir", event, "director"))
        page = client.get(reverse("staff-sheet", args=[sheet.pk]) + "?deal=1").content.decode()
        assert 'value="correct"' in page
        assert self.corrected(client, sheet).status_code == 302
        sheet.refresh_from_db()
        result = sheet.results.get(current=True).result
        assert result["marks"] == {"NS": 20, "EW": 0}

    def test_final_standings_stand(self, client: Client) -> None:
        event, round_, sheet = self.over()
        standings.set_state(
            stage_id=round_.stage_id, state="final", actor=SYSTEM, reason="The hall closes."
        )
        client.force_login(make_user("dir", event, "director"))
        assert self.corrected(client, sheet).status_code == 409
        answered = self.rule(client, event, "standings_final")
        assert answered.status_code == 302
        assert Ruling.objects.get().measure == "claim_refused"

    def test_what_the_record_says_otherwise_is_asked(self, client: Client) -> None:
        event, _part, _sheet = self.over()
        client.force_login(make_user("dir", event, "director"))
        asked = self.rule(client, event, "round_open")
        assert asked.status_code == 422
        assert "The record of the event says otherwise" in asked.content.decode()
        assert not Ruling.objects.exists()
