"""What stands on every page: metadata, head, foot, and how official the document is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tournament.documents import words
from tournament.documents.faces import BOLD, CAP_HEIGHT, printable, width
from tournament.documents.formats import moment
from tournament.documents.imprint import State
from tournament.documents.looks import (
    ACCENT,
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

if TYPE_CHECKING:
    from tournament.documents.press import Press

PRODUCER: Final = "Manille"


def describe(press: Press) -> None:
    """The metadata: title, author, language, moment, state and the whole fingerprint."""
    imprint, canvas = press.imprint, press.canvas
    stamp = imprint.printed_at
    offset = stamp.strftime("%z")
    canvas.setTitle(printable(f"{press.title} · {imprint.event}"))
    canvas.setAuthor(printable(imprint.organiser or imprint.event))
    canvas.setSubject(printable(press.subject or press.title))
    canvas.setCreator(PRODUCER)
    canvas.setProducer(f"{PRODUCER} (ReportLab)")
    state = imprint.state.value if imprint.state else "record"
    canvas.setKeywords(f"{state}, {imprint.fingerprint}")
    canvas.setDateFormatter(
        lambda *_: stamp.strftime("D:%Y%m%d%H%M%S") + f"{offset[:3]}'{offset[3:5]}'"
    )
    canvas.setViewerPreference("DisplayDocTitle", "true")


def watermark(press: Press, word: str = "") -> None:
    """A word across the page, pale enough to read and print over; without one, provisional."""
    ink = CANCELLED if word else GHOST
    word = (word or press.say(words.STATES[State.PROVISIONAL.value])).upper()
    size = min(90.0, press.height * 0.8 / width(word, BOLD, 1.0))
    slope = 54 if press.height > press.width else 34
    with press.turned(press.width / 2, press.height / 2, slope):
        press.text(0, -size * CAP_HEIGHT / 2, word, face=BOLD, size=size, ink=ink, align=CENTRE)


def _label_room(press: Press) -> float:
    """What the state in its frame takes of a line."""
    state = press.imprint.state
    return width(press.say(words.STATES[state.value]), BOLD, 8.5) + 22 if state else 0.0


def _label(press: Press, right: float, baseline: float) -> None:
    """The state in a frame at the right."""
    state = press.imprint.state
    if state is None:
        return
    word = press.say(words.STATES[state.value])
    wide = _label_room(press) - 10
    final = state is State.FINAL
    press.box(
        right - wide,
        baseline - 4.2,
        wide,
        14,
        fill=ACCENT if final else PAPER,
        stroke=ACCENT if final else INK,
        weight=0.9,
        radius=2.5,
    )
    ink = PAPER if final else INK
    press.text(right - wide / 2, baseline, word, face=BOLD, size=8.5, ink=ink, align=CENTRE)


def first_head(press: Press) -> float:
    """Event, title and subject of the first page; returns where the content begins."""
    top = press.y
    press.fitted(
        press.left,
        top - 8,
        press.imprint.event,
        press.room - _label_room(press),
        face=BOLD,
        size=10,
        ink=ACCENT,
    )
    _label(press, press.right, top - 8)
    under = top - 8 - 6 - TITLE_SIZE
    press.fitted(press.left, under, press.title, press.room, face=BOLD, size=TITLE_SIZE, least=14)
    line = " · ".join(part for part in (press.subject, press.imprint.place) if part)
    if line:
        under -= 17
        press.fitted(press.left, under, line, press.room, size=10.5, ink=MUTED)
    press.rule(press.left, under - 10, press.right, under - 10, weight=1.4, ink=ACCENT)
    return under - 10 - 14


def running_head(press: Press) -> float:
    """One line on every further page; returns where the content begins."""
    top = press.y
    title = f"{press.title} · {press.imprint.event}"
    press.fitted(press.left, top - 8, title, press.room - _label_room(press), size=9, ink=MUTED)
    _label(press, press.right, top - 8)
    press.rule(press.left, top - 15, press.right, top - 15, weight=0.8, ink=ACCENT)
    return top - 15 - 12


def origin(press: Press) -> str:
    """How firm the records are, where that can change, and their fingerprint."""
    imprint = press.imprint
    said = f"{press.say(words.FINGERPRINT)} {imprint.short_fingerprint}"
    if imprint.state is None:
        return said
    return f"{press.say(words.STATES[imprint.state.value])} · {said}"


def foot(press: Press, at: int, total: int) -> None:
    """State, fingerprint and moment of printing, and which page of how many this is."""
    imprint = press.imprint
    left, right, y = press.left, press.right, FOOT
    press.rule(left, y + 10, right, y + 10, weight=0.4)
    page = press.say(words.PAGE_OF).format(page=at, pages=total)
    printed = press.say(words.PRINTED).format(moment=moment(imprint.printed_at, press.language))
    press.fitted(
        left,
        y,
        f"{origin(press)} · {printed}",
        right - left - width(page, BOLD, SMALL_SIZE) - 14,
        size=SMALL_SIZE,
        ink=MUTED,
    )
    press.text(right, y, page, face=BOLD, size=SMALL_SIZE, ink=MUTED, align=RIGHT)
