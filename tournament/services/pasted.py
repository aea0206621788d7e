"""Names pasted from a message or a spreadsheet, as the file of players that the import reads."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from django.utils.translation import gettext as _

from .players_file import headings_in

_MARK: Final = re.compile(r"^\s*(?:[-–—•*·✓✔]+|\(?\d{1,4}\s*[.):/-]+)\s*(?=\S)")
"""What stands before a name in a list: a dash, a point, its number."""


def as_file(text: str) -> bytes:
    """Text as a CSV with headings: what was pasted with its own headings keeps them.

    Cells are cut at tabs, of a spreadsheet, or at semicolons. Without headings one cell is a name;
    of several the first that is no number is the name, one with ``@`` the address, the next the club.
    One line with several commas is a list of names.

    >>> as_file("1. Jan Maes\\n2. DELVOYE, Huguette").decode()
    'Name\\r\\nJan Maes\\r\\nDELVOYE, Huguette\\r\\n'
    """
    lines = [line for line in text.replace("\u00a0", " ").splitlines() if line.strip()]
    cut = "\t" if any("\t" in line for line in lines) else ";"
    if len(lines) == 1 and cut not in lines[0] and lines[0].count(",") > 1:
        lines = lines[0].split(",")
    rows = [[cell.strip() for cell in line.split(cut)] for line in lines]
    if not headings_in(rows):
        rows = [
            [_MARK.sub("", cell) if at == 0 else cell for at, cell in enumerate(row)]
            for row in rows
        ]
        words = _words()
        guessed = _guessed(rows)
        shown = [words.get(heading, heading) for heading in guessed]
        rows.insert(0, shown if headings_in([shown]) else guessed)
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows(rows)
    return out.getvalue().encode()


def _words() -> dict[str, str]:
    """Each heading that is guessed, as the reader calls it: the preview shows it as a row of the file."""
    return {"name": _("Name"), "number": _("Number"), "email": _("E-mail"), "club": _("Club")}


def _guessed(rows: list[list[str]]) -> list[str]:
    """Headings for cells that have none, by what most of them look like."""
    width = max(map(len, rows), default=1)
    headings: list[str] = []
    for at in range(width):
        cells = [row[at] for row in rows if at < len(row) and row[at]]
        if cells and sum(cell.replace(".", "").isdigit() for cell in cells) * 2 > len(cells):
            kind = "number"
        elif any("@" in cell for cell in cells):
            kind = "email"
        elif "name" not in headings:
            kind = "name"
        else:
            kind = "club"
        headings.append(kind if kind not in headings else f"column {at + 1}")
    return headings if "name" in headings else ["name", *headings[1:]]
