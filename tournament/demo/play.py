"""One deal, dealt and played card by card by the engine's own legal moves.

The players are simple but not silly: the dealer names his best suit (or no trump with many
honours), opponents double on strength, a player wins cheaply, gives points to his partner and
keeps them from the others. What comes out is a true record: every trick, every total follows.
"""

from __future__ import annotations

import random
from typing import Any

from scoring.engine.cards import VALUES, cards_of, format_card, format_trump, mask_of, points_of
from scoring.engine.legality import legal_mask, view_of
from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import TrumpChoice

PARTNERS = {"N": "S", "S": "N", "E": "W", "W": "E"}


def side_of(seat: str) -> str:
    """The side of a seat of two pairs."""
    return "NS" if seat in "NS" else "EW"


def _strength(hand: int, trump: int) -> int:
    """How good a hand is with a trump: card points, trumps and their rank."""
    suit = (hand >> (8 * trump)) & 0xFF
    return points_of(hand) + 3 * suit.bit_count() + suit.bit_length()


def deal_and_play(game: Game, dealer: str, chance: random.Random) -> dict[str, Any]:
    """A whole deal of two pairs: an entry with its ``record`` (trump, leader, plays, hands)."""
    pack = list(range(32))
    chance.shuffle(pack)
    seats = game.seats
    hands = {seat: mask_of(pack[8 * i : 8 * i + 8]) for i, seat in enumerate(seats)}
    entry: dict[str, Any] = {"dealer": dealer}
    contract: dict[str, Any] = {}
    if game.book.trump_choice is TrumpChoice.TURN_UP:
        turned = max(cards_of(hands[dealer]), key=lambda card: chance.random())
        trump = turned // 8
        entry["turn_up"] = format_card(turned)
        chooser = dealer
    else:
        chooser = max(
            (dealer, PARTNERS[dealer]), key=lambda s: max(_strength(hands[s], t) for t in range(4))
        )
        trump = max(range(4), key=lambda t: _strength(hands[chooser], t))
        honours = sum(1 for card in cards_of(hands[chooser]) if VALUES[card] >= 4)
        if game.book.no_trump and honours >= 5:
            trump = -1
        contract["declarer"] = side_of(chooser)
        if game.book.levels:
            contract["level"] = min(game.book.levels)
        others = [s for s in seats if side_of(s) != side_of(chooser)]
        most = game.max_doubling
        if most != 0 and trump >= 0 and max(_strength(hands[s], trump) for s in others) > 40:
            contract["doubling"] = 1
    contract["trump"] = format_trump(trump)
    entry["contract"] = contract
    leader = dealer if contract.get("blind") else game.next_player(dealer)
    names = {seat: [format_card(card) for card in cards_of(hand)] for seat, hand in hands.items()}
    plays = _play(game, hands, trump, leader, chance)
    entry["record"] = {
        "trump": format_trump(trump),
        "leader": leader,
        "plays": plays,
        "hands": names,
    }
    return entry


def _play(
    game: Game, hands: dict[str, int], trump: int, leader: str, chance: random.Random
) -> list[str]:
    """Play the hands out; the cards in order of play."""
    plays: list[str] = []
    for _trick in range(8):
        order = [leader]
        while len(order) < 4:
            order.append(game.next_player(order[-1]))
        cards: list[int] = []
        best = 0
        for place, seat in enumerate(order):
            own = [side_of(s) == side_of(seat) for s in order[:place]]
            mask, _duty = legal_mask(game.duties, trump, view_of(trump, cards, own), hands[seat])
            card = _choose(list(cards_of(mask)), cards, best, own, trump, chance)
            hands[seat] ^= 1 << card
            cards.append(card)
            plays.append(format_card(card))
            if place and _beats(card, cards[best], trump):
                best = place
        leader = order[best]
    return plays


def _beats(card: int, master: int, trump: int) -> bool:
    """Whether ``card`` takes the trick from ``master``."""
    if card // 8 == master // 8:
        return card > master
    return card // 8 == trump


def _choose(
    legal: list[int],
    cards: list[int],
    best: int,
    own: list[bool],
    trump: int,
    chance: random.Random,
) -> int:
    """A sensible legal card; chance decides between equals."""
    legal = sorted(legal, key=lambda card: (VALUES[card], chance.random()))
    if len(legal) == 1:
        return legal[0]
    if not cards:
        tens = [card for card in legal if card % 8 == 7]
        return chance.choice(tens) if tens and chance.random() < 0.6 else legal[0]
    winning = [card for card in legal if _beats(card, cards[best], trump)]
    if own[best]:
        last = len(cards) == 3
        return legal[-1] if last or chance.random() < 0.5 else legal[0]
    if winning:
        return winning[-1] if len(cards) == 3 else winning[0]
    return legal[0]


def plain(entry: dict[str, Any], points: dict[str, int], tricks: dict[str, int]) -> dict[str, Any]:
    """The same deal as most tables enter it: the points of the side with fewer tricks."""
    side = min(tricks, key=lambda s: (tricks[s], s))
    return {
        "dealer": entry["dealer"], "contract": entry["contract"], "points": {side: points[side]},
        **({"turn_up": entry["turn_up"]} if "turn_up" in entry else {}),
        **({"tricks": tricks} if tricks[side] == 0 else {}),
    }  # fmt: skip
