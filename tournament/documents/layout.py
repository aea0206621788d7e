"""Lay a document out: pages with their head and foot, flowing text, outline, the finished bytes.

The foot of a page states its number and the number of pages, so pages are written when the last one is known.
"""

from __future__ import annotations

from scoring.texts import Message
from tournament.documents.canvas import Canvas
from tournament.documents.faces import BOLD, TEXT, printable, wrap
from tournament.documents.formats import labelled
from tournament.documents.frame import Frame
from tournament.documents.imprint import Imprint, State
from tournament.documents.looks import (
    BODY_SIZE,
    FOOT,
    HEADING_SIZE,
    INK,
    LEFT,
    MARGIN,
    MM,
    MUTED,
    Ink,
)


class Layout(Canvas):
    """One document with its margins, its cursor and its outline.

    ``y`` is the cursor of flowing text: the top of the next line.

    Args:
        imprint: whose document it is, when it is printed and how official it is.
        title: what the document is.
        subject: what it is about, under the title.
        head: whether pages open with the event and the title (slips, badges and cards have heads
            of their own).
        landscape: whether the long side of the paper lies at the foot.
        margin: the white at the left, the right and the top, in points.
        watermark: whether a provisional state is also written across the page: not on a badge or a
            form, which say nothing that could change.
        across: a word written across every page of a document that is no longer valid.
        diploma: for the wall of a living room: the fingerprint stays in the file.
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
        diploma: bool = False,
    ) -> None:
        short, long = imprint.paper.value
        width, height = (long, short) if landscape else (short, long)
        super().__init__(width, height, imprint.language)
        self.imprint = imprint
        self.language = imprint.language
        self.title = title
        self.left, self.right = margin, self.width - margin
        self.bottom = FOOT + 8 * MM
        self._margin = margin
        self._head = head
        self._watermarked = bool(across) or (watermark and imprint.state is State.PROVISIONAL)
        self._across = across
        self._frame = Frame(self, imprint, title, subject, self.left, self.right, diploma)
        self._frame.describe()
        self._outline: dict[int, list[tuple[str, int, float]]] = {}
        self.y = self._top = 0.0
        self.new_page()

    @property
    def room(self) -> float:
        """Width between the margins, in points."""
        return self.right - self.left

    def say(self, text: Message) -> str:
        """``text`` in the language of the document."""
        return text.render(self.language)

    def label(self, label: Message, value: str) -> str:
        """Join a label and its value as ``formats.labelled`` does."""
        return labelled(label.render(self.language), value, self.language)

    # pages

    def new_page(self) -> None:
        """Begin the next page, with its head."""
        self.add_page()
        if self._watermarked:
            self._frame.watermark(self._across)
        self.y = self.height - self._margin
        if self._head:
            head = self._frame.first_head if self.pages == 1 else self._frame.running_head
            self.y = head(self.y)
        self._top = self.y

    def ensure(self, room: float) -> bool:
        """Begin a new page if fewer than ``room`` points are left; return whether it did."""
        if self.y - room >= self.bottom:
            return False
        self.new_page()
        return True

    def finish(self) -> bytes:
        """Write every page with its foot and its outline entries, and return the document."""
        level = -1
        for page in range(1, self.pages + 1):
            self.select_page(page)
            self._frame.foot(page, self.pages)
            for position, (title, wanted, top) in enumerate(self._outline.get(page, ())):
                key = f"page{page}-{position}"
                self.pdf.bookmarkHorizontal(key, 0, top)
                # An outline may not skip a level downwards.
                level = min(wanted, level + 1)
                self.pdf.addOutlineEntry(title, key, level, closed=level > 0)
            self.write_page(page)
        return bytes(self.pdf.getpdfdata())

    def stamp(self, x: float, y: float, *, align: str = LEFT) -> None:
        """Write state and fingerprint, small: on a piece that is cut from the foot of its page."""
        self.text(x, y, self._frame.origin(), size=5.5, ink=MUTED, align=align)

    def bookmark(self, title: str, level: int = 0) -> None:
        """Name the cursor's place in the document's outline; ``level`` 0 is the outermost."""
        self._outline.setdefault(self.pages, []).append((printable(title), level, self.y))

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
        """Flow ``text`` below the cursor, from page to page if need be."""
        leading = size * 1.42
        for line in wrap(text, self.room - indent, face, size):
            self.ensure(leading)
            self.text(self.left + indent, self.y - size, line, face=face, size=size, ink=ink)
            self.y -= leading
        self.y -= after

    def heading(self, text: str, *, level: int = 0, keep: float = 60.0) -> None:
        """Write the heading of a section, with its outline entry, never alone at the foot of a page."""
        size = HEADING_SIZE if level < 2 else BODY_SIZE + 1
        if self.y < self._top - 1:
            self.y -= 12 if level < 2 else 6
        self.ensure(size * 1.6 + keep)
        self.bookmark(text, level)
        ink = self.imprint.accent if level < 2 else INK
        self.fitted(self.left, self.y - size, text, self.room, face=BOLD, size=size, ink=ink)
        self.y -= size * 1.7
