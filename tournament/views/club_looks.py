"""Look of a club on its event's pages: its logo, and its colour as a style sheet."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.access import public
from tournament.documents.colours import is_colour, readable
from tournament.models import EventLogo

LIGHT: Final = ("#f7f6f2", "#ffffff", "#efede6")
DARK: Final = ("#14161a", "#1c1f25", "#272b33")
"""``--paper``, ``--sheet`` and ``--tint`` of app.css: the backgrounds of a club's colour."""
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
"""Each answer has an address of its own, which never gives another one."""
_STYLE: Final = (
    ":root{{--club:{colour};--club-ink:{light}}}"
    '@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{--club-ink:{dark}}}}}'
    ':root[data-theme="dark"]{{--club-ink:{dark}}}'
    "@media print{{:root,:root[data-theme]{{--club-ink:{light}}}}}"
)


@public
@require_safe
def logo(request: HttpRequest, slug: str, fingerprint: str) -> HttpResponse:
    """Return the picture of the event's club; ``fingerprint`` is the beginning of the picture's own."""
    picture = get_object_or_404(EventLogo.objects.select_related("event"), event__slug=slug)
    if len(fingerprint) != 16 or not picture.event.logo.startswith(fingerprint):
        raise Http404
    response = HttpResponse(bytes(picture.content), content_type="image/png")
    response["Cache-Control"] = _FOR_GOOD
    return response


@public
@require_safe
def colour(request: HttpRequest, digits: str) -> HttpResponse:
    """Return a club's colours for pages: its own for areas, and a shade readable as text."""
    chosen = f"#{digits}"
    if not is_colour(chosen):
        raise Http404
    style = _STYLE.format(colour=chosen, light=readable(chosen, LIGHT), dark=readable(chosen, DARK))
    response = HttpResponse(style, content_type="text/css; charset=utf-8")
    response["Cache-Control"] = _FOR_GOOD
    return response
