"""Roles of staff: what each may do, and how one is given and taken away.

One table, :data:`CAPABILITIES`, says which roles have which capability. Every change is checked, locked
and put in the audit chain. Views declare the capability they want in :mod:`accounts.access`.
"""

from __future__ import annotations

import uuid
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _

from accounts.models import Role, RoleGrant, User
from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, NotHere, Refused
from ledger.models import ORGANISATION

audit.name_verbs(
    "role",
    found=_("Role found at an upgrade, granted without a journal entry"),
    granted=_("Role granted"),
    revoked=_("Role revoked"),
)

_ALL_STAFF = frozenset(Role.values)
_DESK = frozenset({Role.ADMIN, Role.DIRECTOR})
_REFEREES = frozenset({Role.CHIEF_REFEREE, Role.REFEREE})

OF_THE_ORGANISATION: Final = frozenset({Role.ADMIN, Role.CHIEF_REFEREE})
"""Roles that are given in the organisation; they count in every event."""
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
    "links.mail": _DESK,
    "sheets.enter": _DESK | {Role.SCOREKEEPER},
    "sheets.correct": _DESK | _REFEREES,
    "room.watch": _ALL_STAFF,
    "incidents.read": _DESK | _REFEREES | {Role.APPEALS},
    "incidents.rule": _DESK | _REFEREES,
    "rulings.confirm": frozenset({Role.ADMIN, Role.DIRECTOR, Role.CHIEF_REFEREE}),
    "rulings.finalise": frozenset({Role.ADMIN, Role.DIRECTOR, Role.CHIEF_REFEREE}),
    "discipline.read": _DESK | _REFEREES,
    "discipline.manage": frozenset({Role.ADMIN, Role.CHIEF_REFEREE}),
    "season.read": frozenset({Role.ADMIN, Role.CHIEF_REFEREE}),
    "appeals.hear": frozenset({Role.APPEALS}),
    "audit.read": _DESK | {Role.CHIEF_REFEREE},
    "jobs.read": _DESK,
}
"""Capability → roles that have it. The administrator of the organisation counts in every event, and
gives ``event.create`` to single accounts as well (:attr:`accounts.models.User.may_open_events`).
"""


def capabilities_of(user: User | AnonymousUser, scope: uuid.UUID | None) -> frozenset[str]:
    """Return the capabilities of ``user`` in ``scope`` (an event's id; ``None``: the organisation)."""
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return frozenset()
    roles = roles_of(user, scope)
    granted = frozenset(name for name, allowed in CAPABILITIES.items() if roles & allowed)
    return granted | {"event.create"} if user.may_open_events and scope is None else granted


def scopes_of(user: User | AnonymousUser) -> frozenset[uuid.UUID]:
    """Return the scopes in which ``user`` has a role."""
    grants = RoleGrant.objects.filter(user_id=user.pk or 0)
    return frozenset(grants.values_list("scope", flat=True))


def scopes_with(user: User | AnonymousUser, capability: str) -> frozenset[uuid.UUID]:
    """Return the scopes in which a role of ``user`` grants ``capability``."""
    grants = RoleGrant.objects.filter(user_id=user.pk or 0, role__in=CAPABILITIES[capability])
    return frozenset(grants.values_list("scope", flat=True))


def roles_of(user: User | AnonymousUser, scope: uuid.UUID | None) -> frozenset[str]:
    """Return the roles of ``user`` in ``scope``, including their roles in the organisation."""
    scopes = {ORGANISATION} | ({scope} if scope else set())
    grants = RoleGrant.objects.filter(user_id=user.pk or 0, scope__in=scopes)
    return frozenset(grants.values_list("role", flat=True))


def may(user: User | AnonymousUser, capability: str, scope: uuid.UUID | None) -> bool:
    """Whether ``user`` has ``capability`` in ``scope``. Unknown capabilities raise KeyError."""
    CAPABILITIES[capability]
    return capability in capabilities_of(user, scope)


def locked_user(user_id: int) -> User:
    """Lock the account until the end of the change; raise :class:`NotHere` if there is none."""
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None:
        raise NotHere("no_such_account", _("No such account."))
    return user


def require_another_admin(user: User) -> None:
    """Refuse where ``user`` is the only open account that administers the organisation."""
    admins = RoleGrant.objects.select_for_update().filter(role=Role.ADMIN, user__is_active=True)
    holders = set(admins.values_list("user_id", flat=True))
    if holders == {user.pk}:
        raise Conflict(
            "last_administrator",
            _("This is the last administrator: appoint another one first."),
        )


@change()
def grant_role(*, user_id: int, role: str, scope: uuid.UUID, actor: Actor) -> RoleGrant:
    """Give a role in an event, or the administrator's or chief referee's in the organisation.

    Repeating is harmless.
    """
    user = locked_user(user_id)
    of_all = scope == ORGANISATION
    if role not in (OF_THE_ORGANISATION if of_all else set(Role.values) - {Role.ADMIN}):
        raise Refused("bad_role", _("This role cannot be given here."), field="role")
    if not user.is_active:
        raise Conflict("account_closed", _("This account is closed."), field="name")
    grant, is_new = RoleGrant.objects.get_or_create(user=user, scope=scope, role=role)
    if is_new:
        audit.append(user, "role.granted", actor, scope=scope, after={"role": role})
    return grant


@change()
def revoke_role(*, user_id: int, role: str, scope: uuid.UUID, actor: Actor) -> None:
    """Take a role away. Directors cannot remove their own role, so that no event is left without one."""
    user = locked_user(user_id)
    grant = RoleGrant.objects.filter(user=user, scope=scope, role=role).first()
    if grant is None:
        return
    if role == Role.ADMIN:
        require_another_admin(user)
    if role == Role.DIRECTOR and str(actor) == str(Actor.user(user.pk)):
        raise Conflict("own_role", _("Only another director can remove your own role of director."))
    grant.delete()
    audit.append(user, "role.revoked", actor, scope=scope, before={"role": role})
