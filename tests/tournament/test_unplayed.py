"""Entrants who never played are listed apart: without a rank, a place in the cut or prize money."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.documents.reading import whole_text
from tournament import exports
from tournament.demo.simulation import advance, draw_and_publish
from tournament.models import Event
from tournament.queries import papers
from tournament.queries.standings import recompute, standing_of
from tournament.ranking.prizes import Prize, share_prizes
from tournament.services import entrants, stages
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db


def absent_two(rounds: int = 2) -> Event:
    """Enter ten players; numbers 1 and 2 never come, eight play the first round."""
    event = make_event(
        10,
        present=False,
        slug="hall",
        plan=[
            new_stage("Rounds", rounds=rounds, deals_per_game=2, cut={"top": 10, "tie": "lots"}),
            new_stage("Final", format="ko", rounds=1, games_per_round=1, deals_per_game=2),
        ],
    )
    for number in range(3, 11):
        entrants.check_in(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)
    advance(event, chance())
    return event


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_two_who_never_came_stand_above_nobody_and_win_nothing(client: Client) -> None:
    event = absent_two()
    stage = event.stages.get(order=1)
    kept = recompute(stage_id=stage.pk)
    assert [(row["number"], row["rank"]) for row in kept.rows][-2:] == [(1, None), (2, None)]
    assert all(row["rank"] for row in kept.rows[:-2])
    # Ten places in the final: the eight who played.
    assert {item["number"] for item in stages.qualifiers(stage)} == set(range(3, 11))
    paid = share_prizes(standing_of(kept), [Prize(place, 1000) for place in range(1, 11)])
    assert {award.entrant for award in paid.awards} == {str(n) for n in range(3, 11)}
    page = client.get("/e/hall/standings/1/", headers={"accept-language": "fr"}).content.decode()
    assert page.count("n’a pas joué") == 2
    document, _hash, _state = papers.standings(event, {"stage": 1}, "nl", "a4")
    assert whole_text(document).count("niet gespeeld") == 2
    table = exports.as_csv(exports.standings(event, public=True, stage=1)).decode("utf-8-sig")
    rows = {row["number"]: row for row in csv.DictReader(io.StringIO(table))}
    assert (rows["1"]["rank"], rows["1"]["unplayed"]) == ("", "True")
    assert rows["3"]["unplayed"] == "False"


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_they_stand_above_nobody_while_the_first_round_is_in_play() -> None:
    event = make_event(6, present=False, plan=[new_stage("Rounds", rounds=2, deals_per_game=2)])
    for number in range(3, 7):
        entrants.check_in(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)
    stage = event.stages.get()
    assert {row["rank"] for row in recompute(stage_id=stage.pk).rows} == {1}
    first = stage.rounds.get(number=1)
    draw_and_publish(first, SYSTEM)
    rows = recompute(stage_id=stage.pk, force=True).rows
    assert [(row["number"], row["rank"]) for row in rows][-2:] == [(1, None), (2, None)]
    assert all(row["rank"] for row in rows[:-2])


def test_a_player_who_rests_and_may_still_play_keeps_a_rank() -> None:
    event = make_event(9, plan=[new_stage("Rounds", rounds=2, deals_per_game=2)])
    advance(event, chance())
    rows = recompute(stage_id=event.stages.get().pk).rows
    assert all(row["rank"] for row in rows)
    assert sum(row["credited"] == 3 for row in rows) == 1
