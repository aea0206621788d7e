"""Cards to put on a table: its number, or the name of a seat's player. Folded, they read from both sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tournament.documents import words
from tournament.documents.faces import BOLD, CAP_HEIGHT, fit
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import CENTRE, INK, LEFT, MM, MUTED, PAPER, RIGHT
from tournament.documents.qr import draw_qr

_SEATS_A_PAGE: Final = 3


@dataclass(frozen=True, slots=True)
class TableCard:
    """A table's number and, if it has one, the address behind its code."""

    number: str
    link: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableCardSheet:
    """Table cards, one to a page."""

    imprint: Imprint
    cards: tuple[TableCard, ...]


@dataclass(frozen=True, slots=True)
class SeatCard:
    """Card of one seat: ``seat`` is the label of the place, ``name`` its player."""

    table: str
    seat: str
    name: str
    number: str = ""
    club: str = ""


@dataclass(frozen=True, slots=True)
class SeatCardSheet:
    """Seat cards, three to a page."""

    imprint: Imprint
    cards: tuple[SeatCard, ...]


def table_cards_pdf(sheet: TableCardSheet) -> bytes:
    """Render one card a page, the number on both sides of the fold; equal sheets give equal bytes."""
    if not sheet.cards:
        raise DocumentError("there is no table to print a card for")
    title = words.TABLE_CARDS.render(sheet.imprint.language)
    layout = Layout(sheet.imprint, title, head=False, margin=12 * MM, watermark=False)
    for at, card in enumerate(sheet.cards):
        if at:
            layout.new_page()
        layout.bookmark(f"{layout.say(words.TABLE)} {card.number}")
        high = (layout.height - 12 * MM - layout.bottom) / 2

        def face(wide: float, high: float, card: TableCard = card) -> None:
            _table_face(layout, card, wide, high)

        _tent(layout, layout.left, layout.bottom, layout.room, high, face)
    return layout.finish()


def seat_cards_pdf(sheet: SeatCardSheet) -> bytes:
    """Three cards to a page, the name on both sides of each fold; equal sheets give equal bytes."""
    if not sheet.cards:
        raise DocumentError("there is no seat to print a card for")
    title = words.SEAT_CARDS.render(sheet.imprint.language)
    layout = Layout(sheet.imprint, title, head=False, margin=12 * MM, watermark=False)
    top = layout.height - 10 * MM
    step = (top - layout.bottom) / _SEATS_A_PAGE
    for at, card in enumerate(sheet.cards):
        place = at % _SEATS_A_PAGE
        if at and place == 0:
            layout.new_page()
        bottom = top - (place + 1) * step
        layout.y = bottom + step
        layout.bookmark(f"{layout.say(words.TABLE)} {card.table} · {card.seat} · {card.name}")

        def face(wide: float, high: float, card: SeatCard = card) -> None:
            _seat_face(layout, sheet, card, wide, high)

        _tent(layout, layout.left, bottom, layout.room, step / 2, face)
        if place < _SEATS_A_PAGE - 1:
            layout.line(0, bottom, layout.width, bottom, weight=0.5, ink=MUTED)
    return layout.finish()


def _tent(
    layout: Layout,
    x: float,
    y: float,
    wide: float,
    high: float,
    face: Callable[[float, float], None],
) -> None:
    """Draws ``face`` below a fold and, head down, above it."""
    with layout.turned(x, y, 0):
        face(wide, high)
    with layout.turned(x + wide, y + 2 * high, 180):
        face(wide, high)
    fold = y + high
    layout.line(0, fold, layout.width, fold, ink=MUTED, dash=(1, 4))
    layout.text(4, fold + 3, layout.say(words.FOLD), size=6, ink=MUTED)


def _table_face(layout: Layout, card: TableCard, wide: float, high: float) -> None:
    code = 34 * MM if card.link else 0.0
    number = fit(card.number, wide - 2 * code, BOLD, high * 0.72, 40)
    middle = high / 2 - number.size * CAP_HEIGHT / 2
    layout.text(wide / 2, middle, number.text, face=number.face, size=number.size, align=CENTRE)
    layout.text(
        wide / 2,
        high - 34,
        layout.say(words.TABLE),
        face=BOLD,
        size=20,
        ink=layout.imprint.accent,
        align=CENTRE,
    )
    layout.fitted(
        wide / 2, 30, layout.imprint.event, wide - 2 * code, size=12, ink=MUTED, align=CENTRE
    )
    if card.note:
        layout.fitted(wide / 2, 12, card.note, wide - 2 * code, size=11, align=CENTRE)
    if card.link:
        draw_qr(layout, card.link, wide - code, 8, code)


def _seat_face(
    layout: Layout, sheet: SeatCardSheet, card: SeatCard, wide: float, high: float
) -> None:
    label = high - 30
    layout.box(0, 16, label, label, fill=INK, radius=4)
    layout.fitted(
        label / 2,
        16 + label / 2 - label * 0.21,
        card.seat,
        label - 10,
        face=BOLD,
        size=label * 0.6,
        least=14,
        ink=PAPER,
        align=CENTRE,
    )
    x = label + 14
    layout.fitted(
        x,
        high - 27,
        f"{layout.say(words.TABLE)} {card.table}",
        150,
        face=BOLD,
        size=13,
        ink=layout.imprint.accent,
    )
    layout.fitted(
        wide,
        high - 27,
        sheet.imprint.event,
        wide - x - 160,
        size=9,
        least=6,
        ink=MUTED,
        align=RIGHT,
    )
    layout.block(x, high - 37, card.name, wide - x, lines=2, size=25, least=14, align=LEFT)
    below = " · ".join(part for part in (card.number, card.club) if part)
    layout.fitted(x, 18, below, wide - x, size=12, least=8, ink=MUTED)
