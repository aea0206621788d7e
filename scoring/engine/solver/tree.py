"""The play of the cards as a tree: does side 0 reach a number of points, whatever side 1 does?

:func:`grow` builds the test for one deal. It answers one bound at a time ("at least ``need``
points?") with a bound that may be sharper than the question, remembers proven bounds at the start
of each trick, and passes them on to positions of the same shape (:mod:`.shapes`).

``lead`` and ``follow`` are long and stand inside ``grow``: every card laid calls one of them, and a
call more for each, or an attribute instead of a local name, is paid at every node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.engine.cards import NO_TRUMP
from scoring.engine.duties import Duties

from .forms import Form, form_of, switched_legal
from .layout import SUIT_BITS, SUIT_OF, VALUE, beaten_by
from .shapes import GUARDS, VALUE_FIELDS, shapes_of


@dataclass(frozen=True, slots=True)
class Deal:
    """Constants of the search of one deal.

    ``hands`` are the search's bits of each player in order of play, ``sides`` the side (0 or 1) of
    each; ``trick_point`` is the value of a trick beyond its cards.
    """

    duties: Duties
    trump: int
    hands: tuple[int, ...]
    sides: tuple[int, ...]
    trick_point: int


@dataclass(frozen=True, slots=True)
class Table:
    """A trick in progress: the cards left in all hands, the player to move, how many play after
    them, the led suit (its bits; 0 when they lead), the winning card and its player, and the points
    at stake in this trick so far (trick point included)."""

    left: int
    player: int
    after: int
    led: int
    winning: int
    winner: int
    stake: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The searches of one deal, sharing what they have proven.

    ``legal(table)`` is the set of legal cards. ``after(table, card, need, total)`` tests whether
    side 0 takes at least ``need`` of the ``total`` points still open once ``card`` is played: a
    result ``>= need`` is a proven minimum, a result ``< need`` a proven maximum. ``nodes()`` counts
    the positions in the middle of a trick looked at so far.
    """

    legal: Callable[[Table], int]
    after: Callable[[Table, int, int, int], int]
    nodes: Callable[[], int]


