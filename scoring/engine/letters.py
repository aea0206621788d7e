"""Cards and suits in the letters of a language, for input (glossary, rules specification D.3).

Ranks: English 10 A K Q J, French 10 A R D V (roi, dame, valet), Dutch 10 A H V B (heer, vrouw,
boer); 9 8 7 everywhere, ``T`` for 10, and the English letters too, which neither of the others
uses for another rank. Suits: S H D C and the signs ♠ ♥ ♦ ♣ everywhere; Dutch also R (ruiten),
K (klaveren) and P (pijken); French also P C K T (pique, cœur, carreau, trèfle). C is clubs in one
row and hearts in the other, so a French text uses one row throughout: the French one as soon as
one of its cards ends in P, K or T (or a suit is one of these), else S H D C.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from scoring.texts import LANGUAGES

from .cards import RANKS, SUITS
from .errors import Malformed

_ENGLISH_RANKS: Final = {**{rank: rank for rank in RANKS}, "T": "10"}
_RANKS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": _ENGLISH_RANKS,
    "fr": {**_ENGLISH_RANKS, "R": "K", "D": "Q", "V": "J"},
    "nl": {**_ENGLISH_RANKS, "H": "K", "V": "Q", "B": "J"},
}
_SIGNS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_ENGLISH_SUITS: Final = {**{suit: suit for suit in SUITS}, **_SIGNS}
_SUITS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": _ENGLISH_SUITS,
    "fr": _ENGLISH_SUITS,
    "nl": {**_ENGLISH_SUITS, "P": "S", "R": "D", "K": "C"},
}
_FRENCH_SUITS: Final = {"P": "S", "C": "H", "K": "D", "T": "C", **_SIGNS}
_NO_TRUMP: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset({"NT"}),
    "fr": frozenset({"NT", "SA"}),
    "nl": frozenset({"NT", "ZT"}),
}

LOCALES: Final = ("en", "fr", "nl")


@dataclass(frozen=True, slots=True)
class Letters:
    """How a text writes cards: its ranks, suits and words for no trump."""

    locale: str
    ranks: Mapping[str, str]
    suits: Mapping[str, str]

    def card(self, word: str) -> str:
        """The engine's name of the card ``word``; :class:`Malformed` (``unknown_card``) if none."""
        upper = word.upper()
        rank, suit = self.ranks.get(upper[:-1]), self.suits.get(upper[-1:])
        if rank is None or suit is None:
            raise Malformed(
                "unknown_card",
                f"{word[:40]!r} is not a card in these letters ({self.locale}): rank "
                f"{' '.join(self.ranks)}, suit {' '.join(self.suits)}",
                "text",
                {"card": repr(word[:40])},
            )
        return rank + suit

    def trump(self, word: str) -> str:
        """The engine's name of a trump; :class:`Malformed` (``unknown_trump``) if none."""
        upper = word.upper()
        if upper in _NO_TRUMP[self.locale]:
            return "NT"
        if upper in self.suits:
            return self.suits[upper]
        raise Malformed(
            "unknown_trump",
            f"{word[:40]!r} is not a trump in these letters ({self.locale}): "
            f"{' '.join(self.suits)} or {' '.join(sorted(_NO_TRUMP[self.locale]))}",
            "text",
            {"trump": repr(word[:40])},
        )

    def settled_by(self, words: Iterable[str]) -> Letters:
        """These letters with the row of suits that ``words``, all cards of one text, use."""
        if self.locale != "fr":
            return self
        if any(word[-1:].upper() in ("P", "K", "T") for word in words):
            return replace(self, suits=_FRENCH_SUITS)
        return self


def letters_of(locale: str | None) -> Letters:
    """The letters of a language (``"fr"``, ``"nl-be"``...), English when ``None`` or without letters of its own.

    >>> letters_of("fr").card("VS"), letters_of("nl").card("VR")
    ('JS', 'QD')

    Raises :class:`Malformed` (``unknown_locale``).
    """
    head = "en" if locale is None else locale[:2].lower()
    if head not in LOCALES and head in LANGUAGES:
        head = "en"
    if head not in LOCALES:
        raise Malformed(
            "unknown_locale", f"{locale!r} is not a language here: en, fr, nl", "locale"
        )
    return Letters(head, _RANKS[head], _SUITS[head])
