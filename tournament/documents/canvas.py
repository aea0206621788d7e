"""Draw on the pages of a PDF: text that fits, lines and areas.

Coordinates are points from the lower left corner. Operators are collected a page at a time and
handed to ReportLab through ``addLiteral``: a long table is thousands of small texts, and a ReportLab
object for each would be most of its time.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import cos, radians, sin

from reportlab import rl_config
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas as PdfCanvas

from tournament.documents.encoding import Encoding
from tournament.documents.faces import (
    BOLD,
    CAP_HEIGHT,
    NARROW,
    TEXT,
    Fitted,
    fit,
    fit_lines,
    width,
)
from tournament.documents.looks import BODY_SIZE, CENTRE, INK, LEFT, RIGHT, RULE, Ink

# Streams need no ASCII armour: a fifth smaller, and quicker to write.
rl_config.useA85 = 0

_Picture = tuple[ImageReader, float, float, float, float]
"""A picture, its lower left corner, its width and height."""


class Canvas:
    """The pages of one document and the drawing on one of them."""

    def __init__(self, width: float, height: float, language: str) -> None:
        self.width, self.height = width, height
        self.pdf = PdfCanvas(
            io.BytesIO(),
            pagesize=(width, height),
            pageCompression=1,
            invariant=1,
            lang=language,
            initialFontName=TEXT,
        )
        self._encoding = Encoding(self.pdf)
        self._pages: list[list[str]] = []
        self._pictures: list[list[_Picture]] = []
        self._readers: dict[bytes, ImageReader] = {}
        self._operators: list[str] = []
        self._laid: list[_Picture] = []
        self._ink: Ink | None = None
        self._font: tuple[str, float] | None = None

    @property
    def pages(self) -> int:
        """Pages begun so far."""
        return len(self._pages)

    def add_page(self) -> None:
        """Begin the next page and draw on it."""
        self._pages.append([])
        self._pictures.append([])
        self.select_page(len(self._pages))

    def select_page(self, page: int) -> None:
        """Draw what follows on ``page``, counted from 1."""
        self._operators = self._pages[page - 1]
        self._laid = self._pictures[page - 1]
        self._ink = self._font = None

    def write_page(self, page: int) -> None:
        """Write ``page`` to the document for good."""
        for picture, x, y, wide, high in self._pictures[page - 1]:
            self.pdf.drawImage(picture, x, y, wide, high, mask="auto")
        self.pdf.addLiteral("\n".join(self._pages[page - 1]))
        self.pdf.showPage()

    def picture(
        self, content: bytes, x: float, y: float, wide: float, high: float, *, align: str = LEFT
    ) -> float:
        """Lay a picture under what is drawn on this page, as large as the box at ``(x, y)`` lets it be.

        Returns the width that it takes. ``align``: at the left edge of the box, in its middle or at its right edge.
        """
        reader = self._readers.get(content)
        if reader is None:
            reader = self._readers[content] = ImageReader(io.BytesIO(content))
        across, down = map(float, reader.getSize())
        scale = min(wide / across, high / down)
        taken, tall = across * scale, down * scale
        x += {LEFT: 0.0, CENTRE: (wide - taken) / 2, RIGHT: wide - taken}[align]
        self._laid.append((reader, x, y + (high - tall) / 2, taken, tall))
        return taken

    def _fill(self, ink: Ink) -> None:
        self._operators.append(_fill(ink))
        self._ink = ink

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        face: str = TEXT,
        size: float = BODY_SIZE,
        ink: Ink = INK,
        align: str = LEFT,
    ) -> None:
        """Write ``text`` with its baseline at ``y``. It may run past its room."""
        if align == RIGHT:
            x -= width(text, face, size)
        elif align == CENTRE:
            x -= width(text, face, size) / 2
        if self._ink != ink:
            self._fill(ink)
        for font, string, advance in self._encoding.encode(text, face):
            if self._font != (font, size):
                self._font = font, size
                self._operators.append(f"{font} {size:.2f} Tf")
            self._operators.append(f"BT {x:.2f} {y:.2f} Td ({string}) Tj ET")
            x += advance * size

    def fitted(
        self,
        x: float,
        y: float,
        text: str,
        room: float,
        *,
        face: str = TEXT,
        size: float = BODY_SIZE,
        least: float = 0.0,
        ink: Ink = INK,
        align: str = LEFT,
    ) -> Fitted:
        """Write ``text`` within ``room`` points by the rule of :func:`faces.fit`.

        ``x`` is the left edge, the middle or the right edge of the room, depending on ``align``.
        """
        fitted = fit(text, room, face, size, least or size * 0.78)
        self.text(x, y, fitted.text, face=fitted.face, size=fitted.size, ink=ink, align=align)
        return fitted

    def tight(
        self, x: float, y: float, text: str, room: float, *, size: float, least: float
    ) -> None:
        """Write a name in a row of fixed height: on one line, or on two small ones.

        Two lines of ``least`` points stand where one of ``size`` would, about the same middle.
        """
        one = fit(text, room, TEXT, size, least * 1.1)
        if one.whole:
            self.text(x, y, one.text, face=one.face, size=one.size)
            return
        lines = fit_lines(text, room, NARROW, least, least, 2)
        if not all(line.whole for line in lines):
            lines = fit_lines(text, room, NARROW, least, least * 0.75, 2)
        middle = y + size * CAP_HEIGHT / 2
        base = middle + (len(lines) - 1) * least * 0.52 - least * CAP_HEIGHT / 2
        for line in lines:
            self.text(x, base, line.text, face=line.face, size=line.size)
            base -= least * 1.04

    def block(
        self,
        x: float,
        top: float,
        text: str,
        room: float,
        *,
        lines: int,
        face: str = BOLD,
        size: float,
        least: float = 0.0,
        ink: Ink = INK,
        align: str = LEFT,
        leading: float = 1.15,
    ) -> float:
        """Write ``text`` in at most ``lines`` lines below ``top``; return the y below them."""
        for fitted in fit_lines(text, room, face, size, least or size * 0.7, lines):
            self.text(
                x,
                top - fitted.size * 0.92,
                fitted.text,
                face=fitted.face,
                size=fitted.size,
                ink=ink,
                align=align,
            )
            top -= fitted.size * leading
        return top

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        weight: float = 0.5,
        ink: Ink = RULE,
        dash: tuple[int, int] | None = None,
    ) -> None:
        """Draw a straight line; ``dash`` are the points on and off."""
        stroke = f"{_stroke(ink)} {weight:.2f} w {x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l S"
        self._operators.append(f"[{dash[0]} {dash[1]}] 0 d {stroke} [] 0 d" if dash else stroke)

    def box(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        *,
        fill: Ink | None = None,
        stroke: Ink | None = None,
        weight: float = 0.6,
        radius: float = 0.0,
    ) -> None:
        """Draw a rectangle with its lower left corner at ``(x, y)``."""
        if fill is not None and self._ink != fill:
            self._fill(fill)
        if stroke is not None:
            self._operators.append(f"{_stroke(stroke)} {weight:.2f} w")
        if radius:
            path = self.pdf.beginPath()
            path.roundRect(x, y, wide, high, radius)
            outline = path.getCode()
        else:
            outline = f"{x:.2f} {y:.2f} {wide:.2f} {high:.2f} re"
        paint = "S" if fill is None else "f" if stroke is None else "B"
        self._operators.append(f"{outline} {paint}")

    def areas(
        self, boxes: Iterable[tuple[float, float, float, float]], *, fill: Ink = (0.0, 0.0, 0.0)
    ) -> None:
        """Fill the rectangles ``(x, y, width, height)`` in one operation, as one area."""
        self._fill(fill)
        path = " ".join(f"{x:.3f} {y:.3f} {w:.3f} {h:.3f} re" for x, y, w, h in boxes)
        self._operators.append(f"{path} f")

    @contextmanager
    def turned(self, x: float, y: float, degrees: float) -> Iterator[None]:
        """Draw what follows in a frame whose origin is ``(x, y)``, turned by ``degrees``."""
        c, s = cos(radians(degrees)), sin(radians(degrees))
        before = self._ink, self._font
        self._operators.append(f"q {c:.6f} {s:.6f} {-s:.6f} {c:.6f} {x:.4f} {y:.4f} cm")
        yield
        self._operators.append("Q")
        self._ink, self._font = before


@lru_cache(maxsize=64)
def _fill(ink: Ink) -> str:
    """Return the operator that fills and writes in ``ink``."""
    return " ".join(f"{part:.4g}" for part in ink) + " rg"


@lru_cache(maxsize=64)
def _stroke(ink: Ink) -> str:
    """Return the operator that draws lines in ``ink``."""
    return " ".join(f"{part:.4g}" for part in ink) + " RG"
