"""Small prints on a large page: equal cells in rows and columns, with marks to cut along."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.documents.looks import MM, MUTED
from tournament.documents.press import Press


def cells(
    press: Press, count: int, *, columns: int, rows: int, edge: float = 9 * MM
) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of ``count`` prints as ``(x, y, width, height)``, lower left corner first.

    Begins new pages as needed and puts the cursor at the top of each box, so that an outline entry
    made there leads to it.
    """
    left, right = edge, press.width - edge
    top, bottom = press.height - edge, press.bottom
    wide, high = (right - left) / columns, (top - bottom) / rows
    for at in range(count):
        place = at % (columns * rows)
        if place == 0:
            if at:
                press.page()
            _cut_marks(press, left, bottom, wide, high, columns, rows)
        row, column = divmod(place, columns)
        press.y = top - row * high
        yield left + column * wide, press.y - high, wide, high


def _cut_marks(
    press: Press, left: float, bottom: float, wide: float, high: float, columns: int, rows: int
) -> None:
    arm = 3 * MM
    for column in range(columns + 1):
        for row in range(rows + 1):
            x, y = left + column * wide, bottom + row * high
            press.rule(x - arm, y, x + arm, y, weight=0.35, ink=MUTED)
            press.rule(x, y - arm, x, y + arm, weight=0.35, ink=MUTED)
