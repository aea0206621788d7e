"""Random draws: the frequency of meetings, counted over many draw codes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from math import comb
from pathlib import Path

import pytest

from tests.tournament.pairing.hall import chi_squared, met, mostly_below, players
from tournament.drawing import formats
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Spec, long_table, spec_from_json
from tournament.pairing.lots import group_sizes, lots_into_groups
from tournament.pairing.model import Contestant, Kind, Wishes
from tournament.pairing.pools import draw_pools

CODES = 1_000
OF_1_0_0 = json.loads((Path(__file__).parent / "data" / "lots_of_1_0_0.json").read_text("utf-8"))


def by_lot(field: tuple[Contestant, ...], kind: Kind, code: int, clubs_apart: int = 0) -> Spec:
    wishes = Wishes(clubs_apart_until=clubs_apart)
    return Spec("random", read_rules({}), kind, field, 1, 1, f"code {code}", wishes=wishes)


def meetings(specs: Iterable[Spec]) -> Counter[tuple[int, int]]:
    counted: Counter[tuple[int, int]] = Counter()
    for spec in specs:
        counted += met(formats.draw(spec).drawn.tables)
    return counted


@pytest.mark.guide("formats#repeating-a-draw")
def test_by_lot_every_pair_of_eight_meets_every_other_equally_often() -> None:
    counts = meetings(by_lot(players(8), Kind.MATCH, code) for code in range(CODES))
    assert len(counts) == comb(8, 2)
    assert chi_squared(counts, comb(8, 2), sum(counts.values())) < mostly_below(comb(8, 2) - 1)


@pytest.mark.parametrize(
    ("n", "kind"), [(16, Kind.MATCH), (16, Kind.PARTNERS), (16, Kind.ROTATION)]
)
def test_by_lot_everybody_can_meet_everybody(n: int, kind: Kind) -> None:
    counts = meetings(by_lot(players(n), kind, code) for code in range(CODES))
    assert len(counts) == comb(n, 2)
    assert chi_squared(counts, comb(n, 2), sum(counts.values())) < mostly_below(comb(n, 2) - 1)


def test_by_lot_eight_clubs_of_one_pair_are_no_order_either() -> None:
    field = tuple(Contestant(k, club=f"club {k}") for k in range(1, 9))
    counts = meetings(by_lot(field, Kind.MATCH, code, 9) for code in range(CODES))
    assert len(counts) == comb(8, 2)
    assert chi_squared(counts, comb(8, 2), sum(counts.values())) < mostly_below(comb(8, 2) - 1)


@pytest.mark.guide("formats#repeating-a-draw")
def test_clubs_kept_apart_leave_every_other_match_equally_likely() -> None:
    # Of 105 ways to match eight, 78 contain neither 1–2 nor 3–4: each of them is one in 78.
    field = tuple(
        Contestant(k, club={1: "A", 2: "A", 3: "B", 4: "B"}.get(k, "")) for k in range(1, 9)
    )
    drawn: Counter[frozenset[frozenset[int]]] = Counter()
    for code in range(CODES):
        tables = formats.draw(by_lot(field, Kind.MATCH, code, 9)).drawn.tables
        drawn[frozenset(frozenset(table.players) for table in tables)] += 1
    assert len(drawn) == 78
    assert chi_squared(drawn, 78, CODES) < mostly_below(77)


def test_who_sits_out_by_lot_is_anybody() -> None:
    out = Counter(
        formats.draw(by_lot(players(9), Kind.MATCH, code)).drawn.byes[0] for code in range(CODES)
    )
    assert chi_squared(out, 9, CODES) < mostly_below(8)


@pytest.mark.guide("formats#repeating-a-draw")
def test_pools_of_eight_pairs_come_in_all_35_groupings() -> None:
    drawn = Counter(
        frozenset(frozenset(pool.members) for pool in draw_pools(players(8), f"code {code}"))
        for code in range(CODES)
    )
    assert len(drawn) == 35
    assert chi_squared(drawn, 35, CODES) < mostly_below(34)


def test_seeded_pairs_have_a_pool_each_and_the_others_come_by_lot() -> None:
    field = tuple(Contestant(k, rating=100 - k if k <= 2 else 0) for k in range(1, 9))
    drawn: Counter[frozenset[int]] = Counter()
    for code in range(CODES):
        one, two = draw_pools(field, f"code {code}", seeds=2)
        assert {1, 2}.isdisjoint(one.members) is False
        assert len({1, 2} & set(two.members)) == 1
        drawn[frozenset(one.members if 1 in one.members else two.members) - {1}] += 1
    assert len(drawn) == comb(6, 3)
    assert chi_squared(drawn, comb(6, 3), CODES) < mostly_below(comb(6, 3) - 1)


@pytest.mark.parametrize(("n", "clubs"), [(544, 4), (544, 2), (128, 10), (61, 3), (18, 5), (9, 2)])
def test_clubs_are_spread_to_the_fewest_clashes_there_can_be(n: int, clubs: int) -> None:
    sizes = group_sizes(n, 4)
    groups = lots_into_groups(players(n, clubs), sizes, "code")
    assert [len(group) for group in groups] == sizes
    assert sorted(c.id for group in groups for c in group) == list(range(1, n + 1))
    for club in {c.club for c in players(n, clubs)}:
        here = [sum(c.club == club for c in group) for group in groups]
        assert max(here) - min(here) <= 1, club


@pytest.mark.guide("formats#repeating-a-draw")
@pytest.mark.parametrize("kept", OF_1_0_0, ids=lambda kept: kept["movement"])
def test_lots_of_1_0_0_are_drawn_again_as_they_were(kept: dict) -> None:
    outcome = formats.draw(spec_from_json(kept["request"]))
    assert outcome.drawn.tables == tuple(long_table(row) for row in kept["tables"])
    assert list(outcome.drawn.byes) == kept["byes"]
    assert outcome.plan.get("pools", []) == kept["pools"]
