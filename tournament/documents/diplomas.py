"""Diplomas: name, rank and signatures, on a page to hang up. Issued for final standings only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournament.documents import words
from tournament.documents.faces import BOLD
from tournament.documents.formats import ordinal
from tournament.documents.imprint import DocumentError, Imprint, NotFinalError, State
from tournament.documents.layout import Layout
from tournament.documents.looks import CENTRE, INK, MM, MUTED

_SUITS: Final = "♠   ♥   ♦   ♣"


@dataclass(frozen=True, slots=True)
class Diploma:
    """One diploma: ``title`` is a distinction in words, printed above the rank.

    ``classified``: the number of ranked entrants in the same ranking, where that is only a part of the sheet.
    """

    name: str
    rank: int
    tied: bool = False
    club: str = ""
    title: str = ""
    classified: int | None = None


@dataclass(frozen=True, slots=True)
class DiplomaSheet:
    """Diplomas of one event; ``signers`` are at most three ``(name, function)``: an empty name
    leaves the line to be signed over the function."""

    imprint: Imprint
    diplomas: tuple[Diploma, ...]
    classified: int | None = None
    signers: tuple[tuple[str, str], ...] = ()


def diplomas_pdf(sheet: DiplomaSheet) -> bytes:
    """Render one landscape page each; equal sheets give equal bytes.

    Raises ``NotFinalError`` unless the standings of the imprint are final.
    """
    if sheet.imprint.state is not State.FINAL:
        raise NotFinalError("diplomas are printed when the standings are final")
    if not sheet.diplomas:
        raise DocumentError("there is nobody to print a diploma for")
    if len(sheet.signers) > 3:
        raise DocumentError("a diploma has room for three signatures")
    language = sheet.imprint.language
    layout = Layout(
        sheet.imprint,
        words.DIPLOMAS.render(language),
        head=False,
        landscape=True,
        margin=22 * MM,
        diploma=True,
    )
    for at, diploma in enumerate(sheet.diplomas):
        if at:
            layout.new_page()
        layout.bookmark(diploma.name)
        _diploma(layout, sheet, diploma)
    return layout.finish()


def _diploma(layout: Layout, sheet: DiplomaSheet, diploma: Diploma) -> None:
    inset, low = 12 * MM, layout.bottom - 2 * MM
    wide, high = layout.width - 2 * inset, layout.height - inset - low
    layout.box(inset, low, wide, high, stroke=layout.imprint.accent, weight=2.2)
    layout.box(inset + 5, low + 5, wide - 10, high - 10, stroke=INK, weight=0.5)
    middle, room = layout.width / 2, layout.room - 20
    y = layout.height - inset - 58
    if sheet.imprint.logo:
        layout.picture(sheet.imprint.logo, middle - 80, y - 12, 160, 46, align=CENTRE)
    else:
        layout.text(middle, y, _SUITS, size=18, ink=INK, align=CENTRE)
    y -= 66
    layout.text(
        middle,
        y,
        layout.say(words.DIPLOMA),
        face=BOLD,
        size=44,
        ink=layout.imprint.accent,
        align=CENTRE,
    )
    y -= 36
    layout.fitted(middle, y, sheet.imprint.event, room, face=BOLD, size=18, least=11, align=CENTRE)
    y -= 46
    layout.text(middle, y, layout.say(words.AWARDED_TO), size=13, ink=MUTED, align=CENTRE)
    y = layout.block(
        middle,
        y - 14,
        diploma.name,
        room,
        lines=2,
        size=38,
        least=18,
        align=CENTRE,
        leading=1.15,
    )
    if diploma.club:
        layout.fitted(middle, y - 14, diploma.club, room, size=14, least=9, ink=MUTED, align=CENTRE)
        y -= 18
    text = words.DIPLOMA_TIED if diploma.tied else words.DIPLOMA_RANK
    rank = layout.say(text).format(rank=ordinal(diploma.rank, layout.language))
    classified = diploma.classified or sheet.classified
    if classified is not None:
        rank += f", {layout.say(words.AMONG.format(count=classified))}"
    if diploma.title:
        layout.fitted(
            middle, y - 38, diploma.title, room, face=BOLD, size=20, least=12, align=CENTRE
        )
        y -= 34
    layout.fitted(
        middle,
        y - 36,
        rank,
        room,
        face=BOLD,
        size=18,
        least=11,
        ink=layout.imprint.accent,
        align=CENTRE,
    )
    if sheet.imprint.place:
        layout.fitted(middle, low + 72, sheet.imprint.place, room, size=12, ink=MUTED, align=CENTRE)
    _signatures(layout, sheet, low + 36)


def _signatures(layout: Layout, sheet: DiplomaSheet, y: float) -> None:
    if not sheet.signers:
        return
    step = layout.room / len(sheet.signers)
    for at, (name, function) in enumerate(sheet.signers):
        middle = layout.left + (at + 0.5) * step
        layout.line(middle - 75, y, middle + 75, y, weight=0.6, ink=INK)
        below = y - 11
        if name:
            layout.fitted(middle, below, name, step - 12, size=10, align=CENTRE)
            below -= 10
        layout.fitted(middle, below, function, step - 12, size=8, ink=MUTED, align=CENTRE)
