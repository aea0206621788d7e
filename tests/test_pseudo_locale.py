"""Every text passes through the catalogue, and pages have room for texts half as long again.

A language of the tests alone replaces French: each of its texts is the English one, with its letters replaced by
similar ones, and longer by 40 %. So a word in plain letters has bypassed the catalogue.
"""

from __future__ import annotations

import gettext
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import django
import pytest
from django.test import Client

from scoring import texts
from tests.browser.conftest import FLAGS, chromium_path
from tests.catalogs import PLACEHOLDER, ROOT, Text, catalog
from tests.conftest import missing
from tests.test_languages import addresses, build_house, said_by

pytestmark = [pytest.mark.long, pytest.mark.django_db]

ALIKE = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçðéƒĝĥíĵķļɱñóþǫŕšţúṽŵẋýžÁɃÇÐÉƑĜĤÍĴĶĻṀÑÓÞǪŔŠŢÚṼŴẊÝŽ",
)
LONGER = 0.4
KEPT = re.compile(rf"({PLACEHOLDER.pattern}|<[^>]+>|&\w+;|%%)")
"""Values and markup, which remain unchanged in a text."""

DATA = re.compile(
    rf"\b00\d\b[^“]*“|“[^”]*”|[^“”]*”|«[^»]*»|\b[A-Z]{{4,}}\b|\b[0-9a-f]{{12,}}\b|\S*[/.<]\w+\S*"
    rf"|{PLACEHOLDER.pattern}"
)
"""Source quotations, codes in capitals, check codes, addresses, values that a script fills in."""

NAMES = {"Manille", "Letter", "Nederlands", "English", "somebody", "renonce", "seed", "(header)"}
"""Names that are the same in every language, and text typed by the tests."""


def pseudo(english: str) -> str:
    """Return ``Round {n}`` as ``Ŕóúñð {n}``, padded to a longer text."""
    said = "".join(
        part if at % 2 else part.translate(ALIKE)
        for at, part in enumerate(KEPT.split(english))
        if part is not None
    )
    more = round(len(english) * LONGER)
    return " ".join([said, *("ó" * min(8, more - at) for at in range(0, more, 9))])


STICKS_OUT = """() => {
  if (document.documentElement.scrollWidth <= 360) return "";
  const rolls = (node) => node !== document.body && getComputedStyle(node).overflowX !== "visible";
  const inside = (node) => {
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) if (rolls(at)) return true;
    return false;
  };
  const wide = [...document.querySelectorAll("body *")].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.width && Math.max(box.right, box.left + node.scrollWidth) > 361 && !inside(node) && !rolls(node);
  });
  return wide.slice(-3).map((node) => node.outerHTML.slice(0, 200)).join(" | ") || "the page";
}"""
"""Finds elements beyond the right edge of a phone."""


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def write_catalogue(
    folder: Path, language: str = "fr", own: Mapping[Text, str] | None = None
) -> None:
    """Write a compiled pseudo-language catalogue for ``language``; ``own`` overrides single translations."""
    own = own or {}
    lines = ['msgid ""', 'msgstr "Content-Type: text/plain; charset=UTF-8\\n"']
    lines.append('"Plural-Forms: nplurals=2; plural=(n > 1);\\n"')
    for entry in catalog("fr"):
        lines.append("")
        if entry.context:
            lines.append(f"msgctxt {_quoted(entry.context)}")
        lines.append(f"msgid {_quoted(entry.english)}")
        if entry.plural:
            lines.append(f"msgid_plural {_quoted(entry.plural)}")
            lines.append(f"msgstr[0] {_quoted(pseudo(entry.english))}")
            lines.append(f"msgstr[1] {_quoted(pseudo(entry.plural))}")
        else:
            said = own.get(entry.text) or pseudo(entry.english)
            lines.append(f"msgstr {_quoted(said)}")
    written = folder / language / "LC_MESSAGES" / "django.po"
    written.parent.mkdir(parents=True)
    written.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = ["msgfmt", "-o", str(written.with_suffix(".mo")), str(written)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        missing("gettext", "apt-get install gettext")


@pytest.fixture
def spoken(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, str]]:
    """Serve the pseudo-language to requests for French."""
    write_catalogue(tmp_path)
    (tmp_path / "nl").symlink_to(ROOT / "locale" / "nl")
    settings.LOCALE_PATHS = [tmp_path]
    monkeypatch.setattr(texts, "_LOCALE", tmp_path)
    texts._catalogue.cache_clear()
    yield {"accept-language": "fr"}
    texts._catalogue.cache_clear()


