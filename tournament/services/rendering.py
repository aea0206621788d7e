"""The rows of the standings as HTML, written once when they change and kept in the database.

Templates are what a page of 544 rows costs, not the query: the rows of ``parts/standings_row.html``
are written here by hand (a test holds both to the same bytes) and phones are served the kept text.
However many ask, one renders: the row of the stage's standings is locked meanwhile.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext as _

from ledger.audit import canonical_json
from tournament.models import Event, RenderedStandings, Stage, Standings
from tournament.selectors.names import directory
from tournament.selectors.pages import ShownStandings, is_hidden, shown_standings

from .standings import fresh

LAYOUT = 1
"""Raised when the rows or the head are written differently, so that kept ones are renewed."""


def rendered(stage: Stage, language: str) -> RenderedStandings:
    """The up-to-date rows of a stage in a language, rendered first where they are not."""
    kept = RenderedStandings.objects.filter(stage=stage, language=language).first()
    # The event as the caller loaded it: rows of a later version are right for him as well.
    if kept is not None and kept.version >= stage.event.version:
        return kept
    return render_rows(stage, language)


def render_rows(stage: Stage, language: str) -> RenderedStandings:
    """Bring the standings up to date and write their rows, unless somebody just has."""
    standings = fresh(stage)
    with transaction.atomic():
        Standings.objects.select_for_update(of=("self",)).get(pk=standings.pk)
        standings = Standings.objects.get(pk=standings.pk)
        kept = RenderedStandings.objects.filter(stage=stage, language=language).first()
        version = Event.objects.values_list("version", flat=True).get(pk=stage.event_id)
        if kept is not None and kept.version == version:
            return kept
        with translation.override(language):
            people = list(directory(stage.event).values())
            hidden = is_hidden(stage, standings.state)
            facts = [
                LAYOUT, language, stage.event.slug, stage.cut, hidden, standings.state,
                standings.hash, standings.after_round,
                [[person.number, person.name, person.club] for person in people],
            ]  # fmt: skip
            made_of = hashlib.sha256(canonical_json(facts).encode()).hexdigest()
            if kept is None or kept.made_of != made_of:
                shown = shown_standings(standings, stage, language=language, people=people)
                kept = kept or RenderedStandings(stage=stage, language=language)
                kept.made_of = made_of
                kept.head = head(shown, hidden=hidden)
                kept.rows = "" if hidden else rows_html(shown)
        kept.version = version
        kept.save()
    return kept


def head(shown: ShownStandings, *, hidden: bool) -> dict[str, Any]:
    """What a page says above and below the rows."""
    return {
        "state": shown.state, "hash": shown.hash, "after_round": shown.after_round,
        "cut": shown.cut, "hidden": hidden, "count": len(shown.rows),
        "columns": [
            {**asdict(column), "label": column.short, "title": column.name}
            for column in shown.columns
        ],
        "adjusted": any(row.adjusted for row in shown.rows),
    }  # fmt: skip


def row_contexts(shown: ShownStandings) -> list[dict[str, Any]]:
    """The rows as ``parts/standings_row.html`` takes them."""
    last = max((i for i, row in enumerate(shown.rows) if row.through), default=None)
    cut = _("Cut: the first %(n)d go through") % {"n": shown.cut} if shown.cut else ""
    return [
        {
            "rank": "–" if row.rank is None else str(row.rank), "tied": row.tied,
            "name": row.name, "club": row.club, "entrant": str(row.number),
            "url": reverse("event-player", args=[shown.stage.event.slug, row.number]),
            "withdrawn": row.withdrawn, "excluded": row.excluded, "adjusted": row.adjusted,
            "cut": cut if index == last and index + 1 < len(shown.rows) else "",
            "cells": [
                {"value": value, "lead": i == 0, "wide": shown.columns[i].wide, "by": i == row.by}
                for i, value in enumerate(row.values)
            ],
        }
        for index, row in enumerate(shown.rows)
    ]  # fmt: skip


def rows_html(shown: ShownStandings) -> str:
    """All rows; the same bytes as ``parts/standings_row.html`` for each of :func:`row_contexts`."""
    withdrawn, excluded = escape(_("withdrawn")), escape(_("excluded"))
    ruled = escape(_("changed by a ruling"))
    return "".join(_row(row, withdrawn, excluded, ruled) for row in row_contexts(shown))


def _row(row: dict[str, Any], withdrawn: str, excluded: str, ruled: str) -> str:
    classes = ("is-tied" if row["tied"] else "") + (
        " is-withdrawn" if row["withdrawn"] or row["excluded"] else ""
    )
    parts = [
        f'<tr data-entrant="{row["entrant"]}" class="{classes}"><td class="rank">',
        "=" if row["tied"] else "", row["rank"],
        f'</td><th scope="row"><a href="{row["url"]}">{escape(row["name"])}</a>',
        f' <span class="club">{escape(row["club"])}</span>' if row["club"] else "",
        f' <span class="club">{withdrawn}</span>' if row["withdrawn"] else "",
        f' <span class="club">{excluded}</span>' if row["excluded"] else "",
        f' <abbr class="ruled" title="{ruled}">§</abbr>' if row["adjusted"] else "",
        "</th>",
    ]  # fmt: skip
    for cell in row["cells"]:
        more = (
            (" lead" if cell["lead"] else "") + (" wide" if cell["wide"] else "")
            + (" by" if cell["by"] else "")
        )  # fmt: skip
        parts.append(f'<td class="num{more}">{escape(cell["value"])}</td>')
    parts.append("</tr>")
    if row["cut"]:
        parts.append(f'<tr class="cut"><td colspan="2">{escape(row["cut"])}</td></tr>')
    return "".join(parts)
