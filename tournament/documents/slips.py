"""Table slips: one for each table of a round, with the code that opens the table's page.

A slip names who sits where and who plays with whom in each game. In the rotation at one table
(rules specification D.2, ``INDIVIDUAL_TABLE3``) that is AB–CD, AC–BD, AD–BC; a table of two pairs
has one game. Two slips to a page, to be cut apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournament.documents import words
from tournament.documents.draws import DrawnTable, Seat, duties
from tournament.documents.faces import BOLD
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.looks import ACCENT, CENTRE, INK, MM, MUTED, RIGHT, RULE
from tournament.documents.press import Press
from tournament.documents.qr import draw_qr


@dataclass(frozen=True, slots=True)
class SlipGame:
    """One game of a table: the seats of its two sides, and who deals first (a label)."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    first_dealer: str = ""


ROTATION: Final = (
    SlipGame(("A", "B"), ("C", "D")),
    SlipGame(("A", "C"), ("B", "D")),
    SlipGame(("A", "D"), ("B", "C")),
)
"""Three games at one table: everybody plays once with each of the others."""

PAIRS_GAME: Final = (SlipGame(("N", "S"), ("E", "W")),)
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
            missing = (set(game.first) | set(game.second)) - labels
            if missing:
                raise DocumentError(
                    f"table {self.table.number} has no seat {', '.join(sorted(missing))}"
                )


@dataclass(frozen=True, slots=True)
class SlipSheet:
    """The slips of one round; ``starts`` and ``ends_by`` are times as printed."""

    imprint: Imprint
    round: int
    slips: tuple[TableSlip, ...]
    rulebook: str = ""
    starts: str = ""


def table_slips_pdf(sheet: SlipSheet) -> bytes:
    """Slips for the tables, two to a page; equal sheets give equal bytes."""
    if not sheet.slips:
        raise DocumentError("there is no table to print a slip for")
    title = words.TABLE_SLIPS.to(sheet.imprint.language)
    round_words = words.ROUND.to(sheet.imprint.language).format(round=sheet.round)
    press = Press(sheet.imprint, f"{title} · {round_words}", head=False, margin=11 * MM)
    top, foot = press.height - 9 * MM, press.bottom
    half = (top - foot) / 2
    for at, slip in enumerate(sheet.slips):
        if at and at % 2 == 0:
            press.page()
        if at % 2 == 1:
            _cut_line(press, top - half)
        press.y = top - half * (at % 2)
        press.bookmark(f"{press.say(words.TABLE)} {slip.table.number}")
        _slip(press, sheet, slip, press.y - 6, half - 20)
    return press.finish()


def _cut_line(press: Press, y: float) -> None:
    press.canvas.setDash(3, 3)
    press.rule(0, y, press.width, y, weight=0.5, ink=MUTED)
    press.canvas.setDash()


def _slip(press: Press, sheet: SlipSheet, slip: TableSlip, top: float, high: float) -> None:
    left, right = press.left, press.right
    code = 31 * MM
    head = right - left - code - 12
    press.fitted(left, top - 10, sheet.imprint.event, head, face=BOLD, size=10, ink=ACCENT)
    facts = " · ".join(part for part in (sheet.rulebook, sheet.starts, slip.table.note) if part)
    if facts:
        press.fitted(left, top - 22, facts, head, size=9, ink=MUTED)
    base = top - 58
    press.text(left, base + 22, press.say(words.TABLE).upper(), face=BOLD, size=7.5, ink=MUTED)
    press.fitted(left, base - 8, slip.table.number, 92, face=BOLD, size=36, least=18)
    press.text(
        left + 100, base + 22, press.say(words.ROUND_WORD).upper(), face=BOLD, size=7.5, ink=MUTED
    )
    press.text(left + 100, base - 8, str(sheet.round), size=36)
    draw_qr(press, slip.link, right - code, top - code, code)
    press.fitted(
        right - code - 8,
        base + 6,
        press.say(words.SCAN_TABLE),
        head - 158,
        size=8,
        least=6,
        ink=MUTED,
        align=RIGHT,
    )
    press.fitted(
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
    y = _seats(press, slip, y)
    if slip.games:
        _games(press, slip, y - 8, top - high)


def _seats(press: Press, slip: TableSlip, top: float) -> float:
    """The seats in two columns; returns the y below them."""
    seats = slip.table.seats
    wide = (press.room - 14) / 2
    line = 23.0
    for at, seat in enumerate(seats):
        x = press.left + (at % 2) * (wide + 14)
        y = top - (at // 2) * line
        press.rule(x, y, x + wide, y, weight=0.4)
        base = y - 16
        press.box(x, base - 4.5, 17, 17, fill=INK, radius=2)
        press.text(x + 8.5, base, seat.label, face=BOLD, size=11, ink=(1, 1, 1), align=CENTRE)
        _person(press, seat, x + 24, base, x + wide)
    return top - ((len(seats) + 1) // 2) * line


def _person(press: Press, seat: Seat, x: float, base: float, right: float) -> None:
    taken = 0.0
    if seat.person.number:
        taken = 8 + press.text(right, base, seat.person.number, face=BOLD, size=12, align=RIGHT)
    press.fitted(
        x, base, seat.person.name + duties(press, seat), right - x - taken, size=13, least=8
    )


def _games(press: Press, slip: TableSlip, top: float, bottom: float) -> None:
    """A line for each game: the two sides, boxes for their marks and both signatures."""
    names = {seat.label: seat.person.name for seat in slip.table.seats}
    left, right = press.left, press.right
    label, marks, signature = 46.0, 50.0, 92.0
    sides = right - left - label - marks - signature
    heads = top - 7
    for x, said in (
        (left + label + sides, words.MARKS),
        (left + label + sides + marks, words.SIGNATURE),
    ):
        press.text(x + 4, heads, press.say(said), face=BOLD, size=7.5, ink=MUTED)
    top -= 11
    high = min((top - bottom) / len(slip.games), 64.0)
    press.rule(left, top, right, top, weight=0.9, ink=INK)
    for at, game in enumerate(slip.games, start=1):
        middle = top - high / 2
        press.text(left, middle + 1, press.say(words.GAME).format(game=at), face=BOLD, size=9)
        if game.first_dealer:
            press.fitted(
                left,
                middle - 9,
                press.label(words.FIRST_DEALER, game.first_dealer),
                label - 2,
                size=6.5,
                least=4.5,
                ink=MUTED,
            )
        for side, base in ((game.first, top - high / 4), (game.second, top - high * 3 / 4)):
            text = " + ".join(names[seat] for seat in side)
            press.text(left + label, base - 3.5, "".join(side), face=BOLD, size=10)
            press.fitted(left + label + 30, base - 3.5, text, sides - 34, size=9.5, least=6)
        x = left + label + sides
        press.rule(left + label, middle, right, middle, weight=0.4, ink=RULE)
        for edge in (x, x + marks):
            press.rule(edge, top, edge, top - high, weight=0.6, ink=INK)
        top -= high
        press.rule(left, top, right, top, weight=0.6, ink=INK)
    press.rule(right, top, right, top + high * len(slip.games), weight=0.6, ink=INK)
