"""Rows of the standings as HTML, rendered once after a change and stored in the database.

The cost of a page of 544 players is its rows, not the query: phones are served the stored text. Of
many requests one renders, and no write waits for it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final, NotRequired, TypedDict

from django.conf import settings
from django.db import OperationalError, connection
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.pages import Page
from ledger.canonical import canonical_json
from ledger.single_flight import single_flight, snapshot
from tournament.models import Event, RenderedStandings, Stage, Standings, StandingsState
from tournament.models.standings import Head
from tournament.public.marks import count_rendered
from tournament.queries.cuts import cut_shown
from tournament.queries.lines import lines_of
from tournament.queries.names import by_number, directory
from tournament.queries.overall import Overall
from tournament.queries.pages import (
    ShownColumn,
    ShownRow,
    ShownStandings,
    is_hidden,
    shown_standings,
)
from tournament.queries.standings import changed_numbers, fresh, not_kept
from tournament.ranking.model import Entrant

_SPACE: Final = re.compile(r"\s*\n\s*")
LAYOUT = 15
"""Raised when the rendering of rows or head changes, so that stored ones are renewed."""


def rendered(stage: Stage, language: str) -> RenderedStandings:
    """Return the up-to-date rows of a stage in a language, rendered first where they are not."""
    stored = next(iter(RenderedStandings.objects.filter(stage=stage, language=language)), None)
    # The event as the caller loaded it: rows of a later version are right for them as well.
    if stored is not None and stored.version >= stage.event.version and _as_now(stored):
        return stored
    return render_rows(stage, language)


def render_rows(stage: Stage, language: str) -> RenderedStandings:
    """Bring the standings up to date and render their rows, unless another request just has.

    Like :func:`tournament.queries.standings.recompute`, it does not block writes. Where nothing can
    be stored (a reading node, a disk that is full), the rows are rendered for this request alone.
    """
    current = fresh(stage)
    if not (settings.READ_ONLY_NODE or current._state.adding):
        try:
            return _keep_rows(stage, language, current)
        except OperationalError as error:
            not_kept(stage, error)
    with translation.override(language):
        made_here = _written(current, stage, language, None)
    made_here.version = current.version
    return made_here


def _keep_rows(stage: Stage, language: str, current: Standings) -> RenderedStandings:
    """Render and store the shared rows, unless another request just has."""
    with single_flight(f"rows {stage.pk} {language}"):
        with snapshot(), translation.override(language):
            standings = _locked(stage, current)
            stored = RenderedStandings.objects.filter(stage=stage, language=language).first()
            version = standings.stage.event.version
            if standings.state == StandingsState.PROVISIONAL:
                # A result that came in since is not in these rows.
                version = min(version, standings.version)
            if stored is not None and stored.version == version and _as_now(stored):
                return stored
            stored = _written(standings, stage, language, stored)
        stored.version = version
        stored.save()
    return stored


def _as_now(stored: RenderedStandings) -> bool:
    """Whether rows were written as they are written now, not by an earlier release."""
    return bool(stored.head.get("layout") == LAYOUT)


def _locked(stage: Stage, read: Standings) -> Standings:
    """Return the row of the stage's standings; ``read`` avoids reading unchanged data again."""
    rows = Standings.objects.select_related("stage__event").defer("rows", "history")
    if connection.in_atomic_block:
        rows = rows.select_for_update(of=("self",), no_key=True)
    standings = rows.get(stage=stage)
    if (standings.hash, standings.computed_at) == (read.hash, read.computed_at):
        standings.rows, standings.history = read.rows, read.history
    return standings


def _written(
    standings: Standings, stage: Stage, language: str, stored: RenderedStandings | None
) -> RenderedStandings:
    """Return the rows of these standings, rendered again only where their content has changed."""
    event = standings.stage.event
    # Uncommitted names must not enter the shared cache.
    people = list((directory if connection.in_atomic_block else by_number)(event).values())
    hidden = is_hidden(stage, standings.state)
    changed = sorted(changed_numbers(standings))
    facts = [
        LAYOUT,
        language,
        stage.event.slug,
        cut_facts(standings, stage),
        hidden,
        standings.state,
        standings.hash,
        standings.after_round,
        [[person.number, person.name, person.club] for person in people],
        sorted(lines_of(stage).items()),
        changed,
    ]
    made_of = hashlib.sha256(canonical_json(facts).encode()).hexdigest()
    if stored is None or stored.made_of != made_of:
        shown = shown_standings(standings, stage, language=language, people=people, changed=changed)
        stored = stored or RenderedStandings(stage=stage, language=language)
        stored.made_of = made_of
        stored.head = head(shown, hidden=hidden)
        stored.rows = "" if hidden else rows_html(shown)
        count_rendered("rows")
    return stored


def cut_facts(standings: Standings, stage: Stage) -> list[object]:
    """Return all facts that the rows show about the cut: its text, its line, its marks."""
    cut = cut_shown(standings, stage)
    if cut is None:
        return []
    return [cut.words.render("en"), cut.line, sorted(cut.winners), sorted(cut.level)]


def head(shown: ShownStandings, *, hidden: bool) -> Head:
    """Return the head of the rows for a page."""
    return {
        "layout": LAYOUT,
        "state": shown.state,
        "hash": shown.hash,
        "after_round": shown.after_round,
        "in_play": shown.in_play,
        "cut": "" if hidden else shown.cut,
        "hidden": hidden,
        "count": len(shown.rows),
        "columns": [
            {
                "label": column.short,
                "kind": column.kind,
                "wide": column.wide,
                "title": column.name,
                "name": column.name,
                "explanation": column.explanation,
            }
            for column in shown.columns
        ],
    }


