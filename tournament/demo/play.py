"""One deal, dealt and played card by card by the engine's own legal moves.

The players are simple but not silly: the dealer names their best suit (or no trump with many
honours), opponents double on strength, a player wins cheaply, and plays points to their partner's
tricks only. The result is a true record: every trick, every total follows.
"""

from __future__ import annotations

import random
from typing import cast

from scoring.engine.cardplay import card_play, names_of
from scoring.engine.cards import VALUES, cards_of, format_card, format_trump, mask_of, points_of
from scoring.engine.deal import Deal
from scoring.engine.entry_fields import EntryField, FieldKind, entry_fields
from scoring.engine.legality import NOTHING, beats
from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Sides, TrumpChoice
from scoring.engine.shapes import ContractJson, EntryJson

PARTNERS = {"N": "S", "S": "N", "E": "W", "W": "E"}


def side_of(seat: str) -> str:
    """Return the side of a seat of two pairs."""
    return "NS" if seat in "NS" else "EW"


def _strength(hand: int, trump: int) -> int:
    """Rate a hand with a trump: card points, number of trumps and their rank."""
    suit = (hand >> (8 * trump)) & 0xFF
    return points_of(hand) + 3 * suit.bit_count() + suit.bit_length()


def deal_and_play(game: Game, dealer: str, chance: random.Random) -> tuple[EntryJson, Deal]:
    """Deal and play a whole deal of two pairs.

    Returns:
        An entry with its ``record`` (trump, leader, plays, hands), and the deal played out.
    """
    pack = list(range(32))
    chance.shuffle(pack)
    seats = game.seats
    hands = {seat: mask_of(pack[8 * i : 8 * i + 8]) for i, seat in enumerate(seats)}
    entry: EntryJson = {"dealer": dealer}
    contract: ContractJson = {}
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
        others = [s for s in seats if side_of(s) != side_of(chooser)]
        most = game.max_doubling
        if most != 0 and trump >= 0 and max(_strength(hands[s], trump) for s in others) > 40:
            contract["doubling"] = 1
    contract["trump"] = format_trump(trump)
    # What the cards do not decide is the lowest that a form offers.
    least = {
        field.part: field.value(field.codes[0]) if field.codes else field.low
        for field in _contract_fields(game)
    }
    entry["contract"] = cast(ContractJson, {**least, **contract})
    leader = dealer if contract.get("blind") else game.next_player(dealer)
    names = {seat: [format_card(card) for card in cards_of(hand)] for seat, hand in hands.items()}
    deal = Deal(card_play(game), trump, seats.index(leader), [hands[seat] for seat in seats])
    while not deal.over:
        deal.record(_choose(deal, chance))
    entry["record"] = {
        "trump": format_trump(trump),
        "leader": leader,
        "plays": names_of(play.card for play in deal.plays),
        "hands": names,
    }
    return entry, deal


def take_alone(game: Game, dealer: str, chance: random.Random) -> EntryJson:
    """Make up the entry of a deal of one player against all others."""
    given = {field.part: _made_up(field, chance) for field in _contract_fields(game)}
    contract = cast(ContractJson, given)
    alone = contract.get("declarer", dealer)
    most = 45 if game.book.sides is Sides.DEALER_ALONE else 34
    return {
        "dealer": dealer,
        "contract": contract,
        "points": {alone: 12 + chance.randrange(most - 12)},
    }


def _contract_fields(game: Game) -> list[EntryField]:
    """Return the fields of a contract that must be filled in."""
    return [
        field
        for field in entry_fields(game)
        if field.part in ContractJson.__annotations__
        and field.kind is not FieldKind.YES
        and not field.default
    ]


def _made_up(field: EntryField, chance: random.Random) -> object:
    """Make up what is written in a field: one of its choices, or a low number."""
    if field.kind is FieldKind.CHOICE:
        return field.value(chance.choice([code for code in field.codes if code != "NT"]))
    return field.low + chance.randrange(len(field.choices) or 8)


def _choose(deal: Deal, chance: random.Random) -> int:
    """Choose a sensible legal card; chance decides between equals."""
    legal = sorted(deal.legal_cards(), key=lambda card: (VALUES[card], chance.random()))
    view = deal.view
    last = (len(deal.plays) + 1) % len(deal.rules.seats) == 0
    if len(legal) == 1:
        return legal[0]
    if view.led == NOTHING:
        tens = [card for card in legal if card % 8 == 7]
        return chance.choice(tens) if tens and chance.random() < 0.6 else legal[0]
    if view.partner_master:
        return legal[-1] if last or chance.random() < 0.5 else legal[0]
    winning = [card for card in legal if beats(deal.trump, card, view.master)]
    if winning:
        return winning[-1] if last else winning[0]
    return legal[0]


def plain(entry: EntryJson, deal: Deal) -> EntryJson:
    """Return the same deal as most tables enter it: the points of the side with fewer tricks.

    The tricks are written where they can matter: where a side has no trick, or no point.
    """
    points = deal.points
    tricks = dict(zip(deal.rules.sides, deal.tally()[1], strict=True))
    side = min(tricks, key=lambda s: (tricks[s], s))
    return {
        "dealer": entry["dealer"],
        "contract": entry["contract"],
        "points": {side: points[side]},
        **({"turn_up": entry["turn_up"]} if "turn_up" in entry else {}),
        **({"tricks": tricks} if tricks[side] == 0 or points[side] == 0 else {}),
    }
