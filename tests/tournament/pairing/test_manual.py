"""Changes by hand: the cost shown is the cost of the changed draw."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import met, play, players
from tournament.pairing.certificate import certify
from tournament.pairing.championship import draw_championship
from tournament.pairing.manual import (
    cheapest_swaps,
    move_table,
    replace_contestant,
    seat_held,
    swap,
)
from tournament.pairing.model import (
    Contestant,
    DrawRefused,
    Kind,
    Request,
    Wishes,
)
from tournament.pairing.swiss import draw_swiss
from tournament.pairing.swiss_costs import Order

STAGE = play(players(33, clubs=6), 4, kind=Kind.PARTNERS)


@pytest.mark.guide("formats#changing-a-draw-by-hand")
@settings(max_examples=15, deadline=None)
@given(st.integers(1, 33), st.integers(1, 33))
def test_a_swap_costs_what_it_says_and_back_again(one: int, two: int) -> None:
    request, drawn = STAGE[-1]
    change = swap(request, drawn, one, two)
    counted = certify(request, change.after.tables, change.after.byes).values()
    before = drawn.certificate.values()
    assert change.delta == {code: counted[code] - before[code] for code in counted}
    back = swap(request, change.after, one, two)
    assert {code: -by for code, by in back.delta.items()} == dict(change.delta)
    assert [t.players for t in back.after.tables] == [t.players for t in drawn.tables]


def test_swapping_someone_met_before_to_the_table_is_shown_as_worse() -> None:
    request, drawn = STAGE[-1]
    (a, b), _ = next(iter(request.history.meetings.items()))
    here = drawn.table_of(a)
    assert here is not None
    assert b not in here.players
    other = next(p for p in here.players if p != a)
    change = swap(request, drawn, other, b)
    assert "repeated_meetings" in change.worse


def test_swapping_with_somebody_who_sits_out() -> None:
    request, drawn = STAGE[-1]
    out, seated = drawn.byes[0], drawn.tables[0].players[0]
    change = swap(request, drawn, out, seated)
    assert change.after.byes == (seated,)
    assert out in change.after.tables[0].players


@pytest.mark.guide("formats#changing-a-draw-by-hand")
def test_the_suggested_swaps_cost_what_they_say() -> None:
    request, drawn = STAGE[-1]
    who = drawn.tables[0].players[0]
    for other, by in cheapest_swaps(request, drawn, who, limit=5):
        assert swap(request, drawn, who, other).delta["repeated_meetings"] == by


@pytest.mark.guide("formats#changing-a-draw-by-hand")
def test_moving_a_table_exchanges_numbers_and_costs_nothing() -> None:
    request, drawn = STAGE[-1]
    change = move_table(request, drawn, 1, 5)
    assert set(change.delta.values()) == {0}
    first = {t.number: t.players for t in drawn.tables}
    then = {t.number: t.players for t in change.after.tables}
    assert (then[1], then[5]) == (first[5], first[1])


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_a_replacement_takes_seat_duty_and_slot() -> None:
    request, drawn = STAGE[0]
    table = drawn.tables[2]
    old = table.scorekeeper
    assert old is not None
    change = replace_contestant(request, drawn, old, Contestant(99))
    now = next(t for t in change.after.tables if t.number == table.number)
    assert now.scorekeeper == 99
    assert now.seats == {s: 99 if p == old else p for s, p in table.seats.items()}
    assert change.after.table_of(old) is None
    keeps = replace_contestant(request, drawn, old, Contestant(99, scorekeeper=False))
    now = next(t for t in keeps.after.tables if t.number == table.number)
    assert now.scorekeeper in set(table.players) - {old}


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_an_unfinished_table_is_held_and_seated_together_afterwards() -> None:
    stage = play(players(40), 2)
    request, drawn = stage[-1]
    late = drawn.tables[4].players
    history = request.history.after(drawn.tables)
    asked = Request(
        players(40),
        3,
        "public seed",
        4,
        history=history,
        wishes=Wishes(held=frozenset(late)),
        slots=drawn.slots,
    )
    third = draw_championship(asked)
    assert third.held == tuple(sorted(late))
    assert not {p for t in third.tables for p in t.players} & set(late)
    change = seat_held(asked, third, late, 40)
    assert change.after.held == ()
    assert change.delta["repeated_meetings"] == 6
    assert sum(met(change.after.tables).values()) == 60


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda r, d: swap(r, d, 1, 500), "unknown"),
        (lambda r, d: move_table(r, d, 500, 1), "unknown"),
        (lambda r, d: replace_contestant(r, d, 500, Contestant(501)), "unknown"),
        (lambda r, d: replace_contestant(r, d, 1, Contestant(2)), "twice"),
        (lambda r, d: seat_held(r, d, [1], 50), "unknown"),
        (lambda r, d: seat_held(r, d, d.byes, 1), "table_taken"),
        (lambda r, d: seat_held(r, d, d.byes, 50), "size"),
    ],
)
def test_changes_that_make_no_sense_are_refused(act, code: str) -> None:
    request, drawn = STAGE[-1]
    with pytest.raises(DrawRefused) as refused:
        act(request, drawn)
    assert refused.value.code == code


def test_a_swiss_match_changed_by_hand_is_weighed_against_the_optimum() -> None:
    field = tuple(Contestant(i, rank=i) for i in range(1, 9))
    request = Request(field, 1, "s", kind=Kind.MATCH)
    drawn = draw_swiss(request, Order.NEIGHBOURS)
    change = swap(request, drawn, 2, 3)
    # 1–3 and 2–4 instead of 1–2 and 3–4: each one place off, squared.
    assert change.delta["order_deviation"] == 2
    assert change.after.certificate["order_deviation"].bound == 0
