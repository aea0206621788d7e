"""Colours, sizes and measures that all printed documents share.

The values are those of static/css/app.css (``--ink``, ``--ink-soft``, ``--rule``, ``--tint``,
``--accent``) on white. One accent colour; everything that carries meaning also differs in weight, rule or word, because
the hall's printer is black and white.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

Ink = tuple[float, float, float]


def _ink(hexadecimal: str) -> Ink:
    value = int(hexadecimal, 16)
    return ((value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255)


INK: Final = _ink("1b1d22")
MUTED: Final = _ink("50545c")
RULE: Final = _ink("cfccc2")
TINT: Final = _ink("f3f1eb")
GHOST: Final = _ink("e8e7e3")
CANCELLED: Final = _ink("cbc7bc")
"""What is written across a paper that is no longer valid: seen on any printer, read over."""
ACCENT: Final = _ink("1b4a99")
PAPER: Final = _ink("ffffff")

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
