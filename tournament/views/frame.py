"""Shared parts of an event's pages: the event by its slug, its navigation, conditional answers."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.pages import Page
from accounts.roles import capabilities_of
from tournament.models import Event


def event_by_slug(slug: str, request: HttpRequest | None = None) -> Event:
    """Return the event, or raise 404; reuse the one that a request loaded for its version."""
    seen = getattr(request, "event_seen", None)
    if isinstance(seen, Event) and seen.slug == slug:
        return seen
    return get_object_or_404(Event, slug=slug)


class NavItem(NamedTuple):
    """A link of a navigation."""

    url: str
    label: str
    current: bool


class Frame:
    """Frame of an event's page, for ``base.html``."""

    def __init__(self, request: HttpRequest, event: Event, here: str) -> None:
        self.event = event
        self.base_template = "parts/page/bare.html" if request.GET.get("part") else "base.html"
        self.event_url = reverse("event-home", args=[event.slug])
        self.nav_items = nav(event, here)
        self.staff_items = staff_nav(request, event, here)
        self.draw_mark = event.frame_version
        public = here.startswith("event-")
        self.manifest_url = reverse("event-manifest", args=[event.slug]) if public else ""


def nav(event: Event, here: str) -> list[NavItem]:
    """Return the public navigation of an event."""
    items = [
        ("event-home", _("Event")),
        ("event-draw", _("Draw")),
        ("event-standings", _("Standings")),
        ("event-players", _("Players")),
    ]
    return [NavItem(reverse(name, args=[event.slug]), label, name == here) for name, label in items]


def staff_nav(request: HttpRequest, event: Event, here: str = "") -> list[NavItem]:
    """Return the staff navigation: only pages allowed by the caller's roles in this event."""
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
        NavItem(reverse(name, args=[event.slug]), label, name == here)
        for name, label, capability in items
        if capability in can
    ]


def show_event(
    request: HttpRequest,
    event: Event | None,
    page: Page,
    *,
    template: str = "",
    here: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render a page, or one of its parts, in the frame of its event, where it has one."""
    around = vars(Frame(request, event, here or page.here)) if event else {}
    return render(request, template or page.template, {**around, **vars(page)}, status=status)
