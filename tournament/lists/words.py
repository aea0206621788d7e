"""Text of cells made comparable, and fit to be stored."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_NO_INK: Final = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0"), " ")
"""Signs that count as letters or marks and print nothing: fillers of Hangul, an empty Braille cell."""
_BRACKETS: Final = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_ASIDE: Final = frozenset(
    [
        "wat",
        "is",
        "je",
        "uw",
        "jouw",
        "your",
        "votre",
        "vos",
        "ton",
        "quel",
        "quelle",
        "est",
        "what",
        "the",
        "de",
        "la",
        "le",
        "l",
        "les",
        "du",
        "van",
        "of",
        "d",
        "het",
        "een",
        "attendee",
        "ticket",
        "holder",
        "ticketholder",
        "deelnemer",
        "participant",
        "player",
        "speler",
        "joueur",
        "gast",
        "guest",
        "invite",
        "veuillez",
        "indiquer",
        "svp",
        "aub",
        "please",
        "vul",
        "in",
        "geef",
        "s",
        "v",
        "p",
    ]
)
"""Words of a question or a shop around the name of a column."""


def plain(text: str) -> str:
    """``text`` in one line, without signs that have no ink: controls, joiners, fillers, marks of direction.

    They would turn a line of a list around, or make another name of one that looks the same.
    """
    if text.isprintable() and text.isascii():
        return " ".join(text.split())
    text = text.translate(_NO_INK)
    return " ".join("".join(sign for sign in text if sign.isprintable() or sign.isspace()).split())


def unaccented(text: str) -> str:
    """Lower case, without accents."""
    if text.isascii():
        return text.lower()
    parted = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parted if not unicodedata.combining(sign))


def heading(text: str) -> str:
    """Normalise a heading: lower case, without accents and signs."""
    return " ".join(re.sub(r"[^a-z]+", " ", unaccented(text)).split()) or text.strip()


def core_of_question(text: str) -> str:
    """Return the core of a heading that is a question: “Wat is je naam? (verplicht)” is “naam”."""
    words = heading(_BRACKETS.sub(" ", text)).split()
    return " ".join(word for word in words if word not in _ASIDE)


def is_aside(word: str) -> bool:
    """Whether a word of a heading says nothing about its column."""
    return word in _ASIDE
