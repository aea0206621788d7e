"""A place reached in a bracket is kept after a withdrawal, and no other entrant moves up into it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournament.build import SYSTEM, make_event
from tests.tournament.results import copy_slip
from tests.tournament.test_bracket_places import ranks, settle
from tests.tournament.test_stages import event_of, publish_next
from tournament.models import Draw, Event, Stage, Standings
from tournament.models.tables import Sheet
from tournament.queries import standings
from tournament.queries.brackets import brackets_shown
from tournament.queries.matches import overtaken_matches
from tournament.queries.overall import overall_of
from tournament.queries.standings import rows_json
from tournament.ranking.canonical import state_hash
from tournament.ranking.prizes import Prize, share_prizes
from tournament.services import entrants, sheets, stages
from tournament.services.events import new_stage
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db


def leave(event: Event, number: int) -> None:
    entrants.withdraw(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)


def to_the_final(pairs: int = 8, **drawing: object) -> tuple[Event, Draw]:
    """Play a knock-out, the lower number winning, up to its published final."""
    event = event_of(pairs, "ko", rounds=1, drawing={"seeds": pairs, **drawing})
    while True:
        drawn = publish_next(event)
        if not event.stages.get().rounds.filter(published_at__isnull=True).exists():
            return event, drawn
        settle(drawn, wins=int, margin=lambda number: number)


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_a_finalist_who_withdraws_is_second_and_the_semi_finalists_third() -> None:
    event, _final = to_the_final()
    leave(event, 2)
    found = ranks(event)
    assert (found[1], found[2], found[3], found[4]) == (1, 2, 3, 3)
    rows = standings.fresh(event.stages.get()).rows
    (row,) = [row for row in rows if row["number"] == 2]
    assert row["values"][0] == [0, 2, 2]


def test_the_page_of_a_knock_out_says_that_a_place_reached_stands(client: Client) -> None:
    event, _final = to_the_final(4)
    page = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": "fr"})
    assert "reste acquise, même en cas d’abandon" in page.content.decode()


def test_the_prize_of_a_finalist_who_leaves_is_not_shared_by_those_they_had_beaten() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    settle(publish_next(event), wins=int, margin=lambda number: number)
    leave(event, 2)
    kept = standings.fresh(event.stages.get())
    paid = share_prizes(
        standings.standing_of(kept), [Prize(1, 16_000), Prize(2, 8_000), Prize(3, 4_000)]
    )
    assert {award.entrant: award.cents for award in paid.awards} == {
        "1": 16_000,
        "2": 8_000,
        "3": 2_000,
        "4": 2_000,
    }


def test_one_who_leaves_before_the_final_is_drawn_is_second_too() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    settle(publish_next(event), wins=int, margin=lambda number: number)
    leave(event, 1)
    found = ranks(event)
    assert (found[2], found[1], found[3], found[4]) == (1, 2, 3, 3)


def test_one_who_leaves_while_the_other_semi_final_is_played_has_not_won() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    semi = publish_next(event)
    first, *_others = Sheet.objects.filter(table__round=semi.round).order_by("table__number")
    seats = {s.position: s.entrant.number for s in first.table.seats.select_related("entrant")}
    winner = min(seats, key=seats.__getitem__)
    copy_slip(first, {seat: 9 if seat == winner else 0 for seat in seats})
    leave(event, seats[winner])
    rows = {row["number"]: row for row in standings.fresh(event.stages.get()).rows}
    assert rows[seats[winner]]["values"][0] == [0, 2, 2]


def test_the_winner_of_the_first_match_waits_for_an_opponent(client: Client) -> None:
    event = event_of(8, "ko", rounds=1, drawing={"seeds": 8})
    drawn = publish_next(event)
    first = Sheet.objects.filter(table__round=drawn.round).order_by("table__number")[0]
    seats = {s.position: s.entrant.number for s in first.table.seats.select_related("entrant")}
    winner = min(seats, key=seats.__getitem__)
    copy_slip(first, {seat: 9 if seat == winner else 0 for seat in seats})
    rows = {row["number"]: row for row in standings.fresh(event.stages.get()).rows}
    assert rows[seats[winner]]["values"][0] == [0, 1, 4]
    (shown,) = brackets_shown(event.stages.get()).brackets
    won = [[side.won for match in matches for side in match.sides] for _, matches in shown.rounds]
    assert [sum(each) for each in won] == [1, 0, 0]


def test_in_a_pool_a_corrected_result_overtakes_no_draw() -> None:
    event = event_of(8, "pools_ko", rounds=3, drawing={"seeds": 2, "consolation": False})
    drawn = publish_next(event)
    settle(drawn, wins=int, margin=lambda number: number)
    publish_next(event)
    sheet = Sheet.objects.filter(table__round=drawn.round).order_by("table__number").first()
    assert sheet is not None
    seats = {s.position: s.entrant.number for s in sheet.table.seats.select_related("entrant")}
    loser = max(seats, key=seats.__getitem__)
    for deal in ScoreSheet(sheet).current():
        sheets.correct_deal(
            sheet_id=sheet.pk,
            number=deal.number,
            entry={**deal.entry, "points": {loser: 50}},
            reason="the wrong way round",
            actor=SYSTEM,
        )
    sheet.refresh_from_db()
    assert sheet.score["winner"] == loser
    assert overtaken_matches(event.stages.get(), 1) == []


def test_one_who_leaves_before_the_first_match_has_reached_nothing() -> None:
    event = event_of(8, "ko", rounds=1, drawing={"seeds": 8})
    publish_next(event)
    leave(event, 1)
    assert ranks(event)[1] is None


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_a_beaten_semi_finalist_and_a_quarter_finalist_keep_what_they_reached() -> None:
    event = event_of(8, "ko", rounds=1, drawing={"seeds": 8})
    settle(publish_next(event), wins=int, margin=lambda number: number)
    leave(event, 4)  # through to the semi-final, not played
    settle(publish_next(event), wins=int, margin=lambda number: number)
    settle(publish_next(event), wins=int, margin=lambda number: number)
    assert ranks(event) == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}


def test_who_left_the_knock_out_after_the_pools_keeps_the_place_that_the_pools_gave() -> None:
    event = event_of(8, "pools_ko", rounds=3, drawing={"seeds": 2, "consolation": False})
    for _round in range(3):
        settle(publish_next(event), wins=int, margin=lambda number: 1)
    semi = publish_next(event)
    gone = next(number for number in semi.plan["main"] if number not in (1, None))
    leave(event, gone)
    row = next(r for r in standings.fresh(event.stages.get()).rows if r["number"] == gone)
    assert row["rank"] is not None
    assert row["values"][0] == [0, 3, 4]


def test_a_list_published_before_stays_as_it_was() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    settle(publish_next(event), wins=int, margin=lambda number: number)
    leave(event, 2)
    stage = event.stages.get()
    standings.fresh(stage)
    published = standings.compute(stage, edition=4)
    Standings.objects.filter(stage=stage).update(
        state="final", edition=4, hash=state_hash(published), rows=rows_json(published)
    )
    found = standings.check(Stage.objects.select_related("event").get(pk=stage.pk))
    assert found is not None
    assert found.same
    assert set(found.corrected) == {2, 3, 4}


# A stage with results carried over ------------------------------------------------------------------


def with_final(*, carries_over: bool) -> Event:
    plan = [
        new_stage(
            name,
            format="pairs_swiss",
            rounds=1,
            games_per_round=1,
            deals_per_game=2,
            carries_over=carries_over and name == "Final",
            cut={"top": 2, "tie": "lots"} if name == "Qualifying" else {},
        )
        for name in ("Qualifying", "Final")
    ]
    event = make_event(8, plan=plan)
    settle(publish_next(event), wins=int, margin=lambda number: 20 - number)
    first = event.stages.get(order=1)
    if stages.undecided(first):
        stages.draw_lots(stage_id=first.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=first.pk, actor=SYSTEM)
    return event


@pytest.mark.guide("ranking#the-whole-event")
@pytest.mark.parametrize("carries_over", [True, False])
def test_a_final_ranks_the_event_from_its_first_result_on(carries_over: bool) -> None:
    event = with_final(carries_over=carries_over)
    assert {row.stage for row in overall_of(event).rows} == {0}
    final = publish_next(event)
    assert {row.stage for row in overall_of(event).rows} == {0}
    settle(final, wins=lambda number: -number, margin=lambda number: 30)
    event.refresh_from_db()
    ranking = overall_of(event)
    assert {row.stage for row in ranking.rows if row.rank in (1, 2)} == {1}
    assert {row.stage for row in ranking.rows if row.rank is not None and row.rank > 2} == {0}


def test_a_final_list_of_a_final_that_was_not_held_counts_as_it_was_published() -> None:
    event = with_final(carries_over=True)
    final = event.stages.get(order=2)
    standings.fresh(final)
    Standings.objects.filter(stage=final).update(state="final", edition=4)
    assert {row.stage for row in overall_of(event).rows if row.rank in (1, 2)} == {1}
