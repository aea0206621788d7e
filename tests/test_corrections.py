"""Every correction of the editors is applied, or answered under its number in docs/decisions/wording.md."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import pytest

from tests.catalogs import ROOT, TRANSLATED, catalog

CORRECTIONS = tomllib.loads((ROOT / "tests" / "corrections.toml").read_text(encoding="utf-8"))

ELSEWHERE = {
    "en": {
        "Draw",  # the lottery
        "Points",  # the score
        "Scores of the field",  # a chart
        "Staff",  # the menu of who has signed in
        "What",  # what a proof is about
        "Withdraw",  # a publication
    },
    "fr": {
        "Classement",  # standings, a ranking rule
        "Critère",  # of a ranking rule
        "Enregistrer",  # save
        "Examiner",  # looks at several registrations
        "Organisation",  # the menu of who has signed in
        "Points",  # the score
        "Reprendre",  # takes back what was done
        "forfait",  # a table of the hall whose player forfeits, not one who withdrew
    },
    "nl": {
        "Boven",  # the top of a list
        "Klassement",  # standings, a ranking rule
        "Loten",  # draws lots
        "Opgave",  # the state of who has left
        "Organisatie",  # the menu of who has signed in
        "Terug",  # to the page before
        "Wat",  # what a proof is about
    },
}
"""Texts that a correction replaces in one place and that remain right in another."""


def plain(text: str) -> str:
    return re.sub(r"[\s\u00a0\u202f]+", " ", text.replace("'", "’")).strip()


@cache
def said(language: str) -> frozenset[str]:
    """Return the texts of a catalogue in ``language``, spaces and apostrophes normalised."""
    if language == "en":
        found = [
            text
            for entry in catalog(TRANSLATED[0])
            for text in (entry.english, entry.plural)
            if text
        ]
    else:
        found = [text for entry in catalog(language) for text in entry.forms.values()]
    return frozenset(map(plain, found))


def answered() -> set[str]:
    """Return the numbers to which the decisions give another answer."""
    decided = (ROOT / "docs" / "decisions" / "wording.md").read_text(encoding="utf-8")
    return {
        number
        for cell in re.findall(r"^\| ([\d, ]+) \|", decided, re.MULTILINE)
        for number in cell.split(", ")
    }


def test_every_number_is_there() -> None:
    assert list(CORRECTIONS) == [str(number) for number in range(1, 369)]
    assert answered() <= set(CORRECTIONS)


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_no_corrected_text_is_said(language: str) -> None:
    left = {
        number: sorted(again)
        for number, texts in CORRECTIONS.items()
        if language in texts
        and (again := said(language).intersection(texts[language]["was"]) - ELSEWHERE[language])
    }
    assert left == {}


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_every_correction_is_taken_or_answered(language: str) -> None:
    missing = {
        number: absent
        for number, texts in CORRECTIONS.items()
        if language in texts
        and number not in answered()
        and (absent := [text for text in texts[language]["now"] if text not in said(language)])
    }
    assert missing == {}


def test_no_corrected_sentence_stands_in_a_template_or_in_data() -> None:
    sentences = {
        text
        for texts in CORRECTIONS.values()
        for language in texts.values()
        for text in language["was"]
        if len(text) > 24 and text != "announced at the prize-giving"  # the end of another sentence
    }
    rooms = ("adjudication", "scoring", "tournament", "templates", "static", "docs")
    found = {
        f"{path.relative_to(ROOT)}: {text}"
        for room in rooms
        for kind in ("html", "toml", "txt", "js", "md")
        for path in (ROOT / room).rglob(f"*.{kind}")
        if path.name != "editions.toml"
        for told in [plain(path.read_text(encoding="utf-8"))]
        for text in sentences
        if text in told
    }
    assert found == set()
