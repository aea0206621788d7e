"""Least privilege: every view declares its access rule; a view without one refuses every request.

One table, :data:`accounts.roles.CAPABILITIES`, maps each capability to its roles. A view carries its
declaration as an attribute (``view.access``), set by the decorators below; the permission matrix in
the docs and its test are generated from these attributes.

* ``@public``: any visitor.
* ``@by_link("table" | "player")``: the holder of an unguessable link; the view checks the token.
* ``@signed_in``: any member of staff; ``@own_account``: the same on the pages of their own account.
* ``@needs("capability")``: a role with that capability in the organisation; the pages of an event
  take the decorator of :mod:`tournament.access`, which finds the event of the URL.

API views declare access by method; :class:`accounts.api.Declared` enforces it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar
from urllib.parse import urlsplit, urlunsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from rest_framework.request import Request

from accounts.roles import CAPABILITIES, may
from accounts.second_step import gate
from ledger.actors import Actor


@dataclass(frozen=True, slots=True)
class Access:
    """A view's declaration: ``kind`` is public, link, signed_in or needs; ``what`` refines it."""

    kind: str
    what: str = ""


View = Callable[..., HttpResponseBase]
AnyView = TypeVar("AnyView", bound=Callable[..., object])


def actor_of(request: HttpRequest | Request) -> Actor:
    """Return the signed-in user of a page or of the API as an actor."""
    return Actor.user(request.user.pk)


def declare(view: AnyView, access: Access) -> AnyView:
    """Attach a declaration to a view that enforces it itself (class views, API views)."""
    setattr(view, "access", access)  # noqa: B010
    return view


def public(view: AnyView) -> AnyView:
    """Allow the view to any visitor."""
    declare(view, Access("public"))
    return view


def by_link(what: str) -> Callable[[View], View]:
    """Allow the view to the holder of a secret link; the view checks the token itself."""

    def decorate(view: View) -> View:
        declared: View = declare(view, Access("link", what))
        return declared

    return decorate


def page_of(request: HttpRequest) -> str:
    """Return the caller's current page as a return address; for a posted form, the page of the form.

    Where a form is sent to there need be no page.
    """
    if request.method not in ("GET", "HEAD"):
        came_from = urlsplit(request.headers.get("Referer", ""))
        if came_from.netloc == request.get_host():
            return urlunsplit(("", "", came_from.path, came_from.query, ""))
    return request.get_full_path()


def _first(request: HttpRequest) -> HttpResponseBase | None:
    """Return a redirect if the caller must first sign in or pass a gate, else ``None``."""
    if not request.user.is_authenticated:
        return redirect_to_login(page_of(request))
    page = gate(request.user)
    return redirect_to_login(page_of(request), page) if page else None


def signed_in(view: View) -> View:
    """Allow the view to any signed-in member of staff."""

    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        return _first(request) or view(request, *args, **kwargs)

    declared: View = declare(checked, Access("signed_in"))
    return declared


def own_account(view: View) -> View:
    """Allow the view to any signed-in member of staff, even before a required step on that page."""

    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(page_of(request))
        return view(request, *args, **kwargs)

    declared: View = declare(checked, Access("signed_in"))
    return declared


ScopeOf = Callable[[dict[str, object]], uuid.UUID | None]
"""The scope that the arguments of a URL name; ``None``: the organisation."""


def of_the_organisation(kwargs: dict[str, object]) -> uuid.UUID | None:
    """Return the scope of a page outside events: the organisation."""
    return None


def needs(capability: str, scope_of: ScopeOf = of_the_organisation) -> Callable[[View], View]:
    """Allow the view to roles with ``capability`` in the scope returned by ``scope_of``."""
    CAPABILITIES[capability]

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            first = _first(request)
            if first is not None:
                return first
            if not may(request.user, capability, scope_of(kwargs)):
                raise PermissionDenied(capability)
            return view(request, *args, **kwargs)

        declared: View = declare(checked, Access("needs", capability))
        return declared

    return decorate
