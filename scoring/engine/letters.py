"""Cards and suits in the letters of a language, for input (glossary, rules specification D.3).

The letters are texts of the catalogue. Ranks: English 10 A K Q J, French 10 A R D V (roi, dame, valet),
Dutch 10 A H V B (heer, vrouw, boer); 9 8 7 everywhere, ``T`` for 10, and the English letters too, where
the language does not use them for another rank. Suits: S H D C and the signs ♠ ♥ ♦ ♣ everywhere; Dutch also
P (pijken), R (ruiten) and K (klaveren); French also P C K T (pique, cœur, carreau, trèfle). C is clubs in one
row and hearts in the other, so a French text uses one row throughout: the French one as soon as
one of its cards ends in P, K or T (or a suit is one of these), else S H D C.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from scoring.texts import LANGUAGES, Message, pgettext_lazy
from scoring.texts import gettext_lazy as _

from .cards import RANKS, SUITS
from .errors import Malformed

RANK_LETTERS: Final[Mapping[str, Message]] = {"A": _("A"), "K": _("K"), "Q": _("Q"), "J": _("J")}
_SUIT_LETTERS: Final = pgettext_lazy("letters of spades, hearts, diamonds, clubs", "S H D C")
_NO_TRUMP: Final = _("NT")
_SIGNS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_ENGLISH_RANKS: Final = {**{rank: rank for rank in RANKS}, "T": "10"}
_ENGLISH_SUITS: Final = {**{suit: suit for suit in SUITS}, **_SIGNS}


@dataclass(frozen=True, slots=True)
class Letters:
    """Spelling of cards in one language: its ranks, suits and words for no trump."""

    locale: str
    ranks: Mapping[str, str]
    suits: Mapping[str, str]
    own_suits: Mapping[str, str]
    no_trump: frozenset[str]

    def card(self, word: str) -> str:
        """Return the engine's name of the card ``word``.

        Raises:
            Malformed: ``unknown_card``: the word names no card.
        """
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
        """Return the engine's name of a trump; raise :class:`Malformed` (``unknown_trump``) if there is none."""
        upper = word.upper()
        if upper in self.no_trump:
            return "NT"
        if upper in self.suits:
            return self.suits[upper]
        raise Malformed(
            "unknown_trump",
            f"{word[:40]!r} is not a trump in these letters ({self.locale}): "
            f"{' '.join(self.suits)} or {' '.join(sorted(self.no_trump))}",
            "text",
            {"trump": repr(word[:40])},
        )

    def settled_by(self, words: Iterable[str]) -> Letters:
        """Return these letters with the suit letters used in ``words``, all cards of one text."""
        telling = self.own_suits.keys() - _ENGLISH_SUITS.keys()
        if self.suits == _ENGLISH_SUITS and any(word[-1:].upper() in telling for word in words):
            return replace(self, suits={**self.own_suits, **_SIGNS})
        return self


def letters_of(locale: str | None) -> Letters:
    """Return the letters of a language (``"fr"``, ``"nl-be"``...), English when ``None``.

    >>> letters_of("fr").card("VS"), letters_of("nl").card("VR")
    ('JS', 'QD')

    Raises :class:`Malformed` (``unknown_locale``).
    """
    head = "en" if locale is None else locale[:2].lower()
    if head not in LANGUAGES:
        raise Malformed(
            "unknown_locale",
            f"{locale!r} is not a language here: {', '.join(LANGUAGES)}",
            "locale",
        )
    ranks = {text.render(head).upper(): rank for rank, text in RANK_LETTERS.items()}
    own = dict(zip(_SUIT_LETTERS.render(head).upper().split(), SUITS, strict=False))
    two_rows = any(_ENGLISH_SUITS.get(letter, suit) != suit for letter, suit in own.items())
    return Letters(
        head,
        {**_ENGLISH_RANKS, **ranks},
        _ENGLISH_SUITS if two_rows else {**_ENGLISH_SUITS, **own},
        own,
        frozenset({"NT", _NO_TRUMP.render(head).upper()}),
    )
