"""Bounds of a side's points by tricks, against the printed table and against enumeration (A.0, A.8)."""

from itertools import combinations_with_replacement, product

import pytest

from scoring.engine.bounds import (
    deal_bounds,
    first_impossible_trick,
    side_bounds,
    table,
    tricks_allowing,
)
from scoring.engine.errors import EngineError
from scoring.engine.rulebook import resolve
from scoring.engine.score import score_deal
from scoring.engine.score_contract import most_marks

# rules specification A.0
A0 = {
    68: ([0, 1, 2, 3, 8, 17, 30, 47, 68], [0, 21, 38, 51, 60, 65, 66, 67, 68]),
    60: ([0, 0, 0, 0, 4, 12, 24, 40, 60], [0, 20, 36, 48, 56, 60, 60, 60, 60]),
}
PACK = [value for value in (5, 4, 3, 2, 1) for _ in range(4)] + [0] * 12


@pytest.mark.parametrize(
    ("key", "model"),
    [
        ("parlee", 68),
        ("boussac", 68),
        ("chaloupee", 68),
        ("coinchee", 68),
        ("auction-2", 68),
        ("muette", 60),
        ("parlee-limited", 60),
        ("blind", 60),
        ("belgian", 60),
    ],
)
def test_the_table_of_the_specification(key, model):
    low, high = A0[model]
    assert table(resolve(key)) == list(zip(range(9), low, high, strict=True))


def _reachable(pack, taken):
    """Return every sum of ``taken`` cards of ``pack``, by adding the cards one by one."""
    sums = {(0, 0)}
    for value in pack:
        sums |= {(count + 1, total + value) for count, total in sums if count < taken}
    return {total for count, total in sums if count == taken}


@pytest.mark.parametrize("key", ["parlee", "muette"])
@pytest.mark.parametrize("tricks", range(9))
def test_exactly_the_points_within_the_bounds_can_be_had(key, tricks):
    game = resolve(key)
    bounds = side_bounds(game, tricks)
    counted = tricks if game.trick_point else 0
    cards = {total + counted for total in _reachable(PACK, 4 * tricks)}
    assert cards == set(range(bounds.low, bounds.high + 1))
    for points in range(game.total + 1):
        assert (points in cards) == (tricks in tricks_allowing(game, points))


@pytest.mark.parametrize("tricks", range(11))
def test_three_players_with_and_without_the_reserve(tricks):
    game = resolve("three-player")
    held = []
    if tricks < 10:
        held.append(3 * tricks)
    if tricks > 0:
        held.append(3 * tricks + 2)
    possible = set().union(*(_reachable(PACK, cards) for cards in held))
    bounds = side_bounds(game, tricks)
    assert (min(possible), max(possible)) == (bounds.low, bounds.high)


def test_the_reserve_follows_the_winner_of_the_first_trick():
    game = resolve("three-player")
    assert side_bounds(game, 1, first_trick=True).high == 5 * 4 + 4
    assert side_bounds(game, 1, first_trick=False).high == 15


@pytest.mark.parametrize(
    ("key", "players", "low", "high"),
    [
        # with a widow out of play the total is a maximum (A.8); the minimum leaves the best cards in it
        ("auction-1", 4, 60 - 20 + 7, 67),
        ("auction-1", 3, 60 - 10 + 10, 70),
        ("auction-3", 3, 60 - (20 + 4) + 9, 69),
        ("auction-2", 5, 66, 66),
        ("three-player", None, 60, 60),
    ],
)
def test_the_points_of_a_whole_deal(key, players, low, high):
    bounds = deal_bounds(resolve(key, {"players": players} if players else {}))
    assert (bounds.low, bounds.high) == (low, high)


def test_a_pack_without_sevens_has_fewer_worthless_cards():
    game = resolve("auction-2", {"players": 7})
    # 28 cards with 8 worthless ones: two tricks of seven hold at least 14 - 8 cards that count
    assert side_bounds(game, 2).low == 2 + 4 * 1 + 2 * 2


def test_trick_values_that_the_pack_cannot_yield_together():
    game = resolve("parlee")
    assert first_impossible_trick(game, [9, 8, 9, 8, 9, 8, 9, 8]) is None
    assert first_impossible_trick(game, [21, 17, 13, 9, 5, 1, 1, 1]) is None
    # two tricks of four tens
    assert first_impossible_trick(game, [1, 21, 1, 21, 1, 1, 1, 21]) == 3
    # five tens: 21 holds them all, so the next can hold at most four aces
    assert first_impossible_trick(game, [21, 18, 1, 1, 1, 1, 1, 24]) == 1


def test_small_packs_are_shared_out_exactly():
    """Compared with a plain search: three tricks of four cards of a fixed total, auction 2 style."""
    game = resolve("auction-2", {"players": 7})  # four tricks of seven cards
    deck = sorted(PACK)[4:]
    singles = _reachable(deck, 7)
    for values in combinations_with_replacement(sorted(singles)[:6], 2):
        rest = 60 - sum(values)
        listed = [values[0] + 1, values[1] + 1, rest // 2 + 1, rest - rest // 2 + 1]
        fits = side_bounds(game, 2).low - 2 <= sum(values)
        assert (first_impossible_trick(game, listed) is None) == fits


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("belgian", {}),
        ("belgian", {"redoubling_allowed": False}),
        ("belgian", {"doubling_allowed": False}),
        ("coinchee", {}),
        ("parlee", {}),
    ],
)
def test_no_deal_gives_more_than_the_most(key, options):
    """Every trump, doubling and count of points: the largest result is the stated maximum, where there is one."""
    game = resolve(key, options)
    most = most_marks(game)
    if most is None:
        return
    given = {0}
    for trump, doubling, points in product("HN", range(3), range(game.total + 1)):
        contract = {"declarer": "NS", "trump": trump.replace("N", "NT"), "doubling": doubling}
        entry = {"contract": contract, "points": {"NS": points, "EW": game.total - points}}
        try:
            given.add(sum(score_deal(game, entry).marks.values()))
        except EngineError:
            continue  # not allowed here
    assert max(given) <= most
    if key == "belgian":
        assert max(given) == most
