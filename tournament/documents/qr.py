"""QR codes drawn as areas, sharp at any size, black on white for any printer.

Error correction M (15 %): a slip lies on a table among glasses, and its link is short.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import segno

from tournament.documents.layout import Layout
from tournament.documents.looks import PAPER

QUIET: Final = 4
"""Modules of white that a reader needs round the code (ISO/IEC 18004)."""


@lru_cache(maxsize=4096)
def _bars(content: str) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Modules along a side, and the dark runs as (row, column, length)."""
    matrix = segno.make(content, error="m", micro=False, boost_error=False).matrix
    bars = []
    for row, modules in enumerate(matrix):
        start = None
        for column, dark in enumerate((*modules, 0)):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                bars.append((row, start, column - start))
                start = None
    return len(matrix), tuple(bars)


def draw_qr(layout: Layout, content: str, x: float, y: float, side: float) -> None:
    """Draws ``content`` in a square of ``side`` points with its lower left corner at ``(x, y)``.

    The quiet zone is inside the square. It is one path, so that no hairline shows between modules.
    """
    size, bars = _bars(content)
    unit = side / (size + 2 * QUIET)
    layout.box(x, y, side, side, fill=PAPER)
    left, top = x + QUIET * unit, y + side - QUIET * unit
    # A trace of overlap downwards closes the seam that renderers leave between rows.
    high = unit * 1.01
    layout.areas(
        (left + column * unit, top - (row + 1) * unit, length * unit, high)
        for row, column, length in bars
    )
