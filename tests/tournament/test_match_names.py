"""Names of the rounds and matches of pools and brackets on every page."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Role
from tests.markup import markup
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.test_stages import draw_next, event_of, publish_next, seated, settle
from tournament.models import Event, Round, Table
from tournament.queries.brackets import (
    brackets_shown,
    full_title,
    heading_of,
    match_names,
    own_name,
    stage_and_round,
    title_of,
)
from tournament.services.events import new_stage
from tournament.services.stages import open_next_stage

pytestmark = pytest.mark.django_db


def part_of(event: Event, number: int, order: int = 1) -> Round:
    return Round.objects.select_related("stage__event").get(
        stage__event=event, stage__order=order, number=number
    )


def test_a_round_with_a_number_only_is_named_by_its_stage_where_there_are_several() -> None:
    plan = new_stage("Rounds", rounds=2, games_per_round=1, deals_per_game=1)
    alone = part_of(make_event(4, plan=[plan]), 2)
    assert (own_name(alone), title_of(alone)) == ("", "Round 2")
    assert (stage_and_round(alone), full_title(alone)) == ("Round 2", "Round 2")
    assert match_names(alone) == {}
    final = new_stage("Final", rounds=1, games_per_round=1, deals_per_game=1)
    several = part_of(make_event(4, plan=[plan, final], name="Two"), 2)
    assert stage_and_round(several) == "Rounds, round 2"
    assert full_title(several) == "Rounds · Round 2"


@pytest.fixture(scope="module")
def knock_out(module_database: None) -> Event:
    """Play four pairs with a match for the third place: the semi-finals are over, the last round drawn."""
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4, "third_place": True})
    settle(publish_next(event))
    publish_next(event)
    return event


def test_a_knock_out_has_its_names_before_its_first_draw(client: Client) -> None:
    plan = [
        new_stage("Rounds", "pairs_swiss", 1, games_per_round=1, deals_per_game=2, cut={"top": 8}),
        new_stage("Bracket", "ko", 3, games_per_round=1, deals_per_game=2),
    ]
    event = make_event(16, plan=plan)
    assert title_of(part_of(event, 1, 2)) == "Round 1"
    settle(publish_next(event))
    open_next_stage(stage_id=event.stages.get(order=1).pk, actor=SYSTEM)
    names = ["Quarter-final", "Semi-final", "Final"]
    assert [title_of(part_of(event, n, 2)) for n in (1, 2, 3)] == names
    draft = draw_next(event)
    client.force_login(make_user("namer", event, Role.DIRECTOR))
    page = client.get(f"/desk/{event.slug}/draws/{draft.pk}/", headers={"Accept-Language": "en"})
    assert "Draw: Quarter-final" in markup(page)


def test_the_first_draft_of_a_knock_out_is_named_by_its_own_bracket(client: Client) -> None:
    event = event_of(5, "ko", rounds=3)
    draft = draw_next(event)
    client.force_login(make_user("drafter", event, Role.DIRECTOR))
    page = client.get(f"/desk/{event.slug}/draws/{draft.pk}/", headers={"Accept-Language": "en"})
    assert "Draw: Quarter-final" in markup(page)


def test_the_matches_of_a_knock_out_are_named_by_what_they_decide(knock_out: Event) -> None:
    event = Event.objects.get(pk=knock_out.pk)
    first, last = part_of(event, 1), part_of(event, 2)
    assert (own_name(first), own_name(last)) == ("Semi-final", "Final")
    assert (title_of(last), stage_and_round(last), full_title(last)) == ("Final",) * 3
    assert set(match_names(first).values()) == {"Semi-final"}
    winners = frozenset(min(pair) for pair in seated(first.draws.get()))
    losers = frozenset({1, 2, 3, 4}) - winners
    assert match_names(last) == {winners: "Final", losers: "Third place"}
    table = Table.objects.select_related("round__stage__event").get(round=first, number=2)
    assert heading_of(table) == "Table 2 · Semi-final"
    bracket = brackets_shown(event.stages.get())
    ((name, rounds),) = [(each.name, each.rounds) for each in bracket.brackets]
    assert name == ""
    assert [title for title, _matches in rounds] == ["Semi-final", "Final", "Third place"]
    for title, sides in (("Final", winners), ("Third place", losers)):
        ((match,),) = [matches for each, matches in rounds if each == title]
        assert {side.number for side in match.sides} == sides
        assert match.table is not None
        assert not any(side.won or side.score for side in match.sides)
    played = dict(rounds)["Semi-final"]
    assert {side.number for match in played for side in match.sides if side.won} == winners
    assert {side.score for match in played for side in match.sides if side.won} == {"10"}
    assert {side.score for match in played for side in match.sides if not side.won} == {"4"}


@pytest.mark.parametrize("consolation", [True, False])
def test_the_knock_out_is_named_by_its_qualifiers_before_it_is_drawn(consolation: bool) -> None:
    drawing = {"pool_size": 4, "main": 1, "consolation": consolation}
    event = event_of(16, "pools_ko", drawing=drawing)
    publish_next(event)
    names = [title_of(round_) for round_ in event.stages.get().rounds.order_by("number")]
    assert names[3:5] == ["Semi-final", "Final"]
    assert len(names) == (7 if consolation else 5)
    assert all(name.startswith("Consolation") for name in names[5:])
