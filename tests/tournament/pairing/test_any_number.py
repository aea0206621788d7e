"""Every format with every number from 3 to 60, byes through comings and goings, and small optima by brute force."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import players
from tests.tournament.pairing.test_table_bounds import seatings
from tournament.drawing.formats import FORMATS, draw
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Before, Spec
from tournament.pairing import widening
from tournament.pairing.championship import draw_championship
from tournament.pairing.matching import cheapest_matching
from tournament.pairing.model import Contestant, Drawn, DrawRefused, History, Kind, Request
from tournament.pairing.swiss import allowed_pairs
from tournament.pairing.swiss_costs import costing

#: Why a format may refuse a number, with a reason for people.
NUMBER = {"number", "too_few"}


def drawn_or_refused(spec: Spec) -> tuple[Drawn | None, DrawRefused | None]:
    try:
        return draw(spec).drawn, None
    except DrawRefused as refusal:
        return None, refusal


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(FORMATS)),
    st.integers(3, 60),
    st.sampled_from(["byes", "threes"]),
    st.sampled_from(["rainbow", "whist"]),
    st.booleans(),
    st.integers(3, 7),
)
def test_every_number_sits_or_sits_out_or_is_refused_with_a_reason(
    form: str, n: int, odd: str, movement: str, alone: bool, size: int
) -> None:
    kind = Kind.MATCH if FORMATS[form].pairs else Kind.SOLO if alone else Kind.PARTNERS
    rules = {"odd": odd, "movement": movement}
    players_of = (3, 4, 5, 6, 7) if kind is Kind.SOLO else (4,)
    spec = Spec(
        form, read_rules(rules), kind, players(n), 1, 1, "seed", players=players_of, size=size
    )
    drawn, refusal = drawn_or_refused(spec)
    if refusal is not None:
        if refusal.code == "nothing_counts":
            # Six and nine are seated with byes instead.
            assert (odd, n in (3, 6, 9)) == ("threes", True)
            return
        assert refusal.code in {*NUMBER, "kind"}
        assert all(
            [refusal.reason.render("en"), refusal.reason.render("fr"), refusal.reason.render("nl")]
        )
        assert form == "individual_movement" or n < 4
        return
    assert drawn is not None
    seated = [p for t in drawn.tables for p in t.players]
    assert sorted([*seated, *drawn.byes]) == list(range(1, n + 1))
    allowed = {2} if kind is Kind.MATCH else {3, 4, 5, 6, 7} if kind is Kind.SOLO else {3, 4}
    sizes = {len(t.players) for t in drawn.tables}
    assert sizes <= allowed
    if kind is Kind.SOLO:
        assert not drawn.byes
        assert max(sizes) - min(sizes) <= 1
    elif 3 in sizes:
        assert odd == "threes"
        assert sum(len(t.players) == 3 for t in drawn.tables) <= 3
    for line in drawn.certificate.lines:
        assert line.value >= line.bound or not line.proven


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@settings(max_examples=5, deadline=None)
@given(st.data())
def test_nobody_sits_out_again_while_somebody_there_has_sat_out_less(data: st.DataObject) -> None:
    """With withdrawals, late entries and returns."""
    form = data.draw(st.sampled_from(["individual_draw", "pairs_swiss", "random"]))
    kind = Kind.MATCH if FORMATS[form].pairs else Kind.PARTNERS
    everybody = players(data.draw(st.integers(9, 13)))
    here = set(range(1, len(everybody) - 1))
    before: tuple[Before, ...] = ()
    byes = dict.fromkeys(range(1, len(everybody) + 1), 0)
    slots: tuple[int, ...] = ()
    for number in range(1, 5):
        field = tuple(c for c in everybody if c.id in here)
        drawn = draw(
            Spec(form, read_rules({}), kind, field, number, 4, "seed", before, slots=slots)
        ).drawn
        out = set(drawn.byes)
        assert len(out) == len(here) % (2 if kind is Kind.MATCH else 4)
        for p in out:
            assert all(byes[p] <= byes[q] for q in here - out)
        for p in out:
            byes[p] += 1
        before, slots = (*before, Before(drawn.tables, drawn.byes)), drawn.slots
        change = data.draw(st.sets(st.integers(1, len(everybody)), max_size=2))
        here = here ^ change if len(here ^ change) >= 8 else here


def least_repeats(n: int, met: dict[tuple[int, int], int]) -> tuple[int, int]:
    """Return the least number of pairs that meet again, then of their earlier meetings."""
    every = seatings(frozenset(range(1, n + 1)), (4,) * (n // 4))
    times = ([met.get(two, 0) for g in seating for two in combinations(g, 2)] for seating in every)
    return min((sum(1 for x in counts if x), sum(counts)) for counts in times)


@pytest.mark.parametrize(("n", "share"), [(8, 0.3), (8, 0.6), (8, 0.9), (12, 0.35), (12, 0.6)])
def test_the_search_reaches_the_optimum_over_every_seating(n: int, share: float) -> None:
    for seed in range(2):
        rng = np.random.default_rng(seed)
        met = {
            two: int(rng.integers(1, 3))
            for two in combinations(range(1, n + 1), 2)
            if rng.random() < share
        }
        history = History(meetings=met, rounds=dict.fromkeys(range(1, n + 1), 2))
        request = Request(players(n), 3, str(seed), 3, Kind.ROTATION, history=history)
        drawn = draw_championship(request)
        times = [
            met.get((min(a, b), max(a, b)), 0)
            for t in drawn.tables
            for a, b in combinations(t.players, 2)
        ]
        assert (sum(1 for x in times if x), sum(times)) == least_repeats(n, met)


def test_a_sparse_graph_that_proves_nothing_is_widened_until_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Forty players with equal scores; each has met all players 12 to 28 places below: the ideal is 20 below.
    n = 40
    met = {(a, b): 1 for a, b in combinations(range(1, n + 1), 2) if 12 <= b - a <= 28}
    field = tuple(Contestant(i, rank=i) for i in range(1, n + 1))
    history = History(opponents=met, meetings=met)
    cost = costing(Request(field, 2, "s", kind=Kind.MATCH, history=history))
    left, right = allowed_pairs(cost)
    solved: list[int] = []

    def counted(nodes: int, i: Any, j: Any, costs: Any) -> Any:
        solved.append(len(costs))
        return cheapest_matching(nodes, i, j, costs)

    monkeypatch.setattr(widening, "cheapest_matching", counted)
    found = widening.proven_matching(cost, left, right)
    assert found is not None
    assert len(solved) > 1
    assert solved == sorted(solved)
    prices = cost.combine(cost.terms(left, right))
    price = dict(zip(zip(left.tolist(), right.tolist(), strict=True), prices, strict=True))
    whole = cheapest_matching(n, left, right, prices)
    assert whole is not None
    assert sum(price[m] for m in found) == sum(price[m] for m in whole)
