"""Players without a seat in a draw, reason by reason, and the number that the tables cannot seat."""

from __future__ import annotations

import pytest

from tests.tournament.build import SYSTEM, make_event
from tests.tournament.test_stages import draw_next, event_of, publish_next, settle
from tournament.models import Event, Round
from tournament.queries.left_out import left_out, places_over, will_sit_out
from tournament.queries.names import directory
from tournament.services import entrants
from tournament.services.adjustments import Amount, adjust
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db

Reasons = list[tuple[str, str, list[int], str]]


def reasons(round_: Round, *candidate: object) -> Reasons:
    return [
        (each.reason, each.title, [who.number for who in each.people], each.state)
        for each in left_out(round_, *candidate)  # type: ignore[arg-type]
    ]


def first_of(event: Event, order: int = 1, number: int = 1) -> Round:
    return Round.objects.select_related("stage__event").get(
        stage__event=event, stage__order=order, number=number
    )


def gone(event: Event, number: int) -> None:
    entrants.withdraw(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)


@pytest.fixture(scope="module")
def nine(module_database: None) -> Event:
    """Create two rounds of nine players, none drawn yet."""
    plan = new_stage("Rounds", rounds=2, games_per_round=1, deals_per_game=2)
    return make_event(9, plan=[plan])


@pytest.fixture
def event(nine: Event) -> Event:
    return Event.objects.get(pk=nine.pk)


def test_before_the_draw_those_are_named_who_are_not_here(event: Event) -> None:
    round_ = first_of(event)
    assert reasons(round_) == []
    for number in (8, 3):
        gone(event, number)
    entrants.enter_player(event_id=event.pk, name="Not yet", actor=SYSTEM)
    entrants.enter_player(
        event_id=event.pk, name="In reserve", present=True, reserve=True, actor=SYSTEM
    )
    adjust(
        stage_id=round_.stage_id,
        source="ruling:1",
        reason="T-UNSP",
        actor=SYSTEM,
        amounts=[Amount(event.entrants.get(number=5).pk, penalties=1, disqualified=True)],
    )
    assert reasons(round_) == [
        ("disqualified", "1 disqualified, no longer drawn", [5], ""),
        ("registered", "1 not checked in", [10], "registered"),
        ("reserve", "1 not in this stage", [11], ""),
        ("withdrawn", "2 withdrawn", [3, 8], "withdrawn"),
    ]


def test_of_a_draw_those_who_rest_and_those_who_came_after_it(event: Event) -> None:
    candidate = draw_next(event)
    round_ = first_of(event)
    ((reason, title, rests, state),) = reasons(round_, candidate)
    assert (reason, title, len(rests), state) == ("out", "1 has a bye this round", 1, "")
    for number in (10, 11):
        entrants.enter_player(event_id=event.pk, name=f"Late {number}", present=True, actor=SYSTEM)
    assert reasons(round_, candidate) == [
        ("arrived", "2 checked in after this draw: draw again", [10, 11], ""),
        ("out", "1 has a bye this round", rests, ""),
    ]
    assert reasons(round_) == []
    names = {who.number: who.name for who in directory(event).values()}
    assert [who.name for who in left_out(round_, candidate)[0].people] == [names[10], names[11]]


def test_who_comes_while_a_round_is_played_waits_for_the_next_one(event: Event) -> None:
    settle(publish_next(event))
    entrants.enter_player(event_id=event.pk, name="Late", present=True, actor=SYSTEM)
    assert reasons(first_of(event)) == [("later", "1 plays from a later round", [10], "present")]
    assert reasons(first_of(event, number=2)) == []


def test_in_a_stage_after_a_cut_only_its_own_field_is_named() -> None:
    plan = [
        new_stage("Rounds", rounds=1, games_per_round=1, deals_per_game=1, cut={"top": 4}),
        new_stage("Final", rounds=1, games_per_round=1, deals_per_game=1),
    ]
    event = make_event(8, plan=plan)
    final = first_of(event, order=2)
    assert reasons(final) == []
    gone(event, 8)
    assert reasons(final) == []
    assert reasons(first_of(event)) == [("withdrawn", "1 withdrawn", [8], "withdrawn")]


def test_whom_a_knock_out_has_beaten_the_bracket_names() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    settle(publish_next(event))
    final = first_of(event, number=2)
    candidate = draw_next(event)
    assert reasons(final, candidate) == []
    # Reserves and a withdrawn entrant are listed with their reason; beaten entrants stay unlisted.
    for name in ("Late", "Later"):
        entrants.enter_player(event_id=event.pk, name=name, reserve=True, actor=SYSTEM)
    gone(event, 4)
    assert reasons(final, candidate) == [
        ("registered", "2 not checked in", [5, 6], "registered"),
        ("withdrawn", "1 withdrawn", [4], "withdrawn"),
    ]


@pytest.mark.parametrize(
    ("players", "plan", "over", "words"),
    [
        (8, {}, 0, ""),
        (
            9,
            {},
            1,
            "1 of those present will have a bye: the tables cannot seat everyone.",
        ),
        (
            10,
            {},
            2,
            "2 of those present will have a bye: the tables cannot seat everyone.",
        ),
        (
            7,
            {"format": "pairs_swiss"},
            1,
            "1 of those present will have a bye: the tables cannot seat everyone.",
        ),
        (6, {"format": "pairs_swiss"}, 0, ""),
        (5, {"format": "ko"}, 0, ""),
        (
            11,
            {"rulebook": "three-player"},
            2,
            "2 of those present will have a bye: the tables cannot seat everyone.",
        ),
        (12, {"rulebook": "three-player"}, 0, ""),
        (11, {"rulebook": "auction-2"}, 0, ""),
        (10, {"format": "individual_movement", "drawing": {"movement": "whist"}}, 0, ""),
    ],
)
def test_how_many_the_tables_cannot_seat(
    players: int, plan: dict[str, object], over: int, words: str
) -> None:
    more = dict(plan)
    rulebook = str(more.pop("rulebook", "belgian"))
    event = event_of(players, str(more.pop("format", "individual_draw")), rulebook=rulebook, **more)
    round_ = first_of(event)
    assert (places_over(round_), will_sit_out(round_)) == (over, words)
