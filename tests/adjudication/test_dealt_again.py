"""A misdeal ruled in time on a sheet that is signed meanwhile: the deal is played again.

Rules specification C.8, “Result after a misdeal or annulled deal”: “While the round is open a
signed sheet reopens for exactly that deal, the table and the hall are told. Where it cannot be
played any more the deal is out and the marks decide; a side that leads has won, never a draw by
arithmetic of deals left.”
"""

from __future__ import annotations

import itertools
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from adjudication.models import Ruling
from adjudication.queries.impact import impact_of
from adjudication.services import rulings
from ledger.actors import Actor
from ledger.errors import Conflict
from operations.replay import replay
from tests.adjudication.build import (
    REFEREE,
    SYSTEM,
    enter,
    event_in_play,
    incident_at,
    points_entry,
    sheet_at,
    sign,
    stating,
)
from tests.tournament.build import make_user, varied
from tournament.models import Event, Round
from tournament.models.tables import Sheet
from tournament.services import sheets, signatures
from tournament.services.events import championship_plan
from tournament.services.rounds import close_round
from tournament.tables.links import table_token
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db


def signed_sheet(*points: int, deals: int = 2) -> tuple[Event, Round, Sheet]:
    """Create a game of the base rules by deals, signed by both sides."""
    event, round_ = event_in_play(deals=deals)
    return event, round_, sign(enter(sheet_at(round_), *points))


@pytest.mark.guide("referee#after-the-ruling")
def test_who_deals_again_is_named_as_each_language_names_the_seats() -> None:
    event, round_, sheet = signed_sheet(40, 40)
    ruling = misdeal(event, round_, sheet)
    dealer = ScoreSheet(sheet).current()[0].entry["dealer"]
    seat = {
        "N": ("Nord", "Noord"),
        "E": ("Est", "Oost"),
        "S": ("Sud", "Zuid"),
        "W": ("Ouest", "West"),
    }[dealer]
    said = [
        reason["text"]
        for reason in ruling.versions.get().proposal["rationale"]
        if reason["text"]["en"] == f"{dealer} deals again."
    ]
    assert [(each["fr"], each["nl"]) for each in said] == [
        (f"{seat[0]} redonne.", f"{seat[1]} deelt opnieuw.")
    ]


def misdeal(event: Event, round_: Round, sheet: Sheet, deal: int = 1) -> Ruling:
    """Rule by T-MISD, called before the signatures: a redeal by the same dealer."""
    dealer = ScoreSheet(sheet).current()[deal - 1].entry["dealer"]
    ruling = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=deal).pk,
        article="T-MISD",
        against_record=["result"],
        actor=REFEREE,
        facts={"dealer": dealer, "deliberate": False},
        claimed="in_time",
        reason="nine cards",
    )
    sheet.refresh_from_db()
    return ruling


def marks(sheet: Sheet) -> dict[str, int]:
    """Return the marks of the match so far."""
    found: dict[str, int] = sheet.score["marks"]
    return found


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_the_sheet_reopens_for_exactly_that_deal() -> None:
    event, round_, sheet = signed_sheet(48, 48)
    first_dealer = ScoreSheet(sheet).current()[0].entry["dealer"]
    misdeal(event, round_, sheet)
    assert (sheet.state, sheet.finished, marks(sheet)) == ("open", False, {"NS": 14, "EW": 0})
    assert not sheet.results.filter(current=True).exists(), "no result counts meanwhile"
    assert sheet.results.get().result["marks"] == {"NS": 28, "EW": 0}, "the former stays readable"
    assert ScoreSheet(sheet).next_dealer() == first_dealer
    with pytest.raises(Conflict) as refused:
        sheets.correct_deal(
            sheet_id=sheet.pk,
            number=2,
            entry=points_entry(sheet, 60),
            actor=Actor.device(uuid.uuid4()),
            reason="?",
        )
    assert refused.value.code == "deal_signed"
    sheet = enter(sheet, 40)
    assert (sheet.finished, marks(sheet)) == (True, {"NS": 20, "EW": 0})
    sheet = sign(sheet)
    result = sheet.results.get(current=True)
    assert (result.number, result.result["marks"], result.result["winner"]) == (
        2,
        {"NS": 20, "EW": 0},
        "NS",
    )


