"""One table: number, round and decision of a tournament's table join its link and its phone.

A game of a table and its score sheet are one row too; who sits at a seat of the game follows from
the seats of the table. The version before cannot run on this schema.
"""

import django.db.models.deletion
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Q, Subquery


def number_of(label: str) -> int:
    """The number in a label: round and table, as in ``3/17``."""
    return int(label.rpartition("/")[2])


def take_over(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Copy what the tournament knew of a table and its games to the table and its sheets."""
    alias = schema_editor.connection.alias
    table, sheet = (
        apps.get_model("scoring", name).objects.using(alias)
        for name in ("Table", "Sheet")
    )
    laid = apps.get_model("tournament", "Table").objects.using(alias)
    game = apps.get_model("tournament", "TableGame").objects.using(alias)
    mine = laid.filter(scoring_table=OuterRef("pk"))
    table.filter(pk__in=laid.values("scoring_table")).update(
        **{
            name: Subquery(mine.values(name)[:1])
            for name in ("round", "number", "extra_minutes", "decided_for", "decided_reason")
        }
    )
    for withdrawn in table.filter(number=None):
        withdrawn.number = number_of(withdrawn.label)
        withdrawn.save(update_fields=["number"])
    its = game.filter(sheet=OuterRef("pk"))
    sheet.filter(pk__in=game.values("sheet")).update(
        **{name: Subquery(its.values(name)[:1]) for name in ("sides", "counts")}
    )
    for alone in sheet.filter(sides={}):
        alone.sides = (
            {"NS": ["N", "S"], "EW": ["E", "W"]}
            if "N" in alone.seats
            else {seat: [seat] for seat in alone.seats}
        )
        alone.save(update_fields=["sides"])
    if schema_editor.connection.vendor == "postgresql":
        # What was written is checked now: a table with checks to come cannot be altered.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0006_sides_of_single_players"),
        ("tournament", "0014_counting_edition"),
    ]

    operations = [
        migrations.RenameModel("ScoringTable", "Table"),
        migrations.AlterModelOptions("table", {"ordering": ["number"]}),
        migrations.AddField(
            "table",
            "round",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tables",
                to="tournament.round",
            ),
        ),
        migrations.AddField("table", "number", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField(
            "table", "extra_minutes", models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField(
            "table",
            "decided_for",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="decided_tables",
                to="tournament.entrant",
            ),
        ),
        migrations.AddField(
            "table",
            "decided_reason",
            models.CharField(blank=True, db_default="", default="", max_length=300),
        ),
        migrations.AddField("sheet", "sides", models.JSONField(default=dict), preserve_default=False),
        migrations.AddField("sheet", "counts", models.BooleanField(default=True)),
        migrations.RunPython(take_over),
        migrations.AlterField("table", "number", models.PositiveSmallIntegerField()),
        migrations.RemoveField("sheet", "seats"),
        migrations.AlterModelOptions("sheet", {"ordering": ["table_id", "order"]}),
        migrations.AddConstraint(
            "table",
            models.UniqueConstraint(fields=["round", "number"], name="table_number_in_round_once"),
        ),
        migrations.AddConstraint(
            "table",
            models.CheckConstraint(
                condition=Q(number__gte=1), name="numbers_count_from_one"
            ),
        ),
    ]
