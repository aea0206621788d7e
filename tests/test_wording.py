"""The glossary of docs/languages.md: banned words appear in no catalogue; quotes and apostrophes are typographic."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from adjudication.penal.editions import EDITIONS
from scoring.texts import Message
from tests.catalogs import TRANSLATED, Entry, catalog
from tests.test_languages import addresses, built_house, house, said_by

__all__ = ["built_house", "house"]

OUT = {
    "fr": (
        r"feuilles? de table|doublettes?|incompatibilités?|graines?|toutes rondes|équité|empreintes?"
        r"|au repos|directeurs?|candidats?|plis|tournois?|épreuves?|mise?s? de côté|paliers?"
        r"|celui qui|rondes?|fai[rt]e? appel|tirages? écartés?|rencontres|moteur|prescrits?"
        r"|saisi(?:[rt]|ssez|ssent)?|fai(?:re|tes) entrer|appuyez"
    ),
    "nl": (
        r"tornooien|toernooi\w*|wedstrijdleiders?|gekeerde kaart|koppels?|voorval\w*|terzijde"
        r"|kandidaa?t\w*|lotgetal\w*|vingerafdruk\w*|rekenkern|billijkheid|huisartikels?|u|uw"
        r"|in fout|inrichters?|zoektocht|stom|bedeelde?|resultaat|wiens|wier|verbod|uitzicht"
        r"|wedstrijden|lotingscertificaat|rusten|beslissing(?:en)?|aangemeld|\w*rangschikking|partners?"
        r"|overtroe\w+|doorstoot|schifting|contreren|gecontreerde?|bevel|(?:de|hun) resultaten|vast schema|druk op"
    ),
    "en": r"\(any more\)|whoever|wall screen|equity|start number on the badge",
}
"""Words that an editor of each language has replaced for good."""

MEANT = {"planned in advance: no two players meet twice"}
"""Texts of speech with the source's own wording."""


def _messages(value: object) -> Iterator[str]:
    if isinstance(value, Message):
        yield value.msgid
        for _name, part in value.values:
            yield from _messages(part)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for each in dataclasses.fields(value):
            yield from _messages(getattr(value, each.name))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _messages(item)


def ours(language: str) -> list[Entry]:
    """Return the entries of a catalogue that no published edition of the penal code pins."""
    published = {
        text
        for rulebooks in EDITIONS.values()
        for articles in rulebooks.values()
        for text in (*_messages(tuple(articles)), *(each.citation.quote for each in articles))
    }
    return [entry for entry in catalog(language) if entry.english not in published]


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_no_word_that_is_out_is_said(language: str) -> None:
    out = re.compile(rf"(?<![\w’-])(?:{OUT[language]})(?![\w’-])", re.IGNORECASE)
    said = [
        (entry.english, text)
        for entry in ours("fr" if language == "en" else language)
        for text in ([entry.english] if language == "en" else entry.forms.values())
        if entry.english not in MEANT
    ]
    assert len(said) > 1000
    assert [each for each in said if out.search(each[1])] == []


def test_english_is_set_with_curved_quotes_and_apostrophes() -> None:
    straight = re.compile(r"\w'|s' |\"")
    assert [entry.english for entry in ours("fr") if straight.search(entry.english)] == []


@pytest.mark.parametrize(("language", "wrong"), [("fr", '"|“|”'), ("nl", '"|«|»|„')])
def test_each_language_has_its_own_quotes(language: str, wrong: str) -> None:
    said = [text for entry in ours(language) for text in entry.forms.values()]
    assert [text for text in said if re.search(wrong, text)] == []


def test_no_code_of_a_source_is_a_word() -> None:
    codes = re.compile(r"\bQ-[A-Z0-9]+\b|\bsource 00\d")
    assert [entry.english for entry in ours("fr") if codes.search(entry.english)] == []


SOURCE_CODE = re.compile(r"\bQ-(?:GEN-)?\d+\b|\bQ-[A-Z]{3,}\b|\bC\.\d\b|(?<![\w-])00[0-4](?![\w-])")
"""A code of the rules specification: a question, a chapter, a source."""


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_no_page_of_a_ruling_says_a_code_of_a_source(
    house: dict[str, Any], client: Client, language: str
) -> None:
    read = 0
    for where in addresses(house):
        if not re.search(
            r"/rulings?/|/incidents/|/lab|/rules?/|/code/|/appeals?/|^/t/|^/p/", where
        ):
            continue
        answer = client.get(where, headers={"accept-language": language})
        if answer.status_code != 200 or "text/html" not in answer.headers["content-type"]:
            continue
        read += 1
        quoted = re.compile(r"[“«][^”»]*[”»]")
        told = {quoted.sub("", text) for text in said_by(answer.content.decode())}
        assert [text for text in told if SOURCE_CODE.search(text)] == [], where
    assert read > 8


@pytest.mark.django_db
def test_passwords_are_asked_for_in_the_words_of_the_service(
    house: dict[str, Any], client: Client
) -> None:
    page = client.get("/account/password/", headers={"accept-language": "nl"}).content.decode()
    assert "Je wachtwoord moet minstens" in page
    assert not re.search(r"\b[Uu]w?\b", " ".join(said_by(page)))