@pytest.fixture
def house(spoken: dict[str, str], client: Client) -> dict[str, Any]:
    """Create a round in play, whose draw and rulings are recorded in the pseudo-language too."""
    house = build_house()
    client.force_login(house["user"])
    return house


def words_of_django() -> set[str]:
    """Return the French words of the framework's own texts: dates, durations, passwords."""
    words: set[str] = set()
    for room in ("conf", "contrib/auth"):
        path = Path(django.__file__).parent / room / "locale" / "fr" / "LC_MESSAGES" / "django.mo"
        with path.open("rb") as file:
            found: Any = gettext.GNUTranslations(file)
        for said in found._catalog.values():
            words |= set(re.findall(r"[^\W\d_]+", str(said)))
    return words


def escaped(said: set[str], names: set[str], known: set[str]) -> Iterator[str]:
    """Yield the texts with plain letters that are neither a name nor ``known``."""
    for text in said:
        left = DATA.sub(" ", text)
        for name in sorted(names, key=len, reverse=True):
            left = left.replace(name, " ")
        if set(re.findall(r"(?<![^\W\d_])[A-Za-z]{4,}(?![^\W\d_])", left)) - known:
            yield text


PAGES = re.compile(
    r"/(?:e/[^.]*|t/[^.]*|p/[^.]*|desk/[^.]*|referee/[^.]*|help/|rules/|accounts?/[^.]*)?$"
)
"""Public, table, desk and referee pages; papers, exports and API addresses are tested elsewhere."""


def test_no_text_escapes_the_catalogue_and_longer_ones_fit(
    spoken: dict[str, str], house: dict[str, Any], client: Client
) -> None:
    django_said = words_of_django()
    names = NAMES.union(house["names"], (name.split()[-1] for name in house["names"]))
    found, pages = set(), {}
    for where in filter(PAGES.match, addresses(house)):
        answer = client.get(where, headers=spoken)
        if answer.status_code == 200 and answer.headers["content-type"].startswith("text/html"):
            pages[where] = answer.content.decode()
            for text in escaped(said_by(pages[where]), names, django_said):
                found.add(f"{where}: {text}")
    assert sorted(found) == []
    assert len(pages) > 30
    assert list(too_wide(pages)) == []


DENSE = re.compile(
    r"^/$|/(?:draw|standings|room|rounds|players|1)/$|^/t/\w+/$|^/(?:e|desk|referee)/[\w-]+/$"
)
"""Pages with dense rows."""


def too_wide(pages: dict[str, str]) -> Iterator[str]:
    """Yield the pages that scroll sideways on a phone of 360 px, and the elements that overflow."""
    from playwright.sync_api import sync_playwright

    style = (ROOT / "static" / "css" / "app.css").read_text(encoding="utf-8")
    with sync_playwright() as program:
        browser = program.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.route("**/*", lambda route: route.abort())
        for where, html in pages.items():
            if not DENSE.search(where):
                continue
            bare = re.sub(r"<script.*?</script>|<link[^>]*>", "", html, flags=re.DOTALL)
            page.set_content(bare.replace("</head>", f"<style>{style}</style></head>", 1))
            out = page.evaluate(STICKS_OUT)
            if out:
                yield f"{where}: {out}"
        browser.close()
