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
from typing import Final

from django.db import models
from django.utils import timezone
from django.utils.functional import Promise

from .actors import Actor
from .anchors import full_anchor
from .canonical import canonical_json
from .change import lock, require_change, rows_hash
from .models import AuditEntry, AuditHead, AuditRows
from .requests import current_request_id
from .rows import event_of

WORDS: Final[dict[str, Promise]] = {}
"""Verb → what a reader of the log is shown."""


def name_verbs(subject: str, **words: Promise) -> None:
    """Add what the log shows of verbs: ``name_verbs("round", paused=_("Clock stopped"))``."""
    WORDS.update({f"{subject}.{verb}": word for verb, word in words.items()})


def _plain(value: object) -> object:
    """Return ``value`` in the form of a later read from the database (tuples as lists, ids as text)."""
    return None if value is None else json.loads(canonical_json(value))


def moment(entry: AuditEntry) -> str:
    """Return the time of an entry in the form used by its hash and by archives."""
    return entry.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def entry_hash(entry: AuditEntry) -> str:
    """Compute the hash of ``entry``: hexadecimal SHA-256."""
    content = [
        entry.previous_hash,
        str(entry.scope),
        entry.sequence,
        moment(entry),
        entry.actor,
        entry.verb,
        entry.object_type,
        entry.object_id,
        entry.before,
        entry.after,
        entry.request_id,
    ]
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def append(
    subject: models.Model,
    verb: str,
    actor: Actor,
    *,
    scope: uuid.UUID | None = None,
    before: object = None,
    after: object = None,
    at: datetime | None = None,
) -> AuditEntry:
    """Append one entry to a chain, in the change that is open.

    Args:
        subject: the row that the verb is about.
        verb: what was done, as ``object.done``.
        actor: who did it.
        scope: the chain; where it is left out, that of the event of ``subject``, an official row.
        before: JSON value that holds ids, never names; ``after`` likewise.

    Raises:
        OutsideChange: where none is open; an audit entry of a change that was rolled back, or a
            change without its entry, must not exist.
    """
    opened = require_change(verb)
    scope = scope or event_of(subject)
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
    entry.save()
    head.sequence, head.hash = entry.sequence, entry.hash
    opened.entries.append((scope, entry.sequence))
    return entry


@dataclass(frozen=True, slots=True)
class Break:
    """A place where a chain does not hold, and why."""

    scope: uuid.UUID
    sequence: int
    reason: str


def breaks(scope: uuid.UUID) -> Iterator[Break]:
    """Yield every break in the chain of ``scope``, in order."""
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
    if head is None and expected > 1:
        yield Break(scope, expected, "the head of the chain is missing")
    if head is not None and (head.sequence, head.hash) != (expected - 1, previous):
        yield Break(scope, expected, "entries are missing at the end")
    yield from _row_breaks(scope, head)


def _row_breaks(scope: uuid.UUID, head: AuditHead | None) -> Iterator[Break]:
    """Yield every break in the chain of row records."""
    previous, expected = "", 1
    for stored in AuditRows.objects.filter(scope=scope).order_by("sequence").iterator(200):
        where = f"rows {stored.sequence}, beside this entry:"
        if stored.sequence != expected:
            yield Break(scope, stored.entry, f"{where} rows {expected} are missing")
        if stored.previous_hash != previous:
            yield Break(scope, stored.entry, f"{where} do not follow from those before")
        if stored.hash != rows_hash(stored):
            yield Break(scope, stored.entry, f"{where} were changed after they were written")
        previous, expected = stored.hash, stored.sequence + 1
    if head is not None and (head.rows_sequence, head.rows_hash) != (expected - 1, previous):
        yield Break(scope, head.sequence, "rows are missing at the end")


def as_json(scope: uuid.UUID) -> dict[str, object]:
    """Return the whole chain of ``scope`` for an archive, with its head and anchor."""
    head = lock(scope)
    return {
        "scope": str(scope),
        "anchor": full_anchor(head),
        "head": {
            "sequence": head.sequence,
            "hash": head.hash,
            "rows_sequence": head.rows_sequence,
            "rows_hash": head.rows_hash,
        },
        "entries": [
            {
                "sequence": entry.sequence,
                "at": moment(entry),
                "actor": entry.actor,
                "verb": entry.verb,
                "object_type": entry.object_type,
                "object_id": entry.object_id,
                "before": entry.before,
                "after": entry.after,
                "request_id": entry.request_id,
                "previous_hash": entry.previous_hash,
                "hash": entry.hash,
            }
            for entry in AuditEntry.objects.filter(scope=scope).order_by("sequence").iterator(2000)
        ],
        "rows": [
            {
                "sequence": stored.sequence,
                "entry": stored.entry,
                "body": stored.body,
                "previous_hash": stored.previous_hash,
                "hash": stored.hash,
            }
            for stored in AuditRows.objects.filter(scope=scope).order_by("sequence").iterator(200)
        ],
    }
