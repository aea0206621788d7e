"""What every page knows."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from accounts.access import page_of
from accounts.views.looks import looks


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name, the page to come back to, and the looks chosen on this device."""
    return {"product": settings.SITE_NAME, "this_page": page_of(request), **looks(request)}
