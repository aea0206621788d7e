"""Bulk validation of whole deals returns the same results as replay, play by play."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import plain_engine
from scoring.engine.cardplay import card_play
from scoring.engine.cards import NO_TRUMP, parse_card, parse_trump
from scoring.engine.fast import validate
from scoring.engine.replay import replay
from scoring.engine.seating import read_game

from .card_games import GAMES, Table, deal, rngs

PAIR_GAMES = [
    game for game in GAMES if game[0] not in ("three-player",) and "auction" not in game[0]
]


@pytest.mark.parametrize(("rulebook", "options"), PAIR_GAMES, ids=lambda value: str(value))
def test_agrees_with_replay(rulebook, options):
    game = read_game({"rulebook": rulebook, "options": options})
    play = card_play(game)
    for number, rng in enumerate(rngs(8, f"fast{rulebook}{options}")):
        table = Table(rulebook, options, rng)
        record = deal(table, rng, illegal=(0.0, 0.3)[number % 2])
        cards = [parse_card(card) for card in record["plays"]]
        leader = play.seats.index(record["leader"])
        trump = parse_trump(record["trump"])
        slow = replay(play, trump, leader, cards)
        fast = validate(play.duties, trump, leader, cards)
        even, odd = play.side_of[0], play.side_of[1]
        points, tricks = fast.points(play.trick_point), fast.tricks
        assert (points[0], points[1]) == (slow.points[even], slow.points[odd])
        assert (tricks[0], tricks[1]) == (slow.tricks_won[even], slow.tricks_won[odd])
        illegal = {cards.index(violation.card) for violation in slow.violations}
        assert {at for at in range(32) if fast.illegal >> at & 1} == illegal


@pytest.mark.guide("engine#speed")
def test_agrees_with_the_plain_implementation():
    duties = read_game({"rulebook": "parlee"}).duties
    for number, rng in enumerate(rngs(60, "plain")):
        table = Table("parlee", {}, rng)
        record = deal(table, rng, illegal=(0.0, 0.2)[number % 2])
        leader = table.seats.index(record["leader"])
        trump = record["trump"]
        plain = plain_engine.validate(
            [plain_engine.Card(card[:-1], card[-1]) for card in record["plays"]],
            leader,
            None if trump == "NT" else trump,
            1,
        )
        fast = validate(
            duties, parse_trump(trump), leader, [parse_card(card) for card in record["plays"]]
        )
        assert list(fast.points(1)) == plain.points
        assert list(fast.tricks) == plain.tricks
        assert [at for at in range(32) if fast.illegal >> at & 1] == plain.illegal


@given(st.permutations(range(32)), st.integers(0, 3), st.integers(NO_TRUMP, 3))
def test_any_order_of_the_pack_has_exact_totals(plays, leader, trump):
    duties = read_game({"rulebook": "belgian"}).duties
    found = validate(duties, trump, leader, plays)
    assert sum(found.points(0)) == 60
    assert sum(found.points(1)) == 68
    assert sum(found.tricks) == 8
    assert found.illegal & 0x11111111 == 0  # a lead is never illegal


@pytest.mark.parametrize(
    "plays",
    [
        list(range(31)),
        [*range(31), 30],
        [*range(31), 32],
        [-1, *range(31)],
        [0, 0, *range(2, 32)],
        [0] * 32,
    ],
)
def test_what_is_no_pack_is_refused(plays):
    with pytest.raises(ValueError, match=r"32 cards|played twice|range\(0, 256\)"):
        validate(read_game({"rulebook": "parlee"}).duties, 0, 0, plays)
