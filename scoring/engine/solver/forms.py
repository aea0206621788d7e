"""Move generation for the search.

The duties of a game (rules specification B.2) are folded into four forms, because the common ones
take no more than a few bit operations:

* ``BOUND``: beat, ruff and overruff an opponent, nothing owed to partner (000, 001, 002, 003,
  Belgian): the legal cards are those that take the trick if there is one, whichever row of B.2
  applies, because a void player's only cards that take it are the trumps they must play;
* ``FOLLOWING``: the led suit, or anything (muette, and no trump where beating is lifted);
* ``ANYTHING``: blind;
* ``SWITCHED``: every other setting of the switches, row by row.

The search itself implements the first three; the last is :func:`switched_legal`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from scoring.engine.cards import NO_TRUMP
from scoring.engine.duties import Beat, Duties, Ruff


class Form(IntEnum):
    """Move generation that a game needs."""

    BOUND = 0
    FOLLOWING = 1
    ANYTHING = 2
    SWITCHED = 3


def form_of(duties: Duties, trump: int) -> Form:
    """Choose the cheapest move generation that is exact for ``duties`` with this trump."""
    if not duties.follow:
        return Form.ANYTHING
    if trump == NO_TRUMP:
        if not duties.beats(trump_led=False, no_trump=True):
            return Form.FOLLOWING
        return Form.SWITCHED if duties.beat_partner else Form.BOUND
    if duties.ruff is Ruff.NEVER_BOUND:
        free = duties.beat is Beat.NEVER and duties.under_ruff
        return Form.FOLLOWING if free else Form.SWITCHED
    plain = duties.beat is Beat.ALWAYS and duties.overruff and not duties.ruff_over_partner
    plain = plain and not duties.beat_partner
    return Form.BOUND if plain and duties.ruff is Ruff.OPPONENT_MASTER else Form.SWITCHED


def switched_legal(
    duties: Duties, sides: tuple[int, ...], trumps: int, beaten: dict[int, int]
) -> Callable[[int, int, int, int, int, int], int]:
    """Return a function for the legal cards of a player who does not lead, under any duties (B.2 row by row)."""
    players = len(sides)
    beat = duties.beats(trump_led=False, no_trump=not trumps)
    beat_trumps = duties.beats(trump_led=True, no_trump=False)

    def legal(hand: int, player: int, after: int, led: int, winning: int, winner: int) -> int:
        side = sides[player]
        opposed = side != sides[winner]
        against = opposed or duties.beat_partner
        takes = beaten[winning]
        cards = hand & led
        if cards:  # rows 2 to 5
            beaten_here = beat_trumps if led == trumps else beat
            return cards & takes or cards if beaten_here and against else cards
        ruffs = hand & trumps
        if not ruffs:  # rows 6 and 7
            return hand
        higher = ruffs & takes
        over = against and winning & trumps
        allowed = hand if duties.under_ruff or not over else hand & ~(ruffs & ~higher) or hand
        if duties.ruff is Ruff.NEVER_BOUND:  # row 8
            return allowed
        if duties.ruff is Ruff.ALWAYS and not (over and not duties.under_ruff):
            return higher or ruffs if over and duties.overruff else ruffs
        if over:  # rows 11 and 12
            if not duties.overruffs:
                return ruffs
            return higher or allowed
        if duties.ruff is Ruff.LITERAL_003:  # rows 9 and 10 replaced whole
            led_by_opponent = side != sides[(player + after + 1) % players]
            return ruffs if led_by_opponent and not winning & trumps else hand
        if opposed:  # row 10
            return ruffs
        if not duties.ruff_over_partner:  # row 9
            return hand
        return ruffs if higher else hand

    return legal
