"""The number of a page's database queries does not grow with the field or with the number of rulings."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from adjudication.models import Incident, Ruling
from adjudication.queries.impact import Impact, impact_of
from adjudication.receivers import list_rulings
from adjudication.services import rulings
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    SYSTEM,
    enter,
    event_in_play,
    incident_at,
    rounds_only,
    sheet_at,
    sign,
    stating,
)
from tournament.models import Event, Round
from tournament.queries.standings import recompute
from tournament.services import sheets

pytestmark = pytest.mark.django_db


def counted(act: Any) -> tuple[int, Any]:
    """Return the number of queries that ``act`` sends, and its result."""
    with CaptureQueriesContext(connection) as captured:
        found = act()
    return len(captured), found


def looked_at(players: int) -> tuple[int, Impact]:
    """Preview a ruling in a hall of ``players`` in which every table has a signed game."""
    event, round_ = event_in_play(players=players, deals=2, name=f"Zaal {players}")
    for table in round_.tables.all():
        sign(enter(sheet_at(round_, table.number), 30 + table.number, 40))
    recompute(stage_id=round_.stage_id, force=True)
    incident = Incident.objects.get(pk=incident_at(event, round_).pk)

    def act() -> Ruling:
        return stating(
            rulings.issue,
            incident_id=incident.pk,
            article="000-P1",
            facts=REVOKE,
            actor=REFEREE,
            claimed="in_time",
        )

    impact_of(incident, act)
    return counted(lambda: impact_of(incident, act))


def test_a_look_at_the_impact_asks_as_much_in_a_large_hall_as_in_a_small_one() -> None:
    few, small = looked_at(8)
    many, large = looked_at(24)
    assert few == many
    # Two of them read who sits at the table, for their prospects and forfeited games, one whether a ruling has
    # decided on this offence, six which draws and prizes rest on the result.
    assert many <= 126
    assert small.moved
    assert large.moved


def _rule(event: Event, round_: Round, facts: dict[str, Any], article: str) -> None:
    stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article=article,
        facts=facts,
        actor=REFEREE,
    )


@pytest.mark.parametrize("rulebook", ["parlee", "auction-2"])
def test_the_rulings_on_public_pages_are_read_at_once(rulebook: str) -> None:
    if rulebook == "parlee":
        event, round_ = event_in_play(deals=4)
        enter(sheet_at(round_), 40)
        article, facts = "000-P1", REVOKE
    else:
        event, round_ = event_in_play(
            "auction-2",
            players=8,
            plan=rounds_only(4),
            options={"players": 4},
            publish_play="at_once",
        )
        sheet = sheet_at(round_)
        entry = {
            "dealer": sheet.first_dealer,
            "points": {sheet.first_dealer: 44},
            "contract": {"level": 40, "trump": "H", "declarer": sheet.first_dealer},
        }
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
        article, facts = "BE-P1", {"offender": "1", "noticed": "after_deal"}
    _rule(event, round_, facts, article)
    list_rulings(event.pk, None, None, 20)
    few, one = counted(lambda: list_rulings(event.pk, None, None, 20))
    for _more in range(4):
        _rule(event, round_, facts, article)
    # The first call after these changes fills the cache that all callers share.
    list_rulings(event.pk, None, None, 20)
    many, five = counted(lambda: list_rulings(event.pk, None, None, 20))
    assert (len(one), len(five)) == (1, 5)
    assert few == many
    # One penalty per side: the first ruling carries it, and the others add nothing to the sheet.
    assert five[-1].penalty == one[0].penalty
    assert not any(sign in each.penalty for each in five[:-1] for sign in "+−")
