"""An event's official tables, rebuilt in an empty database from the record of rows alone.

:func:`empty_database` makes the database (a file of its own, or the one of an address), migrated
and checked to hold no event. :func:`rebuild` reads an event's chain from the first rows to the
last and inserts what is left. Persons are not in the record: each gets a row without a name.
"""

from __future__ import annotations

import json
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import environ
from django.apps import apps
from django.core.management import call_command
from django.db import connections, transaction
from django.db.utils import load_backend

from ledger.canonical import canonical_json
from ledger.models import AuditRows
from ledger.official import Columns, Key, Official
from ledger.rows import columns, declared, rows_of
from tournament.models import Event, Person

ALIAS: Final = "replay"


class NotEmpty(Exception):
    """The database to rebuild in holds an event already."""


@contextmanager
def empty_database(url: str = "") -> Iterator[str]:
    """Yield the alias of an empty, migrated database: at ``url``, or in a temporary file.

    The file's tables are made from the models, with all their constraints; that is quicker.

    Raises NotEmpty where there is an event in it.
    """
    with tempfile.TemporaryDirectory(prefix="manille-replay-") as folder:
        given: dict[str, object] = environ.Env.db_url_config(
            url or f"sqlite:///{Path(folder) / 'replay.sqlite3'}"
        )
        if not url:
            # The database is private and temporary: skip the journal and disk syncs.
            given["OPTIONS"] = {"init_command": "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"}
        complete = connections.configure_settings(
            {"default": connections["default"].settings_dict, ALIAS: given}
        )[ALIAS]
        connections[ALIAS] = load_backend(complete["ENGINE"]).DatabaseWrapper(complete, ALIAS)
        try:
            if url:
                call_command("migrate", database=ALIAS, verbosity=0)
            else:
                with connections[ALIAS].schema_editor() as editor:
                    for model in apps.get_models():
                        editor.create_model(model)
            if Event.objects.using(ALIAS).exists():
                raise NotEmpty("The database to rebuild in is not empty.")
            yield ALIAS
        finally:
            connections[ALIAS].close()
            del connections[ALIAS]


def last_state(scope: uuid.UUID) -> tuple[dict[str, dict[str, Columns]], int]:
    """Return the columns by model label and key after the last row record, and the number of records read."""
    state: dict[str, dict[str, Columns]] = {}
    read = 0
    for recorded in AuditRows.objects.filter(scope=scope).order_by("sequence").iterator(50):
        for label, key, values in json.loads(recorded.body):
            read += 1
            rows = state.setdefault(label, {})
            if values is None:
                rows.pop(key, None)
            else:
                rows[key] = {**rows.get(key, {}), **values}
    return state, read


def rebuild(scope: uuid.UUID, alias: str) -> int:
    """Insert the event's last state into the database ``alias``; how many rows the chain held.

    Raises IntegrityError where the record contradicts the database's own rules.
    """
    state, read = last_state(scope)
    people: set[str] = set()
    with transaction.atomic(using=alias):
        for of in declared():
            names = {field.attname: field for field in of.fields}
            for key, values in state.get(of.model._meta.label, {}).items():
                known = {
                    name: names[name].to_python(value)
                    for name, value in values.items()
                    if name in names
                }
                people |= {
                    str(value)
                    for name, value in known.items()
                    if value is not None and names[name].related_model is Person
                }
                row = of.model(pk=of.model._meta.pk.to_python(key), **known)
                row.save_base(raw=True, using=alias, force_insert=True)
        Person.objects.using(alias).bulk_create([Person(pk=key, name="") for key in people])
    return read


def tables(scope: uuid.UUID, alias: str) -> dict[Key, str]:
    """Return every official row of the event in the rebuilt database ``alias``, as canonical JSON.

    Columns of free text hold their digests already; a record of an earlier release holds texts in JSON columns.
    """
    return _tables(scope, alias, [replace(of, digested=_in_json(of)) for of in declared()])


def _in_json(of: Official) -> frozenset[str]:
    return frozenset(name for name in of.digested if "." in name)


def tables_served(scope: uuid.UUID) -> dict[Key, str]:
    """Return every official row of the event in the served database."""
    return _tables(scope, "default", declared())


def _tables(scope: uuid.UUID, alias: str, official: list[Official]) -> dict[Key, str]:
    return {
        (of.model._meta.label, str(row.pk)): canonical_json(columns(row, of=of))
        for of in official
        for row in rows_of(of, scope, alias)
    }
