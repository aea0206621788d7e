"""Which ranks of final standings lie within luck: the bound, and the sentence that staff and public read."""

from __future__ import annotations

import random

import numpy as np
import pytest
from django.test import Client

from tests.markup import markup
from tests.tournament.build import SYSTEM, make_event
from tests.tournament.desk import director, text_of
from tournament.advice.luck import range_of_equals, within_luck
from tournament.demo.simulation import advance
from tournament.models import Event
from tournament.queries.luck import luck_in_words
from tournament.services.events import new_stage
from tournament.services.standings import set_state

LUCK = "lie within luck: even among equals"


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.parametrize(
    ("entrants", "freedom", "published"),
    [(2, 60, 2.829), (3, 10, 3.877), (10, 20, 5.008), (20, 120, 5.126)],
)
def test_the_bound_is_that_of_the_tables_of_the_studentized_range(
    entrants: int, freedom: int, published: float
) -> None:
    assert range_of_equals(entrants, freedom) == pytest.approx(published, abs=0.02)


@pytest.mark.guide("formats#how-often-the-strongest-wins")
def test_of_equals_all_ranks_lie_within_luck_in_nineteen_events_of_twenty() -> None:
    lots = np.random.default_rng(7)
    within = 0
    for _event in range(120):
        rounds = sorted(lots.standard_normal((12, 5)).tolist(), key=sum, reverse=True)
        within += within_luck(rounds) == 12
    assert 0.89 <= within / 120 <= 0.99


@pytest.mark.guide("formats#how-often-the-strongest-wins")
def test_who_is_far_ahead_is_so_by_more_than_luck_and_too_few_rounds_tell_nothing() -> None:
    level = [[0.0, 1.0, -1.0, 0.5]] * 5
    assert within_luck([[9.0, 10.0, 11.0, 10.0], *level]) == 1
    assert within_luck([[9.0, 10.0, 11.0, 10.0], [10.0, 9.0, 10.0, 10.0], *level]) == 2
    assert within_luck([[5.0, 4.0], [1.0, 2.0]]) is None
    assert within_luck([[1.0] * 6] * 4) is None


def played(format_: str, rounds: int, **more: object) -> Event:
    """An event of eight, played out; with a ``cut`` to a final of four."""
    each: dict[str, object] = {"games_per_round": 1, "deals_per_game": 1}
    plan = [new_stage("Stage", format_, rounds=rounds, **each, **more)]
    if "cut" in more:
        plan.append(new_stage("Last table", format_, rounds=1, deals_per_game=2))
    event = make_event(8, plan=plan)
    chance = random.Random("luck")
    while advance(event, chance) is not None:
        pass
    return event


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.django_db
def test_staff_and_public_read_which_ranks_lie_within_luck_once_they_are_final(
    client: Client,
) -> None:
    event = played("random", 3)
    stage = event.stages.get()
    public, desk = f"/e/{event.slug}/standings/", f"/desk/{event.slug}/stages/1/standings/"
    staff = director(event)
    assert LUCK not in text_of(client, public)
    assert LUCK not in text_of(staff, desk)
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    said = luck_in_words(stage)
    assert LUCK in said
    assert said in text_of(client, public)
    assert said in text_of(staff, desk)
    french = markup(client.get(public, headers={"accept-language": "fr"}))
    assert "relèvent de la chance" in french


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.django_db
def test_the_ranking_of_the_whole_event_says_it_of_each_stage(client: Client) -> None:
    event = played("random", 3, cut={"top": 4, "tie": "lots"})
    first, last = event.stages.order_by("order")
    address = f"/e/{event.slug}/standings/"
    set_state(stage_id=first.pk, state="final", actor=SYSTEM)
    assert LUCK not in text_of(client, f"/e/{event.slug}/standings/overall/")
    set_state(stage_id=last.pk, state="final", actor=SYSTEM)
    said = text_of(client, address)
    assert "Whole event" in said
    assert luck_in_words(first) in said
    assert luck_in_words(last) == ""


@pytest.mark.guide("formats#how-often-the-strongest-wins")
@pytest.mark.django_db
def test_of_a_bracket_nothing_is_said() -> None:
    event = played("ko", 3)
    set_state(stage_id=event.stages.get().pk, state="final", actor=SYSTEM)
    assert luck_in_words(event.stages.get()) == ""
