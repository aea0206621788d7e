"""The append-only audit log: one hash chain per scope, written with the change it records.

Each entry's hash is SHA-256 over the canonical JSON (sorted keys, no spaces, UTF-8) of its content
together with the hash of the entry before it, so that a changed, missing or inserted row breaks
the chain from there on.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from . import rows
from .actors import Actor
from .canonical import canonical_json
from .models import AuditEntry, AuditHead, AuditRows
from .requests import current_request_id


def _plain(value: Any) -> Any:
    """``value`` as the database will give it back (tuples as lists, ids as text)."""
    return None if value is None else json.loads(canonical_json(value))


def entry_hash(entry: AuditEntry) -> str:
    """The hash that ``entry`` must carry: hexadecimal SHA-256."""
    content = [
        entry.previous_hash,
        str(entry.scope),
        entry.sequence,
        entry.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        entry.actor,
        entry.verb,
        entry.object_type,
        entry.object_id,
        entry.before,
        entry.after,
        entry.request_id,
    ]
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def lock(scope: uuid.UUID) -> AuditHead:
    """The head of the chain of ``scope``, locked until the end of the transaction.

    Everything that writes to the scope passes here one at a time. Rows that others lock before they
    write (docs/architecture.md, "Lock order") are locked before this is.
    """
    found: AuditHead = rows.locked_head(scope)
    return found


def append(
    *,
    scope: uuid.UUID,
    actor: Actor,
    verb: str,
    subject: models.Model,
    before: Any = None,
    after: Any = None,
    at: datetime | None = None,
) -> AuditEntry:
    """Append one entry to the chain of ``scope``, in the transaction of the change itself.

    ``before`` and ``after`` are JSON values that hold ids, never names. Raises
    ``TransactionManagementError`` outside a transaction: an audit entry of a change that was
    rolled back, or a change without its entry, must not exist.
    """
    connection = transaction.get_connection()
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            "an audit entry is written in the transaction of the change it records"
        )
    head = lock(scope)
    entry = AuditEntry(
        scope=scope,
        sequence=head.sequence + 1,
        at=at or timezone.now(),
        actor=str(actor),
        verb=verb,
        object_type=subject._meta.label_lower.rpartition(".")[2],
        object_id=str(subject.pk),
        before=_plain(before),
        after=_plain(after),
        request_id=current_request_id.get(),
        previous_hash=head.hash,
    )
    entry.hash = entry_hash(entry)
    entry.save(force_insert=True)
    head.sequence, head.hash = entry.sequence, entry.hash
    head.save(update_fields=["sequence", "hash"])
    rows.appended(scope, entry.sequence)
    return entry


@dataclass(frozen=True, slots=True)
class Break:
    """A place where a chain does not hold, and why."""

    scope: uuid.UUID
    sequence: int
    reason: str


def breaks(scope: uuid.UUID) -> Iterator[Break]:
    """Every place where the chain of ``scope`` does not hold, in order; none when it is whole."""
    previous, expected = "", 1
    for entry in AuditEntry.objects.filter(scope=scope).order_by("sequence").iterator(2000):
        if entry.sequence != expected:
            yield Break(scope, expected, f"entry {expected} is missing")
        if entry.previous_hash != previous:
            yield Break(scope, entry.sequence, "does not follow from the entry before it")
        if entry.hash != entry_hash(entry):
            yield Break(scope, entry.sequence, "was changed after it was written")
        previous, expected = entry.hash, entry.sequence + 1
    head = AuditHead.objects.filter(scope=scope).first()
    if head is not None and (head.sequence, head.hash) != (expected - 1, previous):
        yield Break(scope, expected, "entries are missing at the end")
    yield from _row_breaks(scope, head)


def _row_breaks(scope: uuid.UUID, head: AuditHead | None) -> Iterator[Break]:
    """Every place where the chain of the rows written does not hold."""
    previous, expected = "", 1
    for kept in AuditRows.objects.filter(scope=scope).order_by("sequence").iterator(200):
        where = f"rows {kept.sequence}, beside this entry:"
        if kept.sequence != expected:
            yield Break(scope, kept.entry, f"{where} rows {expected} are missing")
        if kept.previous_hash != previous:
            yield Break(scope, kept.entry, f"{where} do not follow from those before")
        if kept.hash != rows.rows_hash(kept):
            yield Break(scope, kept.entry, f"{where} were changed after they were written")
        previous, expected = kept.hash, kept.sequence + 1
    if head is not None and (head.rows_sequence, head.rows_hash) != (expected - 1, previous):
        yield Break(scope, head.sequence, "rows are missing at the end")
