"""What every page knows."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name and the theme chosen on this device."""
    theme = request.COOKIES.get("theme", "")
    return {"site_name": settings.SITE_NAME, "theme": theme if theme in ("light", "dark") else ""}
