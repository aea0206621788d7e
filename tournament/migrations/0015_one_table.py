"""Seats belong to the one table; the tournament's own tables and games go."""

import django.db.models.deletion
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def take_over(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Name the table that takes the place of the tournament's."""
    alias = schema_editor.connection.alias
    laid = apps.get_model("tournament", "Table").objects.using(alias)
    apps.get_model("tournament", "Seat").objects.using(alias).update(
        at=Subquery(laid.filter(pk=OuterRef("table_id")).values("scoring_table")[:1])
    )
    if schema_editor.connection.vendor == "postgresql":
        # What was written is checked now: a table with checks to come cannot be altered.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0014_counting_edition"),
        ("scoring", "0007_one_table"),
        ("adjudication", "0006_one_table"),
    ]

    operations = [
        migrations.RemoveConstraint("seat", "seat_taken_once"),
        migrations.AlterModelOptions("seat", {}),
        migrations.AddField(
            "seat",
            "at",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="scoring.table",
            ),
        ),
        migrations.RunPython(take_over),
        migrations.RemoveField("seat", "table"),
        migrations.RenameField("seat", "at", "table"),
        migrations.AlterField(
            "seat",
            "table",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="seats",
                to="scoring.table",
            ),
        ),
        migrations.AlterModelOptions("seat", {"ordering": ["table", "position"]}),
        migrations.AddConstraint(
            "seat",
            models.UniqueConstraint(fields=["table", "position"], name="seat_taken_once"),
        ),
        migrations.DeleteModel("TableGame"),
        migrations.DeleteModel("Table"),
    ]
