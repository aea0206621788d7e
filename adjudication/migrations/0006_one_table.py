"""An incident names the one table."""

import django.db.models.deletion
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def take_over(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Name the table that takes the place of the tournament's."""
    alias = schema_editor.connection.alias
    laid = apps.get_model("tournament", "Table").objects.using(alias)
    apps.get_model("adjudication", "Incident").objects.using(alias).exclude(table=None).update(
        at=Subquery(laid.filter(pk=OuterRef("table_id")).values("scoring_table")[:1])
    )
    if schema_editor.connection.vendor == "postgresql":
        # What was written is checked now: a table with checks to come cannot be altered.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def to_table(related_name: str) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        null=True,
        on_delete=django.db.models.deletion.SET_NULL,
        related_name=related_name,
        to="scoring.table",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("adjudication", "0005_confirmations"),
        ("scoring", "0007_one_table"),
    ]

    operations = [
        migrations.AddField("incident", "at", to_table("+")),
        migrations.RunPython(take_over),
        migrations.RemoveField("incident", "table"),
        migrations.RenameField("incident", "at", "table"),
        migrations.AlterField("incident", "table", to_table("incidents")),
    ]
