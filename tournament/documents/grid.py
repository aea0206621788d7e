"""Tables that run over pages: columns measured once, rows drawn straight on the page.

A row is never split, the heading is repeated on each page, numbers align on their right edge
(tabular figures), and a text that is too wide follows the rule of ``faces.fit``: condensed, then
smaller, then on two lines where the column allows it, and only then cut with an ellipsis.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.documents.faces import BOLD, CAP_HEIGHT, TEXT, Fitted, fit_lines, width
from tournament.documents.layout import Layout
from tournament.documents.looks import (
    BODY_SIZE,
    CENTRE,
    INK,
    MUTED,
    RIGHT,
    RULE,
    TINT,
)
from tournament.documents.measures import (
    HEAD,
    HEAD_LEAST,
    HEAD_LINES,
    LEAST,
    GridColumn,
    GridRow,
    Measures,
    measured,
)


def grid(
    layout: Layout,
    columns: Sequence[GridColumn],
    rows: Sequence[GridRow],
    *,
    size: float = BODY_SIZE,
    pitch: float = 1.68,
    measures: Measures | None = None,
    level: int = 1,
    headed: bool = True,
    after: float = 0.0,
) -> None:
    """Draws the table from the cursor on, over as many pages as it takes.

    ``pitch`` is the height of a row in type sizes. ``measures`` are given when several tables must
    agree; without them they are taken from the rows. ``level`` is that of the outline entries of
    rows. ``headed`` is whether the headings of the columns are printed. ``after`` are the points that
    what follows takes: the last row is never parted from it.
    """
    plan = _Plan(layout, columns, measures or measured(layout.room, columns, rows, size), pitch)
    layout.ensure(plan.high * 3 + 12)
    if headed:
        plan.heading()
    striped = False
    for number, row in enumerate(rows, start=1):
        faces = [BOLD if at in row.bold else TEXT for at in range(len(columns))]
        broken, deepest = plan.broken(row, faces)
        tall = plan.high + (deepest - 1) * plan.leading
        below = after if number == len(rows) else 0.0
        if layout.ensure(tall + (14 if row.line else 0) + below):
            if headed:
                plan.heading()
            striped = False
        if row.mark:
            layout.bookmark(row.mark, level)
        if striped:
            layout.box(layout.left, layout.y - tall, plan.full - layout.left, tall, fill=TINT)
        striped = not striped
        plan.draw(row, faces, broken, deepest)
        layout.y -= tall
        if row.line:
            _cut(layout, row.line, plan.full, plan.size)
            striped = False
    layout.line(layout.left, layout.y, plan.full, layout.y, weight=0.6, ink=RULE)
    layout.y -= 10


class _Plan:
    """The geometry of one table, worked out once, and the drawing of a row by it."""

    def __init__(
        self, layout: Layout, columns: Sequence[GridColumn], measures: Measures, pitch: float
    ) -> None:
        wide, pad = measures.wide, measures.pad
        self.layout = layout
        self.size = size = measures.size
        self.full = layout.left + sum(wide)
        self.high = size * pitch
        self.leading = size * 1.18
        self._least = size * LEAST
        # A hair more than the white leaves, since a measured cell fills its column exactly.
        self._rooms = [each - 2 * pad + 0.01 for each in wide]
        self._limits = [column.lines for column in columns]
        self._aligns = [column.align for column in columns]
        self._tight = sorted(measures.tight)
        lefts = [layout.left + sum(wide[:at]) for at in range(len(wide))]
        self._anchors = [
            left + (each - pad if align == RIGHT else each / 2 if align == CENTRE else pad)
            for align, left, each in zip(self._aligns, lefts, wide, strict=True)
        ]
        head = size * HEAD
        self._headings = [
            fit_lines(column.heading, room, BOLD, head, head * HEAD_LEAST, HEAD_LINES)
            for column, room in zip(columns, self._rooms, strict=True)
        ]

    def heading(self) -> None:
        """Draw the headings below the cursor, on the rule over the first row."""
        layout, step = self.layout, self.size * HEAD * 1.15
        deepest = max(len(lines) for lines in self._headings)
        bottom = layout.y - deepest * step
        for at, lines in enumerate(self._headings):
            y = bottom + (len(lines) - 1) * step
            for line in lines:
                layout.text(
                    self._anchors[at],
                    y + 2,
                    line.text,
                    face=line.face,
                    size=line.size,
                    ink=MUTED,
                    align=self._aligns[at],
                )
                y -= step
        layout.y = bottom - 3
        layout.line(layout.left, layout.y, self.full, layout.y, weight=0.9, ink=INK)

    def broken(self, row: GridRow, faces: list[str]) -> tuple[dict[int, tuple[Fitted, ...]], int]:
        """Fit the cells that are too wide; return them, and the most lines of any cell."""
        fitted: dict[int, tuple[Fitted, ...]] = {}
        size, rooms = self.size, self._rooms
        deepest = 1
        for at in self._tight:
            cell = row.cells[at]
            if width(cell, faces[at], size) > rooms[at]:
                lines = fit_lines(cell, rooms[at], faces[at], size, self._least, self._limits[at])
                fitted[at] = lines
                deepest = max(deepest, len(lines))
        return fitted, deepest

    def draw(
        self, row: GridRow, faces: list[str], broken: dict[int, tuple[Fitted, ...]], deepest: int
    ) -> None:
        """Draw the cells of a row below the cursor, each in the middle of the row's height."""
        text, size, ink = self.layout.text, self.size, row.ink
        anchors, aligns, leading = self._anchors, self._aligns, self.leading
        base = self.layout.y - self.high + (self.high - size * CAP_HEIGHT) / 2
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


def _cut(layout: Layout, words: str, full: float, size: float) -> None:
    """Draw the line that ends the qualified places, with its words set into it."""
    small = size * 0.85
    y = layout.y - 7
    wide = width(words, BOLD, small)
    middle = (layout.left + full) / 2
    layout.line(layout.left, y, middle - wide / 2 - 8, y, weight=1.8, ink=layout.imprint.accent)
    layout.line(middle + wide / 2 + 8, y, full, y, weight=1.8, ink=layout.imprint.accent)
    layout.text(
        middle,
        y - small * 0.34,
        words,
        face=BOLD,
        size=small,
        ink=layout.imprint.accent,
        align=CENTRE,
    )
    layout.y -= 14