@pytest.mark.guide("scorekeeper#correct-a-deal")
def test_the_other_deals_of_a_reopened_sheet_are_read_and_not_corrected(client: Client) -> None:
    event, round_, sheet = signed_sheet(48, 48)
    address = reverse("table", args=[table_token(sheet.table)])
    misdeal(event, round_, sheet)
    client.post(address, {"verb": "take"})
    other = client.get(f"{address}1/2/", headers={"accept-language": "en"}).content.decode()
    assert "What was recorded" in other
    assert "This deal is signed. Only a referee or the director can change it now." in other
    assert "Correct this deal" not in other
    enter(sheet, 40)
    again = client.get(f"{address}1/3/", headers={"accept-language": "en"}).content.decode()
    assert "Correct this deal" in again


def test_sheet_page_and_api_name_the_same_dealer_of_a_deal_given_back(client: Client) -> None:
    """A misdeal of an earlier deal is ruled while the game goes on: its dealer deals next."""
    event, round_ = event_in_play(deals=12)
    sheet = enter(sheet_at(round_), 40, 41, 42)
    misdeal(event, round_, sheet, deal=2)
    token = table_token(sheet.table)
    client.post(reverse("table", args=[token]), {"verb": "take"})
    page = client.get(reverse("table", args=[token]), headers={"accept-language": "en"})
    assert page.context["dealers"] == ["E", "W"]
    assert "Deal 2 is annulled by a ruling and played again." in page.content.decode()
    assert "Then both sides sign again." not in page.content.decode(), "nobody has signed"
    client.force_login(make_user("director", event, Role.DIRECTOR))
    told = client.get(f"/api/v1/sheets/{sheet.pk}/").json()
    assert (told["next_dealer"], told["to_replay"]) == ("E", [2])
    sheet = enter(sheet, 43)
    assert ScoreSheet(sheet).current()[3].entry["dealer"] == "E"
    assert (ScoreSheet(sheet).next_dealer(), ScoreSheet(sheet).to_deal_again()) == ("W", [])


def test_the_order_of_dealers_goes_on_after_the_deal_played_again() -> None:
    """A game to a target that is not reached without the deal continues by its rules."""
    plan = varied(championship_plan(cut=4)[0], deals_per_game=None, target=40, cut={})
    event, round_ = event_in_play(plan=[plan])
    sheet = sheet_at(round_)
    sheet = sign(enter(sheet, 50, 50, 50))
    order = [deal.entry["dealer"] for deal in ScoreSheet(sheet).current()]
    misdeal(event, round_, sheet)
    sheet = enter(sheet, 34 + 1)
    assert ScoreSheet(sheet).current()[3].entry["dealer"] == order[0]
    assert not sheet.finished
    expected = ScoreSheet(sheet).game.next_player(order[2])
    assert ScoreSheet(sheet).next_dealer() == expected


def test_a_game_ended_by_the_bell_is_over_again_with_the_deal_played_again() -> None:
    event, round_ = event_in_play(deals=12)
    sheet = enter(sheet_at(round_), 44, 40, 38)
    sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM)
    sheet.refresh_from_db()
    sheet = sign(sheet)
    ruling = misdeal(event, round_, sheet, deal=2)
    assert (sheet.state, sheet.finished) == ("open", False)
    with pytest.raises(Conflict) as refused:
        sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM)
    assert refused.value.code == "deal_to_replay"
    sheet = sign(enter(sheet, 54))
    assert sheet.results.get(current=True).result["marks"] == {"NS": 34, "EW": 0}
    rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="not so")
    sheet.refresh_from_db()
    assert sheet.results.get(current=True).result["marks"] == {"NS": 20, "EW": 0}


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_a_ruling_annulled_before_the_deal_is_played_gives_the_result_back() -> None:
    event, round_, sheet = signed_sheet(48, 48)
    signed = sheet.results.get(current=True).result
    ruling = misdeal(event, round_, sheet)
    rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="the cards were right")
    sheet.refresh_from_db()
    assert (sheet.state, sheet.results.get(current=True).result) == ("official", signed)


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_once_the_round_is_closed_the_deal_is_out_and_who_leads_has_won() -> None:
    event, round_ = event_in_play(deals=2)
    for table, game in itertools.product((1, 2), (1, 2, 3)):
        sign(enter(sheet_at(round_, table, game), 48, 48))
    incident = incident_at(event, round_)
    close_round(round_id=round_.pk, actor=SYSTEM)
    sheet = sheet_at(round_)
    stating(
        rulings.issue,
        incident_id=incident.pk,
        article="T-MISD",
        against_record=["result"],
        actor=REFEREE,
        claimed="in_time",
        facts={"dealer": sheet.first_dealer, "deliberate": False},
        reason="nine cards",
    )
    sheet.refresh_from_db()
    result = sheet.results.get(current=True).result
    assert (sheet.state, result["marks"]) == ("official", {"NS": 14, "EW": 0})
    assert result["winner"] == "NS", "not a draw because one deal is left"


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_no_time_to_play_it_the_director_confirms_and_who_leads_has_won() -> None:
    event, round_, sheet = signed_sheet(48, 48)
    misdeal(event, round_, sheet)
    signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM, reason="no time")
    assert sheet.results.get(current=True).result["winner"] == "NS"


