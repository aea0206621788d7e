"""The two choices of a device that need no account: interface language and looks of the pages.

Both views only set cookies with a value from a closed list, and both are exempt from the CSRF check:
public pages must be the same bytes for everybody so that they can be cached and answered with 304,
and a token in a form would make every copy different.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language as django_set_language

from accounts.access import public

YEAR = 365 * 24 * 3600
CHOICES = {"theme": ("light", "dark"), "suits": ("four",)}


def looks(request: HttpRequest) -> dict[str, str]:
    """Return this device's choices from its cookies for templates: ``theme`` and ``suits``, "" if unset."""
    chosen = {name: request.COOKIES.get(name, "") for name in CHOICES}
    return {name: value if value in CHOICES[name] else "" for name, value in chosen.items()}


@public
@csrf_exempt
@require_POST
def set_looks(request: HttpRequest) -> HttpResponse:
    """Keep ``theme`` and ``suits`` in cookies; any other value forgets the choice. Back to ``next``."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        back = "/"
    response = HttpResponseRedirect(back)
    for name, values in CHOICES.items():
        if name not in request.POST:
            continue
        value = request.POST[name]
        if value in values:
            # Not HttpOnly: theme.js reads the same cookie before the first paint.
            response.set_cookie(
                name, value, max_age=YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
            )
        else:
            response.delete_cookie(name, samesite="Lax")
    return response


set_language = public(csrf_exempt(django_set_language))
