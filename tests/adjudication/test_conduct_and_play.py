"""Conduct and play penalties do not cancel each other, and the headline states the total effect on a deal.

Q-GEN-9: “faults in the play of that deal (000–004 articles, GEN-…): penalties cancel, deal void and
redealt. A conduct penalty (T-…) is separate: it is added, it never cancels nor is cancelled”.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.models import Ruling
from adjudication.queries.shown import show
from adjudication.services import rulings
from scoring.engine.calls import answer
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    enter,
    event_in_play,
    incident_at,
    sheet_at,
    stating,
)
from tests.tournament.build import make_user
from tournament.models import Event, Round
from tournament.models.tables import Sheet


def rule(event: Event, round_: Round, article: str, facts: dict[str, Any], deal: int = 1) -> Ruling:
    """Rule as the referee at the first table."""
    return stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=deal).pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        reason="as seen",
    )


def marks(sheet: Sheet, number: int = 1) -> dict[str, int]:
    """Return the marks that each side writes for the deal."""
    found: dict[str, int] = sheet.deals.get(series="official", number=number, current=True).marks
    return found


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Round, Sheet]:
    """Enter two deals of six; West has a warning for a gesture in the second."""
    event, round_ = event_in_play(deals=6)
    sheet = enter(sheet_at(round_), 40, 40)
    rule(event, round_, "T-COMM", {"offender": "W"}, deal=2)
    return event, round_, sheet


@pytest.fixture
def hall(built: tuple[Event, Round, Sheet], db: None) -> tuple[Event, Round, Sheet]:
    return copy.deepcopy(built)


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_a_gesture_does_not_wipe_out_a_revoke(hall: tuple[Event, Round, Sheet]) -> None:
    """N-S revoked (000-P1: 34 to E-W); West's second gesture (T-COMM: 34 to N-S) is added."""
    event, round_, sheet = hall
    rule(event, round_, "000-P1", REVOKE)
    second = rule(event, round_, "T-COMM", {"offender": "W"})
    assert second.measure == "penalty"
    assert marks(sheet) == {"NS": 34, "EW": 34}
    sheet.refresh_from_db()
    assert sheet.score["deals"] == 2, "the deal counts: it is not dealt again"
    rulings.annul(ruling_id=second.pk, actor=REFEREE, reason="not so")
    assert marks(sheet) == {"NS": 0, "EW": 34}


def test_two_revokes_cancel_and_the_gesture_is_still_added(
    hall: tuple[Event, Round, Sheet],
) -> None:
    event, round_, sheet = hall
    rule(event, round_, "000-P1", REVOKE)
    rule(event, round_, "T-COMM", {"offender": "W"})
    rule(event, round_, "000-P2", {**REVOKE, "offender": "E"})
    assert marks(sheet) == {"NS": 0, "EW": 0}
    sheet.refresh_from_db()
    assert sheet.score["deals"] == 1, "void and dealt again"
    added = {
        row.entrant_id: (row.marks, row.penalties)
        for row in event.adjustments.filter(annulled_at=None)
    }
    assert added == {
        sheet.seats["N"]: (34, 0),
        sheet.seats["S"]: (34, 0),
        sheet.seats["E"]: (0, 1),
        sheet.seats["W"]: (0, 1),
    }


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_conduct_and_play_of_one_side_are_both_paid(hall: tuple[Event, Round, Sheet]) -> None:
    event, round_, sheet = hall
    rule(event, round_, "000-P1", {**REVOKE, "offender": "E"})
    rule(event, round_, "T-COMM", {"offender": "W"})
    assert marks(sheet) == {"NS": 68, "EW": 0}


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_the_headline_is_what_the_rulings_come_to_together(
    hall: tuple[Event, Round, Sheet], client: Client
) -> None:
    event, round_, _sheet = hall
    first = rule(event, round_, "000-P1", REVOKE)
    assert "E-W +34" in show(first).penalty
    client.force_login(make_user("arbitre", event, "referee"))
    incident = incident_at(event, round_)
    asked = {"article": "000-P2", "preview": "1", "f-offender": "E", "f-noticed": "after_deal"}
    page = client.get(reverse("referee-incident", args=[event.slug, incident.number]), asked)
    result = page.content.decode().split('class="spoken__result">')[1].split("</p>")[0]
    assert "+34" not in result
    assert "the deal is void and dealt again by the same dealer" in result
    second = rule(event, round_, "000-P2", {**REVOKE, "offender": "E"})
    for ruling in (first, second):
        headline = show(Ruling.objects.get(pk=ruling.pk)).penalty
        assert "+34" not in headline
        assert "the deal is void and dealt again by the same dealer" in headline
    rulings.annul(ruling_id=second.pk, actor=REFEREE, reason="not so")
    assert "E-W +34" in show(Ruling.objects.get(pk=first.pk)).penalty


def score(*infractions: dict[str, Any]) -> dict[str, Any]:
    """Score a deal of the base rules, 42–26, with these infractions."""
    given = {
        "rulebook": "parlee",
        "options": {"penalty_mode": "CREDIT_OPPONENTS"},
        "dealer": "N",
        "contract": {"declarer": "NS", "trump": "H"},
        "points": {"NS": 42},
        "infractions": list(infractions),
    }
    return answer("score", given)


@pytest.mark.guide("engine#score")
def test_the_engine_adds_conduct_and_cancels_only_play() -> None:
    revoke = {"article": "000-P1", "side": "NS"}
    gesture = {"article": "T-COMM", "side": "EW", "repeated": True}
    assert score(revoke, gesture)["marks"] == {"NS": 34, "EW": 34}
    assert score(gesture)["marks"] == {"NS": 8 + 34, "EW": 0}
    both = score(revoke, {"article": "000-P3", "side": "EW"})
    assert (both["marks"], both["void"]) == ({"NS": 0, "EW": 0}, True)
