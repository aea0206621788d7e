"""Prize list on paper: the recipient of each prize, with room to sign for it.

:mod:`tournament.ranking.prizes` computes the winners.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournament.documents import words
from tournament.documents.faces import BOLD, TEXT, wrap
from tournament.documents.grid import grid
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import MUTED, RIGHT, SMALL_SIZE
from tournament.documents.measures import GridColumn, GridRow
from tournament.documents.standings import TIED_MARK
from tournament.ranking.figures import format_cents


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """One who receives something: money in ``cents``, a ``prize`` in kind.

    ``shared_by`` is how many share the rank; 1 for one alone.
    """

    rank: int
    name: str
    number: str = ""
    club: str = ""
    cents: int = 0
    prize: str = ""
    shared_by: int = 1


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes of an event or stage, in the order of the ranks; ``special`` follow, each with
    the title under which it is given (``("Meilleure donne", line)``)."""

    imprint: Imprint
    lines: tuple[PrizeLine, ...]
    special: tuple[tuple[str, PrizeLine], ...] = ()
    notes: tuple[str, ...] = ()
    to_house: bool = False
    """Whether cents that do not divide stay with the organiser."""

    def __post_init__(self) -> None:
        if any(line.cents < 0 for line in self.lines):
            raise DocumentError("a prize is never below zero")


def prize_list_pdf(prizes: PrizeList) -> bytes:
    """Render the prize list; equal lists give equal bytes. A provisional list is marked on every page."""
    layout = Layout(prizes.imprint, words.PRIZE_LIST.render(prizes.imprint.language))
    layout.bookmark(layout.title)
    draw_prizes(layout, prizes)
    return layout.finish()


def draw_prizes(layout: Layout, prizes: PrizeList) -> None:
    """Draw the table of prizes below the cursor, its total and the rule of sharing."""
    if not prizes.lines and not prizes.special:
        layout.paragraph(layout.say(words.NOBODY), ink=MUTED)
        return
    everyone = [*prizes.lines, *(line for _, line in prizes.special)]
    money = any(line.cents for line in everyone)
    kind = any(line.prize for line in everyone) or bool(prizes.special)
    clubs = any(line.club for line in everyone)
    columns = [
        GridColumn(layout.say(words.RANK), align=RIGHT),
        GridColumn(layout.say(words.NUMBER), align=RIGHT),
        GridColumn(layout.say(words.NAME), share=3, lines=3),
        *([GridColumn(layout.say(words.CLUB), share=2, lines=3)] if clubs else []),
        *([GridColumn(layout.say(words.PRIZE), share=2, lines=3)] if kind else []),
        *([GridColumn(layout.say(words.AMOUNT), align=RIGHT)] if money else []),
        GridColumn(layout.say(words.RECEIVED), share=1.4, narrowest=85),
    ]

    def row(line: PrizeLine, title: str = "") -> GridRow:
        shared = line.shared_by > 1
        name = line.name
        if shared:
            name += f" ({layout.say(words.SHARED_BY).format(count=line.shared_by)})"
        prize = " · ".join(part for part in (title, line.prize) if part)
        return GridRow(
            (
                f"{line.rank}{TIED_MARK}" if shared else str(line.rank),
                line.number,
                name,
                *([line.club] if clubs else []),
                *([prize] if kind else []),
                *(
                    [format_cents(line.cents, layout.language) if line.cents else ""]
                    if money
                    else []
                ),
                "",
            ),
            bold=frozenset({0, len(columns) - 2} if money else {0}),
        )

    rows = [row(line) for line in prizes.lines]
    rows += [row(line, title) for title, line in prizes.special]
    sharing = words.PRIZE_SHARING_HOUSE if prizes.to_house else words.PRIZE_SHARING
    notes = [layout.say(sharing)] if any(one.shared_by > 1 for one in everyone) else []
    notes += prizes.notes
    small = SMALL_SIZE + 0.5
    # The total and what explains it stay with the last line.
    lines = sum(len(wrap(text, layout.room, TEXT, small)) for text in notes)
    after = 10 + (24 if money else 0) + (small * 1.42 + 2) * lines
    grid(layout, columns, rows, size=10.5, pitch=1.9, after=after)
    if money:
        total = format_cents(sum(line.cents for line in everyone), layout.language)
        layout.paragraph(layout.label(words.PRIZE_TOTAL, total), face=BOLD, size=11)
    for text in notes:
        layout.paragraph(text, size=small, ink=MUTED, after=2)
