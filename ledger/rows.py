"""Registry of official models, and the recording of their rows.

An audit entry records an action. A second hash chain per event records the resulting rows of the
official tables: each row that a :func:`~ledger.change.change` wrote, with its new columns or a mark
of deletion. ``manage.py replay`` rebuilds an event from these row records alone.

Official models are declared at start-up (:func:`official`): the path to the event, columns to leave
out (secrets, the writing device), and free texts. The record holds only a digest of a free text, since
the text may name a person and the chain must stay valid after erasure.

Writes are noticed through the models' signals and :class:`RecordedManager`. Raw SQL bypasses both;
the replay detects such writes.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from django.db import DEFAULT_DB_ALIAS, models, transaction
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save

from .change import append_rows, change, note, require_change
from .models import AuditRows
from .official import Beside, Columns, Key, Official, Reach, column

CHUNK: Final = 500


_official: dict[type[models.Model], Official] = {}
_comparisons: list[Callable[[uuid.UUID], Iterator[str]]] = []


def official(
    model: type[models.Model],
    scope: str,
    *,
    without: Sequence[str] = (),
    digested: Sequence[str] = (),
    reach: Reach = Reach.EVENT,
    beside: Beside | None = None,
) -> None:
    """Declare that the rows of ``model`` are official; its manager must be a RecordedManager.

    Raises LookupError for a column that is not there, TypeError for another manager.
    """
    if not isinstance(model._default_manager, RecordedManager):
        raise TypeError(f"{model._meta.label} needs a RecordedManager")
    known = {field.name for field in model._meta.concrete_fields}
    if unknown := {*without, *(name.partition(".")[0] for name in digested)} - known:
        raise LookupError(f"{model._meta.label} has no {min(unknown)}")
    fields = tuple(
        field
        for field in model._meta.concrete_fields
        if not field.primary_key and field.name not in without
    )
    _official[model] = Official(model, scope, fields, frozenset(digested), reach, beside)
    pre_save.connect(_before_save, sender=model, dispatch_uid="ledger.rows")
    pre_delete.connect(_before_delete, sender=model, dispatch_uid="ledger.rows")
    post_save.connect(_saved, sender=model, dispatch_uid="ledger.rows")
    post_delete.connect(_deleted, sender=model, dispatch_uid="ledger.rows")


def declared() -> list[Official]:
    """Return every official model, as declared."""
    return list(_official.values())


def event_of(row: models.Model) -> uuid.UUID:
    """Return the event of an official row, through the rows it belongs to; LookupError for any other row."""
    *path, last = _official[type(row)].scope.split("__")
    for name in path:
        row = getattr(row, name)
    attnames = {"pk": "pk", **{field.name: field.attname for field in row._meta.concrete_fields}}
    event: uuid.UUID = getattr(row, attnames[last])
    return event


def columns(
    instance: models.Model,
    fields: Iterable[models.Field[object, object]] | None = None,
    of: Official | None = None,
) -> Columns:
    """Return the columns of a row in the form of the record, by attribute name."""
    of = of or _official[type(instance)]
    absent = instance.get_deferred_fields()
    return {
        field.attname: column(of, field, getattr(instance, field.attname))
        for field in (of.fields if fields is None else fields)
        if field.attname not in absent
    }


# Noticing ---------------------------------------------------------------------------------------


def _before_save(
    sender: type[models.Model],
    raw: bool,
    using: str,
    update_fields: frozenset[str] | None,
    **_more: object,
) -> None:
    of = _official[sender]
    if not raw and using == DEFAULT_DB_ALIAS and _fields_written(of, update_fields):
        require_change(of.model._meta.label)


def _before_delete(sender: type[models.Model], using: str, **_more: object) -> None:
    if using == DEFAULT_DB_ALIAS:
        require_change(sender._meta.label)


def _fields_written(
    of: Official, names: Iterable[str] | None
) -> list[models.Field[object, object]]:
    """Return the official fields among ``names``; all official fields without names."""
    if names is None:
        return list(of.fields)
    return [field for field in of.fields if {field.name, field.attname} & set(names)]


def _saved(
    sender: type[models.Model],
    instance: models.Model,
    created: bool,
    raw: bool,
    using: str,
    update_fields: frozenset[str] | None,
    **_more: object,
) -> None:
    if raw or using != DEFAULT_DB_ALIAS:
        return
    fields = _fields_written(_official[sender], None if created else update_fields)
    if not fields:
        return
    if any(hasattr(getattr(instance, field.attname), "resolve_expression") for field in fields):
        _note_again(_official[sender], [instance.pk], fields)
        return
    note(_official[sender], [(str(instance.pk), columns(instance, fields))])


def _deleted(
    sender: type[models.Model], instance: models.Model, using: str, **_more: object
) -> None:
    if using == DEFAULT_DB_ALIAS:
        note(_official[sender], [(str(instance.pk), None)])


def _note_again(
    of: Official, keys: Sequence[object], fields: Sequence[models.Field[object, object]]
) -> None:
    """Record the rows as they are in the database now."""
    names = [field.attname for field in fields]
    rows: list[tuple[str, Columns | None]] = []
    for start in range(0, len(keys), CHUNK):
        there = of.model._base_manager.filter(pk__in=keys[start : start + CHUNK]).only(*names)
        rows += [(str(row.pk), columns(row, fields)) for row in there]
    note(of, rows)


Row = TypeVar("Row", bound=models.Model)


class RecordedQuerySet(models.QuerySet[Row]):
    """A query set whose writes without signals are noticed too."""

    def _elsewhere(self) -> bool:
        """Return whether it writes to another database than the default one."""
        # A query set for update is routed as a write.
        return self.select_for_update().db != DEFAULT_DB_ALIAS

    def update(self, **kwargs: object) -> int:
        """Call Django's ``update`` and record the changed rows."""
        of = _official.get(self.model)
        if of is None or self._elsewhere():
            return super().update(**kwargs)
        fields = _fields_written(of, kwargs)
        if not fields:
            return super().update(**kwargs)
        require_change(of.model._meta.label)
        with transaction.atomic(savepoint=False):
            keys = list(self.order_by().values_list("pk", flat=True))
            if not keys:
                return 0
            changed = super().update(**kwargs)
            _note_again(of, keys, fields)
        return changed

    # Django's flag that forbids calls from templates.
    update.alters_data = True  # type: ignore[attr-defined]  # an attribute of a function

    def bulk_create(self, objs: Iterable[Row], *args: Any, **kwargs: Any) -> list[Row]:
        """Call Django's ``bulk_create`` and record the new rows."""
        of = _official.get(self.model)
        if of is None or self._elsewhere():
            return super().bulk_create(objs, *args, **kwargs)
        require_change(of.model._meta.label)
        with transaction.atomic(savepoint=False):
            rows = super().bulk_create(objs, *args, **kwargs)
            note(of, [(str(row.pk), columns(row)) for row in rows])
        return rows


