"""Table slips: one for each table of a round, with the code that opens the table's page.

A slip names the player of each seat and the partners of each game. In the rotation at one table
(rules specification D.2, ``INDIVIDUAL_TABLE3``) that is AB–CD, AC–BD, AD–BC; a table of two pairs
has one game or more, and where each plays for themselves a game has as many sides as players. Two
slips to a page, to be cut apart: each carries the fingerprint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.documents import words
from tournament.documents.draws import DrawnTable, Seat, duties
from tournament.documents.faces import BOLD, width
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import CENTRE, INK, MM, MUTED, PAPER, RIGHT
from tournament.documents.qr import draw_qr


@dataclass(frozen=True, slots=True)
class SlipGame:
    """One game of a table: the seats of each of its sides, who deals first (a label), how many deals.

    A game that a number of deals ends has a box for each side and deal, as far as they fit: the
    slip is later typed deal by deal.
    """

    sides: tuple[tuple[str, ...], ...]
    first_dealer: str = ""
    deals: int = 0


ROTATION: Final = (
    SlipGame((("A", "B"), ("C", "D"))),
    SlipGame((("A", "C"), ("B", "D"))),
    SlipGame((("A", "D"), ("B", "C"))),
)
"""Three games at one table: each plays once with each of the others."""

MOST_BOXES: Final = 4
"""Games of more deals are copied from score sheets: a slip has no room for their boxes."""
BOX: Final = 38.0
"""The width of such a box, for trump and card points."""

PAIRS_GAME: Final = (SlipGame((("N", "S"), ("E", "W"))),)
"""One game of two pairs that sit opposite each other."""


@dataclass(frozen=True, slots=True)
class TableSlip:
    """A table with the address behind its code, the short one to type, and its games (may be none)."""

    table: DrawnTable
    link: str
    short_link: str
    games: tuple[SlipGame, ...] = ROTATION

    def __post_init__(self) -> None:
        labels = {seat.label for seat in self.table.seats}
        for game in self.games:
            missing = {seat for side in game.sides for seat in side} - labels
            if missing:
                raise DocumentError(
                    f"table {self.table.number} has no seat {', '.join(sorted(missing))}"
                )


@dataclass(frozen=True, slots=True)
class SlipSheet:
    """The slips of one round; ``name``: its name in a bracket; ``starts`` is a time as printed."""

    imprint: Imprint
    round: int
    slips: tuple[TableSlip, ...]
    rulebook: str = ""
    starts: str = ""
    name: str = ""


def table_slips_pdf(sheet: SlipSheet) -> bytes:
    """Render slips for the tables, two a page; equal sheets give equal bytes."""
    if not sheet.slips:
        raise DocumentError("there is no table to print a slip for")
    title = words.TABLE_SLIPS.render(sheet.imprint.language)
    round_words = sheet.name or words.ROUND.render(sheet.imprint.language).format(round=sheet.round)
    layout = Layout(sheet.imprint, f"{title} · {round_words}", head=False, margin=11 * MM)
    top, foot = layout.height - 9 * MM, layout.bottom
    half = (top - foot) / 2
    for at, slip in enumerate(sheet.slips):
        if at and at % 2 == 0:
            layout.new_page()
        if at % 2 == 1:
            _cut_line(layout, top - half)
        layout.y = top - half * (at % 2)
        layout.bookmark(f"{layout.say(words.TABLE)} {slip.table.number}")
        _slip(layout, sheet, slip, layout.y - 6, half - 24)
        if at % 2 == 0:
            # The foot of the page stays with the lower slip.
            layout.stamp(layout.left, top - half + 6)
    return layout.finish()


def _cut_line(layout: Layout, y: float) -> None:
    layout.line(0, y, layout.width, y, ink=MUTED, dash=(3, 3))


def _slip(layout: Layout, sheet: SlipSheet, slip: TableSlip, top: float, high: float) -> None:
    left, right = layout.left, layout.right
    code = 31 * MM
    head = right - left - code - 12
    logo = sheet.imprint.logo
    beside = left
    if logo:
        beside += layout.picture(logo, left, top - 25, 72, 26) + 7
        head -= beside - left
    layout.fitted(
        beside, top - 10, sheet.imprint.event, head, face=BOLD, size=10, ink=layout.imprint.accent
    )
    facts = " · ".join(part for part in (sheet.rulebook, sheet.starts, slip.table.note) if part)
    if facts:
        layout.fitted(beside, top - 22, facts, head, size=9, ink=MUTED)
    head += beside - left
    base = top - 58
    layout.text(left, base + 22, layout.say(words.TABLE).upper(), face=BOLD, size=7.5, ink=MUTED)
    layout.fitted(left, base - 8, slip.table.number, 92, face=BOLD, size=36, least=18)
    if sheet.name:
        layout.fitted(left + 100, base + 19, sheet.name, head - 100, face=BOLD, size=14)
    else:
        word = layout.say(words.ROUND_WORD).upper()
        layout.text(left + 100, base + 22, word, face=BOLD, size=7.5, ink=MUTED)
        layout.text(left + 100, base - 8, str(sheet.round), size=36)
    draw_qr(layout, slip.link, right - code, top - code, code)
    layout.fitted(
        right - code - 8,
        base + 6,
        layout.say(words.SCAN_TABLE),
        head - 158,
        size=8,
        least=6,
        ink=MUTED,
        align=RIGHT,
    )
    layout.fitted(
        right - code - 8,
        base - 7,
        slip.short_link,
        head - 158,
        face=BOLD,
        size=10.5,
        least=6,
        align=RIGHT,
    )

    y = min(base - 22, top - code - 2)
    y = _seats(layout, slip, y)
    if slip.games:
        _games(layout, slip, y - 8, top - high)


def _seats(layout: Layout, slip: TableSlip, top: float) -> float:
    """Draw the seats in two columns, a line for each name; return the y below them."""
    seats = slip.table.seats
    gap, line = 14.0, 23.0
    wide = (layout.room - gap) / 2
    labels = max((width(seat.label, BOLD, 11) for seat in seats), default=0.0)
    badge = max(labels + 7, 17.0)
    y = top
    for start in range(0, len(seats), 2):
        row = seats[start : start + 2]
        for column, seat in enumerate(row):
            x = layout.left + column * (wide + gap)
            layout.line(x, y, x + wide, y, weight=0.4)
            base = y - 16
            layout.box(x, base - 4.5, badge, 17, fill=INK, radius=2)
            layout.text(
                x + badge / 2, base, seat.label, face=BOLD, size=11, ink=PAPER, align=CENTRE
            )
            _person(layout, seat, x + badge + 7, base, x + wide, line)
        y -= line * max(len(seat.person.names) for seat in row)
    return y


def _person(layout: Layout, seat: Seat, x: float, base: float, right: float, line: float) -> None:
    names = seat.person.names
    for at, name in enumerate(names):
        number = "" if at else seat.person.number
        taken = 8 + width(number, BOLD, 12) if number else 0.0
        if at == len(names) - 1:
            name += duties(layout, seat)
        layout.tight(x, base, name, right - x - taken, size=13, least=8.5)
        layout.text(right, base, number, face=BOLD, size=12, align=RIGHT)
        base -= line


def _joined_seats(side: Sequence[str]) -> str:
    """``AB``, or ``Nord-Sud`` of seats that have names."""
    return ("" if all(len(label) == 1 for label in side) else "-").join(side)


def _games(layout: Layout, slip: TableSlip, top: float, bottom: float) -> None:
    """Draw a block for each game: its sides, boxes for their marks and all signatures."""
    names = {seat.label: seat.person.names for seat in slip.table.seats}
    left, right = layout.left, layout.right
    label, marks, signature = 46.0, 50.0, 92.0
    boxes = max(game.deals for game in slip.games)
    boxes = boxes if boxes <= MOST_BOXES else 0
    sides = right - left - label - marks - signature
    written = left + label + sides - boxes * BOX
    heads = top - 7
    for deal in range(boxes):
        number = f"{layout.say(words.DEAL_NUMBER)} {deal + 1}"
        layout.fitted(
            written + deal * BOX + 3, heads, number, BOX - 4, size=7.5, least=5, ink=MUTED
        )
    for x, heading in (
        (left + label + sides, words.MARKS),
        (left + label + sides + marks, words.SIGNATURE),
    ):
        layout.text(x + 4, heads, layout.say(heading), face=BOLD, size=7.5, ink=MUTED)
    top -= 11
    start = top
    line = min((top - bottom) / sum(len(game.sides) for game in slip.games), 32.0)
    badge = 8 + max(
        width(_joined_seats(side), BOLD, 10) for game in slip.games for side in game.sides
    )
    badge = max(badge, 30.0)
    layout.line(left, top, right, top, weight=0.9, ink=INK)
    for at, game in enumerate(slip.games, start=1):
        high = line * len(game.sides)
        middle = top - high / 2
        layout.text(left, middle + 1, layout.say(words.GAME).format(game=at), face=BOLD, size=9)
        if game.first_dealer:
            layout.fitted(
                left,
                middle - 9,
                layout.label(words.FIRST_DEALER_SHORT, game.first_dealer),
                label - 2,
                size=8,
                least=5,
                ink=MUTED,
            )
        for row, side in enumerate(game.sides):
            base = top - line * (row + 0.5) - 3.5
            text = " + ".join(name for seat in side for name in names[seat])
            layout.text(left + label, base, _joined_seats(side), face=BOLD, size=10)
            layout.tight(
                left + label + badge,
                base,
                text,
                written - left - label - badge - 4,
                size=9.5,
                least=7,
            )
            if row:
                layout.line(left + label, top - line * row, right, top - line * row, weight=0.4)
        top -= high
        layout.line(left, top, right, top, weight=0.6, ink=INK)
    for edge in (written + deal * BOX for deal in range(boxes)):
        layout.line(edge, start, edge, top, weight=0.4)
    for edge in (left + label + sides, left + label + sides + marks, right):
        layout.line(edge, start, edge, top, weight=0.6, ink=INK)
