"""Tables of three do not count: without any other table the option is refused and byes are offered."""

from __future__ import annotations

import pytest
from django.test import Client

from ledger.errors import Conflict, Refused
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tests.tournament.desk import text_of
from tests.tournament.test_overall_ranking import standing
from tests.tournament.test_stages import draw_next, event_of
from tournament.demo.simulation import advance
from tournament.drawing import formats
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Spec
from tournament.models import Round
from tournament.pairing.model import Contestant, DrawRefused, Kind
from tournament.ranking.overall import overall
from tournament.services import draws, entrants, stage_plans
from tournament.services.events import new_stage
from tournament.views.stage_forms import StageForm

pytestmark = pytest.mark.django_db

THREES = {"odd": "threes"}


def spec(n: int, format: str, kind: Kind, odd: str) -> Spec:
    field = tuple(Contestant(number) for number in range(1, n + 1))
    return Spec(format, read_rules({"odd": odd}), kind, field, 1, 1, "code")


@pytest.mark.guide("director#when-people-come-and-go")
@pytest.mark.parametrize("kind", [Kind.PARTNERS, Kind.ROTATION])
@pytest.mark.parametrize("format", ["individual_draw", "random"])
@pytest.mark.parametrize("n", range(3, 18))
def test_a_round_is_drawn_only_where_a_game_counts(n: int, format: str, kind: Kind) -> None:
    if n in (3, 6, 9):
        with pytest.raises(DrawRefused) as refusal:
            formats.draw(spec(n, format, kind, "threes"))
        assert refusal.value.code == "nothing_counts"
        if n > 3:
            assert len(formats.draw(spec(n, format, kind, "byes")).drawn.byes) == n % 4
        return
    tables = formats.draw(spec(n, format, kind, "threes")).drawn.tables
    assert any(len(table.players) == 4 for table in tables)


def test_where_each_plays_alone_tables_of_three_count() -> None:
    tables = formats.draw(spec(9, "individual_draw", Kind.SOLO, "byes")).drawn.tables
    assert tables


@pytest.mark.parametrize("players", [6, 9])
def test_a_stage_is_not_given_tables_of_three_that_nobody_would_count_at(players: int) -> None:
    event = event_of(players, "individual_draw")
    with pytest.raises(Refused) as refusal:
        stage_plans.change_stage(event_id=event.pk, order=1, actor=SYSTEM, drawing=THREES)
    assert (refusal.value.code, refusal.value.field) == ("nothing_counts", "odd")
    assert f"{players} players" in str(refusal.value)
    assert event.stages.get().drawing == {}


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_draw_is_refused_and_byes_are_the_way_on_even_in_play() -> None:
    event = event_of(10, "individual_draw", drawing=THREES)
    assert advance(event, chance())
    entrants.withdraw(entrant_id=event.entrants.get(number=4).pk, actor=SYSTEM)
    second = Round.objects.get(stage__event=event, number=2)
    with pytest.raises(Conflict) as refusal:
        draws.request_draw(round_id=second.pk, actor=SYSTEM)
    assert refusal.value.code == "nothing_counts"
    with pytest.raises(Conflict) as fixed:
        stage_plans.change_stage(
            event_id=event.pk, order=1, actor=SYSTEM, drawing={"by_score": True}
        )
    assert fixed.value.code == "stage_in_play"
    stage_plans.change_stage(event_id=event.pk, order=1, actor=SYSTEM, drawing={})
    drawn = draw_next(event)
    assert [len(table["players"]) for table in drawn.tables] == [4, 4]
    assert len(drawn.byes) == 1


@pytest.mark.guide("director#when-people-come-and-go")
@pytest.mark.parametrize(
    ("players", "said"),
    [
        (13, "with 13 players, 9 of them play a round that does not count"),
        (11, "with 11 players, 3 of them play a round that does not count"),
        (6, "With 6 players every table would be a table of three"),
        (12, ""),
    ],
)
def test_the_form_says_how_many_play_a_round_that_does_not_count(
    client: Client, players: int, said: str
) -> None:
    event = event_of(players, "individual_draw")
    client.force_login(make_user("director", event, "director"))
    page = text_of(client, f"/desk/{event.slug}/stages/1/")
    assert said in page
    assert said or "does not count." not in page


def test_the_form_and_the_api_refuse_it_with_the_reason(client: Client) -> None:
    event = event_of(9, "individual_draw")
    client.force_login(make_user("director", event, "director"))
    answer = client.patch(
        f"/api/v1/events/{event.slug}/stages/1/",
        {"drawing": THREES},
        content_type="application/json",
        headers={"accept-language": "nl"},
    )
    assert answer.status_code == 409, answer.content
    assert answer.json()["code"] == "nothing_counts"
    assert "vrije rondes" in answer.json()["detail"]
    form = StageForm.of(event.stages.get())
    filled = {each.html_name: each.value() for each in form if each.value() not in (None, False)}
    page = client.post(f"/desk/{event.slug}/stages/1/", filled | THREES).content.decode()
    refused, offered = page.split('id="id_odd_error"')[1].split("</select>")[0].split("<select")
    assert "choose byes instead" in refused
    assert 'value="byes"' in offered
    assert event.stages.get().drawing == {}


def test_those_cut_are_in_the_ranking_of_the_event_where_nothing_counted_before_the_cut() -> None:
    nothing = standing(*((number, 1, 0) for number in range(1, 7)))
    final = standing((1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 4, 1))
    listed = [(row.rank, row.entrant.number, row.tied) for row in overall([nothing, final])]
    assert listed == [
        (1, 1, False),
        (2, 2, False),
        (3, 3, False),
        (4, 4, False),
        (5, 5, True),
        (5, 6, True),
    ]


def test_a_final_of_six_is_not_planned_with_tables_of_three() -> None:
    plan = [
        new_stage(
            "Rounds", rounds=1, games_per_round=1, deals_per_game=2, cut={"top": 6, "tie": "lots"}
        ),
        new_stage("Final", rounds=1, games_per_round=1, deals_per_game=2, drawing=THREES),
    ]
    with pytest.raises(Refused):
        make_event(12, plan=plan)