class Cell(TypedDict):
    """A figure of a line and its classes."""

    value: str
    looks: str
    url: NotRequired[str]


class Line(TypedDict):
    """A line as ``parts/standings/row.html`` takes it; a dict, as templates read those fastest."""

    rank: str
    tied: bool
    name: str
    club: str
    entrant: str
    url: str
    out: bool
    notes: list[str]
    split: str
    cells: list[Cell]
    line: NotRequired[str]
    adjusted: NotRequired[bool]
    cut: NotRequired[str]
    columns: NotRequired[Sequence[ShownColumn]]


def row_contexts(shown: ShownStandings, book: str = "") -> list[Line]:
    """Return the rows for ``parts/standings/row.html``; for staff each leads to its line of the ``book``."""
    last = shown.cut_line - 1 if shown.cut_line else None
    looks = ["num wide" if column.wide else "num" for column in shown.columns]
    looks[:1] = [f"{first} lead" for first in looks[:1]]
    # Figures and classes hold nothing to escape: sought in 544 rows, that is a tenth of the work.
    looks = [SafeString(look) for look in looks]
    pages = reverse("event-players", args=[shown.stage.event.slug])
    by_looks = [SafeString(f"{look} by") for look in looks]
    return [
        {
            "split": _split(shown, index),
            "line": row.line if not index or shown.rows[index - 1].line != row.line else "",
            "notes": _notes(row),
            "rank": SafeString("–" if row.rank is None else row.rank),
            "tied": row.tied,
            "name": row.name,
            "club": row.club,
            "entrant": SafeString(row.number),
            "url": SafeString(f"{pages}{row.number}/"),
            "out": row.withdrawn or row.excluded,
            "adjusted": row.adjusted,
            "cut": shown.cut if index == last and index + 1 < len(shown.rows) else "",
            "cells": [
                _cell(
                    SafeString(value),
                    by_looks[i] if i == row.by else looks[i],
                    "" if i else _line(book, row.number),
                )
                for i, value in enumerate(row.values)
            ],
            "columns": shown.columns,
        }
        for index, row in enumerate(shown.rows)
    ]


def _cell(value: str, looks: str, url: str) -> Cell:
    cell: Cell = {"value": value, "looks": looks}
    if url:
        cell["url"] = url
    return cell


def _line(book: str, number: int) -> str:
    """Return the address of an entrant's line in a book; none without a book."""
    return f"{book}?find={number}" if book else ""


def _notes(row: ShownRow) -> list[str]:
    """Return the notes next to a row's name."""
    notes = _absence(row)
    if row.table_winner:
        notes.append(_("✓ table winner"))
    if row.level:
        notes.append(_("tied for the last places"))
    if row.credited:
        notes.append(_credited(row.credited))
    return notes


def _absence(row: ShownRow | Entrant) -> list[str]:
    """Return the reasons for an absence: withdrawn, excluded, never played."""
    notes = []
    if row.withdrawn:
        notes.append(_("withdrawn"))
    if row.excluded:
        notes.append(_("excluded"))
    if row.unplayed:
        forfeited = isinstance(row, ShownRow) and row.forfeited
        notes.append(_("lost by a ruling") if forfeited else _("did not play"))
    return notes


def _credited(games: int) -> str:
    """Describe the games credited without play: a bye, or a table of three."""
    if not games:
        return ""
    return ngettext(
        "%(n)d game credited (not played)", "%(n)d games credited (not played)", games
    ) % {"n": games}


def _split(shown: ShownStandings, index: int) -> str:
    """Describe the difference from the row above, where a phone has no room for its column."""
    by = shown.rows[index].by
    if by is None or not shown.columns[by].wide:
        return ""
    return _("%(what)s: %(mine)s against %(above)s") % {
        "what": shown.columns[by].short,
        "mine": shown.rows[index].values[by],
        "above": shown.rows[index - 1].values[by],
    }


class StandingsRows(Page, template="parts/standings/rows.html"):
    rows: list[Line]


def rows_html(shown: ShownStandings, book: str = "") -> str:
    """Render all rows of the standings of a stage."""
    return _rows(row_contexts(shown, book))


def rows_for_staff(stage: Stage, language: str, book: str) -> str:
    """Render the rows with links into the ``book``; the shared rows have none."""
    with translation.override(language):
        people = list(by_number(stage.event).values())
        return rows_html(
            shown_standings(fresh(stage), stage, language=language, people=people), book
        )


def _rows(rows: list[Line]) -> str:
    # Blank lines between tags weigh more than the tags of 544 rows.
    text = StandingsRows(rows=rows).html()
    return _SPACE.sub("\n", text)


def overall_html(event: Event, ranking: Overall, *, staff: bool = False) -> str:
    """Render the rows of the ranking of the whole event, each with the stage that gave the place.

    For ``staff`` the stage leads to the line of its book.
    """
    people = by_number(event)
    books = [
        reverse("desk-book", args=[event.slug, stage.order]) if staff else ""
        for stage in ranking.stages
    ]
    titles = [stage.title for stage in ranking.stages]
    rows: list[Line] = []
    for row in ranking.rows:
        number, title = row.entrant.number, titles[row.stage]
        if number not in people:
            continue
        rows.append(
            {
                "rank": "–" if row.rank is None else str(row.rank),
                "tied": row.tied,
                "name": people[number].name,
                "club": people[number].club,
                "entrant": str(number),
                "url": reverse("event-player", args=[event.slug, number]),
                "out": row.entrant.withdrawn or row.entrant.excluded,
                "notes": _absence(row.entrant),
                "split": title,
                "cells": [_cell(title, "num wide", _line(books[row.stage], number))],
            }
        )
    return _rows(rows)
