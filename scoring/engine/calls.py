"""The public calls as functions from one JSON object to another.

The command line (``python -m scoring CALL``) and the REST API answer through :func:`answer`, so
that both hold to one contract. Every refusal is an :class:`~scoring.engine.errors.EngineError`
whose ``as_json`` is the error object. The calls about cards are here; those about marks and
auctions belong to :mod:`~scoring.engine.score`, :mod:`~scoring.engine.match` and
:mod:`~scoring.engine.auction`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .auction import auction_call
from .calls_record import compare_call, notation_call, prove_call
from .calls_solve import solve_call
from .cardplay import CardPlay, names_of
from .cards import format_card, parse_card
from .deal import legal_in_trick
from .errors import Illegal, Malformed
from .legality import Duty, obey
from .match import match_call
from .reading import (
    Payload,
    read_cards,
    read_flag,
    read_hands,
    read_list,
    read_object,
    read_order_cards,
    read_orders,
    read_trump,
    require,
    wrong,
)
from .replay import Replayed, replay
from .rulebook import describe_rulebooks
from .score import score_call
from .seating import first_leader, read_card_play
from .shapes import LegalJson, ReplayJson, RulebookJson, TrickJson, ViolationJson


def rulebooks() -> list[RulebookJson]:
    """Return every rulebook with its source, players and switches: defaults and allowed values."""
    return describe_rulebooks()


def answer(call: str, payload: object) -> Payload:
    """Return the answer of one call; ``payload`` must be a JSON object.

    Raises :class:`Malformed`, :class:`Illegal` or :class:`Impossible`; ``unknown_call`` for a call
    that does not exist.
    """
    function = CALLS.get(call)
    if function is None:
        raise Malformed("unknown_call", f"there is no call {call!r}: {', '.join(CALLS)}", "call")
    if not isinstance(payload, Mapping):
        raise Malformed("not_an_object", "the input is not a JSON object", "")
    return function(payload)


def legal_call(payload: Payload) -> LegalJson:
    """Return the legal cards of a hand, in its order, and the duty that binds (B.2)."""
    play = read_card_play(payload)
    trump = read_trump(payload)
    hand = read_cards(require(payload, "hand"), "hand")
    trick: list[tuple[int, int]] = []
    for at, value in enumerate(read_list(payload.get("trick"), "trick")):
        field = f"trick[{at}]"
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise wrong(field, "[seat, card]", value)
        trick.append((play.seat(value[0], field), parse_card(value[1], field)))
    if payload.get("player") is not None:
        player = play.seat(payload["player"], "player")
    elif trick:
        player = (trick[-1][0] + 1) % len(play.seats)
    else:
        player = 0
    mask, duty = legal_in_trick(play, trump, trick, player, hand)
    if payload.get("order") is not None:
        order = read_object(payload["order"], "order")
        cards = read_order_cards(order, "order")
        if not play.orders:
            raise _no_orders(payload, "order")
        if order.get("seat") is None or play.seat(order["seat"], "order.seat") == player:
            mask = obey(mask, cards)
    return {"legal": names_of([c for c in hand if mask >> c & 1]), "duty": Duty(duty).value}


def replay_call(payload: Payload) -> ReplayJson:
    """Replay a complete or partial deal card by card: tricks, points, illegal plays."""
    return replay_record(read_card_play(payload), payload)


def replay_record(play: CardPlay, payload: Payload) -> ReplayJson:
    """Follow the ``plays`` of ``payload`` under the rules of ``play``."""
    trump = read_trump(payload)
    plays = read_cards(require(payload, "plays"), "plays")
    hands = read_hands(payload, play)
    reserve = read_cards(payload.get("reserve"), "reserve")
    orders = read_orders(payload, play)
    if orders and not play.orders:
        raise _no_orders(payload, "orders")
    result = replay(
        play,
        trump,
        first_leader(payload, play),
        plays,
        hands,
        reserve=reserve,
        orders=orders,
        partial=read_flag(payload.get("partial"), "partial"),
    )
    return replay_json(result, play.seats, play.sides)


def replay_json(result: Replayed, seats: tuple[str, ...], sides: tuple[str, ...]) -> ReplayJson:
    """Return a replay as JSON. An open last trick has ``winner`` and ``points`` null."""
    tricks: list[TrickJson] = [
        {
            "n": trick.number,
            "leader": seats[trick.leader],
            "plays": [
                [seats[(trick.leader + at) % len(seats)], format_card(card)]
                for at, card in enumerate(trick.cards)
            ],
            "winner": None if trick.winner is None else seats[trick.winner],
            "points": trick.points,
        }
        for trick in result.tricks
    ]
    violations: list[ViolationJson] = [
        {
            "trick": each.trick,
            "seat": seats[each.seat],
            "card": format_card(each.card),
            "kind": each.kind.value,
            "duty": each.duty.value,
            "legal": names_of(each.legal),
            "articles": list(each.articles),
            "provable": None
            if each.provable is None
            else {
                "trick": each.provable.trick,
                "card": format_card(each.provable.card),
            },
            "proved_by": None
            if each.provable is None
            else {
                "seat": seats[each.provable.seat],
                "how": "elimination" if each.provable.eliminated else "play",
            },
        }
        for each in result.violations
    ]
    answer: ReplayJson = {
        "tricks": tricks,
        "points": dict(zip(sides, result.points, strict=True)),
        "tricks_won": dict(zip(sides, result.tricks_won, strict=True)),
        "violations": violations,
        "complete": result.complete,
    }
    if result.reserve_to is not None:
        answer["reserve"] = {"side": sides[result.reserve_to], "points": result.reserve_points}
    return answer


def _no_orders(payload: Payload, field: str) -> Illegal:
    return Illegal("no_orders", f"partners may not give orders in {payload.get('rulebook')}", field)


CALLS: Final[Mapping[str, Callable[[Payload], Payload]]] = {
    "legal": legal_call,
    "replay": replay_call,
    "score": score_call,
    "match": match_call,
    "solve": solve_call,
    "auction": auction_call,
    "prove": prove_call,
    "compare": compare_call,
    "notation": notation_call,
}
"""Every call that reads an object, in the order of the usage text."""
