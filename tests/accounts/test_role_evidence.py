"""Roles, flags, passwords and second steps written by SQL are findings of ``audit_verify`` and ``replay``."""

from __future__ import annotations

from contextlib import suppress
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.core.management import CommandError, call_command
from django.db import connection
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import second_step, staff
from accounts.evidence import mark_accounts
from accounts.models import Role, RoleGrant, User
from accounts.roles import grant_role, revoke_role
from accounts.staff import create_first_account
from ledger.actors import Actor
from ledger.models import ORGANISATION, AuditEntry, Sealed
from tests.tournament.build import PASSWORD, SYSTEM, make_event, make_user
from tournament.services.deleted import undo_deletion
from tournament.services.event_copy import copy_event
from tournament.services.event_life import delete_event

pytestmark = pytest.mark.django_db


def verify() -> str:
    out = StringIO()
    try:
        call_command("audit_verify", stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}\n{error}"
    return out.getvalue()


def test_roles_given_in_every_way_have_their_entry() -> None:
    first = create_first_account(name="first", password=PASSWORD)
    event = make_event(0)
    user = make_user("referee", event, "referee")
    grant_role(user_id=user.pk, role="reader", scope=event.pk, actor=SYSTEM)
    revoke_role(user_id=user.pk, role="reader", scope=event.pk, actor=SYSTEM)
    copy_event(
        event_id=event.pk, name="Copy", day=event.day, staff=True, actor=Actor.user(first.pk)
    )
    User.objects.create_superuser("second", password=PASSWORD)
    assert "BROKEN" not in verify()


@pytest.mark.parametrize("organisation", [False, True])
def test_a_role_by_sql_is_a_finding(organisation: bool) -> None:
    event = make_event(0)
    user = make_user("quiet", event, "reader")
    scope, role = (ORGANISATION, Role.ADMIN) if organisation else (event.pk, Role.DIRECTOR)
    RoleGrant.objects.bulk_create([RoleGrant(user=user, scope=scope, role=role)])
    assert f"account {user.pk} holds the role {role.value}, which no entry grants" in verify()


def test_a_revoked_role_that_is_written_back_is_a_finding() -> None:
    event = make_event(0)
    user = make_user("back", event, "reader")
    revoke_role(user_id=user.pk, role="reader", scope=event.pk, actor=SYSTEM)
    RoleGrant.objects.bulk_create([RoleGrant(user=user, scope=event.pk, role=Role.READER)])
    assert "holds the role reader, which no entry grants" in verify()


def proofs() -> list[str]:
    """Return the findings of both commands."""
    out = StringIO()
    with suppress(CommandError):
        call_command("replay", stdout=out)
    return [verify(), out.getvalue()]


@pytest.mark.guide("security#security")
def test_a_role_taken_by_sql_is_a_finding() -> None:
    event = make_event(0)
    user = make_user("quiet", event, "referee")
    RoleGrant.objects.filter(user=user).delete()
    assert f"account {user.pk} has lost the role referee, which no entry revokes" in verify()


def test_the_roles_of_a_deleted_event_are_no_finding_nor_those_that_came_back() -> None:
    event = make_event(0)
    make_user("director", event, "director")
    delete_event(event_id=event.pk, actor=SYSTEM)
    assert "BROKEN" not in verify()
    undo_deletion(sealed_id=Sealed.objects.get().pk, actor=SYSTEM)
    assert "BROKEN" not in verify()


FORGED: dict[str, dict[str, object]] = {
    "password": {"password": make_password("another")},
    "may_open_events": {"may_open_events": True},
    "is_active": {"is_active": False},
    "second_step": {"second_step": False},
}


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("column", FORGED)
def test_what_sql_changes_of_an_account_is_a_finding(column: str) -> None:
    user = with_second_step()
    assert proofs()[0].count("BROKEN") == 0
    with connection.cursor() as cursor:
        ((name, value),) = FORGED[column].items()
        cursor.execute(f"UPDATE ledger_user SET {name} = %s WHERE id = %s", [value, user.pk])
    for told in proofs():
        assert f"account {user.pk}: {column} is not as in the last entry about it" in told


