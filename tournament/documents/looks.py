"""Colours, sizes and measures that all printed documents share.

The values are those of static/css/app.css (``--ink``, ``--ink-soft``, ``--rule``, ``--tint``,
``--accent``) on white. One accent colour; everything that carries meaning also differs in weight, rule or word, because
the hall's printer is black and white.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from tournament.documents.colours import channels

Ink = tuple[float, float, float]


def ink_of(colour: str) -> Ink:
    """Convert the colour ``#rrggbb`` to ink."""
    red, green, blue = channels(colour)
    return red / 255, green / 255, blue / 255


INK: Final = ink_of("#1b1d22")
MUTED: Final = ink_of("#50545c")
RULE: Final = ink_of("#cfccc2")
TINT_COLOUR: Final = "#f3f1eb"
TINT: Final = ink_of(TINT_COLOUR)
GHOST: Final = ink_of("#e8e7e3")
CANCELLED: Final = ink_of("#cbc7bc")
"""Word across a paper that is no longer valid: visible on any printer, without hiding the text."""
ACCENT_COLOUR: Final = "#1b4a99"
ACCENT: Final = ink_of(ACCENT_COLOUR)
"""The accent of an event whose club has no colour of its own (:attr:`Imprint.accent`)."""
PAPER_COLOUR: Final = "#ffffff"
PAPER: Final = ink_of(PAPER_COLOUR)

MM: Final = 72 / 25.4
MARGIN: Final = 16 * MM
FOOT: Final = 9 * MM
"""Baseline of the foot of a page."""

LEFT: Final = "left"
CENTRE: Final = "centre"
RIGHT: Final = "right"

TITLE_SIZE: Final = 22.0
HEADING_SIZE: Final = 13.0
BODY_SIZE: Final = 9.5
SMALL_SIZE: Final = 7.5


class Paper(Enum):
    """Sizes of paper, width and height in points."""

    A4 = (210 * MM, 297 * MM)
    LETTER = (612.0, 792.0)
