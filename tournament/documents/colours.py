"""A club's colour, made readable: the contrast of WCAG 2.2 and the nearest shade that has enough of it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

TEXT_CONTRAST: Final = 4.5
"""Contrast that WCAG 2.2 (1.4.3) requires for text."""
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
_STEPS: Final = 64


def is_colour(text: str) -> bool:
    """Whether ``text`` is a colour as events hold them: ``#`` and six hexadecimal digits, small letters."""
    return _COLOUR.fullmatch(text) is not None


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of ``#rrggbb``, 0 to 255 each."""
    value = int(colour[1:], 16)
    return value >> 16, value >> 8 & 255, value & 255


def luminance(colour: str) -> float:
    """Relative luminance of a colour, 0 to 1 (WCAG 2.2, definitions)."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2, definitions)."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@lru_cache(maxsize=64)
def readable(colour: str, grounds: tuple[str, ...]) -> str:
    """Return the colour, or its nearest shade that is readable as text on all of ``grounds``.

    Light grounds make it darker, dark ones lighter; ``grounds`` are all light, or all dark.

    >>> readable("#ffdd00", ("#ffffff",))
    '#877500'
    >>> readable("#1b4a99", ("#ffffff",))
    '#1b4a99'
    """
    end = 0 if min(map(luminance, grounds)) > 0.18 else 255
    for step in range(_STEPS + 1):
        parts = (round(c + (end - c) * step / _STEPS) for c in channels(colour))
        shade = "#{:02x}{:02x}{:02x}".format(*parts)
        if all(contrast(shade, ground) >= TEXT_CONTRAST for ground in grounds):
            return shade
    raise ValueError(f"no shade of {colour} can be read on {grounds}")
