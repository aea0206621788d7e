"""Everything is said in French and Dutch: catalogs whole and compiled, no English left on a page."""

from __future__ import annotations

import ast
import gettext
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.template import engines
from django.template.base import Node, NodeList
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.test import Client
from django.urls import reverse
from django.utils import translation

from adjudication.services import rulings
from config.permissions_page import routes
from ledger.models import ORGANISATION, Role, RoleGrant
from scoring.engine.rulebook import RULEBOOKS
from scoring.services import tables
from tests.adjudication.build import (
    REFEREE,
    enter,
    event_in_play,
    incident_at,
    sheet_at,
    sign,
)
from tests.conftest import missing
from tests.scoring.build import a_sheet, token
from tests.tournament.build import make_user
from tournament.models import Draw, Event
from tournament.services.entrants import entrant_token

ROOT = Path(__file__).parents[1]
ROOMS = ("adjudication", "config", "ledger", "scoring", "tournament")
TRANSLATED = ("fr", "nl")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|(?<!\{)\{\w+\}")
CITED = re.compile(r"“[^”]*”|\b[A-Z]+(?:-[A-Z0-9]+)+\b|\b[a-z_]+(?:\.[a-z_]+)+\b")
"""A source in its own words, the codes of articles and questions, the kinds of jobs."""
LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?) ?(".*")')

REFUSALS = frozenset({"Refused", "Conflict", "NotAllowed", "NotHere", "TooMany"})

Text = tuple[str | None, str]
"""A context (mostly none) and the English."""


class Entry:
    """One text of a catalog."""

    def __init__(self) -> None:
        self.context: str | None = None
        self.english = ""
        self.plural: str | None = None
        self.forms: dict[int, str] = {}
        self.flags = ""

    @property
    def text(self) -> Text:
        return self.context, self.english


def read(path: Path) -> list[Entry]:
    """The entries of a .po file, without its header."""
    entries = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        entry, where = Entry(), ""
        for line in block.splitlines():
            if line.startswith("#"):
                entry.flags += line if line.startswith("#,") else ""
                continue
            found = LINE.match(line)
            if found:
                where = found.group(1)
                value = ast.literal_eval(found.group(3))
            else:
                value = ast.literal_eval(line)
            if where == "msgctxt":
                entry.context = (entry.context or "") + value
            elif where == "msgid":
                entry.english += value
            elif where == "msgid_plural":
                entry.plural = (entry.plural or "") + value
            else:
                form = int(where[7:-1]) if "[" in where else 0
                entry.forms[form] = entry.forms.get(form, "") + value
        if entry.english:
            entries.append(entry)
    return entries


def catalog(language: str) -> list[Entry]:
    return read(ROOT / "locale" / language / "LC_MESSAGES" / "django.po")


CALLS = {"gettext": 0, "gettext_lazy": 0, "gettext_noop": 0, "ngettext": 0, "ngettext_lazy": 0,
         "pgettext": 1, "pgettext_lazy": 1, "npgettext": 1, "npgettext_lazy": 1}  # fmt: skip


def texts_of_code() -> Iterator[tuple[str, Text]]:
    """Every literal that the rooms hand to gettext, also where xgettext does not look (f-strings)."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = {
                alias.asname or alias.name: alias.name
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
                for alias in node.names
                if alias.name in CALLS
            }
            for node in ast.walk(tree):
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                    continue
                if node.func.id in names:
                    at = CALLS[names[node.func.id]]
                    given = node.args[: at + 1]
                    if all(isinstance(arg, ast.Constant) for arg in given):
                        values = [arg.value for arg in given if isinstance(arg, ast.Constant)]
                        context = str(values[0]) if at else None
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", (context, str(values[at]))


def texts_of_templates() -> Iterator[tuple[str, Text]]:
    """Every text between the translation tags of the templates."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        name = str(path.relative_to(ROOT / "templates"))
        template = engines["django"].get_template(name).template  # type: ignore[attr-defined]
        nodes: list[Node] = template.nodelist.get_nodes_by_type(TranslateNode)
        for node in nodes:
            literal = node.filter_expression.var
            if isinstance(literal, str):
                context = node.message_context
                yield name, (str(context.var) if context else None, literal)
            elif not hasattr(literal, "lookups") or literal.lookups is None:
                context = node.message_context
                yield name, (str(context.var) if context else None, str(literal.literal))
        for block in _blocks(template.nodelist):
            singular, _names = block.render_token_list(block.singular)
            context = block.message_context
            english = singular.strip() if not block.trimmed else " ".join(singular.split())
            yield name, (str(context.var) if context else None, english)


