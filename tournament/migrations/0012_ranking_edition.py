"""Stages say by which edition of the ranking they count; those there are keep the one they had."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0011_entrant_merged")]

    operations = [
        migrations.AddField(
            "stage", "ranking_edition", models.PositiveSmallIntegerField(db_default=1, default=1)
        ),
    ]
