"""Small prints on a large page: equal cells in rows and columns, with marks to cut along."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.documents.layout import Layout
from tournament.documents.looks import MM, MUTED


def cells(
    layout: Layout, count: int, *, columns: int, rows: int, edge: float = 9 * MM
) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of ``count`` prints as ``(x, y, width, height)``, lower left corner first.

    Begins new pages as needed and puts the cursor at the top of each box, so that an outline entry
    set there leads to it.
    """
    left, right = edge, layout.width - edge
    top, bottom = layout.height - edge, layout.bottom
    wide, high = (right - left) / columns, (top - bottom) / rows
    for at in range(count):
        place = at % (columns * rows)
        if place == 0:
            if at:
                layout.new_page()
            _cut_marks(layout, left, bottom, wide, high, columns, rows)
        row, column = divmod(place, columns)
        layout.y = top - row * high
        yield left + column * wide, layout.y - high, wide, high


def _cut_marks(
    layout: Layout, left: float, bottom: float, wide: float, high: float, columns: int, rows: int
) -> None:
    arm = 3 * MM
    for column in range(columns + 1):
        for row in range(rows + 1):
            x, y = left + column * wide, bottom + row * high
            layout.line(x - arm, y, x + arm, y, weight=0.35, ink=MUTED)
            layout.line(x, y - arm, x, y + arm, weight=0.35, ink=MUTED)
