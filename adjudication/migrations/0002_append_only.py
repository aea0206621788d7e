"""A version of a ruling takes inserts only: the database itself refuses update and delete."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE = "adjudication_rulingversion"
SQLITE = [
    f"""CREATE TRIGGER {TABLE}_no_update BEFORE UPDATE ON {TABLE}
       BEGIN SELECT RAISE(ABORT, 'versions of a ruling are append-only'); END""",
    f"""CREATE TRIGGER {TABLE}_no_delete BEFORE DELETE ON {TABLE}
       BEGIN SELECT RAISE(ABORT, 'versions of a ruling are append-only'); END""",
]
POSTGRESQL = [
    """CREATE FUNCTION adjudication_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'versions of a ruling are append-only'; END $$""",
    f"""CREATE TRIGGER {TABLE}_no_change BEFORE UPDATE OR DELETE ON {TABLE}
       FOR EACH ROW EXECUTE FUNCTION adjudication_append_only()""",
]
UNDO = {
    "sqlite": [f"DROP TRIGGER {TABLE}_no_update", f"DROP TRIGGER {TABLE}_no_delete"],
    "postgresql": [
        f"DROP TRIGGER {TABLE}_no_change ON {TABLE}",
        "DROP FUNCTION adjudication_append_only()",
    ],
}


def forbid_change(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers of this database."""
    for statement in {"sqlite": SQLITE, "postgresql": POSTGRESQL}[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def allow_change(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop them again."""
    for statement in UNDO[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0001_initial")]
    operations = [migrations.RunPython(forbid_change, allow_change)]
