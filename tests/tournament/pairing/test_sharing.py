"""Distribution of duties: the most even one over the known rounds, with entrants who come and go."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import play, players
from tournament.pairing.berger import draw_round_robin
from tournament.pairing.bounds import duty_spread_bound
from tournament.pairing.chance import Chance
from tournament.pairing.mitchell import draw_mitchell
from tournament.pairing.model import Contestant, Drawn, Kind, Odd, Request
from tournament.pairing.sharing import Shares, share
from tournament.pairing.swiss import draw_swiss
from tournament.pairing.whist import draw_whist

SOME = st.lists(
    st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True), min_size=1, max_size=6
)
COUNTS = st.dictionaries(st.integers(0, 6), st.integers(0, 3))


def evenness(tables: list[list[int]], before: dict[int, int], chosen: tuple[int, ...]) -> list[int]:
    load = {p: before.get(p, 0) for table in tables for p in table}
    for who in chosen:
        load[who] += 1
    return sorted(load.values(), reverse=True)


@pytest.mark.guide("formats#wishes")
@settings(max_examples=150, deadline=None)
@given(SOME, COUNTS)
def test_no_sharing_is_more_even(tables: list[list[int]], before: dict[int, int]) -> None:
    """Brute force over every choice: the counts, sorted from the highest, are the least possible."""
    shares = Shares(tables, before)
    shares.even_out()
    best = min(evenness(tables, before, chosen) for chosen in product(*tables))
    assert sorted(shares.load.values(), reverse=True) == best


@settings(max_examples=100, deadline=None)
@given(SOME, COUNTS, st.integers(0, 6))
def test_looking_ahead_stays_as_even_and_gives_each_table_one_of_its_own(
    tables: list[list[int]], before: dict[int, int], cut: int
) -> None:
    now, later = tables[:cut], tables[cut:]
    chosen = share(now, later, before, Chance("seed", "duties"))
    assert all(who in table for who, table in zip(chosen, now, strict=True))
    taken = tuple(who for who in chosen if who is not None)
    best = min(evenness(tables, before, every) for every in product(*tables))
    assert best == min(evenness(tables, before, (*taken, *rest)) for rest in product(*later))


def test_a_table_where_nobody_is_willing_has_no_scorekeeper() -> None:
    assert share([[], [1]], [], {}, Chance("seed", "x")) == [None, 1]


def test_nobody_has_both_duties_while_another_has_dealt_as_little() -> None:
    for seed in map(str, range(20)):
        assert share([[1, 2]], [], {}, Chance(seed, "x"), [1]) == [2]
        assert share([[1, 2]], [], {2: 1}, Chance(seed, "x"), [1]) == [1]


@pytest.mark.guide("formats#the-draw-report")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=3, max_size=9), st.data())
def test_the_bound_is_the_least_spread_of_any_seating(
    before: list[int], data: st.DataObject
) -> None:
    """Whatever the seating, each duty goes to one of the players; every choice is tried."""
    duties = data.draw(st.integers(0, len(before)))
    least = min(
        max(after) - min(after)
        for taken in product((0, 1), repeat=len(before))
        if sum(taken) == duties
        for after in [[b + t for b, t in zip(before, taken, strict=True)]]
    )
    assert duty_spread_bound(before, duties) <= least


def test_the_bound_names_what_cannot_be_even() -> None:
    assert duty_spread_bound([1, 1, 0], 0) == 1
    assert duty_spread_bound([1, 1, 0], 1) == 0
    assert duty_spread_bound([2, 0], 1) == 1
    assert duty_spread_bound([], 3) == 0


def spreads(drawn: Drawn) -> tuple[int, int]:
    certificate = drawn.certificate
    return certificate["scorekeeper_spread"].value, certificate["dealer_spread"].value


@pytest.mark.parametrize(
    ("n", "rounds", "odd"),
    [
        (544, 6, Odd.BYES),
        (32, 8, Odd.BYES),
        (36, 6, Odd.BYES),
        (45, 6, Odd.BYES),
        (546, 5, Odd.THREES),
    ],
)
def test_at_the_end_of_a_stable_stage_duties_differ_by_one_at_most(
    n: int, rounds: int, odd: Odd
) -> None:
    stage = play(players(n), rounds, kind=Kind.PARTNERS, odd=odd)
    keepers = Counter(t.scorekeeper for _, d in stage for t in d.tables)
    dealers = Counter(t.dealer for _, d in stage for t in d.tables)
    for counts in (keepers, dealers):
        each = [counts.get(i, 0) for i in range(1, n + 1)]
        assert max(each) - min(each) <= 1
        assert sum(each) == sum(len(d.tables) for _, d in stage)


def test_duties_stay_even_when_players_leave() -> None:
    rng = random.Random(7)

    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        return here if number == 1 else tuple(rng.sample(here, len(here) - 6))

    last = play(players(272), 6, kind=Kind.PARTNERS, between=between)[-1][1]
    assert max(spreads(last)) <= 1


@pytest.mark.guide("formats#wishes")
@pytest.mark.parametrize(
    "timetable",
    [
        draw_whist(players(16), "s"),
        draw_whist(players(21), "s"),
        draw_round_robin(players(9), "s"),
        draw_mitchell(players(14), 7, "s"),
    ],
    ids=["whist 16", "whist 21", "round robin", "mitchell"],
)
def test_a_whole_timetable_shares_its_duties_evenly(timetable: tuple[Drawn, ...]) -> None:
    assert max(spreads(timetable[-1])) <= 1


@pytest.mark.guide("formats#wishes")
def test_pairs_that_must_not_keep_the_score_never_do() -> None:
    field = tuple(Contestant(i, rank=i, scorekeeper=i % 2 == 0) for i in range(1, 9))
    drawn = draw_swiss(Request(field, 1, "s", kind=Kind.MATCH))
    for table in drawn.tables:
        willing = [p for p in table.players if p % 2 == 0]
        assert table.scorekeeper in willing if willing else table.scorekeeper is None
