"""A deal in play: turns, legal cards, points, undo, and the three kinds of refusal."""

from __future__ import annotations

import random

import pytest

import scoring
from scoring import Card, Deal, Illegal, Impossible, Malformed
from scoring.engine.calls import answer

from . import oracle
from .card_games import GAMES, Table, deal

HANDS = {"W": "8H 10S 7D AC", "S": "KC KS AD JS", "E": "9D 9S 8C 7C", "N": "7H 8S 10C AS"}


def start(**changes):
    return Deal.start("parlee", **{"trump": "C", "leader": "W", "hands": HANDS, **changes})


@pytest.mark.guide("engine#from-python")
@pytest.mark.parametrize(("rulebook", "options"), GAMES[:: max(1, len(GAMES) // 40)])
def test_a_played_deal_agrees_with_its_replay_and_can_be_taken_back(rulebook, options):
    table = Table(rulebook, options, random.Random(f"{rulebook} {options}"))
    dealt = deal(table, random.Random(7))
    here = Deal.start(
        scoring.resolve(rulebook, options),
        hands=dealt["hands"],
        trump=dealt["trump"],
        leader=dealt["leader"],
        declarer=table.declarer,
    )
    seen = []
    for name in dealt["plays"]:
        seen.append((here.turn, here.legal_cards(), here.points))
        here.play(name)
    replayed = answer("replay", {**table.keys(), **dealt})
    assert here.turn is None
    assert here.result == replayed["points"]
    assert [trick.points for trick in here.tricks] == [t["points"] for t in replayed["tricks"]]
    for name, before in zip(reversed(dealt["plays"]), reversed(seen), strict=True):
        assert here.undo() == Card(name)
        assert (here.turn, here.legal_cards(), here.points) == before


def test_legal_cards_are_those_of_a_second_reading_of_the_rules():
    table = Table("parlee", {}, random.Random(1))
    dealt = deal(table, random.Random(2))
    here = Deal.start("parlee", **{key: dealt[key] for key in ("hands", "trump", "leader")})
    left = {seat: list(cards) for seat, cards in dealt["hands"].items()}
    for number, name in enumerate(dealt["plays"]):
        first = number // 4 * 4
        trick = [(here.rules.seats[play.seat], str(Card(play.card))) for play in here.plays[first:]]
        expected, _ = oracle.legal(
            "parlee", {}, dealt["trump"], trick, here.turn, left[here.turn], table.sides
        )
        assert {str(card) for card in here.legal_cards()} == set(expected)
        left[here.turn].remove(name)
        here.play(name)


@pytest.mark.guide("engine#from-python")
def test_a_card_that_breaks_a_duty_is_illegal_and_names_what_may_be_played():
    here = start()
    here.play("8H")
    with pytest.raises(Illegal) as caught:
        here.play("KS")
    assert caught.value.code == "illegal_card"
    assert caught.value.params == {"duty": "must_ruff", "legal": ["KC"]}
    assert here.turn == "S"


@pytest.mark.guide("engine#from-python")
def test_a_record_takes_an_illegal_card():
    here = start()
    here.record(Card("8H"))
    here.record(Card("KS"))
    assert here.turn == "E"


@pytest.mark.guide("engine#from-python")
def test_a_card_that_is_not_held_is_impossible():
    with pytest.raises(Impossible, match="W does not hold 7H"):
        start().play("7H")


@pytest.mark.guide("engine#errors", "engine#from-python")
@pytest.mark.parametrize(
    ("changes", "refusal", "words"),
    [
        ({"trump": "X"}, Malformed, "not a trump"),
        ({"leader": "1"}, Malformed, "not a seat"),
        ({"hands": {**HANDS, "W": "8H 10S 7D 1C"}}, Malformed, "not a card"),
        ({"hands": {**HANDS, "W": "8H 10S 7D 7D"}}, Impossible, "7D is there twice"),
        ({"hands": {**HANDS, "W": "8H"}}, Impossible, "as many each"),
    ],
)
def test_what_cannot_begin(changes, refusal, words):
    with pytest.raises(refusal, match=words):
        start(**changes)


@pytest.mark.guide("engine#from-python")
def test_every_public_name_is_there():
    assert all(hasattr(scoring, name) for name in scoring.__all__)
