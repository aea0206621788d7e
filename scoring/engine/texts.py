"""A text in the three languages of the product, for the rooms that know no web framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LANGUAGES: Final = ("en", "fr", "nl")


@dataclass(frozen=True, slots=True)
class Texts:
    """One text in English, French and Dutch, with the terms of the glossary."""

    en: str
    fr: str
    nl: str

    def to(self, language: str) -> str:
        """The text in ``language`` (``"fr-be"`` counts as French); English when unknown."""
        head = language[:2].lower()
        if head == "fr":
            return self.fr
        if head == "nl":
            return self.nl
        return self.en
