"""Keys of programs for the API: hashed, expiring, revocable, of one event and for reading at wish.

``Authorization: Bearer <token>``. A token never does more than its owner may do at that moment:
their roles are looked up with every request, and a closed account closes its tokens.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiToken, RoleGrant, User
from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, NotHere, Refused
from ledger.models import ORGANISATION

audit.name_verbs("token", issued=_("API token issued"), revoked=_("API token revoked"))

PREFIX: Final = "mnl_"
"""So that a scanner of leaked secrets knows one when it sees it."""

MOST_DAYS: Final = 366
MOST_OPEN: Final = 20
_USED_EVERY: Final = timedelta(hours=1)


def token_hash(token: str) -> str:
    """Return the stored hash of a token: hexadecimal SHA-256 (256 random bits need no slow hash)."""
    return hashlib.sha256(token.encode()).hexdigest()


@change()
def issue(
    *, user_id: int, name: str, scope: uuid.UUID, may_write: bool, days: int, actor: Actor
) -> tuple[ApiToken, str]:
    """Make a token; its text is returned this once. Refused without a role in its scope."""
    user = User.objects.select_for_update().get(pk=user_id)
    name = name.strip()
    if not 1 <= len(name) <= 60 or not name.isprintable():
        raise Refused(
            "name_missing", _("Describe the use of the token in 1 to 60 characters."), field="name"
        )
    if not 1 <= days <= MOST_DAYS:
        raise Refused("bad_days", _("A token is valid for 1 to 366 days."), field="days")
    if (
        scope != ORGANISATION
        and not RoleGrant.objects.filter(user=user, scope__in=(scope, ORGANISATION)).exists()
    ):
        raise Refused("no_role_there", _("You have no role in this event."), field="scope")
    now = timezone.now()
    if user.api_tokens.filter(revoked_at=None, expires_at__gt=now).count() >= MOST_OPEN:
        raise Conflict("too_many_tokens", _("First revoke a token you no longer use."))
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        scope=scope,
        may_write=may_write,
        hash=token_hash(text),
        expires_at=now + timedelta(days=days),
    )
    audit.append(
        token,
        "token.issued",
        actor,
        scope=ORGANISATION,
        after={"user": user.pk, "scope": str(scope), "may_write": may_write, "days": days},
    )
    return token, text


@change()
def revoke(*, token_id: uuid.UUID, user_id: int, actor: Actor) -> ApiToken:
    """Revoke a token of the caller's own account, with immediate effect. Repeating changes nothing."""
    token = ApiToken.objects.select_for_update().filter(pk=token_id, user=user_id).first()
    if token is None:
        raise NotHere("no_such_token", _("No such token."))
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        audit.append(token, "token.revoked", actor, scope=ORGANISATION)
    return token


@change()
def revoke_all(*, user_id: int, actor: Actor) -> int:
    """End every open token of an account; return how many there were."""
    tokens = list(
        ApiToken.objects.select_for_update()
        .filter(user=user_id, revoked_at=None, expires_at__gt=timezone.now())
        .order_by("pk")
    )
    for token in tokens:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        audit.append(token, "token.revoked", actor, scope=ORGANISATION)
    return len(tokens)


def holder_of(text: str) -> ApiToken | None:
    """Return the valid token with this text; ``None`` for an unknown, expired or revoked one."""
    if not text.startswith(PREFIX):
        return None
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("user")
        .filter(hash=token_hash(text), revoked_at=None, expires_at__gt=now, user__is_active=True)
        .first()
    )
    if token is not None and (token.used_at is None or token.used_at < now - _USED_EVERY):
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
    return token


def allows(token: ApiToken, method: str, scope: uuid.UUID | None) -> bool:
    """Whether the token reaches so far; what its owner may is asked besides."""
    if method not in ("GET", "HEAD", "OPTIONS") and not token.may_write:
        return False
    return token.scope in (ORGANISATION, scope)