RecordedManager = models.Manager.from_queryset(RecordedQuerySet)


# Events from before ------------------------------------------------------------------------------


def rows_of(of: Official, scope: uuid.UUID, using: str = DEFAULT_DB_ALIAS) -> Iterator[Any]:
    """Yield the rows of an official model that belong to the event ``scope``, by primary key."""
    there = of.model._base_manager.using(using).filter(**{of.scope: scope})
    return there.order_by("pk").iterator(CHUNK)


@change()
def begin(scope: uuid.UUID) -> int:
    """Record the rows of an event whose chain has none yet, and return how many they were.

    An event from before rows were recorded begins its rows here, with the state it has.
    """
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


def recorded(scope: uuid.UUID, labels: Collection[str]) -> dict[Key, Columns]:
    """Return the last recorded columns of the rows of these models, without the deleted rows."""
    rows: dict[Key, Columns] = {}
    bodies = (
        AuditRows.objects.filter(scope=scope).order_by("sequence").values_list("body", flat=True)
    )
    for body in bodies.iterator(50):
        for label, key, values in json.loads(body) if any(map(body.__contains__, labels)) else ():
            if values is None:
                rows.pop((label, key), None)
            elif label in labels:
                rows[label, key] = {**rows.get((label, key), {}), **values}
    return rows


def compare(faults: Callable[[uuid.UUID], Iterator[str]]) -> None:
    """Declare a comparison of rows that are not official with what a scope's chain says of them."""
    if faults not in _comparisons:
        _comparisons.append(faults)


def beside_faults(scope: uuid.UUID) -> Iterator[str]:
    """Yield what differs in a scope from the commitments recorded beside its rows, and from its entries."""
    for of in declared():
        if of.beside is not None:
            yield from of.beside.faults(scope)
    for faults in _comparisons:
        yield from faults(scope)
