"""Installation of an event, or a player's badge, as an application on the phone: manifests, service worker."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import by_link, public
from accounts.limits import wrong_link
from tournament.models import Entrant
from tournament.tables.links import token_hash
from tournament.views.frame import event_by_slug
from tournament.views.table_app import served_manifest, served_worker

SHELL = (
    "css/app.css",
    "js/theme.js",
    "js/live.js",
    "js/clock.js",
    "js/find.js",
    "js/folds.js",
    "js/notices.js",
    "js/sign.js",
    "js/table-outbox.js",
    "js/table-queue.js",
    "js/table-deals.js",
    "fonts/plex/IBMPlexSans-Regular-Latin1.woff2",
    "fonts/plex/IBMPlexSans-SemiBold-Latin1.woff2",
    "icons/favicon.svg",
    "icons/icon-192.png",
)
"""Static files without which a public page would be bare when the network is gone."""


@public
@require_safe
def event_manifest(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the web application of one event: it opens on the current state, in every round."""
    event = event_by_slug(slug)
    return served_manifest(event.name, reverse("event-home", args=[slug]), "/")


@by_link("player")
@require_safe
def personal_manifest(request: HttpRequest, token: str) -> HttpResponse:
    """Return the web application of one badge: it opens on its player's own page."""
    entrant = Entrant.objects.select_related("event").filter(link_hash=token_hash(token)).first()
    if entrant is None:
        wrong_link(request)
        raise Http404
    return served_manifest(entrant.event.name, reverse("personal", args=[token]), "/")


@public
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker of public and personal pages: they stay readable without a network."""
    return served_worker("js/sw-event.js", SHELL, "/")
