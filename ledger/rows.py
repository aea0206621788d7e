"""The rows that a transaction wrote: the part of the record from which an event can be rebuilt.

An audit entry says what happened. Beside it this module keeps what the official tables hold
because of it: every transaction that writes official rows ends by appending one
:class:`~ledger.models.AuditRows`, which lists each row with its new columns (or that it is gone),
in a hash chain of its own per event. It is written in the same transaction, so there is no change
without its rows and no rows without their change. ``manage.py replay`` rebuilds an event from
these alone.

What is official is told at start-up (:func:`official`), model by model: how the event is found,
columns that are left out (secrets, who holds the pen), and free texts. Of a free text only a
digest is kept, since it may name somebody; the chain must stay valid when a person is erased.

Rows are noticed through the models' signals and :class:`RecordedManager`; what goes round both
(SQL by hand) is not, and is found by the replay.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import wraps
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.models.signals import post_delete, post_save

from .canonical import canonical_json

Columns = dict[str, Any]
Key = tuple[str, str]
"""Label of a model and primary key as text."""
CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class Official:
    """A model whose rows are official state."""

    model: type[models.Model]
    scope: str
    """Lookup from a row to the id of its event."""
    fields: tuple[models.Field[Any, Any], ...]
    """The columns that count, without the primary key."""
    digested: frozenset[str]
    """Columns of free text, of which a digest is kept."""


_official: dict[type[models.Model], Official] = {}


def official(
    model: type[models.Model], scope: str, *, without: Sequence[str] = (), digested: Sequence[str] = ()
) -> None:  # fmt: skip
    """Declare that the rows of ``model`` are official; its manager must be a RecordedManager.

    Raises LookupError for a column that is not there, TypeError for another manager.
    """
    if not isinstance(model._default_manager, RecordedManager):
        raise TypeError(f"{model._meta.label} needs a RecordedManager")
    known = {field.name for field in model._meta.concrete_fields}
    if unknown := {*without, *digested} - known:
        raise LookupError(f"{model._meta.label} has no {min(unknown)}")
    fields = tuple(
        field
        for field in model._meta.concrete_fields
        if not field.primary_key and field.name not in without
    )
    _official[model] = Official(model, scope, fields, frozenset(digested))
    post_save.connect(_saved, sender=model, dispatch_uid="ledger.rows")
    post_delete.connect(_deleted, sender=model, dispatch_uid="ledger.rows")


def declared() -> list[Official]:
    """Every official model, as declared."""
    return list(_official.values())


# What a row is in the record --------------------------------------------------------------------


def digest(text: str) -> str:
    """What stands in the record for a free text; an empty text stays empty."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:32]}" if text else ""


def column(of: Official, field: models.Field[Any, Any], value: Any) -> Any:
    """A column's value as the record holds it."""
    if value is None or isinstance(field, models.JSONField):
        return value
    value = field.get_prep_value(value)
    if field.name in of.digested:
        return digest(str(value))
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def columns(
    instance: models.Model,
    fields: Iterable[models.Field[Any, Any]] | None = None,
    of: Official | None = None,
) -> Columns:
    """The columns of a row as the record holds them, by attribute name."""
    of = of or _official[type(instance)]
    absent = instance.get_deferred_fields()
    return {
        field.attname: column(of, field, getattr(instance, field.attname))
        for field in (of.fields if fields is None else fields)
        if field.attname not in absent
    }


# Noticing ---------------------------------------------------------------------------------------


class _Pending:
    """Kept among the transaction's commit hooks, so that a savepoint rolled back takes it away."""

    def __call__(self) -> None:
        """Nothing is left to do when the transaction has ended."""


@dataclass(eq=False)
class _Wrote(_Pending):
    label: str
    rows: list[tuple[str, Columns | None]]
    __call__ = _Pending.__call__


@dataclass(eq=False)
class _Appended(_Pending):
    scope: uuid.UUID
    sequence: int
    __call__ = _Pending.__call__


class _Sealed(_Pending):
    pass


def _note(model: type[models.Model], rows: list[tuple[str, Columns | None]]) -> None:
    """Remember rows until the transaction ends; a row written outside one makes its own."""
    if not rows:
        return
    if not connections[DEFAULT_DB_ALIAS].in_atomic_block:
        with transaction.atomic():
            _note(model, rows)
        return
    transaction.on_commit(_Wrote(model._meta.label, rows))


