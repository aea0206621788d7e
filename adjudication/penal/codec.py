"""Penal-code values to and from plain JSON, and the fingerprint of an edition.

One reader and one writer for all frozen values of ``article``: field by field, by their types.
Reading collects *every* defect, so that anyone who writes a house article sees all at once.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeVar

from scoring.texts import Message, Text, Translated, in_every_language

from .article import Article

V = TypeVar("V")
PUBLISHED: Final = ("en", "fr", "nl")
"""The languages that an edition's fingerprint covers: another language of the pages changes no edition."""


class PenalCodeError(ValueError):
    """A house article, ladder or choice of articles that cannot be used; ``defects`` lists why."""

    def __init__(self, defects: Iterable[str]) -> None:
        self.defects = list(defects)
        super().__init__("; ".join(self.defects))


def to_json(value: object, texts: Callable[[Text], dict[str, str]] = in_every_language) -> Any:
    """Encode a frozen value as JSON: objects by field name, fractions as ``"1/2"``, enums by value.

    ``texts`` writes a text; by default in the three languages.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Message | Translated):
        return texts(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name), texts) for f in dataclasses.fields(value)}
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): to_json(item, texts) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_json(item, texts) for item in value]
    return value


def read(cls: type[V], raw: object, where: str) -> V:
    """Decode a value of ``cls`` from ``raw``; raise :class:`PenalCodeError` with all defects."""
    defects: list[str] = []
    value = _read(cls, raw, where, defects)
    if defects:
        raise PenalCodeError(defects)
    return typing.cast(V, value)


def _read(kind: object, raw: object, where: str, defects: list[str]) -> object:
    if kind == Text:
        if isinstance(raw, Message):
            return raw
        kind = Translated
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _read_object(kind, raw, where, defects)
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin is tuple:
        if not isinstance(raw, list):
            defects.append(f"{where}: a list is expected")
            return ()
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple(
                _read(arguments[0], item, f"{where}[{index}]", defects)
                for index, item in enumerate(raw)
            )
        if len(raw) != len(arguments):
            defects.append(f"{where}: {len(arguments)} items are expected")
            return ()
        return tuple(
            _read(argument, item, f"{where}[{index}]", defects)
            for index, (argument, item) in enumerate(zip(arguments, raw, strict=True))
        )
    if origin in (typing.Union, types.UnionType):
        return _read_union(arguments, raw, where, defects)
    return _read_plain(kind, raw, where, defects)


@lru_cache
def _types_of(kind: type[object]) -> Mapping[str, object]:
    """Return the type of each field, resolved once per class."""
    return typing.get_type_hints(kind)


def _read_object(kind: Any, raw: object, where: str, defects: list[str]) -> Any:
    if not isinstance(raw, dict):
        defects.append(f"{where}: an object is expected")
        return None
    hints = _types_of(kind)
    known = {f.name: f for f in dataclasses.fields(kind)}
    defects.extend(f"{where}.{key}: unknown" for key in raw if key not in known)
    before = len(defects)
    values: dict[str, object] = {}
    for name, f in known.items():
        if name in raw:
            values[name] = _read(hints[name], raw[name], f"{where}.{name}", defects)
        elif f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING:
            defects.append(f"{where}.{name}: missing")
    return kind(**values) if len(defects) == before else None


def _read_union(
    arguments: tuple[object, ...], raw: object, where: str, defects: list[str]
) -> object:
    if raw is None and type(None) in arguments:
        return None
    tried: list[str] = []
    for argument in arguments:
        if argument is type(None):
            continue
        refusals: list[str] = []
        value = _read(argument, raw, where, refusals)
        if not refusals:
            return value
        tried.extend(refusals)
    defects.extend(tried)
    return None


def _read_plain(kind: Any, raw: object, where: str, defects: list[str]) -> Any:
    if isinstance(kind, type) and issubclass(kind, Enum):
        allowed = [member.value for member in kind]
        if raw not in allowed:
            defects.append(f"{where}: {raw!r} is not one of {', '.join(map(str, allowed))}")
            return None
        return kind(raw)
    if kind is Fraction:
        if isinstance(raw, (str, int)) and not isinstance(raw, bool):
            try:
                return Fraction(raw)
            except (ValueError, ZeroDivisionError):
                pass
        defects.append(f"{where}: {raw!r} is not a fraction such as 1/2")
        return None
    if kind is int and isinstance(raw, bool):
        defects.append(f"{where}: a whole number is expected")
        return None
    if not isinstance(raw, kind):
        names = {str: "text", int: "a whole number", bool: "true or false"}
        defects.append(f"{where}: {names.get(kind, kind)} is expected")
        return None
    return raw


def messages_of(value: object) -> Iterator[Message]:
    """Yield every translatable text in a frozen value."""
    if isinstance(value, Message) and not value.values:
        yield value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for f in dataclasses.fields(value):
            yield from messages_of(getattr(value, f.name))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from messages_of(item)


def fingerprint(
    articles: Iterable[Article],
    spaced: Collection[Message],
    words: Mapping[str, Mapping[str, str]],
) -> str:
    """Return the SHA-256 of the canonical JSON of ``articles``, the exact content of an edition.

    ``spaced``: texts that were published with ordinary spaces where French now has no-break ones.
    ``words``: by language, the wording under which a text was published; by today's English, French by today's.
    """

    def published(text: Text) -> dict[str, str]:
        if isinstance(text, Message) and text.values:
            parts = {
                name: published(part)
                for name, part in text.values
                if isinstance(part, Message | Translated)
            }
            return {
                language: text.msgid.format(**{name: parts[name][language] for name in parts})
                for language in PUBLISHED
            }
        wording = {language: text.render(language) for language in PUBLISHED}
        if isinstance(text, Message):
            wording["en"] = words["en"].get(text.msgid, text.msgid)
            wording["fr"] = words["fr"].get(wording["fr"], wording["fr"])
            if not text.context:
                wording["nl"] = words["nl"].get(text.msgid, wording["nl"])
        if text in spaced:
            wording["fr"] = wording["fr"].replace("\u00a0", " ")
        return wording

    content = json.dumps(
        [to_json(article, published) for article in articles],
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
    )
    return hashlib.sha256(content.encode()).hexdigest()
