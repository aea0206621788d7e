"""Tables that run over pages: columns measured once, rows drawn straight on the canvas.

A row is never split, the heading is repeated on each page, numbers align on their right edge
(tabular figures), and a text that is too wide follows the rule of ``faces.fit``: condensed, then
smaller, then on two lines where the column allows it, and only then cut with an ellipsis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.documents.faces import BOLD, CAP_HEIGHT, TEXT, Fitted, fit_lines, width
from tournament.documents.looks import (
    ACCENT,
    BODY_SIZE,
    CENTRE,
    INK,
    LEFT,
    MUTED,
    RIGHT,
    RULE,
    TINT,
    Ink,
)
from tournament.documents.press import Press

_PAD: Final = 5.0
_LEAST: Final = 0.78


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

    ``line`` is a thick rule below the row with these words on it (a cut).
    """

    cells: tuple[str, ...]
    bold: frozenset[int] = frozenset()
    ink: Ink = INK
    line: str = ""
    mark: str = ""
    """An outline entry that leads to this row."""


def widths(
    press: Press, columns: Sequence[GridColumn], rows: Sequence[GridRow], size: float = BODY_SIZE
) -> list[float]:
    """Widths in points that together fill the room between the margins."""
    wide: list[float] = []
    head = size * 0.82
    for at, column in enumerate(columns):
        if column.share:
            wide.append(0.0)
            continue
        cells = {row.cells[at] for row in rows}
        most = max((width(cell, BOLD, size) for cell in cells), default=0.0)
        most = max(most, min(width(column.heading, BOLD, head), 62.0))
        wide.append(min(most, column.widest) + 2 * _PAD)
    shares = sum(column.share for column in columns)
    left = press.room - sum(wide)
    least = 0.3 * press.room if shares else 0.0
    if left < least:
        # Too many measured columns for the page: all give way in proportion, cells shrink to fit.
        scale = (press.room - least) / sum(wide)
        wide = [each * scale for each in wide]
        left = least
    if shares:
        return _shared(columns, rows, wide, left, size)
    # Without a column that takes the rest, all grow alike.
    grow = min(press.room / sum(wide), 1.6) if wide else 1.0
    return [each * grow for each in wide]


def _shared(
    columns: Sequence[GridColumn],
    rows: Sequence[GridRow],
    wide: Sequence[float],
    left: float,
    size: float,
) -> list[float]:
    """The room left over given to the columns with a share: what they need, if all get it."""
    need = {}
    for at, column in enumerate(columns):
        if column.share:
            cells = {row.cells[at] for row in rows} | {column.heading}
            need[at] = max(width(cell, BOLD, size) for cell in cells) + 2 * _PAD
            need[at] = max(need[at], column.narrowest)
    total = sum(need.values())
    shares = sum(columns[at].share for at in need)
    if total <= left:
        parts = {
            at: each + (left - total) * columns[at].share / shares for at, each in need.items()
        }
    else:
        # Those that need less than their share keep what they need; the others divide the rest.
        parts = {}
        rest, open_shares = left, shares
        for at in sorted(need, key=lambda at: need[at] / columns[at].share):
            parts[at] = min(need[at], rest * columns[at].share / open_shares)
            rest -= parts[at]
            open_shares -= columns[at].share
    return [parts.get(at, each) for at, each in enumerate(wide)]


def _heading(
    press: Press,
    columns: Sequence[GridColumn],
    lefts: Sequence[float],
    wide: Sequence[float],
    size: float,
) -> None:
    head = size * 0.82
    made = [
        fit_lines(column.heading, each - 2 * _PAD, BOLD, head, head * 0.75, 2)
        for column, each in zip(columns, wide, strict=True)
    ]
    deepest = max(len(lines) for lines in made)
    bottom = press.y - deepest * head * 1.15
    for lines, column, left, each in zip(made, columns, lefts, wide, strict=True):
        x = _anchor(column.align, left, each)
        y = bottom + (len(lines) - 1) * head * 1.15
        for line in lines:
            press.text(
                x, y + 2, line.text, face=line.face, size=line.size, ink=MUTED, align=column.align
            )
            y -= head * 1.15
    press.y = bottom - 3
    press.rule(press.left, press.y, press.left + sum(wide), press.y, weight=0.9, ink=INK)


def _anchor(align: str, left: float, wide: float) -> float:
    if align == RIGHT:
        return left + wide - _PAD
    if align == CENTRE:
        return left + wide / 2
    return left + _PAD


