"""Closed forms: every one counted, pair by pair, from its tables."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import met, players
from tournament.pairing.columns import (
    BASE,
    FOUND,
    linear_coefficients,
    longest,
    plan_for,
    standing_longest,
    standing_plan,
)
from tournament.pairing.fields import field_of, prime_power
from tournament.pairing.model import DrawRefused
from tournament.pairing.whist import draw_rainbow


def nobody_twice(n: int, rounds: int) -> None:
    plan = plan_for(n, rounds)
    assert plan is not None
    assert len(plan) == rounds
    seen: set[tuple[int, int]] = set()
    for one in plan:
        assert sorted(s for table in one for s in table) == list(range(n))
        for table in one:
            assert len(table) == 4
            for two in combinations(sorted(table), 2):
                assert two not in seen
                seen.add(two)


@pytest.mark.parametrize("n", [32, 36, 44, 64, 100, 200, 400, 544, 576, 1000])
@pytest.mark.parametrize("rounds", [5, 6, 7, 8])
def test_championship_fields_never_meet_twice(n: int, rounds: int) -> None:
    nobody_twice(n, rounds)


@pytest.mark.guide("formats#how-many-rounds-without-a-second-meeting")
@pytest.mark.parametrize(("n", "rounds"), [(16, 5), (20, 5), (24, 7), (28, 9), (40, 10), (64, 21)])
def test_small_fields_reach_their_longest_stage(n: int, rounds: int) -> None:
    nobody_twice(n, rounds)


@pytest.mark.guide("formats#how-many-rounds-without-a-second-meeting")
def test_sixteen_twentyeight_and_sixtyfour_meet_everybody_exactly_once() -> None:
    # An affine plane of order 4, a 2-(28,4,1) and AG(3,4) as resolved designs: (n - 1)/3 rounds.
    for n in (16, 28, 64):
        assert longest(n) == (n - 1) // 3


@pytest.mark.parametrize("m", sorted(FOUND))
def test_every_stored_set_of_shifts_holds_to_its_last_round(m: int) -> None:
    nobody_twice(4 * m, len(FOUND[m][1]))


@pytest.mark.parametrize("n", sorted(BASE))
def test_every_stored_base_round_holds_to_its_last_turn(n: int) -> None:
    nobody_twice(n, BASE[n][0])


@pytest.mark.guide("formats#how-many-rounds-without-a-second-meeting")
@settings(deadline=None)
@given(st.integers(7, 60), st.integers(1, 8))
def test_every_multiple_of_four_from_28_has_a_form_for_eight_rounds(m: int, rounds: int) -> None:
    nobody_twice(4 * m, rounds)


@pytest.mark.guide("formats#table-of-formats")
def test_the_rainbow_is_the_linear_form_one_two_minus_two() -> None:
    # E35: North stays, South +1, East +2, West -2, a prime number of tables.
    assert linear_coefficients(136, 6) == (1, 2, 3)
    drawn = draw_rainbow(players(28), 7, "seed")
    where = [{p: t.number for t in d.tables for p in t.players} for d in drawn]
    for t in drawn[0].tables:
        n, e, s, w = t.players
        first, second = where[0], where[1]
        assert second[n] == first[n]
        assert (second[s] - first[s]) % 7 == 1
        assert (second[e] - first[e]) % 7 == 2
        assert (second[w] - first[w]) % 7 == 5
    assert max(met(t for d in drawn for t in d.tables).values()) == 1


def test_a_rainbow_for_a_number_without_one_is_refused() -> None:
    with pytest.raises(DrawRefused) as refused:
        draw_rainbow(players(18), 3, "seed")
    assert refused.value.code == "number"


def test_no_form_is_claimed_where_none_can_be() -> None:
    assert plan_for(16, 6) is None  # 18 meetings among 15 others
    assert plan_for(18, 1) is None
    assert plan_for(0, 1) is None
    assert plan_for(8, 2) is None


@pytest.mark.parametrize("q", [4, 8, 9, 16, 25, 27, 32, 49, 11])
def test_fields_obey_the_laws(q: int) -> None:
    f = field_of(q)
    assert f is not None
    for a in range(q):
        assert sorted(f.add(a, b) for b in range(q)) == list(range(q))
        assert f.sub(f.add(a, 3 % q), 3 % q) == a
        if a:
            assert sorted(f.mul(a, b) for b in range(q)) == list(range(q))
    for a in range(0, q, 2):
        for b in range(q):
            for c in (1, q - 1, q // 2):
                assert f.mul(a, f.add(b, c)) == f.add(f.mul(a, b), f.mul(a, c))
                assert f.mul(a, f.mul(b, c)) == f.mul(f.mul(a, b), c)


def test_numbers_that_are_no_prime_power_have_no_field() -> None:
    assert field_of(12) is None
    assert prime_power(1) is None


@pytest.mark.parametrize("n", range(4, 204, 4))
def test_the_north_of_a_rainbow_stays_at_his_table(n: int) -> None:
    rounds = standing_longest(n)
    assert rounds >= (4 if n >= 16 else 1)
    plan = standing_plan(n, rounds)
    assert plan is not None
    seen: set[tuple[int, ...]] = set()
    for one in plan:
        assert [table[0] for table in one] == list(range(n // 4))
        assert sorted(s for table in one for s in table) == list(range(n))
        for table in one:
            for two in combinations(sorted(table), 2):
                assert two not in seen
                seen.add(two)
    assert standing_plan(n, rounds + 1) is None
