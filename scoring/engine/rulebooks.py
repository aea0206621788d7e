"""The published rulebooks: every TOML file of ``scoring/books/`` is one.

A file states what its book says (:class:`Rulebook`); with ``base`` it states what differs from
another book. Of ``switches`` and ``duties`` it states the entries that differ; any other table or
list stands for the base's whole. ``order`` places a book in every list; a book without one follows
by its key. A file that is wrong is refused when it is loaded: :class:`WrongRulebook` names the file
and the key.

A club's own rules (:func:`read_house_rules`) are such a file that states no more than a title, a
base, the defaults of switches, and ``penalties``.

A switch is ``{}`` as rules specification A.7 has it, ``{ default = …, allowed = […] }`` where the
book has a default or fewer values of its own, ``{ known = false }`` where the base's is not known.

The second edition differs from the first in the default of a switch (``options.EARLIER_DEFAULTS``)
and in saying who leads a deal of blind trump.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from scoring.texts import read_message

from .duties import Beat, Duties, Ruff
from .legality import Breach
from .options import SWITCHES, one_of
from .rulebook_edition import (
    Bids,
    Call,
    Cut,
    Dealing,
    Exchange,
    Leader,
    Rulebook,
    Sides,
    Switch,
    Talk,
    TrumpChoice,
    Worked,
)

T = TypeVar("T")
K = TypeVar("K")
W = TypeVar("W", bound=StrEnum)

BOOKS: Final = Path(__file__).parents[1] / "books"
MERGED: Final = ("switches", "duties")
"""Tables of which an heir states the entries that differ."""
OWN: Final = ("base", "order", "worked")
"""Keys that an heir does not inherit."""
HOUSE: Final = ("base", "title", "switches", "penalties")
"""Keys that a club's own rules may state."""
LAST: Final = 1_000
"""The place of a book that states no ``order``."""


class WrongRulebook(ValueError):
    """A rulebook file holds an unknown key or an impossible value."""


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


def _table_of_json(raw: object) -> Mapping[str, object]:
    if not isinstance(raw, dict):
        raise ValueError(f"a table is expected, not {raw!r}")
    return raw


def _switches(raw: object) -> tuple[Switch, ...]:
    """Read a table of switches, in the order of A.7, with the book's own defaults and values."""
    stated = _table_of_json(raw)
    unknown = sorted(set(stated) - {switch.name for switch in SWITCHES})
    if unknown:
        raise ValueError(f"there is no switch {unknown[0]!r}")
    return tuple(
        _switch(switch, _table_of_json(stated[switch.name]))
        for switch in SWITCHES
        if switch.name in stated and stated[switch.name] != {"known": False}
    )


def _switch(switch: Switch, stated: Mapping[str, object]) -> Switch:
    if not set(stated) <= {"default", "allowed"}:
        raise ValueError(f"{switch.name}: a table of default, allowed is expected")
    if "allowed" in stated:
        allowed = _list(lambda value: _read_by(switch, value))(stated["allowed"])
        narrowed = replace(switch, allowed=allowed, read=one_of(*allowed))
        return _with_default(narrowed, stated.get("default", allowed[0]))
    return _with_default(switch, stated["default"]) if "default" in stated else switch


def _with_default(switch: Switch, value: object) -> Switch:
    default = _read_by(switch, value)
    return replace(switch, default=lambda _book, _players: default)


