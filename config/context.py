"""Template context of every page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from accounts.access import page_of
from accounts.views.looks import looks


def site(request: HttpRequest) -> dict[str, object]:
    """Return the site's name, the current page as a return address, and this device's theme and suits."""
    return {"product": settings.SITE_NAME, "this_page": page_of(request), **looks(request)}
