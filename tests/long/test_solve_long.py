"""The double-dummy solver against plain minimax and alpha-beta, with thousands of cases.

Whole deals are also compared with themselves under every renaming without effect.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from benchmarks.solver import plain_alpha_beta, random_position
from scoring.engine.cards import NO_TRUMP, cards_of, format_card, mask_of
from scoring.engine.solve import BLIND_LIMIT, solve
from tests.scoring.minimax import GAMES, endings, expected, position
from tests.scoring.test_solve import play

pytestmark = pytest.mark.long

RULEBOOKS = (
    ("parlee", {}),
    ("boussac", {"must_ruff_over_partner": True}),
    ("chaloupee", {}),
    ("chaloupee", {"must_ruff_over_partner": True, "under_ruff": "FORBIDDEN"}),
    ("coinchee", {}),
    ("coinchee", {"cut_rule": "LITERAL_003", "nt_beat": False}),
    ("belgian", {}),
    ("muette", {}),
    ("muette", {"muette_ruff": "ALWAYS"}),
    ("muette", {"muette_ruff": "OPPONENT_MASTER"}),
    ("parlee-limited", {}),
    ("three-player", {}),
    ("auction-2", {"players": 3}),
    ("auction-3", {"players": 5}),
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("size", "count"), [(2, 100), (3, 60), (4, 20)])
def test_endings_against_minimax(game, size, count):
    players = len(GAMES[game][1])
    if size * players > 20:
        count = 0 if players > 5 and size > 3 else count // 4
    if game == "blind" and size > 2:
        count = 20 if size == 3 else 0
    for case in endings("long", game, size, count):
        solution = solve(position(case))
        assert (solution.points, {format_card(c) for c in solution.best}) == expected(case), case


@pytest.mark.parametrize(("key", "options"), RULEBOOKS)
def test_longer_endings_against_alpha_beta(key, options):
    rng = random.Random(f"{key} {options}")
    for _ in range(3):
        ending = random_position(rng, key, options, 4 if options.get("players") == 5 else 5)
        assert solve(ending).points[0] == plain_alpha_beta(ending)[0], ending


def test_blind_endings_to_the_limit_stay_consistent():
    rng = random.Random("blind")
    for _ in range(3):
        ending = random_position(rng, "blind", {}, BLIND_LIMIT - 1)
        value = solve(ending)
        kept = [play(ending, card) for card in value.best]
        side = ending.sides[ending.to_move]
        for after, won in kept:
            assert solve(after).points[side] + won[side] == value.points[side]


@pytest.mark.parametrize(("key", "options"), RULEBOOKS)
class TestWholeDeals:
    def test_value_is_that_of_the_best_card_and_of_no_other(self, key, options):
        rng = random.Random(f"children {key} {options}")
        for _ in range(2):
            deal = random_position(rng, key, options)
            solution = solve(deal)
            side = deal.sides[deal.to_move]
            for card in cards_of(deal.hands[deal.to_move]):
                after, won = play(deal, card)
                kept = solve(after).points[side] + won[side]
                assert kept <= solution.points[side]
                assert (kept == solution.points[side]) == (card in solution.best), deal

    def test_renamings_change_nothing(self, key, options):
        """Another order of suits, seats or sides leads to another order of search."""
        rng = random.Random(f"names {key} {options}")
        for _ in range(4):
            deal = random_position(rng, key, options)
            players = len(deal.hands)
            to = rng.sample(range(4), 4)
            turn = rng.randrange(players)
            seats = [(seat + turn) % players for seat in range(players)]

            def renamed(mask, to=to):
                return mask_of(to[card >> 3] * 8 + (card & 7) for card in cards_of(mask))

            other = replace(
                deal,
                trump=deal.trump if deal.trump == NO_TRUMP else to[deal.trump],
                hands=tuple(renamed(deal.hands[seat]) for seat in seats),
                leader=seats.index(deal.leader),
                sides=tuple(1 - deal.sides[seat] for seat in seats),
                reserve=renamed(deal.reserve),
            )
            one, two = solve(deal), solve(other)
            assert two.points == one.points[::-1], deal
            assert mask_of(two.best) == renamed(mask_of(one.best)), deal

    def test_bounds_of_a_stopped_search_hold(self, key, options):
        rng = random.Random(f"bounds {key} {options}")
        for _ in range(2):
            deal = random_position(rng, key, options)
            exact = solve(deal)
            for limit in (30, 300, 3_000, 30_000):
                stopped = solve(deal, node_limit=limit)
                for side in (0, 1):
                    assert stopped.lower[side] <= exact.points[side] <= stopped.upper[side]
                assert stopped.points in (None, exact.points)
