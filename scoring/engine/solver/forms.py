"""How the legal cards are found during the search.

The duties of a game (rules specification B.2) are folded into four forms, because the common ones
take no more than a few bit operations:

* ``BOUND``: beat, ruff and overruff an opponent, nothing owed to partner (000, 001, 002, 003,
  Belgian): the legal cards are those that take the trick if there is one, whichever row of B.2
  applies, because a void player's only cards that take it are the trumps they must play;
* ``FOLLOWING``: the led suit, or anything (muette, and no trump where beating is lifted);
* ``ANYTHING``: blind;
* ``SWITCHED``: every other setting of the switches, row by row.

The first three stand in the search itself; the last is :func:`switched_legal`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from scoring.engine.cards import NO_TRUMP
from scoring.engine.duties import Duties, Ruff


class Form(IntEnum):
    """Which move generation a game needs."""

    BOUND = 0
    FOLLOWING = 1
    ANYTHING = 2
    SWITCHED = 3


def form_of(duties: Duties, trump: int) -> Form:
    """The cheapest form of move generation that is exact for ``duties`` with this trump."""
    if not duties.follow:
        return Form.ANYTHING
    if trump == NO_TRUMP:
        return Form.BOUND if duties.beat and duties.beat_at_no_trump else Form.FOLLOWING
    if duties.ruff is Ruff.NEVER_BOUND:
        return Form.SWITCHED if duties.beat else Form.FOLLOWING
    plain = duties.beat and duties.overruff and not duties.ruff_over_partner
    return Form.BOUND if plain and duties.ruff is Ruff.OPPONENT_MASTER else Form.SWITCHED


def switched_legal(
    duties: Duties, sides: tuple[int, ...], trumps: int, beaten: dict[int, int]
) -> Callable[[int, int, int, int, int, int], int]:
    """Legal cards of a player who does not lead, for any setting of the duties (B.2 row by row)."""
    players = len(sides)
    beat = duties.beat if trumps else duties.beat and duties.beat_at_no_trump

    def legal(hand: int, player: int, after: int, led: int, winning: int, winner: int) -> int:
        side = sides[player]
        opposed = side != sides[winner]
        takes = beaten[winning]
        cards = hand & led
        if cards:  # rows 2 to 5
            return cards & takes or cards if opposed and beat else cards
        ruffs = hand & trumps
        if not ruffs or duties.ruff is Ruff.NEVER_BOUND:  # rows 6 to 8
            return hand
        if duties.ruff is Ruff.ALWAYS:
            return ruffs
        higher = ruffs & takes
        if opposed and winning & trumps:  # rows 11 and 12
            if not duties.overruff:
                return ruffs
            if higher:
                return higher
            return hand if duties.under_ruff else hand & ~trumps or hand
        if duties.ruff is Ruff.LITERAL_003:  # rows 9 and 10 replaced whole
            led_by_opponent = side != sides[(player + after + 1) % players]
            return ruffs if led_by_opponent and not winning & trumps else hand
        if opposed:  # row 10
            return ruffs
        if not duties.ruff_over_partner:  # row 9
            return hand
        return ruffs if higher else hand

    return legal
