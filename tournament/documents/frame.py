"""Parts of every page: metadata, head, foot, and how official the document is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoring.texts import Message
from tournament.documents import words
from tournament.documents.canvas import Canvas
from tournament.documents.faces import BOLD, CAP_HEIGHT, printable, width
from tournament.documents.formats import moment
from tournament.documents.imprint import Imprint, State
from tournament.documents.looks import (
    CANCELLED,
    CENTRE,
    FOOT,
    GHOST,
    INK,
    MUTED,
    PAPER,
    RIGHT,
    SMALL_SIZE,
    TITLE_SIZE,
)

PRODUCER: Final = "Manille"
_LOGO: Final = (32.0, 96.0)
"""Height and width of the room for a club's logo, in points."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Head, foot and marks around the content of the pages of ``canvas``, between ``left`` and ``right``."""

    canvas: Canvas
    imprint: Imprint
    title: str
    subject: str
    left: float
    right: float
    diploma: bool = False

    def describe(self) -> None:
        """Set the metadata: title, author, moment, state and the whole fingerprint."""
        imprint, pdf = self.imprint, self.canvas.pdf
        stamp = imprint.printed_at
        offset = stamp.strftime("%z")
        pdf.setTitle(printable(f"{self.title} · {imprint.event}"))
        pdf.setAuthor(printable(imprint.organiser or imprint.event))
        pdf.setSubject(printable(self.subject or self.title))
        pdf.setCreator(PRODUCER)
        pdf.setProducer(f"{PRODUCER} (ReportLab)")
        state = imprint.state.value if imprint.state else "record"
        pdf.setKeywords(", ".join(filter(None, (state, imprint.fingerprint, imprint.anchor))))
        pdf.setDateFormatter(
            lambda *_: stamp.strftime("D:%Y%m%d%H%M%S") + f"{offset[:3]}'{offset[3:5]}'"
        )
        pdf.setViewerPreference("DisplayDocTitle", "true")

    def watermark(self, word: str = "") -> None:
        """Write a word across the page, pale enough to print over; by default, provisional."""
        canvas = self.canvas
        ink = CANCELLED if word else GHOST
        word = (word or self._say(words.STATES[State.PROVISIONAL.value])).upper()
        size = min(90.0, canvas.height * 0.8 / width(word, BOLD, 1.0))
        slope = 54 if canvas.height > canvas.width else 34
        with canvas.turned(canvas.width / 2, canvas.height / 2, slope):
            canvas.text(
                0, -size * CAP_HEIGHT / 2, word, face=BOLD, size=size, ink=ink, align=CENTRE
            )

    def first_head(self, top: float) -> float:
        """Write event, title and subject of the first page; return where the content begins."""
        canvas, left, room = self.canvas, self.left, self.right - self.left
        accent = self.imprint.accent
        canvas.fitted(
            left,
            top - 8,
            self.imprint.event,
            room - self._label_room(),
            face=BOLD,
            size=10,
            ink=accent,
        )
        self._label(top - 8)
        if self.imprint.logo:
            high, wide = _LOGO
            taken = canvas.picture(
                self.imprint.logo, self.right - wide, top - 18 - high, wide, high, align=RIGHT
            )
            room -= taken + 10
        under = top - 8 - 6 - TITLE_SIZE
        canvas.fitted(left, under, self.title, room, face=BOLD, size=TITLE_SIZE, least=14)
        line = " · ".join(part for part in (self.subject, self.imprint.place) if part)
        if line:
            under -= 17
            canvas.fitted(left, under, line, room, size=10.5, ink=MUTED)
        if self.imprint.logo:
            under = min(under, top - 14 - _LOGO[0])
        canvas.line(left, under - 10, self.right, under - 10, weight=1.4, ink=accent)
        return under - 10 - 14

    def running_head(self, top: float) -> float:
        """Write one line on a further page; return where the content begins."""
        title = f"{self.title} · {self.imprint.event}"
        room = self.right - self.left - self._label_room()
        self.canvas.fitted(self.left, top - 8, title, room, size=9, ink=MUTED)
        self._label(top - 8)
        self.canvas.line(
            self.left, top - 15, self.right, top - 15, weight=0.8, ink=self.imprint.accent
        )
        return top - 15 - 12

    def origin(self) -> str:
        """Return how firm the records are, where that can change, and their fingerprint."""
        imprint = self.imprint
        fingerprint = f"{self._say(words.FINGERPRINT)} {imprint.short_fingerprint}"
        if imprint.state is None:
            return fingerprint
        return f"{self._say(words.STATES[imprint.state.value])} · {fingerprint}"

    def foot(self, page: int, pages: int) -> None:
        """Write state, fingerprint, journal and moment of printing, and which page of how many it is."""
        imprint = self.imprint
        self.canvas.line(self.left, FOOT + 10, self.right, FOOT + 10, weight=0.4)
        number = self._say(words.PAGE_OF).format(page=page, pages=pages)
        printed = self._say(words.PRINTED).format(
            moment=moment(imprint.printed_at, imprint.language)
        )
        journal = self._say(words.JOURNAL).format(anchor=imprint.anchor) if imprint.anchor else ""
        self.canvas.fitted(
            self.left,
            FOOT,
            " · ".join(filter(None, ("" if self.diploma else self.origin(), journal, printed))),
            self.right - self.left - width(number, BOLD, SMALL_SIZE) - 14,
            size=SMALL_SIZE,
            ink=MUTED,
        )
        self.canvas.text(
            self.right, FOOT, number, face=BOLD, size=SMALL_SIZE, ink=MUTED, align=RIGHT
        )

    def _say(self, text: Message) -> str:
        return text.render(self.imprint.language)

    def _label_room(self) -> float:
        """Return what the state in its frame takes of a line."""
        state = self.imprint.state
        return width(self._say(words.STATES[state.value]), BOLD, 8.5) + 22 if state else 0.0

    def _label(self, baseline: float) -> None:
        """Write the state in a frame at the right."""
        state = self.imprint.state
        if state is None:
            return
        wide = self._label_room() - 10
        final = state is State.FINAL
        self.canvas.box(
            self.right - wide,
            baseline - 4.2,
            wide,
            14,
            fill=self.imprint.accent if final else PAPER,
            stroke=self.imprint.accent if final else INK,
            weight=0.9,
            radius=2.5,
        )
        self.canvas.text(
            self.right - wide / 2,
            baseline,
            self._say(words.STATES[state.value]),
            face=BOLD,
            size=8.5,
            ink=PAPER if final else INK,
            align=CENTRE,
        )
