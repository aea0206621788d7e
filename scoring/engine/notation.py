"""The compact text form of a deal record, in the manner of PBN; documented in docs/notation.md.

A record is a ``replay`` or ``score`` input (any JSON object is carried). Each key becomes one or
more tags ``[Tag "value"]``; the cards played stand below ``[Play]``, one trick a line. A key or a
value without a short form is carried as JSON: ``[Json "key" value]``. Formatting and parsing
lose nothing: a short form is only written where reading it back gives the same value, cards being
written ``10H`` where the record had ``TH``.

Cards may be read in the letters of a language, see :mod:`scoring.engine.letters`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from .errors import Malformed
from .letters import Letters, letters_of

HEADER: Final = "% manille 1"
"""First line of a text. Lines that begin with ``%`` or ``;`` are remarks."""

MAX_TEXT: Final = 100_000
"""Longest text that is read, in characters; a whole deal takes about 600."""

Record = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Form:
    """The short form of one key: how to write a value as tag texts, and to read them back.

    ``write`` raises ``ValueError`` (or gives what does not read back) where there is none.
    ``many``: the tag may stand several times.
    """

    tag: str
    write: Callable[[object], list[str]]
    read: Callable[[list[str], Letters], object]
    many: bool = False


class _NoShortForm(ValueError):
    """The value has to be carried as JSON."""


# Values -----------------------------------------------------------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _NoShortForm
    return value


def _write_text(value: object) -> list[str]:
    return [_text(value)]


def _read_text(texts: list[str], _letters: Letters) -> object:
    return texts[0]


def _write_flag(value: object) -> list[str]:
    if not isinstance(value, bool):
        raise _NoShortForm
    return ["true" if value else "false"]


def _read_flag(texts: list[str], _letters: Letters) -> object:
    if texts[0] not in ("true", "false"):
        raise _bad(f"{texts[0]!r} is neither true nor false")
    return texts[0] == "true"


def _write_trump(value: object) -> list[str]:
    return [_text(value)]


def _read_trump(texts: list[str], letters: Letters) -> object:
    return letters.trump(texts[0])


def _read_card(texts: list[str], letters: Letters) -> object:
    return letters.card(texts[0])


def _write_cards(value: object) -> list[str]:
    if not isinstance(value, list):
        raise _NoShortForm
    return [" ".join(_text(card) for card in value)]


def _read_cards(texts: list[str], letters: Letters) -> object:
    return [letters.card(token) for token in texts[0].split()]


def _write_hands(value: object) -> list[str]:
    if not isinstance(value, dict) or not value:
        raise _NoShortForm
    return [f"{_text(seat)}: {_write_cards(cards)[0]}".rstrip() for seat, cards in value.items()]


def _read_hands(texts: list[str], letters: Letters) -> object:
    hands: dict[str, object] = {}
    for text in texts:
        seat, colon, cards = text.partition(":")
        if not colon:
            raise _bad(f"a hand is written 'N: 10H AS', not {text!r}")
        if seat in hands:
            raise _bad(f"the hand of {seat} stands twice")
        hands[seat] = _read_cards([cards], letters)
    return hands


_PAIR: Final = re.compile(r"([A-Za-z0-9_]+)=(\S+)")
_CARD_KEYS: Final = ("card",)
_SUIT_KEYS: Final = ("trump", "suit")


def _write_pairs(value: object) -> list[str]:
    """A flat object as ``key=value`` pairs; text is written bare unless it reads as JSON."""
    if not isinstance(value, dict) or not value:
        raise _NoShortForm
    pairs = []
    for key, each in value.items():
        if isinstance(each, list | dict | float):
            raise _NoShortForm
        bare = isinstance(each, str) and not _is_json(each)
        pairs.append(f"{key}={each if bare else json.dumps(each)}")
    return [" ".join(pairs)]


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _loads(text: str) -> object:
    """Strict JSON: neither NaN nor infinities."""
    value: object = json.loads(text, parse_constant=_no_constant)
    return value


def _is_json(text: str) -> bool:
    try:
        _loads(text)
    except ValueError:
        return False
    return True


def _read_pairs(texts: list[str], letters: Letters) -> object:
    pairs: dict[str, object] = {}
    for token in texts[0].split():
        match = _PAIR.fullmatch(token)
        if match is None:
            raise _bad(f"{token!r} is not of the form key=value")
        key, text = match.groups()
        if key in pairs:
            raise _bad(f"{key} stands twice")
        if key in _CARD_KEYS:
            pairs[key] = letters.card(text)
        elif key in _SUIT_KEYS:
            pairs[key] = _loads(text) if _is_json(text) else letters.trump(text)
        else:
            pairs[key] = _loads(text) if _is_json(text) else text
    return pairs


def _write_list_of_pairs(value: object) -> list[str]:
    if not isinstance(value, list) or not value:
        raise _NoShortForm
    return [_write_pairs(each)[0] for each in value]


def _read_list_of_pairs(texts: list[str], letters: Letters) -> object:
    return [_read_pairs([text], letters) for text in texts]


def _write_trick_list(value: object) -> list[str]:
    if not isinstance(value, list) or not value:
        raise _NoShortForm
    tricks = []
    for trick in value:
        if not isinstance(trick, dict) or set(trick) != {"winner", "points"}:
            raise _NoShortForm
        tricks.append(f"{_text(trick['winner'])} {json.dumps(trick['points'])}")
    return [", ".join(tricks)]


def _read_trick_list(texts: list[str], _letters: Letters) -> object:
    tricks = []
    for text in texts[0].split(","):
        words = text.split()
        if len(words) != 2 or not re.fullmatch(r"-?[0-9]{1,9}", words[1]):
            raise _bad(f"a trick is written 'NS 9', not {text.strip()!r}")
        tricks.append({"winner": words[0], "points": int(words[1])})
    return tricks


FORMS: Final[Mapping[str, _Form]] = {
    "rulebook": _Form("Rulebook", _write_text, _read_text),
    "options": _Form("Options", _write_pairs, _read_pairs),
    "dealer": _Form("Dealer", _write_text, _read_text),
    "declarer": _Form("Declarer", _write_text, _read_text),
    "contract": _Form("Contract", _write_pairs, _read_pairs),
    "turn_up": _Form("TurnUp", _write_text, _read_card),
    "trump": _Form("Trump", _write_trump, _read_trump),
    "leader": _Form("Leader", _write_text, _read_text),
    "hands": _Form("Hand", _write_hands, _read_hands, many=True),
    "reserve": _Form("Reserve", _write_cards, _read_cards),
    "orders": _Form("Order", _write_list_of_pairs, _read_list_of_pairs, many=True),
    "partial": _Form("Partial", _write_flag, _read_flag),
    "points": _Form("Points", _write_pairs, _read_pairs),
    "tricks": _Form("Tricks", _write_pairs, _read_pairs),
    "trick_list": _Form("TrickList", _write_trick_list, _read_trick_list),
    "infractions": _Form("Infraction", _write_list_of_pairs, _read_list_of_pairs, many=True),
}
"""The keys with a short form, in the order in which they are written."""

_KEY_OF_TAG: Final = {form.tag: key for key, form in FORMS.items()}

PLAY_TAG: Final = "[Play]"

_CARDS_A_LINE: Final = 4


# Writing ----------------------------------------------------------------------------------------


def format_record(record: Record) -> str:
    """``record`` as text.

    >>> print(format_record({"rulebook": "parlee", "trump": "C", "leader": "W",
    ...                      "plays": ["8H", "KC", "9D", "7H"], "partial": True}))
    % manille 1
    [Rulebook "parlee"]
    [Trump "C"]
    [Leader "W"]
    [Partial "true"]
    [Play]
    8H KC 9D 7H

    Raises :class:`Malformed` (``malformed_value``) for what JSON cannot hold.
    """
    lines = [HEADER]
    ordered = [key for key in FORMS if key in record]
    ordered += [key for key in record if key not in FORMS and key != "plays"]
    letters = letters_of(None)
    for key in ordered:
        lines += _format_key(key, record[key], letters)
    if "plays" in record:
        lines += _format_plays(record["plays"], _players(record), letters)
    return "\n".join(lines)


def _format_key(key: str, value: object, letters: Letters) -> list[str]:
    form = FORMS.get(key)
    if form is not None:
        try:
            texts = form.write(value)
            if _same(form.read(texts, letters), value, letters):
                return [f"[{form.tag} {_json(text)}]" for text in texts]
        except (_NoShortForm, Malformed):
            return [_as_json(key, value)]
    return [_as_json(key, value)]


def _format_plays(value: object, players: int, letters: Letters) -> list[str]:
    if isinstance(value, list) and value:
        try:
            cards = [letters.card(_text(card)) for card in value]
        except (_NoShortForm, Malformed):
            return [_as_json("plays", value)]
        lines = [" ".join(cards[at : at + players]) for at in range(0, len(cards), players)]
        return [PLAY_TAG, *lines]
    return [_as_json("plays", value)]


def _players(record: Record) -> int:
    """Cards a line: as many as a trick has; only a matter of looks."""
    if record.get("rulebook") == "three-player":
        return 3
    options = record.get("options")
    players = options.get("players") if isinstance(options, dict) else None
    return players if isinstance(players, int) and 2 <= players <= 7 else _CARDS_A_LINE


def _same(read: object, written: object, letters: Letters) -> bool:
    """Whether ``read`` is the value written, types included, a ``T`` read as ``10`` apart."""
    if isinstance(written, dict):
        return (
            isinstance(read, dict)
            and list(read) == list(written)
            and all(_same(read[key], each, letters) for key, each in written.items())
        )
    if isinstance(written, list):
        return (
            isinstance(read, list)
            and len(read) == len(written)
            and all(_same(a, b, letters) for a, b in zip(read, written, strict=True))
        )
    if read == written and type(read) is type(written):
        return True
    return isinstance(written, str) and len(written) == 2 and written[0] in "Tt" and (
        read == f"10{written[1].upper()}"
    )  # fmt: skip


def _as_json(key: str, value: object) -> str:
    return f"[Json {_json(key)} {_json(value)}]"


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Malformed("malformed_value", f"the record is not JSON: {error}", "record") from None


# Reading ----------------------------------------------------------------------------------------

_TAG: Final = re.compile(r"\[([A-Za-z]+)[ \t]+(.*)\]")


def parse_record(text: str, locale: str | None = None) -> dict[str, object]:
    """The record that ``text`` holds, its cards read in the letters of ``locale``.

    >>> parse_record('[Rulebook "muette"]\\n[Play]\\nRH DH', locale="fr")
    {'rulebook': 'muette', 'plays': ['KH', 'QH']}

    Raises :class:`Malformed`: ``malformed_notation`` (naming the line), ``unknown_card``,
    ``unknown_trump``, ``unknown_locale``.
    """
    if len(text) > MAX_TEXT:
        raise _bad(f"the text is longer than {MAX_TEXT} characters")
    letters = letters_of(locale)
    tags: dict[str, list[str]] = {}
    carried: dict[str, object] = {}
    plays: list[str] | None = None
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        stripped = line.strip()
        if not stripped or stripped[0] in "%;":
            continue
        if stripped == PLAY_TAG:
            if plays is not None:
                raise _bad(f"line {number}: [Play] stands twice")
            plays = []
        elif stripped.startswith("["):
            _read_tag(stripped, number, tags, carried)
        elif plays is None:
            raise _bad(f"line {number}: cards before [Play]: {stripped[:40]!r}")
        else:
            plays += stripped.split()
    letters = letters.settled_by(_card_words(tags, plays))
    record: dict[str, object] = {}
    for key, form in FORMS.items():
        if form.tag in tags:
            if len(tags[form.tag]) > 1 and not form.many:
                raise _bad(f"[{form.tag}] stands twice")
            record[key] = form.read(tags[form.tag], letters)
    if plays is not None:
        record["plays"] = [letters.card(token) for token in plays]
    for key, value in carried.items():
        if key in record:
            raise _bad(f"{key} stands twice")
        record[key] = value
    return record


def _read_tag(
    line: str, number: int, tags: dict[str, list[str]], carried: dict[str, object]
) -> None:
    match = _TAG.fullmatch(line)
    if match is None:
        raise _bad(f'line {number}: a tag is written [Name "value"], not {line[:40]!r}')
    tag, rest = match.groups()
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    try:
        first, end = decoder.raw_decode(rest)
        after = rest[end:].strip()
        second = _loads(after) if after else None
    except (ValueError, RecursionError):
        raise _bad(f"line {number}: the value of [{tag}] cannot be read") from None
    if not isinstance(first, str) or (tag == "Json") != bool(after):
        raise _bad(f"line {number}: the value of [{tag}] cannot be read")
    if tag == "Json":
        if first in carried:
            raise _bad(f"line {number}: {first} stands twice")
        carried[first] = second
    elif tag in _KEY_OF_TAG:
        tags.setdefault(tag, []).append(first)
    else:
        raise _bad(f"line {number}: [{tag}] is not a tag of this notation")


def _card_words(tags: Mapping[str, list[str]], plays: list[str] | None) -> list[str]:
    """Every word of the text that names a card or suit, to tell which suit letters are in use."""
    words = list(plays or [])
    for text in tags.get("Hand", []):
        words += text.partition(":")[2].split()
    for text in tags.get("Reserve", []) + tags.get("TurnUp", []):
        words += text.split()
    suits = list(tags.get("Trump", []))
    for text in tags.get("Order", []) + tags.get("Contract", []):
        for key, value in _PAIR.findall(text):
            if key in _CARD_KEYS:
                words.append(value)
            elif key in _SUIT_KEYS:
                suits.append(value)
    return words + [suit for suit in suits if len(suit) == 1]  # not NT or SA


def _bad(message: str) -> Malformed:
    return Malformed("malformed_notation", message, "text")
