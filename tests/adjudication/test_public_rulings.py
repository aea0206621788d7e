"""The public list of rulings: article, penalty, reason and state, in the reader's language, without names."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from adjudication.services import rulings
from tests.adjudication.build import (
    REFEREE,
    SECOND,
    SYSTEM,
    enter,
    event_in_play,
    incident_at,
    rounds_only,
    sheet_at,
    stating,
)
from tournament.models import Person
from tournament.services import sheets

pytestmark = pytest.mark.django_db
REVOKE = {"offender": "N", "trick": 3, "noticed": "after_deal"}
PENALTY = re.compile(r'<p class="ruling__penalty">([^<]*)</p>')


@pytest.mark.guide("players#read-your-page")
def test_everybody_reads_every_ruling_newest_first(client: Client) -> None:
    event, round_ = event_in_play(deals=4, publish_play="at_once")
    path = f"/e/{event.slug}/rulings/"
    assert "No ruling yet" in client.get(path, headers={"accept-language": "en"}).content.decode()
    made = []
    for table in (1, 2):
        enter(sheet_at(round_, table), 40)
        incident = incident_at(event, round_, table=table)
        made.append(
            stating(
                rulings.issue,
                incident_id=incident.pk,
                article="000-P1",
                facts=REVOKE,
                actor=REFEREE,
                reason=f"Seen at table {table}.",
            )
        )
    page = client.get(path, headers={"accept-language": "en"}).content.decode()
    assert page.index("Seen at table 2.") < page.index("Seen at table 1.")
    assert page.count("000-P1") == 2
    assert [name for name in Person.objects.values_list("name", flat=True) if name in page] == []
    rulings.annul(ruling_id=made[1].pk, actor=REFEREE, reason="not proved")
    assert "ruling--annulled" in client.get(path).content.decode()


@pytest.mark.parametrize(("language", "between"), [("fr", "\u00a0; "), ("nl", "; "), ("en", "; ")])
def test_a_penalty_of_several_parts_is_written_as_its_language_does(
    client: Client, language: str, between: str
) -> None:
    event, round_ = event_in_play(deals=4, publish_play="at_once")
    enter(sheet_at(round_), 40)
    stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="000-P1",
        facts=REVOKE,
        actor=REFEREE,
    )
    page = client.get(f"/e/{event.slug}/rulings/", headers={"accept-language": language})
    (penalty,) = PENALTY.findall(page.content.decode())
    assert len(re.findall(r"\s?; ", penalty)) >= 1
    assert set(re.findall(r"\s?; ", penalty)) == {between}


@pytest.mark.guide("referee#issue-the-ruling")
def test_a_list_for_everybody_does_not_tell_who_revoked_in_an_auction(client: Client) -> None:
    """Each plays alone: the player who pays the others is the offender, whom nobody reads before it is final."""
    event, round_ = event_in_play(
        "auction-1",
        players=8,
        plan=rounds_only(6),
        options={"players": 4, "stakes": [50, 40, 30, 20, 10]},
    )
    sheet = sheet_at(round_)
    seats = sorted(sheet.seats)
    declarer = seats[(seats.index(sheet.first_dealer) + 2) % len(seats)]
    entry = {
        "contract": {"declarer": declarer, "trump": "H", "exchanged": 1},
        "points": {declarer: 40},
    }
    sheets.enter_deal(
        sheet_id=sheet.pk, entry={"dealer": sheet.first_dealer, **entry}, actor=SYSTEM
    )
    ruling = stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="BE-P1",
        facts={"offender": "3", "noticed": "after_deal"},
        actor=REFEREE,
        reason="seen",
        claimed="in_time",
    )
    path = f"/e/{event.slug}/rulings/"
    assert PENALTY.findall(client.get(path).content.decode()) == []
    number = event.entrants.get(pk=ruling.offender_id).number
    own = client.get(f"/e/{event.slug}/players/{number}/").content.decode()
    assert "BE-P1" not in own
    assert len(PENALTY.findall(own)) == 1, "their own page shows what it changed"
    rulings.finalise(ruling_id=ruling.pk, actor=SECOND)
    (penalty,) = PENALTY.findall(client.get(path).content.decode())
    assert re.findall(r"(\d) ?: [+−]", penalty) == ["1", "4"], "by number"
