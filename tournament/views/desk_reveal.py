"""The final standings shown one by one, from the last to the first, on a screen in the hall."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import actor_of
from accounts.pages import Page
from tournament.access import needs
from tournament.models import EventState, Round, RoundState, StandingsState
from tournament.queries.names import Shown, directory
from tournament.queries.overall import overall_of
from tournament.ranking.overall import Placed
from tournament.services.events import update_event
from tournament.views.frame import event_by_slug, show_event


class RevealPage(Page, template="desk/reveal.html", here="desk-reveal"):
    rows: list[tuple[Placed, Shown]]
    final: bool
    hides: bool
    fingerprint: str


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def reveal(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ranking, last first, hidden rounds included; posted: publish the hidden rounds."""
    event = event_by_slug(slug)
    ranking = overall_of(event)
    final = ranking.state == StandingsState.FINAL
    played = not Round.objects.filter(stage__event=event).exclude(state=RoundState.CLOSED).exists()
    if request.method == "POST":
        if final or played:
            update_event(
                event_id=event.pk, actor=actor_of(request), changes={"hide_last_rounds": 0}
            )
        return redirect("desk-reveal", slug)
    people = {who.number: who for who in directory(event).values()}
    rows = [
        (row, people[row.entrant.number])
        for row in ranking.rows
        if row.rank is not None and row.entrant.number in people
    ]
    context = RevealPage(
        rows=rows,
        final=final,
        hides=(final or played)
        and event.hide_last_rounds > 0
        and event.state != EventState.FINISHED,
        fingerprint=ranking.hash[:16],
    )
    return show_event(request, event, context)
