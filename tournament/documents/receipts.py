"""Receipts for entry fees and whatever else was paid at the desk; two to a page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from tournament.documents import words
from tournament.documents.faces import BOLD, TEXT
from tournament.documents.formats import day
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import INK, MM, MUTED, RIGHT
from tournament.ranking.figures import format_cents

_LINES: Final = 8


@dataclass(frozen=True, slots=True)
class Receipt:
    """One payment: its items as ``(words, cents)``, payer, date and means.

    ``number`` is the running number in the organiser's books. At most eight items fit on the
    receipt's half of a page.
    """

    number: str
    payer: str
    items: tuple[tuple[str, int], ...]
    paid_on: date
    means: str = ""
    received_by: str = ""

    def __post_init__(self) -> None:
        if not self.items:
            raise DocumentError(f"receipt {self.number} is for nothing")
        if len(self.items) > _LINES:
            raise DocumentError(f"receipt {self.number} has more than {_LINES} items")

    @property
    def total(self) -> int:
        """Sum of the items, in cents."""
        return sum(cents for _, cents in self.items)


@dataclass(frozen=True, slots=True)
class ReceiptSheet:
    """Receipts to print; ``address`` are the lines under the organiser's name."""

    imprint: Imprint
    receipts: tuple[Receipt, ...]
    address: tuple[str, ...] = ()


def receipts_pdf(sheet: ReceiptSheet) -> bytes:
    """Render two receipts a page; equal sheets give equal bytes."""
    if not sheet.receipts:
        raise DocumentError("there is no payment to print a receipt for")
    layout = Layout(
        sheet.imprint, words.RECEIPTS.render(sheet.imprint.language), head=False, watermark=False
    )
    top = layout.height - 12 * MM
    half = (top - layout.bottom) / 2
    for at, receipt in enumerate(sheet.receipts):
        if at and at % 2 == 0:
            layout.new_page()
        layout.y = top - half * (at % 2)
        layout.bookmark(f"{layout.say(words.RECEIPT)} {receipt.number}")
        if at % 2:
            layout.line(0, layout.y, layout.width, layout.y, ink=MUTED, dash=(3, 3))
        _receipt(layout, sheet, receipt, layout.y - 10, half - 24)
        if at % 2 == 0:
            # The foot of the page stays with the lower receipt.
            layout.stamp(layout.left, top - half + 6)
    return layout.finish()


def _receipt(
    layout: Layout, sheet: ReceiptSheet, receipt: Receipt, top: float, high: float
) -> None:
    left, right, imprint = layout.left, layout.right, sheet.imprint
    layout.fitted(
        left,
        top - 18,
        f"{layout.say(words.RECEIPT)} {receipt.number}",
        layout.room * 0.55,
        face=BOLD,
        size=20,
        least=11,
    )
    layout.fitted(
        right,
        top - 10,
        imprint.organiser,
        layout.room * 0.42,
        face=BOLD,
        size=10,
        ink=layout.imprint.accent,
        align=RIGHT,
    )
    y = top - 21
    for line in sheet.address[:3]:
        layout.fitted(right, y, line, layout.room * 0.42, size=8, ink=MUTED, align=RIGHT)
        y -= 10
    y = min(y, top - 30)
    # Beside an address the event has the left half only.
    room = layout.room * (0.55 if sheet.address else 1)
    y = layout.block(
        left,
        y + 4,
        f"{imprint.event} · {imprint.place}".strip(" ·"),
        room,
        lines=2,
        face=TEXT,
        size=9,
        ink=MUTED,
    )
    y -= 4
    layout.line(left, y, right, y, weight=1.2, ink=layout.imprint.accent)
    y -= 20
    facts = (
        (words.RECEIVED_FROM, receipt.payer, True),
        (words.PAID_ON, day(receipt.paid_on, layout.language), False),
        (words.PAID_BY, receipt.means, False),
    )
    for label, value, strong in facts:
        if not value:
            continue
        layout.text(left, y, layout.say(label), size=9, ink=MUTED)
        if strong:
            y = (
                layout.block(
                    left + 110, y + 11, value, layout.room - 110, lines=2, size=13, least=9
                )
                - 11
            )
        else:
            layout.fitted(left + 110, y, value, layout.room - 110, size=10.5)
            y -= 17
    y -= 3
    layout.line(left, y + 10, right, y + 10, weight=0.4)
    for item, cents in receipt.items:
        layout.fitted(left, y - 3, item, layout.room - 110, size=10.5)
        layout.text(right, y - 3, format_cents(cents, layout.language), size=10.5, align=RIGHT)
        y -= 15
    layout.line(left, y + 5, right, y + 5, weight=0.9, ink=INK)
    layout.text(left, y - 10, layout.say(words.TOTAL), face=BOLD, size=13)
    layout.text(
        right, y - 10, format_cents(receipt.total, layout.language), face=BOLD, size=13, align=RIGHT
    )
    foot = top - high + 18
    layout.line(right - 190, foot, right, foot, weight=0.6, ink=INK)
    signed = layout.say(words.FOR_ORGANISER)
    if receipt.received_by:
        signed = layout.label(words.FOR_ORGANISER, receipt.received_by)
    layout.fitted(right - 190, foot - 10, signed, 190, size=8, ink=MUTED)
