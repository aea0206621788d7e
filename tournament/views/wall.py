"""The wall screen: draw, clock, standings, last rulings and sponsors in turn, read at ten metres.

Lists longer than a panel holds are cut into several panels: every table of the draw and every line of
the standings passes by. ``?part=`` answers what the script that keeps the page fresh puts into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.access import public
from tournament.models import Event, Round, RoundState, Stage
from tournament.public.conditional import follows
from tournament.queries import pages, rounds
from tournament.queries.brackets import brackets_shown, match_names, title_of
from tournament.queries.rulings import rulings_of
from tournament.views.frame import event_by_slug, page

TABLES: Final = 16
"""Tables on one panel."""
LINES: Final = 24
"""Lines of the standings on one panel."""
FIRST_SECONDS: Final = 15
NEXT_SECONDS: Final = 10
"""How long a panel of standings stays: the first, which everybody reads, and each further one, in
which each looks for one name. 544 players pass in four minutes."""
NAME: Final = 18
"""Letters of a name that a line of the standings holds at full size."""
SEATED: Final = 16
"""Letters of a name beside its seat in the draw."""
RULINGS: Final = 2
"""Rulings on one panel, side by side: more would be cut off."""


Item = TypeVar("Item")


def _panels(items: Sequence[Item], size: int) -> list[list[Item]]:
    return [list(items[start : start + size]) for start in range(0, len(items), size)]


def fitting(name: str, most: int) -> str:
    """A name of at most ``most`` letters if an initial for the first name makes it so, or nearly so.

    Who looks for themselves looks for their surname: better a first name cut short than that.

    >>> fitting("Geneviève Vandenbroucke", 20), fitting("Jo Vandenbroucke", 20), fitting("Geneviève", 5)
    ('G. Vandenbroucke', 'Jo Vandenbroucke', 'Geneviève')
    >>> fitting("Geneviève Maes / Jo Vandenbroucke", 20)
    'G. Maes / J. Vandenbroucke'
    """
    if len(name) <= most:
        return name
    parts = (part.partition(" ") for part in name.split(" / "))
    return " / ".join(f"{first[0]}. {last}" if last else first for first, _space, last in parts)


def _draw_panels(now: Round | None) -> list[list[dict[str, Any]]]:
    if now is None:
        return []
    tables = rounds.draw_contexts(rounds.tables_of(now), lambda number: "", names=match_names(now))
    for table in tables:
        for seat in table["seats"]:
            seat["name"] = fitting(seat["name"], SEATED)
    return _panels(tables, TABLES)


def _standings_panels(stage: Stage) -> dict[str, Any]:
    """Panels of rows, what their numbers are, the state, and whether the public may not see them."""
    table = pages.standings_of(stage, language=(get_language() or "en")[:2])
    if table.hidden:
        return {"panels": [], "state": table.state, "hidden": True}
    last = table.cut_line - 1 if table.cut_line else None
    rows: list[dict[str, Any]] = [
        {
            "line": row.line if not index or table.rows[index - 1].line != row.line else "",
            "rank": "–" if row.rank is None else str(row.rank),
            "tied": row.tied,
            "name": fitting(row.name, NAME),
            "value": row.values[0] if row.values else "",
            "more": row.values[1] if len(row.values) > 1 else "",
            "cut": index == last,
            "winner": row.table_winner,
            "level": row.level,
            "long": len(fitting(row.name, NAME)) > NAME,
        }
        for index, row in enumerate(table.rows)
    ]
    panels = [
        {
            "rows": part,
            "seconds": NEXT_SECONDS if index else FIRST_SECONDS,
            "cut": table.cut if any(row["cut"] for row in part) else "",
        }
        for index, part in enumerate(_panels(rows, LINES))
    ]
    return {
        "panels": panels,
        "state": table.state,
        "hidden": False,
        "headings": " · ".join(column.name for column in table.columns[:2]),
    }


def _bracket_panels(stage: Stage) -> list[dict[str, Any]]:
    """The tables of the pools while they last, then the rounds of the brackets, a few on a panel."""
    brackets = brackets_shown(stage)
    if not brackets.brackets:
        lines = [
            {
                "title": pool.name,
                "lines": [
                    {"lead": place, "name": fitting(name, NAME), "value": values[-1], "won": False}
                    for place, _number, name, values in pool.rows
                ],
            }
            for pool in brackets.pools
        ]
    else:
        lines = [
            {
                "title": f"{bracket.name}: {name}" if bracket.name else name,
                "lines": [
                    {
                        "lead": (match.table or "") if at == 0 else "",
                        "name": fitting(side.name, NAME) or "–",
                        "value": side.score,
                        "won": side.won,
                    }
                    for match in part
                    for at, side in enumerate(match.sides)
                ],
            }
            for bracket in brackets.brackets
            for name, matches in bracket.rounds
            for part in _panels(matches, LINES // 2)
            if any(side.number for match in part for side in match.sides)
        ]
    panels: list[dict[str, Any]] = []
    for group in lines:
        panel = panels[-1] if panels else None
        if panel is None or panel["count"] + len(group["lines"]) + 1 > LINES:
            panel = {"groups": [], "count": 0}
            panels.append(panel)
        panel["groups"].append(group)
        panel["count"] += len(group["lines"]) + 1
    return panels


def _follow(event: Event) -> dict[str, str]:
    """The event's address as a QR code, for the phones in the hall; needs ``PUBLIC_URL``."""
    if not settings.PUBLIC_URL:
        return {}
    address = settings.PUBLIC_URL + reverse("event-home", args=[event.slug])
    code = segno.make(address, error="m", micro=False).svg_inline(border=4, omitsize=True)
    return {"svg": mark_safe(code), "address": address.partition("://")[2].rstrip("/")}  # noqa: S308


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    now = rounds.current_round(event)
    shows_draw = now is not None and now.state == "published"
    shown = _standings_panels(now.stage) if now is not None else {"panels": []}
    # A closed round has no clock: between rounds and at the prize-giving nothing is to count.
    counts = now is not None and now.state != RoundState.CLOSED
    return page(
        request,
        event,
        "event-wall",
        round=now,
        clock=rounds.clock_of(now) if counts else None,
        round_label=f"{now.stage.title} · {title_of(now)}" if now else "",
        bracket_panels=_bracket_panels(now.stage) if now else [],
        draw_panels=_draw_panels(now),
        shows_draw=shows_draw,
        ruling_panels=_panels(rulings_of(event, most=4), RULINGS),
        follow=_follow(event),
        **shown,
        sponsors=[{"name": line.strip()} for line in event.sponsors.splitlines() if line.strip()],
    )


@public
@require_safe
@follows("event")
def wall(request: HttpRequest, slug: str) -> HttpResponse:
    """The screen, or with ``?part=main|clock`` what live.js puts into it."""
    event = event_by_slug(slug, request)
    part = request.GET.get("part", "")
    if part not in ("", "main", "clock"):
        raise Http404
    template = {"": "wall/wall.html", "main": "wall/panels_in.html", "clock": "wall/clock.html"}[
        part
    ]
    return render(request, template, _context(request, event))
