"""Standings on paper: all places, the first n, or club by club.

The sheet shows what the ranking decided and never decides itself: rows come in their order, with
their ranks, and the values already written for people (``Criterion.format``). Rules specification
D.2, "Classification".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.documents import words
from tournament.documents.formats import labelled
from tournament.documents.grid import grid
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import BODY_SIZE, CENTRE, INK, MUTED, RIGHT, SMALL_SIZE
from tournament.documents.measures import GridColumn, GridRow, measured

QUALIFIED_MARK: Final = "Q"
TIED_MARK: Final = "="
ADJUSTED_MARK: Final = "*"
_MARK_EVERY: Final = 50
_UPRIGHT: Final = 7
"""More criteria than these are printed across the page."""
_SHORT: Final = 48


@dataclass(frozen=True, slots=True)
class StandingsColumn:
    """One criterion: the short heading over its column and the full name for the legend."""

    heading: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One line: ``rank`` is ``None`` for one listed without a rank (withdrawn, excluded, did not play).

    ``values`` has one text for each column. ``decided_by`` is the index of the column that
    separates this line from the one above; ``None`` where nothing does. ``adjusted``: a ruling
    changed the total. ``excluded``: barred from the ranking. ``forfeited``: unplayed by a forfeit.
    ``note`` stands after the name.
    """

    rank: int | None
    number: str
    name: str
    values: tuple[str, ...]
    club: str = ""
    tied: bool = False
    qualified: bool = False
    withdrawn: bool = False
    excluded: bool = False
    unplayed: bool = False
    forfeited: bool = False
    adjusted: bool = False
    decided_by: int | None = None
    note: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class StandingsSheet:
    """Standings to print.

    ``cut`` is the number of ranked lines above the cut line, ``cut_text`` what stands at it. ``top`` prints the ranks 1 to n, with
    all who share the last of them. ``by_club`` prints a table for each club, in the order in which
    the clubs first appear, those without one last. ``in_play``: signed tables of a round in play count too. ``stage`` names the stage or the group; ``notes`` are printed below.
    """

    imprint: Imprint
    columns: tuple[StandingsColumn, ...]
    lines: tuple[StandingsLine, ...]
    round: int | None = None
    rounds: int | None = None
    in_play: bool = False
    stage: str = ""
    cut: int | None = None
    cut_text: str = ""
    top: int | None = None
    by_club: bool = False
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.top is not None and self.top < 1:
            raise DocumentError("the first n places need n of at least 1")
        for line in self.lines:
            if len(line.values) != len(self.columns):
                raise DocumentError(
                    f"{line.name!r} has {len(line.values)} values for {len(self.columns)} columns"
                )

    @property
    def shown(self) -> tuple[StandingsLine, ...]:
        """The lines that are printed."""
        if self.top is None:
            return self.lines
        return tuple(line for line in self.lines if line.rank is not None and line.rank <= self.top)

    @property
    def heading(self) -> str:
        """The title in the language of the imprint."""
        return _title(self)

    @property
    def subject(self) -> str:
        """The stage, the round and how many are classified, in the language of the imprint."""
        return _subject(self)


def standings_pdf(sheet: StandingsSheet) -> bytes:
    """Render the standings as a PDF; equal sheets give equal bytes."""
    wide = len(sheet.columns) > _UPRIGHT
    layout = Layout(sheet.imprint, _title(sheet), subject=_subject(sheet), landscape=wide)
    layout.bookmark(layout.title)
    draw_standings(layout, sheet, level=1)
    return layout.finish()


def draw_standings(layout: Layout, sheet: StandingsSheet, *, level: int) -> None:
    """Draw the tables and the legend below the cursor; outline entries from ``level`` on."""
    lines = sheet.shown
    if not lines:
        layout.paragraph(layout.say(words.NOBODY), ink=MUTED)
        return
    columns = _columns(layout, sheet)
    legend = _legend(layout, sheet, lines)
    after = 10 + 14.0 * min(len(legend), 3)
    if any(line.group for line in lines) and not sheet.by_club:
        groups: dict[str, list[StandingsLine]] = {}
        for line in lines:
            groups.setdefault(line.group, []).append(line)
        rows = _rows(layout, sheet, lines, cut=None)
        measures = measured(layout.room, columns, rows, BODY_SIZE)
        for group, members in groups.items():
            layout.heading(group, level=level, keep=60)
            rows = _rows(layout, sheet, members, cut=None)
            grid(layout, columns, rows, measures=measures, after=after)
    elif sheet.by_club:
        _club_tables(layout, sheet, columns, lines, level, after)
    else:
        rows = _rows(layout, sheet, lines, cut=sheet.cut)
        grid(layout, columns, rows, level=level, after=after)
    for text in legend:
        layout.paragraph(text, size=SMALL_SIZE + 0.5, ink=MUTED, after=2)


def _title(sheet: StandingsSheet) -> str:
    language = sheet.imprint.language
    if sheet.by_club:
        return words.STANDINGS_BY_CLUB.render(language)
    if sheet.top is not None:
        return words.STANDINGS_TOP.render(language).format(top=sheet.top)
    return words.STANDINGS.render(language)


