"""Accounts of staff: every change is checked, locked and put in the audit chain.

A password that somebody else makes is shown once and changed at the next sign-in. The chain holds
the accounts' ids, never their names. Their roles stand in :mod:`accounts.roles`.
"""

from __future__ import annotations

import secrets
from typing import Final

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts import api_tokens, second_step
from accounts.evidence import account_state
from accounts.models import Role, RoleGrant, User
from accounts.roles import grant_role, locked_user, require_another_admin
from ledger import audit
from ledger.actors import Actor
from ledger.change import change, lock
from ledger.errors import Conflict, Refused
from ledger.models import ORGANISATION

audit.name_verbs(
    "user",
    closed=_("Account closed"),
    may_not_open_events=_("Right to open events revoked"),
    may_open_events=_("Right to open events granted"),
    created=_("Account created"),
    first=_("First account created"),
    found=_("Account found at an upgrade"),
    opened=_("Account reopened"),
    password_changed=_("Password changed"),
    password_given=_("New password set"),
    password_rehashed=_("Password stored under newer parameters at a sign-in"),
)

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without signs that are mistaken for one another when a password is read from paper."""

MOST_NAME: Final = 60


def create_password() -> str:
    """Generate a password of 16 characters in four groups: 79 bits."""
    return "-".join("".join(secrets.choice(_LETTERS) for _sign in range(4)) for _group in range(4))


@change()
def create_account(*, name: str, actor: Actor) -> tuple[User, str]:
    """Make an account; its password is returned this once. A name that is taken is refused."""
    name = User.normalize_username(name.strip())
    try:
        if not name or len(name) > MOST_NAME:
            raise ValidationError("")
        UnicodeUsernameValidator()(name)
    except ValidationError as error:
        raise Refused(
            "bad_user_name",
            _(
                "A user name has 1 to 60 letters, digits or characters from @ . + - _, without spaces."
            ),
            field="name",
        ) from error
    if User.objects.filter(username__iexact=name).exists():
        raise Conflict("user_name_taken", _("This user name is taken."), field="name")
    password = create_password()
    user = User(username=name, password_given=True)
    user.set_password(password)
    user.save()
    audit.append(user, "user.created", actor, scope=ORGANISATION, after=account_state(user))
    return user, password


@change()
def create_first_account(*, name: str, password: str) -> User:
    """Make the first account of an installation, which administers it.

    The password has passed the validators. Refused (:class:`Conflict`) once there is any account:
    of several that are sent at the same time one is made.
    """
    lock(ORGANISATION)
    if User.objects.exists():
        raise Conflict(
            "already_set_up", _("The first account already exists: sign in, or ask its owner.")
        )
    user = User.objects.create_user(username=name, password=password)
    RoleGrant.objects.create(user=user, scope=ORGANISATION, role=Role.ADMIN)
    audit.append(
        user,
        "user.first",
        Actor.user(user.pk),
        scope=ORGANISATION,
        after=account_state(user),
    )
    return user


@change()
def restore_administrator(*, name: str, actor: Actor) -> tuple[User, str]:
    """Make ``name`` an administrator with a new password, which is returned this once.

    For an installation that nobody can sign in to: an account that is missing is made, a closed one
    opened, and its second step, which may be lost, is turned off.
    """
    lock(ORGANISATION)
    user = User.objects.filter(username__iexact=name.strip()).first()
    if user is None:
        user, password = create_account(name=name, actor=actor)
    else:
        set_active(user_id=user.pk, active=True, actor=actor)
        second_step.turn_off(user_id=user.pk, actor=actor)
        password = give_password(user_id=user.pk, actor=actor)
    grant_role(user_id=user.pk, role=Role.ADMIN, scope=ORGANISATION, actor=actor)
    return user, password


@change()
def give_password(*, user_id: int, actor: Actor) -> str:
    """Replace an account's password by one that is returned this once; its tokens end."""
    password = create_password()
    _set_password(user_id, password, actor, given=True)
    return password


@change()
def change_password(*, user_id: int, password: str, actor: Actor) -> User:
    """Set the owner's own new password, already checked by the validators; their tokens end."""
    return _set_password(user_id, password, actor, given=False)


def _set_password(user_id: int, password: str, actor: Actor, *, given: bool) -> User:
    user = locked_user(user_id)
    user.set_password(password)
    user.password_given = given
    user.save(update_fields=["password", "password_given"])
    api_tokens.revoke_all(user_id=user.pk, actor=actor)
    verb = "user.password_given" if given else "user.password_changed"
    audit.append(user, verb, actor, scope=ORGANISATION, after=account_state(user, "password"))
    return user


@change()
def set_active(*, user_id: int, active: bool, actor: Actor) -> User:
    """Close or reopen an account; the last administrator's stays open. Repeating changes nothing.

    A closed account's tokens end: reopened, it makes new ones.
    """
    user = locked_user(user_id)
    if user.is_active == active:
        return user
    if not active:
        require_another_admin(user)
    user.is_active = active
    user.save(update_fields=["is_active"])
    if not active:
        api_tokens.revoke_all(user_id=user.pk, actor=actor)
    verb = "user.opened" if active else "user.closed"
    audit.append(user, verb, actor, scope=ORGANISATION, after=account_state(user, "is_active"))
    return user


@change()
def set_may_open(*, user_id: int, may: bool, actor: Actor) -> User:
    """Grant or withdraw an account's right to open and import events. Repeating changes nothing."""
    user = locked_user(user_id)
    if user.may_open_events == may:
        return user
    if may and not user.is_active:
        raise Conflict("account_closed", _("This account is closed."), field="name")
    user.may_open_events = may
    user.save(update_fields=["may_open_events"])
    verb = "user.may_open_events" if may else "user.may_not_open_events"
    audit.append(
        user, verb, actor, scope=ORGANISATION, after=account_state(user, "may_open_events")
    )
    return user