def _blocks(nodes: NodeList) -> list[BlockTranslateNode]:
    return nodes.get_nodes_by_type(BlockTranslateNode)  # type: ignore[return-value]


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
            if entry.english.endswith(".") != said.endswith(".") and entry.english != "No.":
                wrong.append(f"full stop: {entry.english} / {said}")
    assert wrong == []


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


def test_gathering_the_texts_anew_finds_nothing_new_and_nothing_gone(tmp_path: Path) -> None:
    if not shutil.which("xgettext"):
        missing("gettext", "apt-get install gettext")
    ignore = shutil.ignore_patterns("__pycache__", "node_modules", "*.pyc")
    for room in (*ROOMS, "templates", "static"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=ignore)
    (tmp_path / "locale").mkdir()
    subprocess.run(
        [sys.executable, "-m", "django", "makemessages", "-v", "0", "-l", "fr"],
        cwd=tmp_path, check=True, capture_output=True, env={"PATH": "/usr/bin:/bin:/usr/local/bin"},
    )  # fmt: skip
    gathered = {e.text for e in read(tmp_path / "locale" / "fr" / "LC_MESSAGES" / "django.po")}
    for language in TRANSLATED:
        assert {entry.text for entry in catalog(language)} == gathered


def test_no_refusal_is_worded_without_a_translation() -> None:
    """A refusal's words go through gettext or come from the engine: never a bare literal."""
    bare = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                    continue
                words = node.args[1:2] if node.func.id in REFUSALS else []
                bare += [
                    f"{path.relative_to(ROOT)}:{node.lineno}"
                    for said in words
                    if isinstance(said, ast.Constant)
                    or (isinstance(said, ast.JoinedStr) and not _only_names(said))
                ]
    assert bare == []


def _only_names(said: ast.JoinedStr) -> bool:
    """Whether an f-string adds nothing but codes (``sure=…``) to words said elsewhere."""
    literal = [str(part.value) for part in said.values if isinstance(part, ast.Constant)]
    return not re.search(r"[A-Za-z]{2,}(?!\w*=)", "".join(literal))


def test_scripts_hold_no_texts() -> None:
    """A script says what the page handed over in data-text-…, never words of its own."""
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


class Seen(HTMLParser):
    """What a page says: its text and the attributes that are read out or shown."""

    VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
    SILENT = frozenset({"script", "style", "code", "pre"})

    def __init__(self) -> None:
        super().__init__()
        self.said: set[str] = set()
        self._hidden: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        elsewhere = tag != "html" and "lang" in found
        if tag not in self.VOID:
            self._open.append(tag)
            if self._hidden or tag in self.SILENT or elsewhere:
                self._hidden.append(tag)
        if self._hidden or elsewhere:
            return
        for name, value in found.items():
            told = name in ("title", "aria-label", "placeholder", "alt") or name.startswith(
                "data-text"
            )
            told = told or (name == "content" and found.get("name") == "description")
            if told:
                self.say(value)

    def handle_endtag(self, tag: str) -> None:
        while self._open and tag in self._open:
            closed = self._open.pop()
            if self._hidden:
                self._hidden.pop()
            if closed == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.say(data)

    def say(self, text: str) -> None:
        said = " ".join(text.split())
        if said:
            self.said.add(said)


def said_by(html: str) -> set[str]:
    seen = Seen()
    seen.feed(html)
    return seen.said


