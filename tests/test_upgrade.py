"""Migrations since the last release only add, so that the previous version still runs on the new schema."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.db.migrations import operations
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.fields import NOT_PROVIDED

ROOT = Path(__file__).resolve().parents[1]
RELEASED = {
    "ledger": "0011_tick",
    "scoring": "0001_squashed_0011_side_writer",
    "tournament": "0025_publish_conduct",
    "adjudication": "0010_unseated_incidents",
}
"""The last migration of each room in the previous release, 1.0.1."""
TAKING = {
    tuple(line.split("."))
    for line in (ROOT / "docker" / "pauses").read_text().splitlines()
    if not line.startswith("#")
}
"""Migrations that break the version before: ``docker/upgrade`` requests a pause for them."""
ADDING = (
    operations.CreateModel,
    operations.AddField,
    operations.AddIndex,
    operations.AddIndexConcurrently
    if hasattr(operations, "AddIndexConcurrently")
    else operations.AddIndex,
    operations.RunPython,
    operations.RunSQL,
    operations.AlterModelManagers,
    operations.AlterModelOptions,
    operations.AlterField,
    operations.AddConstraint,
    operations.SeparateDatabaseAndState,
)


@pytest.mark.django_db
def test_the_migrations_make_what_the_models_declare() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["0001_initial", "0024_club_looks"])
def test_a_database_that_1_0_has_not_brought_up_to_date_is_refused(name: str) -> None:
    call_command("migrate", verbosity=0)
    MigrationRecorder(connection).record_unapplied("tournament", name)
    with pytest.raises(CommandError, match=r"upgrade it to release 1\.0\.1 first"):
        call_command("migrate", verbosity=0)


def new_migrations() -> list[tuple[str, str]]:
    return [
        (room, path.stem)
        for room, last in RELEASED.items()
        for path in sorted((Path(apps.get_app_config(room).path) / "migrations").glob("[0-9]*.py"))
        if path.stem > last and (room, path.stem) not in TAKING
    ]


@pytest.mark.guide("operator#upgrades")
@pytest.mark.parametrize(("room", "name"), new_migrations(), ids=lambda part: part)
def test_a_migration_since_the_release_takes_nothing_from_the_version_before(
    room: str, name: str
) -> None:
    migration = importlib.import_module(
        f"{apps.get_app_config(room).name}.migrations.{name}"
    ).Migration
    created = {
        operation.name_lower
        for operation in migration.operations
        if isinstance(operation, operations.CreateModel)
    }
    anew = {
        operation.constraint.name
        for operation in migration.operations
        if isinstance(operation, operations.AddConstraint)
    }
    for operation in migration.operations:
        if isinstance(operation, operations.RemoveConstraint) and operation.name in anew:
            continue
        where = f"{room} {name}: {operation.describe()}"
        assert isinstance(operation, ADDING), f"{where}: takes something away"
        if isinstance(operation, operations.RunPython | operations.RunSQL):
            assert operation.reversible, f"{where}: no way back"
        if isinstance(operation, operations.AddField) and operation.model_name_lower not in created:
            # A later migration may have corrected it; the state of the release counts.
            field = apps.get_model(room, operation.model_name_lower)._meta.get_field(operation.name)
            # The version before inserts rows without this column.
            assert (
                field.null
                or field.db_default is not NOT_PROVIDED
                or isinstance(field, models.ManyToManyField)
            ), f"{where}: needs null=True or db_default"