def test_an_account_changed_by_sql_makes_no_backup_a_damaged_one() -> None:
    make_event(4)
    User.objects.create_user("by-sql", password=PASSWORD, may_open_events=True)
    assert "DIFFERENCE" in proofs()[1]
    out = StringIO()
    call_command("replay", events_only=True, stdout=out)
    assert "DIFFERENCE" not in out.getvalue()


def test_no_other_act_covers_up_a_password_by_sql() -> None:
    user = make_user("victim")
    forged = make_password("another", hasher="pbkdf2_sha256")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_user SET password = %s WHERE id = %s", [forged, user.pk])
    # The sign-in stores it anew, and the account changes in other ways.
    assert User.objects.get(pk=user.pk).check_password("another")
    assert User.objects.get(pk=user.pk).password.startswith("argon2")
    staff.set_may_open(user_id=user.pk, may=True, actor=SYSTEM)
    assert f"account {user.pk}: password is not as in the last entry about it" in verify()


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("part", ["authenticator", "backup_codes"])
def test_a_second_step_exchanged_by_sql_is_a_finding(part: str) -> None:
    user = with_second_step()
    with connection.cursor() as cursor:
        if part == "authenticator":
            cursor.execute("UPDATE otp_totp_totpdevice SET key = %s", ["ab" * 20])
        else:
            cursor.execute("UPDATE otp_static_statictoken SET token = %s", ["0123456789abcdef"])
    for told in proofs():
        assert f"account {user.pk}: {part} is not as in the last entry about it" in told


def with_second_step() -> User:
    """Return an account with a second step, one of whose backup codes is used."""
    user = make_user("stepper")
    device = second_step.begin(user_id=user.pk)
    code = f"{totp(device.bin_key):06d}"
    put_on = second_step.confirm(user_id=user.pk, code=code, actor=Actor.user(user.pk))
    assert put_on is not None
    assert second_step.check(user_id=user.pk, code=put_on[1][0]) is not None
    return user


def test_every_change_of_an_account_by_its_service_is_no_finding() -> None:
    user, other = with_second_step(), make_user("other")
    by = Actor.user(other.pk)
    second_step.renew_codes(user_id=user.pk, actor=by)
    second_step.turn_off(user_id=user.pk, actor=by)
    staff.set_may_open(user_id=user.pk, may=True, actor=by)
    staff.set_active(user_id=user.pk, active=False, actor=by)
    staff.give_password(user_id=user.pk, actor=by)
    staff.set_active(user_id=user.pk, active=True, actor=by)
    assert "BROKEN" not in verify()


def test_a_password_stored_anew_at_the_sign_in_has_its_entry(settings: Any) -> None:
    user = make_user("older")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    staff.change_password(user_id=user.pk, password=PASSWORD, actor=Actor.user(user.pk))
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.ScryptPasswordHasher",
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    ]
    assert User.objects.get(pk=user.pk).check_password(PASSWORD)
    assert User.objects.get(pk=user.pk).password.startswith("scrypt")
    assert "BROKEN" not in verify()


def test_the_entries_hold_no_hash_itself() -> None:
    user = with_second_step()
    entries = str(list(AuditEntry.objects.values_list("after", flat=True)))
    user.refresh_from_db()
    secrets = [user.password, *TOTPDevice.objects.values_list("key", flat=True)]
    secrets += StaticToken.objects.values_list("token", flat=True)
    assert [each for each in secrets if each in entries] == []


def test_accounts_of_an_earlier_release_are_recorded_once() -> None:
    old = User.objects.create_user("old", password=PASSWORD)
    assert mark_accounts() == 1
    User.objects.create_user("by-sql", password=PASSWORD, may_open_events=True)
    assert mark_accounts() == 0
    told = verify()
    assert f"account {old.pk}:" not in told
    assert "may_open_events is not as in the last entry about it" in told
