"""The record of rows takes inserts only, as the audit log does."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE = "ledger_auditrows"
SQLITE = [
    f"""CREATE TRIGGER {TABLE}_no_update BEFORE UPDATE ON {TABLE}
       BEGIN SELECT RAISE(ABORT, 'the record of rows is append-only'); END""",
    f"""CREATE TRIGGER {TABLE}_no_delete BEFORE DELETE ON {TABLE}
       BEGIN SELECT RAISE(ABORT, 'the record of rows is append-only'); END""",
]
POSTGRESQL = [
    """CREATE FUNCTION ledger_rows_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'the record of rows is append-only'; END $$""",
    f"""CREATE TRIGGER {TABLE}_no_change BEFORE UPDATE OR DELETE ON {TABLE}
       FOR EACH ROW EXECUTE FUNCTION ledger_rows_append_only()""",
    f"""CREATE TRIGGER {TABLE}_no_truncate BEFORE TRUNCATE ON {TABLE}
       FOR EACH STATEMENT EXECUTE FUNCTION ledger_rows_append_only()""",
]
UNDO = {
    "sqlite": [f"DROP TRIGGER {TABLE}_no_update", f"DROP TRIGGER {TABLE}_no_delete"],
    "postgresql": [
        f"DROP TRIGGER {TABLE}_no_change ON {TABLE}",
        f"DROP TRIGGER {TABLE}_no_truncate ON {TABLE}",
        "DROP FUNCTION ledger_rows_append_only()",
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
    dependencies = [("ledger", "0004_audit_rows")]
    operations = [migrations.RunPython(forbid_change, allow_change)]
