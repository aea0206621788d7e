"""Complete report of an event: facts, final standings, every round, rulings and prizes.

Each chapter is drawn by the document that owns it, so the report and the single prints agree.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournament.documents import words
from tournament.documents.adjudication_report import AdjudicationReport, draw_adjudication
from tournament.documents.draws import Person, alphabetical
from tournament.documents.grid import grid
from tournament.documents.imprint import Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import BODY_SIZE, CENTRE, MUTED, RIGHT
from tournament.documents.measures import GridColumn, GridRow
from tournament.documents.prizes import PrizeList, draw_prizes
from tournament.documents.standings import StandingsSheet, draw_standings


@dataclass(frozen=True, slots=True)
class ResultLine:
    """The result of one game of a table: both sides by name and their marks as printed.

    Where each plays for themselves every player has a line, and ``second`` stays empty. ``remark``
    names anything unusual (forfeit, ruling 17, bell).
    """

    table: str
    first: str
    second: str
    marks_first: str
    marks_second: str
    game: int | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class RoundReport:
    """A round: its results in the order of the tables, and who sat out."""

    round: int
    results: tuple[ResultLine, ...]
    sitting_out: tuple[Person, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class EventReport:
    """Everything of one event; ``facts`` are ``(label, value)`` pairs for the opening summary.

    ``standings`` come in the order to be printed (final first, then stages, clubs). Their imprints,
    and those of ``adjudication`` and ``prizes``, give way to the report's own.
    """

    imprint: Imprint
    facts: tuple[tuple[str, str], ...]
    standings: tuple[StandingsSheet, ...] = ()
    rounds: tuple[RoundReport, ...] = ()
    entrants: tuple[Person, ...] = ()
    adjudication: AdjudicationReport | None = None
    prizes: PrizeList | None = None


def event_report_pdf(report: EventReport) -> bytes:
    """Render the report; equal reports give equal bytes."""
    layout = Layout(report.imprint, words.EVENT_REPORT.render(report.imprint.language))
    layout.bookmark(layout.title)
    _facts(layout, report)
    for sheet in report.standings:
        _chapter(layout, " · ".join(part for part in (sheet.heading, sheet.subject) if part))
        draw_standings(layout, sheet, level=2)
    if report.prizes is not None:
        _chapter(layout, layout.say(words.PRIZE_LIST))
        draw_prizes(layout, report.prizes)
    for each in report.rounds:
        _chapter(layout, each.title or layout.say(words.ROUND).format(round=each.round))
        _results(layout, each)
    if report.adjudication is not None:
        _chapter(layout, layout.say(words.ADJUDICATION_REPORT))
        draw_adjudication(layout, report.adjudication, level=2)
    if report.entrants:
        _chapter(layout, layout.say(words.PLAYERS))
        _entrants(layout, report)
    return layout.finish()


def _chapter(layout: Layout, title: str) -> None:
    """Begin a chapter on the current page if a third of it is left, else on a new one."""
    layout.y -= 10
    layout.heading(title, level=1, keep=layout.height / 4)


def _facts(layout: Layout, report: EventReport) -> None:
    layout.heading(layout.say(words.SUMMARY), level=1)
    if not report.facts:
        return
    columns = [GridColumn("", share=1, lines=2), GridColumn("", share=2.2, lines=4)]
    rows = [GridRow((label, value), bold=frozenset({0})) for label, value in report.facts]
    grid(layout, columns, rows, headed=False)


def _results(layout: Layout, each: RoundReport) -> None:
    games = any(line.game is not None for line in each.results)
    two = any(line.second for line in each.results)
    remarks = any(line.remark for line in each.results)
    columns = [
        GridColumn(layout.say(words.TABLE), align=RIGHT),
        *([GridColumn(layout.say(words.GAME_WORD), align=CENTRE)] if games else []),
        GridColumn(layout.say(words.SIDE_WORD if two else words.NAME), share=3, lines=3),
        GridColumn(layout.say(words.MARKS), align=RIGHT),
        *([GridColumn(layout.say(words.MARKS))] if two else []),
        *([GridColumn(layout.say(words.SIDE_WORD), share=3, lines=3)] if two else []),
        *([GridColumn("", share=1.2, lines=2)] if remarks else []),
    ]
    rows = [
        GridRow(
            (
                line.table,
                *(["" if line.game is None else str(line.game)] if games else []),
                line.first,
                line.marks_first,
                *([line.marks_second, line.second] if two else []),
                *([line.remark] if remarks else []),
            ),
            bold=frozenset({0}),
        )
        for line in each.results
    ]
    if rows:
        grid(layout, columns, rows, size=BODY_SIZE - 0.5)
    else:
        layout.paragraph(layout.say(words.NOBODY), ink=MUTED)
    if each.sitting_out:
        names = ", ".join(person.name for person in each.sitting_out)
        layout.paragraph(layout.label(words.SITTING_OUT, names))


def _entrants(layout: Layout, report: EventReport) -> None:
    clubs = any(person.club for person in report.entrants)
    columns = [
        GridColumn(layout.say(words.NAME), share=3, lines=3),
        GridColumn(layout.say(words.NUMBER), align=RIGHT),
        *([GridColumn(layout.say(words.CLUB), share=2, lines=3)] if clubs else []),
    ]
    rows = [
        GridRow((person.name, person.number, *([person.club] if clubs else [])))
        for person in sorted(report.entrants, key=alphabetical)
    ]
    grid(layout, columns, rows)
