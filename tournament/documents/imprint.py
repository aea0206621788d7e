"""Imprint of every document: event, language, time, and how official it is.

A document states the fingerprint of the records that it was made from, so that two sheets of paper
can be compared by eye, and whether those records are provisional, frozen or final. Nothing that can
only be true at the end (a certificate) is printed before the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from scoring.texts import LANGUAGES
from tournament.documents.colours import readable
from tournament.documents.looks import ACCENT, PAPER_COLOUR, TINT_COLOUR, Ink, Paper, ink_of


class State(Enum):
    """Degree to which the records in a document are settled."""

    PROVISIONAL = "provisional"
    FROZEN = "frozen"
    FINAL = "final"


class DocumentError(ValueError):
    """The input of a document contradicts itself; the message proposes the change."""


class NotFinalError(DocumentError):
    """A document that only a finished event may issue was requested before its standings are final."""


@dataclass(frozen=True, slots=True)
class Imprint:
    """The frame of a document.

    ``printed_at`` is aware and in the event's time zone: it is printed unchanged and is the only
    clock of a document, so equal input gives equal bytes. ``fingerprint`` is the hash of the
    records in hexadecimal; pages show its first sixteen digits, the metadata all of it. ``anchor``
    is the position of the event's journal (:mod:`ledger.anchors`). ``colour`` ("#rrggbb") and
    ``logo`` (a PNG) are the club's, or empty. ``state`` is ``None`` for a document that cannot
    change any more (a receipt).
    """

    event: str
    language: str
    printed_at: datetime
    fingerprint: str
    state: State | None = State.PROVISIONAL
    paper: Paper = Paper.A4
    place: str = ""
    organiser: str = ""
    anchor: str = ""
    colour: str = ""
    logo: bytes = b""

    def __post_init__(self) -> None:
        if self.printed_at.tzinfo is None:
            raise DocumentError("printed_at must carry a time zone")
        if self.language[:2].lower() not in LANGUAGES:
            raise DocumentError(f"no document is written in {self.language!r}: use fr, nl or en")
        if not self.fingerprint:
            raise DocumentError("a document carries the fingerprint of its records")

    @property
    def accent(self) -> Ink:
        """The club's colour in a shade that can be read on paper; without one, that of all documents."""
        if not self.colour:
            return ACCENT
        return ink_of(readable(self.colour, (PAPER_COLOUR, TINT_COLOUR)))

    @property
    def short_fingerprint(self) -> str:
        """First part of the fingerprint, as printed at the foot of each page."""
        return self.fingerprint[:16]
