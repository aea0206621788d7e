"""The words by which tests recognise a table's page, checked against the catalogues.

A test of the page runs in one language at a time; this module checks that its words belong to the same text in every
language.
"""

from __future__ import annotations

import re

import pytest

from tests.catalogs import Text, catalog

from .table import SPOKEN

CATALOGS = {language: {each.text: each for each in catalog(language)} for language in ("fr", "nl")}


VALUE = re.compile(r"N-[SZ]|\d+")
"""A placeholder of a text."""


def says(told: str, words: str) -> bool:
    """Return whether a text contains the words around the placeholders."""
    return all(part.strip().lower() in told.lower() for part in VALUE.split(words))


def in_catalogs(words: dict[str, str]) -> list[Text]:
    """Return the texts that contain the words in English and in each translation."""
    return [
        text
        for text, entry in CATALOGS["fr"].items()
        if says(f"{entry.english} {entry.plural}", words["en"])
        and all(
            any(says(form, words[language]) for form in translated[text].forms.values())
            for language, translated in CATALOGS.items()
        )
    ]


@pytest.mark.parametrize("what", sorted(SPOKEN))
def test_a_word_is_that_of_one_text_in_every_language(what: str) -> None:
    parts = [each.split("·") for each in SPOKEN[what].values()]
    for part in zip(*parts, strict=True):
        assert in_catalogs(dict(zip(SPOKEN[what], part, strict=True))), part
