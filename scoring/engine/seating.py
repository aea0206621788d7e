"""From a call's rulebook, options and declarer to the table at which its cards are played (A.8).

Two pairs need no declarer. Where one player stands against all others the call names him; in the
three-player game he is the dealer, ``"3"``, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

from .cardplay import CardPlay
from .errors import Malformed, shown
from .reading import Payload, read_flag, require
from .rulebook import Game, resolve
from .rulebook_edition import Sides, Talk

ORDERING_TALK = (Talk.FREE_FOR_LEADER, Talk.ONE_ITEM_BEFORE_LEAD)
"""Talk that lets a player order his partner's card: 000 and 004 parlée (B.2)."""


def read_game(payload: Payload) -> Game:
    """The game of ``rulebook`` and ``options``."""
    return resolve(require(payload, "rulebook"), payload.get("options"))


def read_card_play(payload: Payload) -> CardPlay:
    """The table of a call about cards."""
    return card_play(read_game(payload), payload.get("declarer"))


def card_play(game: Game, declarer: object = None) -> CardPlay:
    """The table of one deal of ``game``.

    Raises :class:`Malformed`: ``missing_key`` without a declarer where one is needed,
    ``declarer`` for one who cannot be it.
    """
    book = game.book
    name = _declarer(game, declarer)
    sides = game.sides_of(name)
    return CardPlay(
        duties=game.duties,
        seats=game.seats,
        sides=sides,
        side_of=tuple(0 if seat in sides[0] else 1 for seat in game.seats),
        trick_point=int(game.trick_point),
        hand=game.hand_size,
        deck=game.deck_mask,
        reserve=game.widow_size,
        reserve_scores=game.reserve_scores,
        articles=book.play_articles,
        orders=book.talk in ORDERING_TALK,
    )


def _declarer(game: Game, declarer: object) -> str | None:
    """Who stands alone; ``None`` where pairs play, who need no declarer."""
    if game.book.sides is Sides.PAIRS:
        return None
    allowed = game.seats[-1:] if game.book.sides is Sides.DEALER_ALONE else game.seats
    if isinstance(declarer, int) and not isinstance(declarer, bool) and 0 < declarer < 10:
        declarer = str(declarer)
    if declarer is None and len(allowed) == 1:
        return allowed[0]
    if declarer is None:
        raise Malformed("missing_key", "'declarer' is missing: a player", "declarer")
    if not isinstance(declarer, str) or declarer not in allowed:
        raise Malformed(
            "declarer",
            f"{shown(declarer)} cannot be the declarer: {', '.join(allowed)}",
            "declarer",
        )
    return declarer


def first_leader(payload: Payload, play: CardPlay) -> int:
    """The seat index of ``leader``; left out, the player after ``dealer``, or eldest hand (A.1).

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
    """Whether trump was named blind, said beside the record or in its contract."""
    contract = payload.get("contract")
    said = payload.get("blind")
    if said is None and isinstance(contract, Mapping):
        said = contract.get("blind")
    return read_flag(said, "blind")


def total_of(payload: Payload) -> int | None:
    """The points in a deal of two pairs, where one side's are the other's by difference."""
    game = read_game(payload)
    return game.total if game.fixed_sides else None