def _subject(sheet: StandingsSheet) -> str:
    language = sheet.imprint.language
    parts = [sheet.stage]
    if sheet.round is not None:
        text = words.AFTER_ROUND if sheet.rounds is not None else words.AFTER_ROUND_OPEN
        parts.append(text.render(language).format(round=sheet.round, rounds=sheet.rounds))
    if sheet.in_play:
        parts.append(words.SIGNED_IN_PLAY.render(language))
    ranked = sum(line.rank is not None for line in sheet.lines)
    parts.append(words.ENTRANTS.format(count=ranked).render(language))
    return " · ".join(part for part in parts if part)


def _columns(layout: Layout, sheet: StandingsSheet) -> list[GridColumn]:
    clubs = any(line.club for line in sheet.lines) and not sheet.by_club
    return [
        GridColumn(layout.say(words.RANK), align=RIGHT),
        *([GridColumn("", align=CENTRE)] if any(line.qualified for line in sheet.lines) else []),
        GridColumn(layout.say(words.NUMBER), align=RIGHT, widest=50),
        GridColumn(layout.say(words.NAME), share=3, lines=3),
        *([GridColumn(layout.say(words.CLUB), share=2, lines=3)] if clubs else []),
        *(GridColumn(column.heading, align=RIGHT, widest=80) for column in sheet.columns),
    ]


def _rows(
    layout: Layout, sheet: StandingsSheet, lines: Sequence[StandingsLine], *, cut: int | None
) -> list[GridRow]:
    marks = any(line.qualified for line in sheet.lines)
    clubs = any(line.club for line in sheet.lines) and not sheet.by_club
    first = 3 + marks + clubs
    name_at = 2 + marks
    withdrawn, excluded = layout.say(words.WITHDRAWN), layout.say(words.EXCLUDED)
    unranked = layout.say(words.WITHDRAWN_LETTER)
    # The cut follows the last qualified place on the page, unless it ends the list.
    below = cut if cut is not None and 0 < cut < len(lines) else None
    cut_text = sheet.cut_text or layout.say(words.CUT.format(places=cut or 0))
    rows = []
    for at, line in enumerate(lines, start=1):
        if line.rank is None:
            rank = unranked if line.withdrawn else "–"
        else:
            rank = f"{line.rank}{TIED_MARK}" if line.tied else str(line.rank)
        name = line.name
        remarks = [withdrawn] if line.withdrawn else []
        if line.excluded:
            remarks.append(excluded)
        if line.unplayed:
            remarks.append(layout.say(words.FORFEITED if line.forfeited else words.UNPLAYED))
        if line.note:
            remarks.append(line.note)
        if remarks:
            name = f"{name} ({', '.join(remarks)})"
        if line.adjusted:
            name = f"{name}{ADJUSTED_MARK}"
        cells = [rank]
        if marks:
            cells.append(QUALIFIED_MARK if line.qualified else "")
        cells += [line.number, name]
        if clubs:
            cells.append(line.club)
        bold = {0}
        if line.qualified:
            bold |= {1, name_at}
        if line.decided_by is not None:
            bold.add(first + line.decided_by)
        rows.append(
            GridRow(
                (*cells, *line.values),
                bold=frozenset(bold),
                ink=MUTED if line.withdrawn or line.rank is None else INK,
                line=cut_text if at == below else "",
                mark=_mark(lines, at),
            )
        )
    return rows


def _mark(lines: Sequence[StandingsLine], at: int) -> str:
    """Add an outline entry for every fiftieth line of a long table: the numbers of the lines."""
    if len(lines) <= _MARK_EVERY or at % _MARK_EVERY != 1:
        return ""
    return f"{at}–{min(at + _MARK_EVERY - 1, len(lines))} · {lines[at - 1].name}"


def _club_tables(
    layout: Layout,
    sheet: StandingsSheet,
    columns: list[GridColumn],
    lines: Sequence[StandingsLine],
    level: int,
    after: float,
) -> None:
    clubs: dict[str, list[StandingsLine]] = {}
    for line in lines:
        clubs.setdefault(line.club, []).append(line)
    rows = _rows(layout, sheet, lines, cut=None)
    measures = measured(layout.room, columns, rows, BODY_SIZE)
    # Players without a club come last, whatever their rank.
    ordered = sorted(clubs.items(), key=lambda item: not item[0])
    for club, members in ordered:
        layout.heading(club or layout.say(words.NO_CLUB), level=level, keep=60)
        rows = _rows(layout, sheet, members, cut=None)
        last = club == ordered[-1][0]
        grid(layout, columns, rows, measures=measures, after=after if last else 0.0)


def _legend(layout: Layout, sheet: StandingsSheet, lines: Sequence[StandingsLine]) -> list[str]:
    """Explain the headings and marks, each text meant for a line of its own."""
    legend = [
        labelled(each.heading, each.name, layout.language)
        for each in sheet.columns
        if each.name and each.name != each.heading
    ]
    if all(len(text) <= _SHORT for text in legend):
        legend = [" · ".join(legend)] if legend else []
    keys = []
    if any(line.qualified for line in lines):
        keys.append(labelled(QUALIFIED_MARK, layout.say(words.QUALIFIED), layout.language))
    if any(line.tied for line in lines):
        keys.append(labelled(TIED_MARK, layout.say(words.TIED), layout.language))
    if any(line.adjusted for line in lines):
        keys.append(labelled(ADJUSTED_MARK, layout.say(words.ADJUSTED), layout.language))
    if any(line.decided_by is not None for line in lines):
        keys.append(layout.say(words.DECIDED))
    if keys:
        legend.append(" · ".join(keys))
    return [*legend, *sheet.notes]
