"""Roles compared with the audit chain, which names everybody who was ever given one."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Final

from ledger.models import AuditEntry

from .models import Role, RoleGrant

_OPENED: Final = ("event.created", "event.taken_up")
"""Entries of an event whose actor becomes its director."""
_FIRST: Final = "user.first"
"""Entry of the account that administers a new installation."""


def _role(recorded: object) -> str:
    return str(recorded["role"]) if isinstance(recorded, dict) else ""


def role_faults(scope: uuid.UUID) -> Iterator[str]:
    """Yield each role held in a scope that no entry of its chain grants: it was written into the database."""
    granted: set[tuple[str, str]] = set()
    entries = AuditEntry.objects.filter(
        scope=scope, verb__in=("role.granted", "role.revoked", _FIRST, *_OPENED)
    )
    for verb, about, actor, before, after in entries.order_by("sequence").values_list(
        "verb", "object_id", "actor", "before", "after"
    ):
        if verb == "role.granted":
            granted.add((about, _role(after)))
        elif verb == "role.revoked":
            granted.discard((about, _role(before)))
        elif verb == _FIRST:
            granted.add((about, Role.ADMIN))
        elif actor.startswith("user:"):
            granted.add((actor.partition(":")[2], Role.DIRECTOR))
    for user, role in (
        RoleGrant.objects.filter(scope=scope).order_by("pk").values_list("user_id", "role")
    ):
        if (str(user), role) not in granted:
            yield f"account {user} holds the role {role}, which no entry grants"
