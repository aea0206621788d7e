"""The draw as posters: by table for those who look for their opponents, by name for all others.

Large type in two columns, to be read by a crowd in front of a wall; a table is never split. A third
column would save four sheets of nine at 544 players, in type too small for the second row.
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
from tournament.documents.layout import Layout
from tournament.documents.looks import CENTRE, INK, MUTED, RIGHT, TINT

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
    """Player or pair on a draw: the name as printed, start number, club and sort key.

    An empty ``sort_key`` sorts by the name as printed. ``members`` are the two names of a pair,
    whose ``name`` holds both; empty for a single player.
    """

    name: str
    number: str = ""
    club: str = ""
    sort_key: str = ""
    members: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the people meant: both of a pair, or the one."""
        return self.members or (self.name,)

    @property
    def looked_up(self) -> tuple[Person, ...]:
        """As many entries as people: each of a pair stands under their own name, before their partner's."""
        return tuple(
            replace(self, name=" / ".join((name, *self.members[:at], *self.members[at + 1 :])))
            for at, name in enumerate(self.members)
        ) or (self,)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table: its label (A–D, or N, E, S, W), who sits there, and their duties.

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
    """The draw of a round to print; ``sitting_out`` have no table this round.

    ``name``: the name of the round, where it has more than a number.
    """

    imprint: Imprint
    round: int
    tables: tuple[DrawnTable, ...]
    sitting_out: tuple[Person, ...] = ()
    starts: str = ""
    stage: str = ""
    name: str = ""


def draw_by_table_pdf(sheet: DrawSheet) -> bytes:
    """Render the draw in the order of the tables; equal sheets give equal bytes."""
    layout = _layout(sheet, words.DRAW_BY_TABLE.render(sheet.imprint.language))
    draw_tables(layout, sheet, level=1)
    return layout.finish()


def draw_by_name_pdf(sheet: DrawSheet) -> bytes:
    """Render the draw in alphabetical order, each name with its table and seat."""
    layout = _layout(sheet, words.DRAW_BY_NAME.render(sheet.imprint.language))
    draw_names(layout, sheet, level=1)
    return layout.finish()


def _layout(sheet: DrawSheet, how: str) -> Layout:
    language = sheet.imprint.language
    title = sheet.name or words.ROUND.render(language).format(round=sheet.round)
    starts = words.STARTS.render(language).format(time=sheet.starts) if sheet.starts else ""
    subject = " · ".join(part for part in (how, sheet.stage, starts) if part)
    layout = Layout(sheet.imprint, title, subject=subject)
    layout.bookmark(f"{title} · {how}")
    return layout


