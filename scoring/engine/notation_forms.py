"""The short forms of the compact notation: how each key of a record is written, and read back.

One :class:`Form` a key; what has none is carried as JSON by :mod:`scoring.engine.notation`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from .errors import Malformed
from .letters import Letters


@dataclass(frozen=True, slots=True)
class Form:
    """The short form of one key: how to write a value as tag texts, and to read them back.

    ``write`` raises ``ValueError`` (or gives what does not read back) where there is none.
    ``many``: the tag may stand several times.
    """

    tag: str
    write: Callable[[object], list[str]]
    read: Callable[[list[str], Letters], object]
    many: bool = False


class NoShortForm(ValueError):
    """The value has to be carried as JSON."""


# Values -----------------------------------------------------------------------------------------


def text_of(value: object) -> str:
    """Return ``value`` if it is text; else raise :class:`NoShortForm`."""
    if not isinstance(value, str):
        raise NoShortForm
    return value


def _write_text(value: object) -> list[str]:
    return [text_of(value)]


def _read_text(texts: list[str], _letters: Letters) -> object:
    return texts[0]


def _write_flag(value: object) -> list[str]:
    if not isinstance(value, bool):
        raise NoShortForm
    return ["true" if value else "false"]


def _read_flag(texts: list[str], _letters: Letters) -> object:
    if texts[0] not in ("true", "false"):
        raise bad(f"{texts[0]!r} is neither true nor false")
    return texts[0] == "true"


def _write_trump(value: object) -> list[str]:
    return [text_of(value)]


def _read_trump(texts: list[str], letters: Letters) -> object:
    return letters.trump(texts[0])


def _read_card(texts: list[str], letters: Letters) -> object:
    return letters.card(texts[0])


def _write_cards(value: object) -> list[str]:
    if not isinstance(value, list):
        raise NoShortForm
    return [" ".join(text_of(card) for card in value)]


def _read_cards(texts: list[str], letters: Letters) -> object:
    return [letters.card(token) for token in texts[0].split()]


def _write_hands(value: object) -> list[str]:
    if not isinstance(value, dict) or not value:
        raise NoShortForm
    return [f"{text_of(seat)}: {_write_cards(cards)[0]}".rstrip() for seat, cards in value.items()]


def _read_hands(texts: list[str], letters: Letters) -> object:
    hands: dict[str, object] = {}
    for text in texts:
        seat, colon, cards = text.partition(":")
        if not colon:
            raise bad(f"a hand is written 'N: 10H AS', not {text!r}")
        if seat in hands:
            raise bad(f"the hand of {seat} stands twice")
        hands[seat] = _read_cards([cards], letters)
    return hands


PAIR: Final = re.compile(r"([A-Za-z0-9_]+)=(\S+)")
MOST_VALUES: Final = 10_000
CARD_KEYS: Final = ("card",)
SUIT_KEYS: Final = ("trump", "suit")


def _write_pairs(value: object) -> list[str]:
    """Write a flat object as ``key=value`` pairs; text is bare unless it would parse as JSON."""
    if not isinstance(value, dict):
        raise NoShortForm
    pairs = []
    for key, each in value.items():
        if isinstance(each, list | dict | float):
            raise NoShortForm
        bare = isinstance(each, str) and not _is_json(each)
        pairs.append(f"{key}={each if bare else json.dumps(each)}")
    return [" ".join(pairs)]


def no_constant(name: str) -> NoReturn:
    """Refuse ``NaN`` and the infinities, which Python would read."""
    raise ValueError(f"{name} is not a JSON number")


def loads(text: str) -> object:
    """Parse strict JSON: neither NaN nor infinities, and no more values than a record can hold."""
    if sum(map(text.count, "[{,")) > MOST_VALUES:
        raise ValueError("too many values")
    value: object = json.loads(text, parse_constant=no_constant)
    return value


def _is_json(text: str) -> bool:
    try:
        loads(text)
    except ValueError:
        return False
    return True


def _read_pairs(texts: list[str], letters: Letters) -> object:
    pairs: dict[str, object] = {}
    for token in texts[0].split():
        match = PAIR.fullmatch(token)
        if match is None:
            raise bad(f"{token!r} is not of the form key=value")
        key, text = match.groups()
        if key in pairs:
            raise bad(f"{key} stands twice")
        if key in CARD_KEYS:
            pairs[key] = letters.card(text)
        elif key in SUIT_KEYS:
            pairs[key] = loads(text) if _is_json(text) else letters.trump(text)
        else:
            pairs[key] = loads(text) if _is_json(text) else text
    return pairs


def _write_list_of_pairs(value: object) -> list[str]:
    if not isinstance(value, list) or not value:
        raise NoShortForm
    return [_write_pairs(each)[0] for each in value]


def _read_list_of_pairs(texts: list[str], letters: Letters) -> object:
    return [_read_pairs([text], letters) for text in texts]


def _write_trick_list(value: object) -> list[str]:
    if not isinstance(value, list) or not value:
        raise NoShortForm
    tricks = []
    for trick in value:
        if not isinstance(trick, dict) or set(trick) != {"winner", "points"}:
            raise NoShortForm
        tricks.append(f"{text_of(trick['winner'])} {json.dumps(trick['points'])}")
    return [", ".join(tricks)]


def _read_trick_list(texts: list[str], _letters: Letters) -> object:
    tricks = []
    for text in texts[0].split(","):
        words = text.split()
        if len(words) != 2 or not re.fullmatch(r"-?[0-9]{1,9}", words[1]):
            raise bad(f"a trick is written 'NS 9', not {text.strip()!r}")
        tricks.append({"winner": words[0], "points": int(words[1])})
    return tricks


FORMS: Final[Mapping[str, Form]] = {
    "rulebook": Form("Rulebook", _write_text, _read_text),
    "options": Form("Options", _write_pairs, _read_pairs),
    "dealer": Form("Dealer", _write_text, _read_text),
    "declarer": Form("Declarer", _write_text, _read_text),
    "contract": Form("Contract", _write_pairs, _read_pairs),
    "turn_up": Form("TurnUp", _write_text, _read_card),
    "trump": Form("Trump", _write_trump, _read_trump),
    "leader": Form("Leader", _write_text, _read_text),
    "hands": Form("Hand", _write_hands, _read_hands, many=True),
    "reserve": Form("Reserve", _write_cards, _read_cards),
    "orders": Form("Order", _write_list_of_pairs, _read_list_of_pairs, many=True),
    "partial": Form("Partial", _write_flag, _read_flag),
    "points": Form("Points", _write_pairs, _read_pairs),
    "tricks": Form("Tricks", _write_pairs, _read_pairs),
    "trick_list": Form("TrickList", _write_trick_list, _read_trick_list),
    "infractions": Form("Infraction", _write_list_of_pairs, _read_list_of_pairs, many=True),
}
"""The keys with a short form, in the order in which they are written."""


def bad(message: str) -> Malformed:
    """Return the error for a text outside this notation."""
    return Malformed("malformed_notation", message, "text")
