"""The second step of signing in: a code of an authenticator (TOTP, RFC 6238), or a backup code.

Optional for everybody; the setting SECOND_STEP_ROLES names roles that must have it. Codes are
checked by django-otp, which refuses a code used before; the page counts wrong ones. Backup codes
are kept as a keyed hash, each good for one sign-in.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.evidence import SECOND_STEP, account_state
from accounts.models import RoleGrant, User
from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, Refused
from ledger.models import ORGANISATION

audit.name_verbs(
    "user",
    backup_codes_renewed=_("Backup codes renewed"),
    second_step_off=_("Two-step sign-in turned off"),
    second_step_on=_("Two-step sign-in turned on"),
)

BACKUP_CODES: Final = 10
_SIGNS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


def required_of(user: User) -> bool:
    """Whether a role of ``user``, in any event, must have the second step."""
    roles = settings.SECOND_STEP_ROLES
    return bool(roles) and RoleGrant.objects.filter(user=user, role__in=roles).exists()


def gate(user: User) -> str:
    """Return the page that a signed-in member of staff must see first; empty if there is none."""
    if user.password_given:
        return "account-password"
    if user.second_step:
        return "" if user.is_verified() else "login-code"
    return "account-second-step" if required_of(user) else ""


def backup_hash(code: str) -> str:
    """Return the stored hash of a backup code: 16 hexadecimal digits of HMAC-SHA-256 with the secret key."""
    plain = "".join(sign for sign in code.lower() if sign in _SIGNS)
    digest = hmac.new(settings.SECRET_KEY.encode(), f"backup:{plain}".encode(), hashlib.sha256)
    return digest.hexdigest()[:16]


@change()
def begin(*, user_id: int) -> TOTPDevice:
    """Create a secret, not in force until :func:`confirm`; reuse an unconfirmed one."""
    user = User.objects.select_for_update().get(pk=user_id)
    if user.second_step:
        raise Conflict("second_step_on", _("Two-step sign-in is already on."))
    device = TOTPDevice.objects.filter(user=user, confirmed=False).first()
    return device or TOTPDevice.objects.create(user=user, name="totp", confirmed=False)


def secret_of(device: TOTPDevice) -> str:
    """Return the secret in base32, in groups of four, for typing by hand."""
    text = base64.b32encode(device.bin_key).decode().rstrip("=")
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))


@change()
def confirm(*, user_id: int, code: str, actor: Actor) -> tuple[TOTPDevice, list[str]] | None:
    """Put the begun secret in force by its first code; the backup codes are returned this once.

    ``None`` for a wrong code. The secret stands on the page that asks for it: nothing to guess.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    if user.second_step:
        raise Conflict("second_step_on", _("Two-step sign-in is already on."))
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
    if device is None:
        raise Conflict("second_step_not_begun", _("Start again: scan the new QR code."))
    if not (device.verify_is_allowed()[0] and device.verify_token(code)):
        return None
    device.confirmed = True
    device.save()
    user.second_step = True
    user.save(update_fields=["second_step"])
    codes = _new_codes(user)
    after = account_state(user, *SECOND_STEP)
    audit.append(user, "user.second_step_on", actor, scope=ORGANISATION, after=after)
    return device, codes


def _new_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="backup")
    codes = [
        "-".join("".join(secrets.choice(_SIGNS) for _sign in range(5)) for _half in range(2))
        for _code in range(BACKUP_CODES)
    ]
    StaticToken.objects.bulk_create(
        StaticToken(device=device, token=backup_hash(code)) for code in codes
    )
    return codes


@change()
def renew_codes(*, user_id: int, actor: Actor) -> list[str]:
    """Replace all backup codes and return the new ones, for this one time."""
    user = User.objects.select_for_update().get(pk=user_id)
    if not user.second_step:
        raise Refused("second_step_off", _("Two-step sign-in is off."))
    codes = _new_codes(user)
    after = account_state(user, "backup_codes")
    audit.append(user, "user.backup_codes_renewed", actor, scope=ORGANISATION, after=after)
    return codes


def codes_left(user: User) -> int:
    """Return the number of unused backup codes."""
    count: int = StaticToken.objects.filter(device__user=user).count()
    return count


def is_of_authenticator(code: str) -> bool:
    """Whether this is written like an authenticator's code: digits only."""
    return code.isascii() and code.isdigit()


@change()
def check(*, user_id: int, code: str) -> object:
    """Return the device that the code belongs to, or ``None``; each code works once."""
    user = User.objects.select_for_update().get(pk=user_id)
    plain = "".join(code.split())
    if is_of_authenticator(plain):
        for device in TOTPDevice.objects.select_for_update().filter(user=user, confirmed=True):
            if device.verify_is_allowed()[0] and device.verify_token(plain):
                return device
        return None
    for backup in StaticDevice.objects.select_for_update().filter(user=user, confirmed=True):
        if backup.verify_is_allowed()[0] and backup.verify_token(backup_hash(plain)):
            return backup
    return None


@change()
def turn_off(*, user_id: int, actor: Actor) -> User:
    """Forget secret and backup codes: by the owner with their password, or by the administrator."""
    user = User.objects.select_for_update().get(pk=user_id)
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    if user.second_step:
        user.second_step = False
        user.save(update_fields=["second_step"])
        after = account_state(user, *SECOND_STEP)
        audit.append(user, "user.second_step_off", actor, scope=ORGANISATION, after=after)
    return user
