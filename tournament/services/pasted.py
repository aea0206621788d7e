"""Names pasted from a message or a spreadsheet, as the file of players that the import reads."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from .players_file import Layout, guessed_columns, headings_in

_MARK: Final = re.compile(r"^\s*(?:[-–—•*·✓✔]+|\(?\d{1,4}\s*[.):/-]+)\s*(?=\S)")
"""Marks before a name in a list: a dash, a point, its number."""
_NUMBER: Final = re.compile(r"^\d{1,4}\s+(?=[^\W\d])")
"""A number that only a space parts from the name: of a list where most lines have one."""
_NUMBERED: Final = re.compile(r"^\s*\(?\d{1,4}(?:\s*[.):/-]+\s*|\s+)(?=[^\W\d])")
"""A line that begins with its number, whatever parts it from the name."""
_ADDRESSED: Final = re.compile(r"(?<=>)\s*[,;]\s*(?=\S)")
"""Separators that a mail program puts between two people, each with their address in angle brackets."""
_PHONE: Final = re.compile(
    r"(?<=[^\W\d])[^\w+]*(?:\b(?:t[eé]l[eé]?(?:phone|foon)?|gsm|mobile|portable)\b[^\w+]*)?"
    r"((?!\d{1,2}[./-]\d{1,2}[./-]\d{4}\b)\+?\(?\d(?:[\s./()-]*\d){7,14})[\s)]*$",
    re.IGNORECASE,
)
"""A phone number behind a name; a date is none."""


def as_file(text: str) -> tuple[bytes, Layout | None]:
    """Text as a CSV, row by row as it was pasted, and what its columns hold where no headings say it.

    Cells are cut at tabs, of a spreadsheet, or at semicolons. Without headings one cell is a name;
    of several the first that is no number is the name, one with ``@`` the address, the next the club.
    A phone number behind a name is a cell of its own. One line with several commas is a list of names, and so are
    the receivers of an e-mail (“Jan <jan@example.org>, Els <els@example.org>”).

    >>> content, layout = as_file("1. Jan Maes\\n\\n2. DELVOYE, Huguette")
    >>> content.decode(), layout.columns
    ('"Jan Maes"\\r\\n\\r\\n"DELVOYE, Huguette"\\r\\n', {'name': 0})
    """
    lines = text.replace("\u00a0", " ").splitlines()
    lines = [part for line in lines for part in _ADDRESSED.split(line)]
    filled = [line for line in lines if line.strip()]
    if len(filled) == 1 and not re.search("[\t;]", filled[0]) and filled[0].count(",") > 1:
        lines = filled[0].split(",")
    rows = [
        [cell.strip() for cell in line.split("\t" if "\t" in line else ";")] if line.strip() else []
        for line in lines
    ]
    layout = None
    if not headings_in([row for row in rows if row]):
        numbered = sum(bool(row and _NUMBERED.match(row[0])) for row in rows)
        rows = [
            [_MARK.sub("", cell) if at == 0 else cell for at, cell in enumerate(row)]
            for row in rows
        ]
        if numbered * 2 > len(filled):
            rows = [[_NUMBER.sub("", row[0]), *row[1:]] if row else [] for row in rows]
        layout = Layout(guessed_columns(rows), 1)
        phones = [_PHONE.search(row[0]) if row else None for row in rows]
        if any(phones):
            end = max(map(len, rows))
            at = layout.columns.setdefault("phone", end)
            for row, phone in zip(rows, phones, strict=True):
                if phone:
                    row[0] = row[0][: phone.start()]
                    row += [""] * (at + 1 - len(row))
                    row[at] = phone[1]
    out = io.StringIO()
    csv.writer(out, delimiter=";", quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue().encode(), layout
