"""Players, draws, results and standings as CSV, XLSX and JSON; the rounds as a calendar.

Cells that a spreadsheet would read as a formula (``= + - @``, tab, line end first) are written with
an apostrophe before them in CSV and as text in XLSX, so that a name cannot run code (CWE-1236). A
spreadsheet with Belgian or French settings splits lines at semicolons, whatever the file's
separator: text after a semicolon inside a cell gets the same treatment. Numbers stay numbers. A
criterion's fraction is ``n/d`` in JSON; spreadsheets, which would read 15/2 as a day in February,
get a decimal number: exact, or with six places where it has no end.

Every table states the fingerprint of its content, as documents do: ``hash`` is that of the
standings, elsewhere that of the rows. JSON and XLSX have it next to the rows, and the name of the
file has its first sixteen digits; a CSV of standings, which has no such place, repeats state and
hash in each row.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final
from unicodedata import category

from django.db.models import Q
from django.utils.translation import gettext_lazy

from ledger.canonical import canonical_json
from tournament.models import (
    EntrantState,
    Event,
    Round,
    round_of,
)
from tournament.models.players import GIVEN, PUBLIC, STAFF
from tournament.models.tables import OfficialResult, Result, Sheet
from tournament.queries import pages, rounds
from tournament.queries.brackets import full_title
from tournament.queries.names import directory, shown
from tournament.queries.outcomes import Outcomes
from tournament.queries.overall import overall_of
from tournament.queries.rulings import public_forfeits
from tournament.queries.standings import changed_numbers, fresh
from tournament.ranking.criteria import CRITERIA

Cell = str | int | bool | None | Decimal
_NOTHING: Final[Result] = {"marks": {}, "games": {}, "winner": None, "deals": 0}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_INSIDE: Final = re.compile(r"""([;,\t\r\n]["'\s]*)(?=[=+\-@＝＋－＠])""")
"""Possible start of a formula in a spreadsheet that splits lines at another sign than the comma."""
_FRACTION: Final = re.compile(r"-?\d+/\d+")


@dataclass(frozen=True, slots=True)
class Exported:
    """A table: ``columns`` are stable keys, the same in every language; ``facts`` describe the whole."""

    kind: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    facts: dict[str, Cell]


def _table(
    kind: str, columns: tuple[str, ...], rows: list[tuple[Cell, ...]], event: Event
) -> Exported:
    """Build a table with the fingerprint of its own rows."""
    content = canonical_json([kind, list(columns), [list(row) for row in rows]])
    fingerprint = hashlib.sha256(content.encode()).hexdigest()
    return Exported(kind, columns, rows, _facts(event, hash=fingerprint))


def _facts(event: Event, **more: Cell) -> dict[str, Cell]:
    return {"event": event.slug, "version": event.version, **more}


def players(event: Event, *, public: bool, contacts: bool = True) -> Exported:
    """Export all entrants: to the public a pair under both names, without e-mails and families.

    The desk's columns are those that an import of players reads. Personal details, meant for staff
    who manage players, are left out without ``contacts``.
    """
    seen = PUBLIC if public else STAFF
    given = [each for each in GIVEN if each.key in seen or (contacts and not public)]
    rows: list[tuple[Cell, ...]] = []
    listed = event.entrants.exclude(state=EntrantState.MERGED)
    for entrant in listed.select_related("person", "partner", "club"):
        cells = {each.key: each.of(entrant) for each in given}
        second = entrant.partner
        if public or second is None or not (entrant.person.name and second.name):
            # Of a pair without one of its names both stand under the other.
            cells["name"] = shown(entrant, shorten=public and event.short_names).name
        rows.append(tuple(cells.values()))
    return _table("players", tuple(each.key for each in given), rows, event)


def draws(event: Event, *, public: bool) -> Exported:
    """Export every seat of every published round."""
    people = directory(event)
    rows: list[tuple[Cell, ...]] = []
    for round_ in rounds.published_rounds(event):
        for table in rounds.tables_of(round_):
            rows += [
                (
                    round_.stage.order,
                    round_.number,
                    table.number,
                    seat.position,
                    people[seat.entrant.pk].number,
                    people[seat.entrant.pk].name,
                )
                for seat in table.seats
            ]
        rows += [
            (round_.stage.order, round_.number, None, "bye", who.number, who.name)
            for who in rounds.byes_of(round_)
        ]
    return _table("draws", ("stage", "round", "table", "seat", "number", "name"), rows, event)


def results(event: Event, *, public: bool) -> Exported:
    """Export every official result; the public one without the rounds that the director hides.

    ``against``: the marks against the side that the standings count, of several others their mean.
    ``decision``: why the director decided the match, where games alone did not. ``forfeited``: who of the
    side forfeited the round; a side that did so whole has lost, with no marks for and none against. To
    the public only those are named whose offence it may read.
    """
    numbers = dict(event.entrants.values_list("pk", "number"))
    outcomes = Outcomes(event)
    named_publicly = public_forfeits(event) if public else None
    official = dict(
        OfficialResult.objects.filter(
            current=True, sheet__table__round__stage__event=event
        ).values_list("sheet_id", "result")
    )
    rows: list[tuple[Cell, ...]] = []
    sheets = (
        Sheet.objects.filter(
            Q(pk__in=official) | Q(table__decided_for__isnull=False),
            table__round__stage__event=event,
            table__round__published_at__isnull=False,
        )
        .select_related("table__round__stage__event")
        .prefetch_related("table__seats")
        .order_by("table__round__stage__order", "table__round__number", "table__number", "order")
    )
    games = Counter(sheet.table_id for sheet in sheets if sheet.counts)
    for sheet in sheets:
        round_ = round_of(sheet.table)
        if public and not pages.shows_round(
            round_.stage, round_.number, outcomes.states.get(round_.stage_id, "")
        ):
            continue
        seats = {seat.position: seat.entrant_id for seat in sheet.table.seats.all()}
        at = {position: numbers[entrant] for position, entrant in seats.items()}
        result = official.get(sheet.pk, _NOTHING)
        outcome = outcomes.at(round_, seats, sheet.table.decided_for_id, games[sheet.table_id])
        for side, positions in sheet.sides_by_seat.items():
            here = [position for position in positions if position in at]
            gone = [position for position in here if seats[position] in outcome.forfeited]
            named = [
                at[position]
                for position in gone
                if named_publicly is None or (seats[position], round_.pk) in named_publicly
            ]
            lost = bool(gone) and gone == here
            others = [n for other, n in result["marks"].items() if other != side]
            against = Fraction(0 if lost else sum(others), len(others) or 1)
            rows.append(
                (
                    round_.stage.order,
                    round_.number,
                    sheet.table.number,
                    sheet.order,
                    side,
                    " ".join(str(at[position]) for position in here),
                    0 if lost else result["marks"].get(side, 0),
                    against.numerator if against.denominator == 1 else str(against),
                    result["deals"],
                    outcome.of(side, sheet.sides_by_seat, result),
                    sheet.table.decided_reason,
                    " ".join(map(str, named)),
                )
            )
    columns = (
        "stage",
        "round",
        "table",
        "game",
        "side",
        "numbers",
        "marks",
        "against",
        "deals",
        "outcome",
        "decision",
        "forfeited",
    )
    return _table("results", columns, rows, event)


def standings(event: Event, *, public: bool, stage: int | None = None) -> Exported:
    """Export the standings of a stage with the state and the hash that show their reliability."""
    stages = {part.order: part for part in event.stages.select_related("event")}
    now = rounds.current_round(event)
    order = stage if stage is not None else now.stage.order if now else min(stages, default=0)
    chosen = stages[order]
    current = fresh(chosen)
    criteria = pages.criteria_of(chosen)
    shown = [at for at, each in enumerate(criteria) if not (public and each.of_offences)]
    codes = tuple(criteria[at].code for at in shown)
    columns = (
        "rank",
        "number",
        "name",
        "club",
        *codes,
        "games",
        "won",
        "drawn",
        "lost",
        "credited",
        "withdrawn",
        "excluded",
        "unplayed",
        "adjusted",
    )
    rows: list[tuple[Cell, ...]] = []
    changed = changed_numbers(current)
    hidden = public and pages.is_hidden(chosen, current.state)
    if not hidden:
        people = {who.number: who for who in directory(event).values()}
        rows = [
            (
                row["rank"],
                row["number"],
                people[row["number"]].name,
                people[row["number"]].club,
                *(_cell(row["values"][at]) for at in shown),
                row["games"],
                row["won"],
                row["drawn"],
                row["lost"],
                row["credited"],
                row["withdrawn"],
                row["excluded"],
                row.get("unplayed", False),
                row["number"] in changed,
            )
            for row in current.rows
        ]
    facts = _facts(
        event,
        stage=order,
        state=current.state,
        after_round=current.after_round,
        hidden=hidden,
        hash="" if hidden else current.hash,
    )
    return Exported("standings", columns, rows, facts)


def overall(event: Event, *, public: bool) -> Exported:
    """Export the ranking of the whole event; ``stage`` and ``stage_rank`` state where each place was won."""
    ranking = overall_of(event)
    columns = (
        "rank",
        "tied",
        "number",
        "name",
        "club",
        "stage",
        "stage_rank",
        "withdrawn",
        "excluded",
        "unplayed",
    )
    hidden = public and ranking.hidden
    people = {who.number: who for who in directory(event).values()}
    rows: list[tuple[Cell, ...]] = [
        (
            row.rank,
            row.tied,
            row.entrant.number,
            people[row.entrant.number].name,
            people[row.entrant.number].club,
            ranking.stages[row.stage].order,
            row.there,
            row.entrant.withdrawn,
            row.entrant.excluded,
            row.entrant.unplayed,
        )
        for row in (() if hidden else ranking.rows)
        if row.entrant.number in people
    ]
    facts = _facts(event, state=ranking.state, hidden=hidden, hash="" if hidden else ranking.hash)
    return Exported("overall", columns, rows, facts)


def _cell(value: Any) -> Cell:
    return " ".join(str(part) for part in value) if isinstance(value, list) else value


def counted(table: Exported) -> Iterator[list[Cell]]:
    """Yield the rows for a spreadsheet: the fractions of criteria and means as decimal numbers."""
    criteria = {
        index
        for index, column in enumerate(table.columns)
        if column in CRITERIA or column == "against"
    }
    for row in table.rows:
        yield [decimal(cell) if index in criteria else cell for index, cell in enumerate(row)]


def decimal(value: Cell) -> Cell:
    """Convert a fraction to a decimal number, an endless one to six places; return other values unchanged.

    >>> decimal("15/2"), decimal("-605/4"), decimal("-1/3"), decimal(7), decimal("4 2")
    (Decimal('7.5'), Decimal('-151.25'), Decimal('-0.333333'), 7, '4 2')
    """
    if not isinstance(value, str) or not _FRACTION.fullmatch(value):
        return value
    fraction = Fraction(value)
    number = Decimal(fraction.numerator) / Decimal(fraction.denominator)
    return number if Fraction(number) == fraction else round(number, 6)


KINDS: Final[dict[str, Callable[..., Exported]]] = {
    "players": players,
    "draws": draws,
    "results": results,
    "standings": standings,
    "overall": overall,
}
NAMES: Final = {
    "players": gettext_lazy("Players"),
    "draws": gettext_lazy("Draws"),
    "results": gettext_lazy("Results"),
    "standings": gettext_lazy("Standings"),
    "overall": gettext_lazy("Overall ranking"),
}


def safe_cell(value: Cell) -> Cell:
    """Return a text that no spreadsheet reads as a formula, whatever its separator.

    >>> safe_cell("=1+1"), safe_cell("Anneleen"), safe_cell(-3), safe_cell("Jef; =1+1")
    ("'=1+1", 'Anneleen', -3, "Jef; '=1+1")
    """
    if not isinstance(value, str):
        return value
    inside = _INSIDE.sub(r"\1'", value)
    # A value with its own apostrophe before a sign gets a second one: an import removes one.
    return "'" + inside if value.lstrip("'").startswith(_FORMULA) else inside


def as_csv(table: Exported) -> bytes:
    """UTF-8 with a mark, so that spreadsheets read accents; one heading line."""
    if "state" in table.facts:
        facts = (table.facts["state"], table.facts["hash"])
        table = replace(
            table,
            columns=(*table.columns, "state", "hash"),
            rows=[row + facts for row in table.rows],
        )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(table.columns)
    for row in counted(table):
        writer.writerow(["" if cell is None else safe_cell(cell) for cell in row])
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def as_xlsx(table: Exported) -> bytes:
    """Write one sheet with a fixed heading line, and a second with the facts."""
    from openpyxl import Workbook  # a tenth of the start of every process, wanted by few

    book = Workbook()
    sheet = book.active
    if sheet is None:
        raise RuntimeError("a new workbook has no sheet")
    sheet.title = table.kind
    sheet.append(list(table.columns))
    sheet.freeze_panes = "A2"
    for number, row in enumerate(counted(table), start=2):
        for column, value in enumerate(row, start=1):
            cell = sheet.cell(number, column, value)
            if isinstance(value, str):
                # A string type is never calculated, whatever it begins with.
                cell.data_type = "s"
                cell.quotePrefix = value.startswith(_FORMULA)
    about = book.create_sheet("about")
    for name, fact in table.facts.items():
        about.append([name, safe_cell(fact)])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def as_json(table: Exported) -> bytes:
    """Write an object: the facts, and the rows as objects."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return json.dumps(
        {"kind": table.kind, **table.facts, "rows": rows}, ensure_ascii=False, indent=1
    ).encode()


FORMATS: Final[dict[str, tuple[Callable[[Exported], bytes], str]]] = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "xlsx": (as_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "json": (as_json, "application/json"),
}


def calendar(event: Event, url: str) -> bytes:
    """Write the event's rounds as an iCalendar feed (RFC 5545), each as soon as its time is known.

    Moments are in UTC, so that a phone shows them in its own time zone.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Manille//Tournaments//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escape(event.name)}",
        "BEGIN:VEVENT",
        f"UID:{event.pk}@manille",
        f"DTSTAMP:{_moment(event.created_at)}",
        f"DTSTART;VALUE=DATE:{event.day:%Y%m%d}",
        f"DTEND;VALUE=DATE:{event.day + timedelta(days=1):%Y%m%d}",
        f"SUMMARY:{_escape(event.name)}",
        f"LOCATION:{_escape(event.place)}",
        f"URL:{url}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]
    for round_ in Round.objects.filter(stage__event=event).select_related("stage__event"):
        start = round_.started_at or round_.publish_at or round_.published_at
        if start is None:
            continue
        end = round_.closed_at or round_.ends_at or start + timedelta(minutes=round_.stage.minutes)
        summary = full_title(round_)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{round_.pk}@manille",
            f"DTSTAMP:{_moment(start)}",
            f"DTSTART:{_moment(start)}",
            f"DTEND:{_moment(max(start, end))}",
            f"SUMMARY:{_escape(summary)}",
            f"LOCATION:{_escape(event.place)}",
            f"URL:{url}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line)).encode()


def _moment(when: Any) -> str:
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    for plain in ("\\", ";", ","):
        text = text.replace(plain, "\\" + plain)
    # A calendar may hold no other control character (RFC 5545, 3.3.11), and no line separator of
    # another format.
    printable = (each for each in text if each == "\n" or category(each) not in ("Cc", "Zl", "Zp"))
    return "".join(printable).replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Yield lines of at most 75 octets, continued ones begun with a space (RFC 5545, 3.1)."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > 75:
            yield part
            part = " "
        part += letter
    yield part