def appended(scope: uuid.UUID, sequence: int) -> None:
    """The audit log tells that this transaction appended an entry."""
    transaction.on_commit(_Appended(scope, sequence))


def _saved(
    sender: type[models.Model], instance: models.Model, created: bool, raw: bool, using: str,
    update_fields: frozenset[str] | None, **_more: Any,
) -> None:  # fmt: skip
    if raw or using != DEFAULT_DB_ALIAS:
        return
    fields = [
        field
        for field in _official[sender].fields
        if created or update_fields is None or {field.name, field.attname} & update_fields
    ]
    if not fields:
        return
    if any(hasattr(getattr(instance, field.attname), "resolve_expression") for field in fields):
        _note_again(sender, [instance.pk], fields)
        return
    _note(sender, [(str(instance.pk), columns(instance, fields))])


def _deleted(sender: type[models.Model], instance: models.Model, using: str, **_more: Any) -> None:
    if using == DEFAULT_DB_ALIAS:
        _note(sender, [(str(instance.pk), None)])


def _note_again(
    model: type[models.Model], keys: Sequence[Any], fields: Sequence[models.Field[Any, Any]]
) -> None:
    """Rows as the database holds them now."""
    names = [field.attname for field in fields]
    rows: list[tuple[str, Columns | None]] = []
    for start in range(0, len(keys), CHUNK):
        there = model._base_manager.filter(pk__in=keys[start : start + CHUNK]).only(*names)
        rows += [(str(row.pk), columns(row, fields)) for row in there]
    _note(model, rows)


class RecordedQuerySet(models.QuerySet[Any]):
    """A query set whose writes without signals are noticed too."""

    def update(self, **kwargs: Any) -> int:
        """As Django's; the rows are read again afterwards."""
        of = _official.get(self.model)
        fields = [
            field
            for field in (of.fields if of else ())
            if field.name in kwargs or field.attname in kwargs
        ]
        if not fields or (self._db or DEFAULT_DB_ALIAS) != DEFAULT_DB_ALIAS:
            return super().update(**kwargs)
        with transaction.atomic(savepoint=False):
            keys = list(self.order_by().values_list("pk", flat=True))
            changed = super().update(**kwargs)
            _note_again(self.model, keys, fields)
        return changed

    update.alters_data = True  # type: ignore[attr-defined]

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """As Django's."""
        of = _official.get(self.model)
        if of is None or (self._db or DEFAULT_DB_ALIAS) != DEFAULT_DB_ALIAS:
            return super().bulk_create(objs, *args, **kwargs)
        with transaction.atomic(savepoint=False):
            made = super().bulk_create(objs, *args, **kwargs)
            _note(self.model, [(str(row.pk), columns(row)) for row in made])
        return made

    bulk_create.alters_data = True  # type: ignore[attr-defined]


class RecordedManager(models.Manager.from_queryset(RecordedQuerySet)):  # type: ignore[misc]
    """The manager of every official model."""


# Sealing ----------------------------------------------------------------------------------------


def install() -> None:
    """Let every outermost transaction of the default database end by sealing its rows."""
    leave = transaction.Atomic.__exit__
    if hasattr(leave, "__wrapped__"):
        return

    @wraps(leave)
    def leaves(self: transaction.Atomic, kind: Any, error: Any, traceback: Any) -> None:
        if kind is None and _is_last(self):
            try:
                _seal()
            except BaseException as failed:
                leave(self, type(failed), failed, failed.__traceback__)
                raise
        leave(self, kind, error, traceback)

    transaction.Atomic.__exit__ = leaves  # type: ignore[method-assign]


def _is_last(block: transaction.Atomic) -> bool:
    """Whether leaving ``block`` ends the transaction (or would, but for a test's own around it)."""
    connection = connections[block.using or DEFAULT_DB_ALIAS]
    blocks = connection.atomic_blocks
    return (
        connection.alias == DEFAULT_DB_ALIAS
        and bool(blocks)
        and blocks[-1] is block
        and not block._from_testcase  # type: ignore[attr-defined]
        and all(outer._from_testcase for outer in blocks[:-1])
        and not connection.needs_rollback
        and not connection.closed_in_transaction
    )


