"""The one way to change what is official.

Every verb that writes official rows is a :func:`change`; such a row written outside one is refused
before it reaches the database (:class:`OutsideChange`)::

    @change()
    def start_round(*, round_id, actor): ...

Tests that write rows by hand do so inside ``with change():``.

It is one transaction. The rows written in it are collected; when the outermost change ends they are
appended to the chain of their event as one :class:`~ledger.models.AuditRows`, beside the last audit
entry of the change (:func:`ledger.audit.append`). A change inside another belongs to that one; if it
fails, its rows are forgotten with it.

What must follow a change hangs on the signal :data:`event_changed`: the event's version, and the
public pages that are out of date. How far a change reaches follows from the rows it wrote
(:class:`~ledger.official.Reach`, declared with each official model).

Lock order: rows are locked in this order, since two changes that locked in different orders could
wait for each other for ever: job; penal code, incident, ruling, appeal; sheet, its table, call;
stage, round, draw; the head of the event's chain (:func:`lock`); the event, its entrants, its
standings. Rows are locked with ``select_for_update(no_key=True)``, which no foreign key waits for,
and with ``of=("self",)`` where the query joins. A verb that changes the event, its players or a
standing begins with ``locked_event``, which locks the head first; adjustments are held apart by the
head alone, since a signature may bring one with it.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.dispatch import Signal

from .canonical import canonical_json
from .models import AuditHead, AuditRows
from .official import Beside, Columns, Key, Official, Reach

event_changed = Signal()
"""Sent at the end of a change, in its transaction, once for each event whose rows were written.

Receivers get ``scope`` (the event's id) and ``reach``. What must wait for the commit uses
``transaction.on_commit``.
"""


class OutsideChange(Exception):
    """An official row was written outside a change: a programming error."""


@dataclass(eq=False, slots=True)
class Change:
    """Rows and entries written so far by an open change."""

    rows: list[tuple[Official, str, Columns | None]] = field(default_factory=list)
    """Model, key and new columns (``None``: deleted) of each write, in order."""
    entries: list[tuple[uuid.UUID, int]] = field(default_factory=list)
    """Scope and number of each audit entry, in order."""
    reached: list[tuple[uuid.UUID, Reach]] = field(default_factory=list)
    """Reach of the change in an event, in addition to the reach of its rows."""
    heads: dict[uuid.UUID, AuditHead] = field(default_factory=dict)
    """Locked heads of chains, as they will be saved at the end."""
    locked: dict[tuple[str, object], Any] = field(default_factory=dict)
    """What services have locked and read: nobody else changes it until the end."""


_open: ContextVar[Change | None] = ContextVar("open_change", default=None)


def open_change() -> Change | None:
    """Return the open change of this thread, if any."""
    return _open.get()


def require_change(what: str) -> Change:
    """Return the open change; without one raise :class:`OutsideChange` naming ``what``."""
    opened = _open.get()
    if opened is None:
        raise OutsideChange(f"{what} is written outside a change")
    return opened


@contextmanager
def change() -> Iterator[Change]:
    """Open a change, or join the one that is open; also a decorator of verbs."""
    outer = _open.get()
    if outer is not None:
        written: list[list[Any]] = [outer.rows, outer.entries, outer.reached]
        lengths = [len(each) for each in written]
        heads = {scope: (head.sequence, head.hash) for scope, head in outer.heads.items()}
        try:
            with transaction.atomic():
                yield outer
        except BaseException:
            for each, length in zip(written, lengths, strict=True):
                del each[length:]
            outer.locked.clear()
            outer.heads = {scope: outer.heads[scope] for scope in heads}
            for scope, (sequence, last) in heads.items():
                outer.heads[scope].sequence, outer.heads[scope].hash = sequence, last
            raise
        return
    with transaction.atomic():
        opened = Change()
        token = _open.set(opened)
        try:
            yield opened
            if not transaction.get_rollback():
                _finish(opened)
        finally:
            _open.reset(token)


def note(of: Official, rows: Iterable[tuple[str, Columns | None]]) -> None:
    """Add rows of an official model to the open change."""
    require_change(of.model._meta.label).rows += [(of, key, values) for key, values in rows]


def raise_version(scope: uuid.UUID, reach: Reach = Reach.EVENT) -> None:
    """Invalidate the event's pages without an official write (after erasing a name)."""
    with change() as opened:
        opened.reached.append((scope, reach))


def lock(scope: uuid.UUID) -> AuditHead:
    """Lock the head of the chain of ``scope`` until the end of the transaction.

    Everything that writes to the scope passes here one at a time. Rows that others lock before they
    write are locked before this is.
    """
    opened = _open.get()
    head = opened.heads.get(scope) if opened else None
    if head is None:
        heads = AuditHead.objects.select_for_update(no_key=True).filter(scope=scope)
        head = heads.first()
        if head is None:
            AuditHead.objects.get_or_create(scope=scope)
            head = heads.get()
        if opened:
            opened.heads[scope] = head
    return head


def _finish(done: Change) -> None:
    """Append the rows written to the chains of their events, and send :data:`event_changed`."""
    ends = dict(done.entries)
    by_scope: dict[uuid.UUID, dict[Key, Columns | None]] = {}
    beside: dict[tuple[uuid.UUID, Beside], list[str]] = {}
    reached: dict[uuid.UUID, Reach] = {}
    for scope, reach in done.reached:
        reached[scope] = max(reach, reached.get(scope, reach))
    for (of, key), values in _last_columns(done).items():
        of_event = next(iter(ends)) if len(ends) == 1 else of.scope_of(key)
        # A row created and deleted in a change of several events has no event any more.
        if of_event is not None:
            by_scope.setdefault(of_event, {})[of.model._meta.label, key] = values
            reached[of_event] = max(of.reach, reached.get(of_event, of.reach))
            if of.beside and values and of.beside.columns & values.keys():
                beside.setdefault((of_event, of.beside), []).append(key)
    for (scope, commitments), keys in beside.items():
        by_scope[scope] |= commitments.record(keys)
    for scope, rows in sorted(by_scope.items()):
        append_rows(scope, ends.get(scope, 0), rows)
    for head in done.heads.values():
        head.save()
    for scope, reach in sorted(reached.items()):
        event_changed.send(Change, scope=scope, reach=reach)


def _last_columns(done: Change) -> dict[tuple[Official, str], Columns | None]:
    """Return each row once, with all written columns, in the order of the last writes."""
    columns: dict[tuple[Official, str], Columns | None] = {}
    for of, key, values in done.rows:
        before = columns.pop((of, key), None)
        columns[of, key] = values if values is None else {**(before or {}), **values}
    return columns


def append_rows(scope: uuid.UUID, entry: int, rows: dict[Key, Columns | None]) -> None:
    """Append ``rows`` to the chain of ``scope``, beside the audit entry numbered ``entry``."""
    head = lock(scope)
    appended = AuditRows(
        scope=scope,
        sequence=head.rows_sequence + 1,
        entry=entry or head.sequence,
        body=canonical_json([[label, key, values] for (label, key), values in rows.items()]),
        previous_hash=head.rows_hash,
    )
    appended.hash = rows_hash(appended)
    appended.save()
    head.rows_sequence, head.rows_hash = appended.sequence, appended.hash


def rows_hash(appended: AuditRows) -> str:
    """Compute the hash of an :class:`~ledger.models.AuditRows`: hexadecimal SHA-256."""
    content = [
        appended.previous_hash,
        str(appended.scope),
        appended.sequence,
        appended.entry,
        appended.body,
    ]
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()