def grid(
    press: Press,
    columns: Sequence[GridColumn],
    rows: Sequence[GridRow],
    *,
    size: float = BODY_SIZE,
    pitch: float = 1.68,
    wide: Sequence[float] | None = None,
    level: int = 1,
    headed: bool = True,
) -> None:
    """Draws the table from the cursor on, over as many pages as it takes.

    ``pitch`` is the height of a row in type sizes. ``wide`` gives the widths in points, for
    several tables that must agree; without it they are measured. ``level`` is that of the outline
    entries of rows. ``headed`` is whether the headings of the columns are printed.
    """
    plan = _Plan(press, columns, list(wide or widths(press, columns, rows, size)), size, pitch)
    press.ensure(plan.high * 3 + 12)
    if headed:
        _heading(press, columns, plan.lefts, plan.wide, size)
    striped = False
    for row in rows:
        faces = [BOLD if at in row.bold else TEXT for at in range(len(columns))]
        broken, deepest = plan.broken(row, faces)
        tall = plan.high + (deepest - 1) * plan.leading
        if press.ensure(tall + (14 if row.line else 0)):
            if headed:
                _heading(press, columns, plan.lefts, plan.wide, size)
            striped = False
        if row.mark:
            press.bookmark(row.mark, level)
        if striped:
            press.box(press.left, press.y - tall, plan.full - press.left, tall, fill=TINT)
        striped = not striped
        plan.draw(row, faces, broken, deepest)
        press.y -= tall
        if row.line:
            _cut(press, row.line, plan.full, size)
            striped = False
    press.rule(press.left, press.y, plan.full, press.y, weight=0.6, ink=RULE)
    press.y -= 10


class _Plan:
    """The geometry of one table, worked out once, and the drawing of a row by it."""

    def __init__(
        self,
        press: Press,
        columns: Sequence[GridColumn],
        wide: list[float],
        size: float,
        pitch: float,
    ) -> None:
        self.press = press
        self.wide = wide
        self.size = size
        self.lefts = [press.left + sum(wide[:at]) for at in range(len(wide))]
        self.full = press.left + sum(wide)
        self.high = size * pitch
        self.leading = size * 1.18
        self._least = size * _LEAST
        self._rooms = [each - 2 * _PAD for each in wide]
        self._limits = [column.lines for column in columns]
        self._aligns = [column.align for column in columns]
        self._anchors = [
            _anchor(column.align, left, each)
            for column, left, each in zip(columns, self.lefts, wide, strict=True)
        ]

    def broken(self, row: GridRow, faces: list[str]) -> tuple[dict[int, tuple[Fitted, ...]], int]:
        """The cells that do not fit as they are, made to fit, and the most lines of any cell."""
        made: dict[int, tuple[Fitted, ...]] = {}
        size, rooms = self.size, self._rooms
        deepest = 1
        for at, cell in enumerate(row.cells):
            if width(cell, faces[at], size) > rooms[at]:
                lines = fit_lines(cell, rooms[at], faces[at], size, self._least, self._limits[at])
                made[at] = lines
                deepest = max(deepest, len(lines))
        return made, deepest

    def draw(
        self, row: GridRow, faces: list[str], broken: dict[int, tuple[Fitted, ...]], deepest: int
    ) -> None:
        """The cells of a row below the cursor, each in the middle of the row's height."""
        text, size, ink = self.press.text, self.size, row.ink
        anchors, aligns, leading = self._anchors, self._aligns, self.leading
        base = self.press.y - self.high + (self.high - size * CAP_HEIGHT) / 2
        middle = base - (deepest - 1) * leading / 2
        for at, cell in enumerate(row.cells):
            if at not in broken:
                if cell:
                    text(
                        anchors[at],
                        middle,
                        cell,
                        face=faces[at],
                        size=size,
                        ink=ink,
                        align=aligns[at],
                    )
                continue
            y = middle + (len(broken[at]) - 1) * leading / 2
            for line in broken[at]:
                text(
                    anchors[at],
                    y,
                    line.text,
                    face=line.face,
                    size=line.size,
                    ink=ink,
                    align=aligns[at],
                )
                y -= leading


def _cut(press: Press, words: str, full: float, size: float) -> None:
    """The line that ends the qualified places, with its words set into it."""
    small = size * 0.85
    y = press.y - 7
    wide = width(words, BOLD, small)
    middle = (press.left + full) / 2
    press.rule(press.left, y, middle - wide / 2 - 8, y, weight=1.8, ink=ACCENT)
    press.rule(middle + wide / 2 + 8, y, full, y, weight=1.8, ink=ACCENT)
    press.text(middle, y - small * 0.34, words, face=BOLD, size=small, ink=ACCENT, align=CENTRE)
    press.y -= 14
