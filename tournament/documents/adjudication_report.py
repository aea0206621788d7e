"""Adjudication report of an event: every incident, its decision, and a count of each article.

The desk of the referees provides the content as plain values; this module only counts articles.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tournament.documents import words
from tournament.documents.formats import labelled
from tournament.documents.grid import grid
from tournament.documents.imprint import Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import BODY_SIZE, MUTED, RIGHT
from tournament.documents.measures import GridColumn, GridRow
from tournament.documents.rulings import RulingRecord, draw_ruling, where


@dataclass(frozen=True, slots=True)
class IncidentLine:
    """An incident as reported: ``time`` as printed, its round by name or number, its ruling's number."""

    time: str
    round: str
    table: str
    facts: str
    article: str = ""
    ruling: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class AdjudicationReport:
    """All incidents and rulings of an event, in the order of their time."""

    imprint: Imprint
    incidents: tuple[IncidentLine, ...]
    rulings: tuple[RulingRecord, ...]


def adjudication_report_pdf(report: AdjudicationReport) -> bytes:
    """Render the report; equal reports give equal bytes."""
    language = report.imprint.language
    subject = " · ".join(
        labelled(label.render(language), str(len(count)), language)
        for label, count in (
            (words.INCIDENTS, report.incidents),
            (words.RULINGS, report.rulings),
        )
    )
    layout = Layout(report.imprint, words.ADJUDICATION_REPORT.render(language), subject=subject)
    layout.bookmark(layout.title)
    draw_adjudication(layout, report, level=1)
    return layout.finish()


def draw_adjudication(layout: Layout, report: AdjudicationReport, *, level: int) -> None:
    """Frequencies, incidents and rulings below the cursor; outline entries from ``level`` on."""
    if not report.incidents and not report.rulings:
        layout.paragraph(layout.say(words.NO_INCIDENT), ink=MUTED)
        return
    _frequencies(layout, report, level)
    if report.incidents:
        layout.heading(layout.say(words.ALL_INCIDENTS), level=level)
        columns = [
            GridColumn(layout.say(words.TIME)),
            GridColumn(layout.say(words.ROUND_WORD), align=RIGHT, widest=70),
            GridColumn(layout.say(words.TABLE), align=RIGHT),
            GridColumn(layout.say(words.FACTS), share=4, lines=5),
            GridColumn(layout.say(words.ARTICLE), widest=80),
            GridColumn(layout.say(words.STATUS), share=1.4, lines=2),
        ]
        rows = [
            GridRow(
                (
                    incident.time,
                    incident.round,
                    incident.table,
                    incident.facts,
                    incident.article or "–",
                    " · ".join(part for part in (incident.ruling, incident.status) if part)
                    or layout.say(words.NO_RULING),
                )
            )
            for incident in report.incidents
        ]
        grid(layout, columns, rows, size=BODY_SIZE - 0.5)
    if report.rulings:
        layout.heading(layout.say(words.RULINGS), level=level)
        for ruling in report.rulings:
            number = layout.say(words.RULING).format(number=ruling.number)
            layout.heading(f"{number} · {where(layout.language, ruling)}", level=level + 1, keep=90)
            draw_ruling(layout, ruling, size=BODY_SIZE)
            layout.line(layout.left, layout.y, layout.right, layout.y, weight=0.4)
            layout.y -= 6


def _frequencies(layout: Layout, report: AdjudicationReport, level: int) -> None:
    if not report.rulings:
        return
    titles = {ruling.article: ruling.article_title for ruling in report.rulings}
    counts = Counter(ruling.article for ruling in report.rulings)
    appeals = Counter(ruling.article for ruling in report.rulings if ruling.appeal)
    layout.heading(layout.say(words.FREQUENCIES), level=level)
    columns = [
        GridColumn(layout.say(words.ARTICLE), widest=90),
        GridColumn("", share=1, lines=2),
        GridColumn(layout.say(words.COUNT), align=RIGHT),
        GridColumn(layout.say(words.APPEALS_COUNT), align=RIGHT),
    ]
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    rows = [
        GridRow(
            (
                article,
                titles[article],
                str(count),
                str(appeals[article]) if appeals[article] else "–",
            )
        )
        for article, count in ordered
    ]
    grid(layout, columns, rows)
