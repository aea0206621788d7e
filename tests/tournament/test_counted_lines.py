"""Lines of the standings for tables where each plays alone, and for rounds sat out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance, draw_and_publish
from tournament.models import Bye
from tournament.queries.results import gather
from tournament.ranking.model import LineKind
from tournament.services import entrants
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db


def test_each_against_all_is_measured_by_the_mean_of_the_others() -> None:
    plan = new_stage("Rounds", rounds=1, games_per_round=1, deals_per_game=3)
    event = make_event(9, rulebook="three-player", plan=[plan])
    advance(event, chance())
    at_a_table = [line for line in gather(event.stages.get()).results if line.table == 1]
    marks = {line.entrant: line.marks_for for line in at_a_table}
    assert len(marks) == 3
    for line in at_a_table:
        others = [other for entrant, other in marks.items() if entrant != line.entrant]
        assert line.marks_against == Fraction(sum(others), 2)
        beaten = sum(other < line.marks_for for other in others)
        level = sum(other == line.marks_for for other in others)
        assert line.place == beaten + Fraction(level, 2)


def test_the_rounds_that_those_who_went_on_sat_out_are_carried_along() -> None:
    plan = [
        new_stage("Rounds", rounds=3, games_per_round=1, deals_per_game=2, cut={"top": 8}),
        new_stage("Final", rounds=1, games_per_round=1, deals_per_game=2, carries_over=True),
    ]
    event = make_event(15, plan=plan)
    while event.stages.get(order=1).rounds.exclude(state="closed").exists():
        assert advance(event, chance())
    advance(event, chance())
    final = event.stages.get(order=2)
    on = set(final.field.values_list("entrant__number", flat=True))
    byes = [
        (bye.entrant.number, bye.round.number)
        for bye in Bye.objects.select_related("entrant", "round").order_by("pk")
    ]
    ours = [(number, part) for number, part in byes if number in on]
    assert ours
    assert byes.index(ours[-1]) > min(byes.index(bye) for bye in byes if bye[0] not in on)
    told = [
        (int(line.entrant), line.round_no)
        for book in gather(final).carried
        for line in book.lines
        if line.kind is LineKind.CREDITED
    ]
    # With the results of the others, who count as opponents.
    assert sorted(told) == sorted(byes)
    # An entrant who withdraws in the final had completed the stage before.
    first, gone = event.stages.get(order=1), min(on)
    entrants.withdraw(entrant_id=event.entrants.get(number=gone).pk, actor=SYSTEM)
    field = gather(first).entrants
    assert {each.number for each in field if each.withdrawn} == {gone}
    assert {each.number for each in field if each.through} == {gone}


@pytest.mark.parametrize(
    ("format", "kind"), [("pairs_swiss", LineKind.BYE), ("individual_draw", LineKind.SAT_OUT)]
)
def test_a_bye_of_a_pair_is_won_and_that_of_a_player_sat_out(format: str, kind: LineKind) -> None:
    plan = new_stage("Rounds", format, 1, games_per_round=3, deals_per_game=1)
    event = make_event(5, plan=[plan])
    round_ = draw_and_publish(event.stages.get().rounds.get(), SYSTEM)
    rests = str(Bye.objects.get(round=round_).entrant.number)
    lines = gather(event.stages.get()).results
    assert [(line.entrant, line.game_no, line.kind) for line in lines] == [
        (rests, game, kind) for game in (1, 2, 3)
    ]
