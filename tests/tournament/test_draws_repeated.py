"""Draws repeated by the independent checker from their request and code, and forged ones found by it."""

from __future__ import annotations

import copy
import random
from collections import Counter
from functools import cache
from itertools import combinations

import pytest

import manille_check
from tests.sampled import one_in
from tests.tournament.repeated import WAYS, Json, Way, stage


def found(rows: Json, draw: Json) -> tuple[list[str], str]:
    try:
        return manille_check.code_faults(rows, draw)
    except manille_check.Unproven as reason:
        return [], f"left: {reason}"


@pytest.mark.guide("check#repeat-the-draws")
@pytest.mark.parametrize("way", one_in(3, WAYS), ids=str)
def test_every_draw_is_repeated_or_proven(way: Way) -> None:
    held: Counter[str] = Counter()
    for seed in range(3):
        for rows, draw in stage(random.Random(f"{seed} {way}"), way):
            faults, how = found(rows, draw)
            assert faults == [], (seed, draw["request"]["round"])
            held[how.split(":")[0]] += 1
    assert held.total() > held["left"], held


@pytest.mark.guide("check#repeat-the-draws")
@pytest.mark.long
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_many_draws_are_repeated_or_proven(way: Way) -> None:
    for seed in range(3, 20):
        for rows, draw in stage(random.Random(f"{seed} {way}"), way):
            assert found(rows, draw)[0] == [], (seed, draw["request"]["round"])


LAID = [way for way in WAYS if way.format != "individual_draw"]
"""Formats of which every seat follows from the code; of the championship some tables are searched for."""


@pytest.mark.guide("check#repeat-the-draws")
@pytest.mark.parametrize("way", one_in(3, LAID), ids=str)
def test_two_players_who_trade_places_are_found(way: Way) -> None:
    lot = random.Random(str(way))
    for rows, draw in stage(random.Random(f"0 {way}"), way):
        if len(draw["tables"]) < 2 or found(rows, draw)[1].startswith("left"):
            continue
        forged = copy.deepcopy(draw)
        one, two = (table["players"] for table in lot.sample(forged["tables"], 2))
        one[0], two[-1] = two[-1], one[0]
        assert found(rows, forged)[0], draw["request"]["round"]


MOVEMENTS = [way for way in WAYS if way.format == "individual_movement"]


@pytest.mark.guide("check#repeat-the-draws")
@pytest.mark.parametrize("way", MOVEMENTS, ids=str)
def test_a_movement_whose_players_trade_places_throughout_is_found(way: Way) -> None:
    """The movement keeps every property that can be counted: only its lots tell."""
    for seed in range(9):
        rows, draw = next(stage(random.Random(f"{seed} {way}"), way), ({}, {}))
        if not draw:
            continue
        assert found(rows, draw) == ([], "every lot repeated")
        field = draw["plan"]["field"]
        trade = dict(zip(field, [*field[1:], field[0]], strict=True))
        for one in draw["plan"]["rounds"]:
            one["byes"] = [trade[who] for who in one["byes"]]
            for table in one["tables"]:
                table[2] = [trade[who] for who in table[2]]
        for table in draw["tables"]:
            table["players"] = [trade.get(who, who) for who in table["players"]]
        assert "its timetable is not the one of its code" in found(rows, draw)[0]


LARGE = (57, 76, 77, 88, 93, 100, 112, 124, 133, 141, 177)
"""Whist movements of each construction beyond the first rounds and the fields."""


@pytest.mark.parametrize("n", one_in(3, [*range(4, 50), *LARGE]))
def test_the_checker_lays_out_every_whist_movement(n: int) -> None:
    """Moore 1896: each partners each other once and opposes each twice, in 4k or 4k + 1 players."""
    rounds = manille_check.whist_places(n)
    if n % 4 > 1:
        assert rounds == []
        return
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for tables, idle in rounds:
        assert sorted([*idle, *(place for table in tables for place in table)]) == list(range(n))
        for north, east, south, west in tables:
            partners.update(map(frozenset, ((north, south), (east, west))))
            opponents.update(frozenset((a, b)) for a in (north, south) for b in (east, west))
    assert set(partners.values()) == {1}
    assert set(opponents.values()) == {2}
    assert len(partners) == len(opponents) == n * (n - 1) // 2


@pytest.mark.parametrize("tables", one_in(3, range(1, 70)))
def test_nobody_meets_twice_in_the_checker_s_forms(tables: int) -> None:
    for rounds in {1, 2, 5, tables - 1, tables, 4 * tables // 3}:
        standing = manille_check.standing(4 * tables, rounds)
        for form in filter(None, (manille_check.closed_form(4 * tables, rounds), standing)):
            met = Counter(
                frozenset(two) for one in form for table in one for two in combinations(table, 2)
            )
            assert set(met.values()) <= {1}
        assert all(table[0] == at for one in standing for at, table in enumerate(one))


@pytest.mark.guide("check#repeat-the-draws")
def test_another_code_is_found() -> None:
    """A code that was changed afterwards draws another bracket."""
    rows, draw = next(stage(random.Random(3), next(way for way in WAYS if way.format == "ko")))
    draw["request"]["seed"] = draw["seed"] = "a better one"
    assert any("bracket" in fault for fault in found(rows, draw)[0])


@pytest.mark.guide("check#repeat-the-draws")
def test_the_cheapest_matching_is_that_of_all_matchings() -> None:
    for seed in range(150):
        lot = random.Random(seed)
        nodes, most = lot.choice([2, 4, 6, 8, 10]), lot.choice([2, 5, 10**30])
        allowed = lot.choice([0.3, 0.6, 1])
        price = {
            two: lot.randrange(most)
            for two in combinations(range(nodes), 2)
            if lot.random() < allowed
        }

        @cache
        def least(
            left: frozenset[int], price: frozenset[tuple[tuple[int, int], int]]
        ) -> int | None:
            if not left:
                return 0
            known, first = dict(price), min(left)
            costs = [
                known[first, other] + rest
                for other in left
                if (first, other) in known
                and (rest := least(left - {first, other}, price)) is not None
            ]
            return min(costs, default=None)

        every = least(frozenset(range(nodes)), frozenset(price.items()))
        assert manille_check.least_matching(nodes, price) == every, seed
