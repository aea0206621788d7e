"""Two entrants exchanged in the first round of a knock-out change places in its bracket."""

from __future__ import annotations

from typing import Any

import pytest

from operations.replay import replay
from tests.tournament.build import SYSTEM
from tests.tournament.test_stages import draw_next, event_of, publish_next, seated, settle
from tournament.drawing.brackets import traded_in_brackets
from tournament.drawing.spec import Plan
from tournament.models import Draw, Event
from tournament.queries.fields import numbers_of
from tournament.services import draws, edits, publication, reseating, rounds
from tournament.services.edits import Edit

pytestmark = pytest.mark.django_db


def again(drawn: Draw) -> Draw:
    return Draw.objects.select_related("round__stage__event").get(pk=drawn.pk)


def first_wins(*order: int) -> Any:
    """Return a choice of winner for ``settle``: the earlier number in this order wins."""
    return lambda some, key=int: min(some, key=lambda each: order.index(key(each)))


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Event]:
    """Create a knock-out of six whose first round is a draft, and one of four whose first is published."""
    six = event_of(6, "ko", rounds=3, drawing={"seeds": 6})
    draw_next(six)
    four = event_of(4, "ko", rounds=2, drawing={"seeds": 4})
    publish_next(four)
    return six, four


@pytest.fixture
def draft(built: tuple[Event, Event]) -> Draw:
    return Draw.objects.select_related("round__stage__event").get(round__stage__event=built[0])


@pytest.fixture
def first(built: tuple[Event, Event]) -> Draw:
    return Draw.objects.select_related("round__stage__event").get(round__stage__event=built[1])


@pytest.mark.parametrize(
    ("plan", "changed"),
    [
        ({"main": [1, None, 4, 5]}, {"main": [4, None, 1, 5]}),
        (
            {"main": [1, None], "consolation": [4, 2]},
            {"main": [4, None], "consolation": [1, 2]},
        ),
        ({"main": [2, 4], "field": [1, 2, 4]}, {"main": [2, 1], "field": [1, 2, 4]}),
        ({"field": [1, 4]}, {"field": [1, 4]}),
    ],
)
def test_every_bracket_of_a_plan_exchanges_its_places(plan: Plan, changed: Plan) -> None:
    before = plan.copy()
    assert traded_in_brackets(plan, 1, 4) == changed
    assert plan == before


@pytest.mark.guide("director#a-round")
def test_a_draft_is_exchanged_with_its_bracket_and_taken_back_with_it(draft: Draw) -> None:
    assert draft.plan["main"] == [1, None, 4, 5, 2, None, 3, 6]
    numbers = numbers_of(draft.round.stage.event)
    # Number 1 has a bye in the first round, number 5 plays: they exchange roles.
    edits.make(draw_id=draft.pk, edit=Edit("swap", one=1, two=5), after=0, actor=SYSTEM)
    changed = again(draft)
    assert changed.plan["main"] == [5, None, 4, 1, 2, None, 3, 6]
    assert seated(changed) == [(1, 4), (3, 6)]
    assert sorted(numbers[who] for who in changed.byes) == [2, 5]
    edits.undo(draw_id=draft.pk, actor=SYSTEM)
    back = again(draft)
    assert (back.plan, back.tables, back.byes) == (draft.plan, draft.tables, draft.byes)


@pytest.mark.guide("director#a-round")
def test_the_next_round_is_drawn_by_the_bracket_as_changed(draft: Draw) -> None:
    edits.make(draw_id=draft.pk, edit=Edit("swap", one=5, two=6), after=0, actor=SYSTEM)
    publication.publish_draw(draw_id=draft.pk, actor=SYSTEM)
    published = again(draft)
    assert seated(published) == [(4, 6), (3, 5)]
    settle(published, better=first_wins(6, 4, 5, 3))
    assert seated(draw_next(published.round.stage.event)) == [(1, 6), (2, 5)]
    assert draws.reproduce(again(draft))[1]


@pytest.mark.guide("director#after-the-publication")
@pytest.mark.parametrize("reason", ["", "they sat at the wrong table"])
def test_who_is_exchanged_once_published_goes_on_by_the_new_bracket(
    first: Draw, reason: str
) -> None:
    assert seated(first) == [(1, 4), (2, 3)]
    if reason:
        settle(first, better=first_wins(1, 3, 2, 4))
        rounds.reopen_round(round_id=first.round_id, reason=reason, actor=SYSTEM)
    reseating.exchange(round_id=first.round_id, one=4, two=3, actor=SYSTEM, reason=reason)
    changed = again(first)
    assert (changed.plan["main"], seated(changed)) == ([1, 3, 2, 4], [(1, 3), (2, 4)])
    if reason:
        rounds.close_round(round_id=first.round_id, actor=SYSTEM)
    else:
        settle(changed, better=first_wins(1, 4, 2, 3))
    # In the previous bracket 1 and 4 met, and only one of them could go on.
    assert seated(draw_next(changed.round.stage.event)) == [(1, 4)]


@pytest.mark.guide("director#after-the-publication")
def test_the_rounds_drawn_since_know_who_sat_where(first: Draw) -> None:
    settle(first)
    event = first.round.stage.event
    final = publish_next(event)
    settle(final)
    for one, two, main in ((3, 4, [1, 3, 2, 4]), (1, 3, [3, 1, 2, 4])):
        rounds.reopen_round(round_id=first.round_id, reason="looked up", actor=SYSTEM)
        reseating.exchange(
            round_id=first.round_id, one=one, two=two, actor=SYSTEM, reason="wrong place"
        )
        rounds.close_round(round_id=first.round_id, actor=SYSTEM)
        assert [again(each).plan["main"] for each in (first, final)] == [main, main]
    assert replay(event).differences == []
