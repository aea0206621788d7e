"""What the pages of an event share: the event by its slug, its navigation, conditional answers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ledger.access import capabilities_of
from tournament.models import Event


def event_by_slug(slug: str) -> Event:
    """The event, or 404."""
    return get_object_or_404(Event, slug=slug)


def nav(event: Event, here: str) -> list[dict[str, Any]]:
    """The public navigation of an event."""
    items = [
        ("event-home", _("Event")),
        ("event-draw", _("Draw")),
        ("event-standings", _("Standings")),
        ("event-players", _("Players")),
    ]
    return [
        {"url": reverse(name, args=[event.slug]), "label": label, "current": name == here}
        for name, label in items
    ]


def staff_nav(request: HttpRequest, event: Event, here: str = "") -> list[dict[str, Any]]:
    """The staff navigation: only what the caller's roles in this event allow."""
    if not request.user.is_authenticated:
        return []
    can = capabilities_of(request.user, event.pk)
    items = [
        ("desk-event", _("Desk"), "event.read"),
        ("desk-players", _("Players"), "entrants.check_in"),
        ("desk-rounds", _("Rounds"), "rounds.manage"),
        ("desk-room", _("Room"), "room.watch"),
        ("desk-documents", _("Documents"), "documents.print"),
    ]
    return [
        {"url": reverse(name, args=[event.slug]), "label": label, "current": name == here}
        for name, label, capability in items
        if capability in can
    ]


def page(request: HttpRequest, event: Event, here: str, **more: Any) -> dict[str, Any]:
    """The context of a page of an event."""
    return {
        "event": event,
        "base_template": "parts/bare.html" if request.GET.get("part") else "base.html",
        "event_url": reverse("event-home", args=[event.slug]),
        "nav_items": nav(event, here),
        "staff_items": staff_nav(request, event, here),
        **more,
    }


def event_etag(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> str | None:
    """The version of a public page: the event's, the reader's language and looks.

    Signed-in staff see more than the public does and get no cached answer.
    """
    if request.user.is_authenticated:
        return None
    version = Event.objects.filter(slug=slug).values_list("version", flat=True).first()
    if version is None:
        return None
    looks = request.COOKIES.get("theme", "") + request.COOKIES.get("suits", "")
    query = request.META.get("QUERY_STRING", "")
    return f'W/"{version}.{get_language()}.{looks}.{hash(query) & 0xFFFFFFFF:x}.{settings.VERSION}"'
