"""A role written into the database by SQL is a finding of ``audit_verify``."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Role, RoleGrant, User
from accounts.roles import grant_role, revoke_role
from accounts.staff import create_first_account
from ledger.actors import Actor
from ledger.models import ORGANISATION
from tests.tournament.build import PASSWORD, SYSTEM, make_event, make_user
from tournament.services.event_copy import copy_event

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
