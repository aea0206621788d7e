"""The audit chain: written with the change, refused by the database afterwards, provable."""

from __future__ import annotations

import contextlib
import json
import re
import uuid
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test import Client

from accounts.models import Role, RoleGrant, User
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.anchors import Anchor, anchor_of, as_json, leads_through
from ledger.change import OutsideChange, change
from ledger.models import ORGANISATION, AuditEntry, AuditHead, AuditRows
from tests.tournament.build import make_event
from tournament.models import Event

SCOPE = uuid.UUID("6c0c4f3e-5f0e-4d27-9a39-2f2f6d6b0001")


@pytest.fixture
def subject(db: None) -> User:
    return User.objects.create_user("somebody")


def write(subject: User, count: int = 3) -> list[AuditEntry]:
    with change():
        return [
            audit.append(
                subject,
                "thing.changed",
                Actor.user(subject.pk),
                scope=SCOPE,
                before={"n": n},
                after={"n": n + 1},
            )
            for n in range(count)
        ]


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
    with change():
        entry = audit.append(subject, "a.b", Actor.system(), scope=other)
    assert (entry.sequence, entry.previous_hash) == (1, "")


def test_an_entry_about_an_official_row_joins_the_chain_of_its_event(subject: User) -> None:
    event = make_event(1)
    stage = event.stages.get(order=1)
    with change():
        for row in (event, stage, stage.rounds.first(), event.entrants.get()):
            assert audit.append(row, "a.b", Actor.system()).scope == event.pk
        with pytest.raises(LookupError):
            audit.append(subject, "a.b", Actor.system())
    assert list(audit.breaks(event.pk)) == []


def test_an_entry_outside_a_change_is_refused(subject: User) -> None:
    with pytest.raises(OutsideChange), transaction.atomic():
        audit.append(subject, "a.b", Actor.system(), scope=SCOPE)


@pytest.mark.guide("security#security")
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


@pytest.mark.guide("security#security")
def test_the_database_refuses_to_empty_the_log(subject: User) -> None:
    """By TRUNCATE, or by SQLite's equivalent: DELETE without a condition."""
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
        [
            "",
            str(SCOPE),
            1,
            entry.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            f"user:{subject.pk}",
            "thing.changed",
            "user",
            str(subject.pk),
            {"n": 0},
            {"n": 1},
            "",
        ],
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    import hashlib

    assert entry.hash == hashlib.sha256(content.encode()).hexdigest()


def test_a_rolled_back_change_leaves_no_entry(subject: User) -> None:
    with change():
        audit.append(subject, "a.b", Actor.system(), scope=SCOPE)
        transaction.set_rollback(True)
    assert not AuditEntry.objects.filter(scope=SCOPE).exists()
    assert list(audit.breaks(SCOPE)) == []


@pytest.mark.parametrize("kind", list(ActorKind))
def test_actors_are_written_and_read(kind: ActorKind) -> None:
    actor = Actor(kind, "17:x")
    assert Actor.parse(str(actor)) == actor


@pytest.mark.parametrize("kind", [ActorKind.DEVICE, ActorKind.SYSTEM])
def test_phones_and_the_service_are_in_an_archive_who_they_were(kind: ActorKind) -> None:
    actor = Actor(kind, "17")
    assert actor.taken_up({"17": 34}) == actor


# Changes made by an owner of the database --------------------------------------------------------


