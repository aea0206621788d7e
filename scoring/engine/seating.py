"""From a call's rulebook, options and declarer to the table at which its cards are played (A.8)."""

from __future__ import annotations

from collections.abc import Mapping

from .cardplay import CardPlay, card_play
from .errors import Malformed
from .reading import Payload, read_flag, require
from .rulebook import Game, resolve


def read_game(payload: Payload) -> Game:
    """Read the game of ``rulebook`` and ``options``."""
    return resolve(require(payload, "rulebook"), payload.get("options"))


def read_card_play(payload: Payload) -> CardPlay:
    """Read the rules of card play of a call about cards."""
    return card_play(read_game(payload), payload.get("declarer"))


def first_leader(payload: Payload, play: CardPlay) -> int:
    """Return the seat index of ``leader``; without it, the player after ``dealer``, or eldest hand (A.1).

    With blind trump (``blind``, or ``contract.blind``) "the dealer gets to lead the first trick"
    (004).
    """
    leader = payload.get("leader")
    if leader is not None:
        return play.seat(leader, "leader")
    if not play.fixed_pairs:
        return 0
    if payload.get("dealer") is not None:
        dealer = play.seat(payload["dealer"], "dealer")
        return dealer if _blind(payload) else (dealer + 1) % len(play.seats)
    raise Malformed("missing_key", "'leader' is missing", "leader")


def _blind(payload: Payload) -> bool:
    """Whether trump was named blind: ``blind`` of the payload or of its contract."""
    contract = payload.get("contract")
    blind = payload.get("blind")
    if blind is None and isinstance(contract, Mapping):
        blind = contract.get("blind")
    return read_flag(blind, "blind")


def total_of(payload: Payload) -> int | None:
    """Return the points of a deal of two pairs with an exact total; ``None`` for other games."""
    game = read_game(payload)
    return game.total if game.fixed_sides else None
