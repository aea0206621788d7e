"""The press: pages, text that fits, lines and areas, bookmarks, and the bytes at the end.

Everything is drawn straight on ReportLab's canvas. The foot of a page says which page of how many
it is, so pages are kept until the last one is known and only then written.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from scoring.engine.texts import Texts
from tournament.documents import frame
from tournament.documents.faces import (
    BOLD,
    CAP_HEIGHT,
    NARROW,
    TEXT,
    Fitted,
    fit,
    fit_lines,
    printable,
    wrap,
)
from tournament.documents.formats import labelled
from tournament.documents.imprint import Imprint, State
from tournament.documents.letters import Letters
from tournament.documents.looks import (
    ACCENT,
    BODY_SIZE,
    CENTRE,
    FOOT,
    HEADING_SIZE,
    INK,
    LEFT,
    MARGIN,
    MM,
    MUTED,
    RIGHT,
    RULE,
    Ink,
)

# Streams need no ASCII armour: a fifth smaller, and quicker to write.
rl_config.useA85 = 0


class _Pages(Canvas):
    """A canvas that keeps its pages, so that the foot can say how many there are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kept: list[dict[str, Any]] = []

    def showPage(self) -> None:
        self.kept.append(dict(self.__dict__))
        self._startPage()

    def restore_page(self, state: dict[str, Any]) -> None:
        """Takes a kept page up again, to write its foot."""
        self.__dict__.update(state)

    def emit_page(self) -> None:
        """Writes the page at hand to the document for good."""
        super().showPage()