def _read_by(switch: Switch, value: object) -> object:
    try:
        return switch.read(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a value of {switch.name}") from None


def _target(raw: object) -> object:
    if isinstance(raw, Mapping) and raw and set(raw) <= {"deals", "games", "of", "decider"}:
        return dict(raw)
    return _whole(raw)


def _word(words: type[W]) -> Callable[[object], W]:
    return lambda raw: words(_text(raw))


def _list(each: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    def read(raw: object) -> tuple[T, ...]:
        if not isinstance(raw, list):
            raise ValueError(f"a list is expected, not {raw!r}")
        return tuple(each(value) for value in raw)

    return read


def _table(
    key: Callable[[str], K], value: Callable[[object], T]
) -> Callable[[object], Mapping[K, T]]:
    def read(raw: object) -> Mapping[K, T]:
        if not isinstance(raw, Mapping):
            raise ValueError(f"a table is expected, not {raw!r}")
        return MappingProxyType({key(name): value(each) for name, each in raw.items()})

    return read


def _value(
    kind: Callable[..., T], readers: Mapping[str, Callable[[object], object]]
) -> Callable[[object], T]:
    """Return a reader of a dataclass, composed of the ``readers`` of its fields."""

    def read(raw: object) -> T:
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

_DUTIES: Final = _value(
    Duties,
    {
        "follow": _flag,
        "beat": _word(Beat),
        "beat_at_no_trump": _flag,
        "beat_partner": _flag,
        "ruff": _word(Ruff),
        "ruff_over_partner": _flag,
        "overruff": _flag,
        "under_ruff": _flag,
    },
)
_WORKED: Final = _value(Worked, {"name": _text, "story": _text, "entry": _table_of_json})

READERS: Final[Mapping[str, Callable[[object], object]]] = {
    "edition": _text,
    "title": read_message,
    "source": _text,
    "code": _text,
    "dealing": _table(int, _DEALING),
    "sides": _word(Sides),
    "trick_point": _flag,
    "half": _whole,
    "direction": _direction,
    "trump_choice": _word(TrumpChoice),
    "no_trump": _flag,
    "leader": _word(Leader),
    "cut": _word(Cut),
    "talk": _word(Talk),
    "talk_text": read_message,
    "duties": _DUTIES,
    "target": _target,
    "targets": _list(_target),
    "turn_up": _flag,
    "no_trump_factor": _whole,
    "levels": _table(int, _whole),
    "bids": _word(Bids),
    "stakes": _flag,
    "exchange": _word(Exchange),
    "calls": _list(_CALL),
    "play_articles": _table(lambda name: Breach(name).value, _text),
    "shuffle_every_deal": _flag,
    "external": _flag,
    "notes": _list(read_message),
    "penalties": _table_of_json,
    "switches": _switches,
    "worked": _list(_WORKED),
}
REQUIRED: Final = {
    each.name
    for each in fields(Rulebook)
    if each.default is MISSING and each.default_factory is MISSING
} - {"key"}


def read_rulebook(key: str, raw: Mapping[str, object]) -> Rulebook:
    """Return the rulebook of a file whose keys are already merged with its base.

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


@lru_cache
def load(key: str, folder: Path = BOOKS, heirs: tuple[str, ...] = ()) -> dict[str, object]:
    """Return the keys of the file of ``key``, merged with those of its base.

    Raises:
        WrongRulebook: The file is not TOML, or a base does not exist or refers back to an heir.
    """
    if key in heirs:
        raise WrongRulebook(f"{heirs[0]}.toml: its bases go round: {', '.join(heirs)}")
    raw = _read(key, folder)
    base = raw.get("base")
    return _heir(raw, {} if base is None else load(str(base), folder, (*heirs, key)))


def _heir(raw: Mapping[str, object], inherited: Mapping[str, object]) -> dict[str, object]:
    """Return the keys of a file merged with those inherited from its base."""
    own = {name: value for name, value in raw.items() if name not in ("base", "order")}
    merged: dict[str, object] = {
        name: {**_entries(inherited.get(name)), **_entries(own[name])}
        for name in MERGED
        if name in own
    }
    return {**{k: v for k, v in inherited.items() if k not in OWN}, **own, **merged}


def _entries(raw: object) -> dict[str, object]:
    return raw if isinstance(raw, dict) else {}


def _read(key: str, folder: Path) -> dict[str, object]:
    try:
        return tomllib.loads((folder / f"{key}.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise WrongRulebook(f"{key}.toml: there is no such rulebook") from None
    except tomllib.TOMLDecodeError as error:
        raise WrongRulebook(f"{key}.toml: {error}") from None


def _place(key: str, folder: Path) -> tuple[int, str]:
    order = _read(key, folder).get("order", LAST)
    if isinstance(order, bool) or not isinstance(order, int):
        raise WrongRulebook(f"{key}.toml: order: a whole number is expected, not {order!r}")
    return order, key


def read_folder(folder: Path = BOOKS) -> Mapping[str, Rulebook]:
    """Return the rulebooks of a folder by key, in their order.

    Raises:
        WrongRulebook: A file says what no rulebook can say.
    """
    keys = sorted((file.stem for file in folder.glob("*.toml")), key=lambda k: _place(k, folder))
    return MappingProxyType({key: read_rulebook(key, load(key, folder)) for key in keys})


RULEBOOKS: Final = read_folder()
"""The rulebooks in force, by key, in the order of the variant table."""


def read_house_rules(raw: Mapping[str, object]) -> Rulebook:
    """Return a published rulebook as a club plays it; its key is that of its ``base``.

    A game of it is played by the base with the switches of :func:`house_options`, so that its records
    need nothing of the club.

    >>> rules = {"title": "Ours", "base": "belgian", "switches": {"sweep60": {"default": 60}}}
    >>> read_house_rules(rules).title.msgid, house_options(rules)
    ('Ours', {'sweep60': 60})

    Raises:
        WrongRulebook: The rules state what a club cannot change, or what no rulebook can say.
    """
    unknown = sorted(set(raw) - set(HOUSE))
    if unknown:
        raise WrongRulebook(f"unknown key {unknown[0]!r}; known: {', '.join(HOUSE)}")
    base = raw.get("base")
    if not isinstance(base, str) or base not in RULEBOOKS:
        raise WrongRulebook(f"base: {base!r} is not one of {', '.join(RULEBOOKS)}")
    title = raw.get("title")
    if not isinstance(title, str) or not title.strip():
        raise WrongRulebook(f"title: a text is expected, not {title!r}")
    switches = _entries(raw.get("switches"))
    known = {switch.name for switch in RULEBOOKS[base].switches}
    for name, stated in switches.items():
        if name not in known or not isinstance(stated, dict) or set(stated) != {"default"}:
            raise WrongRulebook(
                f"switches: {name}: a switch of {base} with its default is expected"
            )
    return read_rulebook(base, _heir(raw, load(base)))


def house_options(raw: Mapping[str, object]) -> dict[str, object]:
    """Return the switches that a club's own rules set, as an event has them."""
    book = read_house_rules(raw)
    stated = _entries(raw.get("switches"))
    return {
        switch.name: switch.default(book, book.usual_players)
        for switch in book.switches
        if switch.name in stated
    }
