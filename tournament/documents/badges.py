"""Badges on paper: the name to be read across a table, the start number, the code of the own page.

The link in the code is made in :mod:`tournament.tables.links`, opened in :mod:`tournament.views.public`
(``personal``), revoked in :mod:`tournament.services.entrants`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tournament.documents import words
from tournament.documents.faces import BOLD, TEXT, fit_lines
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import CENTRE, INK, MM, MUTED, PAPER
from tournament.documents.qr import draw_qr

_BAND: Final = 20.0
_INSET: Final = 4.5 * MM


@dataclass(frozen=True, slots=True)
class Badge:
    """One badge. ``link`` is the address behind its code; ``role`` is printed in the band
    (``"Arbitre"``) and empty for a player."""

    name: str
    number: str = ""
    club: str = ""
    role: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class BadgeSheet:
    """Badges to print, eight to a page."""

    imprint: Imprint
    badges: tuple[Badge, ...]


def badges_pdf(sheet: BadgeSheet) -> bytes:
    """Render the badges in the order given; equal sheets give equal bytes."""
    if not sheet.badges:
        raise DocumentError("there is nobody to print a badge for")
    layout = Layout(
        sheet.imprint,
        words.BADGES.render(sheet.imprint.language),
        head=False,
        margin=9 * MM,
        watermark=False,
    )
    boxes = _cells(layout, len(sheet.badges), columns=2, rows=4)
    for at, (badge, box) in enumerate(zip(sheet.badges, boxes, strict=True)):
        if at % 8 == 0:
            layout.bookmark(badge.name)
        _badge(layout, sheet, badge, *box)
    return layout.finish()


def _badge(
    layout: Layout, sheet: BadgeSheet, badge: Badge, x: float, y: float, wide: float, high: float
) -> None:
    left, right = x + _INSET, x + wide - _INSET
    top = y + high - _INSET
    room = right - left
    layout.line(left, top - _BAND, right, top - _BAND, weight=1.2, ink=layout.imprint.accent)
    taken = 0.0
    if badge.role:
        printed = layout.fitted(
            right - 5, top - 13, badge.role, room * 0.4, face=BOLD, size=10, least=7, align="right"
        )
        taken = room * 0.4 if printed.text else 0.0
    logo = sheet.imprint.logo
    beside = layout.picture(logo, left, top - _BAND + 2, 44, _BAND - 4) + 5 if logo else 0.0
    layout.fitted(
        left + beside,
        top - 13,
        sheet.imprint.event,
        room - taken - beside - 4,
        face=BOLD,
        size=9,
        least=6,
        ink=layout.imprint.accent,
    )

    code = 23 * MM if badge.link else 0.0
    below = y + _INSET
    if badge.link:
        draw_qr(layout, badge.link, right - code + 4, below - 2, code)
        layout.text(
            right - code / 2 + 4,
            below - 6,
            layout.say(words.SCAN_BADGE),
            size=6,
            ink=MUTED,
            align=CENTRE,
        )
    name_top = top - _BAND - 6
    if all(line.whole for line in fit_lines(badge.name, room, BOLD, 26, 17, 2)):
        layout.block(left, name_top, badge.name, room, lines=2, size=26, least=17, leading=1.1)
    else:
        layout.block(left, name_top, badge.name, room, lines=3, size=19, least=10, leading=1.1)
    if badge.number:
        layout.box(left, below, 58, 26, fill=INK, radius=3)
        layout.fitted(
            left + 29,
            below + 6.5,
            badge.number,
            50,
            face=BOLD,
            size=18,
            least=9,
            ink=PAPER,
            align=CENTRE,
        )
    if badge.club:
        club = fit_lines(badge.club, room - code - 6, TEXT, 11, 7, 2)
        y = below + 34 + (len(club) - 1) * 9
        for line in club:
            layout.text(left, y, line.text, face=line.face, size=line.size)
            y -= line.size * 1.15


def _cells(
    layout: Layout, count: int, *, columns: int, rows: int, edge: float = 9 * MM
) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes of ``count`` prints as ``(x, y, width, height)``, lower left corner first.

    Begins new pages as needed and puts the cursor at the top of each box, so that an outline entry
    set there leads to it.
    """
    left, right = edge, layout.width - edge
    top, bottom = layout.height - edge, layout.bottom
    wide, high = (right - left) / columns, (top - bottom) / rows
    for at in range(count):
        place = at % (columns * rows)
        if place == 0:
            if at:
                layout.new_page()
            _cut_marks(layout, left, bottom, wide, high, columns, rows)
        row, column = divmod(place, columns)
        layout.y = top - row * high
        yield left + column * wide, layout.y - high, wide, high


def _cut_marks(
    layout: Layout, left: float, bottom: float, wide: float, high: float, columns: int, rows: int
) -> None:
    arm = 3 * MM
    for column in range(columns + 1):
        for row in range(rows + 1):
            x, y = left + column * wide, bottom + row * high
            layout.line(x - arm, y, x + arm, y, weight=0.35, ink=MUTED)
            layout.line(x, y - arm, x, y + arm, weight=0.35, ink=MUTED)
