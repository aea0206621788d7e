"""The book of results: every number of a stage, by entrant or by table, each with the way to its sheet."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import Page
from accounts.roles import capabilities_of
from tournament.access import needs
from tournament.models import Stage, Table
from tournament.queries.book import PersonRow, RoundHead, TableRow, book_of
from tournament.queries.cells import ShownCell, cell_of
from tournament.queries.rounds import current_round
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole


class BookPage(Page, template="desk/book.html", further=("desk/book_cell.html",), here="desk-room"):
    stages: list[Stage]
    stage: Stage | None
    by: str
    find: str
    rounds: list[RoundHead]
    people: list[PersonRow]
    tables: list[TableRow]
    chosen: str
    cell: ShownCell | None


@needs("room.watch")
@require_safe
def desk_book(request: HttpRequest, slug: str, order: int | None = None) -> HttpResponse:
    """Show the book of a stage, by default the current one: by player, or ``?by=table``; ``?find=`` searches.

    ``?cell=<round>-<table>`` opens a cell next to the grid; with ``part=cell`` the answer is the
    cell alone. Before the first round of the stage is published, the page states that.
    """
    event = event_by_slug(slug)
    stages = list(event.stages.filter(rounds__published_at__isnull=False).distinct())
    for each in stages:
        each.event = event
    if order is None:
        now = current_round(event)
        order = now.stage.order if now else None
    stage = next((each for each in stages if each.order == order), None)
    if stage is None and order is not None and not event.stages.filter(order=order).exists():
        raise Http404
    by = "table" if request.GET.get("by") == "table" else "player"
    find = request.GET.get("find", "").strip()[:60]
    chosen = request.GET.get("cell", "")
    cell = _cell(request, stage, chosen) if stage and chosen else None
    alone = request.GET.get("part") == "cell"
    if alone and cell is None:
        raise Http404
    book = book_of(stage, find, by_table=by == "table") if stage and not alone else None
    return show_event(
        request,
        event,
        BookPage(
            stages=stages if len(stages) > 1 else [],
            stage=stage,
            by=by,
            find=find,
            rounds=book.rounds if book else [],
            people=book.people if book else [],
            tables=book.tables if book else [],
            chosen=chosen if cell else "",
            cell=cell,
        ),
        template="desk/book_cell.html" if alone else "",
    )


def _cell(request: HttpRequest, stage: Stage, chosen: str) -> ShownCell | None:
    """Return the cell of a published round's table by its address; ``None`` where there is none."""
    number, _dash, at = chosen.partition("-")
    table = (
        Table.objects.filter(
            round__stage=stage,
            round__published_at__isnull=False,
            round__number=whole(number) or 0,
            number=whole(at) or 0,
        )
        .select_related("round__stage__event")
        .first()
    )
    if table is None or table.round is None:
        return None
    return cell_of(table.round, table, capabilities_of(request.user, stage.event_id))