def english_left(said: set[str], language: str) -> list[str]:
    """The English sources longer than twelve letters that a page still says."""
    whole = "\n".join(said)
    left = []
    for entry in catalog(language):
        literal = max(PLACEHOLDER.split(entry.english), key=len).strip()
        forms = [said for said in entry.forms.values() if literal in said]
        if len(literal) > 12 and not forms and literal in whole:
            left.append(entry.english)
    return left


@pytest.fixture
def house(client: Client) -> dict[str, Any]:
    """A round in play: one sheet signed, one begun, a ruling and an appeal's worth of pages."""
    event, part = event_in_play()
    signed = sign(enter(sheet_at(part), 40, 30))
    begun = enter(sheet_at(part, 2), 40)
    incident = incident_at(event, part)
    ruling = rulings.issue(
        incident_id=incident.pk, article="000-P1", actor=REFEREE, claimed="in_time",
        facts={"offender": "N", "trick": 3, "noticed": "after_deal"},
    )  # fmt: skip
    open_incident = incident_at(event, part, table=2)
    user = make_user("somebody", event, Role.DIRECTOR)
    for role in (Role.CHIEF_REFEREE, Role.APPEALS):
        RoleGrant.objects.create(user=user, scope=event.pk, role=role)
    RoleGrant.objects.create(user=user, scope=ORGANISATION, role=Role.ADMIN)
    client.force_login(user)
    player = event.entrants.get(number=1)
    return {
        "event": event, "part": part, "begun": begun, "names": _data(event),
        "second_incident": open_incident.number,
        "values": {
            "slug": event.slug, "order": 1, "stage": 1, "round_id": part.pk, "verb": "extend",
            "draw_id": Draw.objects.get(round=part).pk, "sheet_id": signed.pk,
            "entrant_id": player.pk, "player_token": entrant_token(player),
            "ruling_id": ruling.pk,
            "name": "000-P1",
        },
    }  # fmt: skip


def _data(event: Event) -> list[str]:
    people = event.entrants.select_related("person", "club")
    clubs = {each.club.name for each in people if each.club}
    return [event.name, *clubs, *(each.person.name for each in people)]


def addresses(house: dict[str, Any]) -> list[str]:
    """Every page that can be read, with the ids of this house."""
    found = []
    for route in routes():
        by_player = route.pattern.startswith("p/")
        values = {
            **house["values"], "number": 1,
            "token": house["values"]["player_token"] if by_player else token(house["begun"]),
        }  # fmt: skip
        names = re.findall(r"<(?:\w+:)?(\w+)>", route.pattern)
        stream = route.pattern.endswith("<slug:slug>/live/")
        if route.verb == "*" and set(names) <= set(values) and not stream:
            pattern = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.pattern)
            found.append("/" + pattern.format_map(values))
    slug, second = house["values"]["slug"], house["second_incident"]
    return [*found, f"/referee/{slug}/incidents/{second}/", "/no/such/page/",
            f"/e/{slug}/draw/?by=name"]  # fmt: skip


@pytest.mark.django_db
def test_no_page_speaks_english_to_french_or_dutch_readers(
    house: dict[str, Any], client: Client
) -> None:
    """Neither sources of the catalogs nor words that no catalog knows: those stay the same in all three."""
    read_, wrong = 0, []
    for where in addresses(house):
        said: dict[str, set[str]] = {}
        for language in ("en", *TRANSLATED):
            answer = client.get(where, headers={"accept-language": language})
            kind = answer.headers.get("content-type", "")
            if answer.status_code in (200, 404) and kind.startswith("text/html"):
                said[language] = said_by(answer.content.decode())
        if len(said) < 3:
            continue
        read_ += 1
        for language in TRANSLATED:
            wrong += [f"{where} {language}: {t}" for t in english_left(said[language], language)]
        for text in said["en"] & said["fr"] & said["nl"]:
            left = CITED.sub("", text)
            for name in house["names"]:
                left = left.replace(name, "")
            if len(re.findall(r"[^\W\d_]{3,}", left)) > 1:
                wrong.append(f"{where} in no catalog: {text}")
    assert sorted(set(wrong)) == []
    assert read_ > 30


