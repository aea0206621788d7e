"""Whole days: 544 players with withdrawals, late players and returns; long Swiss tournaments."""

from __future__ import annotations

import random
from collections import Counter

import networkx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import met, play, players
from tournament.pairing.columns import longest, plan_for
from tournament.pairing.model import Contestant, History, Kind, Odd, Request, Table, Wishes
from tournament.pairing.swiss import (
    WIDEN_FROM,
    allowed_pairs,
    draw_swiss,
    swiss_matching,
)
from tournament.pairing.swiss_costs import ByeFor, Order, costing
from tournament.pairing.widening import proven_matching

pytestmark = pytest.mark.long


@pytest.mark.parametrize("odd", list(Odd))
@pytest.mark.parametrize("kind", [Kind.PARTNERS, Kind.ROTATION])
def test_a_day_of_544_with_comings_and_goings_never_meets_twice(kind: Kind, odd: Odd) -> None:
    rng = random.Random(544)
    away: list[Contestant] = []

    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        if number == 1:
            return here
        now = list(here)
        back, away[:] = away[:2], away[2:]
        for _ in range(7):
            away.append(now.pop(rng.randrange(len(now))))
        return (*now, *back, *(Contestant(1000 * number + k, club="late") for k in range(3)))

    wishes = Wishes(
        clubs_apart_until=3,
        bans=frozenset((k, k + 7) for k in range(1, 400, 13)),
    )
    stage = play(players(544, clubs=32), 8, kind=kind, odd=odd, wishes=wishes, between=between)
    total = met(t for _, drawn in stage for t in drawn.tables)
    assert max(total.values()) == 1
    assert not set(total) & wishes.bans
    for request, drawn in stage:
        if request.round_no <= 3:
            assert drawn.certificate["club_clashes"].value == 0
        assert drawn.certificate["byes_repeated"].optimal
    byes = Counter(b for _, drawn in stage for b in drawn.byes)
    assert max(byes.values(), default=0) <= 1
    everywhere = {c.id for c in stage[-1][0].contestants if c.id <= 544}
    keepers = Counter(t.scorekeeper for _, d in stage for t in d.tables)
    assert max(keepers[i] for i in everywhere) <= 4


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_day_seats_everybody_and_keeps_bans(data: st.DataObject) -> None:
    n = data.draw(st.integers(24, 160))
    rounds = data.draw(st.integers(2, 7))
    kind = data.draw(st.sampled_from([Kind.PARTNERS, Kind.ROTATION]))
    odd = data.draw(st.sampled_from(Odd))
    seed = data.draw(st.text(max_size=8))
    rng = random.Random(data.draw(st.integers(0, 1000)))

    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        if number == 1 or len(here) < 8:
            return here
        now = list(here)
        for _ in range(rng.randrange(4)):
            now.pop(rng.randrange(len(now)))
        return (*now, *(Contestant(1000 * number + k) for k in range(rng.randrange(3))))

    wishes = Wishes(bans=frozenset({(1, 2), (3, 4)}), clubs_apart_until=1)
    stage = play(
        players(n, clubs=max(2, n // 5)),
        rounds,
        kind=kind,
        odd=odd,
        seed=seed,
        wishes=wishes,
        between=between,
    )
    for _, drawn in stage:
        assert drawn.certificate["bans_broken"].value == 0
        for line in drawn.certificate.lines:
            assert line.value >= line.bound
    if n >= 60:
        assert max(met(t for _, d in stage for t in d.tables).values()) == 1


@pytest.mark.guide("formats#how-many-rounds-without-a-second-meeting")
def test_every_closed_form_up_to_400_players_to_its_last_round() -> None:
    for n in range(16, 201, 4):
        rounds = min(longest(n), 24)
        plan = plan_for(n, rounds)
        assert plan is not None
        tables = [Table(1, Kind.ROTATION, t) for one in plan for t in one]
        assert max(met(tables).values()) == 1
        for one in plan:
            assert sorted(s for t in one for s in t) == list(range(n))


@pytest.mark.parametrize(("n", "rounds"), [(272, 9), (271, 9)])
@pytest.mark.parametrize("order", list(Order))
def test_a_swiss_day_has_no_rematch_and_fair_byes(n: int, rounds: int, order: Order) -> None:
    rng = random.Random(n)
    score = dict.fromkeys(range(1, n + 1), 0)
    history, tables = History(), []
    for number in range(1, rounds + 1):
        field = tuple(Contestant(i, score=s, club=f"c{i % 30}") for i, s in score.items())
        request = Request(
            field,
            number,
            "day",
            kind=Kind.MATCH,
            history=history,
            wishes=Wishes(clubs_apart_until=3),
        )
        drawn = draw_swiss(request, order)
        assert drawn.certificate["club_clashes"].value == 0
        for t in drawn.tables:
            won = rng.choice((0, 1, 2))
            score[t.players[0]] += won
            score[t.players[1]] += 2 - won
        for b in drawn.byes:
            score[b] += 2
        tables += drawn.tables
        history = history.after(drawn.tables, drawn.byes)
    assert max(met(tables).values()) == 1
    assert max(history.byes.values(), default=0) <= 1


@pytest.mark.guide("formats#the-cost-of-a-swiss-round")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_what_a_large_round_is_proven_on_is_the_optimum_of_networkx(data: st.DataObject) -> None:
    """From 100 entrants on, a round is solved on few pairs; another library solves it on all of them."""
    n = data.draw(st.integers(WIDEN_FROM, WIDEN_FROM + 40))
    rng = random.Random(data.draw(st.integers(0, 10_000)))
    groups = data.draw(st.sampled_from([1, 2, 7, 20, n]))
    big = data.draw(st.sampled_from([0, n // 2 + 9]))
    field = tuple(
        Contestant(
            k, score=rng.randrange(groups), club="big" if k <= big else f"c{rng.randrange(12)}"
        )
        for k in range(1, n + 1)
    )
    met = Counter(
        tuple(sorted(rng.sample(range(1, n + 1), 2)))
        for _ in range(data.draw(st.sampled_from([0, 2 * n, 6 * n])))
    )
    byes = dict.fromkeys(rng.sample(range(1, n + 1), data.draw(st.integers(0, n - 1))), 1)
    request = Request(
        field,
        2,
        "s",
        kind=Kind.MATCH,
        history=History(opponents=met, meetings=met, byes=byes),
        wishes=Wishes(
            clubs_apart_until=data.draw(st.sampled_from([0, 9])),
            bans=frozenset((k, k + 1) for k in range(1, n, 9)),
        ),
    )
    cost = costing(request, data.draw(st.sampled_from(Order)), data.draw(st.sampled_from(ByeFor)))
    left, right = allowed_pairs(cost)
    prices = cost.combine(cost.terms(left, right))
    top = max(prices) + 1
    graph = networkx.Graph()
    graph.add_weighted_edges_from(
        (a, b, top - price)
        for a, b, price in zip(left.tolist(), right.tolist(), prices, strict=True)
    )
    theirs = networkx.max_weight_matching(graph, maxcardinality=True)
    ours = swiss_matching(cost)
    assert len(ours) == len(theirs) == (n + 1) // 2
    assert sum(top - graph[a][b]["weight"] for a, b in ours) == sum(
        top - graph[a][b]["weight"] for a, b in theirs
    )


def test_a_thousand_pairs_are_proven_on_few_pairs() -> None:
    rng = random.Random(1)
    field = tuple(Contestant(i, rank=i, score=rng.randrange(9)) for i in range(1, 1001))
    cost = costing(Request(field, 5, "s", kind=Kind.MATCH))
    left, right = allowed_pairs(cost)
    found = proven_matching(cost, left, right)
    assert found is not None
    assert sorted(p for two in found for p in two) == list(range(1000))