def grow(deal: Deal, pause: Callable[[int], int], first_pause: int) -> Tree:
    """Return the search tree of ``deal``. ``pause`` is called when the node count reaches ``first_pause``,
    and afterwards whenever it reaches the last return value of ``pause``; it may raise to stop."""
    hands, sides = deal.hands, deal.sides
    players = len(hands)
    following = tuple((player + 1) % players for player in range(players))
    form = int(form_of(deal.duties, deal.trump))
    under_ruff = deal.duties.under_ruff
    trick_point = deal.trick_point
    trumps = 0 if deal.trump == NO_TRUMP else SUIT_BITS[deal.trump]
    not_trumps = ~trumps
    beaten = beaten_by(deal.trump)
    value_of, suit_of = VALUE, SUIT_OF
    second_after = players - 2
    first_suit, second_suit, third_suit, fourth_suit = SUIT_BITS
    shapes = [shapes_of(hands, suit, index) for index, suit in enumerate(SUIT_BITS)]
    first_shape, second_shape, third_shape, fourth_shape = shapes
    # By cards left and leader: [least, most, best card, values, total], and its family.
    known: dict[int, tuple[list[int], list[list[int]]]] = {}
    families: dict[int, list[list[int]]] = {}
    nodes = 0
    next_pause = first_pause
    switched = switched_legal(deal.duties, sides, trumps, beaten)

    def lead(left: int, player: int, need: int, total: int) -> int:
        nonlocal next_pause
        if total < need:
            return total
        if need <= 0:
            return 0
        cards = left & hands[player]
        if not cards & (cards - 1):
            winning = cards
            winner = player
            other = following[player]
            while other != player:
                card = left & hands[other]
                if card & beaten[winning]:
                    winning = card
                    winner = other
                other = following[other]
            return 0 if sides[winner] else total
        if nodes >= next_pause:
            next_pause = pause(nodes)
        key = left << 3 | player
        value = known.get(key)
        if value is None:
            shape = (
                first_shape[left & first_suit]
                + second_shape[left & second_suit]
                + third_shape[left & third_suit]
                + fourth_shape[left & fourth_suit]
            )
            values = shape & VALUE_FIELDS
            kind = shape ^ values | player
            family = families.get(kind)
            if family is None:
                family = families[kind] = []
            least, most, first = 0, total, 0
            entry = [0, total, 0, values, total]
            known[key] = (entry, family)
        else:
            entry, family = value
            least, most, first, values, _ = entry
            if least >= need:
                return least
            if most < need:
                return most
        guarded = values | GUARDS
        for low, high, _, other_values, other_total in family:
            richer = total - other_total
            if richer >= 0:
                if guarded - other_values & GUARDS == GUARDS:
                    if low > least:
                        least = low
                    if high + richer < most:
                        most = high + richer
                    if least >= need or most < need:
                        break
            elif (other_values | GUARDS) - values & GUARDS == GUARDS:
                if low + richer > least:
                    least = low + richer
                if high < most:
                    most = high
                if least >= need or most < need:
                    break
        entry[0] = least
        entry[1] = most
        if value is None:
            family.append(entry)
        if least >= need:
            return least
        if most < need:
            return most
        # Worthless neighbours of one hand are one card; only 7, 8 and 9 have equal values.
        if cards & 0xFF0:
            cards &= ~(cards & (cards << 4) & 0xFF0 | (cards << 8) & ~(left << 4) & cards & 0xF00)
        second = following[player]
        best_card = 0
        if sides[player]:
            best = total + 1
            while cards:
                if first:
                    card = first
                    first = 0
                else:
                    card = 1 << (cards.bit_length() - 1)
                cards &= ~card
                result = follow(
                    left ^ card,
                    second,
                    second_after,
                    suit_of[card],
                    card,
                    player,
                    value_of[card] + trick_point,
                    need,
                    total,
                )
                if result < best:
                    best = result
                    best_card = card
                    if result < need:
                        break
        else:
            best = -1
            while cards:
                if first:
                    card = first
                    first = 0
                else:
                    card = 1 << (cards.bit_length() - 1)
                cards &= ~card
                result = follow(
                    left ^ card,
                    second,
                    second_after,
                    suit_of[card],
                    card,
                    player,
                    value_of[card] + trick_point,
                    need,
                    total,
                )
                if result > best:
                    best = result
                    best_card = card
                    if result >= need:
                        break
        entry[2] = best_card
        if best >= need:
            entry[0] = best
        else:
            entry[1] = best
        return best

    def follow(
        left: int,
        player: int,
        after: int,
        led: int,
        winning: int,
        winner: int,
        stake: int,
        need: int,
        total: int,
    ) -> int:
        nonlocal nodes
        nodes += 1
        hand = left & hands[player]
        side = sides[player]
        opposed = side != sides[winner]
        takes = beaten[winning]
        cards = hand & led
        if form == 0:
            if not opposed:
                cards = cards or hand
            elif cards or under_ruff:
                cards = cards or hand
                cards = cards & takes or cards
            else:
                cards = hand & takes or hand & not_trumps or hand
        elif form == 1:
            cards = cards or hand
        elif form == 2:
            cards = hand
        else:
            cards = switched(hand, player, after, led, winning, winner)
        if cards & (cards - 1):
            if after:
                if cards & 0xFF0:
                    cards &= ~(cards & (cards << 4) & 0xFF0)
            else:
                # Of neighbouring cards that leave the trick with the same player, keep the most
                # valuable if the mover's side wins the trick, the least valuable otherwise.
                taking = cards & takes
                giving = cards ^ taking
                gone = ~left
                if taking & (taking - 1):
                    higher = taking >> 4
                    higher |= (higher & gone) >> 4
                    higher |= (higher & gone) >> 4
                    higher |= (higher & gone) >> 4
                    taking &= ~higher
                if giving & (giving - 1):
                    if opposed:
                        lower = giving << 4
                        lower |= (lower & gone) << 4
                        lower |= (lower & gone) << 4
                        lower |= (lower & gone) << 4
                        giving &= ~lower
                    else:
                        higher = giving >> 4
                        higher |= (higher & gone) >> 4
                        higher |= (higher & gone) >> 4
                        higher |= (higher & gone) >> 4
                        giving &= ~higher
                cards = taking | giving
        best = total + 1 if side else -1
        while cards:
            # Low when the trick stays with the opponents, high otherwise.
            if opposed and not cards & takes:
                card = cards & -cards
            else:
                card = 1 << (cards.bit_length() - 1)
            cards ^= card
            if after:
                if card & takes:
                    result = follow(
                        left ^ card,
                        following[player],
                        after - 1,
                        led,
                        card,
                        player,
                        stake + value_of[card],
                        need,
                        total,
                    )
                else:
                    result = follow(
                        left ^ card,
                        following[player],
                        after - 1,
                        led,
                        winning,
                        winner,
                        stake + value_of[card],
                        need,
                        total,
                    )
            else:
                gain = stake + value_of[card]
                taker = player if card & takes else winner
                if sides[taker]:
                    result = lead(left ^ card, taker, need, total - gain)
                else:
                    result = gain + lead(left ^ card, taker, need - gain, total - gain)
            if side:
                if result < best:
                    if result < need:
                        return result
                    best = result
            elif result > best:
                if result >= need:
                    return result
                best = result
        return best

    def legal(table: Table) -> int:
        hand = table.left & hands[table.player]
        if not table.led:
            return hand
        cards = hand & table.led
        if form == Form.ANYTHING:
            return hand
        if form == Form.FOLLOWING:
            return cards or hand
        if form == Form.SWITCHED:
            return switched(hand, table.player, table.after, table.led, table.winning, table.winner)
        if sides[table.player] == sides[table.winner]:
            return cards or hand
        takes = beaten[table.winning]
        if cards or under_ruff:
            return (cards or hand) & takes or cards or hand
        return hand & takes or hand & not_trumps or hand

    def after_card(table: Table, card: int, need: int, total: int) -> int:
        left = table.left ^ card
        stake = table.stake + value_of[card]
        led = table.led or suit_of[card]
        winning, winner = table.winning, table.winner
        if not table.led or card & beaten[winning]:
            winning, winner = card, table.player
        if table.after:
            return follow(
                left,
                following[table.player],
                table.after - 1,
                led,
                winning,
                winner,
                stake,
                need,
                total,
            )
        if sides[winner]:
            return lead(left, winner, need, total - stake)
        return stake + lead(left, winner, need - stake, total - stake)

    return Tree(legal, after_card, lambda: nodes)