@pytest.mark.guide("scorekeeper#correct-a-deal")
def test_the_table_and_the_hall_are_told_and_the_phone_enters_it(client: Client) -> None:
    event, round_, sheet = signed_sheet(48, 48)
    page = reverse("table", args=[table_token(sheet.table)])
    player = f"/e/{event.slug}/players/{event.entrants.get(pk=sheet.seats['N']).number}/"
    assert "28–0" in client.get(player).content.decode()
    misdeal(event, round_, sheet)
    told = client.get(page).content.decode()
    assert "Deal 1 is annulled by a ruling and played again." in told
    assert re.search(r'data-deal-form\s+data-number="3"', told)
    hall = client.get(player).content.decode()
    assert "result withdrawn until the table signs again" in hall
    assert "28–0" not in hall
    answer = client.post(
        f"{page}?game=1",
        {
            "verb": "deal",
            "number": "3",
            "version": str(sheet.version),
            "key": uuid.uuid4().hex,
            "trump": "H",
            "turn_up": "-",
            "side": "NS",
            "points": "40",
        },
    )
    assert answer.status_code == 302, answer.content.decode()[:2000]
    sheet.refresh_from_db()
    assert (sheet.finished, marks(sheet)) == (True, {"NS": 20, "EW": 0})


def test_the_deal_is_entered_from_paper(client: Client) -> None:
    event, round_, sheet = signed_sheet(48, 48)
    misdeal(event, round_, sheet)
    client.force_login(make_user("director", event, "director"))
    posted: dict[str, Any] = {
        "g1-version": str(sheet.version),
        "reason": "slip of table 1",
        "g1-d1-trump": "H",
        "g1-d1-turn_up": "-",
        "g1-d1-side": "NS",
        "g1-d1-points": "40",
    }
    answer = client.post(reverse("staff-paper", args=[sheet.pk]), posted)
    assert answer.status_code == 302, answer.content.decode()[:2000]
    assert sheet.results.get(current=True).result["marks"] == {"NS": 20, "EW": 0}


def test_the_preview_says_that_the_sheet_reopens_and_changes_nothing() -> None:
    event, round_, sheet = signed_sheet(48, 48)
    incident = incident_at(event, round_)
    facts = {"dealer": sheet.first_dealer, "deliberate": False}
    impact = impact_of(
        incident,
        lambda: stating(
            rulings.issue,
            incident_id=incident.pk,
            article="T-MISD",
            against_record=["result"],
            facts=facts,
            actor=REFEREE,
            reason="so",
            claimed="in_time",
        ),
    )
    sheet.refresh_from_db()
    assert (impact.before.official, impact.after.official, sheet.state) == (True, False, "official")


@pytest.mark.django_db(transaction=True)
def test_the_record_replays_to_the_same_bytes() -> None:
    event, round_, sheet = signed_sheet(48, 48)
    misdeal(event, round_, sheet)
    assert replay(event).differences == []
    sign(enter(sheet, 40))
    found = replay(event)
    assert found.differences == []
    assert found.compared["result"] == 1


def test_a_ruling_on_a_signed_sheet_does_not_ask_for_signatures(client: Client) -> None:
    event, round_, sheet = signed_sheet(40, 40)
    stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="000-P1",
        actor=REFEREE,
        facts={"offender": "N", "noticed": "after_deal"},
        claimed="in_time",
    )
    sheet.refresh_from_db()
    assert sheet.state == "official"
    address = reverse("table", args=[table_token(sheet.table)])
    page = client.get(address + "?game=1", headers={"accept-language": "fr"}).content.decode()
    assert "Le résultat est officiel" in page
    assert "pas encore signée" not in page
