"""Least privilege: every view declares who may use it, and an undeclared view serves nobody.

One table, :data:`CAPABILITIES`, says which roles have which capability. A view carries its
declaration as an attribute (``view.access``), written by the decorators below; the permission
matrix in the docs and its test are read from there.

* ``@public``: anybody.
* ``@by_link("table" | "player")``: the holder of an unguessable link; the view checks the token.
* ``@signed_in``: any member of staff; ``@own_account``: the same on the pages of his own account.
* ``@needs("capability")``: a role with that capability in the scope of the URL's event. The scope
  is found by the resolver that the tournament room registers (:func:`scope_resolver`).

Views of the API declare theirs by method; :class:`ledger.api.Declared` holds them to it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from .models import ORGANISATION, Role, RoleGrant
from .second_step import gate

_ALL_STAFF = frozenset(Role.values)
_DESK = frozenset({Role.ADMIN, Role.DIRECTOR})
_REFEREES = frozenset({Role.CHIEF_REFEREE, Role.REFEREE})

CAPABILITIES: Final[dict[str, frozenset[str]]] = {
    "organisation.manage": frozenset({Role.ADMIN}),
    "event.create": frozenset({Role.ADMIN}),
    "event.read": _ALL_STAFF,
    "event.manage": _DESK,
    "entrants.manage": _DESK,
    "entrants.check_in": _DESK | {Role.SCOREKEEPER},
    "rounds.manage": _DESK,
    "documents.print": _DESK | _REFEREES | {Role.SCOREKEEPER},
    "documents.print_links": _DESK,
    "sheets.enter": _DESK | {Role.SCOREKEEPER},
    "sheets.correct": _DESK | _REFEREES,
    "room.watch": _ALL_STAFF,
    "incidents.read": _DESK | _REFEREES | {Role.APPEALS},
    "incidents.rule": _DESK | _REFEREES,
    "rulings.confirm": frozenset({Role.ADMIN, Role.DIRECTOR, Role.CHIEF_REFEREE}),
    "rulings.finalise": frozenset({Role.ADMIN, Role.DIRECTOR, Role.CHIEF_REFEREE}),
    "appeals.hear": frozenset({Role.APPEALS}),
    "audit.read": _DESK | {Role.CHIEF_REFEREE},
    "jobs.read": _DESK,
}
"""Capability → roles that have it. The administrator of the organisation counts in every event."""


def capabilities_of(user: Any, scope: uuid.UUID | None) -> frozenset[str]:
    """What ``user`` may do in ``scope`` (an event's id; ``None``: the organisation)."""
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return frozenset()
    roles = roles_of(user, scope)
    return frozenset(name for name, allowed in CAPABILITIES.items() if roles & allowed)


def roles_of(user: Any, scope: uuid.UUID | None) -> frozenset[str]:
    """The roles of ``user`` in ``scope``, his roles in the organisation included."""
    scopes = {ORGANISATION} | ({scope} if scope else set())
    grants = RoleGrant.objects.filter(user_id=user.pk, scope__in=scopes)
    return frozenset(grants.values_list("role", flat=True))


def may(user: Any, capability: str, scope: uuid.UUID | None) -> bool:
    """Whether ``user`` has ``capability`` in ``scope``. Unknown capabilities raise KeyError."""
    CAPABILITIES[capability]
    return capability in capabilities_of(user, scope)


@dataclass(frozen=True, slots=True)
class Access:
    """A view's declaration: ``kind`` is public, link, signed_in or needs; ``what`` refines it."""

    kind: str
    what: str = ""


Resolver = Callable[[dict[str, Any]], uuid.UUID | None]
_resolvers: list[Resolver] = []


def scope_resolver(resolver: Resolver) -> Resolver:
    """Register how to find the scope from a URL's keyword arguments; the first answer counts."""
    _resolvers.append(resolver)
    return resolver


def scope_of(kwargs: dict[str, Any]) -> uuid.UUID | None:
    """The scope that the URL's arguments name, ``None`` when they name none."""
    for resolver in _resolvers:
        scope = resolver(kwargs)
        if scope is not None:
            return scope
    return None


View = Callable[..., HttpResponseBase]


def declare(view: Any, access: Access) -> Any:
    """Attach a declaration to a view that enforces it itself (class views, API views)."""
    view.access = access
    return view


def public(view: View) -> View:
    """Anybody may use the view."""
    declared: View = declare(view, Access("public"))
    return declared


def by_link(what: str) -> Callable[[View], View]:
    """The holder of an unguessable link may use the view, which checks the token itself."""

    def decorate(view: View) -> View:
        declared: View = declare(view, Access("link", what))
        return declared

    return decorate


def _first(request: HttpRequest) -> HttpResponseBase | None:
    """Where the caller goes before he may use a page of staff; ``None`` when he may."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    page = gate(request.user)
    return redirect(page) if page else None


def signed_in(view: View) -> View:
    """Any signed-in member of staff may use the view."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return _first(request) or view(request, *args, **kwargs)

    declared: View = declare(checked, Access("signed_in"))
    return declared


def own_account(view: View) -> View:
    """Any signed-in member of staff, also one who must do here what the other pages wait for."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, *args, **kwargs)

    declared: View = declare(checked, Access("signed_in"))
    return declared


def needs(capability: str) -> Callable[[View], View]:
    """A role with ``capability`` in the event of the URL may use the view."""
    CAPABILITIES[capability]

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            first = _first(request)
            if first is not None:
                return first
            if not may(request.user, capability, scope_of(kwargs)):
                raise PermissionDenied(capability)
            return view(request, *args, **kwargs)

        declared: View = declare(checked, Access("needs", capability))
        return declared

    return decorate
