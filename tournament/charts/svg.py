"""The few SVG elements the charts are drawn with; all text and attributes escaped.

Coordinates are exact: integers, or Fractions written with two decimals.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from scoring.texts import SEPARATOR

WIDTH: Final = 640
HEIGHT: Final = 288
LEFT: Final = 48
RIGHT: Final = 624
TOP: Final = 16
BOTTOM: Final = 236

Coordinate = int | Fraction


def at(value: Coordinate) -> str:
    """Format a coordinate with at most two decimals.

    >>> at(Fraction(1, 3)), at(12), at(Fraction(-5, 2))
    ('0.33', '12', '-2.5')
    """
    hundredths = round(Fraction(value) * 100)
    whole, rest = divmod(abs(hundredths), 100)
    text = f"{whole}.{rest:02d}".rstrip("0").rstrip(".")
    return "-" + text if hundredths < 0 else text


def element(name: str, content: str = "", **attributes: Coordinate | str) -> str:
    """Write one element; ``class_`` and ``stroke_width`` become ``class`` and ``stroke-width``."""
    pairs = "".join(
        f" {key.rstrip('_').replace('_', '-')}="
        + quoteattr(value if isinstance(value, str) else at(value))
        for key, value in attributes.items()
    )
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def line(x1: Coordinate, y1: Coordinate, x2: Coordinate, y2: Coordinate, class_: str) -> str:
    """Draw a straight stroke in the text's colour, faint for the class ``grid``."""
    faint = {"stroke_opacity": "0.15"} if class_ == "grid" else {}
    return element(
        "line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_, stroke="currentColor", **faint
    )


def text(x: Coordinate, y: Coordinate, words: str, anchor: str = "middle") -> str:
    """Write a label of a few words."""
    return element(
        "text",
        escape(words),
        x=x,
        y=y,
        fill="currentColor",
        font_size=12,
        text_anchor=anchor,
    )


def labelled(shape: str, words: str, **attributes: Coordinate | str) -> str:
    """Draw a shape with a title of its own, shown on hover."""
    return element(shape, element("title", escape(words)), **attributes)


class Chart(str):
    """A picture as SVG text; ``heading``: its title, for the page to print above it."""

    heading: str = ""


def chart(key: str, title: str, description: str, parts: Iterable[str]) -> Chart:
    """Return the whole picture. ``key``: an id unique on the page, of letters, digits and hyphens.

    Raises ``ValueError`` for any other key: it goes into the ids the description hangs on.
    """
    if not key or not key.replace("-", "").isalnum() or not key.isascii():
        raise ValueError(f"A chart's key is letters, digits and hyphens, not {key!r}.")
    head = element("title", escape(title), id=f"{key}-title") + element(
        "desc", escape(description), id=f"{key}-desc"
    )
    drawn = Chart(
        element(
            "svg",
            head + "".join(parts),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            role="img",
            aria_labelledby=f"{key}-title",
            aria_describedby=f"{key}-desc",
        )
    )
    drawn.heading = title
    return drawn


def spread(index: Coordinate, count: int, start: int, end: int) -> Coordinate:
    """Return the middle of slot ``index`` of ``count`` equal slots between two coordinates."""
    return start + Fraction((2 * index + 1) * (end - start), 2 * count)


def ticks(low: int, high: int, most: int = 6) -> list[int]:
    """Round numbers from ``low`` to ``high``: steps of 1, 2 or 5 times a power of ten.

    >>> ticks(0, 60), ticks(-41, 51), ticks(3, 3)
    ([0, 10, 20, 30, 40, 50, 60], [-40, -20, 0, 20, 40], [3])
    """
    step = 1
    factors = (2, Fraction(5, 2), 2)
    index = 0
    while (high - low) // step > most:
        step = int(step * factors[index % 3])
        index += 1
    first = -(-low // step) * step
    return list(range(first, high + 1, step))


def axes() -> str:
    """Draw the two axes."""
    return line(LEFT, TOP, LEFT, BOTTOM, "axis") + line(LEFT, BOTTOM, RIGHT, BOTTOM, "axis")


def sentences(words: Iterable[str], language: str) -> str:
    """Clauses parted by semicolons in the manner of the language, with a full stop."""
    return SEPARATOR.render(language).join(words) + "."
