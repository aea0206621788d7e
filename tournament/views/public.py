"""The public pages of an event: readable on a phone, without account, with or without script."""

from __future__ import annotations

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import condition, require_safe

from ledger.access import public
from tournament.models import Event, Round
from tournament.selectors import pages, rounds
from tournament.selectors.names import shown
from tournament.views.frame import event_by_slug, event_etag, page


@public
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """All events of this installation, newest first."""
    events = Event.objects.annotate(players=Count("entrants")).order_by("-day", "name")[:100]
    return render(request, "public/home.html", {"events": events})


@public
@require_safe
@condition(etag_func=event_etag)
def event_home(request: HttpRequest, slug: str) -> HttpResponse:
    """What is on now: the round, its clock, find myself, the stages."""
    event = event_by_slug(slug)
    now = rounds.current_round(event)
    words = request.GET.get("q", "")
    found = pages.find(event, words)
    if len(found) == 1:
        return redirect("event-player", slug, found[0].number)
    return render(
        request,
        "public/event.html",
        page(
            request, event, "event-home", round=now, words=words, now=timezone.now(),
            found=[shown(entrant, shorten=event.short_names) for entrant in found],
            stages=event.stages.prefetch_related("rounds").all(),
            players=event.entrants.exclude(state="withdrawn").count(),
        ),
    )  # fmt: skip


@public
@require_safe
@condition(etag_func=event_etag)
def draw(
    request: HttpRequest, slug: str, stage: int | None = None, number: int | None = None
) -> HttpResponse:
    """A published draw by table (or by name with ``?by=name``); the current round by default."""
    event = event_by_slug(slug)
    published = rounds.published_rounds(event)
    shown_round: Round | None
    if stage is None:
        shown_round = published[-1] if published else None
    else:
        shown_round = next(
            (r for r in published if r.stage.order == stage and r.number == number), None
        )
        if shown_round is None:
            raise Http404
    tables = rounds.tables_of(shown_round) if shown_round else []
    by_name = request.GET.get("by") == "name"
    names = sorted(
        ((seat.entrant, table.number, seat.position) for table in tables for seat in table.seats),
        key=lambda item: item[0].name.casefold(),
    )
    return render(
        request,
        "public/draw.html",
        page(
            request, event, "event-draw", round=shown_round, tables=tables, names=names,
            by_name=by_name, rounds=published,
            byes=rounds.byes_of(shown_round) if shown_round else [],
        ),
    )  # fmt: skip


@public
@require_safe
@condition(etag_func=event_etag)
def standings(request: HttpRequest, slug: str, stage: int | None = None) -> HttpResponse:
    """The standings of a stage; the latest with a result by default."""
    event = event_by_slug(slug)
    stages = list(event.stages.all())
    if stage is None:
        now = rounds.current_round(event)
        chosen = now.stage if now else stages[0] if stages else None
    else:
        chosen = next((s for s in stages if s.order == stage), None)
        if chosen is None:
            raise Http404
    table = pages.standings_of(chosen) if chosen else None
    return render(
        request,
        "public/standings.html",
        page(request, event, "event-standings", stages=stages, stage=chosen, table=table),
    )


@public
@require_safe
@condition(etag_func=event_etag)
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Find a player by name or number."""
    event = event_by_slug(slug)
    words = request.GET.get("q", "")
    found = pages.find(event, words)
    return render(
        request,
        "public/players.html",
        page(
            request, event, "event-players", words=words,
            found=[shown(entrant, shorten=event.short_names) for entrant in found],
            count=event.entrants.count(),
        ),
    )  # fmt: skip


@public
@require_safe
@condition(etag_func=event_etag)
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A player's day: table and seat now, partner and opponents, results, rank."""
    event = event_by_slug(slug)
    entrant = get_object_or_404(
        event.entrants.select_related("person", "partner", "club"), number=number
    )
    day = pages.day_of(event, entrant)
    now = rounds.current_round(event)
    present = day[0] if day and now and day[0].round.pk == now.pk else None
    row = None
    table = None
    if now is not None:
        table = pages.standings_of(now.stage)
        row = next((line for line in table.rows if line.number == number), None)
    return render(
        request,
        "public/player.html",
        page(
            request, event, "event-players", me=shown(entrant, shorten=event.short_names),
            day=day, present=present, round=now, row=row, table=table, now=timezone.now(),
        ),
    )  # fmt: skip


@public
@require_safe
def version(request: HttpRequest, slug: str) -> JsonResponse:
    """The event's version: what a phone polls where nothing better works."""
    found = Event.objects.filter(slug=slug).values_list("version", flat=True).first()
    if found is None:
        raise Http404
    return JsonResponse({"version": found})
