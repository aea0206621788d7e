"""Mitchell, Berger, pools, knock-out, lots, stages, rotations and the auction tables."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import met, players
from tournament.pairing.berger import berger_rounds, draw_round_robin
from tournament.pairing.knockout import draw_knockout, seed_places
from tournament.pairing.lots import group_sizes, lots_into_groups
from tournament.pairing.mitchell import draw_mitchell, longest_mitchell
from tournament.pairing.model import Contestant, DrawRefused, History, Kind, Request
from tournament.pairing.pools import draw_pools, main_and_consolation
from tournament.pairing.solo import draw_solo, solo_sizes


def test_the_berger_table_of_six_is_the_published_one() -> None:
    # FIDE Handbook C.05, annex 1, Berger tables, 5 or 6 players.
    assert berger_rounds(6) == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]


@pytest.mark.guide("formats#table-of-formats")
@settings(deadline=None)
@given(st.integers(2, 25))
def test_a_round_robin_meets_everybody_once_and_byes_go_round(n: int) -> None:
    drawn = draw_round_robin(players(n), "seed")
    assert met(t for d in drawn for t in d.tables) == dict.fromkeys(
        combinations(range(1, n + 1), 2), 1
    )
    byes = Counter(b for d in drawn for b in d.byes)
    assert set(byes.values()) == ({1} if n % 2 else set())
    first = Counter(t.players[0] for d in drawn for t in d.tables)
    assert max(first.values()) - min(first.get(i, 0) for i in range(1, n + 1)) <= 1


def test_a_double_round_robin_exchanges_sides() -> None:
    drawn = draw_round_robin(players(6), "seed", twice=True)
    assert len(drawn) == 10
    assert set(Counter(t.players for d in drawn for t in d.tables).values()) == {1}


@pytest.mark.guide("director#which-format-when", "formats#table-of-formats")
@pytest.mark.parametrize("n", [6, 7, 8, 14, 15, 28, 29])
def test_a_mitchell_meets_nobody_twice_and_north_stays(n: int) -> None:
    rounds = longest_mitchell(n)
    drawn = draw_mitchell(players(n), rounds, "seed")
    assert max(met(t for d in drawn for t in d.tables).values()) == 1
    north = [{t.number: t.players[0] for t in d.tables} for d in drawn]
    for number in north[0]:
        assert len({one[number] for one in north if number in one}) == 1
    with pytest.raises(DrawRefused):
        draw_mitchell(players(n), rounds + 1, "seed")


def test_east_west_move_up_one_table() -> None:
    one, two = draw_mitchell(players(10), 2, "seed")
    before = {t.players[1]: t.number for t in one.tables}
    after = {t.players[1]: t.number for t in two.tables}
    assert all((after[p] - before[p]) % 5 == 1 for p in before)


@pytest.mark.guide("formats#table-of-formats")
@settings(deadline=None)
@given(st.integers(2, 70), st.data())
def test_knockout_byes_go_to_the_best_and_the_tree_ends_with_one(
    n: int, data: st.DataObject
) -> None:
    field = tuple(Contestant(i, rating=1000 - i) for i in range(1, n + 1))
    seeds = data.draw(st.integers(0, n))
    bracket = draw_knockout(field, "seed", seeds=seeds)
    byes = len(bracket.places) - n
    assert len(bracket.byes()) == byes
    assert set(bracket.byes()) >= set(range(1, min(seeds, byes) + 1))
    winners: dict[tuple[int, int], int] = {}
    played = 0
    for number in range(1, bracket.rounds + 1):
        for t in bracket.round_tables(number, winners):
            winners[number, t.number] = min(t.players)
            played += 1
    assert played == n - 1
    assert winners[bracket.rounds, 1] == 1
    assert len(bracket.losers(bracket.rounds, winners)) == 1


@pytest.mark.guide("formats#table-of-formats")
def test_fully_seeded_favourites_meet_as_late_as_possible() -> None:
    assert seed_places(4) == [1, 4, 2, 3]
    field = tuple(Contestant(i, rating=100 - i) for i in range(1, 17))
    bracket = draw_knockout(field, "seed", seeds=16)
    winners: dict[tuple[int, int], int] = {}
    left = []
    for number in range(1, 5):
        tables = bracket.round_tables(number, winners)
        left.append(sorted(p for t in tables for p in t.players))
        for t in tables:
            winners[number, t.number] = min(t.players)
    assert left == [list(range(1, 17)), list(range(1, 9)), [1, 2, 3, 4], [1, 2]]


@pytest.mark.guide("formats#wishes")
def test_clubmates_do_not_meet_in_the_first_round_of_a_knockout() -> None:
    field = tuple(Contestant(i, club=f"c{i % 4}") for i in range(32))
    field = tuple(Contestant(c.id + 1, club=c.club) for c in field)
    clubs = {c.id: c.club for c in field}
    for t in draw_knockout(field, "any").round_tables(1, {}):
        assert clubs[t.players[0]] != clubs[t.players[1]]


def test_a_knockout_of_one_is_refused() -> None:
    with pytest.raises(DrawRefused):
        draw_knockout(players(1), "seed")
    with pytest.raises(ValueError, match="power of two"):
        seed_places(6)


@pytest.mark.guide("director#which-format-when", "formats#table-of-formats")
@settings(max_examples=30, deadline=None)
@given(st.integers(2, 60), st.integers(2, 9))
def test_lots_spread_clubs_as_evenly_as_their_number_allows(n: int, clubs: int) -> None:
    sizes = group_sizes(n, 4)
    assert sum(sizes) == n
    groups = lots_into_groups(players(n, clubs), sizes, "seed")
    assert [len(g) for g in groups] == sizes
    assert sorted(c.id for g in groups for c in g) == list(range(1, n + 1))
    if clubs >= max(sizes) + 3:
        for g in groups:
            assert max(Counter(c.club for c in g).values()) <= 2


def test_lots_refuse_sizes_that_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="add up"):
        lots_into_groups(players(5), [4], "seed")


@pytest.mark.guide("formats#table-of-formats", "formats#wishes")
def test_pools_then_main_and_consolation() -> None:
    field = tuple(Contestant(i, club=f"c{i % 8}", rating=100 - i) for i in range(1, 33))
    pools = draw_pools(field, "seed", seeds=8)
    assert [len(p.members) for p in pools] == [4] * 8
    assert all(sum(1 for m in p.members if m <= 8) == 1 for p in pools)
    for p in pools:
        assert met(t for d in p.rounds for t in d.tables) == dict.fromkeys(
            combinations(sorted(p.members), 2), 1
        )
    people = {c.id: c for c in field}
    rankings = [[people[m] for m in p.members] for p in pools]
    main, consolation = main_and_consolation(rankings, "seed")
    assert main is not None
    assert consolation is not None
    assert sorted(p for p in main.places if p) == sorted(m for p in pools for m in p.members[:2])
    assert sorted(p for p in consolation.places if p) == sorted(
        m for p in pools for m in p.members[2:]
    )
    pool_of = {m: p.number for p in pools for m in p.members}
    half = len(main.places) // 2
    for places in (main.places[:half], main.places[half:]):
        assert len({pool_of[p] for p in places if p}) == len([p for p in places if p])


@pytest.mark.guide("formats#table-of-formats")
def test_the_best_seconds_of_the_pools_go_to_the_main_draw() -> None:
    # D.1, Roeselare: "15 pool winners and the best second" make sixteen.
    field = tuple(Contestant(i, rank=i) for i in range(1, 61))
    pools = [[field[k], field[15 + (7 * k) % 15], *field[30 + k :: 15]] for k in range(15)]
    first = next(pool[0].id for pool in pools if pool[1].id == 16)
    for seed in range(20):
        main, consolation = main_and_consolation(pools, str(seed), main=1, best_next=1)
        assert main is not None
        assert consolation is not None
        assert sorted(p for p in main.places if p is not None) == list(range(1, 17))
        assert None not in main.places
        assert len([p for p in consolation.places if p is not None]) == 44
        half = main.places[:8]
        assert (16 in half) != (first in half)


def test_seconds_level_in_the_stage_are_drawn_by_lot() -> None:
    pools = [[Contestant(10 * k + i, rank=i) for i in (1, 2, 3)] for k in range(3)]
    through = set()
    for seed in range(20):
        main, _lower = main_and_consolation(pools, str(seed), main=1, best_next=1)
        assert main is not None
        places = {p for p in main.places if p is not None}
        assert places >= {1, 11, 21}
        through |= places - {1, 11, 21}
    assert through == {2, 12, 22}


@pytest.mark.guide("formats#table-of-formats")
@settings(deadline=None)
@given(st.integers(3, 80), st.integers(3, 7))
def test_auction_tables_hold_three_to_seven(n: int, size: int) -> None:
    sizes = solo_sizes(n, size)
    assert sum(sizes) == n
    assert all(3 <= s <= 7 for s in sizes)
    assert max(sizes) - min(sizes) <= 1


def test_solo_rounds_spread_meetings_and_refuse_two_players() -> None:
    history = History()
    tables = []
    for number in range(1, 5):
        drawn = draw_solo(Request(players(25), number, "seed", kind=Kind.SOLO, history=history), 5)
        assert sorted(p for t in drawn.tables for p in t.players) == list(range(1, 26))
        tables += drawn.tables
        history = history.after(drawn.tables)
    assert sum(v - 1 for v in met(tables).values()) <= 12
    with pytest.raises(DrawRefused):
        draw_solo(Request(players(2), 1, "seed", kind=Kind.SOLO), 3)
