"""What the pages of an event share: the event by its slug, its navigation, conditional answers."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.roles import capabilities_of
from tournament.models import Event


def event_by_slug(slug: str, request: HttpRequest | None = None) -> Event:
    """The event, or 404; the one that was loaded for its version, where a request has one."""
    seen = getattr(request, "event_seen", None)
    if isinstance(seen, Event) and seen.slug == slug:
        return seen
    return get_object_or_404(Event, slug=slug)


def nav(event: Event, here: str) -> list[dict[str, object]]:
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


def staff_nav(request: HttpRequest, event: Event, here: str = "") -> list[dict[str, object]]:
    """The staff navigation: only what the caller's roles in this event allow."""
    if not request.user.is_authenticated:
        return []
    can = capabilities_of(request.user, event.pk)
    items = [
        ("desk-event", _("Desk"), "event.read"),
        ("desk-players", _("Players"), "entrants.check_in"),
        ("desk-rounds", _("Rounds"), "rounds.manage"),
        ("desk-room", _("Hall"), "room.watch"),
        ("referee-desk", _("Referee"), "incidents.read"),
        ("desk-staff", _("Staff"), "event.manage"),
        ("desk-documents", _("Documents"), "documents.print"),
        ("desk-settings", _("Settings"), "event.manage"),
        ("desk-log", _("Log"), "audit.read"),
    ]
    return [
        {"url": reverse(name, args=[event.slug]), "label": label, "current": name == here}
        for name, label, capability in items
        if capability in can
    ]


def page(request: HttpRequest, event: Event, here: str, **more: Any) -> dict[str, object]:
    """The context of a page of an event."""
    return {
        "event": event,
        "base_template": "parts/bare.html" if request.GET.get("part") else "base.html",
        "event_url": reverse("event-home", args=[event.slug]),
        "nav_items": nav(event, here),
        "staff_items": staff_nav(request, event, here),
        "draw_mark": event.frame_version,
        "manifest_url": reverse("event-manifest", args=[event.slug])
        if here.startswith("event-")
        else "",
        **more,
    }