def _pending() -> list[_Pending]:
    """What was noted since the last seal, in order."""
    found: list[_Pending] = []
    for _savepoints, hook, _robust in reversed(connections[DEFAULT_DB_ALIAS].run_on_commit):
        if isinstance(hook, _Sealed):
            break
        if isinstance(hook, _Pending):
            found.append(hook)
    return found[::-1]


def _seal() -> None:
    """Append the rows noted in this transaction to the chains of their events."""
    pending = _pending()
    rows: dict[Key, Columns | None] = {}
    for noted in pending:
        if isinstance(noted, _Wrote):
            for key, values in noted.rows:
                place = (noted.label, key)
                before = rows.get(place)
                # The last write comes last: rows are read back in the order they were written in.
                rows.pop(place, None)
                rows[place] = values if values is None else {**(before or {}), **values}
    if not rows:
        return
    ends = {noted.scope: noted.sequence for noted in pending if isinstance(noted, _Appended)}
    for scope, part in _by_scope(rows, ends).items():
        append_rows(scope, ends.get(scope, 0), part)
    transaction.on_commit(_Sealed())


def _by_scope(
    rows: dict[Key, Columns | None], ends: dict[uuid.UUID, int]
) -> dict[uuid.UUID, dict[Key, Columns | None]]:
    """Each event's rows: a transaction that wrote to one chain wrote the rows of its event."""
    if len(ends) == 1:
        return {next(iter(ends)): rows}
    by_label = {of.model._meta.label: of for of in _official.values()}
    found: dict[uuid.UUID, dict[Key, Columns | None]] = {}
    for (label, key), values in rows.items():
        of = by_label[label]
        scope = of.model._base_manager.filter(pk=key).values_list(of.scope, flat=True).first()
        # A row made and taken away again in a transaction that says nothing of it left no trace.
        if scope is not None:
            found.setdefault(scope, {})[label, key] = values
    return found


def locked_head(scope: uuid.UUID) -> Any:
    """The head of the chain of ``scope``, made at first use, locked until the transaction's end."""
    from .models import AuditHead

    heads = AuditHead.objects.select_for_update(no_key=True).filter(scope=scope)
    head = heads.first()
    if head is None:
        AuditHead.objects.get_or_create(scope=scope)
        head = heads.get()
    return head


def append_rows(scope: uuid.UUID, entry: int, rows: dict[Key, Columns | None]) -> None:
    """Append ``rows`` to the chain of ``scope``, beside the audit entry numbered ``entry``."""
    from .models import AuditRows

    head = locked_head(scope)
    made = AuditRows(
        scope=scope, sequence=head.rows_sequence + 1, entry=entry or head.sequence,
        body=canonical_json([[label, key, values] for (label, key), values in rows.items()]),
        previous_hash=head.rows_hash,
    )  # fmt: skip
    made.hash = rows_hash(made)
    made.save(force_insert=True)
    head.rows_sequence, head.rows_hash = made.sequence, made.hash
    head.save(update_fields=["rows_sequence", "rows_hash"])


def rows_hash(made: Any) -> str:
    """The hash that an :class:`~ledger.models.AuditRows` must carry: hexadecimal SHA-256."""
    content = [made.previous_hash, str(made.scope), made.sequence, made.entry, made.body]
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


# Events from before ------------------------------------------------------------------------------


def rows_of(of: Official, scope: uuid.UUID, using: str = DEFAULT_DB_ALIAS) -> Iterator[Any]:
    """The rows of an official model that belong to the event ``scope``, by primary key."""
    there = of.model._base_manager.using(using).filter(**{of.scope: scope})
    return there.order_by("pk").iterator(CHUNK)


@transaction.atomic
def begin(scope: uuid.UUID) -> int:
    """Take down the rows of an event whose chain has none yet; how many rows that were.

    An event from before the record kept rows begins its rows here, with the state it has.
    """
    from .models import AuditRows

    if AuditRows.objects.filter(scope=scope).exists():
        return 0
    rows: dict[Key, Columns | None] = {
        (of.model._meta.label, str(row.pk)): columns(row)
        for of in declared()
        for row in rows_of(of, scope)
    }
    if rows:
        append_rows(scope, 0, rows)
    return len(rows)
