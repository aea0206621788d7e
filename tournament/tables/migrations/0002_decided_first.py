from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

WHEN = """NEW.number = 1 AND EXISTS (
  SELECT 1 FROM scoring_sheet JOIN scoring_table ON scoring_table.id = scoring_sheet.table_id
  WHERE scoring_sheet.id = NEW.sheet_id AND scoring_table.decided_at < NEW.made_at)"""
SAYS = "the match is decided: it gets no first result"
# On SQLite a later migration that rebuilds one of the three tables drops the trigger first.
CREATE = {
    "sqlite": [
        f"""CREATE TRIGGER scoring_decided_first BEFORE INSERT ON scoring_officialresult WHEN {WHEN}
       BEGIN SELECT RAISE(ABORT, '{SAYS}'); END"""
    ],
    "postgresql": [
        f"""CREATE FUNCTION scoring_decided_first() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF {WHEN} THEN
         RAISE EXCEPTION '{SAYS}' USING ERRCODE = 'integrity_constraint_violation';
       END IF; RETURN NEW; END $$""",
        """CREATE TRIGGER scoring_decided_first BEFORE INSERT ON scoring_officialresult
       FOR EACH ROW EXECUTE FUNCTION scoring_decided_first()""",
    ],
}
DROP = {
    "sqlite": ["DROP TRIGGER scoring_decided_first"],
    "postgresql": [
        "DROP TRIGGER scoring_decided_first ON scoring_officialresult",
        "DROP FUNCTION scoring_decided_first()",
    ],
}


def create(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in CREATE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def drop(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in DROP[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0001_squashed_0011_side_writer"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="decided_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(create, drop),
    ]
