"""The marks of an event, where no ASGI process answers (:mod:`tournament.public.asgi`).

A message is JSON, topic → mark: ``event`` (the version: anything), ``draw`` (tables, rounds,
clocks, names, rulings: all but results) and, for who names a player (``?player=17``), ``mine``:
the sheets of the tables where that player sat, deals that nobody has signed yet included.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.access import public
from tournament.public.asgi import STREAM, message
from tournament.public.marks import Marks, marks_of, topics, with_own
from tournament.public.requests import number_in


def _marks(request: HttpRequest, slug: str) -> tuple[Marks, int | None]:
    marks = marks_of(slug)
    if marks is None:
        raise Http404
    player = number_in(request.GET.get("player", ""))
    return (marks if player is None else with_own(marks)), player


@public
@require_safe
def stream(request: HttpRequest, slug: str) -> HttpResponse:
    """Server-sent events with the event's marks as data.

    A thread is not held open: the stream ends after one message, and a browser asks again.
    """
    text = b"retry: 5000\n\n" + message(*_marks(request, slug))
    return HttpResponse(text, headers=dict(STREAM))


@public
@require_safe
def version(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the event's marks, which a phone without a stream polls."""
    return JsonResponse(topics(*_marks(request, slug)), headers={"Cache-Control": "no-cache"})
