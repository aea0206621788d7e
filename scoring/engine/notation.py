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
from collections.abc import Mapping
from typing import Final

from .errors import Malformed
from .letters import Letters, letters_of
from .notation_forms import (
    CARD_KEYS,
    FORMS,
    PAIR,
    SUIT_KEYS,
    NoShortForm,
    bad,
    loads,
    no_constant,
    text_of,
)
from .rulebook import players_of

HEADER: Final = "% manille 1"
"""First line of a text. Lines that begin with ``%`` or ``;`` are remarks."""

MAX_TEXT: Final = 100_000
"""Longest text that is read, in characters; a whole deal takes about 600."""

DealRecord = Mapping[str, object]


_KEY_OF_TAG: Final = {form.tag: key for key, form in FORMS.items()}

PLAY_TAG: Final = "[Play]"

_CARDS_A_LINE: Final = 4


# Writing ----------------------------------------------------------------------------------------


def format_record(record: DealRecord) -> str:
    """Write ``record`` as text.

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
        except (NoShortForm, Malformed):
            return [_as_json(key, value)]
    return [_as_json(key, value)]


def _format_plays(value: object, players: int, letters: Letters) -> list[str]:
    if isinstance(value, list) and value:
        try:
            cards = [letters.card(text_of(card)) for card in value]
        except (NoShortForm, Malformed):
            return [_as_json("plays", value)]
        lines = [" ".join(cards[at : at + players]) for at in range(0, len(cards), players)]
        return [PLAY_TAG, *lines]
    return [_as_json("plays", value)]


def _players(record: DealRecord) -> int:
    """Return the number of cards a line, that of a trick; for layout only."""
    return players_of(record) or _CARDS_A_LINE


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
    return (
        isinstance(written, str)
        and len(written) == 2
        and written[0] in "Tt"
        and (read == f"10{written[1].upper()}")
    )


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
    """Parse the record in ``text``, with cards in the letters of ``locale``.

    >>> parse_record('[Rulebook "muette"]\\n[Play]\\nRH DH', locale="fr")
    {'rulebook': 'muette', 'plays': ['KH', 'QH']}

    Raises :class:`Malformed`: ``malformed_notation`` (naming the line), ``unknown_card``,
    ``unknown_trump``, ``unknown_locale``.
    """
    if len(text) > MAX_TEXT:
        raise bad(f"the text is longer than {MAX_TEXT} characters")
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
                raise bad(f"line {number}: [Play] stands twice")
            plays = []
        elif stripped.startswith("["):
            _read_tag(stripped, number, tags, carried)
        elif plays is None:
            raise bad(f"line {number}: cards before [Play]: {stripped[:40]!r}")
        else:
            plays += stripped.split()
    letters = letters.settled_by(_card_words(tags, plays))
    record: dict[str, object] = {}
    for key, form in FORMS.items():
        if form.tag in tags:
            if len(tags[form.tag]) > 1 and not form.many:
                raise bad(f"[{form.tag}] stands twice")
            record[key] = form.read(tags[form.tag], letters)
    if plays is not None:
        record["plays"] = [letters.card(token) for token in plays]
    for key, value in carried.items():
        if key in record:
            raise bad(f"{key} stands twice")
        record[key] = value
    return record


def _read_tag(
    line: str, number: int, tags: dict[str, list[str]], carried: dict[str, object]
) -> None:
    match = _TAG.fullmatch(line)
    if match is None:
        raise bad(f'line {number}: a tag is written [Name "value"], not {line[:40]!r}')
    tag, rest = match.groups()
    decoder = json.JSONDecoder(parse_constant=no_constant)
    try:
        first, end = decoder.raw_decode(rest)
        after = rest[end:].strip()
        second = loads(after) if after else None
    except (ValueError, RecursionError):
        raise bad(f"line {number}: the value of [{tag}] cannot be read") from None
    if not isinstance(first, str) or (tag == "Json") != bool(after):
        raise bad(f"line {number}: the value of [{tag}] cannot be read")
    if tag == "Json":
        if first in carried:
            raise bad(f"line {number}: {first} stands twice")
        carried[first] = second
    elif tag in _KEY_OF_TAG:
        tags.setdefault(tag, []).append(first)
    else:
        raise bad(f"line {number}: [{tag}] is not a tag of this notation")


def _card_words(tags: Mapping[str, list[str]], plays: list[str] | None) -> list[str]:
    """Return every word of the text that names a card or suit, to detect its suit letters."""
    words = list(plays or [])
    for text in tags.get("Hand", []):
        words += text.partition(":")[2].split()
    for text in tags.get("Reserve", []) + tags.get("TurnUp", []):
        words += text.split()
    suits = list(tags.get("Trump", []))
    for text in tags.get("Order", []) + tags.get("Contract", []):
        for key, value in PAIR.findall(text):
            if key in CARD_KEYS:
                words.append(value)
            elif key in SUIT_KEYS:
                suits.append(value)
    return words + [suit for suit in suits if len(suit) == 1]  # not NT or SA
