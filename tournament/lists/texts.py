"""Text files: their encoding, their separator, quotation marks that are never closed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from .sheets import MOST_LINES

LOST: Final = "\ufffd"
"""Replacement characters of a decoder for bytes that are no letter."""
SEPARATORS: Final = ";\t,|"
_OLD: Final = ("cp1252", "cp850", "mac_roman")
"""Encodings of one byte a letter, the most usual first."""
_USUAL: Final = frozenset("éèêëàâäáãåçîïíìôöóòõøûüúùñœæßÿÉÈÊËÀÂÄÁÅÇÎÏÍÔÖÓØÛÜÚÙÑŒÆŠŽšžŁł’‘“”€°´«»–…")
_WITHIN: Final = re.compile(r"(?<=[^\W\d_])[^\x00-\x7f]|[^\x00-\x7f](?=[^\W\d_])")
_TWICE: Final = re.compile(
    r"[ÂÃÄÅ][\x80-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|[├┬][^\x00-\x7f]|√[^\x00-\x7f]"
)
"""Two signs that are one letter of UTF-8 read in an encoding of one byte a letter."""
_LINES_OF_A_CELL: Final = 4
"""Lines that one cell in quotation marks may have."""


def decode(content: bytes) -> str:
    """Decode a text: UTF-8, UTF-16 with or without mark, else line by line, since lists are pasted together.

    A line that is valid UTF-8 with accents is hardly anything else; the others are in the old
    encoding that makes the most words of them.

    >>> decode("Zoë".encode()), decode("Thérèse".encode("cp850")), decode("Noël".encode("utf-16-le"))
    ('Zoë', 'Thérèse', 'Noël')
    >>> decode("Thérèse".encode().decode("latin-1").encode())
    'Thérèse'
    """
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16")
    if wide := _is_wide(content):
        return content.decode(wide)
    try:
        return _mended(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        lines = content.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    old = b"".join(line for line in lines if not _is_utf_8(line))
    encoding = max(_OLD, key=lambda name: _likeness(old.decode(name, errors="replace")))
    return _mended(
        "".join(
            line.decode() if _is_utf_8(line) else line.decode(encoding, errors="replace")
            for line in lines
        )
    )


def _is_wide(content: bytes) -> str:
    """Return the encoding of UTF-16 without a mark, whose every other byte is nought; empty if it is none."""
    start = content[:4000]
    for name, offset in (("utf-16-le", 1), ("utf-16-be", 0)):
        noughts = start[offset::2].count(0)
        if len(start) > 7 and len(content) % 2 == 0 and noughts * 4 > len(start[offset::2]) * 3:
            return name if not start[1 - offset :: 2].count(0) else ""
    return ""


def _is_utf_8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _likeness(text: str) -> int:
    """Rate how much the signs beside letters are letters of a name; no capital follows a small letter."""
    rating = 0
    for match in _WITHIN.finditer(text):
        sign, before = match[0], text[match.start() - 1 : match.start()]
        good = sign in _USUAL and sign.isalpha() and not (sign.isupper() and before.islower())
        rating += 2 if good else -3
    return rating


def _mended(text: str) -> str:
    """Undo UTF-8 that was read once in an encoding of one byte a letter, line by line."""
    if not _TWICE.search(text):
        return text
    return "".join(map(_mended_line, text.splitlines(keepends=True)))


def _mended_line(line: str) -> str:
    if not _TWICE.search(line):
        return line
    for encoding in ("cp1252", "latin-1", "cp850", "mac_roman"):
        try:
            right = _as_bytes(line, encoding).decode()
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
        if sum(not sign.isascii() for sign in right) < sum(not sign.isascii() for sign in line):
            return right
    return line


def _as_bytes(line: str, encoding: str) -> bytes:
    """Encode, with the bytes that Windows leaves undefined as they are."""
    if encoding != "cp1252":
        return line.encode(encoding)
    return b"".join(
        sign.encode("latin-1") if sign in "\x81\x8d\x8f\x90\x9d" else sign.encode(encoding)
        for sign in line
    )


def records(lines: list[str], separator: str, mended: set[int]) -> Iterator[list[str]]:
    """Yield the rows of a separated text; a quotation mark that is never closed is a sign like others.

    The indexes of the rows with such a mark are added to ``mended``.

    >>> list(records(lines_of('a;b\\n"Els;y\\nTom;z\\n"An\\nMaes";w'), ";", set()))
    [['a', 'b'], ['Els', 'y'], ['Tom', 'z'], ['An\\nMaes', 'w']]
    """
    width = next((line.count(separator) for line in lines if line.strip()), 0)
    at = count = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if '"' not in line:
            yield line.rstrip("\r\n").split(separator)
        elif line.count('"') % 2 == 0 or not _opens(line, separator):
            yield _cells(line, separator)
        elif end := _closing(lines, at, separator, width):
            yield _cells("".join(lines[at:end]), separator)
        else:
            end = at + 1
            mended.add(count)
            yield [cell.strip().strip('"') for cell in line.rstrip("\r\n").split(separator)]
        at = end
        count += 1


def lines_of(text: str) -> list[str]:
    """Return the lines, parted by any of the three signs for their end, which stay."""
    match = re.finditer(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text)
    return [line[0] for line in islice(match, MOST_LINES)]


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(line, newline=""), delimiter=separator), [])
    except csv.Error:
        return line.rstrip("\r\n").split(separator)


def _opens(text: str, separator: str) -> bool:
    """Whether a cell begins with a quotation mark that no mark at the end of a cell closes."""
    text = text.rstrip("\r\n")
    within, start, at = False, True, 0
    while at < len(text):
        sign = text[at]
        if within and sign == '"':
            after = text[at + 1 : at + 2]
            at += after == '"'
            within = after not in ("", separator)
        elif start and sign == '"':
            within = True
        start = not within and sign == separator
        at += 1
    return within


def _closing(lines: list[str], at: int, separator: str, width: int) -> int:
    """Return the line after which a cell opened in line ``at`` is closed; 0 if it never is.

    Lines with more separators than one row has are several rows.
    """
    for end in range(at + 2, min(at + 1 + _LINES_OF_A_CELL, len(lines)) + 1):
        if width and sum(line.count(separator) for line in lines[at:end]) > width:
            return 0
        if not _opens("".join(lines[at:end]), separator):
            return end
    return 0
