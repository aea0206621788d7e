"""A deal with one revoke in it, for a demo's referee and for tests."""

from __future__ import annotations

import random
from collections.abc import Iterable

from scoring.engine.cardplay import names_of
from scoring.engine.deal import Deal
from scoring.engine.legality import Breach
from scoring.engine.replay import replay
from scoring.engine.rulebook import Game
from scoring.engine.shapes import EntryJson
from tournament.demo.play import deal_and_play

ATTEMPTS = 3000


def deal_with_revoke(
    game: Game,
    dealer: str,
    *,
    tricks: Iterable[int] = range(1, 6),
    proved_at: int = 6,
    seed: int | str = 1,
) -> EntryJson:
    """Return a deal entered card by card that holds one revoke, shown by a later card.

    Found by dealing and playing lawfully, then exchanging in one hand a card of the suit led in one
    of ``tricks`` (from 1) for one that the player threw in trick ``proved_at``: there the card is
    seen that they had held.

    Raises:
        LookupError: when no such deal comes up.
    """
    places = [4 * (trick - 1) + place for trick in tricks for place in range(1, 4)]
    for attempt in range(ATTEMPTS):
        entry, deal = deal_and_play(game, dealer, random.Random(f"{seed}-{attempt}"))
        for place in places:
            plays = _with_revoke(deal, place, proved_at)
            if plays is not None:
                entry["record"]["plays"] = names_of(plays)
                return entry
    raise LookupError(f"no deal in {ATTEMPTS} holds a revoke shown in trick {proved_at}")


def _with_revoke(deal: Deal, place: int, proved_at: int) -> list[int] | None:
    """Hold the card at ``place`` back until ``proved_at``; return the cards, or None unless it is a revoke."""
    cards = [play.card for play in deal.plays]
    led = cards[place - place % 4] // 8
    later = next(
        at
        for at in range(4 * proved_at - 4, 4 * proved_at)
        if deal.plays[at].seat == deal.plays[place].seat
    )
    if cards[place] // 8 != led or cards[later] // 8 == led:
        return None
    cards[place], cards[later] = cards[later], cards[place]
    replayed = replay(deal.rules, deal.trump, deal.tricks[0].leader, cards)
    if [trick.leader for trick in replayed.tricks] != [trick.leader for trick in deal.tricks]:
        return None  # another player would have won the trick: no deal of cards fits
    revokes = [each for each in replayed.violations if each.kind is Breach.REVOKE]
    if len(revokes) != 1 or len(replayed.violations) != 1:
        return None
    shown = revokes[0].provable
    return cards if shown is not None and shown.trick == proved_at else None