@pytest.mark.django_db
@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("depth", ["points", "tricks", "list", "cards"])
def test_the_table_speaks_the_readers_language_in_every_rulebook(
    client: Client, language: str, depth: str
) -> None:
    wrong = []
    for rulebook in sorted(RULEBOOKS):
        options = {"stakes": [8, 6, 4, 2, 1]} if rulebook == "auction-1" else {}
        sheet = a_sheet(rulebook, options=options, depth=depth)
        where = reverse("table", args=[token(sheet)])
        tables.table_token(sheet.table)
        answer = client.get(where, headers={"accept-language": language})
        wrong += [
            f"{rulebook}: {text}"
            for text in english_left(said_by(answer.content.decode()), language)
        ]
        empty = client.post(where, {"verb": "deal"}, headers={"accept-language": language})
        wrong += [
            f"{rulebook} refusal: {text}"
            for text in english_left(said_by(empty.content.decode()), language)
        ]
    assert wrong == []


@pytest.mark.django_db
def test_a_browser_that_wishes_dutch_is_answered_in_dutch(client: Client) -> None:
    answer = client.get("/", headers={"accept-language": "nl-BE,nl;q=0.9,en;q=0.5"})
    assert answer.headers["content-language"] == "nl"
    page = answer.content.decode()
    assert '<html lang="nl"' in page
    assert "Kaartingen" in page
    assert "Accept-Language" in answer.headers["vary"]


@pytest.mark.django_db
def test_a_language_that_the_house_does_not_speak_gives_english(client: Client) -> None:
    answer = client.get("/", headers={"accept-language": "de-DE,de"})
    assert answer.headers["content-language"] == "en"


@pytest.mark.django_db
def test_the_switch_is_kept_and_beats_the_browsers_wish(client: Client) -> None:
    posted = client.post("/language/", {"language": "fr", "next": "/"})
    assert posted.status_code == 302
    answer = client.get("/", headers={"accept-language": "nl"})
    assert answer.headers["content-language"] == "fr"
    client.post("/language/", {"language": "nl", "next": "/"})
    assert client.get("/").headers["content-language"] == "nl"


@pytest.mark.django_db
def test_the_switch_leads_to_no_foreign_place(client: Client) -> None:
    posted = client.post("/language/", {"language": "fr", "next": "https://example.org/"})
    assert "example.org" not in posted.headers["location"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "month"), [("en", "Nov\\.?"), ("fr", "novembre"), ("nl", "november")]
)
def test_dates_are_written_in_the_readers_language(
    house: dict[str, Any], client: Client, language: str, month: str
) -> None:
    """The event is on 21 November 2026."""
    page = client.get(f"/e/{house['event'].slug}/", headers={"accept-language": language})
    assert re.search(rf"\b{month}\W", page.content.decode())


@pytest.mark.parametrize(
    ("language", "said"), [("en", "1,234.5"), ("fr", "1\u202f234,5"), ("nl", "1.234,5")]
)
def test_numbers_are_written_in_the_readers_language(language: str, said: str) -> None:
    from django.utils.formats import number_format

    with translation.override(language):
        assert (
            number_format("1234.5", use_l10n=True, force_grouping=True).replace("\xa0", "\u202f")
            == said
        )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "said"),
    [("fr", "ne peut avoir 99 points"), ("nl", "kan geen 99 punten hebben")],
)
def test_the_engines_refusals_reach_the_table_in_its_language(
    client: Client, language: str, said: str
) -> None:
    sheet = a_sheet()
    where = reverse("table", args=[token(sheet)])
    posted = {"verb": "deal", "trump": "H", "doubling": "0", "side": "NS", "points": "99",
              "declarer": "NS", "version": sheet.version}  # fmt: skip
    answer = client.post(where, posted, headers={"accept-language": language})
    assert said in answer.content.decode()
