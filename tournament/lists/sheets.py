"""Sheets of a file as text, with the formats that speak about a row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

MOST_COLUMNS: Final = 100
"""Columns of a spreadsheet that are read."""
MOST_LINES: Final = 1_048_576
"""Lines that are read, empty ones too: as many as a sheet of any program has."""
MOST_SIGNS: Final = 300
"""Characters of a cell that are read: no column that is imported holds as many."""
LONGEST_CELL: Final = 32_767
"""Characters that a cell of any spreadsheet program holds at most."""
MOST_TAGS: Final = 1_000_000
"""Tags in one part of a spreadsheet: ten thousand rows of 25 cells. Reading takes its time by these."""
FORMULA: Final = "#FORMULA"
"""Text of a cell whose formula was stored without its result."""
ERRORS: Final = frozenset(
    f"{FORMULA} #N/A #N/B #NV #NA #REF! #VALUE! #NAME? #DIV/0! #NULL! #NUM! #REF #VALEUR! #NOM? #WAARDE!"
    " #NAAM? #VERW! #GETAL! #LEEG! #DEEL/0! #NOMBRE! #NUL! #SPILL! #CALC! Err:502 Err:504 Err:508 Err:509"
    " Err:522".split()
)
"""Errors of a spreadsheet's formulas, in the programs' languages."""


@dataclass(slots=True)
class Sheet:
    """One sheet: its rows from the first line of the file on, and the formats of its cells."""

    rows: list[list[str]]
    name: str = ""
    visible: bool = True
    active: bool = False
    """Whether the workbook was saved with this sheet in front."""
    hidden: set[int] = field(default_factory=set)
    """Indexes of the rows that a filter or the user hides."""
    struck: set[tuple[int, int]] = field(default_factory=set)
    """Row and column of the cells whose text is struck through."""
    mended: set[int] = field(default_factory=set)
    """Indexes of the rows with a quotation mark that is opened and not closed."""


class Unreadable(Exception):
    """The bytes are no list; ``code`` says why, ``program`` whose menu can save one."""

    def __init__(self, code: str, program: str = "") -> None:
        super().__init__(code)
        self.code, self.program = code, program


def without_empty_end(row: list[str]) -> list[str]:
    """Return the row up to its last filled cell: a spreadsheet has no end of a row."""
    end = len(row)
    while end and not row[end - 1].strip():
        end -= 1
    return row[:end]


def _cut(cell: str) -> str:
    if len(cell) > LONGEST_CELL:
        raise Unreadable("not_a_table")
    return cell[:MOST_SIGNS]


def enough(rows: Iterable[list[str]], most: int) -> list[list[str]]:
    """Return the rows up to ``most`` filled ones, of each cell as much as is read."""
    lines: list[list[str]] = []
    nothing: list[str] = []
    filled = 0
    for row in islice(rows, MOST_LINES):
        lines.append([_cut(cell) for cell in without_empty_end(row)] or nothing)
        filled += bool(lines[-1])
        if filled > most:
            break
    return lines
