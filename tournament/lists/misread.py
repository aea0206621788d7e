"""A list that was misread, as a case for the corpus: its people are replaced by invented ones.

The shape stays byte for byte: encoding, separators, quotation marks, formats, headings and the words of
yes, no, paid and called off. Names, addresses and telephones are replaced, equal words by equal words.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Collection
from functools import cache
from html import escape, unescape
from random import SystemRandom
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from . import answers, headed, nonplayers, pasted, reading
from . import words as words_of_headings
from .given_names import GIVEN_NAMES
from .names import BEFORE_SURNAMES
from .texts import decode
from .words import heading, unaccented

_WORD: Final = re.compile(
    r"&#?\w+;"  # an entity of XML stays
    r"|\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b"  # and a date
    r"|[\w.+-]+@[\w.-]+"
    r"|\+?\d(?:[ \t./()-]*\d){5,}"
    r"|[A-Za-z\x80-\u024f]+"
)
_CARD: Final = re.compile(r"(?m)(?<=:)(?!VCARD).*|^[ \t].*")
"""Values of an address book."""
_STEM: Final = 5
"""Letters of a beginning by which the readers of answers know a word."""
_PARTS: Final = re.compile(r"xl/(?:sharedStrings|worksheets/[^/]+)\.xml|content\.xml")
"""Parts of a workbook that hold its cells."""
_XML_CELL: Final = re.compile(r"(<(?:\w+:)?t(?: [^>]*)?>)([^<]+)|(<v>)(\d{6,}|[^<\d][^<]*)(?=</v>)")
_OPEN_CELL: Final = re.compile(r"""(office:string-value=")([^"]*)|(>)([^<>]+)(?=<)""")
"""Text of a cell, after what opens it."""
_SHAPE: Final = re.compile(
    r"xl/(?:workbook|styles)\.xml|styles\.xml|mimetype|.*\.rels|.*\[Content_Types\].*|META-INF/.*"
)
"""Parts of a workbook that hold its shape alone; the others, its authors and comments, are left out."""
_SMALL: Final = str.maketrans(ascii_uppercase, ascii_lowercase)
_LARGE: Final = str.maketrans(ascii_lowercase, ascii_uppercase)
_LETTERS: Final = ("aeiou", "bcdfghklmnprstvz")
_ASCII_NAMES: Final = sorted(name for name in GIVEN_NAMES if name.isascii() and name.isalpha())


@cache
def _vocabulary() -> frozenset[str]:
    """Return the words that the readers of lists know, whose meaning is part of a list's shape."""
    words = {*BEFORE_SURNAMES, "total", "totaal", "totaux"}
    for module in (answers, headed, nonplayers, pasted, reading, words_of_headings):
        for value in vars(module).values():
            if isinstance(value, re.Pattern):
                spelled = re.sub(r"\[(\w)\w*\]\+?|(?<=\w)\?", r"\1", value.pattern)
                words |= {unaccented(word) for word in re.findall(r"[^\W\d_]{2,}", spelled)}
            elif isinstance(value, frozenset):
                words |= {word for word in value if isinstance(word, str)}
    return frozenset(words)


