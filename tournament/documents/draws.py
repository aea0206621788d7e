"""The draw as posters: by table for those who look for their opponents, by name for all others.

Large type in two columns, to be read by a crowd in front of a wall; a table is never split. A third column
would save four sheets of nine at 544 players, at type that nobody reads from the second row.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tournament.documents import words
from tournament.documents.faces import BOLD, TEXT, width
from tournament.documents.imprint import Imprint
from tournament.documents.looks import ACCENT, CENTRE, INK, MUTED, RIGHT, TINT
from tournament.documents.press import Press

_COLUMNS: Final = 2
_GUTTER: Final = 18.0
_LINE: Final = 17.0
_NAME_LINE: Final = 21.0
_SEAT_ROOM: Final = 26.0
_TABLE_ROOM: Final = 32.0
_SPELLED: Final = {
    "œ": "oe",
    "æ": "ae",
    "ß": "ss",
    "đ": "d",
    "ł": "l",
    "ø": "o",
    "ð": "d",
    "þ": "th",
}


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits on a draw: his name as printed, start number, club and what he is sorted by.

    ``sort_key`` empty sorts by the name as printed. ``members`` are the two names of a pair, whose
    ``name`` holds both; empty for a single player.
    """

    name: str
    number: str = ""
    club: str = ""
    sort_key: str = ""
    members: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the people meant: both of a pair, else his own."""
        return self.members or (self.name,)

    @property
    def looked_up(self) -> tuple[Person, ...]:
        """As many entries as people: each of a pair stands under his own name, before his partner's."""
        return tuple(
            replace(self, name=" / ".join((name, *self.members[:at], *self.members[at + 1 :])))
            for at, name in enumerate(self.members)
        ) or (self,)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table: its label (A–D, or N, E, S, W), who sits there, and his duties.

    ``first_dealer`` deals first; ``scorekeeper`` writes.
    """

    label: str
    person: Person
    first_dealer: bool = False
    scorekeeper: bool = False


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table of a round; ``note`` is printed under its number (``"three players"``)."""

    number: str
    seats: tuple[Seat, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class DrawSheet:
    """The draw of a round to print; ``sitting_out`` have no table this round."""

    imprint: Imprint
    round: int
    tables: tuple[DrawnTable, ...]
    sitting_out: tuple[Person, ...] = ()
    starts: str = ""
    stage: str = ""


def draw_by_table_pdf(sheet: DrawSheet) -> bytes:
    """The draw in the order of the tables; equal sheets give equal bytes."""
    press = _press(sheet, words.DRAW_BY_TABLE.to(sheet.imprint.language))
    draw_tables(press, sheet, level=1)
    return press.finish()


def draw_by_name_pdf(sheet: DrawSheet) -> bytes:
    """The draw in alphabetical order, each name with its table and seat."""
    press = _press(sheet, words.DRAW_BY_NAME.to(sheet.imprint.language))
    draw_names(press, sheet, level=1)
    return press.finish()


def _press(sheet: DrawSheet, how: str) -> Press:
    language = sheet.imprint.language
    title = words.ROUND.to(language).format(round=sheet.round)
    starts = words.STARTS.to(language).format(time=sheet.starts) if sheet.starts else ""
    subject = " · ".join(part for part in (how, sheet.stage, starts) if part)
    press = Press(sheet.imprint, title, subject=subject)
    press.bookmark(f"{title} · {how}")
    return press


def alphabetical(person: Person) -> tuple[str, str]:
    """A sort key as a reader looks a name up: accents and case do not count, ligatures do.

    >>> sorted(["Ömer", "Œdipe", "Oda", "Őri"], key=lambda name: alphabetical(Person(name)))
    ['Oda', 'Œdipe', 'Ömer', 'Őri']
    """
    name = person.sort_key or person.name
    plain = name.casefold()
    for letter, spelled in _SPELLED.items():
        plain = plain.replace(letter, spelled)
    decomposed = unicodedata.normalize("NFKD", plain)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return ("".join(char if char.isalnum() else " " for char in bare).strip(), name)


def _columns(press: Press) -> tuple[float, list[float]]:
    wide = (press.room - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
    return wide, [press.left + at * (wide + _GUTTER) for at in range(_COLUMNS)]


def draw_tables(press: Press, sheet: DrawSheet, *, level: int) -> None:
    """The tables as cards in two columns below the cursor, then those who sit out."""
    if not sheet.tables:
        press.paragraph(press.say(words.NOBODY), ink=MUTED)
    wide, lefts = _columns(press)
    heights = [
        max(sum(len(seat.person.names) for seat in table.seats), 3) * _LINE + 15
        for table in sheet.tables
    ]
    for at, column, y in _poured(press, heights, lambda: press.y):
        table = sheet.tables[at]
        if at % 10 == 0:
            press.y = y
            press.bookmark(f"{press.say(words.TABLE)} {table.number}", level)
        _card(press, table, lefts[column], y, wide, heights[at])
    _sitting_out(press, sheet)


def _poured(
    press: Press, heights: Sequence[float], begin: Callable[[], float]
) -> Iterator[tuple[int, int, float]]:
    """Pieces of these heights poured into the columns of as many pages as needed.

    Yields each piece as ``(index, column, top)``, down one column and then down the next. ``begin``
    draws what stands over the columns of a page and returns where they start. The last page is
    shared evenly by its columns; the cursor ends below the longest.
    """
    at = 0
    while at < len(heights):
        if at:
            press.page()
        first, top = at, begin()
        room = top - press.bottom
        rest = sum(heights[at:])
        limits = [room] * _COLUMNS
        if rest <= room * _COLUMNS:
            taken = 0.0
            for height in heights[at:]:
                if taken >= rest / _COLUMNS:
                    break
                taken += height
            limits[0] = min(room, taken)
        lowest = top
        for column, limit in enumerate(limits):
            used = 0.0
            while at < len(heights) and (used + heights[at] <= limit + 0.01 or at == first):
                yield at, column, top - used
                used += heights[at]
                at += 1
            lowest = min(lowest, top - used)
        press.y = lowest


def _card(press: Press, table: DrawnTable, x: float, top: float, wide: float, high: float) -> None:
    number_room = 46.0
    middle = top - (high - 9) / 2
    press.box(x, top - high + 9, number_room, high - 9, fill=TINT)
    base = middle - (4 if table.note else 10)
    press.fitted(
        x + number_room / 2,
        base,
        table.number,
        number_room - 8,
        face=BOLD,
        size=29,
        least=14,
        ink=ACCENT,
        align=CENTRE,
    )
    if table.note:
        press.fitted(
            x + number_room / 2,
            base - 13,
            table.note,
            number_room - 6,
            size=8,
            least=5.5,
            ink=MUTED,
            align=CENTRE,
        )
    y = top - 14
    right = x + wide
    labels = max((width(seat.label, BOLD, 12) for seat in table.seats), default=0.0)
    left = x + number_room + 9 + max(labels + 7, 18)
    for seat in table.seats:
        press.text(x + number_room + 9, y, seat.label, face=BOLD, size=12, ink=MUTED)
        for at, name in enumerate(seat.person.names):
            # The number stands beside the first name, the duties behind the last: they are the pair's.
            number = "" if at else seat.person.number
            taken = 6 + width(number, TEXT, 10) if number else 0.0
            if at == len(seat.person.names) - 1:
                name += duties(press, seat)
            press.tight(left, y, name, right - left - taken, size=12.5, least=8)
            press.text(right, y, number, size=10, ink=MUTED, align=RIGHT)
            y -= _LINE
    press.rule(x, top - high + 9, right, top - high + 9, weight=0.6, ink=INK)


def duties(press: Press, seat: Seat) -> str:
    """The duties of a seat as marks after the name."""
    marks = []
    if seat.first_dealer:
        marks.append(press.say(words.FIRST_DEALER_SHORT))
    if seat.scorekeeper:
        marks.append(press.say(words.SCOREKEEPER_SHORT))
    return f" ({', '.join(marks)})" if marks else ""


def draw_names(press: Press, sheet: DrawSheet, *, level: int) -> None:
    """Every player in alphabetical order in two columns, with table and seat."""
    entries: list[tuple[Person, str, str]] = [
        (person, table.number, seat.label)
        for table in sheet.tables
        for seat in table.seats
        for person in seat.person.looked_up
    ]
    entries += [
        (person, "–", press.say(words.SITS_OUT_SHORT))
        for out in sheet.sitting_out
        for person in out.looked_up
    ]
    entries.sort(key=lambda entry: alphabetical(entry[0]))
    if not entries:
        press.paragraph(press.say(words.NOBODY), ink=MUTED)
        return
    # Two people of one name are told apart by their numbers.
    namesakes = Counter(entry[0].name for entry in entries)
    wide, lefts = _columns(press)

    def begin() -> float:
        _name_heads(press, lefts, wide, press.y)
        return press.y - 16

    initial, reached = "", -1
    for at, column, y in _poured(press, [_NAME_LINE] * len(entries), begin):
        person, table, seat = entries[at]
        left, right = lefts[column], lefts[column] + wide
        base = y - _NAME_LINE + 6
        letter = alphabetical(person)[0][:1].upper()
        if letter != initial:
            press.y = y
            press.bookmark(letter, level)
        # The letter stands at its first name and again where a column carries it on.
        if letter != initial or column != reached:
            initial, reached = letter, column
            press.text(left, base, letter, face=BOLD, size=13, ink=ACCENT)
        number = right - _SEAT_ROOM - 6
        from_left = left + 18
        name = f"{person.name}  {person.number}" if namesakes[person.name] > 1 else person.name
        room = number - _TABLE_ROOM - 4 - from_left
        press.tight(from_left, base, name, room, size=14, least=9)
        press.fitted(number, base, table, _TABLE_ROOM, face=BOLD, size=16, align=RIGHT)
        press.fitted(right, base, seat, _SEAT_ROOM, size=11, least=6, ink=MUTED, align=RIGHT)
        press.rule(left, y - _NAME_LINE, right, y - _NAME_LINE, weight=0.4)


def _name_heads(press: Press, lefts: list[float], wide: float, y: float) -> None:
    for left in lefts:
        right = left + wide
        press.text(left + 18, y - 8, press.say(words.NAME), face=BOLD, size=8, ink=MUTED)
        press.text(
            right - _SEAT_ROOM - 6,
            y - 8,
            press.say(words.TABLE),
            face=BOLD,
            size=8,
            ink=MUTED,
            align=RIGHT,
        )
        press.text(right, y - 8, press.say(words.SEAT), face=BOLD, size=8, ink=MUTED, align=RIGHT)
        press.rule(left, y - 13, right, y - 13, weight=0.9, ink=INK)


def _sitting_out(press: Press, sheet: DrawSheet) -> None:
    if not sheet.sitting_out:
        return
    press.heading(press.say(words.SITTING_OUT), level=1, keep=20)
    names = ", ".join(
        f"{person.name} ({person.number})" if person.number else person.name
        for person in sheet.sitting_out
    )
    press.paragraph(names, size=12.5)
