"""Deals sampled from evidence: they fit it, uniformly and by seed, and cost what a fully known deal costs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from scoring.engine.calls import answer
from scoring.engine.cardplay import CardPlay, card_play
from scoring.engine.cards import cards_of, format_card, mask_of, parse_card
from scoring.engine.completions import AgreedTrick, PartialRecord, read_record
from scoring.engine.reading import read_trump
from scoring.engine.rulebook import resolve
from scoring.engine.worlds import TooLittleKnown, TooManyCards, World, Worlds, best_results
from tests.sampled import one_in
from tournament.demo.offence import deal_with_revoke

from . import oracle

BOOKS = ("parlee", "boussac", "chaloupee", "coinchee", "muette", "belgian")


def revoke_in(book: str, seed: int) -> tuple[CardPlay, Any, Any]:
    """Return a deal of ``book`` with one revoke: the table, its record and its replay."""
    game = resolve(book, {})
    entry = deal_with_revoke(game, "N", seed=seed)
    record = entry["record"]
    return card_play(game), record, answer("replay", {"rulebook": book, **record})


def seen(
    play: CardPlay, record: Any, replayed: Any, forgotten: Any, hands: Any = ()
) -> PartialRecord:
    """Return the record without the cards for which ``forgotten(trick, place)`` is true."""
    tricks = [
        AgreedTrick(
            trick["n"],
            play.seat(trick["leader"], "leader"),
            tuple(
                None if forgotten(trick["n"], at) else parse_card(card)
                for at, (_seat, card) in enumerate(trick["plays"])
            ),
        )
        for trick in replayed["tricks"]
    ]
    return read_record(play, read_trump(record), tricks, dict(hands))


def fits(book: str, play: CardPlay, record: PartialRecord, replayed: Any, world: World) -> None:
    """Check that ``world`` agrees with all that was seen before the revoke, by the oracle's legality."""
    revoke = replayed["violations"][0]
    trump = "NT" if record.trump < 0 else "SHDC"[record.trump]
    sides = {seat: play.sides[play.side_of[at]] for at, seat in enumerate(play.seats)}
    hands = [[format_card(card) for card in cards_of(hand)] for hand in world.hands]
    gone = mask_of(parse_card(c) for c in _before(replayed, revoke))
    assert not gone & mask_of(parse_card(c) for hand in hands for c in hand)
    assert sum(len(hand) for hand in hands) + gone.bit_count() == 32
    for (number, seat), card in record.cards.items():
        later = number > revoke["trick"] or not gone >> card & 1
        assert later == (format_card(card) in hands[seat]), "a card is where it was seen"
    held = [list(hand) for hand in hands]
    for played, name in _plays(replayed, revoke):
        held[play.seats.index(name)].append(played)
    trick: list[tuple[str, str]] = []
    for played, name in _plays(replayed, revoke):
        if len(trick) == 4:
            trick = []
        hand = held[play.seats.index(name)]
        legal, _duty = oracle.legal(book, {}, trump, trick, name, hand, sides)
        assert played in legal, f"{name} could play {played}"
        hand.remove(played)
        trick.append((name, played))
    if len(trick) == 4:
        trick = []
    hand = held[play.seats.index(revoke["seat"])]
    legal, _duty = oracle.legal(book, {}, trump, trick, revoke["seat"], hand, sides)
    assert revoke["card"] in set(hand) - set(legal), "the play was the offence"


def _plays(replayed: Any, revoke: Any) -> list[tuple[str, str]]:
    """Return the plays before the revoke, in order: (card, seat)."""
    found = []
    for trick in replayed["tricks"]:
        for seat, card in trick["plays"]:
            if trick["n"] == revoke["trick"] and seat == revoke["seat"]:
                return found
            found.append((card, seat))
    return found


def _before(replayed: Any, revoke: Any) -> list[str]:
    return [card for card, _seat in _plays(replayed, revoke)]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", one_in(3, [1, 2, 3]))
def test_every_world_fits_what_was_seen(book: str, seed: int) -> None:
    """Cards played, voids shown, trump rules: B.2, judged by the oracle."""
    play, given, replayed = revoke_in(book, seed)
    revoke = replayed["violations"][0]
    seat = play.seat(revoke["seat"], "seat")
    record = seen(play, given, replayed, lambda n, _at: n > revoke["trick"] and n != 6)
    drawn = Worlds(record, revoke["trick"], seat).draw(200, seed)
    assert len(drawn) == 200
    for world in set(drawn):
        fits(book, play, record, replayed, world)
    assert drawn == Worlds(record, revoke["trick"], seat).draw(200, seed), "by its seed"
    assert drawn != Worlds(record, revoke["trick"], seat).draw(200, seed + 1)