class Press:
    """One document in the making; coordinates in points from the lower left corner.

    ``y`` is the cursor of flowing text: the top of what comes next. ``head`` is whether pages open
    with the event and the title (slips, badges and cards have their own heads). ``watermark`` is
    whether a provisional state is also written across the page: not on a badge or a form, which
    say nothing that could change. ``across``: a word written across every page of a document that
    is no longer valid.
    """

    def __init__(
        self,
        imprint: Imprint,
        title: str,
        *,
        subject: str = "",
        head: bool = True,
        landscape: bool = False,
        margin: float = MARGIN,
        watermark: bool = True,
        across: str = "",
    ) -> None:
        self.imprint = imprint
        self.language = imprint.language
        self.title = title
        short, long = imprint.paper.value
        self.width, self.height = (long, short) if landscape else (short, long)
        self.left, self.right = margin, self.width - margin
        self.bottom = FOOT + 8 * MM
        self.head = head
        self.margin = margin
        self._watermarked = watermark and imprint.state is State.PROVISIONAL
        self._across = across
        self.subject = subject
        self._buffer = io.BytesIO()
        self.canvas = _Pages(
            self._buffer,
            pagesize=(self.width, self.height),
            pageCompression=1,
            invariant=1,
            lang=imprint.language,
            initialFontName=TEXT,
        )
        frame.describe(self)
        self._marks: dict[int, list[tuple[str, int, float]]] = {}
        self._letters = Letters(self.canvas)
        self._page = 0
        self.y = self._top = 0.0
        self.page(first=True)

    @property
    def room(self) -> float:
        """Width between the margins, in points."""
        return self.right - self.left

    @property
    def pages(self) -> int:
        """Pages begun so far."""
        return self._page

    def say(self, text: Texts) -> str:
        """``text`` in the language of the document."""
        return text.to(self.language)

    def label(self, label: Texts, value: str) -> str:
        """A label and its value, as ``formats.labelled`` joins them."""
        return labelled(label.to(self.language), value, self.language)

    # pages

    def page(self, *, first: bool = False) -> None:
        """Ends the page and begins the next one, with its head."""
        if not first:
            self.canvas.showPage()
        self._page += 1
        if self._watermarked or self._across:
            frame.watermark(self, self._across)
        self.y = self._top = self.height - self.margin
        if self.head:
            draw = frame.first_head if first else frame.running_head
            self.y = self._top = draw(self)

    def ensure(self, room: float) -> bool:
        """Begins a new page if fewer than ``room`` points are left; whether it did."""
        if self.y - room >= self.bottom:
            return False
        self.page()
        return True

    def finish(self) -> bytes:
        """Ends the last page, writes every foot and outline entry, and returns the document."""
        canvas = self.canvas
        canvas.showPage()
        total = len(canvas.kept)
        level = -1
        for at, state in enumerate(canvas.kept, start=1):
            canvas.restore_page(state)
            frame.foot(self, at, total)
            for position, (title, wanted, top) in enumerate(self._marks.get(at, ())):
                key = f"page{at}-{position}"
                canvas.bookmarkHorizontal(key, 0, top)
                # An outline may not skip a level downwards.
                level = min(wanted, level + 1)
                canvas.addOutlineEntry(title, key, level, closed=level > 0)
            canvas.emit_page()
        data = canvas.getpdfdata()
        return bytes(data)

    def stamp(self, x: float, y: float, *, align: str = LEFT) -> None:
        """The state and the fingerprint, small: on a piece that is cut from the foot of its page."""
        self.text(x, y, frame.origin(self), size=5.5, ink=MUTED, align=align)

    def bookmark(self, title: str, level: int = 0) -> None:
        """Names the cursor's place in the document's outline; ``level`` 0 is the outermost."""
        self._marks.setdefault(self._page, []).append((printable(title), level, self.y))

    # text

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
    ) -> float:
        """Writes ``text`` with its baseline at ``y``; returns its width. It is not made to fit."""
        unit, pieces = self._letters.shown(text, face)
        total = unit * size
        if align == RIGHT:
            x -= total
        elif align == CENTRE:
            x -= total / 2
        canvas = self.canvas
        code = canvas._code
        if canvas._fillColorObj != ink:
            code.append(_fill(ink))
            canvas._fillColorObj = ink
        # The operators are written straight into the page, not through drawString: a long table is
        # thousands of small texts, and making an object of each is most of its time.
        for font, string, advance in pieces:
            code.append(f"BT {font} {size:.2f} Tf {x:.2f} {y:.2f} Td ({string}) Tj ET")
            x += advance * size
        return total

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
        """Writes ``text`` within ``room`` points by the rule of :func:`faces.fit`.

        ``x`` is the left edge, the middle or the right edge of the room, as ``align`` says.
        """
        made = fit(text, room, face, size, least or size * 0.78)
        self.text(x, y, made.text, face=made.face, size=made.size, ink=ink, align=align)
        return made

    def tight(
        self, x: float, y: float, text: str, room: float, *, size: float, least: float
    ) -> None:
        """Writes a name in a row of fixed height: on one line, or on two small ones.

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
        """Writes ``text`` in at most ``lines`` lines below ``top``; returns the y below them."""
        for made in fit_lines(text, room, face, size, least or size * 0.7, lines):
            self.text(
                x,
                top - made.size * 0.92,
                made.text,
                face=made.face,
                size=made.size,
                ink=ink,
                align=align,
            )
            top -= made.size * leading
        return top

    def paragraph(
        self,
        text: str,
        *,
        face: str = TEXT,
        size: float = BODY_SIZE,
        ink: Ink = INK,
        indent: float = 0.0,
        after: float = 4.0,
    ) -> None:
        """Flows ``text`` below the cursor, from page to page if need be."""
        leading = size * 1.42
        for line in wrap(text, self.room - indent, face, size):
            self.ensure(leading)
            self.text(self.left + indent, self.y - size, line, face=face, size=size, ink=ink)
            self.y -= leading
        self.y -= after

    def heading(self, text: str, *, level: int = 0, keep: float = 60.0) -> None:
        """A heading of a section, with its outline entry, never alone at the foot of a page."""
        size = HEADING_SIZE if level < 2 else BODY_SIZE + 1
        if self.y < self._top - 1:
            self.y -= 12 if level < 2 else 6
        self.ensure(size * 1.6 + keep)
        self.bookmark(text, level)
        ink = ACCENT if level < 2 else INK
        self.fitted(self.left, self.y - size, text, self.room, face=BOLD, size=size, ink=ink)
        self.y -= size * 1.7

    # lines and areas

    def rule(
        self, x1: float, y1: float, x2: float, y2: float, *, weight: float = 0.5, ink: Ink = RULE
    ) -> None:
        """A straight line."""
        self.canvas._code.append(
            f"{_stroke(ink)} {weight:.2f} w {x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l S"
        )

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
        """A rectangle with its lower left corner at ``(x, y)``."""
        canvas = self.canvas
        if fill is not None and canvas._fillColorObj != fill:
            canvas._code.append(_fill(fill))
            canvas._fillColorObj = fill
        if stroke is not None:
            canvas._code.append(f"{_stroke(stroke)} {weight:.2f} w")
        if stroke is None and not radius:
            canvas._code.append(f"{x:.2f} {y:.2f} {wide:.2f} {high:.2f} re f")
            return
        paint = {"stroke": int(stroke is not None), "fill": int(fill is not None)}
        if radius:
            canvas.roundRect(x, y, wide, high, radius, **paint)
        else:
            canvas.rect(x, y, wide, high, **paint)

    def areas(
        self, boxes: Iterable[tuple[float, float, float, float]], *, fill: Ink = (0.0, 0.0, 0.0)
    ) -> None:
        """Rectangles ``(x, y, width, height)`` painted at once, as one area."""
        path = " ".join(f"{x:.3f} {y:.3f} {w:.3f} {h:.3f} re" for x, y, w, h in boxes)
        self.canvas._code.append(f"{_fill(fill)} n {path} f")
        self.canvas._fillColorObj = fill

    @contextmanager
    def turned(self, x: float, y: float, degrees: float) -> Iterator[None]:
        """Draws what follows in a frame whose origin is ``(x, y)``, turned by ``degrees``."""
        canvas = self.canvas
        canvas.saveState()
        canvas.translate(x, y)
        canvas.rotate(degrees)
        yield
        canvas.restoreState()


@lru_cache(maxsize=64)
def _fill(ink: Ink) -> str:
    """The operator that fills and writes in ``ink``."""
    return " ".join(f"{part:.4g}" for part in ink) + " rg"


@lru_cache(maxsize=64)
def _stroke(ink: Ink) -> str:
    """The operator that draws lines in ``ink``."""
    return " ".join(f"{part:.4g}" for part in ink) + " RG"
