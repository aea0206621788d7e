"""The catalogues are complete, typographically correct and compiled, and contain every text of code and templates."""

from __future__ import annotations

import ast
import gettext
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command

from operations.management.commands.makemessages import BuildFile
from tests.catalogs import (
    PLACEHOLDER,
    REFUSALS,
    ROOMS,
    ROOT,
    TRANSLATED,
    catalog,
    modules_with,
    read,
    texts_of_code,
    texts_of_templates,
)
from tests.conftest import missing


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_with_its_placeholders(language: str) -> None:
    wrong = []
    for entry in catalog(language):
        forms = 2 if entry.plural else 1
        if "fuzzy" in entry.flags:
            wrong.append(f"fuzzy: {entry.english}")
        if len(entry.forms) != forms or not all(entry.forms.values()):
            wrong.append(f"empty: {entry.english}")
        for said in entry.forms.values():
            if sorted(PLACEHOLDER.findall(said)) != sorted(PLACEHOLDER.findall(entry.english)):
                wrong.append(f"placeholders: {entry.english} / {said}")
            sentence = len(entry.english) > 8  # shorter ones are abbreviations
            if sentence and entry.english.endswith(".") != said.endswith("."):
                wrong.append(f"full stop: {entry.english} / {said}")
    assert wrong == []


NOUNS = (
    r"points?|marks|deals|tricks|cards|games|rounds|tables|players|pairs|teams|places|rows|lines|minutes|seconds"
    r"|hours|days|weeks|people|changes|characters|matches|meetings|members|wins|times|participants|events|clubs"
    r"|prizes|pages|sheets|rulings|incidents|appeals|calls|articles|stages|pools|others|are|have|go|sit|qualify"
    r"|opponents|boards|letters|digits|files|copies|stakes|draws|results|codes|steps|seats|doublings|bids|doubts"
    r"|signatures|options|attempts|withdrawals|byes|words|goes|sits|qualifies|ranked"
)
COUNTED = re.compile(rf"(?:%\(\w+\)[sd]|(?<!\{{)\{{\w+\}})[ \u00a0](?:[a-z]+ ){{0,2}}(?:{NOUNS})\b")
"""A number and what it counts. Singular nouns mark texts for which the code uses "one"."""

NAMED = re.compile(
    r"(?:trick|deal|game|round|table|number|place|line|row|no\.|edition|ruling|draw|page|%\(stage\)s|stage)"
    r" (?:%\(\w+\)[sd]|\{\w+\})|(?:%\((?:name|what|who|one|two|winner|side|stage)\)s"
    r"|\{(?:name|card|side|other|others|dealer|offender|article|rulebook)\}) ",
    re.IGNORECASE,
)
"""A number that is a name ("Table 1"), and placeholders that are not numbers."""

NEVER_ONE = {
    "At most %(most)d characters.": "no column has one",
    "This ruling would cost %(marks)s points: change the penalty scale to whole points.": "a fraction",
    "{side} cannot have won {tricks} of {of} tricks": "all tricks of a deal",
    "{side} cannot have {points} card points: a deal has 0 to {most}": "one is possible",
    "{count} tricks are listed, not {of}: trick {trick} is one too many": "more than a deal has",
    "the organiser must set the {needed} stakes": "one for each bid",
    "%(total)s card points in all.": "all points of a deal",
    "{players} players: a Whist movement {why}. The nearest numbers are {listed}; an individual championship "
    "seats any number.": "the draw is refused below four",
    "the %(what)s is longer than %(most)d characters": "a fixed length",
    "Tricks: {tricks}. A side then has {min} to {max} points.": "the most that tricks can hold",
    "; {count} are tied for {places}": "nobody is tied alone",
    "A club with fewer than {least} members is listed without a rank.": "said from two on",
    "With {count} players every table would be a table of three, and no game would count: choose byes instead, or let their games count.": "3, 6 or 9",
    "Tables of three: with %(count)d players, %(idle)d of them play a round that does not count, unless you let it count.": "tables of three",
}
"""Texts whose number is never one, with the reason."""

UNCHANGED = {
    "fr": {"%(n)d more repeated meeting", "%(n)d fewer repeated meeting"},
    "nl": {
        "%(n)d bye",
        "%(n)d has a bye this round",
        "{rulebook} allows no more than {most} doubling here, not {doubling}",
    },
}
"""Texts whose words do not follow the number: "retrouvailles", "vrij", "keer"."""


