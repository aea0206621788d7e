"""Speed of the standings PDF, compared with a plain ReportLab LongTable of the same rows.

Run as ``python -m benchmarks.documents``; prints one JSON object. The baseline is what the manual
shows: one ``LongTable`` of strings with repeated headings, built by ``SimpleDocTemplate`` in the same
embedded typeface and size; it neither wraps nor fits. Ours also fits names, draws head, foot, cut and
outline, and starts with nothing measured. The table is built twice, left to find its column widths and
told them. All run in turn in this process, five times after one warm-up, and the fastest run of each
counts, so that the ratio does not depend on the machine. The bar is 3, against the faster table.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import cycle, islice

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.platypus import LongTable, SimpleDocTemplate, TableStyle

from tournament.documents import (
    DrawnTable,
    DrawSheet,
    Imprint,
    Person,
    Seat,
    StandingsColumn,
    StandingsLine,
    StandingsSheet,
    State,
    draw_by_name_pdf,
    faces,
    standings_pdf,
)
from tournament.documents.faces import TEXT

BAR = 3.0
SURNAMES = (
    "Vandenbroucke",
    "De Bruyne",
    "Lœuillet",
    "Đorđević",
    "Kőszegi",
    "Çelik",
    "Wałęsa",
    "Peeters",
    "Van der Straeten",
    "Desmet",
    "Ó Súilleabháin",
    "Œdipe",
    "Verhaeghe-Deschrijvere",
    "Maes",
)
GIVEN = (
    "Marie-Antoinette",
    "Jan",
    "Anaïs",
    "Noël",
    "Ömer",
    "Zoë",
    "Łukasz",
    "Jenő",
    "Luc",
    "Hélène",
    "Bram",
)
CLUBS = ("De Roeland", "La Belle Manille", "Kaartersclub Sint-Maarten", "")


def names(count: int) -> list[str]:
    """Return ``count`` different names."""
    pairs = zip(cycle(SURNAMES), cycle(GIVEN), strict=False)
    found = islice(pairs, count)
    return [f"{family} {given} {at}" for at, (family, given) in enumerate(found, start=1)]


def imprint() -> Imprint:
    """Return a document's frame with a fixed moment."""
    return Imprint(
        "Benchmark",
        "fr",
        datetime(2027, 2, 21, 14, 5, tzinfo=UTC),
        "0123456789abcdef" * 4,
        State.FROZEN,
    )


def sheet(count: int) -> StandingsSheet:
    """Build standings of ``count`` players with five criteria."""
    columns = tuple(StandingsColumn(text) for text in ("Pts", "Net", "Marques", "Buchholz", "SB"))
    lines = tuple(
        StandingsLine(
            at,
            str(at * 7 % 1000),
            name,
            (str(12 - at // 50), f"+{count - at}", str(900 - at), str(at % 37), "3,5"),
            club=CLUBS[at % 4],
            tied=at % 9 == 0,
            decided_by=at % 5,
        )
        for at, name in enumerate(names(count), start=1)
    )
    return StandingsSheet(imprint(), columns, lines, 4, 6, cut=64)


WIDTHS = (32, 32, 130, 110, 26, 38, 46, 48, 26)
"""Width of each column of :func:`sheet` in points: that of its widest cell."""


def plain_long_table(sheet: StandingsSheet, widths: tuple[int, ...] | None = None) -> bytes:
    """Render the same rows as a ``LongTable``, as in ReportLab's manual."""
    heading = ["Rang", "N°", "Nom", "Club", *(column.heading for column in sheet.columns)]
    rows = [
        [str(line.rank), line.number, line.name, line.club, *line.values] for line in sheet.lines
    ]
    buffer = io.BytesIO()
    table = LongTable([heading, *rows], repeatRows=1, colWidths=widths)
    table.setStyle(
        TableStyle(
            [
                ("FONT", (0, 0), (-1, -1), TEXT, 9.5),
                ("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.grey),
                ("ALIGN", (4, 0), (-1, -1), "RIGHT"),
            ]
        )
    )
    SimpleDocTemplate(buffer, pagesize=A4).build([table])
    return buffer.getvalue()


def cold_standings(sheet: StandingsSheet) -> bytes:
    """Render our document with empty caches, as for the first print of new standings."""
    for cached in (
        faces.printable,
        faces.runs,
        faces._unit_width,
        faces.fit,
        faces.fit_lines,
        faces.wrap,
    ):
        cached.cache_clear()
    return standings_pdf(sheet)


def draw(count: int) -> DrawSheet:
    """Build a draw of ``count`` players at tables of four."""
    people = [Person(name, str(at)) for at, name in enumerate(names(count), start=1)]
    tables = tuple(
        DrawnTable(str(at // 4 + 1), tuple(map(Seat, "ABCD", people[at : at + 4])))
        for at in range(0, count, 4)
    )
    return DrawSheet(imprint(), 1, tables)


def fastest(runs: int, *works: Callable[[], bytes]) -> list[float]:
    """Return the seconds of each work's fastest of ``runs`` runs, in turn after a warm-up."""
    best = [float("inf")] * len(works)
    for work in works:
        work()
    for _ in range(runs):
        for at, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[at] = min(best[at], time.perf_counter() - start)
    return best


def main() -> int:
    """Print the figures. Return 1 when the bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=544)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    rows = sheet(asked.rows)
    poster = draw(asked.rows)
    baseline, told, cold, warm, by_name = fastest(
        asked.runs,
        lambda: plain_long_table(rows),
        lambda: plain_long_table(rows, WIDTHS),
        lambda: cold_standings(rows),
        lambda: standings_pdf(rows),
        lambda: draw_by_name_pdf(poster),
    )
    ratio = min(baseline, told) / cold
    figures = {
        "benchmark": "documents",
        "rows": asked.rows,
        "long_table_seconds": round(baseline, 4),
        "long_table_told_widths_seconds": round(told, 4),
        "standings_seconds": round(cold, 4),
        "standings_again_seconds": round(warm, 4),
        "draw_by_name_seconds": round(by_name, 4),
        "times_faster_than_long_table": round(ratio, 2),
        "bar": BAR,
        "held": ratio >= BAR,
    }
    print(json.dumps(figures, indent=2))
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
