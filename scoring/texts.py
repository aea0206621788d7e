"""Texts of the rooms that know no web framework: gettext messages, rendered in a given language.

``from scoring.texts import gettext_lazy as _`` marks a text as Django's function of that name does;
``make messages`` collects both into ``locale/*/LC_MESSAGES/django.po``, and the texts of TOML files
with them (:data:`TOML_KEYS`). Values fill ``{name}``.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Final, TypeAlias

TOML_KEYS: Final = frozenset(
    {
        "title",
        "text",
        "talk_text",
        "label",
        "help",
        "choices",
        "note",
        "notes",
        "otherwise",
        "established",
        "keywords",
        "explanation",
        "quote",
    }
)
"""Every string at or below such a key of a TOML file is a message.

A message whose English means two things names its context: ``{ msgctxt = "…", msgid = "…" }``.
"""
_LOCALE: Final = Path(__file__).parents[1] / "locale"
LANGUAGES: Final = ("en", *sorted(file.parts[-3] for file in _LOCALE.glob("??/LC_MESSAGES/*.mo")))
"""English, and every language with a compiled catalogue."""


@lru_cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == "en" or language not in LANGUAGES:
        return gettext.NullTranslations()
    return gettext.translation("django", _LOCALE, [language])


@dataclass(frozen=True, slots=True)
class Message:
    """One text of the program: its English, and the values that fill its ``{name}`` parts.

    A value may be a message itself, or a function of the language (a number to be written out).
    ``count`` names the value that the plural depends on.
    """

    msgid: str
    context: str = ""
    plural: str = ""
    count: str = ""
    values: tuple[tuple[str, Value], ...] = ()

    def format(self, **values: Value) -> Message:
        """Return this message with ``values`` to fill in, in whatever language it is rendered."""
        return replace(self, values=(*self.values, *values.items()))

    def render(self, language: str) -> str:
        """Return the text in ``language`` (``"fr-be"`` counts as French), English when unknown.

        >>> gettext_lazy("Round {round}").format(round=3).render("en")
        'Round 3'
        """
        text = self._text(language)
        if not self.values:
            return text
        return text.format(**{name: _shown(value, language) for name, value in self.values})

    def _text(self, language: str) -> str:
        """Return the text in ``language``, its ``{name}`` parts not filled in."""
        catalogue = _catalogue(language[:2].lower())
        if not self.msgid:
            return ""
        if self.plural and self.context:
            return catalogue.npgettext(self.context, self.msgid, self.plural, self._counted())
        if self.plural:
            return catalogue.ngettext(self.msgid, self.plural, self._counted())
        if self.context:
            return catalogue.pgettext(self.context, self.msgid)
        return catalogue.gettext(self.msgid)

    def forms(self, language: str) -> tuple[str, str]:
        """Return the text for one and for many, its ``{name}`` parts not filled in."""
        one, many = (replace(self, values=((self.count, count),)) for count in (1, 2))
        return one._text(language), many._text(language)

    def _counted(self) -> int:
        """Return the number that selects the plural: a fraction is rounded up; without a number, a plural."""
        value = dict(self.values).get(self.count)
        if isinstance(value, str) and value.lstrip("-").isdigit():
            value = int(value)
        return abs(ceil(value)) if isinstance(value, int | Fraction) else 2

    def __str__(self) -> str:
        return self.render("en")


@dataclass(frozen=True, slots=True)
class Translated:
    """A text that people wrote, or a record keeps, in the three languages."""

    en: str
    fr: str
    nl: str

    def render(self, language: str) -> str:
        """Return the text in ``language``, English when unknown."""
        return {"fr": self.fr, "nl": self.nl}.get(language[:2].lower(), self.en)

    def __str__(self) -> str:
        return self.en


Text: TypeAlias = Message | Translated
Value: TypeAlias = str | int | Fraction | Text | Callable[[str], str]


def _shown(value: Value, language: str) -> str | int | Fraction:
    if isinstance(value, Message | Translated):
        return value.render(language)
    return value(language) if callable(value) else value


def gettext_lazy(msgid: str) -> Message:
    """Mark a text for translation."""
    return Message(msgid)


def pgettext_lazy(context: str, msgid: str) -> Message:
    """Mark a text whose English has two meanings; ``context`` names the meaning."""
    return Message(msgid, context)


def ngettext_lazy(singular: str, plural: str, count: str) -> Message:
    """Mark a text that depends on a number: the value named ``count`` of those that fill it.

    >>> ngettext_lazy("{n} deal", "{n} deals", "n").format(n=1).render("en")
    '1 deal'
    """
    return Message(singular, plural=plural, count=count)


def join(separator: str, texts: Iterable[Text]) -> Message:
    """Return one message of several, rendered one after the other.

    >>> join(" ", [gettext_lazy("One."), gettext_lazy("Two.")]).render("en")
    'One. Two.'
    """
    values = tuple((f"text_{at}", text) for at, text in enumerate(texts))
    return Message(separator.join(f"{{{name}}}" for name, _text in values), values=values)


SEPARATOR: Final = gettext_lazy("; ")
"""What stands between the parts of a sentence."""


def in_every_language(text: Text) -> dict[str, str]:
    """Return the text by language, as records keep it and the API answers it."""
    return {language: text.render(language) for language in LANGUAGES}


def read_message(raw: object) -> Message:
    """Return the message written in a TOML file: a string, or ``{ msgctxt = …, msgid = … }``.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(raw, str):
        return Message(raw)
    if isinstance(raw, dict) and set(raw) == {"msgctxt", "msgid"}:
        return Message(str(raw["msgid"]), str(raw["msgctxt"]))
    raise ValueError(f"a text is expected, not {raw!r}")


def messages_in(data: object, *, marked: bool = False) -> Iterator[Message]:
    """Yield the messages of a TOML file that was read: what :data:`TOML_KEYS` holds.

    >>> [message.msgid for message in messages_in({"id": "T-1", "title": "Late arrival"})]
    ['Late arrival']
    """
    if isinstance(data, dict):
        if marked and set(data) == {"msgctxt", "msgid"}:
            yield read_message(data)
            return
        for key, value in data.items():
            yield from messages_in(value, marked=marked or key in TOML_KEYS)
    elif isinstance(data, list):
        for value in data:
            yield from messages_in(value, marked=marked)
    elif marked and isinstance(data, str) and data:
        yield Message(data)
