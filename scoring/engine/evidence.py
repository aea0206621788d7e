"""What the cards on the table prove: the first play that shows a breach to any onlooker.

An onlooker sees the plays and nothing else. They know which cards can still be in a hand (those of
the pack not yet seen), how many each player still holds, and that a card never returns to a hand.
So a breach by holding one of the *telling* cards is proved

* as soon as its player plays a telling card later on, or
* as soon as too few other cards are unseen to fill what they still hold (elimination), which can
  only happen near the end of a deal, and on anybody's play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .cards import HIGHER, SUIT_MASKS
from .deal import Play
from .legality import NOTHING, Duty, View


@dataclass(frozen=True, slots=True)
class Evidence:
    """The plays of a record, in order.

    ``plays``: in order. ``pack``: bit set of the cards of the game; in an ending
    what fell before is not part of the record, and the hands given are not on the table, so
    nothing but the plays narrows it. ``sizes``: cards held at the start by seat, or ``None`` when the
    record does not say; nothing is then proved by elimination.
    """

    plays: Sequence[Play]
    pack: int
    sizes: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Shown:
    """The play that proves a breach; ``eliminated`` when it does so by leaving no other card."""

    trick: int
    seat: int
    card: int
    eliminated: bool = False


def first_proof(evidence: Evidence, at_play: int, telling: int) -> Shown | None:
    """The first play, from ``at_play`` on, after which an onlooker knows that the player of
    ``at_play`` still held a card of ``telling`` when they played; ``None`` if none of the record."""
    offender = evidence.plays[at_play].seat
    unseen = evidence.pack
    held = evidence.sizes[offender] if evidence.sizes is not None else 0
    for index, (trick, seat, card, _view) in enumerate(evidence.plays):
        unseen &= ~(1 << card)
        if seat == offender:
            held -= 1
        if index < at_play:
            continue
        if index > at_play and seat == offender and telling >> card & 1:
            return Shown(trick, seat, card)
        if evidence.sizes is not None and (unseen & ~telling).bit_count() < held:
            return Shown(trick, seat, card, eliminated=True)
    return None


def disobedience_shown_by(ordered: int, trump: int, view: View, duty: Duty, card: int) -> int:
    """The cards of an order whose later appearance shows that it could have been obeyed.

    Only cards as legal as the one played count: an order never makes an illegal card legal.
    """
    if view.led == NOTHING:
        return ordered
    if card >> 3 == view.led and duty in (Duty.FOLLOW, Duty.MUST_BEAT):
        same = SUIT_MASKS[view.led]
    elif duty is Duty.MUST_RUFF:
        same = SUIT_MASKS[trump]
    elif duty is Duty.MAY_NOT_UNDER_RUFF:
        same = ~SUIT_MASKS[trump]
    else:
        same = ordered
    if duty in (Duty.MUST_BEAT, Duty.MUST_OVERRUFF):
        same = HIGHER[view.master]
    return ordered & same
