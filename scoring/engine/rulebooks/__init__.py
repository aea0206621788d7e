"""The published rulebooks, one TOML file each, of which an event keeps the edition it was opened under.

A file states what its book says (:class:`Rulebook`); with ``base`` it states what differs from
another book, a table or list standing for the base's whole. A file that is wrong is refused when it
is loaded: :class:`WrongRulebook` names the file and the key.

The second edition differs from the first in the default of a switch (``options.EARLIER_DEFAULTS``)
and in saying who leads a deal of blind trump.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from scoring.engine.legality import Kind
from scoring.engine.rulebook_edition import (
    KEYS,
    Call,
    Cut,
    Dealing,
    Leader,
    Ruffing,
    Rulebook,
    Sides,
    Talk,
    TrumpChoice,
)
from scoring.texts import read_message

HERE: Final = Path(__file__).parent


class WrongRulebook(ValueError):
    """A rulebook file says what no rulebook can say."""


def _text(raw: object) -> str:
    if not isinstance(raw, str) or not raw:
        raise ValueError(f"a text is expected, not {raw!r}")
    return raw


def _flag(raw: object) -> bool:
    if not isinstance(raw, bool):
        raise ValueError(f"true or false is expected, not {raw!r}")
    return raw


def _whole(raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or raw < 0:
        raise ValueError(f"a whole number is expected, not {raw!r}")
    return raw


def _direction(raw: object) -> str:
    if raw not in ("CCW", "CW"):
        raise ValueError(f"CCW or CW is expected, not {raw!r}")
    return str(raw)


def _by(raw: object) -> str:
    if raw not in ("opponents", "declarers"):
        raise ValueError(f"opponents or declarers is expected, not {raw!r}")
    return str(raw)


def _target(raw: object) -> object:
    if isinstance(raw, Mapping) and raw and set(raw) <= {"deals", "games", "of", "decider"}:
        return dict(raw)
    return _whole(raw)


def _list(each: Callable[[object], Any]) -> Callable[[object], tuple[Any, ...]]:
    def read(raw: object) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            raise ValueError(f"a list is expected, not {raw!r}")
        return tuple(each(value) for value in raw)

    return read


def _table(
    key: Callable[[str], Any], value: Callable[[object], Any]
) -> Callable[[object], Mapping[Any, Any]]:
    def read(raw: object) -> Mapping[Any, Any]:
        if not isinstance(raw, Mapping):
            raise ValueError(f"a table is expected, not {raw!r}")
        return MappingProxyType({key(name): value(each) for name, each in raw.items()})

    return read


def _value(
    kind: Callable[..., Any], readers: Mapping[str, Callable[[object], Any]]
) -> Callable[[object], Any]:
    """The reader of a dataclass whose fields ``readers`` read."""

    def read(raw: object) -> Any:
        if not isinstance(raw, Mapping) or not set(raw) <= set(readers):
            raise ValueError(f"a table of {', '.join(readers)} is expected, not {raw!r}")
        try:
            return kind(**{name: readers[name](value) for name, value in raw.items()})
        except TypeError:
            raise ValueError(f"{raw!r} is incomplete") from None

    return read


_DEALING: Final = _value(
    Dealing,
    {
        "hand": _whole,
        "widow": _whole,
        "face_up": _whole,
        "removed_sevens": _whole,
        "packets": _list(_whole),
    },
)
_CALL: Final = _value(Call, {"count": _whole, "title": read_message, "by": _by, "source": _text})

READERS: Final[Mapping[str, Callable[..., Any]]] = {
    "edition": _text,
    "title": read_message,
    "source": _text,
    "dealing": _table(int, _DEALING),
    "sides": Sides,
    "trick_point": _flag,
    "half": _whole,
    "direction": _direction,
    "trump_choice": TrumpChoice,
    "no_trump": _flag,
    "leader": Leader,
    "cut": Cut,
    "talk": Talk,
    "talk_text": read_message,
    "ruffing": Ruffing,
    "target": _target,
    "targets": _list(_target),
    "turn_up": _flag,
    "no_trump_factor": _whole,
    "levels": _table(int, _whole),
    "calls": _list(_CALL),
    "play_articles": _table(lambda name: Kind(name).value, _text),
    "shuffle_every_deal": _flag,
    "external": _flag,
    "notes": _list(read_message),
}
REQUIRED: Final = {
    each.name
    for each in fields(Rulebook)
    if each.default is MISSING and each.default_factory is MISSING
} - {"key"}


def read_rulebook(key: str, raw: Mapping[str, object]) -> Rulebook:
    """Return the rulebook that a file says, its base filled in.

    Raises:
        WrongRulebook: A key is unknown or missing, or its value is not one that it can have.
    """
    unknown = sorted(set(raw) - set(READERS))
    if unknown:
        raise WrongRulebook(f"{key}.toml: unknown key {unknown[0]!r}; known: {', '.join(READERS)}")
    missing = sorted(REQUIRED - set(raw))
    if missing:
        raise WrongRulebook(f"{key}.toml: {', '.join(missing)} missing")
    values: dict[str, Any] = {}
    for name, value in raw.items():
        try:
            values[name] = READERS[name](value)
        except ValueError as error:
            raise WrongRulebook(f"{key}.toml: {name}: {error}") from None
    return Rulebook(key=key, **values)


def load(key: str, folder: Path = HERE) -> dict[str, object]:
    """Return what the file of ``key`` says, with what it leaves to its base.

    Raises:
        WrongRulebook: The file is not TOML, or a base does not exist.
    """
    try:
        raw = tomllib.loads((folder / f"{key}.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise WrongRulebook(f"{key}.toml: there is no such rulebook") from None
    except tomllib.TOMLDecodeError as error:
        raise WrongRulebook(f"{key}.toml: {error}") from None
    base = raw.pop("base", None)
    return raw if base is None else {**load(str(base), folder), **raw}


RULEBOOKS: Final[Mapping[str, Rulebook]] = MappingProxyType(
    {key: read_rulebook(key, load(key)) for key in KEYS}
)
"""The rulebooks in force, by key, in the order of the variant table."""
