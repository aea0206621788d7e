"""Reading the JSON values of the public calls into the engine's values.

Every function here turns one value of a payload into an engine value or raises
:class:`~scoring.engine.errors.Malformed` with a code and the field it stands in. Nothing is
guessed: a value of the wrong type is refused, a key that may be left out has its default here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .cardplay import CardPlay
from .cards import SUIT_MASKS, SUITS, parse_card, parse_trump
from .errors import Malformed, shown

Payload = Mapping[str, object]


def wrong(field: str, expected: str, value: object) -> Malformed:
    """Return the error for a value of the wrong kind."""
    return Malformed("malformed_value", f"{field}: expected {expected}, not {shown(value)}", field)


def require(payload: Payload, key: str) -> object:
    """Return the value under ``key``; raise ``missing_key`` if it is absent or null."""
    value = payload.get(key)
    if value is None:
        raise Malformed("missing_key", f"{key!r} is missing", key)
    return value


def read_object(value: object, field: str) -> Payload:
    """Read a JSON object."""
    if not isinstance(value, Mapping):
        raise wrong(field, "an object", value)
    return value


def read_list(value: object, field: str) -> Sequence[object]:
    """Read a JSON list; ``null`` is an empty list."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise wrong(field, "a list", value)
    return value


def read_flag(value: object, field: str) -> bool:
    """Read a JSON boolean; ``null`` is false."""
    if value is None:
        return False
    if not isinstance(value, bool):
        raise wrong(field, "true or false", value)
    return value


def read_int(value: object, field: str, least: int, most: int) -> int:
    """Read a whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise wrong(field, f"a whole number from {least} to {most}", value)
    return value


def read_cards(value: object, field: str) -> list[int]:
    """Read a list of cards, in its order."""
    return [parse_card(each, f"{field}[{at}]") for at, each in enumerate(read_list(value, field))]


def read_trump(payload: Payload) -> int:
    """Return the trump of the payload: a suit index or no trump. The key is required, even if ``null``."""
    if "trump" not in payload:
        raise Malformed("missing_key", "'trump' is missing", "trump")
    return parse_trump(payload["trump"])


def read_hands(payload: Payload, play: CardPlay) -> list[list[int] | None] | None:
    """Read ``hands`` by seat index, ``None`` for a missing seat; ``None`` without any hands."""
    value = payload.get("hands")
    if value is None:
        return None
    hands: list[list[int] | None] = [None] * len(play.seats)
    for name, cards in read_object(value, "hands").items():
        seat = play.seat(name, f"hands.{name}")
        if cards is not None:
            hands[seat] = read_cards(cards, f"hands.{name}")
    return hands if any(hand is not None for hand in hands) else None


def read_order_cards(order: Payload, field: str) -> int:
    """Read the cards of an order, by ``card`` or by ``suit``, as a bit set."""
    card, suit = order.get("card"), order.get("suit")
    if (card is None) == (suit is None):
        raise Malformed("malformed_order", f"{field}: an order names a card or a suit", field)
    if card is not None:
        return 1 << parse_card(card, f"{field}.card")
    if not isinstance(suit, str) or len(suit) != 1 or suit not in SUITS:
        raise wrong(f"{field}.suit", "S, H, D or C", suit)
    return SUIT_MASKS[SUITS.index(suit)]


def read_orders(payload: Payload, play: CardPlay) -> dict[tuple[int, int], int]:
    """Read ``orders`` as bit sets by (trick number, seat index); the last order for a play counts."""
    orders: dict[tuple[int, int], int] = {}
    for at, value in enumerate(read_list(payload.get("orders"), "orders")):
        field = f"orders[{at}]"
        order = read_object(value, field)
        if order.get("trick") is None or order.get("seat") is None:
            raise Malformed("malformed_order", f"{field}: an order needs trick and seat", field)
        number = read_int(order["trick"], f"{field}.trick", 1, play.hand)
        seat = play.seat(order["seat"], f"{field}.seat")
        orders[number, seat] = read_order_cards(order, field)
    return orders
