"""Column widths and type size of a table, so that it fits the page.

Numbers and ranks are never cut: a measured column is at least as wide as its widest cell. First the
headings give way (broken over lines, condensed), then names run over two lines, then the whole
table is set smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.documents.faces import BOLD, NARROW_BOLD, pieces, width
from tournament.documents.looks import INK, LEFT, Ink

PAD: Final = 5.0
LEAST: Final = 0.78
"""The smallest a cell may become, against the size of its table."""
HEAD: Final = 0.82
HEAD_LEAST: Final = 0.75
HEAD_LINES: Final = 3
_CONDENSED: Final = 0.9
"""The width of the condensed bold face against the bold one, in round numbers."""
_RAGGED: Final = 1.15
"""Extra room of lines that end between words, compared with full lines."""
_PROSE: Final = 0.45
_SCALES: Final = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58)


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A column: ``share`` 0 is as wide as its widest cell, else its part of the room left over."""

    heading: str
    align: str = LEFT
    share: float = 0.0
    lines: int = 1
    """On how many lines a cell may run."""
    widest: float = 150.0
    """The most a column without a share may take, in points."""
    narrowest: float = 0.0
    """The least a column with a share needs, in points (room to write in)."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row: its cells, those in bold, the ink, and what is drawn below it.

    ``line`` is a thick rule below the row with these words on it (a cut). ``mark`` is an outline
    entry that leads to the row.
    """

    cells: tuple[str, ...]
    bold: frozenset[int] = frozenset()
    ink: Ink = INK
    line: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Measures:
    """Widths of the columns in points (together the room), type size, white beside a cell."""

    wide: tuple[float, ...]
    size: float
    pad: float
    tight: frozenset[int] = frozenset()
    """Columns that a cell may be too wide for; every cell of the others stands as it is."""


def measured(
    room: float, columns: Sequence[GridColumn], rows: Sequence[GridRow], size: float
) -> Measures:
    """Return the measures of a table in ``room`` points, set at ``size`` or, if need be, smaller."""
    cells = [{row.cells[at] for row in rows} for at in range(len(columns))]
    units = [
        max((width(cell, BOLD, 1.0) for cell in measured_cell), default=0.0)
        for measured_cell in cells
    ]
    shared = [at for at, column in enumerate(columns) if column.share]
    words: dict[int, float] = {}
    for scale in _SCALES:
        type_size, pad = size * scale, PAD * scale
        floors = [
            0.0 if column.share else _floor(column, units[at], type_size) + 2 * pad
            for at, column in enumerate(columns)
        ]
        if not words:
            words = _widest_words(columns, cells, units, room - sum(floors), type_size, pad)
        least = {
            at: max(
                words[at] * type_size * LEAST + 2 * pad,
                _in_lines(columns[at], units[at] * type_size, room) + 2 * pad,
                columns[at].narrowest,
            )
            for at in shared
        }
        if sum(floors) + sum(least.values()) <= room:
            break
    else:
        # More columns than a page can hold at any legible size: all give way alike.
        part = room / (sum(floors) + sum(least.values()))
        wide = [least.get(at, floor) * part for at, floor in enumerate(floors)]
        return Measures(tuple(wide), type_size, pad, frozenset(range(len(columns))))
    left = room - sum(floors)
    if not shared:
        grow = min(room / sum(floors), 1.6) if floors else 1.0
        wide = [each * grow for each in floors]
        return Measures(tuple(wide), type_size, pad, _tight(wide, units, type_size, pad))
    most = {at: max(units[at] * type_size + 2 * pad, least[at]) for at in shared}
    # Headings get room of their own only where names keep enough for two lines.
    two = {at: most[at] / min(columns[at].lines, 2) * 1.2 for at in shared}
    spare = left - sum(max(min(most[at], two[at]), least[at]) for at in shared)
    floors = _roomier_headings(columns, floors, type_size, pad, max(spare, 0.0))
    left = room - sum(floors)
    parts = _shared({at: columns[at].share for at in shared}, least, most, left)
    wide = [parts.get(at, floor) for at, floor in enumerate(floors)]
    return Measures(tuple(wide), type_size, pad, _tight(wide, units, type_size, pad))


def _tight(
    wide: Sequence[float], units: Sequence[float], size: float, pad: float
) -> frozenset[int]:
    """Return the columns whose widest cell, set in bold, is wider than the column."""
    return frozenset(
        at for at, unit in enumerate(units) if unit * size > wide[at] - 2 * pad + 0.005
    )


def _widest_words(
    columns: Sequence[GridColumn],
    cells: Sequence[set[str]],
    units: Sequence[float],
    left: float,
    size: float,
    pad: float,
) -> dict[int, float]:
    """Return the widest word of each column with a share, at size 1: less room would break words.

    Where every cell fits whole, the cells are used as they are, without measuring words.
    """
    shared = [at for at, column in enumerate(columns) if column.share]
    if sum(units[at] * size + 2 * pad for at in shared) <= left:
        return {at: units[at] for at in shared}
    return {
        at: max(
            (width(each, NARROW_BOLD, 1.0) for cell in cells[at] for each in pieces(cell)),
            default=0.0,
        )
        for at in shared
    }


def _in_lines(column: GridColumn, whole: float, room: float) -> float:
    """Estimate the width in which the widest cell fits uncut on the lines that its column allows.

    ``whole`` is that cell on one line in bold. Nothing for prose, which would take half the page.
    """
    need = whole * _CONDENSED * LEAST / column.lines * _RAGGED
    return need if need <= room * _PROSE else 0.0


def _floor(column: GridColumn, unit: float, size: float) -> float:
    """Return the least width of the content of a measured column: its cells, and its heading in pieces."""
    head = size * HEAD * HEAD_LEAST
    word = max((width(each, NARROW_BOLD, head) for each in pieces(column.heading)), default=0.0)
    return min(max(unit * size, word + 0.1), max(column.widest, unit * size * LEAST * 0.9))


def _roomier_headings(
    columns: Sequence[GridColumn], floors: list[float], size: float, pad: float, spare: float
) -> list[float]:
    """Widen ``floors`` out of ``spare`` so that headings fit on two lines at their own size."""
    head = size * HEAD
    wish = []
    for column, floor in zip(columns, floors, strict=True):
        if column.share:
            wish.append(0.0)
            continue
        word = max((width(each, BOLD, head) for each in pieces(column.heading)), default=0.0)
        two = width(column.heading, BOLD, head) * 0.58 if " " in column.heading else 0.0
        wish.append(max(0.0, max(word, two) + 2 * pad + 0.1 - floor))
    total = sum(wish)
    part = min(1.0, spare / total) if total else 0.0
    return [floor + each * part for floor, each in zip(floors, wish, strict=True)]


def _shared(
    shares: dict[int, float], least: dict[int, float], most: dict[int, float], left: float
) -> dict[int, float]:
    """``left`` points by ``shares``, no column below what it needs at ``least``.

    None gets more than its widest cell takes (``most``) before all have theirs.
    """

    def parts(level: float) -> dict[int, float]:
        return {at: min(max(level * shares[at], least[at]), most[at]) for at in shares}

    over = left - sum(most.values())
    if over >= 0:
        total = sum(shares.values())
        return {at: most[at] + over * shares[at] / total for at in shares}
    low, high = 0.0, max(most[at] / shares[at] for at in shares)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(parts(middle).values()) <= left else (low, middle)
    return parts(low)
