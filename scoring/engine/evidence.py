"""Proof of a breach from the cards on the table: the first play that shows it to any onlooker.

An onlooker sees the plays and nothing else. They know which cards can still be in a hand (those of
the pack not yet seen), how many each player still holds, and that a card never returns to a hand.
So a breach by holding one of the *telling* cards is proved

* as soon as its player plays a telling card later on, or
* as soon as too few other cards are unseen to fill what they still hold (elimination), which can
  only happen near the end of a deal, and on the play of any player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .deal import Play
from .legality import Holding


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


def first_proof(evidence: Evidence, at_play: int, innocent: Sequence[Holding]) -> Shown | None:
    """Return the first play, from ``at_play`` on, that proves to an onlooker that the player of
    ``at_play`` then held none of the ``innocent`` hands; ``None`` if no play of the record does."""
    offender = evidence.plays[at_play].seat
    unseen = evidence.pack
    held = None if evidence.sizes is None else evidence.sizes[offender]
    shown = 0
    for index, (trick, seat, card, _view) in enumerate(evidence.plays):
        unseen &= ~(1 << card)
        if held is not None and seat == offender:
            held -= 1
        if index < at_play:
            continue
        own = index > at_play and seat == offender
        if own:
            shown |= 1 << card
        if not any(_possible(hands, shown, unseen, held) for hands in innocent):
            tells = own and all(hands.none >> card & 1 for hands in innocent)
            return Shown(trick, seat, card, eliminated=not tells)
    return None


def _possible(hands: Holding, shown: int, unseen: int, held: int | None) -> bool:
    """Whether the ``shown`` cards and ``held`` of the ``unseen`` ones can be one of ``hands``."""
    if shown & hands.none:
        return False
    if held is None:
        return True
    free = unseen & ~hands.none
    if free.bit_count() < held:
        return False
    return not hands.some or bool(shown & hands.some or (held and free & hands.some))
