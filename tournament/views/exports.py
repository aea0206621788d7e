"""Files to take away: tables as CSV, XLSX and JSON, the calendar, the whole event as an archive."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from ledger.access import needs, public
from tournament import exports
from tournament.front import kept_by_version
from tournament.views.frame import event_by_slug


@public
@require_safe
@kept_by_version
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds as a calendar to subscribe to."""
    event = event_by_slug(slug)
    url = request.build_absolute_uri(f"/e/{slug}/")
    response = HttpResponse(
        exports.calendar(event, url), content_type="text/calendar; charset=utf-8"
    )
    response["Content-Disposition"] = f'inline; filename="{slug}.ics"'
    return response


@needs("event.read")
@require_safe
def export(request: HttpRequest, slug: str, kind: str, format: str) -> HttpResponse:
    """One table for the desk: with e-mail addresses and hidden rounds."""
    if kind not in exports.KINDS or format not in exports.FORMATS:
        raise Http404
    event = event_by_slug(slug)
    more = {}
    if kind == "standings":
        asked = request.GET.get("stage", "")
        if asked.isascii() and asked.isdigit():
            if not event.stages.filter(order=int(asked[:4])).exists():
                raise Http404
            more["stage"] = int(asked[:4])
        elif not event.stages.exists():
            raise Http404
    write, content_type = exports.FORMATS[format]
    table = exports.KINDS[kind](event, public=False, **more)
    response = HttpResponse(write(table), content_type=content_type)
    state = table.facts.get("state")
    name = f"{slug}-{kind}" + (f"-{state}" if state else "")
    response["Content-Disposition"] = f'attachment; filename="{name}.{format}"'
    response["Cache-Control"] = "private, no-store"
    return response
