"""The pools and the brackets of a stage on paper: a table for each pool and each round."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.documents import words
from tournament.documents.grid import grid
from tournament.documents.imprint import Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import MUTED, RIGHT
from tournament.documents.measures import GridColumn, GridRow


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A pool or a round: its title, the headings after the name, and a line for each entrant.

    ``lines``: place (empty in a match), start number, name, values, and whether the line is a winner's.
    ``pairs``: the lines belong together two by two, as the sides of a match.
    """

    title: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, str, str, tuple[str, ...], bool], ...]
    pairs: bool = False


@dataclass(frozen=True, slots=True)
class BracketSheet:
    """All pools and rounds of a stage."""

    imprint: Imprint
    stage: str
    parts: tuple[BracketPart, ...]


def bracket_pdf(sheet: BracketSheet) -> bytes:
    """Render the pools and brackets; equal sheets give equal bytes."""
    layout = Layout(
        sheet.imprint, words.BRACKET.render(sheet.imprint.language), subject=sheet.stage
    )
    layout.bookmark(layout.title)
    if not sheet.parts:
        layout.paragraph(layout.say(words.NOBODY), ink=MUTED)
    for part in sheet.parts:
        layout.heading(part.title, keep=120)
        columns = [
            GridColumn(layout.say(words.TABLE if part.pairs else words.RANK), align=RIGHT),
            GridColumn(layout.say(words.NUMBER), align=RIGHT),
            GridColumn(layout.say(words.NAME), share=3, lines=3),
            *(GridColumn(name, align=RIGHT) for name in part.columns),
        ]
        rows = [
            GridRow((place, number, name, *values), bold=frozenset({2}) if won else frozenset())
            for place, number, name, values, won in part.lines
        ]
        grid(layout, columns, rows, size=10.5, pitch=1.7, after=12)
    return layout.finish()
