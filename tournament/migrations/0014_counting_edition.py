"""Standings say by which edition they were computed; those kept so far were by the first."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0013_forfeited_round")]

    operations = [
        migrations.AddField(
            "standings", "edition", models.PositiveSmallIntegerField(db_default=1, default=1)
        ),
    ]