def test_every_text_that_counts_has_plural_forms() -> None:
    counting = {
        entry.english
        for entry in catalog("fr")
        if entry.plural is None and COUNTED.search(NAMED.sub("", entry.english))
    }
    assert counting == set(NEVER_ONE)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_plural_differs_from_its_singular_where_the_english_does(language: str) -> None:
    """Two equal forms are right only where the words do not change with the number."""
    same = {
        entry.english
        for entry in catalog(language)
        if entry.plural and entry.plural != entry.english and len(set(entry.forms.values())) == 1
    }
    assert same <= UNCHANGED[language]


@pytest.mark.parametrize("language", TRANSLATED)
def test_typography(language: str) -> None:
    """Curved apostrophes; French no-break spaces before : ; ? ! and inside « »."""
    said = [form for entry in catalog(language) for form in entry.forms.values()]
    assert [each for each in said if "'" in each] == []
    if language == "fr":
        assert [each for each in said if re.search(r"\w ?[;?!](?!\w)| [:»]|« |“", each)] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalog_is_the_written_one(language: str) -> None:
    with (ROOT / "locale" / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        compiled: Any = gettext.GNUTranslations(file)
    written: dict[Any, str] = {}
    for entry in catalog(language):
        name = f"{entry.context}\x04{entry.english}" if entry.context else entry.english
        for number, said in entry.forms.items():
            written[(name, number) if entry.plural else name] = said
    held = {key: said for key, said in compiled._catalog.items() if key}
    assert held == written


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_code_and_the_templates_is_in_the_catalog(language: str) -> None:
    known = {entry.text for entry in catalog(language)}
    found = [*texts_of_code(), *texts_of_templates()]
    assert len(found) > 1000
    assert sorted({(where, text) for where, text in found if text not in known}, key=str) == []


def test_gathering_the_texts_anew_finds_nothing_new_and_nothing_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    if not shutil.which("xgettext"):
        missing("gettext", "apt-get install gettext")
    ignore = shutil.ignore_patterns("__pycache__", "node_modules", "*.pyc")
    for room in (*ROOMS, "templates", "static"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=ignore)
    (tmp_path / "locale").mkdir()
    monkeypatch.chdir(tmp_path)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    call_command("makemessages", locale=["fr"], verbosity=0)
    gathered = {e.text for e in read(tmp_path / "locale" / "fr" / "LC_MESSAGES" / "django.po")}
    for language in TRANSLATED:
        assert {entry.text for entry in catalog(language)} == gathered


def test_texts_of_toml_files_are_gathered(tmp_path: Path) -> None:
    data = tmp_path / "articles.toml"
    data.write_text('id = "T-1"\ntitle = "Late"\n[facts.what.choices]\nno_show = "It’s absent"\n')
    file = SimpleNamespace(file=data.name, path=str(data), dirpath=str(tmp_path))
    built = BuildFile(None, "django", file)
    built.preprocess()
    assert Path(built.work_path).read_text("utf-8").splitlines() == [
        "gettext_lazy('Late')",
        "gettext_lazy('It’s absent')",
    ]


def test_no_refusal_is_worded_without_a_translation() -> None:
    """A refusal's text passes through gettext or comes from the engine: never a bare literal."""
    bare, refusals = [], 0
    for path, tree in modules_with(rf"\b({'|'.join(sorted(REFUSALS))})\("):
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            words = node.args[1:2] if node.func.id in REFUSALS else []
            refusals += len(words)
            bare += [
                f"{path.relative_to(ROOT)}:{node.lineno}"
                for said in words
                if isinstance(said, ast.Constant)
                or (isinstance(said, ast.JoinedStr) and not _only_names(said))
            ]
    assert bare == []
    assert refusals > 200


def _only_names(said: ast.JoinedStr) -> bool:
    """Return whether an f-string adds only codes (``sure=…``) and no words."""
    literal = [str(part.value) for part in said.values if isinstance(part, ast.Constant)]
    return not re.search(r"[A-Za-z]{2,}(?!\w*=)", "".join(literal))


def test_scripts_hold_no_texts() -> None:
    """A script shows the texts of the page's data-text-… attributes and has none of its own."""
    said = re.compile(
        r"(?:textContent|innerText|title|placeholder|ariaLabel)\s*\+?=\s*[\"'`][^\"'`]*[A-Za-z]{3}"
        r"|aria-label[\"'],\s*[\"'`][^\"'`]*[A-Za-z]{3}|\b(?:alert|confirm|prompt)\("
    )
    found = [
        f"{path.name}:{number}"
        for path in sorted((ROOT / "static" / "js").glob("*.js"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if said.search(line)
    ]
    assert found == []
