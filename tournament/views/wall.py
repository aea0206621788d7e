"""The wall screen: draw, clock, standings, last rulings and sponsors in turn, read at ten metres.

Panels are parts of one page; ``?panel=`` answers one of them for the script that keeps it fresh.
Lists longer than a panel holds are cut into several panels.
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
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ledger.access import public
from tournament.front import kept_by_version
from tournament.models import Event, Round, Stage
from tournament.selectors import pages, rounds
from tournament.selectors.rulings import rulings_of
from tournament.views.frame import event_by_slug, page

TABLES: Final = 16
"""Tables on one panel."""
LINES: Final = 24
"""Lines of the standings on one panel."""
BEST: Final = 5
"""Panels of standings at most: a wall screen is not for finding number 400."""


Item = TypeVar("Item")


def _panels(items: Sequence[Item], size: int) -> list[list[Item]]:
    return [list(items[start : start + size]) for start in range(0, len(items), size)]


def _draw_panels(now: Round | None) -> list[list[dict[str, Any]]]:
    if now is None:
        return []
    tables = rounds.draw_contexts(rounds.tables_of(now), lambda number: "")
    return _panels(tables, TABLES)


def _standings_panels(stage: Stage) -> dict[str, Any]:
    """Panels of rows, what their numbers are, the state, and whether the public may not see them."""
    table = pages.standings_of(stage, language=(get_language() or "en")[:2])
    if table.hidden:
        return {"panels": [], "state": table.state, "hidden": True}
    last = table.cut_line - 1 if table.cut_line else None
    rows = [
        {
            "rank": "–" if row.rank is None else str(row.rank), "tied": row.tied,
            "name": row.name, "value": row.values[0] if row.values else "",
            "more": row.values[1] if len(row.values) > 1 else "", "cut": index == last,
            "winner": row.table_winner, "level": row.level,
        }
        for index, row in enumerate(table.rows[: BEST * LINES])
    ]  # fmt: skip
    return {
        "panels": _panels(rows, LINES), "state": table.state, "hidden": False,
        "headings": " · ".join(column.name for column in table.columns[:2]),
    }  # fmt: skip


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
    return page(
        request, event, "event-wall", round=now, clock=rounds.clock_of(now),
        round_label=f"{now.stage.title} · " + _("Round %(n)d") % {"n": now.number} if now else "",
        draw_panels=_draw_panels(now), shows_draw=shows_draw,
        rulings=rulings_of(event, most=4), follow=_follow(event), **shown,
        sponsors=[{"name": line.strip()} for line in event.sponsors.splitlines() if line.strip()],
    )  # fmt: skip


@public
@require_safe
@kept_by_version
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
