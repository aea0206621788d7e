"""From stage to stage: every table after a cut is whole, and an impossible field is refused in time."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from ledger.change import change
from ledger.errors import Conflict, Refused
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tournament.demo.simulation import advance
from tournament.models import Event, Stage
from tournament.queries import chains
from tournament.queries.standings import recompute
from tournament.services import draws, entrants, reseating, stage_plans, stages
from tournament.services.events import championship_plan, new_stage

pytestmark = pytest.mark.django_db
ONE_GAME: dict[str, Any] = {"rounds": 1, "games_per_round": 1, "deals_per_game": 1}


def planned(players: int, *cuts: dict[str, object]) -> Event:
    """Plan individual stages of one round, one more than there are cuts."""
    plan = [
        new_stage(f"Stage {n}", cut=cut, rounds=1, deals_per_game=1)
        for n, cut in enumerate([*cuts, {}], start=1)
    ]
    return make_event(players, plan=plan)


def director(client: Client, event: Event, language: str = "en") -> Client:
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = language
    return client


@pytest.mark.parametrize(
    ("players", "semi_final", "final"),
    [(8, 8, 4), pytest.param(20, 20, 8, marks=pytest.mark.long), (23, 20, 8), (6, 4, 4)],
)
def test_the_default_championship_fits_a_club_and_its_champion_has_played(
    players: int, semi_final: int, final: int
) -> None:
    event = make_event(players, plan=championship_plan(rounds=1, deals=1))
    advance(event, chance())
    first, second, last = event.stages.order_by("order")
    for stage in (first, second):
        stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
        stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
        advance(event, chance())
    assert (second.field.count(), last.field.count()) == (semi_final, final)
    rows = recompute(stage_id=last.pk).rows
    assert [row["credited"] for row in rows] == [0] * final
    assert all(row["games"] == 3 for row in rows)


def test_a_movement_too_short_for_the_field_behind_a_cut_is_refused_when_it_is_planned() -> None:
    def final(movement: str) -> list[Stage]:
        drawing = {"movement": movement}
        last = new_stage("Final", "individual_movement", rounds=3, drawing=drawing)
        return [new_stage("First", rounds=1, cut={"top": 8}), last]

    # E34: North of two tables stays for one round; four tables are the first to last three.
    with pytest.raises(Refused) as refusal:
        make_event(20, plan=final("rainbow"))
    assert refusal.value.code == "not_seated"
    assert "Rounds planned: 3; rounds of the movement for 8: 1. What fits: 16." in str(
        refusal.value
    )
    # Moore 1896: a Whist tournament of eight lasts seven rounds.
    make_event(20, plan=final("whist"))


@pytest.mark.guide("director#from-stage-to-stage", "ranking#qualification")
def test_table_winners_that_cannot_make_a_final_are_refused_when_it_is_planned() -> None:
    # Eight to the semi-final are two tables, and two winners are no table of four.
    with pytest.raises(Refused) as refusal:
        planned(0, {"top": 8}, {"winners": True})
    assert refusal.value.code == "not_seated"
    assert "? → 8 → 2 tables → 2" in str(refusal.value)
    assert "What fits: 4." in str(refusal.value)
    event = planned(0, {"top": 8}, {"winners": True, "whole": True})
    with pytest.raises(Refused) as refusal:
        stage_plans.change_stage(event_id=event.pk, actor=SYSTEM, order=1, cut={"top": 6})
    assert (refusal.value.code, refusal.value.field) == ("not_seated", "top")
    assert "4 or 8" in str(refusal.value)
    stage_plans.change_stage(
        event_id=event.pk, actor=SYSTEM, order=1, cut={"top": 6, "whole": True}
    )


@pytest.mark.guide("director#from-stage-to-stage")
def test_a_cut_to_five_is_refused_and_says_what_fits_in_the_reader_s_language(
    client: Client,
) -> None:
    # Twenty players, five tables, five winners: the one who sat out was “1st of 5”.
    event = planned(20, {"winners": True})
    address = f"/desk/{event.slug}/stages/1/"
    page = director(client, event, "fr").get(f"/desk/{event.slug}/stages/").content.decode()
    assert "20 → 5 tables → 5\u00a0✗" in page
    assert "Ce qui convient\u00a0: 4 ou 8." in page
    advance(event, chance())
    stage = event.stages.get(order=1)
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    with pytest.raises(Conflict) as refusal:
        stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    assert refusal.value.code == "not_seated"
    page = client.get(f"{address}cut/").content.decode()
    assert "Ce qui convient\u00a0: 4 ou 8." in page
    stage_plans.change_stage(
        event_id=event.pk, actor=SYSTEM, order=1, cut={"winners": True, "whole": True}
    )
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    assert event.stages.get(order=2).field.count() == 8


def test_a_final_planned_in_an_earlier_release_is_not_drawn_with_a_player_resting() -> None:
    event = planned(20, {"top": 4})
    with change():
        Stage.objects.filter(event=event, order=1).update(cut={"winners": True})
    final = event.stages.get(order=2)
    for number in range(1, 6):
        with change():
            final.field.create(entrant=event.entrants.get(number=number))
    with pytest.raises(Conflict) as refusal:
        draws.request_draw(round_id=final.rounds.get().pk, actor=SYSTEM)
    assert refusal.value.code == "not_seated"
    entrants.withdraw(entrant_id=event.entrants.get(number=5).pk, actor=SYSTEM)


@pytest.mark.guide("ranking#qualification")
def test_five_may_play_five_rounds_after_a_cut_since_each_rests_once() -> None:
    event = make_event(
        8,
        plan=[
            new_stage("Rounds", cut={"top": 5, "tie": "lots"}, **ONE_GAME),
            new_stage("Final", **{**ONE_GAME, "rounds": 5}),
        ],
    )
    advance(event, chance())
    stage = event.stages.get(order=1)
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    for _round in range(5):
        advance(event, chance())
    rows = recompute(stage_id=event.stages.get(order=2).pk).rows
    assert [(row["credited"], row["games"]) for row in rows] == [(1, 5)] * 5


@pytest.mark.guide("director#from-stage-to-stage")
def test_who_rests_after_a_withdrawal_from_the_final_does_not_win_it_by_that() -> None:
    # Eight finalists, two rounds, one withdraws after the first: three of seven would be credited a round.
    event = make_event(
        10,
        plan=[
            new_stage("Rounds", cut={"top": 8, "tie": "lots"}, **ONE_GAME),
            new_stage("Final", **{**ONE_GAME, "rounds": 2}),
        ],
    )
    advance(event, chance())
    stage, final = event.stages.order_by("order")
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    advance(event, chance())
    field = set(final.field.values_list("entrant__number", flat=True))
    below = min(set(range(1, 11)) - field)
    leaves = event.entrants.get(number=min(field))
    entrants.withdraw(entrant_id=leaves.pk, actor=SYSTEM)
    second = final.rounds.get(number=2)
    with pytest.raises(Conflict) as refusal:
        draws.request_draw(round_id=second.pk, actor=SYSTEM)
    assert refusal.value.code == "not_seated"
    assert str(refusal.value).startswith("3 players would have a bye in round 2 of Final.")
    assert "end the stage with round 1" in str(refusal.value)
    reseating.replace_player(
        event_id=event.pk, old=leaves.number, new=below, actor=SYSTEM, zero=True
    )
    advance(event, chance())
    rows = {row["number"]: row for row in recompute(stage_id=final.pk).rows}
    assert all(row["credited"] == 0 for row in rows.values())
    assert (rows[below]["games"], rows[leaves.number]["games"]) == (1, 1)
    shown = chains.shown_chain(event)
    assert shown is not None
    assert (shown.words, shown.problem) == ("9 → 8\u00a0✓", "")


def test_who_is_absent_is_not_counted_in_the_chain() -> None:
    plan = [
        new_stage("Rounds", rounds=1, deals_per_game=1, cut={"top": 4, "tie": "lots"}),
        new_stage("Final", rounds=1, deals_per_game=1),
    ]
    event = make_event(9, plan=plan, present=False)

    def words() -> str:
        shown = chains.shown_chain(event)
        return shown.words if shown else ""

    assert words() == "9 → 4\u00a0✓"
    entrants.check_in_all(event_id=event.pk, actor=SYSTEM, but=[9])
    assert words() == "8 → 4\u00a0✓"
    late = entrants.enter_player(event_id=event.pk, name="Late", actor=SYSTEM)
    assert words() == "9 → 4\u00a0✓"
    entrants.withdraw(entrant_id=late.pk, actor=SYSTEM)
    advance(event, chance())
    assert words() == "8 → 4\u00a0✓"


@pytest.mark.guide("director#from-stage-to-stage", "ranking#qualification")
def test_whole_tables_have_no_room_for_all_who_are_level(client: Client) -> None:
    event = planned(16, {"top": 8, "whole": True})
    form = {
        "name": "Stage 1",
        "format": "individual_draw",
        "rounds": 1,
        "games_per_round": "3",
        "deals_per_game": 1,
        "minutes": 90,
        "ranking": "world_championship",
        "club_rounds": 0,
        "top": 8,
        "whole": "on",
        "tie": "all_in",
    }
    answer = director(client, event).post(f"/desk/{event.slug}/stages/1/", form)
    assert "Whole tables have no room for everyone tied" in answer.content.decode()
    answer = client.post(f"/desk/{event.slug}/stages/1/", form | {"tie": "play_off"})
    assert answer.status_code == 302
    assert event.stages.get(order=1).cut == {"top": 8, "whole": True, "tie": "play_off"}


@pytest.mark.guide("director#from-stage-to-stage")
def test_whole_tables_say_how_many_qualify_and_when(client: Client) -> None:
    # Ten requested, at tables of four: twelve of 16 go on, once every round is over.
    event = make_event(
        16,
        plan=[
            new_stage("Rounds", rounds=2, deals_per_game=1, cut={"top": 10, "whole": True}),
            new_stage("Final", rounds=1, deals_per_game=1),
        ],
    )
    reader = director(client, event, "en")
    base = f"/desk/{event.slug}/stages/"
    page = reader.get(base).content.decode()
    assert "whole tables: 12 qualify" in " ".join(page.split())
    assert "the best 10" not in page
    advance(event, chance("whole"))
    page = " ".join(reader.get(f"{base}1/cut/").content.decode().split())
    assert "12 would qualify as the standings are now" in page
    assert "12 qualify" not in page
    assert "Add them to" not in page
    advance(event, chance("tables"))
    page = " ".join(reader.get(f"{base}1/cut/").content.decode().split())
    assert "12 qualify" in page
    assert "would qualify" not in page
    assert "Add them to Final" in page