@pytest.mark.parametrize("book", BOOKS)
def test_with_all_cards_seen_it_is_the_value_with_open_cards(book: str) -> None:
    play, given, replayed = revoke_in(book, 2)
    revoke = replayed["violations"][0]
    record = seen(play, given, replayed, lambda _n, _at: False)
    worlds = Worlds(record, revoke["trick"], play.seat(revoke["seat"], "seat"))
    drawn = worlds.draw(200, 1)
    assert worlds.ways == 1
    (world,) = set(drawn)
    position = {
        "rulebook": book,
        "trump": given["trump"],
        "leader": play.seats[world.leader],
        "hands": {
            name: [format_card(c) for c in cards_of(hand)]
            for name, hand in zip(play.seats, world.hands, strict=True)
        },
        "trick": [
            [play.seats[(world.leader + at) % 4], format_card(card)]
            for at, card in enumerate(world.trick)
        ],
    }
    solved: Any = answer("solve", position)
    expected = tuple(
        before + solved["points"][side]
        for before, side in zip(world.before, play.sides, strict=True)
    )
    assert set(best_results(record, drawn, 3_000_000)) == {expected}


def test_known_hands_and_a_turn_up_stay_where_they_were() -> None:
    play, given, replayed = revoke_in("parlee", 3)
    revoke = replayed["violations"][0]
    seat = play.seat(revoke["seat"], "seat")
    whole: dict[str, list[int]] = {name: [] for name in play.seats}
    for trick in replayed["tricks"]:
        for name, card in trick["plays"]:
            whole[name].append(parse_card(card))
    partner = (seat + 2) % 4
    record = seen(
        play,
        given,
        replayed,
        lambda n, _at: n > revoke["trick"] and n != 6,
        {partner: whole[play.seats[partner]]},
    )
    other = (seat + 1) % 4
    up = whole[play.seats[other]][-1]
    for world in Worlds(record, revoke["trick"], seat, {other: 1 << up}).draw(200, 1):
        assert world.hands[other] >> up & 1
        assert world.hands[partner] & ~mask_of(whole[play.seats[partner]]) == 0


def test_each_way_to_fill_the_gaps_is_as_likely() -> None:
    """With few unknown cards, every fitting deal is drawn about equally often."""
    play, given, replayed = revoke_in("parlee", 1)
    revoke = replayed["violations"][0]
    record = seen(play, given, replayed, lambda n, _at: n in (7, 8))
    worlds = Worlds(record, revoke["trick"], play.seat(revoke["seat"], "seat"))
    often = Counter(worlds.draw(6000, 5))
    mean = 6000 / len(often)
    assert len(often) > 10
    assert all(mean / 2 < n < mean * 2 for n in often.values()), sorted(often.values())


def test_forgotten_cards_before_the_offence_are_drawn_too() -> None:
    play, given, replayed = revoke_in("parlee", 3)
    revoke = replayed["violations"][0]
    record = seen(
        play, given, replayed, lambda n, at: (n, at) == (1, 3) or revoke["trick"] < n != 6
    )
    drawn = Worlds(record, revoke["trick"], play.seat(revoke["seat"], "seat")).draw(200, 1)
    assert len({world.before for world in drawn}) > 1, "another card, another worth"


def test_what_cannot_be_said_is_refused() -> None:
    play, given, replayed = revoke_in("parlee", 2)
    revoke = replayed["violations"][0]
    seat = play.seat(revoke["seat"], "seat")
    record = seen(play, given, replayed, lambda n, _at: n > revoke["trick"])
    drawn = Worlds(record, revoke["trick"], seat).draw(200, 1)
    with pytest.raises(TooManyCards) as refused:
        best_results(record, drawn, 20_000)
    assert refused.value.solved < 200
    leader = play.seat(replayed["tricks"][0]["leader"], "seat")
    with pytest.raises(TooLittleKnown):
        Worlds(record, 1, leader).draw(200, 1)  # a lead is never an offence