def alphabetical(person: Person) -> tuple[str, str]:
    """Return a sort key for names: accents and case do not count, ligatures do.

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


def _columns(layout: Layout) -> tuple[float, list[float]]:
    wide = (layout.room - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
    return wide, [layout.left + at * (wide + _GUTTER) for at in range(_COLUMNS)]


def draw_tables(layout: Layout, sheet: DrawSheet, *, level: int) -> None:
    """Draw the tables as cards in two columns below the cursor, then the byes."""
    if not sheet.tables:
        layout.paragraph(layout.say(words.NOBODY), ink=MUTED)
    wide, lefts = _columns(layout)
    heights = [
        max(sum(len(seat.person.names) for seat in table.seats), 3) * _LINE + 15
        for table in sheet.tables
    ]
    for at, column, y in _poured(layout, heights, lambda: layout.y):
        table = sheet.tables[at]
        if at % 10 == 0:
            layout.y = y
            layout.bookmark(f"{layout.say(words.TABLE)} {table.number}", level)
        _card(layout, table, lefts[column], y, wide, heights[at])
    _sitting_out(layout, sheet)


def _poured(
    layout: Layout, heights: Sequence[float], begin: Callable[[], float]
) -> Iterator[tuple[int, int, float]]:
    """Distribute pieces of these heights over the columns of as many pages as needed.

    Yields each piece as ``(index, column, top)``, down one column and then down the next. ``begin``
    draws what stands over the columns of a page and returns where they start. The last page is
    shared evenly by its columns; the cursor ends below the longest.
    """
    at = 0
    while at < len(heights):
        if at:
            layout.new_page()
        first, top = at, begin()
        room = top - layout.bottom
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
        layout.y = lowest


def _card(
    layout: Layout, table: DrawnTable, x: float, top: float, wide: float, high: float
) -> None:
    number_room = 46.0
    middle = top - (high - 9) / 2
    layout.box(x, top - high + 9, number_room, high - 9, fill=TINT)
    base = middle - (4 if table.note else 10)
    layout.fitted(
        x + number_room / 2,
        base,
        table.number,
        number_room - 8,
        face=BOLD,
        size=29,
        least=14,
        ink=layout.imprint.accent,
        align=CENTRE,
    )
    if table.note:
        layout.fitted(
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
        layout.text(x + number_room + 9, y, seat.label, face=BOLD, size=12, ink=MUTED)
        for at, name in enumerate(seat.person.names):
            # The number follows the first name, the duties follow the last: both belong to the
            # pair.
            number = "" if at else seat.person.number
            taken = 6 + width(number, TEXT, 10) if number else 0.0
            if at == len(seat.person.names) - 1:
                name += duties(layout, seat)
            layout.tight(left, y, name, right - left - taken, size=12.5, least=8)
            layout.text(right, y, number, size=10, ink=MUTED, align=RIGHT)
            y -= _LINE
    layout.line(x, top - high + 9, right, top - high + 9, weight=0.6, ink=INK)


def duties(layout: Layout, seat: Seat) -> str:
    """Return the duties of a seat as marks after the name."""
    marks = []
    if seat.first_dealer:
        marks.append(layout.say(words.FIRST_DEALER_SHORT))
    if seat.scorekeeper:
        marks.append(layout.say(words.SCOREKEEPER_SHORT))
    return f" ({', '.join(marks)})" if marks else ""


def draw_names(layout: Layout, sheet: DrawSheet, *, level: int) -> None:
    """Draw every player in alphabetical order in two columns, with table and seat."""
    entries: list[tuple[Person, str, str]] = [
        (person, table.number, seat.label)
        for table in sheet.tables
        for seat in table.seats
        for person in seat.person.looked_up
    ]
    entries += [
        (person, "–", layout.say(words.SITS_OUT_SHORT))
        for out in sheet.sitting_out
        for person in out.looked_up
    ]
    entries.sort(key=lambda entry: alphabetical(entry[0]))
    if not entries:
        layout.paragraph(layout.say(words.NOBODY), ink=MUTED)
        return
    # Two people of one name are distinguished by their numbers.
    namesakes = Counter(entry[0].name for entry in entries)
    wide, lefts = _columns(layout)

    def begin() -> float:
        _name_heads(layout, lefts, wide, layout.y)
        return layout.y - 16

    initial, reached = "", -1
    for at, column, y in _poured(layout, [_NAME_LINE] * len(entries), begin):
        person, table, seat = entries[at]
        left, right = lefts[column], lefts[column] + wide
        base = y - _NAME_LINE + 6
        letter = alphabetical(person)[0][:1].upper()
        if letter != initial:
            layout.y = y
            layout.bookmark(letter, level)
        # The letter stands at its first name and again where a column carries it on.
        if letter != initial or column != reached:
            initial, reached = letter, column
            layout.text(left, base, letter, face=BOLD, size=13, ink=layout.imprint.accent)
        number = right - _SEAT_ROOM - 6
        from_left = left + 18
        name = f"{person.name}  {person.number}" if namesakes[person.name] > 1 else person.name
        room = number - _TABLE_ROOM - 4 - from_left
        layout.tight(from_left, base, name, room, size=14, least=9)
        layout.fitted(number, base, table, _TABLE_ROOM, face=BOLD, size=16, align=RIGHT)
        layout.fitted(right, base, seat, _SEAT_ROOM, size=11, least=6, ink=MUTED, align=RIGHT)
        layout.line(left, y - _NAME_LINE, right, y - _NAME_LINE, weight=0.4)


def _name_heads(layout: Layout, lefts: list[float], wide: float, y: float) -> None:
    for left in lefts:
        right = left + wide
        layout.text(left + 18, y - 8, layout.say(words.NAME), face=BOLD, size=8, ink=MUTED)
        layout.text(
            right - _SEAT_ROOM - 6,
            y - 8,
            layout.say(words.TABLE),
            face=BOLD,
            size=8,
            ink=MUTED,
            align=RIGHT,
        )
        layout.fitted(
            right,
            y - 8,
            layout.say(words.SEAT),
            _SEAT_ROOM,
            face=BOLD,
            size=8,
            least=5,
            ink=MUTED,
            align=RIGHT,
        )
        layout.line(left, y - 13, right, y - 13, weight=0.9, ink=INK)


def _sitting_out(layout: Layout, sheet: DrawSheet) -> None:
    if not sheet.sitting_out:
        return
    layout.heading(layout.say(words.SITTING_OUT), level=1, keep=20)
    names = ", ".join(
        f"{person.name} ({person.number})" if person.number else person.name
        for person in sheet.sitting_out
    )
    layout.paragraph(names, size=12.5)
