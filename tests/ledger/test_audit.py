"""The audit chain: written with the change, refused by the database afterwards, provable."""

from __future__ import annotations

import json
import uuid
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.transaction import TransactionManagementError

from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.models import AuditEntry, AuditHead, User

SCOPE = uuid.UUID("6c0c4f3e-5f0e-4d27-9a39-2f2f6d6b0001")


@pytest.fixture
def subject(db: None) -> User:
    return User.objects.create_user("somebody")


def write(subject: User, count: int = 3) -> list[AuditEntry]:
    with transaction.atomic():
        return [
            audit.append(
                scope=SCOPE, actor=Actor.user(subject.pk), verb="thing.changed", subject=subject,
                before={"n": n}, after={"n": n + 1},
            )
            for n in range(count)
        ]  # fmt: skip


def test_entries_are_chained_per_scope(subject: User) -> None:
    first, second, third = write(subject)
    assert [e.sequence for e in (first, second, third)] == [1, 2, 3]
    assert first.previous_hash == ""
    assert second.previous_hash == first.hash
    assert third.previous_hash == second.hash
    assert list(audit.breaks(SCOPE)) == []


def test_chains_of_two_scopes_do_not_touch(subject: User) -> None:
    write(subject)
    other = uuid.uuid4()
    with transaction.atomic():
        entry = audit.append(scope=other, actor=Actor.system(), verb="a.b", subject=subject)
    assert (entry.sequence, entry.previous_hash) == (1, "")


@pytest.mark.django_db(transaction=True)
def test_an_entry_outside_a_transaction_is_refused() -> None:
    user = User.objects.create_user("somebody")
    with pytest.raises(TransactionManagementError):
        audit.append(scope=SCOPE, actor=Actor.system(), verb="a.b", subject=user)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_auditentry SET verb = 'other'",
        "DELETE FROM ledger_auditentry",
    ],
)
def test_the_database_refuses_to_change_the_log(subject: User, statement: str) -> None:
    write(subject)
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as c,
    ):
        c.execute(statement)
    assert AuditEntry.objects.filter(scope=SCOPE, verb="thing.changed").count() == 3


def test_the_database_refuses_to_empty_the_log(subject: User) -> None:
    """By TRUNCATE, or by what SQLite has for it: DELETE without a condition."""
    write(subject)
    empty = {"postgresql": "TRUNCATE", "sqlite": "DELETE FROM"}[connection.vendor]
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as c,
    ):
        c.execute(f"{empty} ledger_auditentry")


def test_a_change_behind_the_database_s_back_is_named(subject: User) -> None:
    _one, two, _three = write(subject)
    forged = AuditEntry.objects.get(pk=two.pk)
    forged.after = {"n": 99}
    assert audit.entry_hash(forged) != two.hash


def test_the_loss_of_the_last_entries_is_noticed(subject: User) -> None:
    write(subject)
    AuditHead.objects.filter(scope=SCOPE).update(sequence=4, hash="f" * 64)
    assert [b.reason for b in audit.breaks(SCOPE)] == ["entries are missing at the end"]


def test_verify_command_says_whole_or_broken(subject: User) -> None:
    write(subject)
    out = StringIO()
    call_command("audit_verify", str(SCOPE), stdout=out)
    assert f"{SCOPE}: 3 entries, whole" in out.getvalue()
    AuditHead.objects.filter(scope=SCOPE).update(hash="0" * 64)
    with pytest.raises(CommandError, match=r"1 chain\(s\) broken"):
        call_command("audit_verify", stdout=out)


def test_the_hash_is_that_of_the_documented_bytes(subject: User) -> None:
    entry = write(subject, 1)[0]
    content = json.dumps(
        ["", str(SCOPE), 1, entry.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), f"user:{subject.pk}",
         "thing.changed", "user", str(subject.pk), {"n": 0}, {"n": 1}, ""],
        sort_keys=True, separators=(",", ":"), ensure_ascii=False,
    )  # fmt: skip
    import hashlib

    assert entry.hash == hashlib.sha256(content.encode()).hexdigest()


def test_a_rolled_back_change_leaves_no_entry(subject: User) -> None:
    with transaction.atomic():
        audit.append(scope=SCOPE, actor=Actor.system(), verb="a.b", subject=subject)
        transaction.set_rollback(True)
    assert not AuditEntry.objects.filter(scope=SCOPE).exists()
    assert list(audit.breaks(SCOPE)) == []


@pytest.mark.parametrize("kind", list(ActorKind))
def test_actors_are_written_and_read(kind: ActorKind) -> None:
    actor = Actor(kind, "17:x")
    assert Actor.parse(str(actor)) == actor