class _Scrambler:
    """Replaces the words of a list; ``keeps`` are the words of its headings."""

    def __init__(self, keeps: Collection[str]) -> None:
        self._keeps = {word for text in keeps for word in heading(text).split()} | _vocabulary()
        stems = self._keeps - BEFORE_SURNAMES
        self._stems = tuple(word for word in stems if len(word) >= _STEM)
        self._known: dict[str, str] = {}
        self._random = SystemRandom()

    def text(self, text: str) -> str:
        """Replace the words of a text."""
        return _WORD.sub(lambda match: self._word(match[0]), text)

    def _word(self, word: str) -> str:
        if word[0] == "&" or self._is_kept(word):
            return word
        if "@" in word:
            return self._word(word.partition("@")[0].replace(".", "") or "x") + "@example.org"
        if word[0].isdigit() or word[0] == "+":
            return word[:2] + re.sub(
                r"\d", lambda _digit: self._random.choice("0123456789"), word[2:]
            )
        key = word.translate(_SMALL)
        if key not in self._known:
            given = key in GIVEN_NAMES
            self._known[key] = self._random.choice(_ASCII_NAMES) if given else self._invented(key)
        new = self._known[key]
        if word.isascii() and word.isupper() and len(word) > 1:
            return new.upper()
        return new[0].translate(_LARGE) + new[1:] if word[0].isupper() else new

    def _is_kept(self, word: str) -> bool:
        if word[0].isdigit() and re.fullmatch(r"\d+[./-]\d+[./-]\d+", word):
            return True
        spelled = {unaccented(word), unaccented(decode(word.encode("latin-1", "replace")))}
        spelled |= {bare.rpartition("’")[2] for bare in spelled}  # d’attente
        return any(bare in self._keeps or bare.startswith(self._stems) for bare in spelled)

    def _invented(self, word: str) -> str:
        return "".join(
            next(
                (self._random.choice(kind) for kind in _LETTERS if sign in kind or sign in "jqwxy"),
                sign,
            )
            for sign in word
        )


def scrambled(content: bytes, keeps: Collection[str]) -> bytes:
    """Return a file with invented people, in the same shape; an unknown kind of file raises ValueError."""
    scrambler = _Scrambler(keeps)
    if content[:4] == b"PK\x03\x04":
        return _packed(content, scrambler, keeps)
    if content[:4] in (b"\xd0\xcf\x11\xe0", b"%PDF"):
        raise ValueError("neither text nor XML")
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in content[:100]:
        wide = "utf-16-be" if content[:2] == b"\xfe\xff" or content[:1] == b"\0" else "utf-16-le"
        return scrambler.text(content.decode(wide)).encode(wide)
    # Letters beyond ASCII stay byte for byte, in whatever encoding they are.
    within: Callable[[str], str] = scrambler.text
    if content.startswith(b"\xef\xbb\xbf"):
        return content[:3] + scrambled(content[3:], keeps)
    if content[:15].upper().startswith(b"BEGIN:VCARD"):
        within = lambda cards: _CARD.sub(lambda value: scrambler.text(value[0]), cards)  # noqa: E731
    elif content.lstrip().startswith(b"<"):
        within = lambda page: re.sub(r">[^<>]+<", lambda text: scrambler.text(text[0]), page)  # noqa: E731
    return within(content.decode("latin-1")).encode("latin-1")


def _packed(content: bytes, scrambler: _Scrambler, keeps: Collection[str]) -> bytes:
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        workbook = any(map(_PARTS.fullmatch, old.namelist()))
        for name in old.namelist():
            part = old.read(name)
            if not workbook:
                stem, dot, end = name.rpartition(".")
                path = "/".join(
                    each if "__" in each else scrambler.text(each) for each in stem.split("/")
                )
                new.writestr(path + dot + end, scrambled(part, keeps) if part else part)
            elif _PARTS.fullmatch(name):
                cells = _OPEN_CELL if name == "content.xml" else _XML_CELL
                new.writestr(
                    name,
                    cells.sub(
                        lambda cell: (
                            (cell[1] or cell[3])
                            + escape(scrambler.text(unescape(cell[2] or cell[4] or "")))
                        ),
                        part.decode(),
                    ),
                )
            elif _SHAPE.fullmatch(name):
                new.writestr(name, part)
    return packed.getvalue()


def case(content: bytes, name: str, *, is_pasted: bool, people: Collection[str]) -> bytes:
    """Return a ZIP of a file and its answer in the form of the corpus: who plays, as it is read now."""
    lines = ["# Write here who plays, in the order of the list; then send both files."]
    lines += ["pasted = true"] if is_pasted else []
    lines.append(f"people = {json.dumps(list(people), ensure_ascii=False)}")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
        archive.writestr(f"{name}.toml", "\n".join(lines) + "\n")
    return packed.getvalue()
