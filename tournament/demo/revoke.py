"""A deal with one revoke in it, for a demo's referee and for tests."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from scoring.engine.calls import answer
from scoring.engine.errors import EngineError
from scoring.engine.rulebook import Game
from tournament.demo.play import deal_and_play

Found = tuple[dict[str, Any], dict[str, Any]]
ATTEMPTS = 3000


def deal_with_revoke(
    game: Game, dealer: str, asked: dict[str, Any], *, tricks: Iterable[int] = range(1, 6),
    proved_at: int = 6, seed: int | str = 1,
) -> Found:  # fmt: skip
    """A deal entered card by card that holds one revoke, shown by a later card in ``proved_at``.

    Found by dealing and playing lawfully, then exchanging in one hand a card of the suit led in one
    of ``tricks`` (from 1) for one that the player threw later: the later trick shows the card that he
    had held. ``asked`` names the rulebook and its options. Returns the entry and the violation that
    the engine finds; :class:`LookupError` when no such deal comes up.
    """
    places = [4 * (trick - 1) + place for trick in tricks for place in range(1, 4)]
    for attempt in range(ATTEMPTS):
        entry = deal_and_play(game, dealer, random.Random(f"{seed}-{attempt}"))
        replayed = answer("replay", {**asked, **entry["record"]})
        for first in places:
            changed = _exchanged(asked, entry, replayed, first, proved_at)
            if changed is not None:
                return changed
    raise LookupError(f"no deal in {ATTEMPTS} holds a revoke shown in trick {proved_at}")


def _exchanged(
    asked: dict[str, Any], entry: dict[str, Any], replayed: Any, first: int, proved_at: int
) -> Found | None:
    """The deal with the card at place ``first`` kept until trick ``proved_at``, if that is a revoke."""
    plays = entry["record"]["plays"]
    trick, place = divmod(first, 4)
    seat = replayed["tricks"][trick]["plays"][place][0]
    led = replayed["tricks"][trick]["plays"][0][1]
    if plays[first][-1] != led[-1]:
        return None
    order = [who for who, _card in replayed["tricks"][proved_at - 1]["plays"]]
    second = 4 * (proved_at - 1) + order.index(seat)
    if plays[second][-1] == led[-1]:
        return None
    swapped = list(plays)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    try:
        again: Any = answer("replay", {**asked, **entry["record"], "plays": swapped})
    except EngineError:  # another player would have won the trick: no deal of cards fits
        return None
    if [t["leader"] for t in again["tricks"]] != [t["leader"] for t in replayed["tricks"]]:
        return None
    found, *more = again["violations"] or [None]
    if not found or more or found["kind"] != "revoke":
        return None
    if not found["provable"] or found["provable"]["trick"] != proved_at:
        return None
    return {**entry, "record": {**entry["record"], "plays": swapped}}, found
