"""The audit log takes inserts only: the database itself refuses update, delete and truncate."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SQLITE = [
    """CREATE TRIGGER ledger_auditentry_no_update BEFORE UPDATE ON ledger_auditentry
       BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END""",
    """CREATE TRIGGER ledger_auditentry_no_delete BEFORE DELETE ON ledger_auditentry
       BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END""",
]
POSTGRESQL = [
    """CREATE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$""",
    """CREATE TRIGGER ledger_auditentry_no_change BEFORE UPDATE OR DELETE ON ledger_auditentry
       FOR EACH ROW EXECUTE FUNCTION ledger_append_only()""",
    """CREATE TRIGGER ledger_auditentry_no_truncate BEFORE TRUNCATE ON ledger_auditentry
       FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only()""",
]
UNDO = {
    "sqlite": [
        "DROP TRIGGER ledger_auditentry_no_update",
        "DROP TRIGGER ledger_auditentry_no_delete",
    ],
    "postgresql": [
        "DROP TRIGGER ledger_auditentry_no_change ON ledger_auditentry",
        "DROP TRIGGER ledger_auditentry_no_truncate ON ledger_auditentry",
        "DROP FUNCTION ledger_append_only()",
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
    dependencies = [("ledger", "0001_initial")]
    operations = [migrations.RunPython(forbid_change, allow_change)]