@contextlib.contextmanager
def unguarded(table: str) -> Iterator[CursorWrapper]:
    """Suspend the triggers that refuse changes, as an owner of the database could."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")
            yield cursor
            cursor.execute("SET session_replication_role = DEFAULT")
            return
        cursor.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP TRIGGER "{name}"')
        yield cursor


LOW, HIGH = "0" * 64, "f" * 64


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("model", [AuditEntry, AuditRows])
@pytest.mark.parametrize(
    ("forged", "at", "reason"),
    [
        ("sequence = 0", 0, "1 (is|are) missing"),
        ("sequence = sequence + 1", -1, "{last} (is|are) missing"),
        (f"previous_hash = '{LOW}'", 1, "(does|do) not follow from (the entry|those) before"),
        (f"previous_hash = '{HIGH}'", 1, "(does|do) not follow from (the entry|those) before"),
        (f"hash = '{LOW}'", 1, "changed after (it was|they were) written"),
        (f"hash = '{HIGH}'", 1, "changed after (it was|they were) written"),
        (f"hash = '{LOW}'", -1, "missing at the end"),
        (f"hash = '{HIGH}'", -1, "missing at the end"),
    ],
)
def test_a_forged_link_is_found_where_it_is(
    db: None, model: type[AuditEntry | AuditRows], forged: str, at: int, reason: str
) -> None:
    event = make_event(4)
    links = list(model.objects.filter(scope=event.pk).order_by("sequence"))
    assert list(audit.breaks(event.pk)) == []
    with unguarded(model._meta.db_table) as cursor:
        cursor.execute(f"UPDATE {model._meta.db_table} SET {forged} WHERE id = %s", [links[at].pk])
    said = [each.reason for each in audit.breaks(event.pk)]
    assert [each for each in said if re.search(reason.format(last=len(links)), each)]


@pytest.mark.parametrize("model", [AuditEntry, AuditRows])
def test_a_link_taken_out_is_missed(db: None, model: type[AuditEntry | AuditRows]) -> None:
    event = make_event(4)
    second = model.objects.get(scope=event.pk, sequence=2)
    with unguarded(model._meta.db_table) as cursor:
        cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE id = %s", [second.pk])
    said = [each.reason for each in audit.breaks(event.pk)]
    assert [each for each in said if re.search("2 (is|are) missing", each)]


# Anchors ----------------------------------------------------------------------------------------


def rewritten(scope: uuid.UUID, *, but: int) -> None:
    """Rewrite the chain, its head included, as an owner of the database could; the last ``but`` entries stay."""
    entries = list(AuditEntry.objects.filter(scope=scope).order_by("sequence"))
    previous = ""
    with unguarded("ledger_auditentry") as cursor:
        for entry in entries[: len(entries) - but]:
            entry.after = {"n": 34}
            entry.previous_hash, entry.hash = previous, ""
            entry.hash = previous = audit.entry_hash(entry)
            cursor.execute(
                "UPDATE ledger_auditentry SET after = %s, previous_hash = %s, hash = %s"
                " WHERE scope = %s AND sequence = %s",
                [
                    '{"n": 34}',
                    entry.previous_hash,
                    entry.hash,
                    scope.hex if connection.vendor == "sqlite" else scope,
                    entry.sequence,
                ],
            )
        for gone in entries[len(entries) - but :]:
            cursor.execute("DELETE FROM ledger_auditentry WHERE id = %s", [gone.pk])
    AuditHead.objects.filter(scope=scope).update(sequence=len(entries) - but, hash=previous)


@pytest.mark.guide("operator#anchors-and-stamps", "security#security")
@pytest.mark.parametrize("but", [0, 1], ids=["rewritten", "cut short"])
def test_a_chain_that_was_rewritten_whole_is_found_by_an_anchor(
    subject: User, tmp_path: Path, but: int
) -> None:
    write(subject)
    printed = anchor_of(SCOPE)
    saved = tmp_path / "anchors.json"
    saved.write_text(json.dumps(as_json()))
    write(subject, 2)
    expect = [f"--expect={printed}", f"--expect={saved}"]
    out = StringIO()
    call_command("audit_verify", *expect, stdout=out)
    assert f"{printed}: found" in out.getvalue()
    assert f"{saved}: all found" in out.getvalue()
    rewritten(SCOPE, but=but)
    # The chain is consistent in itself.
    call_command("audit_verify", stdout=out)
    for each in expect:
        with pytest.raises(CommandError, match=r"1 anchor\(s\) that no chain leads through"):
            call_command("audit_verify", each, stdout=out)


def test_a_chain_carries_its_anchor_whole_wherever_it_is_taken(subject: User) -> None:
    # Before the first entry no anchor is printed, and the exported chain is empty.
    assert anchor_of(SCOPE) == ""
    with change():
        empty = audit.as_json(SCOPE)
    assert (empty["entries"], empty["rows"]) == ([], [])
    assert str(empty["anchor"]).startswith("0.0.")
    anchors = []
    for count in (1, 2):
        write(subject, count)
        with change():
            taken = audit.as_json(SCOPE)
        whole = str(taken["anchor"])
        anchors.append(whole)
        assert re.fullmatch(rf"{1 if count == 1 else 3}\.0\.[0-9a-f]{{64}}", whole)
        assert whole.startswith(anchor_of(SCOPE))
        assert as_json()["anchors"][str(SCOPE)] == whole
    # The chain leads through both, and no other chain does.
    assert all(leads_through(SCOPE, anchor) for anchor in anchors)
    assert not any(leads_through(ORGANISATION, anchor) for anchor in anchors)
    # An anchor taken inside an open change covers the entries written so far.
    with change():
        audit.append(subject, "thing.changed", Actor.user(subject.pk), scope=SCOPE)
        within = str(audit.as_json(SCOPE)["anchor"])
    assert within.startswith("4.0.")
    assert leads_through(SCOPE, within)


@pytest.mark.guide("security#security")
def test_a_chain_that_is_gone_is_found_by_an_anchor(subject: User, tmp_path: Path) -> None:
    saved = tmp_path / "anchors.json"
    gone = Anchor(ORGANISATION, 3, 0, "a" * 64)
    whole = f"{gone.entries}.{gone.rows}.{gone.digest}"
    saved.write_text(json.dumps({"anchors": {str(ORGANISATION): whole}}))
    with pytest.raises(CommandError, match=r"2 anchor\(s\)"):
        call_command("audit_verify", f"--expect={saved}", f"--expect={gone}", stdout=StringIO())


@pytest.mark.parametrize("wrong", ["x", "1.2", "1.2.abc", "-1.2.0123456789abcdef"])
def test_what_is_no_anchor_is_said(subject: User, wrong: str) -> None:
    write(subject)
    with pytest.raises(CommandError, match="is no anchor"):
        call_command("audit_verify", f"--expect={wrong}", stdout=StringIO())


def test_an_event_without_its_chain_or_head_is_broken(subject: User) -> None:
    event = make_event(4)
    AuditHead.objects.filter(scope=event.pk).delete()
    assert "the head of the chain is missing" in [each.reason for each in audit.breaks(event.pk)]
    with change():
        row = Event.objects.create(name="Bare", slug="bare", day=event.day)
    AuditHead.objects.filter(scope=row.pk).delete()
    out = StringIO()
    with pytest.raises(CommandError, match=r"2 chain\(s\) broken"):
        call_command("audit_verify", stdout=out)
    assert f"{row.pk}: 0 entries, BROKEN" in out.getvalue()


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("kept", ["", "ledger_auditentry", "ledger_auditrows"])
def test_an_event_is_missed_whatever_is_left_of_its_chain(db: None, kept: str) -> None:
    event = make_event(4)
    for table in ("ledger_auditentry", "ledger_auditrows", "ledger_audithead"):
        if table != kept:
            with unguarded(table) as cursor:
                cursor.execute(f"DELETE FROM {table} WHERE scope IS NOT NULL")
    out = StringIO()
    with pytest.raises(CommandError, match="broken"):
        call_command("audit_verify", stdout=out)
    assert f"{event.pk}: " in out.getvalue()


def test_a_role_without_a_journal_is_found(subject: User) -> None:
    RoleGrant.objects.create(user=subject, scope=ORGANISATION, role=Role.ADMIN)
    with pytest.raises(CommandError, match=r"1 chain\(s\) broken"):
        call_command("audit_verify", stdout=StringIO())


@pytest.mark.parametrize(
    "lost",
    [["ledger_auditentry"], ["ledger_audithead"], ["ledger_auditentry", "ledger_audithead"]],
    ids="+".join,
)
def test_a_role_whose_journal_is_gone_is_found(subject: User, lost: list[str]) -> None:
    RoleGrant.objects.create(user=subject, scope=ORGANISATION, role=Role.ADMIN)
    with change():
        audit.append(
            subject,
            "role.granted",
            Actor.system(),
            scope=ORGANISATION,
            after={"role": Role.ADMIN},
        )
    call_command("audit_verify", stdout=StringIO())
    for table in lost:
        with unguarded(table) as cursor:
            cursor.execute(f"DELETE FROM {table} WHERE scope IS NOT NULL")
    with pytest.raises(CommandError, match=r"1 chain\(s\) broken"):
        call_command("audit_verify", stdout=StringIO())


@pytest.mark.guide("operator#anchors-and-stamps")
@pytest.mark.django_db
def test_anyone_may_save_the_anchors(client: Client) -> None:
    event = make_event(4, slug="hall")
    answer = client.get("/anchors.json")
    told = answer.json()
    assert told["anchors"].keys() == {str(event.pk)}
    assert told["anchors"][str(event.pk)].startswith(anchor_of(event.pk))
    assert "hall" not in answer.content.decode()
    page = client.get("/e/hall/standings/").content.decode()
    assert anchor_of(event.pk) in page
