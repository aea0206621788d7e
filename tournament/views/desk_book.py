"""The book of results: every number of a stage, by entrant or by table, each with the way to its sheet."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import Page
from tournament.access import needs
from tournament.models import Stage
from tournament.queries.book import PersonRow, RoundHead, TableRow, book_of
from tournament.queries.rounds import current_round
from tournament.views.frame import event_by_slug, show_event


class BookPage(Page, template="desk/book.html", here="desk-room"):
    stages: list[Stage]
    stage: Stage | None
    by: str
    find: str
    rounds: list[RoundHead]
    people: list[PersonRow]
    tables: list[TableRow]


@needs("room.watch")
@require_safe
def desk_book(request: HttpRequest, slug: str, order: int | None = None) -> HttpResponse:
    """The book of a stage, by default of the one in play: by player, or ``?by=table``; ``?find=`` looks for some.

    Before the first round of the stage is published it says so.
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
    book = book_of(stage, find, by_table=by == "table") if stage else None
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
        ),
    )
