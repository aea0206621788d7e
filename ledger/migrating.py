"""Migration operations: create many models in one step, and protect append-only tables."""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Create models that may name each other.

    The state of the project is rendered once for all of them; CreateModel renders it for each.
    """

    def __init__(self, *models: CreateModel) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models to the state and discard its rendered apps, which are then rebuilt once."""
        vars(state).pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create their tables."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop them."""
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Return what ``sqlmigrate`` and ``migrate --plan`` show."""
        return f"Create {', '.join(model.name for model in self.models)}"


class AppendOnly(Operation):
    """Create the triggers of a table that refuse update, delete and truncate, whatever the program.

    Released migrations run these statements: they may not change.
    """

    def __init__(self, table: str, message: str, function: str, truncate: bool = True) -> None:
        """Set the trigger's ``function`` name on PostgreSQL; without ``truncate``, truncating is allowed."""
        self.table, self.message, self.function = table, message, function
        self.truncate = truncate

    def forbid(self, vendor: str) -> list[str]:
        """Return the statements that create the triggers."""
        table, function = self.table, self.function
        if vendor == "sqlite":
            return [
                f"""CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table}
       BEGIN SELECT RAISE(ABORT, '{self.message}'); END"""
                for verb in ("update", "delete")
            ]
        statements = [
            f"""CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION '{self.message}'; END $$""",
            f"""CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}
       FOR EACH ROW EXECUTE FUNCTION {function}()""",
            f"""CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}
       FOR EACH STATEMENT EXECUTE FUNCTION {function}()""",
        ]
        return statements if self.truncate else statements[:2]

    def allow(self, vendor: str) -> list[str]:
        """Return the statements that drop them."""
        table = self.table
        if vendor == "sqlite":
            return [f"DROP TRIGGER {table}_no_{verb}" for verb in ("update", "delete")]
        names = ("change", "truncate") if self.truncate else ("change",)
        return [
            *(f"DROP TRIGGER {table}_no_{name} ON {table}" for name in names),
            f"DROP FUNCTION {self.function}()",
        ]

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Leave the models as they are."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the triggers."""
        for statement in self.forbid(schema_editor.connection.vendor):
            schema_editor.execute(statement)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop them."""
        for statement in self.allow(schema_editor.connection.vendor):
            schema_editor.execute(statement)

    def describe(self) -> str:
        """Return what ``sqlmigrate`` and ``migrate --plan`` show."""
        return f"Forbid change of {self.table}"


JOURNALS = (
    AppendOnly("ledger_auditentry", "the audit log is append-only", "ledger_append_only"),
    AppendOnly("ledger_auditrows", "the record of rows is append-only", "ledger_rows_append_only"),
)
RULING_VERSIONS = AppendOnly(
    "adjudication_rulingversion",
    "versions of a ruling are append-only",
    "adjudication_append_only",
    truncate=False,
)
