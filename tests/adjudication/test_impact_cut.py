"""Qualification in the preview of a ruling, computed by the stage's own cut."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.queries.impact import impact_of
from adjudication.services import rulings
from tests.adjudication.build import rounds_only, stating
from tests.tournament.build import SYSTEM, varied
from tournament.models import Event, Stage
from tournament.services import rounds, stages
from tournament.services.events import championship_plan

from .build import REFEREE, REVOKE, enter, event_in_play, incident_at, sheet_at, sign

pytestmark = pytest.mark.django_db
CUTS: list[dict[str, Any]] = [
    {"top": 4, "tie": "all_in"},
    {"winners": True},
    {"per_table": 2, "tie": "lots"},
    {"top": 6, "winners": True},
    {"top": 2, "winners": True, "fill": "beside"},
]


def qualified(event: Event) -> set[int]:
    stage = Stage.objects.select_related("event").get(event=event, order=1)
    return {item["number"] for item in stages.qualifiers(stage)}


@pytest.mark.guide("referee#check-the-consequences")
@pytest.mark.parametrize(
    "cut",
    [pytest.param(cut, marks=pytest.mark.long) for cut in CUTS[:3]] + CUTS[3:],
    ids=str,
)
def test_the_preview_says_who_the_cut_will_take(cut: dict[str, Any]) -> None:
    first, *rest = championship_plan(deals=1, cut=8)
    plan = [varied(first, cut=cut, rounds_planned=1), *rest]
    event, round_ = event_in_play(players=16, plan=plan)
    for table in range(1, 5):
        for game in (1, 2, 3):
            # N-S of table 1 lead narrowly, so a ruling reverses the game.
            points = 36 if table == 1 else 30 + 3 * table + game
            sign(enter(sheet_at(round_, table, game), points))
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    event.refresh_from_db()
    incident = incident_at(event, round_)
    before = qualified(event)

    def act() -> Any:
        return stating(
            rulings.issue,
            incident_id=incident.pk,
            article="000-P1",
            facts=REVOKE,
            actor=REFEREE,
            claimed="in_time",
        )

    told = impact_of(incident, act)
    assert qualified(event) == before
    act()
    after = qualified(event)
    assert before != after
    gains = {each.entrant.number for each in told.qualifiers if each.gains_cut}
    loses = {each.entrant.number for each in told.qualifiers if each.loses_cut}
    assert (gains, loses) == (after - before, before - after)


def test_a_stage_without_a_cut_has_no_qualifiers() -> None:
    event, round_ = event_in_play(players=8, plan=rounds_only(deals=1))
    sheet = enter(sheet_at(round_), 36)
    sign(sheet)
    incident = incident_at(event, round_)
    told = impact_of(
        incident,
        lambda: stating(
            rulings.issue,
            incident_id=incident.pk,
            article="000-P1",
            facts=REVOKE,
            actor=REFEREE,
            claimed="in_time",
        ),
    )
    assert told.moved
    assert told.qualifiers == []
