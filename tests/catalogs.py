"""The translation catalogues as the tests read them, and the texts that the code passes to gettext."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.template import engines
from django.template.base import NodeList
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(__file__).parents[1]
ROOMS = ("accounts", "adjudication", "config", "ledger", "operations", "scoring", "tournament")
TRANSLATED = ("fr", "nl")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|(?<!\{)\{\w+\}")
LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?) ?(".*")')

REFUSALS = frozenset({"Refused", "Conflict", "NotAllowed", "NotHere", "TooMany"})

Text = tuple[str | None, str]
"""A context (mostly empty) and the English text."""


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


def read(path: Path) -> tuple[Entry, ...]:
    """Return the entries of a .po file, without its header."""
    entries = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        entry, where = Entry(), ""
        for line in block.splitlines():
            if line.startswith("#"):
                entry.flags += line if line.startswith("#,") else ""
                continue
            found = LINE.match(line)
            if found:
                where, line = found.group(1, 3)
            # Only escaped lines need the slow parser.
            value = ast.literal_eval(line) if "\\" in line else line[1:-1]
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
    return tuple(entries)


@cache
def catalog(language: str) -> tuple[Entry, ...]:
    return read(ROOT / "locale" / language / "LC_MESSAGES" / "django.po")


CALLS = {
    "gettext": 0,
    "gettext_lazy": 0,
    "gettext_noop": 0,
    "ngettext": 0,
    "ngettext_lazy": 0,
    "pgettext": 1,
    "pgettext_lazy": 1,
    "npgettext": 1,
    "npgettext_lazy": 1,
}


def modules_with(word: str, rooms: Sequence[str] = ROOMS) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the modules of the rooms that contain a pattern, with their syntax trees."""
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if re.search(word, source):
                yield path, ast.parse(source)


@cache
def texts_of_code() -> tuple[tuple[str, Text], ...]:
    """Return every literal that the code passes to gettext, also in f-strings, which xgettext ignores."""
    return tuple(_texts_of_code())


def _texts_of_code() -> Iterator[tuple[str, Text]]:
    for path, tree in modules_with("gettext"):
        nodes = list(ast.walk(tree))
        names = {
            alias.asname or alias.name: alias.name
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            and node.module in ("django.utils.translation", "scoring.texts")
            for alias in node.names
            if alias.name in CALLS
        }
        for node in nodes:
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id in names:
                at = CALLS[names[node.func.id]]
                given = node.args[: at + 1]
                if all(isinstance(arg, ast.Constant) for arg in given):
                    values = [arg.value for arg in given if isinstance(arg, ast.Constant)]
                    context = str(values[0]) if at else None
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", (context, str(values[at]))


@cache
def texts_of_templates() -> tuple[tuple[str, Text], ...]:
    """Return every text between the translation tags of the templates."""
    return tuple(_texts_of_templates())


def _texts_of_templates() -> Iterator[tuple[str, Text]]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        name = str(path.relative_to(ROOT / "templates"))
        for given in re.finditer(r"""\b_\((["'])(.*?)\1\)""", path.read_text(encoding="utf-8")):
            yield name, (None, given.group(2))
        template = engines["django"].get_template(name).template  # type: ignore[attr-defined]
        nodes: list[Any] = template.nodelist.get_nodes_by_type(TranslateNode)
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
