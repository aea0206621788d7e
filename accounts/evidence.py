"""Roles and accounts compared with the audit chain, which records every change of them.

An entry about an account holds what it changed (:func:`account_state`): flags, and digests of the stored password
hash and of the second step. The stored hashes are salted at random or keyed, so that their digests help no guess.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Final

from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from ledger import audit
from ledger.actors import Actor
from ledger.canonical import JsonObject
from ledger.change import change
from ledger.models import ORGANISATION, AuditEntry
from ledger.official import digest

from .models import Role, RoleGrant, User

_OPENED: Final = ("event.created", "event.taken_up")
"""Entries of an event whose actor becomes its director."""
_FIRST: Final = "user.first"
"""Entry of the account that administers a new installation."""
_GRANTED: Final = ("role.granted", "role.found")
STATE: Final = "account"
"""Key of an account's state in an entry."""


SECOND_STEP: Final = ("second_step", "authenticator", "backup_codes")
"""Parts of the state that two-step sign-in consists of."""


def account_state(user: User, *parts: str) -> JsonObject:
    """Return what an entry records of an account: ``{"account": flags and digests}``.

    ``parts``: those that the act changes; all without any. So no other act covers up what SQL changed.
    """
    keys = TOTPDevice.objects.filter(user=user, confirmed=True).order_by("pk")
    codes = StaticToken.objects.filter(device__user=user).order_by("pk")
    state = {
        "is_active": user.is_active,
        "may_open_events": user.may_open_events,
        "second_step": user.second_step,
        "password": digest(user.password),
        "authenticator": [digest(key) for key in keys.values_list("key", flat=True)],
        "backup_codes": [digest(code) for code in codes.values_list("token", flat=True)],
    }
    return {STATE: {name: state[name] for name in parts or state}}


def _role(recorded: object) -> str:
    return str(recorded["role"]) if isinstance(recorded, dict) else ""


def role_faults(scope: uuid.UUID) -> Iterator[str]:
    """Yield each role of a scope that no entry grants, and each that is gone though no entry revokes it."""
    granted: set[tuple[str, str]] = set()
    at_deletion: set[tuple[str, str]] = set()
    entries = AuditEntry.objects.filter(
        scope=scope,
        verb__in=(
            *(*_GRANTED, "role.revoked", _FIRST, *_OPENED),
            *("event.deleted", "event.restored"),
        ),
    )
    for verb, about, actor, before, after in entries.order_by("sequence").values_list(
        "verb", "object_id", "actor", "before", "after"
    ):
        if verb in _GRANTED:
            granted.add((about, _role(after)))
        elif verb == "role.revoked":
            granted.discard((about, _role(before)))
        elif verb == _FIRST:
            granted.add((about, Role.ADMIN))
        elif verb == "event.deleted":
            at_deletion, granted = granted, set()
        elif verb == "event.restored":
            granted = at_deletion
        elif actor.startswith("user:"):
            granted.add((actor.partition(":")[2], Role.DIRECTOR))
    there = {
        (str(user), role)
        for user, role in RoleGrant.objects.filter(scope=scope).values_list("user_id", "role")
    }
    for user, role in sorted(there - granted):
        yield f"account {user} holds the role {role}, which no entry grants"
    for user, role in sorted(granted - there):
        yield f"account {user} has lost the role {role}, which no entry revokes"


def account_faults(scope: uuid.UUID) -> Iterator[str]:
    """Yield what differs in each account from its last recorded state (in the organisation's chain only)."""
    if scope != ORGANISATION:
        return
    recorded = _recorded()
    for user in User.objects.order_by("pk"):
        now = account_state(user)[STATE]
        last = recorded.pop(str(user.pk), {"may_open_events": False})
        for name, value in last.items():
            if name == "backup_codes":
                # Each use of a code deletes it, without an entry.
                same = set(now[name]) <= set(value)
            else:
                same = now.get(name) == value
            if not same:
                yield f"account {user.pk}: {name} is not as in the last entry about it"
    for gone in sorted(recorded):
        yield f"account {gone} is gone"


def is_recorded_password(user: User, stored: str) -> bool:
    """Whether the chain records this stored hash as the password of an account."""
    return bool(_recorded().get(str(user.pk), {}).get("password") == digest(stored))


def _recorded() -> dict[str, JsonObject]:
    """Return the recorded state of each account, by key: the last entry of each part counts."""
    entries = AuditEntry.objects.filter(
        scope=ORGANISATION, object_type="user", after__account__isnull=False
    )
    recorded: dict[str, JsonObject] = {}
    for about, after in entries.order_by("sequence").values_list("object_id", "after"):
        if after is not None:
            recorded.setdefault(about, {}).update(after[STATE])
    return recorded


@change()
def mark_accounts() -> int:
    """Record the accounts of an earlier release, once after the upgrade; return their number."""
    if _recorded():
        return 0
    users = list(User.objects.order_by("pk"))
    for user in users:
        audit.append(
            user,
            "user.found",
            Actor.system("upgrade"),
            scope=ORGANISATION,
            after=account_state(user),
        )
    return len(users)
