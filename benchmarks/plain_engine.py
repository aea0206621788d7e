"""The plain, obvious implementation that the engine's speed is measured against.

Card objects, hands as lists, one loop over the decision table of card play, exactly as a careful
programmer would first write it from the rules. It performs the same checks as
:func:`scoring.engine.fast.validate`: 32 different cards, the legality of every play under the
default duties of parlée, boussac, chaloupée and coinchée, winners, tricks and points. It is also
an independent check of the fast one: the benchmark compares every answer.
"""

from __future__ import annotations

from dataclasses import dataclass

RANKS = ["7", "8", "9", "J", "Q", "K", "A", "10"]
VALUES = {"10": 5, "A": 4, "K": 3, "Q": 2, "J": 1, "9": 0, "8": 0, "7": 0}


@dataclass(frozen=True)
class Card:
    """A playing card."""

    rank: str
    suit: str

    @property
    def strength(self) -> int:
        return RANKS.index(self.rank)

    @property
    def value(self) -> int:
        return VALUES[self.rank]


@dataclass
class Result:
    """Points and tricks of the pairs of seats 0/2 and 1/3, and the indexes of illegal plays."""

    points: list[int]
    tricks: list[int]
    illegal: list[int]


def beats(card: Card, other: Card, trump: str | None) -> bool:
    """Return whether ``card``, played later, wins the trick from ``other``."""
    if card.suit == other.suit:
        return card.strength > other.strength
    return card.suit == trump


def winning(trick: list[tuple[int, Card]], trump: str | None) -> tuple[int, Card]:
    """Return the seat and the card that win the trick so far."""
    best = trick[0]
    for play in trick[1:]:
        if beats(play[1], best[1], trump):
            best = play
    return best


def legal_cards(
    hand: list[Card], trick: list[tuple[int, Card]], seat: int, trump: str | None
) -> list[Card]:
    """Return the legal cards of ``hand``, by the rows of the decision table."""
    if not trick:
        return list(hand)
    led = trick[0][1].suit
    master_seat, master = winning(trick, trump)
    partner_master = master_seat % 2 == seat % 2
    following = [card for card in hand if card.suit == led]
    if following:
        if partner_master or master.suit != led:
            return following
        higher = [card for card in following if beats(card, master, trump)]
        return higher or following
    trumps = [card for card in hand if card.suit == trump]
    if not trumps or led == trump or partner_master:
        return list(hand)
    if master.suit != trump:
        return trumps
    higher = [card for card in trumps if beats(card, master, trump)]
    return higher or list(hand)


def validate(plays: list[Card], leader: int, trump: str | None, trick_point: int) -> Result:
    """Validate a whole deal from its 32 cards in order of play."""
    if len(plays) != 32 or len(set(plays)) != 32:
        raise ValueError("a whole deal is 32 different cards")
    # Find the player of every card first, because legality needs each hand before the first card.
    hands: list[list[Card]] = [[], [], [], []]
    tricks: list[list[tuple[int, Card]]] = []
    seat = leader
    for start in range(0, 32, 4):
        trick: list[tuple[int, Card]] = []
        for card in plays[start : start + 4]:
            trick.append((seat, card))
            hands[seat].append(card)
            seat = (seat + 1) % 4
        tricks.append(trick)
        seat = winning(trick, trump)[0]
    result = Result([0, 0], [0, 0], [])
    index = 0
    for trick in tricks:
        played: list[tuple[int, Card]] = []
        for seat, card in trick:
            if card not in legal_cards(hands[seat], played, seat, trump):
                result.illegal.append(index)
            hands[seat].remove(card)
            played.append((seat, card))
            index += 1
        winner = winning(played, trump)[0]
        result.points[winner % 2] += sum(card.value for _, card in played) + trick_point
        result.tricks[winner % 2] += 1
    return result
